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
    /// The types of the workspace that an alias stands for, under any condition; none if it may stand for
    /// others.
    pub fn types_of_alias(&self, assembly: &CrateMaps, alias: Def) -> Option<Vec<Def>> {
        let mut types = Vec::new();
        self.follow_alias(assembly, alias, MAX_ALIASES, &mut types)?;
        Some(types)
    }

    fn follow_alias(
        &self,
        assembly: &CrateMaps,
        alias: Def,
        depth: u32,
        types: &mut Vec<Def>,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let node = assembly.nodes.get(alias)?;
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
        let index = assembly.index.get(node.instance)?;
        let scope = scope_of(assembly, items, index, node.item as usize);
        let found = if written.global {
            self.lookup_global_path(assembly, node.instance, scope, &path, TYPES)
        } else {
            self.lookup_path(assembly, node.instance, scope, &path, TYPES)
        };
        let PathTarget::Nodes(found) = found else { return None };
        for (def, _) in found {
            match assembly.nodes.get(def)?.kind {
                NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::ForeignType => {
                    types.push(def);
                }
                NodeKind::TypeAlias => self.follow_alias(assembly, def, depth, types)?,
                _ => return None,
            }
        }
        Some(())
    }
}
