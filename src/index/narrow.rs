//! The narrow refresh: the changed files have the same item trees as before, so ids, paths and
//! edges stay valid. Fingerprints tell which items changed, and only their rows are read and
//! written.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::content::{
    Columns, Content, Wanted, layout_children, layouts, metric_columns, refresh_module,
    refresh_node,
};
use super::error::IndexError;
use super::fingerprints::{self, FileFingerprints, Fingerprint};
use super::item_uses::StoredUses;
use super::mentions::Names;
use super::parse::{Parsed, pack};
use super::resolved_state::ResolvedState;
use super::state;
use super::threads::pool;
use super::write::Writer;
use asof_model::{FileFacts, HashSet, Header, Micros, NodeId};
use asof_resolve::Libraries;
use asof_store::{Store, Value};

/// Gives the stored state, and the crates outside of the workspace.
type ResolvedStateOf<'a> =
    dyn FnMut() -> Result<(Arc<ResolvedState>, Arc<Libraries>), IndexError> + 'a;

/// Whether the rows could be determined without resolving names. If not, nothing was added.
pub(super) fn write(
    store: &Store,
    at: Micros,
    resolved_state: &mut ResolvedStateOf<'_>,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<bool, IndexError> {
    let mut known = Vec::with_capacity(parsed.facts.len());
    for facts in parsed.facts.values() {
        let Some(fingerprints) = FileFingerprints::load(store, &facts.path)? else {
            return Ok(false);
        };
        let count = facts.items.len();
        if fingerprints.fingerprints.len() != count
            || fingerprints.ids.iter().any(|ids| ids.len() != count)
        {
            return Ok(false);
        }
        let new = fingerprints::fingerprints(facts);
        if moves_made_items(store, at, facts, &fingerprints, &new)? {
            return Ok(false);
        }
        known.push((facts, fingerprints, new));
    }
    let mut changed: Vec<Differing<'_>> = Vec::new();
    for (facts, old, fingerprints) in known {
        changed.push(Differing::new(facts, &old, &fingerprints));
        for ids in &old.ids {
            one_module(store, at, facts, ids, &old.fingerprints, &fingerprints, writer)?;
        }
        if !parsed.streamed.contains(&facts.path) {
            let mut added = BTreeSet::new();
            for (item, (old, new)) in
                facts.items.iter().zip(old.fingerprints.iter().zip(&fingerprints))
            {
                if let Some((hash, text)) = &item.text
                    && old.text != new.text
                    && added.insert(*hash)
                {
                    writer.text(pack(*hash, text)?);
                }
            }
        }
        let names = Names::from_facts(facts).to_bytes();
        let new = FileFingerprints { ids: old.ids, fingerprints, names };
        if new.fingerprints != old.fingerprints || new.names != old.names {
            let path = Value::from(facts.path.as_str());
            writer.batch.put("fingerprint", [path].into_iter().chain(new.columns()))?;
        }
    }
    uses(store, at, resolved_state, &changed, writer)?;
    Ok(true)
}

/// Whether the text of a call changed that makes items: they have its place.
fn moves_made_items(
    store: &Store,
    at: Micros,
    facts: &FileFacts,
    old: &FileFingerprints,
    new: &[Fingerprint],
) -> Result<bool, IndexError> {
    let mut wanted = Wanted::default();
    let pairs = old.fingerprints.iter().zip(new);
    for (number, (item, (old_print, print))) in facts.items.iter().zip(pairs).enumerate() {
        let Header::MacroCall { items } = item.header else { continue };
        if items {
            // It makes items beside those that it is given if its layout has others.
            if (old_print.text, old_print.layout) != (print.text, print.layout) {
                wanted.layouts.extend(old.ids.iter().filter_map(|ids| ids.get(number)));
            }
        } else if !item.sig.is_empty() && old_print.text != print.text {
            return Ok(true);
        }
    }
    let stored = state::content(store, at, &wanted)?;
    let written: HashSet<NodeId> = old.ids.iter().flatten().copied().collect();
    let mut children = stored.layouts.values().flat_map(layout_children);
    Ok(children.any(|(child, _)| !written.contains(&child)))
}

/// Items whose own text, or the positions of its parts, changed.
struct Differing<'p> {
    facts: &'p FileFacts,
    /// Indices in the file.
    items: BTreeSet<u32>,
    /// Their nodes, in every module that the file is the body of.
    ids: BTreeSet<NodeId>,
}

impl<'p> Differing<'p> {
    fn new(facts: &'p FileFacts, old: &FileFingerprints, new: &[Fingerprint]) -> Self {
        let pairs = old.fingerprints.iter().zip(new).zip(0u32..);
        let items: BTreeSet<u32> = pairs.filter(|((a, b), _)| a != b).map(|(_, n)| n).collect();
        // What a module in a file of its own uses is of that file.
        let is_elsewhere = |number: &u32| {
            let item = facts.items.get(*number as usize).filter(|_| *number != 0);
            item.is_some_and(|item| matches!(item.header, Header::Module { inline: false, .. }))
        };
        let here: Vec<usize> =
            items.iter().filter(|n| !is_elsewhere(n)).map(|n| *n as usize).collect();
        let nodes = old.ids.iter().flat_map(|ids| here.iter().map(|n| ids.get(*n)));
        let ids = nodes.flatten().copied().collect();
        Self { facts, items, ids }
    }
}

/// Rows of what the changed items use. Other items of the file keep their entries in the rows of
/// the mirror.
fn uses(
    store: &Store,
    at: Micros,
    resolved_state: &mut ResolvedStateOf<'_>,
    changed: &[Differing<'_>],
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let changed: Vec<_> = changed.iter().filter(|one| !one.ids.is_empty()).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let (resolved_state, outside) = resolved_state()?;
    let wanted = changed.iter().map(|one| (one.facts, Some(&one.items)));
    let mut all = resolved_state.references(wanted, &outside, &pool(Some(1))?);
    for one in changed {
        let path = one.facts.path.as_str();
        let new = all.remove(path).unwrap_or_default();
        let ids: Vec<NodeId> = one.ids.iter().copied().collect();
        let uses = state::uses(store, at, &ids)?;
        let reads = state::file_reads(store, path)?;
        StoredUses { store, at, path, ids: &one.ids, uses, reads }.write(new, writer)?;
    }
    Ok(())
}

/// Rows of a module that a file is the body of.
fn one_module(
    store: &Store,
    at: Micros,
    facts: &FileFacts,
    ids: &[NodeId],
    old_fingerprints: &[Fingerprint],
    fingerprints: &[Fingerprint],
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let differ = |of: &dyn Fn(&Fingerprint) -> [u8; 8]| -> Vec<usize> {
        let pairs = old_fingerprints.iter().zip(fingerprints).enumerate();
        pairs.filter(|(_, (old, new))| of(old) != of(new)).map(|(number, _)| number).collect()
    };
    let rows = differ(&|fingerprint| fingerprint.row);
    let wanted: Vec<NodeId> = rows.iter().filter_map(|n| ids.get(*n)).copied().collect();
    let mut old = state::items(store, at, &wanted)?;
    let mut new = Content::default();
    for number in rows {
        let (Some(id), Some(item)) = (ids.get(number), facts.items.get(number)) else { continue };
        let Some(values) = old.nodes.get(id) else { continue };
        // The rows of a module in its own file belong to that file.
        let elsewhere = |values: &Columns| values.get(5) != Some(&Value::from(facts.path.as_str()));
        if elsewhere(values) {
            old.nodes.remove(id);
            old.modules.remove(id);
            old.metrics.remove(id);
            continue;
        }
        new.nodes.insert(*id, refresh_node(values, *id, number, item));
        new.metrics.extend(metric_columns(item).map(|columns| (*id, columns)));
        if let Some(values) = old.modules.get(id) {
            new.modules.insert(*id, refresh_module(values, item));
        }
    }
    let moved: BTreeSet<NodeId> = differ(&|fingerprint| fingerprint.layout)
        .iter()
        .filter_map(|n| ids.get(*n))
        .copied()
        .collect();
    if !moved.is_empty() {
        let of = |at: u32| ids.get(at as usize).copied().into_iter().collect();
        new.layouts = layouts(facts, &of, &|id| moved.contains(&id));
    }
    writer.content(&old, new)?;
    Ok(())
}
