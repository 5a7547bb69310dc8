//! Rows of references after a change of names: of the items whose text or place differs, and of those
//! that can notice what differs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::content::Columns;
use super::error::IndexError;
use super::fingerprints::{self, FileFingerprints};
use super::item_uses::StoredUses;
use super::noticing::{Noticed, owner};
use super::parse::Parsed;
use super::reads::{FileReads, ItemKey};
use super::resolved_state::ResolvedState;
use super::resolved_workspace::ResolvedWorkspace;
use super::state;
use super::uses::FileRows;
use super::write::Writer;
use asof_model::{FileFacts, HashMap, Micros, NodeId};
use asof_resolve::{Libraries, Node};
use asof_store::Store;

/// Two states, and what is known of how they differ.
pub(super) struct Change<'a> {
    pub store: &'a Store,
    /// Time of the stored rows.
    pub at: Micros,
    pub before: &'a ResolvedWorkspace<'a>,
    pub after: &'a ResolvedState,
    /// By file, by which names its items can notice what differs; none if any may.
    pub noticed: Option<&'a BTreeMap<String, Noticed>>,
    /// What was read for the items of each file, in stored form.
    pub reads: &'a BTreeMap<String, Vec<u8>>,
    /// Fingerprints of the stored rows of files with new texts or places.
    pub fingerprints: &'a BTreeMap<String, FileFingerprints>,
}

/// A parsed file, and which of its items are resolved.
struct Visit<'p> {
    facts: &'p FileFacts,
    /// Their numbers; all if there are none.
    items: Option<BTreeSet<u32>>,
    /// Their ids before and after, and those that are gone; of all items if all are resolved.
    ids: BTreeSet<NodeId>,
}

impl Change<'_> {
    /// Writes the rows of the parsed files, and of removed ones.
    pub fn write(
        &self,
        parsed: &Parsed,
        dependencies: &Arc<Libraries>,
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let _span = tracing::debug_span!("uses").entered();
        let (before, after) = (self.before, self.after.side());
        let gone = before.files.iter().map(|(path, _)| *path);
        let gone: BTreeSet<&str> = gone.filter(|path| after.item_tree(path).is_none()).collect();
        let visits = self.visits(parsed);
        let mut ids: BTreeSet<NodeId> = before.ids_in(&gone).into_iter().collect();
        ids.extend(visits.iter().flat_map(|visit| &visit.ids));
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let mut stored: BTreeMap<&str, BTreeMap<NodeId, Columns>> = BTreeMap::new();
        for (source, columns) in state::uses(self.store, self.at, &ids)? {
            if let Some(path) = before.node(source).and_then(|node| before.path_of(node)) {
                stored.entry(path).or_default().insert(source, columns);
            }
        }
        let wanted = visits.iter().map(|visit| (visit.facts, visit.items.as_ref()));
        let mut new = self.after.item_references(wanted, dependencies);
        let mut costs = Costs::default();
        for visit in visits {
            let path = visit.facts.path.as_str();
            let uses = stored.remove(path).unwrap_or_default();
            let rows = new.remove(path).unwrap_or_default();
            costs.add(&visit, &uses, &rows);
            if visit.items.is_none() {
                writer.uses(path, &FileRows::of_stored(uses), rows)?;
                continue;
            }
            let (store, at, ids) = (self.store, self.at, &visit.ids);
            let reads =
                self.reads.get(path).map(|bytes| FileReads::from_bytes(bytes)).transpose()?;
            StoredUses { store, at, path, ids, uses, reads }.write(rows, writer)?;
        }
        for (path, uses) in stored {
            writer.uses(path, &FileRows::of_stored(uses), FileRows::default())?;
        }
        costs.report();
        Ok(())
    }

    fn visits<'p>(&self, parsed: &'p Parsed) -> Vec<Visit<'p>> {
        let paths: BTreeSet<&str> = parsed.facts.keys().map(String::as_str).collect();
        let mut old = nodes_by_file(self.before, &paths);
        let mut new = nodes_by_file(self.after.side(), &paths);
        let mut visits = Vec::with_capacity(parsed.facts.len());
        for facts in parsed.facts.values() {
            let path = facts.path.as_str();
            let old = old.remove(path).unwrap_or_default();
            let new = new.remove(path).unwrap_or_default();
            let items = self.items(facts, parsed.for_uses.contains(path), &old, &new);
            let is_wanted =
                |node: &&&Node| items.as_ref().is_none_or(|items| items.contains(&node.item));
            // What a call makes has no rows of its own, though its id may be that of a gone item.
            let [was_written, is_written] = [self.before, self.after.side()]
                .map(|side| move |node: &&&Node| (node.item as usize) < side.written(path));
            let remaining: BTreeSet<NodeId> =
                new.iter().filter(is_written).map(|node| node.id).collect();
            let was_gone = |node: &&&Node| !remaining.contains(&node.id);
            let gone = old.iter().filter(was_written).filter(was_gone);
            let ids = new.iter().filter(is_wanted).chain(gone).map(|node| node.id).collect();
            visits.push(Visit { facts, items, ids });
        }
        visits
    }

    /// The items of a file that are resolved again; none if all are.
    fn items(
        &self,
        facts: &FileFacts,
        is_text_stored: bool,
        old: &[&Node],
        new: &[&Node],
    ) -> Option<BTreeSet<u32>> {
        let nothing = Noticed::default();
        let mut keys: HashMap<u32, Vec<ItemKey>> = HashMap::default();
        for node in new {
            keys.entry(node.item).or_default().push(ItemKey::new(node.id));
        }
        let mut items = self.noticed?.get(&facts.path).unwrap_or(&nothing).items(facts, &keys)?;
        if is_text_stored {
            return Some(items);
        }
        let stored = self.fingerprints.get(&facts.path).filter(|_| !old.is_empty())?;
        let known = stored.by_id();
        let places: HashMap<NodeId, &Node> = old.iter().map(|node| (node.id, *node)).collect();
        let now = fingerprints::fingerprints(facts);
        for node in new {
            // What a call makes is among the references of the call.
            let Some(fingerprint) = now.get(node.item as usize) else { continue };
            let place = places.get(&node.id);
            let is_same = known.get(&node.id) == Some(fingerprint)
                && place
                    .is_some_and(|old| self.before.has_same_place(old, self.after.side(), node));
            if !is_same {
                items.insert(owner(facts, node.item));
            }
        }
        Some(items)
    }
}

/// The nodes whose text is in these files, by path.
fn nodes_by_file<'s>(
    side: &'s ResolvedWorkspace<'_>,
    paths: &BTreeSet<&str>,
) -> BTreeMap<&'s str, Vec<&'s Node>> {
    let mut found: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for node in &side.assembly.nodes {
        if let Some(path) = side.path_of(node).filter(|path| paths.contains(path)) {
            found.entry(path).or_default().push(node);
        }
    }
    found
}

/// What was resolved, and how much of it differed.
#[derive(Debug, Default)]
struct Costs {
    files: usize,
    differing_files: usize,
    bodies: usize,
    differing_bodies: usize,
}

impl Costs {
    fn add(&mut self, visit: &Visit<'_>, stored: &BTreeMap<NodeId, Columns>, new: &FileRows) {
        let differs = |id: &&NodeId| stored.get(*id) != new.uses.get(*id);
        let differing = visit.ids.iter().filter(differs).count();
        self.files += 1;
        self.differing_files += usize::from(differing > 0);
        let own_texts = visit.facts.uses.items.iter().filter(|item| item.own_text).count();
        self.bodies += visit.items.as_ref().map_or(own_texts, BTreeSet::len);
        self.differing_bodies += differing;
    }

    fn report(&self) {
        let Self { files, differing_files, bodies, differing_bodies } = self;
        tracing::debug!(files, differing_files, bodies, differing_bodies, "resolved again");
    }
}
