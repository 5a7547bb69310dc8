//! Crates that a workspace depends on, as tables of their declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::library::{Keep, Library, compile, grafted, prune, tables, without_left_out};
use crate::crate_maps::Input;
use crate::ids::FileId;
use asof_model::{ItemTree, StoredTree};
use index_vec::IndexVec;

/// The declarations of a crate outside of the workspace that its sources were read for.
#[derive(Debug)]
pub struct Declarations(Library);

/// Of a crate that declares nothing.
impl Default for Declarations {
    fn default() -> Self {
        Declarations(Library::new(tables::Tables::default()))
    }
}

impl Declarations {
    /// A file's declarations without those that other crates cannot come upon. A crate of procedural
    /// macros exports nothing else.
    pub fn prune(tree: ItemTree, exports_macros: bool) -> ItemTree {
        prune(tree, exports_macros)
    }

    /// Item trees with what calls of the crate's own macros make, by number of the file; only files
    /// with such calls. Modules in files of their own may be among it.
    pub fn grown(input: Input<'_>) -> BTreeMap<FileId, StoredTree> {
        grafted(input)
    }

    /// The bytes of the declarations of the first crate of an input; what calls of its macros make
    /// is among them if the item trees are [`Declarations::grown`].
    pub fn compile(input: Input<'_>) -> Vec<u8> {
        let trees = without_left_out(input);
        let files = input.files.iter_enumerated();
        let files: IndexVec<FileId, (&str, &StoredTree)> =
            files.map(|(at, (path, tree))| (*path, trees.get(&at).unwrap_or(tree))).collect();
        tables::to_bytes(&compile(Input { files: &files, ..input }, Keep::Reachable))
    }

    /// Reads the bytes again; none if they are damaged.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        Some(Declarations(Library::new(tables::from_bytes(bytes)?)))
    }

    /// The number of definitions.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Crates that the declarations name, by the names that this one has for them.
    pub fn crates(&self) -> BTreeSet<&str> {
        self.0.crates_named()
    }
}

/// A dependency whose declarations are known.
#[derive(Debug, Clone)]
pub struct Dependency {
    declarations: Arc<Declarations>,
    /// Crates by the names that its code has for them: numbers among the dependencies, or none for
    /// those that are not known.
    names: BTreeMap<String, Option<usize>>,
}

impl Dependency {
    /// See [`Dependency`]'s fields.
    pub fn new(declarations: Arc<Declarations>, names: BTreeMap<String, Option<usize>>) -> Self {
        Dependency { declarations, names }
    }

    pub(super) fn library(&self) -> &Library {
        &self.declarations.0
    }

    /// Number among the dependencies of the crate that its code has this name for.
    pub(super) fn crate_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied().flatten()
    }

    /// Names that its code has for crates, known or not.
    pub(super) fn names_of_crates(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    pub(super) fn names_crate(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }
}

/// The dependencies of a workspace that are known.
#[derive(Debug, Clone, Default)]
pub struct Dependencies {
    crates: Vec<Dependency>,
    names: BTreeMap<String, usize>,
}

impl Dependencies {
    /// `names`: numbers of crates by the names that the workspace has for them.
    pub fn new(crates: Vec<Dependency>, names: BTreeMap<String, usize>) -> Self {
        Dependencies { crates, names }
    }

    /// Names that the workspace has for crates, with the numbers of these.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.names.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// Numbers of the crates that the workspace names.
    pub(super) fn direct(&self) -> impl Iterator<Item = usize> {
        self.names.values().copied()
    }

    pub(super) fn crates(&self) -> &[Dependency] {
        &self.crates
    }

    pub(super) fn crate_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    pub(super) fn name_of_crate(&self, number: usize) -> Option<&str> {
        self.names.iter().find(|(_, known)| **known == number).map(|(name, _)| name.as_str())
    }
}
