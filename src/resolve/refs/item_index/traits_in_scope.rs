//! The traits in scope at a place: only their methods can be called with a dot.

use std::sync::{Arc, OnceLock};

use smallvec::smallvec;

use super::super::super::bindings::{OutsidePath, PathTarget};
use super::super::super::namespaces::TYPES;
use super::super::reads;
use super::super::types::Def;
use super::{Hit, ItemIndex};
use asof_model::{HashSet, NodeKind};

/// Scopes above a scope that are looked at.
const MAX_OUTER: usize = 64;

/// Traits by the scopes that they can be named in, those of globs included.
#[derive(Debug, Default)]
pub(in super::super) struct ScopedTraits {
    /// All traits of a scope, as far as they were needed; sorted.
    all: Vec<OnceLock<Box<[Def]>>>,
}

impl ScopedTraits {
    /// With a place for the traits of each scope.
    pub(super) fn new(world: &ItemIndex<'_>) -> Self {
        let mut scoped = ScopedTraits::default();
        scoped.all.resize_with(world.own.len(), OnceLock::new);
        scoped
    }

    fn collect(world: &ItemIndex<'_>, scope: Def) -> Box<[Def]> {
        let mut found = Vec::new();
        let mut seen = HashSet::from_iter([scope]);
        let mut open = vec![scope];
        while let Some(at) = open.pop() {
            if world.is_library(at) {
                found.extend(world.traits_shown_by(at));
                continue;
            }
            for target in world.scopes().targets(at) {
                found.extend(world.traits_of_target(target));
            }
            let globs = world.scopes().globs.targets(at).chain(world.outside_globs(at));
            open.extend(globs.filter(|target| seen.insert(*target)));
        }
        found.sort_unstable();
        found.dedup();
        found.into()
    }

    fn has(&self, world: &ItemIndex<'_>, scope: Def, of: Def) -> bool {
        let traits = self.all.get(scope.index());
        let all =
            traits.map(|all| all.get_or_init(|| reads::share(|| Self::collect(world, scope))));
        all.is_some_and(|all| all.binary_search(&of).is_ok())
    }
}

impl ItemIndex<'_> {
    /// The traits among what a name means.
    fn traits_of_target(&self, target: &PathTarget) -> Vec<Def> {
        let is_trait = |def: &Def| self.kind(*def) == NodeKind::Trait;
        match target {
            PathTarget::Nodes(nodes) => {
                nodes.iter().map(|(node, _)| *node).filter(is_trait).collect()
            }
            PathTarget::External(path) => {
                self.imported(path).iter().copied().filter(is_trait).collect()
            }
            PathTarget::Nothing => Vec::new(),
        }
    }

    /// What a path of an import means outside of the workspace.
    fn imported(&self, path: &OutsidePath) -> Arc<[Def]> {
        self.library.imported(path, || match self.external(path) {
            Hit::Defs(defs) => defs.into_iter().map(|(def, _)| def).collect(),
            _ => Arc::default(),
        })
    }

    /// What globs in a scope bring the names of that is not of the workspace.
    fn outside_globs(&self, scope: Def) -> impl Iterator<Item = Def> {
        let paths = self.scopes().outside_globs_in(scope);
        paths.flat_map(|path| self.imported(path).to_vec())
    }

    /// Whether the methods of a trait can be called at a scope.
    pub(in super::super) fn in_scope(&self, scope: Def, of: Def) -> bool {
        // Most of its traits are in the prelude.
        if self.is_standard(of) {
            return true;
        }
        self.enclosing(scope).any(|at| self.scoped.has(self, at, of))
    }

    /// Whether something brings a trait into a scope: the prelude, or an import that is known.
    pub(in super::super) fn brings(&self, scope: Def, of: Def) -> bool {
        let shown = |found: Hit| match found {
            Hit::Defs(defs) => defs.iter().any(|(def, _)| *def == of),
            _ => false,
        };
        self.enclosing(scope).any(|at| self.scoped.has(self, at, of))
            || self.is_standard(of) && shown(self.prelude(self.text(self.name(of)), TYPES))
    }

    /// A scope and those around it, up to the module.
    pub(in super::super) fn enclosing(&self, scope: Def) -> impl Iterator<Item = Def> + '_ {
        let mut next = Some(scope);
        let steps = std::iter::from_fn(move || {
            let at = next?;
            next = match self.kind(at) {
                NodeKind::Module => None,
                _ if self.is_library(at) => self.parent(at),
                _ => self.scopes().outer(self.workspace.assembly, at),
            };
            Some(at)
        });
        steps.take(MAX_OUTER)
    }

    /// A name that a glob of a module outside of the workspace brings in.
    pub(super) fn name_of_outside_glob(&self, scope: Def, name: &str, spaces: u8) -> Hit {
        if self.is_library(scope) {
            return Hit::Nothing;
        }
        for at in self.enclosing(scope) {
            for target in self.outside_globs(at) {
                match self.lookup(target, name, spaces, target) {
                    Hit::Nothing => {}
                    found => return found,
                }
            }
        }
        Hit::Nothing
    }

    /// Names that the prelude has from edition 2024 on.
    pub(super) fn prelude_of_2024(&self, scope: Def, name: &str) -> Hit {
        let input = self.input();
        let krate = self.node(scope).and_then(|node| input.instances.get(node.instance));
        let krate = krate.and_then(|instance| input.crates.get(instance.krate));
        let known = matches!(name, "Future" | "IntoFuture");
        if !known || krate.is_none_or(|krate| krate.target.edition.as_str() < "2024") {
            return Hit::Nothing;
        }
        match self.library_path(["future", name].into_iter()) {
            Some(def) => Hit::Defs(smallvec![(def, TYPES)]),
            None => Hit::Nothing,
        }
    }

    /// Whether two impls have the same header: they are under different `cfg` predicates, or one
    /// is split in two.
    pub(in super::super) fn same_header(&self, a: Def, b: Def) -> bool {
        let (Some(first), Some(second)) = (self.item_tree(a), self.item_tree(b)) else {
            return false;
        };
        let of_trait = |of| self.sig(of).of_trait.as_ref().map(|bound| bound.of.clone());
        first.name == second.name && of_trait(a) == of_trait(b)
    }
}
