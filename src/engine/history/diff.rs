//! What differs between two moments.
//!
//! The states at both ends are compared, so that what changed and changed back is no
//! difference. `changes` says which items to look at. Moves and renames are those of each
//! revision between, one after the other, so that a long way of small steps is followed; what
//! they leave open is matched between the two ends.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde::Serialize;

use super::fold::fold;
use super::past::{Past, pairs, states};
use super::walk::classes;
use crate::edit::unified;
use crate::engine::answer::{Answer, Basis};
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::engine::resolve::{Item, ResolveRequest};
use crate::engine::show::source;
use crate::lineage::{Class, ItemState, Passage};
use crate::model::{Micros, NodeId, NodeKind, TrackingHash};
use crate::query::{Changes, Queries};

/// Revisions between two moments whose moves are followed one by one.
const MAX_STEPS: usize = 512;

/// How much of a difference is asked for.
#[derive(Debug, Clone, Default)]
pub struct DiffRequest {
    /// Only this item and what stands in it, this module, file or folder.
    pub path: Option<String>,
    pub kind: Option<NodeKind>,
    /// Most items to list; all if none.
    pub limit: Option<usize>,
    pub detail: Detail,
    pub patch: Patch,
}

/// Which items are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Not those that another entry tells already.
    #[default]
    Folded,
    All,
}

/// Whether texts are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patch {
    #[default]
    Without,
    Unified,
}

/// An item that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffItem {
    pub classes: Vec<Class>,
    pub kind: NodeKind,
    /// At the later moment; of a removed item, at the earlier.
    pub canonical_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// Of a split: what it was a part of. Of a merge: what it went into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    pub file_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_file: Option<String>,
    pub id: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_id: Option<NodeId>,
    pub signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_signature: Option<String>,
    pub tracking_hash: TrackingHash,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_tracking_hash: Option<TrackingHash>,
    /// Unified diff of the item's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
}

/// What differs between two moments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// The earlier moment; `basis` is the later one.
    pub from: Basis,
    /// Items by what happened to them; one counts for each of its classes.
    pub summary: BTreeMap<Class, usize>,
    /// Items that are not listed because another entry tells of them.
    pub folded: usize,
    #[serde(flatten)]
    pub answer: Answer<DiffItem>,
}

/// An item on both sides, or on one.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    sides: Sides,
    pub classes: Vec<Class>,
    /// What it was a part of, or went into.
    other: Option<NodeId>,
}

/// Where an item is.
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

    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        self.earlier().into_iter().chain(self.later()).map(|item| item.id)
    }
}

impl Snapshot<'_> {
    /// What differs between an earlier snapshot and this one, by path.
    ///
    /// # Errors
    /// An earlier snapshot that is later, or of another database; a path that names nothing at
    /// either; a failure of the store.
    pub fn diff(&self, from: &Snapshot<'_>, request: &DiffRequest) -> Result<Diff, EngineError> {
        let started = Instant::now();
        if from.at > self.at {
            return Err(EngineError::BadRequest {
                what: format!("{} is later than {}", from.at, self.at),
                hint: "name the earlier moment first".to_owned(),
            });
        }
        let mut past = self.past();
        let mut found = self.differences(&mut past, from.at)?;
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
        Ok(Diff { from: from.basis.clone(), summary, folded, answer })
    }

    fn differences(
        &self,
        past: &mut Past<'_>,
        from: Micros,
    ) -> Result<Vec<Difference>, EngineError> {
        let steps = Queries::changes_between(self.store(), from, self.at)?;
        let ids: BTreeSet<NodeId> = steps
            .iter()
            .flat_map(|s| s.added.iter().chain(&s.removed).chain(&s.changed))
            .copied()
            .collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let (then, now) = (past.queries_at(from), past.queries());
        let (old, new) = (states(&then, &ids)?, states(&now, &ids)?);
        let on = |items: &[ItemState]| items.iter().map(|i| i.id).collect::<BTreeSet<NodeId>>();
        let (on_old, on_new) = (on(&old), on(&new));
        let (stayed, gone): (Vec<_>, Vec<_>) =
            old.into_iter().partition(|item| on_new.contains(&item.id));
        let (still, come): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|item| on_old.contains(&item.id));
        let mut changed = pairs(stayed, still);
        changed.retain(|(old, new)| old != new);

        let mut gone: BTreeMap<NodeId, ItemState> = gone.into_iter().map(|i| (i.id, i)).collect();
        let mut come: BTreeMap<NodeId, ItemState> = come.into_iter().map(|i| (i.id, i)).collect();
        let mut moved = Vec::new();
        for (new, old) in along(past, &steps)? {
            if let Some((to, was)) = come.get(&new).zip(gone.get(&old)) {
                moved.push((was.clone(), to.clone()));
                come.remove(&new);
                gone.remove(&old);
            }
        }
        // A field says too little to be known again after some revisions, unless its type is too.
        let near = steps.len() <= 1;
        let telling = |on: &BTreeMap<NodeId, ItemState>| -> Vec<ItemState> {
            let told = |item: &ItemState| item.parent_id.is_some_and(|id| on.contains_key(&id));
            on.values().filter(|i| near || !i.is_part() || told(i)).cloned().collect()
        };
        let (left, right) = (telling(&gone), telling(&come));
        let whole = || Ok(changed.iter().chain(&moved).cloned().collect());
        let passage = past.judge(&left, &right, whole)?;
        for (new, origin) in &passage.origins {
            if let Some((to, was)) = come.remove(new).zip(gone.remove(&origin.from)) {
                moved.push((was, to));
            }
        }
        let wanted = changed
            .iter()
            .chain(&moved)
            .flat_map(|(old, new)| crate::lineage::Comparison { old, new }.texts());
        past.load_texts(wanted.collect::<Vec<_>>())?;
        let mut found = Vec::new();
        for (old, new) in changed.into_iter().chain(moved) {
            let classes = classes(past, &old, &new)?;
            if !classes.is_empty() {
                found.push(Difference {
                    sides: Sides::Both(Box::new((old, new))),
                    classes,
                    other: None,
                });
            }
        }
        found.extend(gone.into_values().map(|item| removed(item, &passage)));
        found.extend(come.into_values().map(|item| added(item, &passage)));
        let takers: BTreeSet<NodeId> = passage.merges.values().map(|s| s.other).collect();
        for difference in &mut found {
            if difference.later().is_some_and(|item| takers.contains(&item.id)) {
                difference.classes.push(Class::MergedIn);
                difference.classes.sort();
            }
        }
        Ok(found)
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
            previous_file: was(&|i| i.file_path.clone()),
            previous_signature: was(&|i| i.signature.clone()),
            previous_id: old.map(|i| i.id).filter(|id| *id != shown.id),
            previous_tracking_hash: old
                .map(|i| i.tracking_hash)
                .filter(|hash| *hash != shown.tracking_hash),
            classes: difference.classes.clone(),
            kind: shown.kind,
            canonical_path: shown.label().to_owned(),
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

/// Moves and renames of the steps, one after the other: from the later id to the earlier.
fn along(past: &Past<'_>, steps: &[Changes]) -> Result<Vec<(NodeId, NodeId)>, EngineError> {
    let both = |step: &&Changes| !step.removed.is_empty() && !step.added.is_empty();
    if steps.iter().filter(both).count() > MAX_STEPS {
        return Ok(Vec::new());
    }
    let mut first: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for step in steps {
        let passage = if both(&step) { Some(past.passage(step.at)?) } else { None };
        let origins = passage.iter().flat_map(|p| &p.origins);
        let came: Vec<(NodeId, NodeId)> = origins
            .map(|(new, origin)| (*new, first.get(&origin.from).copied().unwrap_or(origin.from)))
            .collect();
        step.removed.iter().for_each(|id| _ = first.remove(id));
        first.extend(came);
    }
    Ok(first.into_iter().collect())
}

fn removed(item: ItemState, passage: &Passage) -> Difference {
    let into = passage.merges.get(&item.id).map(|stream| stream.other);
    let mut classes = vec![Class::Removed];
    classes.extend(into.map(|_| Class::MergedIn));
    Difference { sides: Sides::Old(item), classes, other: into }
}

fn added(item: ItemState, passage: &Passage) -> Difference {
    let part_of = passage.splits.get(&item.id).map(|stream| stream.other);
    let class = part_of.map_or(Class::Added, |_| Class::SplitOff);
    Difference { sides: Sides::New(item), classes: vec![class], other: part_of }
}

/// What a path restricts a difference to.
struct Scope {
    /// Canonical paths of items.
    paths: BTreeSet<String>,
    /// A file, or a folder with `/`.
    file: Option<String>,
}

impl Scope {
    fn holds(&self, item: &ItemState) -> bool {
        let by_file = |file: &String| {
            item.file_path == *file || file.ends_with('/') && item.file_path.starts_with(file)
        };
        let path = bare(item.label());
        let below = |scope: &String| {
            path.strip_prefix(scope.as_str()).is_some_and(|r| r.is_empty() || r.starts_with("::"))
        };
        self.file.as_ref().is_some_and(by_file) || self.paths.iter().any(below)
    }
}

/// `<a::T as Trait>::m` → `a::T::m`: what is an item of a type stands below it.
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
    fn scope(&self, from: &Snapshot<'_>, path: &str) -> Result<Scope, EngineError> {
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
            paths.extend(items.filter_map(|item| item.canonical_path.as_deref()).map(bare));
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
