//! Resolves paths as seen from a module, for code that is not written yet.

use std::collections::BTreeSet;

use super::bindings::PathTarget;
use super::crate_maps::CrateMaps;
use super::edge_table::EdgeKind;
use super::enclosing::parent_module;
use super::ids::Def;
use super::namespaces::{ANY, MACROS};
use super::node_table::Node;
use super::scope::Scopes;
use asof_model::{Header, NodeId, NodeKind};

/// A module, or one that would be new in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standpoint {
    /// Node of the module.
    pub module: Def,
    pub is_new: bool,
}

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Nodes; never empty.
    Nodes(BTreeSet<Def>),
    /// A path from a crate outside of the workspace on.
    Outside(Vec<String>),
    Nothing,
}

impl From<PathTarget> for Seen {
    fn from(target: PathTarget) -> Self {
        match target {
            PathTarget::Nodes(found) => Self::Nodes(found.into_iter().map(|(n, _)| n).collect()),
            PathTarget::External(path) => Self::Outside(path.into()),
            PathTarget::Nothing => Self::Nothing,
        }
    }
}

impl Scopes<'_> {
    /// What a path means that is written in a module, in any namespace.
    pub fn meaning(&self, assembly: &CrateMaps, at: Standpoint, path: &[String]) -> Seen {
        let Some(node) = assembly.node(at.module) else { return Seen::Nothing };
        let instance = node.instance;
        let lookup =
            |module: Def, path: &[String]| self.lookup_path(assembly, instance, module, path, ANY);
        if !at.is_new {
            return lookup(at.module, path).into();
        }
        // A new module has nothing but crates, and the macros of the modules around.
        let Some((first, rest)) = path.split_first() else { return Seen::Nothing };
        let target = match first.as_str() {
            "super" if rest.is_empty() => lookup(at.module, &["self".to_owned()]),
            "super" => lookup(at.module, rest),
            "crate" | "" => lookup(at.module, path),
            "self" => PathTarget::Nothing,
            name => match self.crate_named(instance, name) {
                PathTarget::Nothing => self.macro_around(assembly, at.module, name),
                _ if rest.is_empty() => self.crate_named(instance, name),
                _ => {
                    let path: Vec<String> =
                        std::iter::once(String::new()).chain(path.iter().cloned()).collect();
                    lookup(at.module, &path)
                }
            },
        };
        target.into()
    }

    fn macro_around(&self, assembly: &CrateMaps, module: Def, name: &str) -> PathTarget {
        let mut at = Some(module);
        while let Some(here) = at {
            if let found @ PathTarget::Nodes(_) = self.lookup(assembly, here, name, MACROS, module)
            {
                return found;
            }
            at = parent_module(assembly, here);
        }
        PathTarget::Nothing
    }

    /// The module within which a node is visible where its container is; none if everywhere.
    pub fn visible_within(&self, assembly: &CrateMaps, node: &Node) -> Option<Def> {
        // Where a macro is visible depends on the order of the text, or it is exported.
        if node.kind == NodeKind::Macro {
            return None;
        }
        let parent = node.parent?;
        let container = assembly.node(parent)?;
        let (instance, item) = match (node.kind, node.declared_in) {
            (NodeKind::Module, Some(declared_in)) => declared_in,
            _ => (node.instance, node.item),
        };
        let item = self.input.item_tree(instance).get(item as usize)?;
        let items = self.input.item_tree(container.instance);
        let header = items.get(container.item as usize).map(|item| &item.header);
        let is_shared = matches!(
            container.kind,
            NodeKind::Trait | NodeKind::Enum | NodeKind::Variant | NodeKind::MacroCall
        ) || matches!(header, Some(Header::Impl { of_trait: Some(_), .. }));
        if is_shared {
            None
        } else {
            self.seen_within(assembly, instance, parent, &item.visibility)
        }
    }

    /// What the path of the trait means whose impl an associated item is in.
    pub fn impl_trait(&self, assembly: &CrateMaps, node: &Node) -> Seen {
        let Some(container) = node.parent.and_then(|parent| assembly.node(parent)) else {
            return Seen::Nothing;
        };
        let items = self.input.item_tree(container.instance);
        let header = items.get(container.item as usize).map(|item| &item.header);
        let Some(Header::Impl { of_trait: Some(of), .. }) = header else { return Seen::Nothing };
        let at = Standpoint { module: container.module, is_new: false };
        self.meaning(assembly, at, &of.path)
    }

    /// The fields of a tuple struct: who uses its constructor must see them.
    pub fn places_of<'n>(&self, assembly: &'n CrateMaps, node: &Node) -> Vec<&'n Node> {
        let instance = node.instance;
        let items = self.input.item_tree(instance).iter().enumerate();
        let fields = items.filter(|(_, item)| {
            item.parent == node.item
                && item.kind == NodeKind::Field
                && item.name.starts_with(|c: char| c.is_ascii_digit())
        });
        let own = node.kind == NodeKind::Struct;
        fields.filter(|_| own).filter_map(|(at, _)| assembly.node_of(instance, at as u32)).collect()
    }

    /// Whether a definition or an import binds a name in a module, rather than a glob.
    pub fn binds(&self, module: Def, name: &str) -> bool {
        let bound = self.bound(module, name);
        bound.is_some_and(|bound| !bound.bindings.list.is_empty()) || self.exports(module, name)
    }

    /// Whether a module is within another; everything is within none.
    pub fn is_within(&self, assembly: &CrateMaps, module: Def, within: Option<Def>) -> bool {
        self.visible(assembly, within, module)
    }

    /// Scopes that bring in the names of a module by a glob, and whether for everyone.
    pub fn globs_of(&self, module: Def) -> impl Iterator<Item = (Def, bool)> {
        let all = self.all_globs();
        all.filter(move |(_, target, _)| *target == module)
            .map(|(scope, _, public)| (scope, public))
    }

    /// What is bound in a module: by definitions, imports (also as `_`) and globs. Globs of globs
    /// are followed.
    pub fn bound_in(&self, assembly: &CrateMaps, module: Def) -> Vec<Seen> {
        let mut scopes = BTreeSet::from([module]);
        let mut open = vec![module];
        while let Some(scope) = open.pop() {
            let brought = self.all_globs().filter(|(of, ..)| *of == scope);
            open.extend(brought.map(|(_, target, _)| target).filter(|one| scopes.insert(*one)));
        }
        let seen = |scope: Def, within: Option<Def>| {
            scope == module || self.visible(assembly, within, module)
        };
        let mut found = Vec::new();
        for scope in &scopes {
            let names = self.file(*scope).into_iter().flat_map(|file| file.bound.names(*scope));
            let bindings = names.flat_map(|(_, bound)| &bound.bindings.list);
            let visible = bindings.filter(|one| seen(*scope, one.within));
            found.extend(visible.map(|one| Seen::from(one.target.clone())));
            found.extend(self.exports_in(*scope).map(Seen::from));
        }
        let unnamed = scopes.iter().flat_map(|scope| self.unnamed_in(*scope));
        found.extend(unnamed.map(|target| Seen::from(target.clone())));
        found
    }
}

impl CrateMaps {
    /// The trait that an associated item belongs to: of the trait itself, or of an impl.
    pub fn trait_of(&self, node: &Node) -> Option<NodeId> {
        let container = self.node(node.parent?)?;
        if container.kind == NodeKind::Trait {
            return Some(container.id);
        }
        let mut edges = self.edges_of(container.id);
        edges.find(|edge| edge.kind == EdgeKind::ImplOf).map(|edge| edge.target)
    }
}
