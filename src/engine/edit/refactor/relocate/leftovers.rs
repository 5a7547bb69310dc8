//! Imports of the old module that only the text that moved needed.

use std::collections::BTreeSet;

use super::changes::Changes;
use super::destination::children;
use super::inward::Needed;
use super::subject::Subject;
use crate::edit::Range;
use crate::engine::database::Snapshot;
use crate::engine::edit::target::{Files, Halt};
use crate::engine::error::EngineError;
use crate::index::{PathMeaning, Place, Viewpoint};
use crate::model::{Header, NodeId, NodeKind};
use crate::query::Queries;
use crate::refactor::{Pruned, without_names};
use crate::syntax::Scan;

/// Takes the names out of the imports that nothing else needs.
pub(super) fn remove(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    view: &Viewpoint,
    subject: &Subject,
    needed: &Needed,
    changes: &mut Changes,
) -> Result<(), Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let others = other_files(view, &queries, subject)?;
    let mut other_texts = Vec::new();
    for path in &others {
        other_texts.push(files.loaded(snapshot, path)?.text.clone());
    }
    let rest = rest_of(snapshot, &queries, subject)?;
    let loaded = files.loaded(snapshot, &subject.file_path)?;
    let scan = Scan::new(&loaded.text);
    let facts = &loaded.facts;
    let around = match subject.module_index {
        0 => (0, u32::MAX),
        at => facts
            .items
            .get(at as usize)
            .map_or((0, u32::MAX), |item| (item.span.start_byte, item.span.end_byte)),
    };
    let gone: Vec<Range> = subject.pieces.iter().map(|piece| piece.range).collect();
    let at = Place { module: subject.module, is_new: false };
    let mut unused = Vec::new();
    for (index, import) in children(facts, subject.module_index) {
        let Header::Import { leaves } = &import.header else { continue };
        if !import.visibility.is_empty() {
            continue;
        }
        let mut names = BTreeSet::new();
        for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
            let meaning = view.meaning(at, &leaf.path.join("::"));
            let is_trait = needed.has_trait(&meaning);
            if !needed.names.contains(&leaf.name) && !is_trait {
                continue;
            }
            let named = leaf.name != "_"
                && (is_mentioned(loaded, &scan, &leaf.name, around, &gone)
                    || other_texts.iter().any(|text| has_word(text, &leaf.name)));
            if named || may_be_trait(&meaning, view) && rest.may_call(&meaning, view) {
                continue;
            }
            names.insert(leaf.name.clone());
        }
        if !names.is_empty() {
            unused.push((index, names));
        }
    }
    for (index, names) in unused {
        let Some(import) = facts.items.get(index as usize) else { continue };
        let (start, end) = (import.span.start_byte, import.span.end_byte);
        let text = loaded.text.get(start as usize..end as usize).unwrap_or_default();
        let bytes = crate::refactor::imported_as(text, &names);
        match without_names(text, &bytes) {
            None => {}
            Some(Pruned::Nothing) => changes.drop_item(loaded, index),
            Some(Pruned::Without(ranges)) => {
                for range in ranges {
                    let range = (start + range.start, start + range.end);
                    changes.replace(&subject.file_path, range, String::new());
                }
            }
        }
    }
    Ok(())
}

impl Needed {
    fn has_trait(&self, meaning: &PathMeaning) -> bool {
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        match meaning {
            PathMeaning::Items(ids) => !ids.is_disjoint(&self.traits),
            PathMeaning::Outside(path) => {
                self.outside_traits.iter().any(|of| last(of) == last(path))
            }
            PathMeaning::Nothing => false,
        }
    }
}

fn may_be_trait(meaning: &PathMeaning, view: &Viewpoint) -> bool {
    match meaning {
        PathMeaning::Items(ids) => ids.iter().any(|id| view.kind(*id) == Some(NodeKind::Trait)),
        PathMeaning::Outside(path) => {
            path.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase))
        }
        PathMeaning::Nothing => false,
    }
}

/// What the rest of the file of the old module calls.
struct Rest {
    targets: BTreeSet<NodeId>,
    outside: Vec<String>,
}

impl Rest {
    fn may_call(&self, of: &PathMeaning, view: &Viewpoint) -> bool {
        let unknown = self.outside.iter().any(|text| text.starts_with('.'));
        unknown
            || match of {
                PathMeaning::Items(ids) => self
                    .targets
                    .iter()
                    .any(|target| view.trait_of(*target).is_some_and(|of| ids.contains(&of))),
                PathMeaning::Outside(path) => {
                    let name = path.rsplit("::").next().unwrap_or_default();
                    let is = |text: &String| text.rsplit("::").nth(1) == Some(name);
                    self.outside.iter().any(is)
                }
                PathMeaning::Nothing => true,
            }
    }
}

fn rest_of(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    subject: &Subject,
) -> Result<Rest, EngineError> {
    let items = queries.file_items(&subject.file_path)?.into_iter().map(|item| item.id);
    let modules = queries.file_modules(&subject.file_path)?.into_iter().map(|module| module.id);
    let ids: Vec<NodeId> = items.chain(modules).filter(|id| !subject.ids.contains(id)).collect();
    let mut targets = BTreeSet::new();
    for uses in queries.uses_of(&ids)? {
        targets.extend(uses.refs.iter().map(|one| one.target));
    }
    let list: Vec<NodeId> = targets.iter().copied().collect();
    let outside = Queries::external(snapshot.store(), &list)?;
    Ok(Rest { targets, outside: outside.into_iter().map(|one| one.text).collect() })
}

/// Files of the modules in the old one.
fn other_files(
    view: &Viewpoint,
    queries: &Queries<'_>,
    subject: &Subject,
) -> Result<BTreeSet<String>, EngineError> {
    let below = view.below(subject.module);
    let files = queries.describe(&below)?.into_iter().map(|one| one.file_path);
    Ok(files.filter(|path| *path != subject.file_path).collect())
}

/// Whether a name is written within a range of a file: outside of imports at the top of modules, and
/// of some of its parts.
pub(super) fn is_mentioned(
    loaded: &crate::engine::edit::target::Loaded,
    scan: &Scan<'_>,
    name: &str,
    around: Range,
    gone: &[Range],
) -> bool {
    let text = loaded.text.as_str();
    let imports: Vec<Range> = loaded
        .facts
        .items
        .iter()
        .filter(|item| item.kind == NodeKind::Import && !item.in_body)
        .map(|item| (item.span.start_byte, item.span.end_byte))
        .collect();
    let within = |ranges: &[Range], at: u32| ranges.iter().any(|one| one.0 <= at && at < one.1);
    text.match_indices(name).any(|(at, _)| {
        let start = at as u32;
        if start < around.0
            || start >= around.1
            || within(gone, start)
            || !stands_alone(text, at, name)
        {
            return false;
        }
        match within(&imports, start) {
            // An import through it.
            true => imports
                .iter()
                .any(|one| one.0 <= start && start < one.1 && begins_path(text, scan, start)),
            false => true,
        }
    })
}

/// Whether an import begins with the name at a byte, and goes on.
fn begins_path(text: &str, scan: &Scan<'_>, start: u32) -> bool {
    let Some((token, _)) = scan.word_at(start) else { return false };
    let before = scan.token_before(token.start).map(|(range, _)| range);
    let first = before.and_then(|range| text.get(range.start as usize..range.end as usize));
    let behind = text.get(token.end as usize..).unwrap_or_default().trim_start();
    first == Some("use") && behind.starts_with("::")
}

fn stands_alone(text: &str, at: usize, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..at).unwrap_or_default();
    let behind = text.get(at + name.len()..).unwrap_or_default();
    !before.ends_with(is_word) && !behind.starts_with(is_word)
}

fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| stands_alone(text, at, name))
}
