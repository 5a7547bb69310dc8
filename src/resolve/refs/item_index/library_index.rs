//! The crates outside of the workspace as item indices see them: their definitions have numbers from
//! [`Def::FIRST_OUTSIDE`] on, crate by crate, and their names come before all others. These, and what is
//! computed of their declarations, do not depend on the workspace: the states of one share it as long as
//! its dependencies are the same.

use std::sync::{Arc, OnceLock};

use index_vec::IndexVec;

use super::super::dependencies::Dependencies;
use super::super::impl_tables::Impls;
use super::super::library::Library;
use super::super::library::crates::{Crates, Place};
use super::super::other_names::OtherNames;
use super::super::standard::standard;
use super::super::types::{Def, Name, Sig};
use super::definition_table::{DefinitionTable, Info};
use super::file_sigs::FileSigs;
use super::known::Known;
use super::name_table::NameTable;
use crate::ids::{DefIndex, LibraryId};
use asof_model::{HashMap, HashSet, NodeKind, Package};

/// The crates that a workspace depends on, with what is known of their declarations. States with the same
/// dependencies share it.
#[derive(Debug, Default)]
pub struct Libraries {
    dependencies: Dependencies,
    pub(in super::super) other_names: OtherNames,
    index: OnceLock<LibraryIndex>,
}

impl Libraries {
    /// `packages`: those of the workspace, which may give crates other names.
    pub fn new(dependencies: Dependencies, packages: &[Package]) -> Self {
        let other_names = OtherNames::new(packages);
        Libraries { dependencies, other_names, index: OnceLock::new() }
    }

    pub fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    pub(super) fn crates(&self) -> Crates<'_> {
        Crates::new(standard(), &self.dependencies)
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
    names: NameTable<Arc<str>>,
    pub known: Known,
    /// Names of methods of the standard library.
    pub methods: HashSet<Name>,
    sigs: Vec<OnceLock<Arc<Sig>>>,
    pub impls: OnceLock<Impls>,
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
        let mut names: NameTable<Arc<str>> = NameTable::new(0, Vec::new());
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
        let known = Known::new(at, |text| names.number(text, |_| None));
        LibraryIndex {
            crates,
            methods: methods.map(|info| info.name).collect(),
            sigs: infos.iter().map(|_| OnceLock::new()).collect(),
            definitions: DefinitionTable::new(Def::FIRST_OUTSIDE, infos),
            names,
            known,
            impls: OnceLock::new(),
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

    pub fn names(&self) -> &NameTable<Arc<str>> {
        &self.names
    }

    /// Where the signature of a definition is kept.
    pub fn sig(&self, def: Def) -> Option<&OnceLock<Arc<Sig>>> {
        self.sigs.get(def.index().checked_sub(Def::FIRST_OUTSIDE.index())?)
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
    fn new(library: &Library, first: Def, names: &mut NameTable<Arc<str>>) -> Self {
        Numbers {
            first,
            names: library.names().map(|name| names.number(name, |_| None)).collect(),
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
