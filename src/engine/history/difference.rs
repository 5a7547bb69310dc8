//! Items that differ between two states: what changed of each, which of them a request selects, and
//! how they are answered.

use std::collections::{BTreeMap, BTreeSet};

use super::diff::Scope;
use super::ends::{End, Ends, Pair};
use super::fold::fold;
use crate::edit::unified;
use crate::item_tracking::{Class, Comparison, ItemState};
use crate::model::{NodeId, NodeKind, TextHash};
use crate::wire::{Detail, DiffItem, DiffRequest, Matched};

/// An item on one or both sides.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    sides: Sides,
    pub classes: Vec<Class>,
    /// The item that it was split from, or merged into.
    pub other: Option<NodeId>,
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

    /// The entry of an answer. `other`: the path of the item that it was split from, or merged into.
    pub(super) fn entry(&self, other: Option<&str>, patch: Option<String>) -> DiffItem {
        let shown = self.shown().clone();
        let old = self.later().and(self.earlier());
        let was =
            |of: &dyn Fn(&ItemState) -> String| old.map(of).filter(|before| *before != of(&shown));
        DiffItem {
            previous_path: was(&|i| i.label().to_owned()),
            previous_file_path: was(&|i| i.file_path.clone()),
            previous_signature: was(&|i| i.signature.clone()),
            previous_id: old.map(|i| i.id).filter(|id| *id != shown.id),
            previous_tracking_hash: old
                .map(|i| i.tracking_hash)
                .filter(|hash| *hash != shown.tracking_hash),
            matched: self.matched,
            similarity: self.similarity,
            classes: self.classes.clone(),
            kind: shown.kind,
            path: shown.label().to_owned(),
            other: other.map(str::to_owned),
            file_path: shown.file_path,
            id: shown.id,
            signature: shown.signature,
            tracking_hash: shown.tracking_hash,
            patch,
        }
    }

    /// The unified diff of the two texts.
    pub(super) fn unified(&self, old: &str, new: &str) -> String {
        let file = |item: Option<&ItemState>| item.map(|i| i.file_path.clone());
        let (old_file, new_file) = (file(self.earlier()), file(self.later()));
        match old == new {
            true => String::new(),
            false => unified((old_file.as_deref(), old), (new_file.as_deref(), new)),
        }
    }
}

/// Ends the last line of a text.
pub(super) fn end_line(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

/// The differences of items on both sides, and of those on one. `text` gives the texts that
/// [`Comparison::texts`] asks for.
pub(super) fn differences<'t>(
    pairs: Vec<Pair>,
    gone: Ends,
    come: Ends,
    text: &dyn Fn(&TextHash) -> Option<&'t str>,
) -> Vec<Difference> {
    let mut found = Vec::new();
    for Pair { old, new, matched, similarity } in pairs {
        let classes = Comparison { old: &old, new: &new }.classes(text);
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
    mark_reordered(&mut found);
    found
}

/// A container whose tokens differ, though neither its own nor those of any item in it do, has them
/// in another order. If items differ too, nothing is said about the order of the others.
fn mark_reordered(found: &mut [Difference]) {
    let mut changed: BTreeSet<NodeId> = BTreeSet::new();
    for difference in found.iter() {
        let silent = |class: &Class| matches!(class, Class::Comments | Class::Format);
        if !difference.classes.iter().all(silent) {
            let sides = [difference.earlier(), difference.later()];
            changed.extend(sides.into_iter().flatten().filter_map(|item| item.parent_id));
        }
    }
    for difference in found {
        let both = difference.earlier().zip(difference.later());
        let inside = both.is_some_and(|(old, new)| {
            old.tracking_hash != new.tracking_hash
                && !changed.contains(&old.id)
                && !changed.contains(&new.id)
        });
        if inside {
            for class in &mut difference.classes {
                if *class == Class::Contents {
                    *class = Class::Reordered;
                }
            }
            difference.classes.sort();
        }
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

/// The differences that a request selects, by path.
pub(super) struct Selected {
    pub found: Vec<Difference>,
    /// Number of items by what changed.
    pub summary: BTreeMap<Class, usize>,
    /// Number of items that another one implies.
    pub folded: usize,
    /// Number of `use` declarations, listed or not.
    pub imports: usize,
}

impl Selected {
    pub fn of(mut found: Vec<Difference>, request: &DiffRequest, scope: Option<&Scope>) -> Self {
        if let Some(scope) = scope {
            let inside = |item: Option<&ItemState>| item.is_some_and(|i| scope.holds(i));
            found.retain(|d| inside(d.earlier()) || inside(d.later()));
        }
        let imports = found.iter().filter(|d| d.shown().kind == NodeKind::Import).count();
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
        Selected { found, summary, folded, imports }
    }

    /// Those up to the limit, and one more that shows whether there are more.
    pub fn shown(&self, request: &DiffRequest) -> impl Iterator<Item = &Difference> {
        let shown = request.limit.map_or(self.found.len(), |limit| limit.saturating_add(1));
        self.found.iter().take(shown)
    }
}
