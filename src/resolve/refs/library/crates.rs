//! Resolves names that lead from one crate outside of the workspace to another.

use std::collections::BTreeSet;

use super::{Known, Library};
use crate::ids::{DefIndex, LibraryId};
use crate::namespaces::{ANY, MACROS, TYPES};
use crate::outside_macros::{OutsideMacro, OutsideMacros};
use crate::refs::dependencies::{Dependencies, Dependency};
use crate::refs::standard::standard;
use asof_model::{HashMap, NodeKind};

/// Crates that a path is followed through: re-exports may lead in a circle.
const MAX_HOPS: u32 = 16;

/// Crates that the standard library stands for.
const STANDARD: &[&str] = &["std", "core", "alloc"];

/// Stands for a crate that the workspace does not name: no code can.
const UNNAMED: &str = "__unnamed";

/// A definition: the crate, and its number there.
pub(in super::super) type Place = (LibraryId, DefIndex);

/// The standard library, then the dependencies.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Crates<'a> {
    standard: &'a Library,
    dependencies: &'a Dependencies,
}

impl<'a> Crates<'a> {
    pub fn new(standard: &'a Library, dependencies: &'a Dependencies) -> Self {
        Crates { standard, dependencies }
    }

    /// All of them: their indices are the first parts of places.
    pub fn libraries(&self) -> impl Iterator<Item = &'a Library> + use<'a> {
        let dependencies = self.dependencies.crates().iter().map(Dependency::library);
        [self.standard].into_iter().chain(dependencies)
    }

    pub fn library(&self, krate: LibraryId) -> Option<&'a Library> {
        match self.dependency(krate) {
            Some(dependency) => Some(dependency.library()),
            None => (krate == LibraryId::STANDARD).then_some(self.standard),
        }
    }

    /// None for the standard library.
    fn dependency(&self, krate: LibraryId) -> Option<&'a Dependency> {
        self.dependencies.crates().get(krate.dependency()?)
    }

    fn kind(&self, (krate, own): Place) -> NodeKind {
        self.library(krate).map_or(NodeKind::Unknown, |library| library.kind(own))
    }

    fn macro_of(&self, (krate, own): Place) -> Option<OutsideMacro<'a>> {
        let rules = self.library(krate)?.rules(own);
        (!rules.is_empty()).then_some(OutsideMacro { krate, rules })
    }

    /// The root of a crate by the name that another has for it.
    pub fn named_by(&self, krate: LibraryId, name: &str) -> Option<Place> {
        let number = self.dependency(krate).and_then(|one| one.crate_named(name));
        number
            .map(LibraryId::from_dependency)
            .or_else(|| self.standard(name))
            .map(|krate| (krate, DefIndex::ROOT))
    }

    /// Whether a crate depends on one of this name, known or not.
    pub fn names_crate(&self, krate: LibraryId, name: &str) -> bool {
        self.dependency(krate).is_some_and(|one| one.names_crate(name))
    }

    /// The root of a crate by the name that the workspace has for it.
    fn named_by_workspace(&self, name: &str) -> Option<Place> {
        let number = self.dependencies.crate_named(name).map(LibraryId::from_dependency);
        number.or_else(|| self.standard(name)).map(|krate| (krate, DefIndex::ROOT))
    }

    fn standard(&self, name: &str) -> Option<LibraryId> {
        STANDARD.contains(&name).then_some(LibraryId::STANDARD)
    }

    /// What a path in the text of the workspace means, from the name of a crate on, with the
    /// namespaces.
    pub fn meanings<'p>(&self, path: impl IntoIterator<Item = &'p str>) -> Vec<(Place, u8)> {
        let mut path = path.into_iter();
        let root = path.next().and_then(|name| self.named_by_workspace(name));
        root.map_or_else(Vec::new, |root| self.below(root, path, MAX_HOPS))
    }

    /// The first of [`Crates::meanings`] that is no macro, if there is one.
    pub fn find<'p>(&self, path: impl IntoIterator<Item = &'p str>) -> Option<Place> {
        self.item(&self.meanings(path))
    }

    fn item(&self, found: &[(Place, u8)]) -> Option<Place> {
        // `vec` is a module and a macro.
        let named = found.iter().find(|(_, spaces)| *spaces != MACROS);
        named.or(found.first()).map(|(place, _)| *place)
    }

    /// Definitions by their path below another, as other crates see it.
    fn below<'p>(
        &self,
        root: Place,
        path: impl Iterator<Item = &'p str>,
        hops: u32,
    ) -> Vec<(Place, u8)> {
        let mut found = vec![(root, TYPES)];
        let mut path = path.peekable();
        while let Some(segment) = path.next() {
            let spaces = if path.peek().is_some() { TYPES } else { ANY };
            let Some(at) = self.item(&found) else { break };
            found = self.lookup_in(at, segment, spaces, false, hops);
        }
        found
    }

    /// What a path in the text of a crate means, from the name of another crate on.
    pub fn outside(&self, krate: LibraryId, path: &str) -> Option<Place> {
        self.item(&self.follow(krate, path, MAX_HOPS))
    }

    fn follow(&self, krate: LibraryId, path: &str, hops: u32) -> Vec<(Place, u8)> {
        let Some(hops) = hops.checked_sub(1) else { return Vec::new() };
        let mut path = path.split("::");
        let root = path.next().and_then(|name| self.named_by(krate, name));
        root.map_or_else(Vec::new, |root| self.below(root, path, hops))
    }

    /// What a number in the tables of a crate means.
    pub fn numbered(&self, krate: LibraryId, number: u32) -> Option<Place> {
        match self.library(krate)?.known(number) {
            Known::Definition(own) => Some((krate, own)),
            Known::Outside(path) => self.outside(krate, path),
        }
    }

    /// Meanings of a name in a scope, with their namespaces. `inside`: as the crate's own code sees
    /// them.
    pub fn lookup(&self, scope: Place, name: &str, spaces: u8, inside: bool) -> Vec<(Place, u8)> {
        self.lookup_in(scope, name, spaces, inside, MAX_HOPS)
    }

    fn lookup_in(
        &self,
        (krate, own): Place,
        name: &str,
        spaces: u8,
        inside: bool,
        hops: u32,
    ) -> Vec<(Place, u8)> {
        let mut found = Vec::new();
        let Some(library) = self.library(krate) else { return found };
        for (known, bits) in library.lookup(own, name, spaces, inside) {
            match known {
                Known::Definition(own) => found.push(((krate, own), bits)),
                Known::Outside(path) => {
                    let there = self.follow(krate, path, hops).into_iter();
                    found.extend(there.filter(|(_, bits)| bits & spaces != 0));
                }
            }
        }
        let Some(hops) = hops.checked_sub(1) else { return found };
        for path in library.globs(own, inside) {
            // A derive that is imported by its name leaves the trait of a glob its own.
            let missing = found.iter().fold(spaces, |missing, (_, bits)| missing & !bits);
            if missing == 0 || !found.is_empty() && missing & TYPES == 0 {
                break;
            }
            if let Some(module) = self.item(&self.follow(krate, path, hops)) {
                found.extend(self.lookup_in(module, name, missing, false, hops));
            }
        }
        found
    }

    /// Traits that a scope shows to other crates.
    pub fn traits_shown_by(&self, scope: Place) -> Vec<Place> {
        let mut found = Vec::new();
        let mut open = vec![(scope, MAX_HOPS)];
        while let Some(((krate, own), hops)) = open.pop() {
            let Some(library) = self.library(krate) else { continue };
            for (_, known) in library.shown_by(own) {
                found.extend(match known {
                    Known::Definition(own) => Some((krate, own)),
                    Known::Outside(path) => self.outside(krate, path),
                });
            }
            let Some(hops) = hops.checked_sub(1) else { continue };
            for path in library.globs(own, false) {
                open.extend(self.outside(krate, path).map(|module| (module, hops)));
            }
        }
        found.retain(|place| self.kind(*place) == NodeKind::Trait);
        found
    }

    /// Paths of definitions in crates that the workspace does not name, by those that it does name
    /// and that export them again: the shortest, one in which the name is the definition's own
    /// first.
    pub fn facades(&self) -> HashMap<Place, String> {
        let mut found: HashMap<Place, (bool, usize, String)> = HashMap::default();
        let direct: BTreeSet<LibraryId> =
            self.dependencies.direct().map(LibraryId::from_dependency).collect();
        for &krate in &direct {
            let Some(library) = self.library(krate) else { continue };
            for (scope, path) in library.shown_modules() {
                let mut shown: Vec<(&str, Place)> = Vec::new();
                for (name, known) in library.shown_by(scope) {
                    if let Known::Outside(path) = known {
                        let there = self.follow(krate, path, MAX_HOPS).into_iter();
                        shown.extend(there.map(|(place, _)| (name, place)));
                    }
                }
                for glob in library.globs(scope, false) {
                    let module = self.outside(krate, glob);
                    let of = module.and_then(|module| self.library(module.0));
                    if let (Some((krate, own)), Some(of)) = (module, of) {
                        let own = of.shown_by(own).filter_map(|(name, known)| match known {
                            Known::Definition(own) => Some((name, (krate, own))),
                            Known::Outside(_) => None,
                        });
                        shown.extend(own);
                    }
                }
                for (name, place) in shown {
                    let of = self.library(place.0).map_or("", |library| library.name(place.1));
                    if place.0 == LibraryId::STANDARD || direct.contains(&place.0) {
                        continue;
                    }
                    let path = format!("{path}::{name}");
                    let new = (of != name, path.matches("::").count(), path);
                    let best = found.entry(place).or_insert_with(|| new.clone());
                    if new < *best {
                        *best = new;
                    }
                }
            }
        }
        found.into_iter().map(|(place, (_, _, path))| (place, path)).collect()
    }

    /// Path of a definition: by a crate that the workspace names, where there is one.
    pub fn path(&self, facades: &HashMap<Place, String>, (krate, own): Place) -> String {
        if let Some(path) = facades.get(&(krate, own)) {
            return path.clone();
        }
        let Some(library) = self.library(krate) else { return String::new() };
        if facades.is_empty() {
            return library.path(own);
        }
        library.path_with(own, &|of| facades.get(&(krate, of)).cloned())
    }

    /// Names of the items of a trait that a path in the text of the workspace means; none if it
    /// means something else.
    pub fn items_of_trait(&self, path: &str) -> Vec<&'a str> {
        let Some(place) = self.find(path.split("::")) else { return Vec::new() };
        match (self.kind(place), self.library(place.0)) {
            (NodeKind::Trait, Some(library)) => library.names_in(place.1),
            _ => Vec::new(),
        }
    }
}

impl<'a> Crates<'a> {
    /// What the longest beginning of a path means, and the rest of the path.
    fn longest<'p>(&self, path: &'p str) -> Option<(Place, Vec<&'p str>)> {
        let segments: Vec<&str> = path.split("::").collect();
        (1..=segments.len()).rev().find_map(|len| {
            let (beginning, rest) = segments.split_at_checked(len)?;
            Some((self.find(beginning.iter().copied())?, rest.to_vec()))
        })
    }
}

impl Dependencies {
    /// The namespaces in which a path of another crate has a meaning, as bits (types 1, values 2,
    /// macros 4); 0 if it is not known.
    pub fn namespaces(&self, path: &str) -> u8 {
        let meanings = Crates::new(standard(), self).meanings(path.split("::"));
        meanings.iter().fold(0, |all, (_, spaces)| all | spaces)
    }

    /// Those of the names of other crates that mean what a path means: an item has as many as there
    /// are public paths to it.
    pub fn same_items<'n>(&self, path: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
        let crates = Crates::new(standard(), self);
        let Some(meant) = crates.longest(path) else { return Vec::new() };
        names.filter(|name| crates.longest(name).is_some_and(|other| other == meant)).collect()
    }

    /// Names of the items of a trait by a path in the text of the workspace; none if that is not a
    /// trait of a dependency.
    pub fn items_of_trait(&self, path: &str) -> Vec<&str> {
        Crates::new(standard(), self).items_of_trait(path)
    }

    /// What the longest beginning of a path means that the workspace's code would write: the number
    /// of the crate, the path of the item there, and how many segments were followed. None for the
    /// standard library, and for what is not known. A trait comes before the derive macro of its
    /// name.
    pub fn find(&self, path: &[&str]) -> Option<(usize, String, usize)> {
        let crates = Crates::new(standard(), self);
        (1..=path.len()).rev().find_map(|len| {
            let (krate, own) = crates.find(path.get(..len)?.iter().copied())?;
            let library = crates.library(krate)?;
            Some((krate.dependency()?, library.declared_path(own), len))
        })
    }
}

impl OutsideMacros for Dependencies {
    fn macro_at(&self, path: &[&str]) -> Option<OutsideMacro<'_>> {
        let crates = Crates::new(standard(), self);
        let found = crates.meanings(path.iter().copied());
        found.into_iter().find_map(|(place, _)| crates.macro_of(place))
    }

    fn macro_in(&self, krate: LibraryId, name: &str) -> Option<OutsideMacro<'_>> {
        let crates = Crates::new(standard(), self);
        let own = crates.library(krate)?.macros(name).next()?;
        crates.macro_of((krate, own))
    }

    fn only_macro(&self, name: &str, crates: &[String]) -> Option<OutsideMacro<'_>> {
        let all = crates.iter().filter_map(|krate| self.macro_at(&[krate, name]));
        let mut all: Vec<OutsideMacro<'_>> = all.collect();
        all.dedup_by(|a, b| a.krate == b.krate);
        match all.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn name_of(&self, krate: LibraryId) -> Option<&str> {
        match krate.dependency() {
            None => Some("std"),
            Some(krate) => Some(self.name_of_crate(krate).unwrap_or(UNNAMED)),
        }
    }
}
