//! Differences between two moments.
//!
//! The states at both ends are compared, so that a change that was reverted is no difference.
//! `changes` lists the items to compare. They are matched by composing the matches of the revisions
//! in between, as in `history`. Only items that one revision removed and a later one added again
//! are matched by their two ends; such a match is marked.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::compose::Composition;
use super::ends::{End, Ends, Pair, match_ends};
use super::fold::fold;
use super::past::{Past, states};
use super::walk::classes;
use crate::edit::unified;
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::engine::show::source;
use crate::item_tracking::{Class, Comparison, ItemState};
use crate::model::{Micros, NodeId};
use crate::query::Queries;
use crate::wire::{
    Detail, Diff, DiffItem, DiffRequest, Guesses, Item, Matched, Patch, ResolveRequest,
};

/// An item on one or both sides.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    sides: Sides,
    pub classes: Vec<Class>,
    /// The item that it was split from, or merged into.
    other: Option<NodeId>,
    matched: Option<Matched>,
    similarity: Option<f64>,
}

/// The place of an item.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "most are of the largest")]
enum Sides {
    Old(ItemState),
    New(ItemState),
    Both(Box<(ItemState, ItemState)>),
}

impl Difference {
    /// The later side, else the earlier.
    pub(super) fn shown(&self) -> &ItemState {
        match &self.sides {
            Sides::Old(item) | Sides::New(item) => item,
            Sides::Both(both) => &both.1,
        }
    }

    pub(super) fn earlier(&self) -> Option<&ItemState> {
        match &self.sides {
            Sides::Old(item) => Some(item),
            Sides::Both(both) => Some(&both.0),
            Sides::New(_) => None,
        }
    }

    pub(super) fn later(&self) -> Option<&ItemState> {
        match &self.sides {
            Sides::New(item) => Some(item),
            Sides::Both(both) => Some(&both.1),
            Sides::Old(_) => None,
        }
    }
}

impl Snapshot<'_> {
    /// The differences between an earlier snapshot and this one, by path.
    ///
    /// # Errors
    /// `from` is later or of another database, the path names nothing at either moment, or the
    /// store failed.
    pub fn diff(&self, from: &Snapshot<'_>, request: &DiffRequest) -> Result<Diff, EngineError> {
        let started = Instant::now();
        if from.at > self.at {
            return Err(EngineError::BadRequest {
                what: format!("{} is later than {}", from.at, self.at),
                hint: "give the earlier moment first".into(),
            });
        }
        let mut past = self.past();
        let (mut found, guesses_left_out) =
            self.differences(&mut past, from.at, request.guesses)?;
        if let Some(path) = &request.path {
            let scope = self.scope(from, path)?;
            let inside = |item: Option<&ItemState>| item.is_some_and(|i| scope.holds(i));
            found.retain(|d| inside(d.earlier()) || inside(d.later()));
        }
        let folded = match (request.detail, request.kind) {
            (Detail::Folded, None) => fold(&mut found),
            _ => 0,
        };
        found.retain(|d| request.kind.is_none_or(|kind| d.shown().kind == kind));
        found.sort_by(|a, b| {
            let key = |d: &Difference| (d.shown().label().to_owned(), d.shown().id);
            key(a).cmp(&key(b))
        });
        let mut summary = BTreeMap::new();
        for class in found.iter().flat_map(|d| &d.classes) {
            *summary.entry(*class).or_default() += 1;
        }
        let shown = request.limit.map_or(found.len(), |limit| limit.saturating_add(1));
        let total = found.len();
        let mut items = Vec::new();
        for difference in found.into_iter().take(shown) {
            items.push(self.told(from, &difference, request.patch)?);
        }
        let mut answer = self.answer(started, items, request.limit);
        answer.total = total;
        Ok(Diff { from: from.basis.clone(), summary, folded, guesses_left_out, answer })
    }

    fn differences(
        &self,
        past: &mut Past<'_>,
        from: Micros,
        guesses: Guesses,
    ) -> Result<(Vec<Difference>, usize), EngineError> {
        let steps = Queries::changes_between(self.store(), from, self.at)?;
        let ids: BTreeSet<NodeId> = steps
            .iter()
            .flat_map(|s| s.added.iter().chain(&s.removed).chain(&s.changed))
            .copied()
            .collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let by_id = |items: Vec<ItemState>| -> BTreeMap<NodeId, ItemState> {
            items.into_iter().map(|item| (item.id, item)).collect()
        };
        let mut old = by_id(states(&past.queries_at(from), &ids)?);
        let mut new = by_id(states(&past.queries(), &ids)?);
        let composed = Composition::of(past, (from, self.at), &steps)?;
        let mut pairs = Vec::new();
        let (mut gone, mut come) = (Ends::new(), Ends::new());
        for track in &composed.tracks {
            let was = track.first.and_then(|id| old.remove(&id));
            let is = track.last.and_then(|id| new.remove(&id));
            match (was, is) {
                (Some(was), Some(is)) => {
                    let matched = (was.id != is.id).then_some(Matched::Revisions);
                    pairs.push(Pair::of(was, is, matched));
                }
                (Some(item), None) => {
                    let other = composed.merged_into(track);
                    let step = track.removed.unwrap_or_default();
                    gone.insert(item.id, End { item, step, other });
                }
                (None, Some(item)) => {
                    let other = composed.split_from(track);
                    let step = track.added.unwrap_or_default();
                    come.insert(item.id, End { item, step, other });
                }
                (None, None) => {}
            }
        }
        // Items that no revision added or removed.
        for (id, was) in old {
            if let Some(is) = new.remove(&id) {
                pairs.push(Pair::of(was, is, None));
            }
        }
        pairs.retain(|pair| pair.old != pair.new || pair.matched.is_some());
        let left_out = match_ends(past, &mut pairs, (&mut gone, &mut come), guesses)?;
        let wanted =
            pairs.iter().flat_map(|pair| Comparison { old: &pair.old, new: &pair.new }.texts());
        past.load_texts(wanted.collect::<Vec<_>>())?;
        let mut found = Vec::new();
        for pair in pairs {
            let Pair { old, new, matched, similarity } = pair;
            let classes = classes(past, &old, &new)?;
            if !classes.is_empty() {
                let sides = Sides::Both(Box::new((old, new)));
                found.push(Difference { sides, classes, other: None, matched, similarity });
            }
        }
        let takers: BTreeSet<NodeId> = gone.values().filter_map(|end| end.other).collect();
        found.extend(gone.into_values().map(removed));
        found.extend(come.into_values().map(added));
        for difference in &mut found {
            if difference.later().is_some_and(|item| takers.contains(&item.id)) {
                difference.classes.push(Class::MergedIn);
                difference.classes.sort();
            }
        }
        Ok((found, left_out))
    }

    /// The entry of a difference.
    fn told(
        &self,
        from: &Snapshot<'_>,
        difference: &Difference,
        patch: Patch,
    ) -> Result<DiffItem, EngineError> {
        let shown = difference.shown().clone();
        let patch = match patch {
            Patch::Unified => Some(self.patch(from, difference)?),
            Patch::Without => None,
        };
        let other = match difference.other {
            Some(id) => {
                let at = if difference.later().is_some() { from.at } else { self.at };
                states(&Queries::at(self.store(), at), &[id])?.pop()
            }
            None => None,
        };
        let old = difference.later().and(difference.earlier());
        let was =
            |of: &dyn Fn(&ItemState) -> String| old.map(of).filter(|before| *before != of(&shown));
        Ok(DiffItem {
            previous_path: was(&|i| i.label().to_owned()),
            previous_file_path: was(&|i| i.file_path.clone()),
            previous_signature: was(&|i| i.signature.clone()),
            previous_id: old.map(|i| i.id).filter(|id| *id != shown.id),
            previous_tracking_hash: old
                .map(|i| i.tracking_hash)
                .filter(|hash| *hash != shown.tracking_hash),
            matched: difference.matched,
            similarity: difference.similarity,
            classes: difference.classes.clone(),
            kind: shown.kind,
            path: shown.label().to_owned(),
            other: other.map(|item| item.label().to_owned()),
            file_path: shown.file_path,
            id: shown.id,
            signature: shown.signature,
            tracking_hash: shown.tracking_hash,
            patch,
        })
    }

    fn patch(&self, from: &Snapshot<'_>, difference: &Difference) -> Result<String, EngineError> {
        let text = |at: Micros, item: Option<&ItemState>| -> Result<String, EngineError> {
            let Some(item) = item else { return Ok(String::new()) };
            let queries = Queries::at(self.store(), at);
            let described = queries.describe(&[item.id])?.pop();
            let mut text = match described {
                Some(described) => source(&queries, &Item::from(described))?,
                None => String::new(),
            };
            if !text.ends_with('\n') {
                text.push('\n');
            }
            Ok(text)
        };
        let (old, new) = (text(from.at, difference.earlier())?, text(self.at, difference.later())?);
        let file = |item: Option<&ItemState>| item.map(|i| i.file_path.clone());
        let (old_file, new_file) = (file(difference.earlier()), file(difference.later()));
        if old == new {
            return Ok(String::new());
        }
        Ok(unified((old_file.as_deref(), &old), (new_file.as_deref(), &new)))
    }
}

fn removed(end: End) -> Difference {
    let mut classes = vec![Class::Removed];
    classes.extend(end.other.map(|_| Class::MergedIn));
    let sides = Sides::Old(end.item);
    Difference { sides, classes, other: end.other, matched: None, similarity: None }
}

fn added(end: End) -> Difference {
    let class = end.other.map_or(Class::Added, |_| Class::SplitOff);
    let sides = Sides::New(end.item);
    Difference { sides, classes: vec![class], other: end.other, matched: None, similarity: None }
}

/// Restriction of a difference to a path.
pub(in crate::engine) struct Scope {
    /// Canonical paths of items.
    paths: BTreeSet<String>,
    /// A file, or a folder with `/`.
    file: Option<String>,
}

impl Scope {
    fn holds(&self, item: &ItemState) -> bool {
        self.covers(item.label(), &item.file_path)
    }

    /// Whether an item with this path in this file is inside.
    pub(in crate::engine) fn covers(&self, path: &str, file_path: &str) -> bool {
        let by_file = |file: &String| {
            file_path == *file || file.ends_with('/') && file_path.starts_with(file)
        };
        let path = bare(path);
        let below = |scope: &String| {
            path.strip_prefix(scope.as_str()).is_some_and(|r| r.is_empty() || r.starts_with("::"))
        };
        self.file.as_ref().is_some_and(by_file) || self.paths.iter().any(below)
    }
}

/// `<a::T as Trait>::m` → `a::T::m`: items of a type are below its path.
fn bare(path: &str) -> String {
    let Some(rest) = path.strip_prefix('<') else { return path.to_owned() };
    let end = rest.find(" as ").or_else(|| rest.find('>')).unwrap_or(rest.len());
    let ty = rest.get(..end).unwrap_or_default();
    let ty = ty.split('<').next().unwrap_or_default().trim_end_matches(':');
    match path.rsplit_once(">::") {
        Some((_, item)) => format!("{ty}::{item}"),
        None => ty.to_owned(),
    }
}

impl Snapshot<'_> {
    /// A path as it is at either moment.
    pub(in crate::engine) fn scope(
        &self,
        from: &Snapshot<'_>,
        path: &str,
    ) -> Result<Scope, EngineError> {
        let file = self.relative(path);
        for snapshot in [self, from] {
            let queries = Queries::at(self.store(), snapshot.at);
            if queries.file(&file)?.is_some() {
                return Ok(Scope { paths: BTreeSet::new(), file: Some(file) });
            }
            if !path.contains("::") {
                let folder = format!("{file}/");
                if !queries.file_times(&folder, &format!("{file}0"))?.is_empty() {
                    return Ok(Scope { paths: BTreeSet::new(), file: Some(folder) });
                }
            }
        }
        let mut paths = BTreeSet::new();
        let mut last = None;
        for snapshot in [self, from] {
            let found = snapshot.resolve(&ResolveRequest::new(path))?;
            let items = found.items().iter();
            paths.extend(items.filter_map(|item| item.path.as_deref()).map(bare));
            last.get_or_insert(found);
        }
        match last {
            Some(found) if paths.is_empty() => match found.one() {
                Err(error) => Err(error),
                Ok(item) => {
                    Ok(Scope { paths: BTreeSet::new(), file: Some(item.file_path.clone()) })
                }
            },
            _ => Ok(Scope { paths, file: None }),
        }
    }
}
