//! Impls by their types and traits.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::lower::Sig;
use super::types::{Def, Name, TraitRef, Type};
use super::world::World;
use crate::model::NodeKind;

/// The outermost part of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Head {
    Def(Def),
    External(Arc<str>),
    Prim(Name),
    Ref,
    Ptr,
    Slice,
    Array,
    Tuple,
    Fn,
    Dyn(Def),
}

impl Head {
    pub(super) fn of(ty: &Type) -> Option<Head> {
        Some(match ty {
            Type::Adt(def, _) => Head::Def(*def),
            Type::External(path, _) => Head::External(path.clone()),
            Type::Prim(name) => Head::Prim(*name),
            Type::Ref(_) => Head::Ref,
            Type::Ptr(_) => Head::Ptr,
            Type::Slice(_) => Head::Slice,
            Type::Array(_) => Head::Array,
            Type::Tuple(_) => Head::Tuple,
            Type::Fn(_) => Head::Fn,
            Type::Bounded(bounds) => Head::Dyn(bounds.first()?.def()?),
            _ => return None,
        })
    }
}

/// One member of an impl.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub of: Def,
    pub item: Def,
}

/// Impls of workspace and library.
#[derive(Debug, Default)]
pub(super) struct Impls {
    /// Members of impls without a trait, by type and name.
    pub inherent: HashMap<(Head, Name), Vec<Member>>,
    /// Members of impls of traits.
    pub of_traits: HashMap<(Head, Name), Vec<Member>>,
    /// Impls of a trait of the world for a type.
    pub pairs: HashMap<(Head, Def), Vec<Def>>,
    /// Traits of the world that a type has impls or derives of; sorted.
    pub traits: HashMap<Head, Vec<Def>>,
    /// Types with an impl of a trait that is not in the world.
    pub outside: HashMap<Head, Vec<Def>>,
    /// Impls for a type parameter, by trait.
    pub blanket: HashMap<Def, Vec<Def>>,
    /// Traits with such impls; sorted.
    pub blanket_traits: Vec<Def>,
}

impl Impls {
    pub(super) fn of(world: &World<'_>) -> Self {
        let defs: Vec<Def> = (0..world.infos.len() as Def).collect();
        let impls: Vec<(Def, Arc<Sig>)> = defs
            .par_iter()
            .filter(|def| world.kind(**def) == NodeKind::Impl)
            .map(|def| (*def, world.sig(*def)))
            .collect();
        let mut all = Impls::default();
        for (def, sig) in &impls {
            all.add(world, *def, sig);
        }
        let types = [NodeKind::Struct, NodeKind::Enum, NodeKind::Union];
        let derived: Vec<(Def, Arc<Sig>)> = defs
            .par_iter()
            .filter(|def| types.contains(&world.kind(**def)))
            .map(|def| (*def, world.sig(*def)))
            .collect();
        for (def, sig) in derived {
            for derive in &sig.derives {
                if let TraitRef::Def(of) = derive {
                    let head = Head::Def(world.twins.first(def));
                    all.traits.entry(head).or_default().push(*of);
                }
            }
        }
        for (head, of) in &world.made.traits {
            all.traits.entry(head.clone()).or_default().push(*of);
        }
        for traits in all.traits.values_mut() {
            traits.sort_unstable();
            traits.dedup();
        }
        all.blanket_traits = all.blanket.keys().copied().collect();
        all.blanket_traits.sort_unstable();
        all
    }

    fn add(&mut self, world: &World<'_>, def: Def, sig: &Sig) {
        let Some(ty) = &sig.ty else { return };
        let members = world.members(def);
        let Some(head) = Head::of(ty) else {
            if let (Type::Param(..), Some(of)) = (ty, sig.of_trait.as_ref().and_then(|b| b.def())) {
                self.blanket.entry(of).or_default().push(def);
            }
            return;
        };
        let table = match &sig.of_trait {
            None => &mut self.inherent,
            Some(_) => &mut self.of_traits,
        };
        for item in members {
            let key = (head.clone(), world.name(item));
            table.entry(key).or_default().push(Member { of: def, item });
        }
        match sig.of_trait.as_ref().map(|bound| &bound.of) {
            Some(TraitRef::Def(of)) => {
                self.pairs.entry((head.clone(), *of)).or_default().push(def);
                self.traits.entry(head).or_default().push(*of);
            }
            Some(_) => self.outside.entry(head).or_default().push(def),
            None => {}
        }
    }
}
