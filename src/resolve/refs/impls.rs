//! Impls by their types and traits.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::ids::DefIndex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::known_macros::traits_of_derive;
use super::item_index::{ItemIndex, Loaded};
use super::library::Known;
use super::library::tables::ImplHead;
use super::lower::Sig;
use super::reads;
use super::types::{Bound, Def, Name, TraitRef, Type};
use asof_model::{HashMap, NodeKind, Package};

/// Aliases of aliases that are followed.
const MAX_ALIASES: u32 = 4;

/// Traits that derived ones require, as far as they are followed.
const MAX_SUPERTRAITS: usize = 16;

/// The outermost part of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Head {
    Def(Def),
    #[serde(with = "shared_text")]
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
    pub(super) fn from_type(ty: &Type) -> Option<Head> {
        reads::read_type(ty);
        Some(match ty {
            Type::Adt(def, _) => Head::Def(*def),
            Type::External(path, _) => Head::External(path.clone()),
            Type::Prim(name) => Head::Prim(*name),
            Type::Ref(..) => Head::Ref,
            Type::Ptr(..) => Head::Ptr,
            Type::Slice(_) => Head::Slice,
            Type::Array(_) => Head::Array,
            Type::Tuple(_) => Head::Tuple,
            Type::Fn(_) => Head::Fn,
            Type::Bounded(bounds) => Head::Dyn(bounds.first()?.def()?),
            _ => return None,
        })
    }
}

mod shared_text {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}

/// One member of an impl.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub of: Def,
    pub item: Def,
}

/// Impls of workspace and library.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Impls {
    heads: HashMap<Head, OfHead>,
    /// Impls for a type parameter, by trait.
    pub blanket: HashMap<Def, Vec<Def>>,
    /// Traits with such impls; sorted.
    pub blanket_traits: Vec<Def>,
    /// Types of which an attribute makes projections, by module and the projection's name.
    pub projections: HashMap<(Def, Name), Def>,
}

/// Impls for types with one head. Their members are put into tables when they are asked for first:
/// most types of the library are not used.
#[derive(Debug, Default, Serialize, Deserialize)]
struct OfHead {
    impls: Vec<Def>,
    /// Traits that the type derives.
    derived: Vec<Def>,
    #[serde(skip)]
    tables: OnceLock<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    inherent: HashMap<Name, Vec<Member>>,
    of_traits: HashMap<Name, Vec<Member>>,
    by_trait: HashMap<Def, Vec<Def>>,
    /// Sorted.
    traits: Vec<Def>,
    outside: Vec<Def>,
}

impl Impls {
    pub(super) fn collect(world: &ItemIndex<'_>) -> Self {
        let mut all = Impls::default();
        let own: Vec<Def> = world.own_defs().collect();
        let impls: Vec<(Def, Arc<Sig>)> = own
            .par_iter()
            .filter(|def| world.kind(**def) == NodeKind::Impl)
            .map(|def| (*def, world.sig(*def)))
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
        all.add_libraries(world);
        let types = [NodeKind::Struct, NodeKind::Enum, NodeKind::Union];
        let derived: Vec<(Def, Arc<Sig>)> = own
            .par_iter()
            .filter(|def| types.contains(&world.kind(**def)))
            .map(|def| (*def, world.sig(*def)))
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
        all.blanket_traits = all.blanket.keys().copied().collect();
        all.blanket_traits.sort_unstable();
        all
    }

    fn head(&mut self, head: Head) -> &mut OfHead {
        self.heads.entry(head).or_default()
    }

    /// Impls of crates outside of the workspace, of which the heads are known without their
    /// signatures.
    fn add_libraries(&mut self, world: &ItemIndex<'_>) {
        for of in world.libraries() {
            for one in of.library.impls() {
                let def = of.def(DefIndex::from_raw(one.def));
                match (head_in(world, of, one.head), one.head, one.of) {
                    (Some(head), ..) => self.head(head).impls.push(def),
                    (None, ImplHead::Param, Some(number)) => {
                        if let Some(of) = world.numbered_in(of, number) {
                            self.blanket.entry(of).or_default().push(def);
                        }
                    }
                    _ => {}
                }
            }
            for (ty, number) in of.library.derives() {
                if let Some(derived) = world.numbered_in(of, number) {
                    let traits = known_traits(world, &world.path(derived));
                    let derived = [derived].into_iter().chain(traits);
                    self.head(Head::Def(of.def(ty))).derived.extend(derived);
                }
            }
        }
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
    let traits = traits_of_derive(&packaged(world, derive)).iter();
    let found = traits.filter_map(|path| {
        let path = renamed(world, path);
        world.external_path(path.split("::"))
    });
    found.filter(|def| world.kind(*def) == NodeKind::Trait).collect()
}

/// Dependencies to which manifests give other names than those of their packages.
#[derive(Debug, Default)]
pub(super) struct OtherNames {
    /// By the name in code; none if manifests do not agree on it.
    packages: HashMap<String, Option<String>>,
    /// By the name of the package.
    names: HashMap<String, Option<String>>,
}

impl OtherNames {
    pub(super) fn new(packages: &[Package]) -> Self {
        let mut all = OtherNames::default();
        for (name, package) in packages.iter().flat_map(|package| &package.dependencies) {
            let (name, package) = (name.replace('-', "_"), package.replace('-', "_"));
            agree(&mut all.packages, name.clone(), &package);
            agree(&mut all.names, package, &name);
        }
        let renames =
            |from: &String, to: &mut Option<String>| to.as_ref().is_some_and(|to| to != from);
        all.packages.retain(renames);
        all.names.retain(renames);
        all
    }
}

fn agree(all: &mut HashMap<String, Option<String>>, from: String, to: &str) {
    let known = all.entry(from).or_insert_with(|| Some(to.to_owned()));
    if known.as_deref() != Some(to) {
        *known = None;
    }
}

/// A path from the name of a package on, where a manifest gives the crate another name.
pub(super) fn packaged<'p>(world: &ItemIndex<'_>, path: &'p str) -> Cow<'p, str> {
    named(path, &world.other_names.packages)
}

/// A path as the workspace writes it, where a manifest gives the crate another name.
fn renamed<'p>(world: &ItemIndex<'_>, path: &'p str) -> Cow<'p, str> {
    named(path, &world.other_names.names)
}

/// A path with another first segment, if all that have this one agree on it.
fn named<'p>(path: &'p str, names: &HashMap<String, Option<String>>) -> Cow<'p, str> {
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    match names.get(first) {
        Some(Some(to)) => format!("{to}::{rest}").into(),
        _ => path.into(),
    }
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
pub(super) fn head_in<'a>(world: &ItemIndex<'a>, of: &Loaded<'a>, head: ImplHead) -> Option<Head> {
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
        let of = match head {
            Head::Def(def) => self.impls.heads.get(&Head::Def(self.one_of(*def)))?,
            head => self.impls.heads.get(head)?,
        };
        Some(of.tables.get_or_init(|| reads::share(|| self.tables_of(of))))
    }

    fn tables_of(&self, of: &OfHead) -> Tables {
        let mut tables = Tables { traits: of.derived.clone(), ..Tables::default() };
        for &def in &of.impls {
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
