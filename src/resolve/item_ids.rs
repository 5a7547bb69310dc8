//! Identities: which definition is which, independent of content and of place in the file.
//!
//! An id derives from the parent's id and a key: namespaces and name. Macro calls and extern
//! blocks are transparent, and impl blocks with the same header share one scope, so that
//! adding such a block above does not change the ids of its neighbours' items. Items with the same
//! key are distinguished by their `cfg` predicate, and then by an ordinal.

use super::nowhere::OrNowhere;
use asof_model::{HashMap, NodeId, NodeKind, TreeItem, never};

/// Ids of the items of a file as the body of a module.
pub(super) fn item_ids(items: &[TreeItem], module: NodeId) -> Box<[NodeId]> {
    let scopes = Scopes::new(items);
    let mut shared: HashMap<u32, NodeId> = HashMap::default();
    let mut ids = vec![module];
    for (at, key) in scopes.keys(items).iter().enumerate().skip(1) {
        let scope = scopes.id(scopes.holder(at), &mut shared, &ids);
        ids.push(scope.child(key));
    }
    ids.into()
}

/// The scope that the names of each item's children belong to.
struct Scopes<'a> {
    /// For each item, the item whose scope it is named in.
    holder: Vec<u32>,
    /// Scopes shared by impls with the same header: by the container of the impls, and the header.
    shared: HashMap<u32, (u32, &'a str)>,
}

impl<'a> Scopes<'a> {
    fn new(items: &'a [TreeItem]) -> Self {
        let mut of = Vec::with_capacity(items.len());
        let mut holder = Vec::with_capacity(items.len());
        let mut shared = HashMap::default();
        let mut first_impl: HashMap<(u32, &str), u32> = HashMap::default();
        for (at, item) in items.iter().enumerate() {
            let within: u32 = match at {
                0 => 0,
                _ => {
                    let parent = of.get(item.parent as usize).copied();
                    parent.or_nowhere("items follow those that they are in")
                }
            };
            holder.push(within);
            of.push(match item.kind {
                NodeKind::MacroCall | NodeKind::ForeignMod => within,
                NodeKind::Impl => {
                    let first = *first_impl.entry((within, &item.name)).or_insert(at as u32);
                    shared.insert(first, (within, item.name.as_str()));
                    first
                }
                _ => at as u32,
            });
        }
        Self { holder, shared }
    }

    fn holder(&self, at: usize) -> u32 {
        self.holder.get(at).copied().or_nowhere("each item has a scope")
    }

    /// The id of a scope, from those of the items before.
    fn id(&self, scope: u32, shared: &mut HashMap<u32, NodeId>, ids: &[NodeId]) -> NodeId {
        let Some((within, header)) = self.shared.get(&scope) else {
            let Some(id) = ids.get(scope as usize) else {
                never!("items follow those that they are in");
                return NodeId(uuid::Uuid::nil());
            };
            return *id;
        };
        if let Some(known) = shared.get(&scope) {
            return *known;
        }
        let id = self.id(*within, shared, ids).child(&format!("impl\0{header}"));
        shared.insert(scope, id);
        id
    }

    /// The key of each item within its scope.
    fn keys(&self, items: &[TreeItem]) -> Vec<String> {
        let base = |item: &TreeItem| match item.kind {
            NodeKind::Impl
            | NodeKind::Import
            | NodeKind::ForeignMod
            | NodeKind::MacroCall
            | NodeKind::Unknown => format!("{}\0{}", item.kind, item.name),
            _ => format!("{}\0{}", item.kind.namespaces(), item.name),
        };
        let mut groups: HashMap<(u32, String), Vec<usize>> = HashMap::default();
        for (at, item) in items.iter().enumerate().skip(1) {
            groups.entry((self.holder(at), base(item))).or_default().push(at);
        }
        let mut keys = vec![String::new(); items.len()];
        for ((_, base), members) in groups {
            let mut seen: HashMap<String, u32> = HashMap::default();
            let alone = members.len() == 1;
            for at in members {
                let cfg = if alone { String::new() } else { self.cfg(items, at) };
                let count = seen.entry(cfg.clone()).or_insert(0);
                let mut key = base.clone();
                if !cfg.is_empty() {
                    key.push_str("\0cfg\0");
                    key.push_str(&cfg);
                }
                if *count > 0 {
                    key.push_str(&format!("\0#{count}"));
                }
                *count += 1;
                if let Some(slot) = keys.get_mut(at) {
                    *slot = key;
                }
            }
        }
        keys
    }

    /// Predicates of an item and of the transparent items around it, up to its scope.
    fn cfg(&self, items: &[TreeItem], at: usize) -> String {
        let mut parts = Vec::new();
        let mut current = at;
        while let Some(item) = items.get(current) {
            if !item.cfg.is_empty() {
                parts.push(item.cfg.as_str());
            }
            let parent = item.parent as usize;
            let transparent = items.get(parent).is_some_and(|p| {
                matches!(p.kind, NodeKind::MacroCall | NodeKind::ForeignMod | NodeKind::Impl)
            });
            if parent == 0 || !transparent {
                break;
            }
            current = parent;
        }
        parts.join("\0")
    }
}
