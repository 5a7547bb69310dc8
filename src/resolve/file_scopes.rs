//! The names of scopes by the file that these are in. States share the names of a file that mean the
//! same in both.

use serde::{Deserialize, Serialize};

use super::bindings::{Binding, Bindings, OutsidePath, PathTarget};
use super::ids::Def;
use super::mentioned_names::MentionedNames;
use super::numbers::{Numbers, Renumber};
use asof_model::HashMap;

/// Names of scopes, each with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScopeNames<T>(HashMap<Def, HashMap<Box<str>, T>>);

impl<T> Default for ScopeNames<T> {
    fn default() -> Self {
        ScopeNames(HashMap::default())
    }
}

impl<T> ScopeNames<T> {
    pub fn get(&self, scope: Def, name: &str) -> Option<&T> {
        self.0.get(&scope)?.get(name)
    }

    pub fn insert(&mut self, scope: Def, name: &str, of: T) {
        self.0.entry(scope).or_default().insert(name.into(), of);
    }

    pub fn remove(&mut self, scope: Def, name: &str) {
        if let Some(names) = self.0.get_mut(&scope) {
            names.remove(name);
            if names.is_empty() {
                self.0.remove(&scope);
            }
        }
    }

    /// The names of a scope.
    pub fn names(&self, scope: Def) -> impl Iterator<Item = (&str, &T)> {
        let names = self.0.get(&scope).into_iter().flatten();
        names.map(|(name, of)| (&**name, of))
    }

    pub fn scopes(&self) -> impl Iterator<Item = Def> {
        self.0.keys().copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Def, &str, &T)> {
        let all = self.0.iter();
        all.flat_map(|(scope, names)| names.iter().map(|(name, of)| (*scope, &**name, of)))
    }
}

impl<T: Renumber> Renumber for ScopeNames<T> {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let names = |names: &HashMap<Box<str>, T>| {
            names.iter().map(|(name, of)| (name.clone(), of.renumber(numbers))).collect()
        };
        let all = self.0.iter();
        ScopeNames(all.map(|(scope, of)| (numbers.def(*scope), names(of))).collect())
    }
}

impl<T: Default> ScopeNames<T> {
    /// Changes what is known of a name, which may be nothing so far.
    pub fn update<R>(&mut self, scope: Def, name: &str, update: impl FnOnce(&mut T) -> R) -> R {
        let names = self.0.entry(scope).or_default();
        if let Some(known) = names.get_mut(name) {
            return update(known);
        }
        let mut new = T::default();
        let result = update(&mut new);
        names.insert(name.into(), new);
        result
    }
}

/// What the scopes of a file bind, and what its imports lead to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileScopes {
    pub bound: ScopeNames<BoundName>,
    /// Scope above, for scopes in the file: the enclosing item or block.
    pub outer: HashMap<Def, Def>,
    /// Macros that the root of the crate has, too.
    pub exported: Vec<(Box<str>, Def)>,
    /// Modules that stand for files which `include!` puts into scopes of this one.
    pub included: Vec<(Def, Def)>,
    /// What the imports lead to, in their order.
    pub targets: Vec<PathTarget>,
    pub globs: Vec<FileGlob>,
    /// Globs of modules that are not of the workspace, by scope, in order, and whether they are
    /// public.
    pub outside_globs: HashMap<Def, Vec<(OutsidePath, bool)>>,
    /// Traits that are imported as `_`, by scope.
    pub unnamed: HashMap<Def, Vec<PathTarget>>,
    /// Paths outside of the workspace by another that a scope imports under the same name.
    pub homonyms: Vec<(OutsidePath, OutsidePath)>,
    /// Names in paths of imports.
    pub mentions: MentionedNames,
}

/// A name in a scope.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BoundName {
    pub bindings: Bindings,
    /// Whether a named import binds it, or would if it led somewhere.
    pub is_declared: bool,
}

/// A glob of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileGlob {
    pub scope: Def,
    pub target: Def,
    /// Module within which the names are visible; none if everywhere.
    pub within: Option<Def>,
}

impl FileScopes {
    /// Binds a name; whether the binding is new, and whether it is the first of the name.
    pub fn bind(&mut self, scope: Def, name: &str, binding: Binding) -> (bool, bool) {
        self.bound.update(scope, name, |bound| {
            let is_first = bound.bindings.list.is_empty();
            (bound.bindings.add(binding), is_first)
        })
    }

    /// Whether it is the same with other numbers.
    pub fn keeps(&self, numbers: &Numbers) -> bool {
        let bindings = self.bound.iter().flat_map(|(_, _, bound)| &bound.bindings.list);
        let bound = bindings.flat_map(|one| one.target.nodes().chain(one.within));
        let outer = self.outer.iter().flat_map(|(scope, outer)| [*scope, *outer]);
        let globs = self.globs.iter().flat_map(|glob| [Some(glob.target), glob.within]);
        let targets = self.targets.iter().flat_map(PathTarget::nodes);
        let included = self.included.iter().map(|(_, module)| *module);
        let mut all = bound.chain(outer).chain(globs.flatten()).chain(targets).chain(included);
        all.all(|def| numbers.keeps_def(def))
    }
}

impl Renumber for BoundName {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let mut bindings = Bindings::default();
        for one in &self.bindings.list {
            bindings.add(Binding {
                target: one.target.renumber(numbers),
                within: one.within.renumber(numbers),
                import: one.import,
            });
        }
        BoundName { bindings, is_declared: self.is_declared }
    }
}

impl Renumber for FileScopes {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let def = |def: &Def| numbers.def(*def);
        let glob = |glob: &FileGlob| FileGlob {
            scope: def(&glob.scope),
            target: def(&glob.target),
            within: glob.within.renumber(numbers),
        };
        let exported = self.exported.iter();
        let unnamed = self.unnamed.iter();
        FileScopes {
            bound: self.bound.renumber(numbers),
            outer: self.outer.iter().map(|(scope, outer)| (def(scope), def(outer))).collect(),
            exported: exported.map(|(name, of)| (name.clone(), def(of))).collect(),
            included: self.included.iter().map(|(scope, of)| (def(scope), def(of))).collect(),
            targets: self.targets.renumber(numbers),
            globs: self.globs.iter().map(glob).collect(),
            outside_globs: self
                .outside_globs
                .iter()
                .map(|(scope, globs)| (def(scope), globs.clone()))
                .collect(),
            unnamed: unnamed.map(|(scope, of)| (def(scope), of.renumber(numbers))).collect(),
            homonyms: self.homonyms.clone(),
            mentions: self.mentions.clone(),
        }
    }
}
