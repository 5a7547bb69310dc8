//! Impls by their types and traits.

use rayon::prelude::*;

use super::super::known_macros::traits_of_derive;
use super::heads::Head;
use super::impl_tables::{Impls, ImplsOfHead, Member, Tables};
use super::item_index::{ItemIndex, Loaded};
use super::library::Known;
use super::library::tables::ImplHead;
use super::lower;
use super::reads;
use super::types::{Bound, Def, Name, Sig, TraitRef, Type};
use crate::ids::DefIndex;
use asof_model::NodeKind;

/// Aliases of aliases that are followed.
const MAX_ALIASES: u32 = 4;

/// Traits that derived ones require, as far as they are followed.
const MAX_SUPERTRAITS: usize = 16;

impl Impls {
    pub(super) fn collect(world: &ItemIndex<'_>) -> Self {
        let mut all = Impls::default();
        // All else that their signatures say is asked of few.
        let impls: Vec<Def> = world.own_impls().collect();
        let impls: Vec<(Def, Sig)> = impls
            .into_par_iter()
            .map(|def| (def, reads::share(|| lower::impl_ends(world, def))))
            .collect();
        for (def, sig) in &impls {
            let Some(ty) = &sig.ty else { continue };
            match (Head::from_type(ty), ty, sig.of_trait.as_ref().and_then(Bound::def)) {
                (Some(Head::Def(of)), ..) => {
                    for one in world.each_of(of).iter() {
                        all.head(Head::Def(*one)).impls.push(*def);
                    }
                }
                (Some(head), ..) => all.head(head).impls.push(*def),
                (None, Type::Param(..), Some(of)) => {
                    all.blanket.entry(of).or_default().push(*def);
                }
                _ => {}
            }
        }
        let types: Vec<Def> = world.own_types().map(|item| item.def).collect();
        let derived: Vec<(Def, Sig)> = types
            .into_par_iter()
            .map(|def| (def, reads::share(|| lower::attributes(world, def))))
            .collect();
        for (def, sig) in derived {
            for name in &sig.projections {
                all.projections.entry((world.module(def), *name)).or_insert(def);
            }
            for derive in &sig.derives {
                let traits = implemented(world, derive);
                all.head(Head::Def(world.twins.first(def))).derived.extend(traits);
            }
        }
        let outside = &world.library_impls().blanket;
        all.blanket_traits = all.blanket.keys().chain(outside.keys()).copied().collect();
        all.blanket_traits.sort_unstable();
        all.blanket_traits.dedup();
        all
    }

    /// Impls of crates outside of the workspace, of which the heads are known without their
    /// signatures.
    pub(super) fn collect_outside(world: &ItemIndex<'_>) -> Self {
        let mut all = Impls::default();
        for of in world.libraries() {
            for one in of.library.impls() {
                let def = of.def(DefIndex::from_raw(one.def));
                match (head_in(world, of, one.head), one.head, one.of) {
                    (Some(head), ..) => all.head(head).impls.push(def),
                    (None, ImplHead::Param, Some(number)) => {
                        if let Some(of) = world.numbered_in(of, number) {
                            all.blanket.entry(of).or_default().push(def);
                        }
                    }
                    _ => {}
                }
            }
            for (ty, number) in of.library.derives() {
                if let Some(derived) = world.numbered_in(of, number) {
                    let traits = known_traits(world, &world.path(derived));
                    let derived = [derived].into_iter().chain(traits);
                    all.head(Head::Def(of.def(ty))).derived.extend(derived);
                }
            }
        }
        all
    }
}

/// The traits that a derive implements.
fn implemented(world: &ItemIndex<'_>, derive: &TraitRef) -> Vec<Def> {
    match derive {
        TraitRef::Def(of) if world.kind(*of) == NodeKind::Trait => with_supertraits(world, *of),
        TraitRef::Def(of) => known_traits(world, &world.path(*of)),
        TraitRef::External(path) => known_traits(world, path),
        TraitRef::Unknown => Vec::new(),
    }
}

/// Traits that a well-known derive implements.
fn known_traits(world: &ItemIndex<'_>, derive: &str) -> Vec<Def> {
    let traits = traits_of_derive(&world.other_names.packaged(derive)).iter();
    let found = traits.filter_map(|path| {
        let path = world.other_names.renamed(path);
        world.external_path(path.split("::"))
    });
    found.filter(|def| world.kind(*def) == NodeKind::Trait).collect()
}

/// A trait that a type derives and, of a dependency's, the traits that it requires of the type.
fn with_supertraits(world: &ItemIndex<'_>, of: Def) -> Vec<Def> {
    let mut all = vec![of];
    let mut at = 0;
    while let Some(&of) = all.get(at).filter(|_| at < MAX_SUPERTRAITS) {
        at += 1;
        if !world.is_library(of) || world.is_standard(of) {
            continue;
        }
        let required = world.sig(of).bounds.iter().filter_map(Bound::def).collect::<Vec<_>>();
        all.extend(required.into_iter().filter(|of| !world.is_standard(*of)));
    }
    all
}

/// The head of an impl of a crate outside of the workspace.
pub(super) fn head_in(world: &ItemIndex<'_>, of: Loaded<'_>, head: ImplHead) -> Option<Head> {
    Some(match head {
        ImplHead::Def(number) => match world.numbered_in(of, number) {
            Some(def) => head_of_def(world, def, MAX_ALIASES)?,
            None => match of.library.known(number) {
                Known::Outside(path) => Head::External(path.into()),
                Known::Definition(_) => return None,
            },
        },
        ImplHead::Prim(name) => Head::Prim(of.word(name)),
        ImplHead::Ref => Head::Ref,
        ImplHead::Ptr => Head::Ptr,
        ImplHead::Slice => Head::Slice,
        ImplHead::Array => Head::Array,
        ImplHead::Tuple => Head::Tuple,
        ImplHead::Fn => Head::Fn,
        ImplHead::Dyn(number) => Head::Dyn(world.numbered_in(of, number)?),
        ImplHead::Param | ImplHead::Other => return None,
    })
}

/// The head of a type that another crate defines, or has an alias for.
fn head_of_def(world: &ItemIndex<'_>, def: Def, depth: u32) -> Option<Head> {
    match world.kind(def) {
        NodeKind::TypeAlias if depth > 0 => match world.sig(def).ty.as_ref()? {
            Type::Adt(def, _) => head_of_def(world, *def, depth - 1),
            ty => Head::from_type(ty),
        },
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union => Some(Head::Def(def)),
        _ => None,
    }
}

impl ItemIndex<'_> {
    fn tables(&self, head: &Head) -> Option<&Tables> {
        let of_first;
        let head = match head {
            Head::Def(def) => {
                of_first = Head::Def(self.one_of(*def));
                &of_first
            }
            head => head,
        };
        let (own, outside) = (&self.impls, self.library_impls());
        let both = [own.heads.get(head), outside.heads.get(head)];
        let [own, outside] = both;
        // Without impls of the workspace, the table is the same for all its states.
        let tables = &own.or(outside)?.tables;
        Some(tables.get_or_init(|| reads::share(|| self.tables_of(both))))
    }

    fn tables_of(&self, both: [Option<&ImplsOfHead>; 2]) -> Tables {
        let mut tables = Tables::default();
        for of in both.iter().flatten() {
            tables.traits.extend(&of.derived);
        }
        for &def in both.iter().flatten().flat_map(|of| &of.impls) {
            let sig = self.sig(def);
            let members = match &sig.of_trait {
                None => &mut tables.inherent,
                Some(_) => &mut tables.of_traits,
            };
            for item in self.members(def) {
                members.entry(self.name(item)).or_default().push(Member { of: def, item });
            }
            match sig.of_trait.as_ref().map(|bound| &bound.of) {
                Some(TraitRef::Def(of)) => {
                    tables.by_trait.entry(*of).or_default().push(def);
                    tables.traits.push(*of);
                }
                Some(_) => tables.outside.push(def),
                None => {}
            }
        }
        tables.traits.sort_unstable();
        tables.traits.dedup();
        tables
    }

    /// Impls of a trait for a type parameter.
    pub(super) fn blanket_impls(&self, of: Def) -> impl Iterator<Item = Def> + '_ {
        let both = [&self.impls, self.library_impls()];
        both.into_iter().flat_map(move |all| all.blanket.get(&of)).flatten().copied()
    }

    /// Members of impls without a trait.
    pub(super) fn inherent(&self, head: &Head, name: Name) -> &[Member] {
        let found = self.tables(head).and_then(|tables| tables.inherent.get(&name));
        found.map_or(&[], Vec::as_slice)
    }

    /// Members of impls of traits.
    pub(super) fn of_traits(&self, head: &Head, name: Name) -> &[Member] {
        let found = self.tables(head).and_then(|tables| tables.of_traits.get(&name));
        found.map_or(&[], Vec::as_slice)
    }

    /// Impls of a trait of the item index for a type.
    pub(super) fn impls_of(&self, head: &Head, of: Def) -> &[Def] {
        let found = self.tables(head).and_then(|tables| tables.by_trait.get(&of));
        found.map_or(&[], Vec::as_slice)
    }

    /// Traits of the item index that a type has impls or derives of; sorted.
    pub(super) fn traits_of(&self, head: &Head) -> &[Def] {
        self.tables(head).map_or(&[], |tables| tables.traits.as_slice())
    }

    /// Impls for a type of traits that are not in the item index.
    pub(super) fn outside_impls(&self, head: &Head) -> &[Def] {
        self.tables(head).map_or(&[], |tables| tables.outside.as_slice())
    }
}
