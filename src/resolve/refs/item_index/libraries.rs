//! The crates outside of the workspace in an item index.

use std::sync::Arc;

use smallvec::smallvec;

use super::super::super::bindings::Found;
use super::super::super::namespaces::TYPES;
use super::super::impl_tables::Impls;
use super::super::library::crates::Place;
use super::super::library::{Known, Library};
use super::super::reads;
use super::super::types::{Def, Name};
use super::file_sigs::FileSigs;
use super::library_index::Numbers;
use super::{Hit, ItemIndex};
use crate::ids::{DefIndex, LibraryId};
use asof_model::NodeKind;

/// Begins what `$crate` of another crate is written as where a macro is expanded.
const CRATE: &str = "__crate_";

/// A crate with its numbers.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Loaded<'a> {
    pub library: &'a Library,
    /// Index among the crates.
    number: LibraryId,
    numbers: &'a Numbers,
}

impl Loaded<'_> {
    /// Number of its root.
    pub(in super::super) fn root(&self) -> Def {
        self.numbers.first
    }

    /// A definition by its number in the tables.
    pub(in super::super) fn def(&self, own: DefIndex) -> Def {
        self.numbers.def(own)
    }

    /// A name of the crate by the number that its tables have for it.
    pub(in super::super) fn word(&self, name: u32) -> Name {
        self.numbers.word(name)
    }
}

impl<'a> ItemIndex<'a> {
    pub(in super::super) fn libraries(&self) -> impl Iterator<Item = Loaded<'a>> + use<'a> {
        let numbers = self.library.crates().iter_enumerated();
        let crates = numbers.zip(self.crates.libraries());
        crates.map(|((number, numbers), library)| Loaded { library, number, numbers })
    }

    /// The crate of a definition that is not of the workspace, with its number there.
    pub(in super::super) fn in_library(&self, def: Def) -> Option<(Loaded<'a>, DefIndex)> {
        let (number, own) = self.place(def)?;
        let library = self.crates.library(number)?;
        Some((Loaded { library, number, numbers: self.library.crates().get(number)? }, own))
    }

    fn place(&self, def: Def) -> Option<Place> {
        self.library.place(self.one_of(def))
    }

    fn def_of(&self, place: Place) -> Option<Def> {
        self.library.def(place)
    }

    /// What `$crate` in the rules of a macro is written as where it is expanded.
    pub(in super::super) fn crate_word(&self, of_macro: Def, scope: Def) -> String {
        match self.root(of_macro) {
            root if root == self.root(scope) => "crate".to_owned(),
            root => Self::word_of(root),
        }
    }

    /// What `$crate` of another crate is written as, by its root.
    pub(in super::super) fn word_of(root: Def) -> String {
        format!("{CRATE}{}", root.raw())
    }

    /// The root that [`ItemIndex::crate_word`] stands for.
    pub(in super::super) fn written_root(&self, word: &str) -> Option<Def> {
        let root: Def = word.strip_prefix(CRATE)?.parse().ok().map(Def::from_raw)?;
        let is_root = self.parent(root).is_none() && self.kind(root) == NodeKind::Module;
        is_root.then_some(root)
    }

    /// Whether the declarations of all crates are known that the package of a definition depends on.
    pub(in super::super) fn knows_dependencies(&self, def: Def) -> bool {
        let Some(node) = self.node(def) else { return false };
        let (input, scope) = (self.workspace.input, self.scope(def));
        let instance = input.instances.get(node.instance);
        let krate = instance.and_then(|instance| input.crates.get(instance.krate));
        let package = krate.and_then(|krate| input.packages.get(krate.package?));
        reads::look_up(self.root(scope), reads::GUESSES, reads::From::Within);
        let is_known =
            |name: &String| !matches!(self.krate(scope, &name.replace('-', "_")), Hit::External(_));
        let mut names = package.into_iter().flat_map(|package| &package.dependencies);
        reads::share(|| names.all(|(name, _)| is_known(name)))
    }

    /// Whether a definition is of the standard library.
    pub(in super::super) fn is_standard(&self, def: Def) -> bool {
        self.is_library(def) && self.library.dependencies_first().is_none_or(|first| def < first)
    }

    /// A definition of the standard library by its path below the crate.
    pub(in super::super) fn library_path<'p>(
        &self,
        path: impl Iterator<Item = &'p str>,
    ) -> Option<Def> {
        self.def_of(self.crates.find(["std"].into_iter().chain(path))?)
    }

    /// An item of another crate by its path in the text of the workspace.
    pub(in super::super) fn external_path<'p>(
        &self,
        path: impl Iterator<Item = &'p str>,
    ) -> Option<Def> {
        self.def_of(self.crates.find(path)?)
    }

    /// What a number in the tables of a crate means.
    pub(in super::super) fn numbered_in(&self, of: Loaded<'_>, number: u32) -> Option<Def> {
        self.def_of(self.crates.numbered(of.number, number)?)
    }

    /// A name in a scope of a crate outside of the workspace. A re-export of what is not known is
    /// known by its path.
    pub(super) fn library_hit(&self, scope: Def, name: &str, spaces: u8, from: Def) -> Hit {
        let Some((of, own)) = self.in_library(scope) else { return Hit::Nothing };
        let inside = self.in_library(from).is_some_and(|(from, _)| from.number == of.number);
        let found = self.crates.lookup((of.number, own), name, spaces, inside).into_iter();
        let found: Found =
            found.filter_map(|(place, bits)| Some((self.def_of(place)?, bits))).collect();
        if !found.is_empty() {
            return Hit::Defs(found);
        }
        let outside = of.library.lookup(own, name, spaces, inside).find_map(|(known, _)| {
            let Known::Outside(path) = known else { return None };
            let by_name = || format!("{}::{name}", self.path(scope));
            Some(if inside { path.to_owned() } else { by_name() })
        });
        outside.map_or(Hit::Nothing, |path| Hit::External(path.into()))
    }

    /// Meaning of a name without a path before it in the text of a crate outside of the workspace.
    pub(super) fn library_lexical(&self, scope: Def, name: &str, spaces: u8) -> Hit {
        if self.is_standard(scope) {
            // Its paths begin at the root of the crate.
            return self.prelude(name, spaces);
        }
        match self.library_hit(self.module(scope), name, spaces, scope) {
            Hit::Nothing => {}
            found => return found,
        }
        match self.library_crate(scope, name) {
            Hit::Nothing => self.prelude(name, spaces),
            found => found,
        }
    }

    /// A crate by the name that code of a crate outside of the workspace has for it.
    pub(super) fn library_crate(&self, scope: Def, name: &str) -> Hit {
        let Some((of, _)) = self.in_library(scope) else { return Hit::Nothing };
        let root = self.crates.named_by(of.number, name);
        if let Some(root) = root.and_then(|root| self.def_of(root)) {
            return Hit::Defs(smallvec![(root, TYPES)]);
        }
        if self.crates.names_crate(of.number, name) {
            Hit::External(name.into())
        } else {
            Hit::Nothing
        }
    }

    /// What a path means that begins with the name of a crate outside of the workspace.
    pub(super) fn external(&self, path: &[String]) -> Hit {
        let found = self.crates.meanings(path.iter().map(String::as_str)).into_iter();
        let found = found.filter_map(|(place, spaces)| Some((self.def_of(place)?, spaces)));
        let found: Found = found.collect();
        if !found.is_empty() { Hit::Defs(found) } else { Hit::External(path.join("::").into()) }
    }

    /// The impls of crates outside of the workspace.
    pub(in super::super) fn library_impls(&self) -> &'a Impls {
        self.library.impls.get_or_init(|| reads::share(|| Impls::collect_outside(self)))
    }

    /// The signature of a definition that is not of the workspace.
    pub(super) fn library_sig(&self, def: Def) -> Option<&'a FileSigs> {
        let (of, own) = self.in_library(def)?;
        let cell = of.numbers.sigs.get(own)?;
        let read = of.library.sig(own)?;
        Some(cell.get_or_init(|| FileSigs {
            uses: Arc::clone(&read.uses),
            names: read.names.iter().map(|name| of.word(*name)).collect(),
        }))
    }

    /// Path of a definition of a crate outside of the workspace.
    pub(super) fn path_in_library(&self, def: Def) -> Option<String> {
        self.library.path(self.crates, self.one_of(def))
    }

    /// Traits that a scope outside of the workspace shows.
    pub(super) fn traits_shown_by(&self, scope: Def) -> impl Iterator<Item = Def> {
        let places = self.place(scope).map(|scope| self.crates.traits_shown_by(scope));
        places.into_iter().flatten().filter_map(|place| self.def_of(place))
    }
}
