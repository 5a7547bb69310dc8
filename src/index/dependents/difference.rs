//! What differs between two states: items (id, path, signature, header, visibility, condition),
//! imports, impls and globs.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolved_workspace::ResolvedWorkspace;
use super::super::sorted::only_in_first;
use super::compared_items::{At, Compared, compared_items};
use super::effects::{Effect, is_unnamed};
use super::homonyms;
use super::implementations::{ChangedImpl, On};
use super::scopes::Place;
use super::words::projections;
use asof_model::{HashMap, HashSet, Header, NodeId, NodeKind, Package, TreeItem, UseLeaf};
use asof_resolve::{
    Dependencies, Edge, EdgeKind, InstanceId, Node, Unresolved, is_called_implicitly,
};

/// A place in one of the two states: 0 before, 1 after.
pub(super) type PlaceOf = (usize, Place);

/// The names by which two states differ.
#[derive(Debug)]
pub(super) struct Differing<'o> {
    outside: &'o Dependencies,
    /// Names that matter wherever they are mentioned.
    pub everywhere: HashMap<String, Effect>,
    /// Names that are looked up in one scope, or in those that bring them from there.
    pub scoped: HashMap<PlaceOf, HashMap<String, Effect>>,
    /// Names of members that are found on a value or a type, by the words of that.
    pub members: BTreeMap<On, BTreeSet<String>>,
    pub impls: HashSet<ChangedImpl>,
    /// Impls that have what is used without being named.
    pub owners: HashSet<ChangedImpl>,
    /// Scopes into which a glob brings names that are not known.
    pub opened: HashSet<PlaceOf>,
    /// Whether names that nothing here tells changed.
    unknown: bool,
    /// Items by parent, for each visited instance of the current state.
    children: HashMap<InstanceId, HashMap<u32, Vec<usize>>>,
    side: usize,
}

/// What differs; none if names cannot tell.
pub(super) fn between<'o>(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    outside: &'o Dependencies,
) -> Option<Differing<'o>> {
    let mut found = Differing {
        outside,
        everywhere: HashMap::default(),
        scoped: HashMap::default(),
        members: BTreeMap::new(),
        impls: HashSet::default(),
        owners: HashSet::default(),
        opened: HashSet::default(),
        unknown: false,
        children: HashMap::default(),
        side: 0,
    };
    if !differing_packages(&before.layout.packages, &after.layout.packages, &mut found) {
        return None;
    }
    differing_items(before, after, &mut found);
    differing_edges(before, after, &mut found);
    (!found.unknown).then_some(found)
}

/// Names of dependencies that were added, removed or mean another package; and whether the packages
/// differ only in these, and in what no other crate can name. What a target that comes or goes has is
/// compared item by item.
fn differing_packages(before: &[Package], after: &[Package], found: &mut Differing<'_>) -> bool {
    let alike = |(old, new): (&Package, &Package)| old.names_as(new);
    if before.len() != after.len() || !before.iter().zip(after).all(alike) {
        return false;
    }
    for (old, new) in before.iter().zip(after) {
        let old: BTreeSet<_> = old.dependencies.iter().collect();
        let new: BTreeSet<_> = new.dependencies.iter().collect();
        for (name, package) in old.symmetric_difference(&new) {
            found.everywhere(name, Effect::TYPE);
            found.everywhere(&package.replace('-', "_"), Effect::TYPE);
        }
    }
    true
}

impl Differing<'_> {
    fn everywhere(&mut self, name: &str, effect: Effect) {
        if !name.is_empty() {
            let known = self.everywhere.entry(name.to_owned()).or_insert(effect);
            *known = known.with(effect);
        }
    }

    fn at(&mut self, place: Place, name: &str, effect: Effect) {
        if !name.is_empty() {
            let names = self.scoped.entry((self.side, place)).or_default();
            let known = names.entry(name.to_owned()).or_insert(effect);
            *known = known.with(effect);
        }
    }

    /// A name that an import brings into a scope: one that others do not see, unless it hides from
    /// them what a glob brings.
    fn imported(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        scope: NodeId,
        kind: EdgeKind,
        name: &str,
    ) {
        let module = side.node(scope).and_then(|n| side.assembly.nodes.get(n.module));
        let mut around = module.into_iter().map(|module| module.id).chain([scope]);
        let is_private = matches!(kind, EdgeKind::Imports | EdgeKind::GlobImports)
            && around.all(|at| {
                let mut edges = side.assembly.edges_of(at);
                let mut unresolved = side.assembly.unresolved_of(at);
                edges.all(|edge| edge.kind != EdgeKind::GlobReexports)
                    && unresolved.all(|one| one.kind != EdgeKind::GlobReexports)
            });
        let place = if is_private { Place::Within(scope) } else { Place::In(scope) };
        self.at(place, name, Effect::IMPORTED);
    }

    /// A name that is looked up where an item is.
    fn in_own_scope(&mut self, node: &Node, name: &str, effect: Effect) {
        self.at(Place::Of(node.id), name, effect);
    }

    /// A name of a member that comes, goes or differs.
    fn member(&mut self, on: &On, name: &str) {
        self.members.entry(on.clone()).or_default().insert(name.to_owned());
    }

    /// Switches to the other state, and clears what was cached of the last one.
    fn turn(&mut self, side: usize) {
        self.side = side;
        self.children.clear();
    }

    /// Adds an item that differs, with everything that is reached through it.
    fn item(&mut self, side: &ResolvedWorkspace<'_>, at: At, item: &TreeItem) {
        let Some(node) = side.assembly.node_of(at.0, at.1) else { return };
        let items = side.items(at.0);
        let owner = items.get(item.parent as usize);
        let name = item.name.as_str();
        match &item.header {
            // It brings in macros by their own names.
            Header::Module { macro_use: true, .. } => self.all_macros(side),
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
                if makes_keys || items.iter().skip(1).any(is_module) {
                    for child in self.children(side, at) {
                        self.everywhere(&child, Effect::TYPE);
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
                    None => self.everywhere(name, Effect::NAMED),
                }
            }
            NodeKind::AssocType => {
                match self.implementation_around(side, node) {
                    Some(of) => self.member(&of.on, name),
                    None => self.everywhere(name, Effect::NAMED),
                }
                self.owner(side, node, owner);
            }
            NodeKind::Field => match owner {
                owner if is_unnamed(item) => self.owner(side, node, owner),
                Some(owner) if owner.kind != NodeKind::Variant => {
                    let on = node.parent.and_then(|on| side.assembly.nodes.get(on));
                    let on = on.map(|on| (on.id, on.name.clone())).into_iter().collect();
                    self.member(&On::Types(on), name);
                }
                _ => self.everywhere(name, Effect::NAMED),
            },
            NodeKind::Variant => self.everywhere(name, Effect::NAMED),
            NodeKind::Macro => self.everywhere(name, Effect::EXPANDS),
            NodeKind::Module => self.in_own_scope(node, name, Effect::TYPE),
            NodeKind::Enum | NodeKind::Trait | NodeKind::Struct | NodeKind::Union => {
                self.in_own_scope(node, name, Effect::TYPE);
                // The path of a variant or a trait's item begins with the name of its owner.
                if matches!(item.kind, NodeKind::Enum | NodeKind::Trait) {
                    for child in self.children(side, at) {
                        self.everywhere(&child, Effect::NAMED);
                    }
                }
                for projection in projections(&item.sig) {
                    self.everywhere(projection, Effect::TYPE);
                }
            }
            NodeKind::ForeignType | NodeKind::TypeAlias | NodeKind::TraitAlias => {
                self.in_own_scope(node, name, Effect::TYPE);
            }
            NodeKind::Function | NodeKind::Const | NodeKind::Static => {
                self.in_own_scope(node, name, Effect::NAMED);
                if let Some((_, derive)) = item.sig.rsplit_once('@') {
                    let derive = if derive.is_empty() { name } else { derive };
                    self.everywhere(derive, Effect::TYPE);
                }
            }
            NodeKind::ExternCrate | NodeKind::Unknown => self.everywhere(name, Effect::TYPE),
        }
    }

    /// Adds a name of an import that differs.
    fn import(&mut self, side: &ResolvedWorkspace<'_>, at: At, item: &TreeItem, leaf: &UseLeaf) {
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
            Some(scope) => self.imported(side, scope.id, kind, &leaf.name),
            None => self.in_own_scope(node, &leaf.name, Effect::IMPORTED),
        }
    }

    /// What the globs of an import bring, under another condition maybe.
    fn globs_of(&mut self, side: &ResolvedWorkspace<'_>, import: NodeId) {
        for edge in side.assembly.edges.iter().filter(|edge| edge.origin == import) {
            let target = side.node(edge.target);
            if let Some(target) = target.filter(|_| edge.kind.is_glob()) {
                everything_in(side, target, edge.source, edge.kind, self);
            }
        }
        for one in side.assembly.unresolved.iter().filter(|one| one.origin == import) {
            if one.kind.is_glob() {
                self.opened.insert((self.side, Place::In(one.source)));
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
        let parent = side.assembly.nodes.get(node.parent?)?;
        (parent.kind == NodeKind::Impl).then(|| ChangedImpl::new(side, self.outside, parent))
    }

    /// What is used without being named has an owner whose name tells.
    fn owner(&mut self, side: &ResolvedWorkspace<'_>, node: &Node, owner: Option<&TreeItem>) {
        match self.implementation_around(side, node) {
            Some(of) => {
                self.owners.insert(of);
            }
            None => {
                if let Some(owner) = owner {
                    self.everywhere(&owner.name, Effect::VALUES);
                }
            }
        }
    }

    fn all_macros(&mut self, side: &ResolvedWorkspace<'_>) {
        let items = side.files.iter().flat_map(|(_, tree)| &tree.items);
        for item in items.filter(|item| item.kind == NodeKind::Macro) {
            self.everywhere(&item.name, Effect::EXPANDS);
        }
    }

    /// Names of an item's direct children.
    fn children(&mut self, side: &ResolvedWorkspace<'_>, (instance, number): At) -> Vec<String> {
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
}

/// Items that only one of the two states has.
fn differing_items<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    found: &mut Differing<'_>,
) {
    let moved = |path: &str| {
        before.shape(path) != after.shape(path)
            || before.stored_tree(path) != after.stored_tree(path)
    };
    let paths: BTreeSet<&str> =
        before.files.iter().chain(&after.files).map(|(path, _)| *path).collect();
    let moved: HashSet<&str> = paths.into_iter().filter(|path| moved(path)).collect();
    let (old, new) = (compared_items(before, &moved), compared_items(after, &moved));
    for (number, side, items, others) in [(0, before, &old, &new), (1, after, &new, &old)] {
        found.turn(number);
        for (key, Compared { at, leaf }) in items {
            if !others.contains_key(key)
                && let Some(item) = side.items(at.0).get(at.1 as usize)
            {
                // A macro call may declare the module of a file.
                let module = side.assembly.node_of(at.0, 0).filter(|_| at.1 == 0);
                match (module, leaf) {
                    (Some(module), _) => found.in_own_scope(module, &module.name, Effect::TYPE),
                    (None, Some(leaf)) => found.import(side, *at, item, leaf),
                    (None, None) => found.item(side, *at, item),
                }
            }
        }
    }
}

/// Adds imports and impls with another target.
fn differing_edges<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    found: &mut Differing<'_>,
) {
    let sides = [(0, before, after), (1, after, before)];
    for (number, side, other) in sides {
        found.turn(number);
        for edge in only_in_first(&side.assembly.edges, &other.assembly.edges, meaning_of_edge) {
            let (scope, kind, target) = (edge.source, &edge.kind, side.node(edge.target));
            match kind {
                EdgeKind::GlobImports | EdgeKind::GlobReexports => {
                    if let Some(target) = target {
                        everything_in(side, target, scope, *kind, found);
                    }
                }
                EdgeKind::Imports | EdgeKind::Reexports => {
                    found.imported(side, scope, *kind, &edge.name);
                    // A trait brings its methods into scope, whatever its name.
                    if let Some(node) = target.filter(|node| node.kind == NodeKind::Trait) {
                        for child in found.children(side, (node.instance, node.item)) {
                            found.imported(side, scope, *kind, &child);
                        }
                    }
                }
                EdgeKind::ImplFor | EdgeKind::ImplOf => found.of_source(side, side.node(scope)),
            }
        }
    }
    for name in homonyms::differing(before, after) {
        found.everywhere(&name, Effect::TYPE);
    }
    for (number, side, other) in sides {
        found.turn(number);
        let (own, others) = (&side.assembly.unresolved, &other.assembly.unresolved);
        for one in differing_unresolved(own, others) {
            match one.kind {
                // Names of other crates are unknown: the glob may bring in any.
                EdgeKind::GlobImports | EdgeKind::GlobReexports => {
                    found.opened.insert((number, Place::In(one.source)));
                }
                EdgeKind::Imports | EdgeKind::Reexports => {
                    found.imported(side, one.source, one.kind, &one.name);
                    // As above: a trait brings its methods into scope.
                    for name in found.outside.items_of_trait(&one.text) {
                        found.imported(side, one.source, one.kind, name);
                    }
                }
                EdgeKind::ImplFor | EdgeKind::ImplOf => {
                    found.of_source(side, side.node(one.source));
                }
            }
        }
    }
}

/// What an edge says, whichever item says so. The edges are sorted by it.
fn meaning_of_edge(edge: &Edge) -> (NodeId, EdgeKind, &str, NodeId) {
    (edge.source, edge.kind, &edge.name, edge.target)
}

/// Unresolved names that only the first of two sorted lists has, whichever item has them.
fn differing_unresolved<'u>(
    own: &'u [Unresolved],
    others: &'u [Unresolved],
) -> Vec<&'u Unresolved> {
    let has_others = |one: &Unresolved| {
        let name = unresolved_name(one);
        let from = others.partition_point(|other| unresolved_name(other) < name);
        let mut alike = others.iter().skip(from).take_while(|other| unresolved_name(other) == name);
        alike.any(|other| other.external == one.external)
    };
    let mut found = only_in_first(own, others, |one| one);
    found.retain(|one| !has_others(one));
    found
}

/// In the order of the list.
fn unresolved_name(one: &Unresolved) -> (NodeId, EdgeKind, &str, &str) {
    (one.source, one.kind, &one.text, &one.name)
}

impl Differing<'_> {
    fn of_source(&mut self, side: &ResolvedWorkspace<'_>, source: Option<&Node>) {
        if let Some(node) = source
            && node.kind == NodeKind::Impl
        {
            self.implementation(side, (node.instance, node.item), node);
        }
    }
}

/// Names that a glob of a module, enum or trait brings into a scope, through further globs too.
fn everything_in(
    side: &ResolvedWorkspace<'_>,
    target: &Node,
    scope: NodeId,
    kind: EdgeKind,
    found: &mut Differing<'_>,
) {
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
            if owner == node.item || of_trait() {
                found.imported(side, scope, kind, &item.name);
            }
        }
        for edge in side.assembly.edges_of(id) {
            found.imported(side, scope, kind, &edge.name);
            match edge.kind {
                EdgeKind::GlobImports | EdgeKind::GlobReexports => open.push(edge.target),
                EdgeKind::Imports | EdgeKind::Reexports => {
                    let target = side.node(edge.target);
                    if let Some(node) = target.filter(|node| node.kind == NodeKind::Trait) {
                        for child in found.children(side, (node.instance, node.item)) {
                            found.imported(side, scope, kind, &child);
                        }
                    }
                }
                _ => {}
            }
        }
        for one in side.assembly.unresolved_of(id) {
            found.imported(side, scope, kind, &one.name);
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
