//! Differences between two trees of files that no database has. They are those that one revision
//! from the first to the second would have.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::time::Instant;

use super::difference::{Difference, differences, end_line};
use super::expansions::Side;
use super::macro_calls::MacroCalls;
use super::readded_items::{End, Ends, Pair};
use super::scope::Scope;
use super::selected::Selected;
use crate::past::is_followed;
use asof_index::{ComparedTree, ComparedTrees};
use asof_item_tracking::{ItemMatches, ItemState, MatchKind, Texts};
use asof_model::{NodeId, OrNever, TextHash};
use asof_wire::{Answer, AnswerSource, Basis, Diff, DiffRequest, Matched, Patch};

/// The answer about two trees.
pub(crate) fn diff_trees(
    trees: &ComparedTrees,
    from: Basis,
    basis: Basis,
    source: AnswerSource,
    request: &DiffRequest,
    scope: Option<&Scope>,
) -> Diff {
    let started = Instant::now();
    let items = |side: Side, ids: &[NodeId]| -> Result<Vec<ItemState>, Infallible> {
        let tree = match side {
            Side::Earlier => &trees.earlier,
            Side::Later => &trees.later,
        };
        Ok(ids.iter().filter_map(|id| tree.items.get(id).cloned()).collect())
    };
    let Ok(selected) = Selected::new(compare(trees), request, scope, items);
    let label = |tree: &ComparedTree, id: NodeId| Some(tree.items.get(&id)?.label().to_owned());
    let entry = |difference: &Difference| {
        let tree = if difference.later().is_some() { &trees.earlier } else { &trees.later };
        let other = difference.other.and_then(|id| label(tree, id));
        let patch = (request.patch == Patch::Unified).then(|| patch(trees, difference));
        difference.entry(other.as_deref(), patch)
    };
    let items: Vec<_> = selected.shown(request).map(entry).collect();
    let total = selected.found.len();
    let ms = started.elapsed().as_secs_f64() * 1e3;
    let mut answer = Answer { basis, source, truncated: false, total, items, ms };
    answer.cut(request.limit);
    let Selected { summary, folded, imports, .. } = selected;
    // Nothing was removed in one revision and added in a later one.
    Diff { from, summary, folded, imports, guesses_left_out: 0, answer }
}

/// The file or folder at a path relative to the root; `None` if neither tree has it.
pub(crate) fn file_scope(trees: &ComparedTrees, path: &str) -> Option<Scope> {
    let folder = format!("{path}/");
    for tree in [&trees.later, &trees.earlier] {
        if tree.files.iter().any(|file| file == path) {
            return Some(Scope::of_file(path.to_owned()));
        }
        if !path.contains("::") && tree.files.iter().any(|file| file.starts_with(&folder)) {
            return Some(Scope::of_file(folder));
        }
    }
    None
}

fn patch(trees: &ComparedTrees, difference: &Difference) -> String {
    let text = |tree: &ComparedTree, item: Option<&ItemState>| match item {
        Some(item) => {
            let mut text = tree.source(item.id).or_never("the file of a compared item was read");
            end_line(&mut text);
            text
        }
        None => String::new(),
    };
    let old = text(&trees.earlier, difference.earlier());
    difference.unified(&old, &text(&trees.later, difference.later()))
}

fn compare(trees: &ComparedTrees) -> Vec<Difference> {
    let (mut old, mut new) = (trees.earlier.items.clone(), trees.later.items.clone());
    let one_side = |these: &BTreeMap<NodeId, ItemState>, others: &BTreeMap<NodeId, ItemState>| {
        let followed = these.values().filter(|item| is_followed(item.kind));
        let alone = followed.filter(|item| !others.contains_key(&item.id));
        alone.cloned().collect::<Vec<ItemState>>()
    };
    let (removed, added) = (one_side(&old, &new), one_side(&new, &old));
    let in_both: BTreeSet<NodeId> = old.keys().filter(|id| new.contains_key(id)).copied().collect();
    let changed = || -> Vec<(ItemState, ItemState)> {
        let side = |items: &BTreeMap<NodeId, ItemState>, id| items.get(id).cloned();
        in_both.iter().filter_map(|id| side(&old, id).zip(side(&new, id))).collect()
    };
    let mut read = |hashes: &[TextHash]| -> Result<Vec<(TextHash, String)>, Infallible> {
        let text = |hash: &TextHash| Some((*hash, trees.texts.get(hash)?.clone()));
        Ok(hashes.iter().filter_map(text).collect())
    };
    let mut texts = Texts::new(&mut read);
    let Ok(matches) = ItemMatches::compute(&removed, &added, || Ok(changed()), &mut texts);

    let mut pairs = Vec::new();
    let (mut parts, mut merged) = (BTreeMap::new(), BTreeMap::new());
    for found in matches.iter() {
        match found.kind {
            MatchKind::Split => _ = parts.insert(found.new, found.old),
            MatchKind::Merged => _ = merged.insert(found.old, found.new),
            MatchKind::Moved | MatchKind::Renamed => {
                if let Some(sides) = old.remove(&found.old).zip(new.remove(&found.new)) {
                    pairs.push(Pair::new(sides.0, sides.1, Some(Matched::Revisions)));
                }
            }
        }
    }
    for id in &in_both {
        if let Some(sides) = old.remove(id).zip(new.remove(id)) {
            pairs.push(Pair::new(sides.0, sides.1, None));
        }
    }
    let ends = |items: BTreeMap<NodeId, ItemState>, others: &BTreeMap<NodeId, NodeId>| -> Ends {
        let end = |(id, item)| (id, End { item, step: 0, other: others.get(&id).copied() });
        items.into_iter().map(end).collect()
    };
    let (mut gone, mut come) = (ends(old, &merged), ends(new, &parts));
    let text = |hash: &TextHash| trees.texts.get(hash).map(String::as_str);
    let calls = MacroCalls::take(&mut pairs, &mut gone, &mut come);
    calls.pair(&mut pairs, &mut gone, &mut come, &text);
    differences(pairs, gone, come, &text)
}
