//! The short way: the changed files show the faces that they showed before, so ids, paths and
//! edges stand as they are, and only rows of these files are read and written.

use std::collections::{BTreeMap, BTreeSet};

use super::content::{Columns, Content, layouts, refresh_module, refresh_node};
use super::error::IndexError;
use super::parse::Parsed;
use super::state;
use super::write::{Writer, known_texts};
use crate::model::{FileFacts, Micros, NodeId};
use crate::store::{Store, StoreError, Value};

/// Whether the rows could be told without resolving names. If not, nothing was added.
pub(super) fn write(
    store: &Store,
    at: Micros,
    parsed: &Parsed,
    files: &BTreeMap<String, Columns>,
    writer: &mut Writer,
) -> Result<bool, IndexError> {
    let mut changes = Vec::new();
    let mut known = known_texts([], files.values());
    for facts in parsed.facts.values() {
        for owner in state::owners(store, at, &facts.path)? {
            let Some(change) = one_module(store, at, owner, facts)? else { return Ok(false) };
            known.append(&mut known_texts(change.0.layouts.values(), []));
            changes.push(change);
        }
    }
    for (old, new) in changes {
        writer.content(&old, new)?;
    }
    writer.texts(parsed, &known)?;
    Ok(true)
}

/// Old and new rows of a module that a file is the body of; `None` if the stored items are not
/// those of the file.
fn one_module(
    store: &Store,
    at: Micros,
    owner: NodeId,
    facts: &FileFacts,
) -> Result<Option<(Content, Content)>, IndexError> {
    let mut old = below(store, at, owner, &facts.path)?;
    let order = pre_order(owner, &old.layouts);
    if order.len() != facts.items.len() {
        return Ok(None);
    }
    let mut new = Content::default();
    let elsewhere = |values: &Columns| values.get(5) != Some(&Value::from(facts.path.as_str()));
    for (number, (id, item)) in order.iter().zip(&facts.items).enumerate() {
        let Some(values) = old.nodes.get(id) else { return Ok(None) };
        if elsewhere(values) {
            continue;
        }
        if values.get(1) != Some(&Value::from(item.name.as_str())) && number != 0 {
            return Ok(None);
        }
        new.nodes.insert(*id, refresh_node(values, *id, number, item));
        if let Some(values) = old.modules.get(id) {
            new.modules.insert(*id, refresh_module(values, item));
        }
    }
    old.nodes.retain(|_, values| !elsewhere(values));
    old.modules.retain(|id, _| new.modules.contains_key(id));
    let in_file: BTreeSet<NodeId> = new.nodes.keys().copied().collect();
    old.layouts.retain(|id, _| in_file.contains(id));
    let ids = |at: u32| order.get(at as usize).copied().into_iter().collect();
    new.layouts = layouts(facts, &ids);
    Ok(Some((old, new)))
}

/// Stored rows of a module and of all below it that lies in the same file, level by level.
fn below(store: &Store, at: Micros, owner: NodeId, path: &str) -> Result<Content, StoreError> {
    let mut all = Content::default();
    let mut level = vec![owner];
    while !level.is_empty() {
        let mut found = state::content(store, at, &level)?;
        // Modules in files of their own stand in their parent's layout; their rows are theirs.
        let here = |values: &Columns| values.get(5) == Some(&Value::from(path));
        found.layouts.retain(|id, _| found.nodes.get(id).is_some_and(here));
        level = found.layouts.values().flat_map(children).collect();
        all.nodes.append(&mut found.nodes);
        all.modules.append(&mut found.modules);
        all.layouts.append(&mut found.layouts);
    }
    Ok(all)
}

fn children(values: &Columns) -> Vec<NodeId> {
    let Some(Value::List(entries)) = values.get(1) else { return Vec::new() };
    let id = |entry: &Value| match entry {
        Value::List(entry) => match entry.first() {
            Some(Value::Uuid(id)) => Some(NodeId(*id)),
            _ => None,
        },
        _ => None,
    };
    entries.iter().filter_map(id).collect()
}

fn pre_order(owner: NodeId, layouts: &BTreeMap<NodeId, Columns>) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut open = vec![owner];
    while let Some(id) = open.pop() {
        order.push(id);
        if let Some(values) = layouts.get(&id) {
            open.extend(children(values).into_iter().rev());
        }
    }
    order
}
