//! The types of the workspace that aliases stand for.
//!
//! An impl for an alias is one for the type that it stands for, and of an impl of another crate's trait,
//! nothing else says which values have it.
//!
//! ```text
//! type Words = List<String>;        // `impl Display for Words`: of `List`, if that is of the workspace
//! type Pair<T> = (T, T);            // no type has this name, and which impls are met is not known
//! type Own<List> = List;            // a trap: a parameter, whatever `List` is elsewhere
//! ```

use super::super::bindings::PathTarget;
use super::super::crate_maps::CrateMaps;
use super::super::enclosing::scope_of;
use super::super::namespaces::TYPES;
use super::super::scope::Scopes;
use super::sig;
use super::types::Def;
use asof_model::{NodeKind, Ty};

/// Aliases of aliases that are followed.
const MAX_ALIASES: u32 = 8;

impl Scopes<'_> {
    /// The types of the workspace that a definition is or, as an alias, stands for under any condition;
    /// none if it may be another.
    pub fn types_behind(&self, assembly: &CrateMaps, def: Def) -> Option<Vec<Def>> {
        let mut types = Vec::new();
        self.add_types(assembly, def, MAX_ALIASES, &mut types)?;
        Some(types)
    }

    fn add_types(
        &self,
        assembly: &CrateMaps,
        def: Def,
        depth: u32,
        types: &mut Vec<Def>,
    ) -> Option<()> {
        let node = assembly.nodes.get(def)?;
        match node.kind {
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::ForeignType => {
                types.push(def);
                return Some(());
            }
            NodeKind::TypeAlias => {}
            _ => return None,
        }
        let depth = depth.checked_sub(1)?;
        let items = self.input.item_tree(node.instance);
        let item = items.get(node.item as usize)?;
        let (uses, words) = sig::read_one(&item.sig);
        let read = uses.items.first()?;
        let word = |name: asof_model::Sym| words.get(name.0 as usize).copied();
        let Ty::Path(path) = uses.ty(read.ty?) else { return None };
        let written = uses.path(path);
        if written.qself.is_some() {
            return None;
        }
        let segments = uses.segs(path).iter().map(|seg| word(seg.name).map(str::to_owned));
        let path: Vec<String> = segments.collect::<Option<_>>()?;
        let first = path.first()?;
        let generics = uses.generics(read.generics).iter();
        if generics.filter_map(|generic| word(generic.name)).any(|name| name == first) {
            return None;
        }
        let index = assembly.nodes.item_nodes(node.instance);
        let scope = scope_of(assembly, items, index, node.item as usize);
        let found = if written.global {
            self.lookup_global_path(assembly, node.instance, scope, &path, TYPES)
        } else {
            self.lookup_path(assembly, node.instance, scope, &path, TYPES)
        };
        let PathTarget::Nodes(found) = found else { return None };
        found.into_iter().try_for_each(|(def, _)| self.add_types(assembly, def, depth, types))
    }
}
