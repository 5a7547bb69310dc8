//! Serializes an item index: its tables, without what is computed again when it is asked for.

use std::collections::BTreeMap;

use super::super::cfg_duplicates::CfgDuplicates;
use super::super::impl_tables::Impls;
use super::super::types::{Def, Name};
use super::definition_table::DefinitionTable;
use super::name_table::NameTable;
use super::traits_in_scope::ScopedTraits;
use super::{ItemIndex, Libraries};
use crate::crate_maps::{CrateMaps, Input};
use crate::scope::Scopes;
use asof_model::{HashMap, HashSet, OrNever};

/// Lookups by definition or name, as in [`ItemIndex`].
type Lookups = (HashMap<(Def, Name), u32>, HashMap<Name, Vec<Def>>, HashMap<Name, Vec<Def>>);

/// How many names and definitions other crates have, texts of names, names of the workspace's items, and of methods with wrapped
/// receivers.
type Names<'a> = ([usize; 2], Vec<&'a str>, HashSet<Name>, HashSet<Name>);

/// What several definitions have in common.
type Relations = (BTreeMap<Def, Vec<Def>>, CfgDuplicates, Impls, ScopedTraits);

impl<'a> ItemIndex<'a> {
    /// The stored form: the same index is [`ItemIndex::restored`] from it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let lookups = (&self.generics, &self.methods, &self.fields);
        let names =
            (self.library.counts(), self.names.texts(), &self.item_names, &self.wrapped_receivers);
        let relations = (&self.suites, &self.twins, &self.impls, &self.scoped);
        postcard::to_allocvec(&(&self.own, lookups, names, relations))
            .or_never("a world has a stored form")
    }

    /// The item index that [`ItemIndex::to_bytes`] was called of, if the rest is the same; none if the bytes
    /// are not those of such an index.
    pub fn restored(
        bytes: &'a [u8],
        input: Input<'a>,
        assembly: &'a CrateMaps,
        scopes: &'a Scopes<'a>,
        libraries: &'a Libraries,
    ) -> Option<Self> {
        let read: (DefinitionTable, Lookups, Names<'a>, Relations) =
            postcard::from_bytes(bytes).ok()?;
        let mut world = Self::empty(input, assembly, scopes, libraries);
        let (own, lookups, names, relations) = read;
        let (outside, texts, scoped);
        (world.generics, world.methods, world.fields) = lookups;
        (outside, texts, world.item_names, world.wrapped_receivers) = names;
        (world.suites, world.twins, world.impls, scoped) = relations;
        let fits = outside == world.library.counts()
            && own.are_sound(Def::new(0), assembly.nodes.end().index());
        if !fits {
            return None;
        }
        world.own = own;
        world.names = NameTable::new(world.names.end(), texts);
        world.scoped = scoped.with_room(&world);
        world.sigs.resize_with(world.own.len(), Default::default);
        Some(world)
    }
}
