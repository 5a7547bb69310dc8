//! The names and definitions by which two states differ, as they are found.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolved_workspace::ResolvedWorkspace;
use super::compared_items::At;
use super::effects::{Effect, is_unnamed};
use super::implementations::{ChangedImpl, On};
use super::scopes::Place;
use super::words::projections;
use asof_model::{HashMap, HashSet, Header, NodeId, NodeKind, TreeItem, UseLeaf};
use asof_resolve::{
    Dependencies, Edge, EdgeKind, InstanceId, Node, has_wrapped_receiver, is_called_implicitly,
};

/// A place in one of the two states: 0 before, 1 after.
pub(super) type PlaceOf = (usize, Place);

/// The names by which two states differ.
#[derive(Debug)]
pub(super) struct Differing<'o> {
    pub outside: &'o Dependencies,
    /// Names that matter wherever they are mentioned.
    pub everywhere: HashMap<String, Effect>,
    /// Items that differ for those who read them.
    pub items: HashSet<NodeId>,
    /// Names of items that come, go or are found in another way, and whether those are among the
    /// candidates for members of unknown types.
    pub named: HashMap<String, bool>,
    /// Of those, methods whose receiver is neither `self` nor a reference to it.
    pub wrapped: HashSet<String>,
    /// Names that are looked up in one scope, or in those that bring them from there.
    pub scoped: HashMap<PlaceOf, HashMap<String, Effect>>,
    /// Names of members that are found on a value or a type, by the words of that.
    pub members: BTreeMap<On, BTreeSet<String>>,
    pub impls: HashSet<ChangedImpl>,
    /// Impls that have what is used without being named.
    pub owners: HashSet<ChangedImpl>,
    /// Scopes into which a glob brings names that are not known.
    pub opened: HashSet<PlaceOf>,
    /// What differs for those who read it, by the keys of [`asof_resolve::Reads`].
    pub keys: HashSet<u32>,
    /// Whether names that nothing here tells changed.
    pub unknown: bool,
    /// Items by parent, for each visited instance of the current state.
    children: HashMap<InstanceId, HashMap<u32, Vec<usize>>>,
    side: usize,
}

impl<'o> Differing<'o> {
    /// Nothing, with the crates outside of the workspace.
    pub fn new(outside: &'o Dependencies) -> Self {
        Differing {
            outside,
            everywhere: HashMap::default(),
            items: HashSet::default(),
            named: HashMap::default(),
            wrapped: HashSet::default(),
            scoped: HashMap::default(),
            members: BTreeMap::new(),
            impls: HashSet::default(),
            owners: HashSet::default(),
            opened: HashSet::default(),
            keys: HashSet::default(),
            unknown: false,
            children: HashMap::default(),
            side: 0,
        }
    }
}

impl Differing<'_> {
    pub fn everywhere(&mut self, name: &str, effect: Effect) {
        if !name.is_empty() {
            let known = self.everywhere.entry(name.to_owned()).or_insert(effect);
            *known = known.with(effect);
        }
    }

    /// A name of an item that matters wherever it is mentioned: in all crates, or in those of the item
    /// if no other can name it.
    fn wherever_seen(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        instance: InstanceId,
        name: &str,
        effect: Effect,
    ) {
        let krate = side.tree.instances.get(instance).map(|instance| instance.krate);
        let krate = krate.and_then(|krate| side.tree.crates.get(krate));
        let is_library = krate.is_none_or(|krate| krate.target.kind.is_library());
        self.in_crate_or_everywhere(side.root(instance).filter(|_| !is_library), name, effect);
    }

    /// A macro that differs: without `#[macro_export]`, only its crate can call it.
    fn macro_rules(&mut self, side: &ResolvedWorkspace<'_>, instance: InstanceId, item: &TreeItem) {
        let is_own = item.header == Header::Macro { exported: false };
        let root = side.root(instance).filter(|_| is_own);
        self.in_crate_or_everywhere(root, &item.name, Effect::EXPANDS);
    }

    /// `root`: of the only crate that can name it, if there is one.
    fn in_crate_or_everywhere(&mut self, root: Option<&Node>, name: &str, effect: Effect) {
        match root {
            Some(root) => self.at(Place::Within(root.id), name, effect.for_all()),
            None => self.everywhere(name, effect),
        }
    }

    pub fn at(&mut self, place: Place, name: &str, effect: Effect) {
        if !name.is_empty() {
            let names = self.scoped.entry((self.side, place)).or_default();
            let known = names.entry(name.to_owned()).or_insert(effect);
            *known = known.with(effect);
        }
    }

    /// A name that an import brings into a scope.
    pub fn imported(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        scope: NodeId,
        kind: EdgeKind,
        name: &str,
        effect: Effect,
    ) {
        self.at(place_of_import(side, scope, kind), name, effect);
    }

    /// A name that is looked up where an item is.
    pub fn in_own_scope(&mut self, node: &Node, name: &str, effect: Effect) {
        self.at(Place::Of(node.id), name, effect);
    }

    /// A name of a member that comes, goes or differs.
    fn member(&mut self, on: &On, name: &str) {
        self.members.entry(on.clone()).or_default().insert(name.to_owned());
    }

    /// Switches to the other state, and clears what was cached of the last one.
    pub fn turn(&mut self, side: usize) {
        self.side = side;
        self.children.clear();
    }

    /// Adds an item of which only the signature differs: it is found as it was, and those who read it
    /// notice that.
    pub fn signature(&mut self, side: &ResolvedWorkspace<'_>, at: At, item: &TreeItem) {
        let Some(node) = side.assembly.node_of(at.0, at.1) else { return };
        match item.kind {
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Trait => {
                for projection in projections(&item.sig) {
                    self.wherever_seen(side, at.0, projection, Effect::TYPE);
                }
            }
            NodeKind::Method => {
                if has_wrapped_receiver(item) {
                    self.wrapped.insert(item.name.clone());
                }
                if is_called_implicitly(&item.name) {
                    self.impls.extend(self.implementation_around(side, node));
                }
            }
            NodeKind::Field if is_unnamed(item) => self.owner(side, node),
            NodeKind::AssocType => self.owner(side, node),
            _ => {}
        }
    }

    /// Adds an item that differs, with everything that is reached through it.
    pub fn item(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        other: &ResolvedWorkspace<'_>,
        at: At,
        item: &TreeItem,
    ) {
        let Some(node) = side.assembly.node_of(at.0, at.1) else { return };
        let items = side.items(at.0);
        let owner = items.get(item.parent as usize);
        let name = item.name.as_str();
        if has_wrapped_receiver(item) {
            self.wrapped.insert(name.to_owned());
        }
        let is_member = matches!(item.kind, NodeKind::Method | NodeKind::Field);
        *self.named.entry(name.to_owned()).or_default() |= is_member;
        match &item.header {
            // It brings in macros by their own names.
            Header::Module { macro_use: true, .. } => self.all_macros(side, at.0),
            Header::ExternCrate { macro_use: true, .. } => self.unknown = true,
            _ => {}
        }
        match item.kind {
            // Its names are compared one by one.
            NodeKind::Import => {}
            NodeKind::Impl => self.implementation(side, at, node),
            NodeKind::MacroCall => {
                // What it makes is compared by itself. Its name makes keys of statics, and modules
                // that it makes may be where the names of its items are looked up.
                let is_module =
                    |child: &TreeItem| child.kind == NodeKind::Module && child.parent == at.1;
                let makes_keys = name.rsplit("::").next() == Some("thread_local");
                let path = side.path_of(node).unwrap_or_default();
                if makes_keys || items.iter().skip(side.written(path)).any(is_module) {
                    for child in self.children(side, at) {
                        self.wherever_seen(side, at.0, &child, Effect::TYPE);
                    }
                }
            }
            NodeKind::ForeignMod => {}
            NodeKind::Method | NodeKind::AssocConst => {
                match self.implementation_around(side, node) {
                    Some(of) => {
                        self.member(&of.on, name);
                        if is_called_implicitly(name) {
                            self.impls.insert(of);
                        }
                    }
                    None => self.wherever_seen(side, at.0, name, Effect::NAMED),
                }
            }
            NodeKind::AssocType => {
                match self.implementation_around(side, node) {
                    Some(of) => self.member(&of.on, name),
                    None => self.wherever_seen(side, at.0, name, Effect::NAMED),
                }
                self.owner(side, node);
            }
            NodeKind::Field => match owner {
                _ if is_unnamed(item) => self.owner(side, node),
                Some(_) => self.member_of_parent(side, node, name),
                None => self.wherever_seen(side, at.0, name, Effect::NAMED),
            },
            NodeKind::Variant => {
                self.member_of_parent(side, node, name);
                if let Some(owner) = node.parent.and_then(|owner| side.assembly.nodes.get(owner)) {
                    self.at(Place::In(owner.id), name, Effect::NAMED);
                }
            }
            NodeKind::Macro => self.macro_rules(side, at.0, item),
            NodeKind::Module => self.in_own_scope(node, name, Effect::TYPE),
            NodeKind::Enum | NodeKind::Trait | NodeKind::Struct | NodeKind::Union => {
                self.in_own_scope(node, name, Effect::TYPE);
                // The path of a variant or a trait's item begins with the name of its owner.
                // Those of an enum that comes or goes are found through it.
                let has_counterpart = || other.node(node.id).is_some();
                if item.kind == NodeKind::Trait || item.kind == NodeKind::Enum && has_counterpart()
                {
                    for child in self.children(side, at) {
                        self.wherever_seen(side, at.0, &child, Effect::NAMED);
                    }
                }
                for projection in projections(&item.sig) {
                    self.wherever_seen(side, at.0, projection, Effect::TYPE);
                }
            }
            NodeKind::ForeignType | NodeKind::TypeAlias | NodeKind::TraitAlias => {
                self.in_own_scope(node, name, Effect::TYPE);
            }
            NodeKind::Function | NodeKind::Const | NodeKind::Static => {
                self.in_own_scope(node, name, Effect::NAMED);
                if let Some((_, derive)) = item.sig.rsplit_once('@') {
                    let derive = if derive.is_empty() { name } else { derive };
                    self.wherever_seen(side, at.0, derive, Effect::TYPE);
                }
            }
            NodeKind::ExternCrate | NodeKind::Unknown => {
                self.wherever_seen(side, at.0, name, Effect::TYPE)
            }
        }
    }

    /// Adds a name of an import that differs.
    pub fn import(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        at: At,
        item: &TreeItem,
        leaf: &UseLeaf,
    ) {
        let Some(node) = side.assembly.node_of(at.0, at.1) else { return };
        if leaf.glob {
            self.globs_of(side, node.id);
            return;
        }
        let kind = match item.visibility.as_str() {
            "" => EdgeKind::Imports,
            _ => EdgeKind::Reexports,
        };
        match node.parent.and_then(|at| side.assembly.nodes.get(at)) {
            Some(scope) => self.imported(side, scope.id, kind, &leaf.name, Effect::MEANING),
            None => self.in_own_scope(node, &leaf.name, Effect::MEANING),
        }
    }

    /// What the globs of an import bring, under another condition maybe.
    fn globs_of(&mut self, side: &ResolvedWorkspace<'_>, import: NodeId) {
        for edge in side.assembly.edges.iter().filter(|edge| edge.origin == import) {
            let target = side.node(edge.target);
            if let Some(target) = target.filter(|_| edge.kind.is_glob()) {
                everything_in(side, target, edge, Effect::MEANING, self);
            }
        }
        for one in side.assembly.edges.unresolved().filter(|one| one.origin == import) {
            if one.kind.is_glob() {
                self.opened.insert((self.side, place_of_import(side, one.source, one.kind)));
            }
        }
    }

    /// An impl that differs, with its items.
    fn implementation(&mut self, side: &ResolvedWorkspace<'_>, at: At, node: &Node) {
        let one = ChangedImpl::new(side, self.outside, node);
        for child in self.children(side, at) {
            self.member(&one.on, &child);
        }
        self.impls.insert(one);
    }

    /// The impl that an item is in.
    fn implementation_around(
        &self,
        side: &ResolvedWorkspace<'_>,
        node: &Node,
    ) -> Option<ChangedImpl> {
        let mut parent = side.assembly.nodes.get(node.parent?)?;
        // It may be among the tokens of a call in the impl.
        while parent.kind == NodeKind::MacroCall {
            parent = side.assembly.nodes.get(parent.parent?)?;
        }
        (parent.kind == NodeKind::Impl).then(|| ChangedImpl::new(side, self.outside, parent))
    }

    /// A member of the item that it is in.
    fn member_of_parent(&mut self, side: &ResolvedWorkspace<'_>, node: &Node, name: &str) {
        let parent = node.parent.and_then(|on| side.assembly.nodes.get(on));
        let on = parent.map(|on| (on.id, on.name.clone())).into_iter().collect();
        self.member(&On::Types(on), name);
    }

    /// What is used without being named has an owner, whose values may act differently.
    fn owner(&mut self, side: &ResolvedWorkspace<'_>, node: &Node) {
        match self.implementation_around(side, node) {
            Some(of) => {
                self.owners.insert(of);
            }
            None => {
                let parent = node.parent.and_then(|owner| side.assembly.nodes.get(owner));
                self.items.extend(parent.map(|owner| owner.id));
            }
        }
    }

    /// A module of a crate brings in its macros by their names.
    fn all_macros(&mut self, side: &ResolvedWorkspace<'_>, instance: InstanceId) {
        let items = side.files.iter().flat_map(|(_, tree)| &tree.items);
        for item in items.filter(|item| item.kind == NodeKind::Macro) {
            self.macro_rules(side, instance, item);
        }
    }

    /// Names of an item's direct children.
    pub fn children(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        (instance, number): At,
    ) -> Vec<String> {
        if number == 0 {
            return Vec::new();
        }
        let items = side.items(instance);
        let children = self.children.entry(instance).or_insert_with(|| {
            let mut children: HashMap<u32, Vec<usize>> = HashMap::default();
            for (at, item) in items.iter().enumerate() {
                children.entry(item.parent).or_default().push(at);
            }
            children
        });
        let children = children.get(&number).into_iter().flatten();
        children.filter_map(|at| items.get(*at)).map(|item| item.name.clone()).collect()
    }

    pub fn of_source(&mut self, side: &ResolvedWorkspace<'_>, source: Option<&Node>) {
        if let Some(node) = source
            && node.kind == NodeKind::Impl
        {
            self.implementation(side, (node.instance, node.item), node);
        }
    }
}

/// Where what an import brings into a scope is looked up: others do not see what is private, unless it
/// hides from them what a glob brings.
pub(super) fn place_of_import(
    side: &ResolvedWorkspace<'_>,
    scope: NodeId,
    kind: EdgeKind,
) -> Place {
    let module = side.node(scope).and_then(|n| side.assembly.nodes.get(n.module));
    let mut around = module.into_iter().map(|module| module.id).chain([scope]);
    let is_private = matches!(kind, EdgeKind::Imports | EdgeKind::GlobImports)
        && around.all(|at| {
            let mut edges = side.assembly.edges_of(at);
            let mut unresolved = side.assembly.unresolved_of(at);
            edges.all(|edge| edge.kind != EdgeKind::GlobReexports)
                && unresolved.all(|one| one.kind != EdgeKind::GlobReexports)
        });
    if is_private { Place::Within(scope) } else { Place::In(scope) }
}

/// Names that a glob of a module, enum or trait brings into a scope, through further globs too.
pub(super) fn everything_in(
    side: &ResolvedWorkspace<'_>,
    target: &Node,
    glob: &Edge,
    effect: Effect,
    found: &mut Differing<'_>,
) {
    let (scope, kind) = (glob.source, glob.kind);
    let mut open = vec![target.id];
    let mut opened = HashSet::default();
    while let Some(id) = open.pop() {
        if !opened.insert(id) {
            continue;
        }
        let Some(node) = side.node(id) else { continue };
        let items = side.items(node.instance);
        for item in items.iter().skip(1).filter(|item| !item.kind.is_anonymous()) {
            let owner = above(items, item);
            let of_trait = || {
                let owner = items.get(owner as usize);
                owner.is_some_and(|owner| {
                    owner.kind == NodeKind::Trait && above(items, owner) == node.item
                })
            };
            if owner == node.item {
                found.imported(side, scope, kind, &item.name, effect);
            } else if of_trait() {
                found.imported(side, scope, kind, &item.name, Effect::METHOD);
            }
        }
        for edge in side.assembly.edges_of(id) {
            found.imported(side, scope, kind, &edge.name, effect);
            match edge.kind {
                EdgeKind::GlobImports | EdgeKind::GlobReexports => open.push(edge.target),
                EdgeKind::Imports | EdgeKind::Reexports => {
                    let target = side.node(edge.target);
                    if let Some(node) = target.filter(|node| node.kind == NodeKind::Trait) {
                        for child in found.children(side, (node.instance, node.item)) {
                            found.imported(side, scope, kind, &child, Effect::METHOD);
                        }
                    }
                }
                _ => {}
            }
        }
        for one in side.assembly.unresolved_of(id) {
            found.imported(side, scope, kind, &one.name, effect);
            for name in found.outside.items_of_trait(&one.text) {
                found.imported(side, scope, kind, name, Effect::METHOD);
            }
        }
    }
}

/// The item that an item is in, through macro calls and extern blocks, which are transparent.
fn above(items: &[TreeItem], item: &TreeItem) -> u32 {
    let mut at = item.parent;
    // A parent comes before its children.
    while let Some(owner) = items.get(at as usize)
        && matches!(owner.kind, NodeKind::MacroCall | NodeKind::ForeignMod)
        && owner.parent < at
    {
        at = owner.parent;
    }
    at
}
