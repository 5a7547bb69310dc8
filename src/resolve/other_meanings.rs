//! Looks up further meanings of names in scopes: those that globs bring in beside imports, those of
//! other crates, and modules that macro calls declare.

use super::bindings::{Binding, Merged, OutsidePath, PathTarget};
use super::crate_maps::CrateMaps;
use super::enclosing::parent_module;
use super::file_scopes::FileScopes;
use super::ids::{Def, InstanceId};
use super::namespaces::TYPES;
use super::scope::Scopes;
use asof_model::HashMap;

impl Scopes<'_> {
    /// Binds the names of the modules that a macro call declares.
    pub(super) fn define_modules(
        &self,
        assembly: &CrateMaps,
        number: InstanceId,
        call: u32,
        scope: Def,
        file: &mut FileScopes,
    ) {
        for &module in assembly.variants.get(&(number, call)).into_iter().flatten() {
            let Some(instance) = assembly.node(module).map(|node| node.instance) else { continue };
            file.outer.insert(module, scope);
            if let Some(made) = self.input.instances.get(instance).and_then(|of| of.made.as_ref()) {
                if made.is_included() {
                    file.included.push((scope, module));
                    continue;
                }
                let within = self.seen_within(assembly, number, scope, &made.visibility);
                let target = PathTarget::node(module, TYPES);
                file.bind(scope, &made.name, Binding { target, within, import: false });
            }
        }
    }

    /// The module that the items of a module are in: that around an included file.
    pub(super) fn home(&self, assembly: &CrateMaps, module: Def) -> Def {
        let mut at = module;
        while self.included.contains(&at)
            && let Some(around) = parent_module(assembly, at)
        {
            at = around;
        }
        at
    }

    /// A name that the globs of a scope bring in, whatever else binds it there.
    pub(super) fn lookup_globs(
        &self,
        assembly: &CrateMaps,
        scope: Def,
        name: &str,
        spaces: u8,
        seen_from: Def,
    ) -> PathTarget {
        let mut result = Merged::default();
        for (target, within) in self.globs.that_may_have(scope, || self.holders(name)) {
            if self.visible(assembly, within, seen_from)
                && let PathTarget::Nodes(more) = self.lookup(assembly, target, name, spaces, scope)
            {
                result.add(more);
            }
        }
        if !result.list.is_empty() { PathTarget::Nodes(result.list) } else { PathTarget::Nothing }
    }

    /// Paths outside of the workspace that a name is bound to in a scope: a trait and its derive are
    /// two imports of one name.
    pub(super) fn outside_bindings(
        &self,
        assembly: &CrateMaps,
        scope: Def,
        name: &str,
        seen_from: Def,
    ) -> Vec<OutsidePath> {
        let bound = self.bound(scope, name).into_iter().flat_map(|bound| &bound.bindings.list);
        let seen = bound.filter(|one| self.visible(assembly, one.within, seen_from));
        let paths = seen.filter_map(|one| match &one.target {
            PathTarget::External(path) => Some(path.clone()),
            _ => None,
        });
        paths.collect()
    }

    /// Paths outside of the workspace by another that some scope imports under the same name.
    pub(super) fn homonyms(&self) -> HashMap<OutsidePath, Vec<OutsidePath>> {
        let mut found: HashMap<OutsidePath, Vec<OutsidePath>> = HashMap::default();
        for (path, other) in self.all_homonyms() {
            found.entry(path.clone()).or_default().push(other.clone());
        }
        for others in found.values_mut() {
            others.sort_unstable();
            others.dedup();
        }
        found
    }
}
