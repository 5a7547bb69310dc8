//! What scopes bind, file by file.

use std::sync::Arc;

use super::bindings::{Binding, Bindings, Globs, OutsidePath, PathTarget};
use super::crate_maps::CrateMaps;
use super::file_scopes::{BoundName, FileScopes};
use super::ids::{Def, InstanceId};
use super::namespaces::MACROS;
use super::refs::hash_name;
use super::scope::Scopes;
use super::shared_files::Shared;
use asof_model::{HashMap, HashSet};

impl Scopes<'_> {
    pub(super) fn file(&self, scope: Def) -> Option<&FileScopes> {
        self.files.get(self.pages.instance(scope)?).map(|file| &***file)
    }

    pub(super) fn file_of(&self, number: InstanceId) -> Option<&Arc<Shared<FileScopes>>> {
        self.files.get(number)
    }

    pub(super) fn file_mut(&mut self, number: InstanceId) -> Option<&mut FileScopes> {
        self.files.get_mut(number)
    }

    /// Shares the names of files with an earlier state in which they are the same.
    pub(super) fn share(&mut self, before: &Scopes<'_>) {
        self.files.share(&before.files);
    }

    /// Whether a file has the names that it had, with the same numbers.
    pub(super) fn shares(&self, before: &Scopes<'_>, number: InstanceId) -> bool {
        self.files.shares(number, &before.files, number)
    }

    /// Files that are those of an earlier state, and whose imports may have one of these names in a path.
    pub(super) fn closed_mentioning(
        &self,
        names: &HashSet<u32>,
    ) -> impl Iterator<Item = InstanceId> {
        let closed = self.files.iter_enumerated().filter(|(number, _)| self.is_closed(*number));
        closed.filter(|(_, file)| file.mentions.may_have(names)).map(|(number, _)| number)
    }

    /// What a scope itself binds by a name.
    pub(super) fn bound(&self, scope: Def, name: &str) -> Option<&BoundName> {
        self.file(scope)?.bound.get(scope, name)
    }

    /// Whether a scope is a crate root that has a macro of this name by `#[macro_export]`.
    pub(super) fn exports(&self, scope: Def, name: &str) -> bool {
        self.exported.get(scope, name).is_some()
    }

    /// The macros that a crate root has by `#[macro_export]`.
    pub(super) fn exports_in(&self, scope: Def) -> impl Iterator<Item = PathTarget> {
        let macros = self.exported.names(scope).flat_map(|(_, macros)| macros);
        macros.map(|def| PathTarget::node(*def, MACROS))
    }

    /// The scope around another, for items in bodies: the enclosing function or module.
    pub(super) fn outer(&self, assembly: &CrateMaps, scope: Def) -> Option<Def> {
        if let Some(outer) = self.file(scope)?.outer.get(&scope) {
            return Some(*outer);
        }
        // A module with a file of its own is declared in another.
        let (by, _) = assembly.nodes.get(scope)?.declared_in?;
        self.files.get(by)?.outer.get(&scope).copied()
    }

    /// Binds what an import leads to; true if that is new.
    pub(super) fn bind_import(
        &mut self,
        scope: Def,
        name: &str,
        target: PathTarget,
        within: Option<Def>,
    ) -> bool {
        let number = self.pages.instance(scope);
        let Some(file) = number.and_then(|number| self.file_mut(number)) else { return false };
        let (is_new, is_first) = file.bind(scope, name, Binding { target, within, import: true });
        if is_first && let Some(holders) = self.holders.get_mut() {
            hold(holders, scope, name);
        }
        is_new
    }

    /// Binds a name to nothing else.
    pub(super) fn rebind(&mut self, scope: Def, name: &str, bindings: Bindings) {
        let number = self.pages.instance(scope);
        let Some(file) = number.and_then(|number| self.file_mut(number)) else { return };
        let (was_bound, is_bound) = file.bound.update(scope, name, |bound| {
            let (was, is) = (!bound.bindings.list.is_empty(), !bindings.list.is_empty());
            bound.bindings = bindings;
            (was, is)
        });
        if let Some(holders) = self.holders.get_mut().filter(|_| was_bound != is_bound) {
            if is_bound {
                hold(holders, scope, name);
            } else if let Some(holders) = holders.get_mut(name) {
                holders.retain(|holder| *holder != scope);
            }
        }
    }

    /// Brings no names of other scopes in but those of included files and of globs in files that an
    /// earlier state shares.
    pub(super) fn restore_globs(&mut self, assembly: &CrateMaps) {
        self.globs = Globs::default();
        for number in self.input.instances.indices() {
            self.enter_globs(assembly, number);
        }
    }

    /// Brings in the names of included files, and those that come through globs which are known.
    pub(super) fn enter_globs(&mut self, assembly: &CrateMaps, number: InstanceId) {
        let Some(file) = self.files.get(number).cloned() else { return };
        for (scope, module) in &file.included {
            self.push_glob(assembly, *scope, *module, None);
        }
        for glob in &file.globs {
            self.push_glob(assembly, glob.scope, glob.target, glob.within);
        }
    }

    /// The scopes in which a name is bound.
    pub(super) fn holders(&self, name: &str) -> &[Def] {
        let all = self.holders.get_or_init(|| {
            let mut holders = HashMap::default();
            for (scope, name) in self.names() {
                hold(&mut holders, scope, name);
            }
            holders
        });
        all.get(name).map_or(&[], Vec::as_slice)
    }

    /// Brings the names of a scope into another; true if that is new.
    pub(super) fn push_glob(
        &mut self,
        assembly: &CrateMaps,
        scope: Def,
        target: Def,
        within: Option<Def>,
    ) -> bool {
        let inside = self.visible(assembly, Some(target), scope);
        self.globs.add(scope, target, within, inside)
    }

    /// Every target that is bound in a scope, but for macros that crates export.
    pub(super) fn targets(&self, scope: Def) -> impl Iterator<Item = &PathTarget> {
        let bound = self.file(scope).into_iter().flat_map(move |file| file.bound.names(scope));
        let bound = bound.flat_map(|(_, bound)| bound.bindings.list.iter().map(|one| &one.target));
        bound.chain(self.unnamed_in(scope))
    }

    /// Globs in a scope of modules that are not of the workspace.
    pub(super) fn outside_globs_in(&self, scope: Def) -> impl Iterator<Item = &OutsidePath> {
        let globs = self.file(scope).and_then(|file| file.outside_globs.get(&scope));
        globs.into_iter().flatten().map(|(path, _)| path)
    }

    /// Paths outside of the workspace by another that a scope imports under the same name.
    pub(super) fn all_homonyms(&self) -> impl Iterator<Item = &(OutsidePath, OutsidePath)> {
        self.files.iter().flat_map(|file| &file.homonyms)
    }

    /// Each name of each scope with what is bound by it.
    #[cfg(test)]
    pub(super) fn all_bound_names(&self) -> impl Iterator<Item = (Def, &str, &BoundName)> {
        self.files.iter().flat_map(|file| file.bound.iter())
    }

    /// Traits that a scope imports as `_`.
    pub(super) fn unnamed_in(&self, scope: Def) -> impl Iterator<Item = &PathTarget> {
        self.file(scope).and_then(|file| file.unnamed.get(&scope)).into_iter().flatten()
    }

    /// Each scope with the names that are bound in it.
    pub(super) fn names(&self) -> impl Iterator<Item = (Def, &str)> {
        let bound = self.files.iter().flat_map(|file| file.bound.iter());
        let bound = bound.filter(|(_, _, bound)| !bound.bindings.list.is_empty());
        let bound = bound.map(|(scope, name, _)| (scope, name));
        let exported = self.exported.iter().map(|(scope, name, _)| (scope, name));
        let only = exported.filter(|(scope, name)| {
            self.bound(*scope, name).is_none_or(|bound| bound.bindings.list.is_empty())
        });
        bound.chain(only)
    }

    /// The names that are bound in a scope.
    pub(super) fn names_in(&self, scope: Def) -> impl Iterator<Item = &str> {
        let bound = self.file(scope).into_iter().flat_map(move |file| file.bound.names(scope));
        let bound = bound.filter(|(_, bound)| !bound.bindings.list.is_empty());
        let exported = self.exported.names(scope).map(|(name, _)| name);
        bound.map(|(name, _)| name).chain(exported)
    }

    /// Hashes of the names that a glob of these scopes brings.
    pub(super) fn names_behind(&self, mut open: Vec<Def>) -> HashSet<u32> {
        let mut behind: HashSet<Def> = HashSet::default();
        while let Some(at) = open.pop() {
            if behind.insert(at) {
                open.extend(self.globs.targets(at));
            }
        }
        behind.iter().flat_map(|scope| self.names_in(*scope)).map(hash_name).collect()
    }

    /// Each scope with the scopes whose names it brings in, and whether for everyone.
    pub(super) fn all_globs(&self) -> impl Iterator<Item = (Def, Def, bool)> {
        self.globs.all().map(|(scope, target, within)| (scope, target, within.is_none()))
    }

    /// Scopes whose names a scope brings in, of which this may be one.
    pub(super) fn globs_that_may_have(&self, scope: Def, name: &str) -> Vec<Def> {
        let globs = self.globs.that_may_have(scope, || self.holders(name));
        globs.into_iter().map(|(target, _)| target).collect()
    }

    /// Globs of modules that are not of the workspace, by scope, in order, and whether they are
    /// public.
    pub(super) fn outside_globs(&self) -> impl Iterator<Item = (Def, &[String], bool)> {
        let all = self.files.iter().flat_map(|file| &file.outside_globs);
        all.flat_map(|(scope, globs)| {
            globs.iter().map(move |(path, public)| (*scope, &**path, *public))
        })
    }

    /// Named imports hide the names of globs in their own namespaces from here on.
    pub(super) fn settle(&mut self) {
        self.settled = true;
    }

    /// Hashes of the names that imports bind beside globs.
    pub(super) fn names_beside_globs(&self) -> HashSet<u32> {
        let scopes = self.globs.scopes();
        let names = scopes.filter_map(|scope| Some(self.file(scope)?.bound.names(scope)));
        let beside = names.flatten().filter(|(_, bound)| bound.is_declared);
        beside.map(|(name, _)| hash_name(name)).collect()
    }

    /// Whether an import of a scope binds a name, or would if it led somewhere.
    pub(super) fn declares(&self, scope: Def, name: &str) -> bool {
        self.bound(scope, name).is_some_and(|bound| bound.is_declared)
    }

    pub(super) fn declare(&mut self, scope: Def, name: &str) {
        let number = self.pages.instance(scope);
        if let Some(file) = number.and_then(|number| self.file_mut(number)) {
            file.bound.update(scope, name, |bound| bound.is_declared = true);
        }
    }
}

fn hold(holders: &mut HashMap<Box<str>, Vec<Def>>, scope: Def, name: &str) {
    match holders.get_mut(name) {
        Some(scopes) => scopes.push(scope),
        None => {
            holders.insert(name.into(), vec![scope]);
        }
    }
}
