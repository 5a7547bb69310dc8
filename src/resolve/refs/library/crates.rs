//! Names that lead from one crate outside of the workspace to another.

use super::{Known, Library};
use crate::model::NodeKind;
use crate::resolve::refs::dependencies::{Dependencies, Dependency};
use crate::resolve::scope::{ANY, TYPES};

/// Crates that a path is followed through: re-exports may lead in a circle.
const MAX_HOPS: u32 = 16;

/// Crates that the standard library stands for.
const STANDARD: &[&str] = &["std", "core", "alloc"];

/// A definition: the crate, and its number there.
pub(in super::super) type Place = (usize, u32);

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

    pub fn library(&self, krate: usize) -> Option<&'a Library> {
        match self.dependency(krate) {
            Some(dependency) => Some(dependency.library()),
            None => (krate == 0).then_some(self.standard),
        }
    }

    /// None for the standard library.
    fn dependency(&self, krate: usize) -> Option<&'a Dependency> {
        self.dependencies.crates().get(krate.checked_sub(1)?)
    }

    fn kind(&self, (krate, own): Place) -> NodeKind {
        self.library(krate).map_or(NodeKind::Unknown, |library| library.kind(own))
    }

    /// The root of a crate by the name that another has for it.
    pub fn named_by(&self, krate: usize, name: &str) -> Option<Place> {
        let number = self.dependency(krate).and_then(|one| one.crate_named(name));
        number.map(|number| number + 1).or_else(|| self.standard(name)).map(|krate| (krate, 0))
    }

    /// Whether a crate depends on one of this name, known or not.
    pub fn names_crate(&self, krate: usize, name: &str) -> bool {
        self.dependency(krate).is_some_and(|one| one.names_crate(name))
    }

    /// The root of a crate by the name that the workspace has for it.
    fn named_by_workspace(&self, name: &str) -> Option<Place> {
        let number = self.dependencies.crate_named(name).map(|number| number + 1);
        number.or_else(|| self.standard(name)).map(|krate| (krate, 0))
    }

    fn standard(&self, name: &str) -> Option<usize> {
        STANDARD.contains(&name).then_some(0)
    }

    /// What a path in the text of the workspace means, from the name of a crate on.
    pub fn find<'p>(&self, path: impl IntoIterator<Item = &'p str>) -> Option<Place> {
        let mut path = path.into_iter();
        let root = self.named_by_workspace(path.next()?)?;
        self.below(root, path, MAX_HOPS)
    }

    /// A definition by its path below another, as other crates see it.
    pub fn below<'p>(
        &self,
        root: Place,
        path: impl Iterator<Item = &'p str>,
        hops: u32,
    ) -> Option<Place> {
        let mut at = root;
        let mut path = path.peekable();
        while let Some(segment) = path.next() {
            // `vec` is a module and a macro.
            let spaces = if path.peek().is_some() { TYPES } else { ANY };
            let found = self.lookup_in(at, segment, spaces, false, hops);
            let named = found.iter().find(|(place, _)| self.kind(*place) != NodeKind::Macro);
            at = named.or(found.first())?.0;
        }
        Some(at)
    }

    /// What a path in the text of a crate means, from the name of another crate on.
    pub fn outside(&self, krate: usize, path: &str) -> Option<Place> {
        self.follow(krate, path, MAX_HOPS)
    }

    fn follow(&self, krate: usize, path: &str, hops: u32) -> Option<Place> {
        let hops = hops.checked_sub(1)?;
        let mut path = path.split("::");
        let root = self.named_by(krate, path.next()?)?;
        self.below(root, path, hops)
    }

    /// What a number in the tables of a crate means.
    pub fn numbered(&self, krate: usize, number: u32) -> Option<Place> {
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
            let place = match known {
                Known::Definition(own) => Some((krate, own)),
                Known::Outside(path) => self.follow(krate, path, hops),
            };
            found.extend(place.map(|place| (place, bits)));
        }
        let Some(hops) = hops.checked_sub(1) else { return found };
        for path in library.globs(own, inside) {
            if !found.is_empty() {
                break;
            }
            if let Some(module) = self.follow(krate, path, hops) {
                found = self.lookup_in(module, name, spaces, false, hops);
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
            for known in library.shown_by(own) {
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
