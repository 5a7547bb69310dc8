//! What is compared of the items of a state.

use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::{HashMap, HashSet, Header, NodeKind, OrNever, TreeItem, UseLeaf};
use asof_resolve::InstanceId;

/// An item of an instance: instance and index.
pub(super) type At = (InstanceId, u32);

/// An item, or a name of an import: which of them one `use` has together means nothing.
pub(super) struct Compared<'a> {
    pub at: At,
    /// Hash of all but its signature: of how it can be found.
    pub place: [u8; 32],
    pub leaf: Option<&'a UseLeaf>,
}

/// What is compared of an item: id, path, condition, and its item tree without the index of its parent,
/// without whether it is test code, and without documentation and attributes, which no name depends on;
/// of a macro by example also what comes before it, since that decides which calls mean it.
pub(super) fn compared_items<'a>(
    side: &ResolvedWorkspace<'a>,
    files: &HashSet<&str>,
) -> HashMap<[u8; 32], Compared<'a>> {
    let mut told = HashMap::default();
    for (number, instance) in side.tree.instances.iter_enumerated() {
        let Some((path, item_tree)) = side.files.get(instance.file) else { continue };
        if !files.contains(path) {
            continue;
        }
        let mut macros: HashMap<&str, u32> = HashMap::default();
        let mut modules = 0_u32;
        for (at, item) in item_tree.items.iter().enumerate() {
            modules += u32::from(item.kind == NodeKind::Module);
            let Some(node) = side.assembly.node_of(number, at as u32) else { continue };
            let mut hasher = blake3::Hasher::new();
            // Imports with one path are counted; nothing depends on their numbers.
            let parent = node.parent.and_then(|n| side.assembly.nodes.get(n));
            let named = parent.filter(|_| item.kind == NodeKind::Import).unwrap_or(node);
            hasher.update(named.id.0.as_bytes());
            hasher.update(node.path.as_bytes());
            hasher.update(&[0]);
            let condition = side.assembly.condition(node);
            if !condition.is_always() {
                hasher.update(condition.to_string().as_bytes());
            }
            hasher.update(&[0]);
            if item.kind == NodeKind::Macro {
                let before = macros.entry(&item.name).or_default();
                hasher.update(&before.to_le_bytes());
                hasher.update(&modules.to_le_bytes());
                *before += 1;
            }
            let mut plain = TreeItem { parent: 0, marks_test: false, ..item.clone() };
            if at == 0 || matches!(item.header, Header::Module { inline: false, .. }) {
                plain.docs.clear();
                plain.attrs.clear();
            }
            let at = (number, at as u32);
            let hash = |item: &TreeItem| {
                let json = serde_json::to_vec(item).or_never("an item has a JSON form");
                *hasher.clone().update(&json).finalize().as_bytes()
            };
            let mut add = |item: &TreeItem, leaf| {
                let place = hash(&TreeItem { sig: String::new(), ..item.clone() });
                told.insert(hash(item), Compared { at, place, leaf });
            };
            let Header::Import { leaves } = &item.header else {
                add(&plain, None);
                continue;
            };
            for leaf in leaves {
                plain.name.clone_from(&leaf.name);
                plain.header = Header::Import { leaves: vec![leaf.clone()] };
                add(&plain, Some(leaf));
            }
        }
    }
    told
}
