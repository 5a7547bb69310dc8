//! The crates outside of the workspace as item indices see them: their definitions have numbers from
//! [`Def::FIRST_OUTSIDE`] on, crate by crate, and their names come before all others. These, and what is
//! computed of their declarations, do not depend on the workspace: the states of one share it as long as
//! its dependencies are the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use index_vec::IndexVec;
use rayon::prelude::*;

use super::super::dependencies::Dependencies;
use super::super::impl_tables::Impls;
use super::super::library::Library;
use super::super::library::crates::{Crates, Place};
use super::super::other_names::OtherNames;
use super::super::standard::standard;
use super::super::types::{Def, Name, Sig};
use super::definition_table::{DefinitionTable, Info};
use super::file_items::{FileItems, signatures};
use super::file_sigs::FileSigs;
use super::known::Known;
use super::name_table::{NameLayers, NameTable, NewNames};
use crate::bindings::OutsidePath;
use crate::crate_maps::{CrateMaps, Input};
use crate::ids::{DefIndex, InstanceId, LibraryId};
use crate::shared_files::{Shared, SharedFiles};
use asof_model::{HashMap, HashSet, NodeKind, Package, StoredTree};

/// The crates that a workspace depends on, with what is known of their declarations. States with the same
/// dependencies share it.
#[derive(Debug)]
pub struct Libraries {
    dependencies: Dependencies,
    pub(in super::super) other_names: OtherNames,
    index: OnceLock<LibraryIndex>,
    /// Tells these from those of other states, of which the names have other numbers.
    key: u64,
    /// The names of all states of the workspace that had these dependencies.
    names: Mutex<NameLayers>,
}

impl Default for Libraries {
    fn default() -> Self {
        Libraries::new(Dependencies::default(), &[])
    }
}

impl Libraries {
    /// `packages`: those of the workspace, which may give crates other names.
    pub fn new(dependencies: Dependencies, packages: &[Package]) -> Self {
        let other_names = OtherNames::new(packages);
        static KEYS: AtomicU64 = AtomicU64::new(1);
        let key = KEYS.fetch_add(1, Ordering::Relaxed);
        let (index, names) = (OnceLock::new(), Mutex::default());
        Libraries { dependencies, other_names, index, key, names }
    }

    pub fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    pub(super) fn crates(&self) -> Crates<'_> {
        Crates::new(standard(), &self.dependencies)
    }

    /// What an index has of each file: what a state that shares the definitions of a file found out, or
    /// made anew. And the names.
    pub(super) fn items(
        &self,
        input: Input<'_>,
        maps: &CrateMaps,
    ) -> (SharedFiles<FileItems>, NameLayers) {
        let known = |number| maps.nodes.file(number)?.items.get(self.key);
        let known: IndexVec<InstanceId, Option<Arc<Shared<FileItems>>>> =
            input.instances.indices().map(known).collect();
        let tree = |number: InstanceId| {
            let instance = input.instances.get(number)?;
            input.files.get(instance.file).map(|(_, tree)| *tree)
        };
        let unknown = || {
            let unknown = known.iter_enumerated().filter(|(_, known)| known.is_none());
            unknown.map(|(number, _)| number)
        };
        let trees: Vec<&StoredTree> = unknown().filter_map(tree).collect();
        trees.par_iter().for_each(|tree| _ = signatures(tree));
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names = NewNames::new(self.index().names(), &mut names);
        let files = known.iter_enumerated().map(|(number, known)| {
            if let Some(known) = known {
                return Arc::clone(known);
            }
            let Some((nodes, tree)) = maps.nodes.file(number).zip(tree(number)) else {
                return Arc::default();
            };
            let file = Arc::new(FileItems::new(nodes, tree, &mut names).into());
            nodes.items.set(self.key, Arc::clone(&file));
            file
        });
        let files = files.collect();
        (files, names.finish())
    }

    /// Takes what an index had of each file, and its names, from a stored form; false if there are other
    /// names already.
    pub(super) fn restore(
        &self,
        maps: &CrateMaps,
        files: &SharedFiles<FileItems>,
        names: &NameLayers,
    ) -> bool {
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.is_empty() {
            return false;
        }
        *known = names.clone();
        for (number, file) in files.iter_enumerated() {
            if let Some(nodes) = maps.nodes.file(number) {
                nodes.items.set(self.key, Arc::clone(file));
            }
        }
        true
    }

    pub(super) fn index(&self) -> &LibraryIndex {
        self.index.get_or_init(|| LibraryIndex::new(self.crates()))
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct LibraryIndex {
    /// The standard library, then the dependencies.
    crates: IndexVec<LibraryId, Numbers>,
    pub definitions: DefinitionTable,
    names: NameTable,
    pub known: Known,
    /// Names of methods of the standard library.
    pub methods: HashSet<Name>,
    sigs: Vec<OnceLock<Arc<Sig>>>,
    pub impls: OnceLock<Impls>,
    /// What paths of imports mean: many scopes import the same.
    imported: RwLock<HashMap<OutsidePath, Arc<[Def]>>>,
    /// Paths of definitions of dependencies that others export again.
    facades: OnceLock<HashMap<Place, String>>,
}

/// The numbers of a crate's definitions and names.
#[derive(Debug)]
pub(super) struct Numbers {
    /// Of its root.
    pub first: Def,
    /// Names by the numbers that its tables have for them.
    pub names: Vec<Name>,
    /// Signatures as far as they were needed.
    pub sigs: IndexVec<DefIndex, OnceLock<FileSigs>>,
}

impl LibraryIndex {
    fn new(libraries: Crates<'_>) -> Self {
        let _span = tracing::debug_span!("library_index").entered();
        let mut names: NameTable = NameTable::new(0, Vec::new());
        let (mut infos, mut crates) = (Vec::new(), IndexVec::new());
        for library in libraries.libraries() {
            let numbers = Numbers::new(library, Def::FIRST_OUTSIDE + infos.len(), &mut names);
            infos.extend(library.definitions().map(|(kind, name, parent)| {
                let name = numbers.word(name);
                Info { name, kind, parent: numbers.first + parent as usize }
            }));
            crates.push(numbers);
        }
        let standard = infos.iter().take(standard().len());
        let methods = standard.filter(|info| info.kind == NodeKind::Method);
        let at = |path: &str| {
            def_in(&crates, libraries.find(["std"].into_iter().chain(path.split("::")))?)
        };
        let known = Known::new(at, |text| names.number(text));
        LibraryIndex {
            crates,
            methods: methods.map(|info| info.name).collect(),
            sigs: infos.iter().map(|_| OnceLock::new()).collect(),
            definitions: DefinitionTable::new(Def::FIRST_OUTSIDE, infos),
            names,
            known,
            impls: OnceLock::new(),
            imported: RwLock::default(),
            facades: OnceLock::new(),
        }
    }

    pub fn crates(&self) -> &IndexVec<LibraryId, Numbers> {
        &self.crates
    }

    /// The number of a definition.
    pub fn def(&self, place: Place) -> Option<Def> {
        def_in(&self.crates, place)
    }

    /// The crate of a definition, and its number there.
    pub fn place(&self, def: Def) -> Option<Place> {
        let after = self.crates.as_raw_slice().partition_point(|numbers| numbers.first <= def);
        let krate = LibraryId::new(after.checked_sub(1)?);
        let first = self.crates.get(krate)?.first;
        Some((krate, DefIndex::new(def.index() - first.index())))
    }

    /// Number of the first definition of a dependency.
    pub fn dependencies_first(&self) -> Option<Def> {
        self.crates.get(LibraryId::from_dependency(0)).map(|numbers| numbers.first)
    }

    /// How many names and definitions there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.names.end(), self.definitions.len()]
    }

    pub fn names(&self) -> &NameTable {
        &self.names
    }

    /// Where the signature of a definition is kept.
    pub fn sig(&self, def: Def) -> Option<&OnceLock<Arc<Sig>>> {
        self.sigs.get(def.index().checked_sub(Def::FIRST_OUTSIDE.index())?)
    }

    /// The definitions that a path of an import means, which `find` finds once.
    pub fn imported(&self, path: &OutsidePath, find: impl FnOnce() -> Arc<[Def]>) -> Arc<[Def]> {
        let known = self.imported.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(defs) = known.get(path) {
            return Arc::clone(defs);
        }
        drop(known);
        let found = find();
        let mut known = self.imported.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.clone(), Arc::clone(&found));
        found
    }

    /// Path of a definition.
    pub fn path(&self, crates: Crates<'_>, def: Def) -> Option<String> {
        let facades = self.facades.get_or_init(|| crates.facades());
        Some(crates.path(facades, self.place(def)?))
    }
}

fn def_in(crates: &IndexVec<LibraryId, Numbers>, (krate, own): Place) -> Option<Def> {
    // A crate that declares nothing has no root either.
    let numbers = crates.get(krate).filter(|numbers| own < numbers.sigs.len())?;
    Some(numbers.def(own))
}

impl Numbers {
    fn new(library: &Library, first: Def, names: &mut NameTable) -> Self {
        Numbers {
            first,
            names: library.names().map(|name| names.number(name)).collect(),
            sigs: library.defs().map(|_| OnceLock::new()).collect(),
        }
    }

    /// A definition by its number in the tables.
    pub fn def(&self, own: DefIndex) -> Def {
        self.first + own.index()
    }

    /// A name of the crate by the number that its tables have for it.
    pub fn word(&self, name: u32) -> Name {
        self.names.get(name as usize).copied().unwrap_or(Name::NONE)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::refs::dependencies::{Declarations, Dependency};

    #[test]
    fn a_crate_that_declares_nothing_has_no_root() {
        let empty = || Dependency::new(Arc::new(Declarations::default()), BTreeMap::new());
        let names = BTreeMap::from([("first".to_owned(), 0), ("last".to_owned(), 1)]);
        let libraries = Libraries::new(Dependencies::new(vec![empty(), empty()], names), &[]);
        let root = |krate| libraries.index().def((krate, DefIndex::ROOT));
        assert_eq!(root(LibraryId::STANDARD), Some(Def::FIRST_OUTSIDE));
        assert_eq!([0, 1].map(|krate| root(LibraryId::from_dependency(krate))), [None, None]);
    }
}
