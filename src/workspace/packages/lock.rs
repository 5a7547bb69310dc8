//! The lock file as a graph of crates.

use std::collections::{BTreeMap, BTreeSet};

use crate::dependencies::{LockedCrate, locked_crates};

/// The crates of a lock file.
#[derive(Debug, Default)]
pub(super) struct LockGraph {
    crates: Vec<LockedCrate>,
    by_name: BTreeMap<String, Vec<usize>>,
}

impl LockGraph {
    /// Parses a lock file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let crates = locked_crates(text)?;
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, krate) in crates.iter().enumerate() {
            by_name.entry(krate.name.clone()).or_default().push(at);
        }
        Ok(Self { crates, by_name })
    }

    /// The crates of a name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &LockedCrate> {
        self.places(name).filter_map(|at| self.crates.get(at))
    }

    fn places(&self, name: &str) -> impl Iterator<Item = usize> {
        self.by_name.get(name).into_iter().flatten().copied()
    }

    /// Crates that the other lock file has not, or with other contents or dependencies; the packages
    /// of the workspace aside.
    pub fn differing(&self, other: &Self) -> BTreeSet<&LockedCrate> {
        let theirs: BTreeSet<&LockedCrate> = other.crates.iter().collect();
        let mut found: BTreeSet<&LockedCrate> = BTreeSet::new();
        for krate in &self.crates {
            if krate.source.is_some() && !theirs.contains(krate) {
                found.insert(krate);
            }
        }
        found
    }

    /// The crate of the workspace with this name.
    pub fn member(&self, name: &str) -> Option<&LockedCrate> {
        self.named(name).find(|krate| krate.source.is_none())
    }

    /// Everything that an entry of `dependencies` leads to, itself included. Packages of the workspace
    /// are reached, and not followed.
    pub fn below(&self, dependency: &str) -> Vec<&LockedCrate> {
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut waiting: Vec<usize> = self.resolve(dependency);
        while let Some(at) = waiting.pop() {
            let Some(krate) = self.crates.get(at).filter(|_| seen.insert(at)) else { continue };
            if krate.source.is_some() {
                waiting.extend(krate.dependencies.iter().flat_map(|one| self.resolve(one)));
            }
        }
        seen.into_iter().filter_map(|at| self.crates.get(at)).collect()
    }

    /// Folders of packages of the workspace to which a crate of another source leads.
    pub fn members_below<'d>(&self, name: &str, by_name: &BTreeMap<&str, &'d str>) -> Vec<&'d str> {
        let reached = self.below(name).into_iter().filter(|krate| krate.source.is_none());
        reached.filter_map(|krate| by_name.get(krate.name.as_str()).copied()).collect()
    }

    /// `name`, `name version` or `name version (source)`; several where it is not clear.
    fn resolve(&self, dependency: &str) -> Vec<usize> {
        let mut parts = dependency.splitn(3, ' ');
        let name = parts.next().unwrap_or_default();
        let (version, source) = (parts.next(), parts.next());
        let source = source.map(|source| source.trim_matches(['(', ')']));
        let fits = |at: &usize| {
            self.crates.get(*at).is_some_and(|krate| {
                version.is_none_or(|version| krate.version == version)
                    && source.is_none_or(|source| krate.source.as_deref() == Some(source))
            })
        };
        self.places(name).filter(fits).collect()
    }
}
