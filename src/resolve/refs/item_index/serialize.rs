//! Serializes an item index: its tables, without what is computed again when it is asked for.

use std::sync::Arc;

use super::super::cfg_duplicates::CfgDuplicates;
use super::super::impl_tables::Impls;
use super::file_items::FileItems;
use super::name_table::NameLayers;
use super::{ItemIndex, Libraries, ScopedTraits};
use crate::crate_maps::{CrateMaps, Input};
use crate::scope::Scopes;
use crate::shared_files::SharedFiles;
use asof_model::OrNever;

/// How many names and definitions other crates have, and texts of names.
type Names<'a> = ([usize; 2], Vec<&'a str>);

/// What several definitions have in common.
type Relations = (CfgDuplicates, Impls);

impl<'a> ItemIndex<'a> {
    /// The stored form: the same index is [`ItemIndex::restored`] from it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let names: Names<'_> = (self.library.counts(), self.names.texts().collect());
        let relations = (&self.twins, &self.impls);
        postcard::to_allocvec(&(names, &self.files, relations))
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
        let read: (Names<'a>, SharedFiles<FileItems>, Relations) =
            postcard::from_bytes(bytes).ok()?;
        let ((outside, texts), files, relations) = read;
        let mut world = Self::empty(input, assembly, scopes, libraries);
        let is_sound = |(file, number): (&FileItems, _)| {
            let nodes = assembly.nodes.file(number);
            nodes.is_some_and(|nodes| {
                let mut infos = file.infos.iter().zip(nodes.numbers());
                file.infos.len() == nodes.nodes.len() && infos.all(|(info, at)| info.parent <= at)
            })
        };
        let fits = outside == world.library.counts()
            && files.len() == input.instances.len()
            && files.iter().zip(input.instances.indices()).all(is_sound);
        if !fits {
            return None;
        }
        let names = NameLayers::new(
            world.library.names().end(),
            texts.into_iter().map(Arc::from).collect(),
        );
        if !libraries.restore(assembly, &files, &names) {
            return None;
        }
        world.take(files, names);
        (world.twins, world.impls) = relations;
        world.scoped = ScopedTraits::new(&world);
        Some(world)
    }
}
