//! The short way: the changed files show the faces that they showed before, so ids, paths and
//! edges stand as they are. Marks tell which items changed, and only their rows are read and
//! written.

use std::collections::BTreeSet;

use super::content::{Columns, Content, layouts, refresh_module, refresh_node};
use super::error::IndexError;
use super::marks::{self, Mark, Marks};
use super::parse::{Parsed, pack, text_row};
use super::state;
use super::write::Writer;
use crate::model::{FileFacts, Micros, NodeId};
use crate::store::{Store, Value};

/// Whether the rows could be told without resolving names. If not, nothing was added.
pub(super) fn write(
    store: &Store,
    at: Micros,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<bool, IndexError> {
    let mut known = Vec::with_capacity(parsed.facts.len());
    for facts in parsed.facts.values() {
        let Some(marks) = Marks::load(store, &facts.path)? else { return Ok(false) };
        let count = facts.items.len();
        if marks.marks.len() != count || marks.ids.iter().any(|ids| ids.len() != count) {
            return Ok(false);
        }
        known.push((facts, marks));
    }
    for (facts, old) in known {
        let marks = marks::of(facts);
        for ids in &old.ids {
            one_module(store, at, facts, ids, (&old.marks, &marks), writer)?;
        }
        if !parsed.streamed.contains(&facts.path) {
            let mut added = BTreeSet::new();
            for (item, (old, new)) in facts.items.iter().zip(old.marks.iter().zip(&marks)) {
                if let Some((hash, text)) = &item.text
                    && old.text != new.text
                    && added.insert(*hash)
                {
                    writer.text(text_row(pack(*hash, text)?))?;
                }
            }
        }
        let new = Marks { ids: old.ids, marks };
        if new.marks != old.marks {
            let path = Value::from(facts.path.as_str());
            writer.batch.put("mark", [path].into_iter().chain(new.columns()))?;
        }
    }
    Ok(true)
}

/// Rows of a module that a file is the body of.
fn one_module(
    store: &Store,
    at: Micros,
    facts: &FileFacts,
    ids: &[NodeId],
    (old_marks, marks): (&[Mark], &[Mark]),
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let differ = |of: &dyn Fn(&Mark) -> [u8; 8]| -> Vec<usize> {
        let pairs = old_marks.iter().zip(marks).enumerate();
        pairs.filter(|(_, (old, new))| of(old) != of(new)).map(|(number, _)| number).collect()
    };
    let rows = differ(&|mark| mark.row);
    let wanted: Vec<NodeId> = rows.iter().filter_map(|n| ids.get(*n)).copied().collect();
    let mut old = state::items(store, at, &wanted)?;
    let mut new = Content::default();
    for number in rows {
        let (Some(id), Some(item)) = (ids.get(number), facts.items.get(number)) else { continue };
        let Some(values) = old.nodes.get(id) else { continue };
        // The rows of a module in a file of its own are that file's.
        let elsewhere = |values: &Columns| values.get(5) != Some(&Value::from(facts.path.as_str()));
        if elsewhere(values) {
            old.nodes.remove(id);
            old.modules.remove(id);
            continue;
        }
        new.nodes.insert(*id, refresh_node(values, *id, number, item));
        if let Some(values) = old.modules.get(id) {
            new.modules.insert(*id, refresh_module(values, item));
        }
    }
    let moved: BTreeSet<NodeId> =
        differ(&|mark| mark.layout).iter().filter_map(|n| ids.get(*n)).copied().collect();
    if !moved.is_empty() {
        let of = |at: u32| ids.get(at as usize).copied().into_iter().collect();
        new.layouts = layouts(facts, &of);
        new.layouts.retain(|id, _| moved.contains(id));
    }
    writer.content(&old, new)?;
    Ok(())
}
