//! Which files can name what is in a scope.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::super::mentions::{Mentions, Names};
use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::{HashMap, HashSet, Header, NodeId, NodeKind, TargetKind};
use asof_resolve::{Def, EdgeKind, From, InstanceId, Node, Reads};

/// Where a name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// In a scope.
    In(NodeId),
    /// In a scope, and seen only from there and from what is within it.
    Within(NodeId),
    /// Where an item is declared, and wherever imports bring it.
    Of(NodeId),
    /// In every module of a crate, by its root: another crate, by the name that the manifest gives it.
    Crate(NodeId),
}

/// The scopes of a state.
pub(super) struct Scopes<'s> {
    pub side: &'s ResolvedWorkspace<'s>,
    mentions: &'s Mentions,
    bringing: OnceCell<HashMap<NodeId, Vec<(EdgeKind, NodeId)>>>,
    aliases: OnceCell<HashMap<&'s str, BTreeSet<&'s str>>>,
    modules: OnceCell<Vec<&'s Node>>,
    known: RefCell<HashMap<Modules, Rc<Reach<'s>>>>,
}

/// Modules by their nodes, and whether only they and what is within them see a name.
type Modules = (BTreeSet<Def>, bool);

/// From where a name can be looked up.
#[derive(Debug)]
pub(super) struct Reach<'s> {
    pub files: BTreeSet<&'s str>,
    /// Names by which a path from elsewhere begins or goes on.
    pub names: BTreeSet<String>,
    /// Whether these files are all that can see the names, whatever they mention.
    pub is_private: bool,
}

impl Reach<'_> {
    /// Whether the path of an import may mean a name that is looked up here by one of its segments. Of
    /// a name that only some modules see, that is the first one, or one behind such a module:
    /// `std::task::Poll` does not depend on what `task` is where it is written.
    pub fn is_named_by(&self, path: &[String], name: &str) -> bool {
        let is_way = |segment: &str| {
            matches!(segment, "" | "self" | "super" | "crate" | "$crate")
                || self.names.contains(segment)
        };
        let mut before = None;
        path.iter().any(|segment| {
            let behind = before.replace(segment.as_str());
            segment == name && (!self.is_private || behind.is_none_or(is_way))
        })
    }
}

/// Places that are told apart; names at others may be looked up from everywhere.
const MAX_PLACES: usize = 1_000;

impl<'s> Scopes<'s> {
    pub fn new(side: &'s ResolvedWorkspace<'s>, mentions: &'s Mentions) -> Self {
        let (bringing, aliases, modules) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let known = RefCell::default();
        Scopes { side, mentions, bringing, aliases, modules, known }
    }

    /// From where a name can be looked up at a place: modules there, modules within these, those that
    /// bring all names from there, and whatever mentions such a module. None if that is everywhere.
    pub fn reaching(&self, place: Place) -> Option<Rc<Reach<'s>>> {
        let is_private = matches!(place, Place::Within(_) | Place::Crate(_));
        let key = (self.modules(place)?, is_private);
        if let Some(known) = self.known.borrow().get(&key) {
            return Some(Rc::clone(known));
        }
        if self.known.borrow().len() >= MAX_PLACES {
            return None;
        }
        let reach = Rc::new(self.reach(&key.0, key.1)?);
        self.known.borrow_mut().insert(key, Rc::clone(&reach));
        Some(reach)
    }

    /// The keys of the look-ups that a name at a place is for; none if the place is not known.
    pub fn keys(&self, place: Place, name: &str) -> Option<HashSet<u32>> {
        let modules = self.modules(place)?;
        let nodes = &self.side.assembly.nodes;
        let (mut keys, mut own) = (HashSet::default(), BTreeSet::new());
        if let Place::Within(scope) = place {
            own.insert(self.side.node(scope)?.module);
        }
        for at in &modules {
            let module = nodes.get(*at)?;
            // What is private is seen from within its module, there or where a module in it brings it.
            if !own.is_empty() && !self.is_within(module, &own) {
                continue;
            }
            keys.insert(Reads::name(module.id, name, From::Within));
            if !own.contains(at) && !matches!(place, Place::Crate(_)) {
                keys.insert(Reads::name(module.id, name, From::Elsewhere));
            }
        }
        Some(keys)
    }

    /// Whether all modules in which a name at a place is are in this state only. Who goes through one of
    /// them looks up its name first.
    pub fn is_only_here(&self, place: Place, other: &ResolvedWorkspace<'_>) -> bool {
        let nodes = &self.side.assembly.nodes;
        let is_only_here =
            |module: &Def| nodes.get(*module).is_some_and(|node| other.node(node.id).is_none());
        self.modules(place).is_some_and(|modules| modules.iter().all(is_only_here))
    }

    fn reach(&self, modules: &BTreeSet<Def>, is_private: bool) -> Option<Reach<'s>> {
        let nodes = &self.side.assembly.nodes;
        let mut files: BTreeSet<&str> = BTreeSet::new();
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for at in modules {
            names.extend(self.names(nodes.get(*at)?));
        }
        self.add_aliases(&mut names);
        let all = self
            .modules
            .get_or_init(|| nodes.iter().filter(|node| node.kind == NodeKind::Module).collect());
        for node in all.iter().filter(|node| self.is_within(node, modules)) {
            files.extend(self.side.path_of(node));
            let declared = node.declared_in.and_then(|(by, _)| self.file_of(by));
            files.extend(declared);
        }
        // The items of a file that is included are of the module around.
        for (number, _) in self.side.tree.instances.iter_enumerated() {
            let node = self.side.assembly.node_of(number, 0).filter(|node| node.instance != number);
            if node.is_some_and(|node| self.is_within(node, modules)) {
                files.extend(self.file_of(number));
            }
        }
        if !is_private {
            let mentioned: Names = names.iter().copied().collect();
            let mentioning = self.mentions.iter().filter(|(_, stored)| mentioned.meet(stored));
            files.extend(mentioning.map(|(path, _)| path.as_str()));
        }
        // A new file has no mentions yet.
        let all = self.side.files.iter().map(|(path, _)| *path);
        files.extend(all.filter(|path| !self.mentions.contains_key(*path)));
        let mut names: BTreeSet<String> = names.into_iter().map(str::to_owned).collect();
        if modules.iter().any(|at| nodes.get(*at).is_some_and(|n| n.parent.is_none())) {
            // `$crate`.
            names.insert("crate".to_owned());
        }
        Some(Reach { files, names, is_private })
    }

    /// Whether a module is one of these, or in one.
    fn is_within(&self, module: &Node, modules: &BTreeSet<Def>) -> bool {
        let mut at = module;
        while !modules.contains(&at.module) {
            let parent = at.parent.and_then(|n| self.side.assembly.nodes.get(n));
            match parent {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        true
    }

    fn file_of(&self, instance: InstanceId) -> Option<&'s str> {
        let instance = self.side.tree.instances.get(instance)?;
        self.side.files.get(instance.file).map(|(path, _)| *path)
    }

    /// The module that a node is, or is in.
    fn module(&self, node: Def) -> Def {
        self.side.assembly.nodes.get(node).map_or(node, |node| node.module)
    }

    /// The modules in which the name is, by their nodes.
    fn modules(&self, place: Place) -> Option<BTreeSet<Def>> {
        let mut open = Vec::new();
        match place {
            Place::Crate(root) => {
                let root = BTreeSet::from([self.side.node(root)?.module]);
                let nodes = self.side.assembly.nodes.iter_enumerated();
                let modules = nodes.filter(|(_, node)| node.kind == NodeKind::Module);
                let own = modules.filter(|(_, node)| self.is_within(node, &root));
                return Some(own.map(|(def, _)| def).collect());
            }
            Place::In(scope) | Place::Within(scope) => {
                open.push(self.side.node(scope)?.module);
                // An enum's or trait's own.
                for (kind, source) in self.bringing().get(&scope).into_iter().flatten() {
                    if kind.is_glob() {
                        open.push(self.side.node(*source)?.module);
                    }
                }
            }
            Place::Of(item) => {
                let node = self.side.node(item)?;
                open.push(self.module(node.parent?));
                for (kind, source) in self.bringing().get(&item).into_iter().flatten() {
                    if matches!(kind, EdgeKind::Imports | EdgeKind::Reexports) {
                        open.push(self.side.node(*source)?.module);
                    }
                }
            }
        }
        let mut found = BTreeSet::new();
        while let Some(at) = open.pop() {
            if !found.insert(at) {
                continue;
            }
            let node = self.side.assembly.nodes.get(at)?;
            for (kind, source) in self.bringing().get(&node.id).into_iter().flatten() {
                if kind.is_glob() {
                    open.push(self.side.node(*source)?.module);
                }
            }
            // What a macro call declares may be part of the module around.
            let instance = self.side.tree.instances.get(node.instance);
            if instance.is_some_and(|instance| instance.made.is_some())
                && let Some(parent) = node.parent
            {
                open.push(self.module(parent));
            }
        }
        Some(found)
    }

    /// Names by which paths go through a module.
    fn names(&self, module: &'s Node) -> Vec<&'s str> {
        if module.parent.is_some() {
            return vec![&module.name];
        }
        let instance = self.side.tree.instances.get(module.instance);
        let krate = instance.and_then(|instance| self.side.tree.crates.get(instance.krate));
        let Some(krate) = krate else { return Vec::new() };
        let mut names = vec![module.name.as_str()];
        if !matches!(krate.target.kind, TargetKind::Lib | TargetKind::ProcMacro) {
            return names;
        }
        names.push(&krate.target.crate_name);
        let packages = &self.side.layout.packages;
        let own = krate.package.and_then(|own| packages.get(own.index()));
        let dependencies = packages.iter().flat_map(|package| &package.dependencies);
        let of_own = dependencies.filter(|(_, package)| own.is_some_and(|o| o.name == *package));
        names.extend(of_own.map(|(name, _)| name.as_str()));
        names
    }

    /// What brings each item into a scope: imports and globs with their scopes, by target.
    fn bringing(&self) -> &HashMap<NodeId, Vec<(EdgeKind, NodeId)>> {
        self.bringing.get_or_init(|| {
            let mut by_target: HashMap<NodeId, Vec<(EdgeKind, NodeId)>> = HashMap::default();
            for edge in &self.side.assembly.edges {
                if !matches!(edge.kind, EdgeKind::ImplFor | EdgeKind::ImplOf) {
                    by_target.entry(edge.target).or_default().push((edge.kind, edge.source));
                }
            }
            by_target
        })
    }

    /// Adds the names that imports give to what has one of these names.
    fn add_aliases(&self, names: &mut BTreeSet<&'s str>) {
        let aliases = self.aliases.get_or_init(|| {
            let mut aliases: HashMap<&str, BTreeSet<&str>> = HashMap::default();
            let items = self.side.files.iter().flat_map(|(_, tree)| &tree.items);
            for item in items {
                match &item.header {
                    Header::Import { leaves } => {
                        for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                            let last = leaf.path.iter().rfind(|segment| *segment != "self");
                            if let Some(last) = last.filter(|last| **last != leaf.name) {
                                aliases.entry(last).or_default().insert(&leaf.name);
                            }
                        }
                    }
                    Header::ExternCrate { of: Some(of), .. } => {
                        aliases.entry(of).or_default().insert(&item.name);
                    }
                    _ => {}
                }
            }
            aliases
        });
        let mut open: Vec<&str> = names.iter().copied().collect();
        while let Some(name) = open.pop() {
            for alias in aliases.get(name).into_iter().flatten() {
                if names.insert(alias) {
                    open.push(alias);
                }
            }
        }
    }
}
