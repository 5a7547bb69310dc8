//! Rows of contents after a change of names: of the items whose text or place differs, and of those
//! that are gone. The others have the rows that are stored, which need not be read.

use std::collections::{BTreeMap, BTreeSet};

use super::content::{Content, Wanted};
use super::error::IndexError;
use super::fingerprints::{self, FileFingerprints};
use super::parse::Parsed;
use super::resolved_workspace::ResolvedWorkspace;
use super::state;
use super::write::{Writer, known_texts};
use asof_model::{FileFacts, HashMap, Header, Micros, NodeId, NodeKind, TextHash, TreeItem};
use asof_resolve::{InstanceId, Node};
use asof_store::Store;

/// Two states, and what is stored of the first one.
pub(super) struct ContentChange<'a> {
    pub store: &'a Store,
    /// Time of the stored rows.
    pub at: Micros,
    pub before: &'a ResolvedWorkspace<'a>,
    pub after: &'a ResolvedWorkspace<'a>,
    /// Fingerprints of the stored rows, by file; of a file without them, all rows are compared.
    pub fingerprints: &'a BTreeMap<String, FileFingerprints>,
}

/// The modules that a file is the body of.
type Instances<'p> = BTreeMap<&'p str, Vec<InstanceId>>;

impl ContentChange<'_> {
    /// Writes the rows of files with new texts or places, and of removed ones.
    pub fn write(
        &self,
        parsed: &Parsed,
        gone: &BTreeSet<&str>,
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let _span = tracing::debug_span!("contents").entered();
        let files = parsed.facts.values().filter(|facts| !parsed.for_uses.contains(&facts.path));
        let files: Vec<&FileFacts> = files.map(|facts| &**facts).collect();
        let paths: BTreeSet<&str> = files.iter().map(|facts| facts.path.as_str()).collect();
        let [old, new] = [self.before, self.after].map(|side| instances(side, &paths));
        let mut wanted = Wanted::default();
        let mut texts = BTreeSet::new();
        let mut whole: BTreeSet<&str> = gone.clone();
        for facts in &files {
            let path = facts.path.as_str();
            let [old, new] = [&old, &new].map(|all| all.get(path).map_or(&[][..], Vec::as_slice));
            let file = File { change: self, facts, old, new };
            match self.fingerprints.get(path).filter(|_| file.has_fingerprints()) {
                Some(stored) => file.compare(stored, &mut wanted, &mut texts),
                None => drop(whole.insert(path)),
            }
        }
        for side in [self.before, self.after] {
            for id in side.ids_in(&whole) {
                wanted.insert(id);
            }
        }
        let stored = state::content(self.store, self.at, &wanted)?;
        texts.extend(known_texts(stored.layouts.values()));
        let mut rows = Content::default();
        let made = self.after.made();
        let input = self.after.input();
        for facts in files {
            let with_made = made.with(facts);
            for number in new.get(facts.path.as_str()).into_iter().flatten() {
                rows.add(&input, &self.after.assembly, *number, &with_made, Some(&wanted));
            }
        }
        writer.texts(parsed, &texts)?;
        Ok(writer.content(&stored, rows)?)
    }
}

fn instances<'p>(side: &ResolvedWorkspace<'_>, paths: &BTreeSet<&'p str>) -> Instances<'p> {
    let mut found = Instances::new();
    for (number, instance) in side.tree.instances.iter_enumerated() {
        let path = side.files.get(instance.file).and_then(|(path, _)| paths.get(*path));
        if let Some(path) = path {
            found.entry(path).or_default().push(number);
        }
    }
    found
}

/// A file in both states.
struct File<'a> {
    change: &'a ContentChange<'a>,
    facts: &'a FileFacts,
    /// The modules that it is the body of, before and after.
    old: &'a [InstanceId],
    new: &'a [InstanceId],
}

impl File<'_> {
    /// Whether fingerprints tell of its items: not if one declaration has several files.
    fn has_fingerprints(&self) -> bool {
        let mut both = [(self.change.before, self.old), (self.change.after, self.new)].into_iter();
        both.all(|(side, instances)| {
            let variants = &side.assembly.variants;
            let varied = |of: &InstanceId| variants.range((*of, 0)..=(*of, u32::MAX)).next();
            !instances.is_empty() && instances.iter().all(|of| varied(of).is_none())
        })
    }

    /// Adds what differs to `wanted`, and the texts that are stored to `texts`.
    fn compare(
        &self,
        stored: &FileFingerprints,
        wanted: &mut Wanted,
        texts: &mut BTreeSet<TextHash>,
    ) {
        let known = stored.by_id();
        let now = fingerprints::fingerprints(self.facts);
        let old = places(self.change.before, self.old);
        let new = places(self.change.after, self.new);
        for (id, place) in &old {
            if place.is_here && !new.contains_key(id) {
                wanted.insert(*id);
            }
        }
        for (id, place) in &new {
            let old = old.get(id);
            if !place.is_here && !old.is_some_and(|old| old.is_here) {
                continue;
            }
            let pair = known.get(id).zip(now.get(place.item as usize)).zip(old);
            let Some(((before, now), old)) = pair else {
                wanted.insert(*id);
                continue;
            };
            if before.row != now.row || !self.has_same_row(old, place) {
                wanted.rows.insert(*id);
            }
            // What a call makes has no fingerprint.
            let is_known = place.children.iter().all(|child| known.contains_key(child));
            if before.layout != now.layout || old.children != place.children || !is_known {
                wanted.layouts.insert(*id);
            }
            let item = self.facts.items.get(place.item as usize);
            let text = item.and_then(|item| item.text.as_ref());
            if let Some((hash, _)) = text.filter(|_| before.text == now.text) {
                texts.insert(*hash);
            }
        }
    }

    /// Whether what does not come from the text of an item is the same in its rows. Of a module's,
    /// more does than from any other's.
    fn has_same_row(&self, old: &ItemPlace<'_>, new: &ItemPlace<'_>) -> bool {
        fn written(item: &TreeItem) -> (&str, &str, &Header) {
            (&item.visibility, &item.cfg, &item.header)
        }
        let (before, after) = (self.change.before, self.change.after);
        old.is_here
            && new.is_here
            && new.node.kind != NodeKind::Module
            && (&old.node.name, &old.node.path) == (&new.node.name, &new.node.path)
            && written(old.tree_item) == written(new.tree_item)
            && before.has_same_place(old.node, after, new.node)
    }
}

/// Where an item is in a state.
struct ItemPlace<'s> {
    node: &'s Node,
    /// Index in its file.
    item: u32,
    tree_item: &'s TreeItem,
    /// Whether its body is in this file.
    is_here: bool,
    /// Ids of the items in it.
    children: Vec<NodeId>,
}

/// The items of a file, by id.
fn places<'s>(
    side: &'s ResolvedWorkspace<'_>,
    instances: &[InstanceId],
) -> HashMap<NodeId, ItemPlace<'s>> {
    let mut found: HashMap<NodeId, ItemPlace<'s>> = HashMap::default();
    for number in instances {
        let file = side.tree.instances.get(*number).map(|instance| instance.file);
        let item_tree = file.and_then(|file| side.files.get(file)).map(|(_, item_tree)| *item_tree);
        let items = item_tree.map_or(&[][..], |item_tree| item_tree.items.as_slice());
        let nodes = side.assembly.nodes.item_nodes(*number);
        let find = |at: u32| side.assembly.nodes.get(*nodes.get(at as usize)?);
        for (item, tree_item) in (0u32..).zip(items) {
            let Some(node) = find(item) else { continue };
            let is_here = (node.instance, node.item) == (*number, item);
            let place = ItemPlace { node, item, tree_item, is_here, children: Vec::new() };
            found.insert(node.id, place);
            let owner = find(tree_item.parent).filter(|_| item != 0);
            if let Some(owner) = owner.and_then(|owner| found.get_mut(&owner.id)) {
                owner.children.push(node.id);
            }
        }
    }
    found
}
