//! Maps items of the old state to those of the new one: the one whose text begins where its text
//! went, in the same module of the same crate.

use asof_resolve::{CrateId, InstanceId};
use index_vec::IndexVec;
use std::collections::BTreeMap;

use super::byte_ranges::{self, Replaced};
use super::moved_text::Carriage;
use super::texts::{Carried, ProposedFile};
use crate::resolved_workspace::ResolvedWorkspace;
use asof_model::{FileFacts, HashMap, NodeId, NodeKind};

/// File and crate of an instance, and what declares it: instance and item.
type Declared<'p> = (&'p str, CrateId, Option<(InstanceId, u32)>);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Mapping<'a> {
    ids: HashMap<NodeId, NodeId>,
    /// By path before.
    replaced: BTreeMap<&'a str, &'a [Replaced]>,
    /// From the path after to the one before.
    paths: BTreeMap<&'a str, &'a str>,
    carriage: Carriage<'a>,
}

/// Where an item of a file is afterwards.
#[derive(Debug, Clone, Copy)]
enum Now<'a> {
    Here(u32),
    In(&'a str, u32),
}

impl<'a> Mapping<'a> {
    pub(super) fn new(
        before: &ResolvedWorkspace<'_>,
        after: &ResolvedWorkspace<'_>,
        proposed: &[ProposedFile<'a>],
        carried: &'a [Carried<'a>],
    ) -> Self {
        let mut mapping = Self {
            ids: HashMap::default(),
            replaced: proposed.iter().map(|file| (file.path, file.replaced)).collect(),
            paths: proposed.iter().map(|file| (file.to, file.path)).collect(),
            carriage: Carriage::new(carried),
        };
        let to: HashMap<&str, &str> = proposed.iter().map(|file| (file.path, file.to)).collect();
        let carriage = Carriage::new(carried);
        let items: HashMap<&str, Vec<Option<Now<'a>>>> =
            proposed.iter().map(|file| (file.path, items(file, proposed, &carriage))).collect();
        let mut children: HashMap<Declared<'_>, Vec<InstanceId>> = HashMap::default();
        for (number, instance) in after.tree.instances.iter_enumerated() {
            let Some((path, _)) = after.files.get(instance.file) else { continue };
            let key = (*path, instance.krate, instance.declared_in);
            children.entry(key).or_default().push(number);
        }
        let mut found: IndexVec<InstanceId, Option<InstanceId>> =
            IndexVec::with_capacity(before.tree.instances.len());
        for (number, instance) in before.tree.instances.iter_enumerated() {
            let Some((path, item_tree)) = before.files.get(instance.file) else {
                found.push(None);
                continue;
            };
            let now = |path: &str, item: u32| match items.get(path) {
                Some(items) => items.get(item as usize).copied().flatten(),
                None => Some(Now::Here(item)),
            };
            // The instance afterwards of a file in the same crate.
            let instance_of = |path: &str| {
                after
                    .tree
                    .instances
                    .iter()
                    .position(|one| {
                        one.krate == instance.krate
                            && after.files.get(one.file).is_some_and(|(own, _)| *own == path)
                    })
                    .map(InstanceId::new)
            };
            let declared_in = instance.declared_in.map(|(by, item)| {
                let above =
                    before.tree.instances.get(by).and_then(|one| before.files.get(one.file));
                match above.and_then(|(path, _)| now(path, item))? {
                    Now::Here(item) => Some((found.get(by).copied().flatten()?, item)),
                    Now::In(path, item) => Some((instance_of(path)?, item)),
                }
            });
            let there = match declared_in {
                Some(None) => None,
                Some(Some(declared_in)) => {
                    let path = to.get(path).copied().unwrap_or(path);
                    children.get_mut(&(path, instance.krate, Some(declared_in)))
                }
                None => {
                    let path = to.get(path).copied().unwrap_or(path);
                    children.get_mut(&(path, instance.krate, None))
                }
            };
            // A declaration with several files has them in the same order.
            let there = there.filter(|list| !list.is_empty()).map(|list| list.remove(0));
            found.push(there);
            let Some(there) = there else { continue };
            let made = MadeItems::new(before, path, after, to.get(path).copied().unwrap_or(path));
            for at in 0..item_tree.items.len() as u32 {
                let old = before.assembly.node_of(number, at);
                let of_text = || now(path, at);
                let at = match made.now(at, item_tree.items.len()) {
                    Some(made) => made.map(Now::Here),
                    None => of_text(),
                };
                let new = match at {
                    None => None,
                    Some(Now::Here(at)) => after.assembly.node_of(there, at),
                    Some(Now::In(path, at)) => {
                        instance_of(path).and_then(|instance| after.assembly.node_of(instance, at))
                    }
                };
                if let (Some(old), Some(new)) = (old, new) {
                    mapping.ids.entry(old.id).or_insert(new.id);
                }
            }
        }
        mapping
    }

    /// Adds items that no file has the text of: they keep their ids.
    pub(super) fn add_rest(&mut self, before: &ResolvedWorkspace<'_>) {
        for node in &before.assembly.nodes {
            let is_of_text = before.assembly.node_of(node.instance, node.item);
            if is_of_text.is_none_or(|own| own.id != node.id) {
                self.ids.entry(node.id).or_insert(node.id);
            }
        }
    }

    /// Items that have another id, in order.
    pub(super) fn renamed(&self) -> Vec<(NodeId, NodeId)> {
        let all = self.ids.iter().map(|(old, new)| (*old, *new));
        let mut found: Vec<(NodeId, NodeId)> = all.filter(|(old, new)| old != new).collect();
        found.sort_unstable();
        found
    }

    /// What an item, or a name outside of the workspace, is afterwards; `is_item`: whether it is an
    /// item of the old state.
    pub(super) fn id(&self, id: NodeId, is_item: bool) -> Option<NodeId> {
        match self.ids.get(&id) {
            Some(new) => Some(*new),
            None if is_item => None,
            None => Some(id),
        }
    }

    /// Whether a byte of a file before goes to another place, or one of a file after came from one.
    pub(super) fn is_carried(&self, path: &str, byte: u32, before: bool) -> bool {
        if before {
            self.carriage.away(path, byte).is_some()
        } else {
            self.carriage.here(path, byte).is_some()
        }
    }

    /// The place of a byte of a file before.
    pub(super) fn before(&self, path: &str, byte: u32) -> Option<u32> {
        if let Some(carried) = self.carriage.away(path, byte) {
            return byte_ranges::before(byte, &carried.replaced);
        }
        self.replaced.get(path).map_or(Some(byte), |all| byte_ranges::before(byte, all))
    }

    /// Path and place before of a byte of a file after.
    pub(super) fn after<'p>(&'p self, path: &'p str, byte: u32) -> Option<(&'p str, u32)> {
        if let Some(carried) = self.carriage.here(path, byte) {
            return Some((carried.from.0, byte_ranges::old_place(byte, &carried.replaced)?));
        }
        let path = self.paths.get(path).copied().unwrap_or(path);
        let all = self.replaced.get(path);
        Some((path, all.map_or(Some(byte), |all| byte_ranges::old_place(byte, all))?))
    }
}

/// How many items macro calls make in a file, and the number of the first afterwards.
struct MadeItems {
    count: usize,
    /// None if the calls make other ones.
    first: Option<usize>,
}

impl MadeItems {
    fn new(
        before: &ResolvedWorkspace<'_>,
        path: &str,
        after: &ResolvedWorkspace<'_>,
        to: &str,
    ) -> Self {
        let of = |side: &ResolvedWorkspace<'_>, path: &str| -> Vec<NodeKind> {
            let made = side.made().by_file().get(path).into_iter().flatten();
            made.map(|one| one.item.kind).collect()
        };
        let (old, new) = (of(before, path), of(after, to));
        let all = after.item_tree(to).map_or(0, |tree| tree.items.len());
        let first = (old == new).then(|| all.saturating_sub(new.len()));
        Self { count: old.len(), first }
    }

    /// The number afterwards of an item of a file that has this many; none if it is of the text.
    fn now(&self, at: u32, count: usize) -> Option<Option<u32>> {
        let number = (at as usize).checked_sub(count.checked_sub(self.count)?)?;
        Some(self.first.map(|first| (first + number) as u32))
    }
}

type Starts = HashMap<(u32, NodeKind), Vec<u32>>;

/// Items by where they begin; of several that begin at one byte, the first is the last.
fn starts(facts: &FileFacts) -> Starts {
    let mut starts = Starts::default();
    for (at, item) in facts.items.iter().enumerate().skip(1).rev() {
        starts.entry((item.span.start_byte, item.kind)).or_default().push(at as u32);
    }
    starts
}

/// For each item of the old text where it is in the new ones.
fn items<'a>(
    file: &ProposedFile<'_>,
    proposed: &[ProposedFile<'a>],
    carriage: &Carriage<'a>,
) -> Vec<Option<Now<'a>>> {
    let mut new: HashMap<&str, Starts> = HashMap::default();
    let mut at = |path: &'a str, facts: &FileFacts, start: u32, kind: NodeKind| {
        let starts = new.entry(path).or_insert_with(|| starts(facts));
        starts.get_mut(&(start, kind)).and_then(Vec::pop)
    };
    let one = |(number, item): (usize, &asof_model::ItemFacts)| {
        if number == 0 {
            return Some(Now::Here(0));
        }
        let first = item.span.start_byte;
        if let Some(carried) = carriage.away(file.path, first) {
            let to = proposed.iter().find(|one| one.to == carried.to.0)?;
            let start = byte_ranges::moved(first, &carried.replaced)?;
            return Some(Now::In(to.to, at(to.to, to.after, start, item.kind)?));
        }
        let start = byte_ranges::moved(first, file.replaced)?;
        let own = proposed.iter().find(|one| one.to == file.to)?;
        Some(Now::Here(at(own.to, own.after, start, item.kind)?))
    };
    file.before.items.iter().enumerate().map(one).collect()
}
