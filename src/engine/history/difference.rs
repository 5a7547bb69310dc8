//! An item that differs between two states: what changed of it, and its entry in an answer.

use std::collections::BTreeSet;

use super::readded_items::{End, Ends, Pair};
use asof_edit::unified;
use asof_item_tracking::{Class, Comparison, ItemState};
use asof_model::{NodeId, TextHash};
use asof_wire::{DiffItem, Expansion, Matched};

/// An item on one or both sides.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    sides: Sides,
    pub classes: Vec<Class>,
    /// The item that it was split from, or merged into.
    pub other: Option<NodeId>,
    matched: Option<Matched>,
    similarity: Option<f64>,
    /// The items that it stands for, if a macro makes more than one.
    expansion: Option<Expansion>,
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
    fn on_one_side(sides: Sides, classes: Vec<Class>, other: Option<NodeId>) -> Self {
        Self { sides, classes, other, matched: None, similarity: None, expansion: None }
    }

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
            expansion: self.expansion.clone(),
            file_path: shown.file_path,
            id: shown.id,
            signature: shown.signature,
            tracking_hash: shown.tracking_hash,
            patch,
        }
    }

    /// Lets the entry stand for one more item that the macro makes.
    pub(super) fn add_made(&mut self, macro_name: &str) {
        count_made(&mut self.expansion, macro_name);
    }

    /// The unified diff of the two texts.
    pub(super) fn unified(&self, old: &str, new: &str) -> String {
        let file = |item: Option<&ItemState>| item.map(|i| i.file_path.clone());
        let (old_file, new_file) = (file(self.earlier()), file(self.later()));
        if old == new {
            String::new()
        } else {
            unified(old_file.as_deref(), old, new_file.as_deref(), new)
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
            found.push(Difference {
                sides,
                classes,
                other: None,
                matched,
                similarity,
                expansion: None,
            });
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
    Difference::on_one_side(sides, classes, end.other)
}

fn added(end: End) -> Difference {
    let class = end.other.map_or(Class::Added, |_| Class::SplitOff);
    let sides = Sides::New(end.item);
    Difference::on_one_side(sides, vec![class], end.other)
}

/// Counts one more item that a macro makes.
pub(super) fn count_made(expansion: &mut Option<Expansion>, macro_name: &str) {
    let first = || Expansion { macro_name: macro_name.to_owned(), items: 1 };
    expansion.get_or_insert_with(first).items += 1;
}
