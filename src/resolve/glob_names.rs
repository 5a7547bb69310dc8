//! What a name means in all scopes that have it through globs, at once: a look-up in each of them
//! follows the globs of all others.

use asof_model::{HashMap, HashSet};

use super::bindings::{Merged, PathTarget};
use super::crate_maps::CrateMaps;
use super::ids::Def;
use super::namespaces::ANY;
use super::nowhere::NOWHERE;
use super::scope::Scopes;

/// A glob: the scope that has the names of another, and where these are visible.
struct Glob {
    scope: Def,
    within: Option<Def>,
}

/// A name that one scope binds, for everyone: it means the same wherever it is seen.
struct CommonName {
    holder: Def,
    target: PathTarget,
    /// Scopes that show it to everyone, through globs.
    shown: HashSet<Def>,
    /// Scopes in which it is seen, through globs.
    seen: HashSet<Def>,
}

/// The names that globs of a workspace bring.
pub(super) struct GlobNames<'s> {
    scopes: &'s Scopes<'s>,
    assembly: &'s CrateMaps,
    globs: Vec<Glob>,
    /// Indices of globs by their targets.
    into: HashMap<Def, Vec<usize>>,
    /// By name; none of what may mean several things.
    common: HashMap<&'s str, Option<CommonName>>,
}

impl<'s> GlobNames<'s> {
    pub(super) fn new(scopes: &'s Scopes<'s>, assembly: &'s CrateMaps) -> Self {
        let (mut globs, mut into): (Vec<Glob>, HashMap<Def, Vec<usize>>) = Default::default();
        for (scope, target, within) in scopes.globs.all() {
            into.entry(target).or_default().push(globs.len());
            globs.push(Glob { scope, within });
        }
        GlobNames { scopes, assembly, globs, into, common: HashMap::default() }
    }

    /// A name in a scope as everyone sees it.
    pub(super) fn shown(&mut self, scope: Def, name: &'s str) -> PathTarget {
        match self.elsewhere(scope, name) {
            Some(common) if common.shown.contains(&scope) => common.target.clone(),
            Some(_) => PathTarget::Nothing,
            None => self.scopes.lookup(self.assembly, scope, name, ANY, NOWHERE),
        }
    }

    /// A name in a scope as the scope itself sees it.
    pub(super) fn seen(&mut self, scope: Def, name: &'s str) -> PathTarget {
        match self.elsewhere(scope, name) {
            Some(common) if common.seen.contains(&scope) => common.target.clone(),
            Some(_) => PathTarget::Nothing,
            None => self.scopes.lookup(self.assembly, scope, name, ANY, scope),
        }
    }

    /// A name that another scope alone binds, for everyone.
    fn elsewhere(&mut self, scope: Def, name: &'s str) -> Option<&CommonName> {
        if !self.common.contains_key(name) {
            self.common.insert(name, self.find(name));
        }
        self.common.get(name)?.as_ref().filter(|common| common.holder != scope)
    }

    fn find(&self, name: &'s str) -> Option<CommonName> {
        let [holder] = self.scopes.holders(name) else { return None };
        // What a macro of the name means depends on how it is asked for.
        if self.scopes.exports(*holder, name) {
            return None;
        }
        let bindings = &self.scopes.bound(*holder, name)?.bindings.list;
        if bindings.iter().any(|binding| binding.within.is_some()) {
            return None;
        }
        let mut nodes = Merged::default();
        let mut outside = None;
        for binding in bindings {
            match &binding.target {
                PathTarget::Nodes(found) => nodes.add(found.iter().copied()),
                PathTarget::External(path) => outside = Some(path.clone()),
                PathTarget::Nothing => {}
            }
        }
        let target = match (nodes.list.is_empty(), outside) {
            (false, _) => PathTarget::Nodes(nodes.list),
            (true, Some(path)) => PathTarget::External(path),
            (true, None) => PathTarget::Nothing,
        };
        let mut common = CommonName {
            holder: *holder,
            target,
            shown: HashSet::default(),
            seen: HashSet::default(),
        };
        let mut known = vec![false; self.globs.len()];
        let mut open: Vec<usize> = self.into.get(holder).cloned().unwrap_or_default();
        while let Some(at) = open.pop() {
            let (Some(glob), Some(is_known)) = (self.globs.get(at), known.get_mut(at)) else {
                continue;
            };
            // An import of the name hides what globs bring, even one that leads nowhere.
            let is_hidden = glob.scope == *holder || self.scopes.declares(glob.scope, name);
            if std::mem::replace(is_known, true) || is_hidden {
                continue;
            }
            if glob.within.is_none() {
                common.shown.insert(glob.scope);
            }
            if self.scopes.visible(self.assembly, glob.within, glob.scope) {
                common.seen.insert(glob.scope);
            }
            for next in self.into.get(&glob.scope).into_iter().flatten() {
                let above = self.globs.get(*next).map(|next| next.scope);
                if above.is_some_and(|above| self.scopes.visible(self.assembly, glob.within, above))
                {
                    open.push(*next);
                }
            }
        }
        Some(common)
    }
}
