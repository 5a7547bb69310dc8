//! Pairs the crates outside of two states: those that code of both has for the same, and those that are
//! known in one state only.

use std::collections::{BTreeMap, BTreeSet};

use super::dependencies::{Dependencies, Dependency};
use asof_model::HashMap;

/// A crate that code of both states has for the same, with its numbers.
pub(super) struct Pair<'d> {
    pub was: &'d Dependency,
    pub is: &'d Dependency,
    pub from: usize,
    pub to: usize,
}

/// A crate that is in no pair.
pub(super) struct Alone<'d> {
    pub dependency: &'d Dependency,
    pub number: usize,
    /// Whether the workspace has a name for it.
    is_named: bool,
}

/// A crate by the name that the workspace has for it.
pub(super) struct Named<'d> {
    pub name: &'d str,
    pub crates: &'d Dependencies,
    pub number: usize,
}

pub(super) struct Pairs<'d> {
    pub pairs: Vec<Pair<'d>>,
    pub old_only: Vec<Alone<'d>>,
    pub new_only: Vec<Alone<'d>>,
    /// Crates to which the workspace gives a name in one state only.
    pub named: Vec<Named<'d>>,
}

impl<'d> Pairs<'d> {
    /// Crates of the same names, and what the code of both names by the same. None if one crate became
    /// two, or two one.
    pub fn new(old: &'d Dependencies, new: &'d Dependencies) -> Option<Self> {
        let names: BTreeMap<&str, usize> = new.names().collect();
        let both = old.names().filter_map(|(name, from)| Some((from, *names.get(name)?)));
        let mut open: Vec<(usize, usize)> = both.collect();
        let (mut now, mut then) = (HashMap::default(), HashMap::default());
        let mut pairs = Vec::new();
        while let Some((from, to)) = open.pop() {
            match (now.insert(from, to), then.insert(to, from)) {
                (None, None) => {}
                (Some(known), Some(other)) if known == to && other == from => continue,
                _ => return None,
            }
            let (was, is) = (old.crates().get(from)?, new.crates().get(to)?);
            for name in was.names_of_crates() {
                if let (Some(from), Some(to)) = (was.crate_named(name), is.crate_named(name)) {
                    open.push((from, to));
                }
            }
            pairs.push(Pair { was, is, from, to });
        }
        let (mut old_only, mut new_only) = (alone(old, &now), alone(new, &then));
        // Crates that no declarations name may be the same, too.
        old_only.retain(|one| {
            let library = one.dependency.library();
            let is_same = |other: &Alone<'_>| {
                one.is_named == other.is_named && library.has_same(other.dependency.library())
            };
            let same = new_only.iter().position(is_same);
            same.map(|at| new_only.remove(at)).is_none()
        });
        let named = named_here_only(old, new).chain(named_here_only(new, old)).collect();
        Some(Pairs { pairs, old_only, new_only, named })
    }
}

fn named_here_only<'d>(
    crates: &'d Dependencies,
    others: &Dependencies,
) -> impl Iterator<Item = Named<'d>> {
    let others: BTreeSet<String> = others.names().map(|(name, _)| name.to_owned()).collect();
    let missing = crates.names().filter(move |(name, _)| !others.contains(*name));
    missing.map(move |(name, number)| Named { name, crates, number })
}

/// The crates that are in no pair.
fn alone<'d>(all: &'d Dependencies, pairs: &HashMap<usize, usize>) -> Vec<Alone<'d>> {
    let named: BTreeSet<usize> = all.direct().collect();
    let crates = all.crates().iter().enumerate();
    let alone = crates.filter(|(number, _)| !pairs.contains_key(number));
    alone
        .map(|(number, dependency)| {
            let is_named = named.contains(&number);
            Alone { dependency, number, is_named }
        })
        .collect()
}

/// Names of crates that a crate knows in one state only. Those that it knows in both are a pair.
pub(super) fn differing_names<'d>(was: &'d Dependency, is: &'d Dependency) -> BTreeSet<&'d str> {
    let mut names: BTreeSet<&str> = was.names_of_crates().chain(is.names_of_crates()).collect();
    names.retain(|name| {
        was.crate_named(name).is_some() != is.crate_named(name).is_some()
            || was.names_crate(name) != is.names_crate(name)
    });
    names
}

/// Whether a path begins with the name of a crate.
pub(super) fn begins(path: &str, crates: &BTreeSet<&str>) -> bool {
    path.split("::").next().is_some_and(|first| crates.contains(first))
}
