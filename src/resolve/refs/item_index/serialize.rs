//! Serializes an item index: its tables, without what is computed again when it is asked for.

use std::collections::BTreeMap;

use super::super::cfg_duplicates::CfgDuplicates;
use super::super::dependencies::Dependencies;
use super::super::impls::Impls;
use super::super::types::{Def, Name};
use super::traits_in_scope::ScopedTraits;
use super::{Info, ItemIndex};
use crate::crate_maps::{CrateMaps, Input};
use crate::scope::Scopes;
use asof_model::{HashMap, HashSet, OrNever};

/// Definitions: their data, where the children of each begin, children in order and by name.
type Definitions = (Vec<Info>, Vec<u32>, Vec<Def>, Vec<Def>);

/// Lookups by definition or name, as in [`ItemIndex`].
type Lookups = (
    HashMap<(Def, Name), Vec<Def>>,
    HashMap<Name, Vec<Def>>,
    HashMap<(Def, Name), u32>,
    HashMap<Name, Vec<Def>>,
    HashMap<Name, Vec<Def>>,
);

/// Texts of names, the names of each library, names of its methods and of the workspace's items, and
/// of methods with wrapped receivers.
type Names<'a> = (Vec<&'a str>, Vec<Vec<Name>>, HashSet<Name>, HashSet<Name>, HashSet<Name>);

/// What several definitions have in common.
type Relations = (
    BTreeMap<Def, Vec<Def>>,
    CfgDuplicates,
    Impls,
    ScopedTraits,
    HashMap<Vec<String>, Vec<Vec<String>>>,
);

impl<'a> ItemIndex<'a> {
    /// The stored form: the same index is [`ItemIndex::restored`] from it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let libraries: Vec<&Vec<Name>> = self.libraries.iter().map(|one| &one.names).collect();
        let definitions = (&self.infos, &self.starts, &self.children, &self.by_name);
        let lookups =
            (&self.in_calls, &self.traits_with, &self.generics, &self.methods, &self.fields);
        let (methods, items) = (&self.library_methods, &self.item_names);
        let names = (&self.texts, libraries, methods, items, &self.wrapped_receivers);
        let relations = (&self.suites, &self.twins, &self.impls, &self.scoped, &self.homonyms);
        postcard::to_allocvec(&(definitions, lookups, names, relations))
            .or_never("a world has a stored form")
    }

    /// The item index that [`ItemIndex::to_bytes`] was called of, if the rest is the same; none if the bytes
    /// are not those of such an index.
    pub fn restored(
        bytes: &'a [u8],
        input: Input<'a>,
        assembly: &'a CrateMaps,
        scopes: &'a Scopes<'a>,
        dependencies: &'a Dependencies,
    ) -> Option<Self> {
        let read: (Definitions, Lookups, Names<'a>, Relations) =
            postcard::from_bytes(bytes).ok()?;
        let mut world = Self::empty(input, assembly, scopes, dependencies);
        let (definitions, lookups, names, relations) = read;
        (world.infos, world.starts, world.children, world.by_name) = definitions;
        (world.in_calls, world.traits_with, world.generics, world.methods, world.fields) = lookups;
        let libraries;
        let (texts, names, methods, items, wrapped) = names;
        (world.texts, world.library_methods, world.item_names) = (texts, methods, items);
        (libraries, world.wrapped_receivers) = (names, wrapped);
        let scoped;
        (world.suites, world.twins, world.impls, scoped, world.homonyms) = relations;
        world.scoped = scoped.with_room(&world);
        world.numbers = world.texts.iter().copied().zip((0..).map(Name::new)).collect();
        let lens = world.libraries.iter().map(|one| one.library.len());
        let count = world.first.index() + lens.sum::<usize>();
        let fits = world.infos.len() == count
            && world.starts.len() == world.infos.len() + 1
            && world.libraries.len() == libraries.len()
            // What is above something comes before it, so no walk upward is endless.
            && world.infos.iter().zip(0..).all(|(info, at)| info.parent <= at);
        if !fits {
            return None;
        }
        for (library, names) in world.libraries.iter_mut().zip(libraries) {
            library.names = names;
        }
        world.sigs.resize_with(world.infos.len(), Default::default);
        world.known = world.known();
        Some(world)
    }
}
