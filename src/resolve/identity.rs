//! Identities: which definition is which, independent of content and of place in the file.
//!
//! An id derives from the parent's id and a key: namespaces and name. Macro calls and extern
//! blocks are transparent, and impl blocks with the same header share one scope, so that
//! adding such a block above does not change the ids of its neighbours' items. Items with the same
//! key are distinguished by their `cfg` predicate, and then by an ordinal.

use super::ids::{ConditionId, Def, InstanceId};
use asof_model::{HashMap, NodeId, NodeKind, TreeItem, never};

use super::conditions::ALWAYS;
use super::crate_maps::{CrateMaps, Input, Node};
use super::nowhere::{NOWHERE, OrNowhere};
use super::wrappers::Wrappers;

/// Assigns a node to every item of every instance.
pub(super) fn identify(input: &Input<'_>) -> CrateMaps {
    let mut assembly = CrateMaps::default();
    let sizes = input.instances.indices().map(|number| input.item_tree(number).len());
    assembly.nodes.reserve(sizes.sum());
    let wrappers = Wrappers::new(input);
    let mut roots: HashMap<(String, &'static str, String), u32> = HashMap::default();
    for (number, instance) in input.instances.iter_enumerated() {
        let Some(root) = root_node(input, &mut assembly, number, &mut roots) else {
            assembly.index.push(Vec::new());
            continue;
        };
        let Some((_, tree)) = input.files.get(instance.file) else {
            assembly.index.push(vec![root]);
            continue;
        };
        let mut index = Vec::with_capacity(tree.items.len());
        index.push(root);
        let module = assembly.node(root).map_or(NodeId(uuid::Uuid::nil()), |node| node.id);
        let ids = tree.ids(module, |tree| item_ids(&tree.items, module));
        // Conditions that calls of wrappers give to their items, by item.
        let mut wrapped: HashMap<u32, ConditionId> = HashMap::default();
        for ((at, item), id) in tree.items.iter().enumerate().zip(&*ids).skip(1) {
            let id = *id;
            let parent = index.get(item.parent as usize).copied();
            let parent = parent.or_nowhere("items follow those that they are in");
            let own = assembly.nodes.next_idx();
            let module = match item.kind {
                NodeKind::Module => own,
                _ => assembly.node(parent).map_or(NOWHERE, |p| p.module),
            };
            let above = assembly.node(parent).is_some_and(|p| p.in_test);
            let condition = assembly.node(parent).map_or(ALWAYS, |p| p.condition);
            let condition = wrapped.get(&item.parent).copied().unwrap_or(condition);
            let condition = assembly.conditions.under(condition, &item.cfg);
            if item.kind == NodeKind::MacroCall
                && let Some(predicate) = wrappers.predicate(instance.krate, &item.name)
            {
                wrapped.insert(at as u32, assembly.conditions.under(condition, predicate));
            }
            assembly.nodes.push(Node {
                id,
                kind: item.kind,
                name: item.name.clone(),
                parent: Some(parent),
                module,
                instance: number,
                item: at as u32,
                declared_in: None,
                path: String::new(),
                in_test: above || item.marks_test,
                condition,
            });
            index.push(own);
        }
        assembly.index.push(index);
    }
    assembly
}

/// Ids of the items of a file as the body of a module.
fn item_ids(items: &[TreeItem], module: NodeId) -> Box<[NodeId]> {
    let scopes = Scopes::new(items);
    let mut shared: HashMap<u32, NodeId> = HashMap::default();
    let mut ids = vec![module];
    for (at, key) in scopes.keys(items).iter().enumerate().skip(1) {
        let scope = scopes.id(scopes.holder(at), &mut shared, &ids);
        ids.push(scope.child(key));
    }
    ids.into()
}

/// The node of the module that an instance is the body of: a new one for a crate root and for
/// the further files of a declaration, else that of the declaration.
fn root_node(
    input: &Input<'_>,
    assembly: &mut CrateMaps,
    number: InstanceId,
    roots: &mut HashMap<(String, &'static str, String), u32>,
) -> Option<Def> {
    let instance = input.instances.get(number)?;
    let own = assembly.nodes.next_idx();
    let file = input.item_tree(number).first();
    let marks_test = file.is_some_and(|file| file.marks_test);
    let cfg = file.map_or("", |file| file.cfg.as_str());
    let Some((by, item)) = instance.declared_in else {
        let krate = input.crates.get(instance.krate)?;
        let package = krate.package.and_then(|p| input.packages.get(p));
        let package_name = package.map_or("", |p| p.name.as_str());
        let kind = krate.target.kind.as_str();
        let seen = roots
            .entry((package_name.to_owned(), kind, krate.target.name.clone()))
            .and_modify(|n| *n += 1)
            .or_insert(0);
        // Packages with the same name are distinguished by their folder, from the second on.
        let package_key = match *seen {
            0 => package_name.to_owned(),
            _ => format!("{package_name}\0{}", krate.target.root),
        };
        assembly.nodes.push(Node {
            id: NodeId::of_target(&package_key, kind, &krate.target.name),
            kind: NodeKind::Module,
            name: krate.target.crate_name.clone(),
            parent: None,
            module: own,
            instance: number,
            item: 0,
            declared_in: None,
            path: String::new(),
            in_test: marks_test || krate.target.kind.is_test(),
            condition: assembly.conditions.under(ALWAYS, cfg),
        });
        return Some(own);
    };
    let declaration = *assembly.index.get(by)?.get(item as usize)?;
    // It exists where one of its declarations does.
    let mut condition = declared(input, assembly, by, item)?;
    for ((_, repeat), first) in input.repeats.range((by, 0)..=(by, u32::MAX)) {
        if *first == item {
            let other = declared(input, assembly, by, *repeat)?;
            condition = assembly.conditions.or(condition, other);
        }
    }
    let condition = assembly.conditions.under(condition, &instance.cfg);
    let condition = assembly.conditions.under(condition, cfg);
    if let Some(made) = &instance.made {
        if made.is_included() {
            let (path, _) = input.files.get(instance.file)?;
            let key = format!("include\0{path}");
            let name = path.rsplit('/').next().unwrap_or_default();
            return another(assembly, number, (by, item), marks_test, condition, (name, &key));
        }
        let key = format!("mod\0{}", made.name);
        return another(assembly, number, (by, item), marks_test, condition, (&made.name, &key));
    }
    match &instance.variant {
        None => {
            let node = assembly.nodes.get_mut(declaration)?;
            node.declared_in = Some((by, item));
            node.instance = number;
            node.item = 0;
            node.in_test |= marks_test;
            node.condition = condition;
            Some(declaration)
        }
        Some(predicate) => {
            let name = assembly.node(declaration)?.name.clone();
            let key = format!("path\0{predicate}");
            another(assembly, number, (by, item), marks_test, condition, (&name, &key))
        }
    }
}

/// A new node for a module whose declaration has a node of its own: name, and key below that.
fn another(
    assembly: &mut CrateMaps,
    instance: InstanceId,
    (by, item): (InstanceId, u32),
    marks_test: bool,
    condition: ConditionId,
    (name, key): (&str, &str),
) -> Option<Def> {
    let own = assembly.nodes.next_idx();
    let node = assembly.node_of(by, item)?;
    let module = Node {
        id: node.id.child(key),
        kind: NodeKind::Module,
        name: name.to_owned(),
        parent: node.parent,
        module: own,
        instance,
        item: 0,
        declared_in: Some((by, item)),
        path: String::new(),
        in_test: node.in_test || marks_test,
        condition,
    };
    assembly.nodes.push(module);
    assembly.variants.entry((by, item)).or_default().push(own);
    Some(own)
}

/// The condition of a declaration, whichever files it means.
fn declared(
    input: &Input<'_>,
    assembly: &mut CrateMaps,
    by: InstanceId,
    item: u32,
) -> Option<ConditionId> {
    let parent = assembly.node_of(by, item)?.parent?;
    let above = assembly.node(parent)?.condition;
    Some(assembly.conditions.under(above, &input.item_tree(by).get(item as usize)?.cfg))
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
