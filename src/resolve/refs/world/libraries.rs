//! The crates outside of the workspace: the standard library, and dependencies whose sources are
//! known. Their definitions have numbers after those of the workspace, crate by crate.

use std::sync::{Arc, OnceLock};

use super::super::super::scope::{ANY, TYPES};
use super::super::library::{Known, Library};
use super::super::types::{Def, Name};
use super::{FileSigs, Hit, World};
use crate::model::NodeKind;
use crate::resolve::refs::dependencies::{Dependencies, Dependency};

/// Crates that a path is followed through: re-exports may lead in a circle.
const MAX_HOPS: u32 = 16;

/// Crates that the standard library stands for.
pub(super) const STANDARD: &[&str] = &["std", "core", "alloc"];

/// A crate with the numbers that its definitions and names have in a world.
#[derive(Debug)]
pub(in super::super) struct Loaded<'a> {
    pub library: &'a Library,
    /// None for the standard library.
    dependency: Option<&'a Dependency>,
    /// Number of its root.
    pub first: Def,
    /// Names by the numbers that its tables have for them.
    pub names: Vec<Name>,
    /// Signatures as far as they were needed.
    sigs: Vec<OnceLock<FileSigs>>,
}

impl<'a> Loaded<'a> {
    fn new(library: &'a Library, dependency: Option<&'a Dependency>, first: Def) -> Self {
        let mut sigs = Vec::new();
        sigs.resize_with(library.len() as usize, OnceLock::new);
        Loaded { library, dependency, first, names: Vec::new(), sigs }
    }

    /// A name of the crate by the number that its tables have for it.
    pub(in super::super) fn word(&self, name: u32) -> Name {
        self.names.get(name as usize).copied().unwrap_or(u32::MAX)
    }
}

/// The standard library, then the dependencies.
pub(super) fn load<'a>(
    standard: &'a Library,
    dependencies: &'a Dependencies,
    first: Def,
) -> Vec<Loaded<'a>> {
    let mut all = vec![Loaded::new(standard, None, first)];
    let mut next = first + standard.len();
    for dependency in dependencies.crates() {
        let library = dependency.library();
        all.push(Loaded::new(library, Some(dependency), next));
        next += library.len();
    }
    all
}

impl<'a> World<'a> {
    pub(in super::super) fn libraries(&self) -> &[Loaded<'a>] {
        &self.libraries
    }

    /// The crate of a definition that is not of the workspace, with its number there.
    pub(super) fn in_library(&self, def: Def) -> Option<(&Loaded<'a>, u32)> {
        let after = self.libraries.partition_point(|one| one.first <= def);
        let library = self.libraries.get(after.checked_sub(1)?)?;
        Some((library, def - library.first))
    }

    /// Whether a definition is of the standard library.
    pub(in super::super) fn is_standard(&self, def: Def) -> bool {
        self.is_library(def) && def < self.dependencies_first
    }

    /// A definition of the standard library by its path below the crate.
    pub(in super::super) fn library_path<'p>(
        &self,
        path: impl Iterator<Item = &'p str>,
    ) -> Option<Def> {
        self.below(self.first, path, MAX_HOPS)
    }

    /// A definition by its path below another.
    fn below<'p>(&self, root: Def, path: impl Iterator<Item = &'p str>, hops: u32) -> Option<Def> {
        let mut at = root;
        let mut path = path.peekable();
        while let Some(segment) = path.next() {
            // `vec` is a module and a macro.
            let spaces = if path.peek().is_some() { TYPES } else { ANY };
            let found = self.lookup_in_library(at, segment, spaces, ELSEWHERE, hops);
            let named = found.iter().find(|(def, _)| self.kind(*def) != NodeKind::Macro);
            at = named.or(found.first())?.0;
        }
        Some(at)
    }

    /// The definition that a path in the text of a crate outside of the workspace means, from the
    /// name of another crate on.
    pub(in super::super) fn outside(&self, of: &Loaded<'a>, path: &str) -> Option<Def> {
        self.follow_outside(of, path, MAX_HOPS)
    }

    fn follow_outside(&self, of: &Loaded<'a>, path: &str, hops: u32) -> Option<Def> {
        let hops = hops.checked_sub(1)?;
        let mut path = path.split("::");
        let root = self.named_by(of, path.next()?)?;
        self.below(root, path, hops)
    }

    /// The root of a crate by the name that another has for it.
    fn named_by(&self, of: &Loaded<'a>, name: &str) -> Option<Def> {
        if let Some(number) = of.dependency.and_then(|dependency| dependency.crate_named(name)) {
            return self.libraries.get(number + 1).map(|library| library.first);
        }
        STANDARD.contains(&name).then_some(self.first)
    }

    /// What a number in the tables of a crate means.
    pub(in super::super) fn outside_or_own(&self, of: &Loaded<'a>, number: u32) -> Option<Def> {
        match of.library.known(number) {
            Known::Definition(own) => Some(of.first + own),
            Known::Outside(path) => self.outside(of, path),
        }
    }

    /// A name in a scope of a crate outside of the workspace.
    pub(super) fn lookup_in_library(
        &self,
        scope: Def,
        name: &str,
        spaces: u8,
        from: Def,
        hops: u32,
    ) -> Vec<(Def, u8)> {
        let Some((of, own)) = self.in_library(scope) else { return Vec::new() };
        let inside = from >= of.first && from - of.first < of.library.len();
        let mut found = Vec::new();
        for (known, bits) in of.library.lookup(own, name, spaces, inside) {
            let def = match known {
                Known::Definition(own) => Some(of.first + own),
                Known::Outside(path) => self.follow_outside(of, path, hops),
            };
            found.extend(def.map(|def| (def, bits)));
        }
        if !found.is_empty() || of.dependency.is_none() {
            return found;
        }
        let Some(hops) = hops.checked_sub(1) else { return found };
        for path in of.library.globs(own, inside) {
            let Some(module) = self.follow_outside(of, path, hops) else { continue };
            found.extend(self.lookup_in_library(module, name, spaces, ELSEWHERE, hops));
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// [`World::lookup_in_library`] as a meaning. A re-export of what is not known is known by its
    /// path.
    pub(super) fn library_hit(&self, scope: Def, name: &str, spaces: u8, from: Def) -> Hit {
        let found = self.lookup_in_library(scope, name, spaces, from, MAX_HOPS);
        if !found.is_empty() {
            return Hit::Defs(found);
        }
        let Some((of, own)) = self.in_library(scope) else { return Hit::Nothing };
        let inside = self.is_library(from);
        let mut all = of.library.lookup(own, name, spaces, inside);
        let outside = all.find_map(|(known, _)| match known {
            Known::Outside(path) if inside => Some(path.to_owned()),
            Known::Outside(_) => Some(format!("{}::{name}", self.path(scope))),
            Known::Definition(_) => None,
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
        if let Some(root) = self.named_by(of, name) {
            return Hit::Defs(vec![(root, TYPES)]);
        }
        match of.dependency.is_some_and(|dependency| dependency.names_crate(name)) {
            true => Hit::External(name.into()),
            false => Hit::Nothing,
        }
    }

    /// What a path means that begins with the name of a crate outside of the workspace.
    pub(super) fn external(&self, path: &[String]) -> Hit {
        let Some(krate) = path.first() else { return Hit::Nothing };
        let root = match self.dependencies.crate_named(krate) {
            Some(number) => self.libraries.get(number + 1).map(|library| library.first),
            None => STANDARD.contains(&krate.as_str()).then_some(self.first),
        };
        let rest = path.iter().skip(1).map(String::as_str);
        match root.and_then(|root| self.below(root, rest, MAX_HOPS)) {
            Some(def) => Hit::Defs(vec![(def, ANY)]),
            None => Hit::External(path.join("::").into()),
        }
    }

    /// The signature of a definition that is not of the workspace.
    pub(super) fn library_sig(&self, def: Def) -> Option<&FileSigs> {
        let (of, own) = self.in_library(def)?;
        let cell = of.sigs.get(own as usize)?;
        let read = of.library.sig(own)?;
        Some(cell.get_or_init(|| FileSigs {
            uses: Arc::clone(&read.uses),
            names: read.names.iter().map(|name| of.word(*name)).collect(),
        }))
    }

    /// Path of a definition of a crate outside of the workspace.
    pub(super) fn path_in_library(&self, def: Def) -> Option<String> {
        let (of, own) = self.in_library(def)?;
        Some(of.library.path(own))
    }

    /// Traits that a scope of a dependency shows, those of other crates included.
    pub(super) fn traits_shown_by(&self, scope: Def) -> Vec<Def> {
        let mut found = Vec::new();
        let mut open = vec![(scope, MAX_HOPS)];
        while let Some((at, hops)) = open.pop() {
            let Some((of, own)) = self.in_library(at) else { continue };
            for known in of.library.shown_by(own) {
                found.extend(match known {
                    Known::Definition(own) => Some(of.first + own),
                    Known::Outside(path) => self.outside(of, path),
                });
            }
            let Some(hops) = hops.checked_sub(1) else { continue };
            for path in of.library.globs(own, false) {
                open.extend(self.outside(of, path).map(|module| (module, hops)));
            }
        }
        found.retain(|def| self.kind(*def) == NodeKind::Trait);
        found
    }
}

/// No definition: names are looked up as other crates see them.
const ELSEWHERE: Def = Def::MAX;
