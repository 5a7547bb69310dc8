//! Which item of the new state is an item of the old one: the one whose text begins where its text
//! went, in the same module of the same crate.

use std::collections::{BTreeMap, HashMap};

use super::proposed::ProposedFile;
use super::replaced::{self, Replaced};
use crate::index::resolved_workspace::ResolvedWorkspace;
use crate::model::{FileFacts, NodeId, NodeKind};

/// File and crate of an instance, and what declares it: instance and item.
type Declared<'p> = (&'p str, usize, Option<(usize, u32)>);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Mapping<'a> {
    ids: HashMap<NodeId, NodeId>,
    /// By path before.
    replaced: BTreeMap<&'a str, &'a [Replaced]>,
    /// From the path after to the one before.
    paths: BTreeMap<&'a str, &'a str>,
}

impl<'a> Mapping<'a> {
    pub(super) fn of(
        before: &ResolvedWorkspace<'_>,
        after: &ResolvedWorkspace<'_>,
        proposed: &[ProposedFile<'a>],
    ) -> Self {
        let mut mapping = Self {
            ids: HashMap::new(),
            replaced: proposed.iter().map(|file| (file.path, file.replaced)).collect(),
            paths: proposed.iter().map(|file| (file.to, file.path)).collect(),
        };
        let to: HashMap<&str, &str> = proposed.iter().map(|file| (file.path, file.to)).collect();
        let items: HashMap<&str, Vec<Option<u32>>> =
            proposed.iter().map(|file| (file.path, items(file))).collect();
        let mut children: HashMap<Declared<'_>, Vec<usize>> = HashMap::new();
        for (number, instance) in after.tree.instances.iter().enumerate() {
            let Some((path, _)) = after.files.get(instance.file) else { continue };
            let key = (*path, instance.krate, instance.declared_in);
            children.entry(key).or_default().push(number);
        }
        let mut found: Vec<Option<usize>> = Vec::with_capacity(before.tree.instances.len());
        for (number, instance) in before.tree.instances.iter().enumerate() {
            let Some((path, item_tree)) = before.files.get(instance.file) else {
                found.push(None);
                continue;
            };
            let now = |path: &str, item: u32| match items.get(path) {
                Some(items) => items.get(item as usize).copied().flatten(),
                None => Some(item),
            };
            let declared_in = instance.declared_in.map(|(by, item)| {
                let above =
                    before.tree.instances.get(by).and_then(|one| before.files.get(one.file));
                let item = above.and_then(|(path, _)| now(path, item))?;
                Some((found.get(by).copied().flatten()?, item))
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
            let made = MadeItems::of(before, path, after, to.get(path).copied().unwrap_or(path));
            for at in 0..item_tree.items.len() as u32 {
                let old = before.assembly.node_of(number, at);
                let at = made.now(at, item_tree.items.len()).unwrap_or_else(|| now(path, at));
                let new = at.and_then(|at| after.assembly.node_of(there, at));
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
            let is_of_text = before.assembly.node_of(node.instance as usize, node.item);
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

    /// The place of a byte of a file before.
    pub(super) fn before(&self, path: &str, byte: u32) -> Option<u32> {
        self.replaced.get(path).map_or(Some(byte), |all| replaced::before(byte, all))
    }

    /// Path and place before of a byte of a file after.
    pub(super) fn after<'p>(&'p self, path: &'p str, byte: u32) -> Option<(&'p str, u32)> {
        let path = self.paths.get(path).copied().unwrap_or(path);
        let all = self.replaced.get(path);
        Some((path, all.map_or(Some(byte), |all| replaced::after(byte, all))?))
    }
}

/// How many items macro calls make in a file, and the number of the first afterwards.
struct MadeItems {
    count: usize,
    /// None if the calls make other ones.
    first: Option<usize>,
}

impl MadeItems {
    fn of(
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

/// For each item of the old text its number in the new one.
fn items(file: &ProposedFile<'_>) -> Vec<Option<u32>> {
    let starts = |facts: &FileFacts| {
        let mut starts: HashMap<(u32, NodeKind), Vec<u32>> = HashMap::new();
        for (at, item) in facts.items.iter().enumerate().skip(1).rev() {
            starts.entry((item.span.start_byte, item.kind)).or_default().push(at as u32);
        }
        starts
    };
    let mut new = starts(file.after);
    let one = |(at, item): (usize, &crate::model::ItemFacts)| {
        if at == 0 {
            return Some(0);
        }
        let start = replaced::moved(item.span.start_byte, file.replaced)?;
        // Of several that begin at one byte, those before come first.
        new.get_mut(&(start, item.kind)).and_then(Vec::pop)
    };
    file.before.items.iter().enumerate().map(one).collect()
}
