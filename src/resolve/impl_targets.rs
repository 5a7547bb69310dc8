//! Resolves the types and traits in the headers of impls.
//!
//! `cfg` removes declarations before names are resolved (Rust reference, "Conditional compilation"):
//! what a header means is what its name means in the builds that have the impl.
//!
//! ```text
//! #[cfg(unix)] use crate::a::Handle;
//! #[cfg(not(unix))] struct Handle;
//! #[cfg(not(unix))] impl Clone for Handle { … }   // of the struct alone, not of `a::Handle`
//! impl Drop for Handle { … }                      // of both: each build has one of them
//! ```
//!
//! A trap: what is under `feature = "a"` and what is under `feature = "b"` may be there together, as
//! are features of one name of two packages, so only a contradiction of one crate's flags, or of the
//! target's, parts an impl from a type.

use asof_model::{Flags, HashMap, PathRef, TreeItem};

use super::bindings::{Found, PathTarget};
use super::conditions::{ALWAYS, Conditions};
use super::crate_maps::CrateMaps;
use super::ids::{Def, InstanceId};
use super::import_conditions::Site;
use super::namespaces::TYPES;
use super::scope::Scopes;

/// An impl, and where its header is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImplSite<'a> {
    pub instance: InstanceId,
    pub scope: Def,
    pub node: Def,
    pub item: &'a TreeItem,
}

/// Resolves headers of impls.
pub(super) struct ImplTargets<'s, 'a> {
    scopes: &'s Scopes<'a>,
    /// Those of the scopes, and what is joined here.
    conditions: Conditions,
    /// What types of headers mean, by impl: they are asked for again, and never change.
    types: HashMap<Def, PathTarget>,
}

impl<'s, 'a> ImplTargets<'s, 'a> {
    pub(super) fn new(scopes: &'s Scopes<'a>) -> Self {
        ImplTargets { scopes, conditions: scopes.conditions.clone(), types: HashMap::default() }
    }

    /// What the type in the header of an impl means where the impl is compiled.
    pub(super) fn self_type(
        &mut self,
        assembly: &CrateMaps,
        site: ImplSite<'a>,
        ty: &'a PathRef,
    ) -> &PathTarget {
        let known = self.types.remove(&site.node);
        let found = known.unwrap_or_else(|| self.resolve(assembly, site, ty));
        self.types.entry(site.node).or_insert(found)
    }

    /// What a type or trait in the header of an impl means where the impl is compiled.
    pub(super) fn resolve(
        &mut self,
        assembly: &CrateMaps,
        site: ImplSite<'a>,
        end: &'a PathRef,
    ) -> PathTarget {
        let generic = match end.path.as_slice() {
            [only] => site.item.generics.contains(only),
            [] => true,
            _ => false,
        };
        if generic {
            return PathTarget::Nothing;
        }
        let ImplSite { instance, scope, .. } = site;
        match self.scopes.lookup_path(assembly, instance, scope, &end.path, TYPES) {
            PathTarget::Nodes(found) => {
                let found = self.compiled_with(assembly, site, &end.path, found);
                if found.is_empty() { PathTarget::Nothing } else { PathTarget::Nodes(found) }
            }
            found => found,
        }
    }

    /// Those of several definitions of which some build has one together with the impl.
    fn compiled_with(
        &mut self,
        assembly: &CrateMaps,
        site: ImplSite<'a>,
        path: &'a [String],
        mut found: Found,
    ) -> Found {
        let own = assembly.node(site.node).map_or(ALWAYS, |node| node.condition);
        // Code that no build has is read as if it were there.
        if own == ALWAYS || self.conditions.get(own).is_never() {
            return found;
        }
        let scopes = self.scopes;
        let at = Site { instance: site.instance, scope: site.scope };
        let conditional = &scopes.conditional;
        let ways = conditional.targets((assembly, scopes), (at, path), &mut self.conditions);
        let root = scopes.root_of(site.instance);
        let own = self.conditions.get(own);
        found.retain(|(def, _)| {
            let Some(node) = assembly.node(*def) else { return true };
            let is_near = scopes.root_of(node.instance) == root;
            let of_type = if is_near { Flags::All } else { Flags::OfTarget };
            // The imports of a name alone are of this crate, wherever the type is.
            let of_import = if path.len() == 1 { Flags::All } else { of_type };
            let import = ways.get(def).copied().unwrap_or(ALWAYS);
            let excludes = |under, flags| {
                under != ALWAYS && self.conditions.get(under).contradicts(own, flags)
            };
            !excludes(node.condition, of_type) && !excludes(import, of_import)
        });
        found
    }
}
