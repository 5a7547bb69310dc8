//! How the packages of two states differ for those who name crates.
//!
//! Packages are the same if their manifests have the same path. A dependency that comes, goes or is another
//! package concerns who looks its name up in the crates of the package. A package that comes or goes is
//! such a dependency of others, and its items are compared like any others.
//!
//! A trap: what is guessed of a value of an unknown type depends on whether all dependencies of the package
//! are known, whatever the item mentions.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolved_workspace::ResolvedWorkspace;
use super::differing::Differing;
use super::effects::Effect;
use super::scopes::Place;
use asof_model::{NodeId, Package, TargetKind};
use asof_resolve::{CrateId, From, GUESSES, Reads, rename_alike};

/// The edition from which on more names are known everywhere.
const LARGER_PRELUDE: &str = "2024";

/// Those names, and the methods that their traits bring.
const PRELUDE_NAMES: [(&str, Effect); 4] = [
    ("Future", Effect::TYPE),
    ("IntoFuture", Effect::TYPE),
    ("poll", Effect::METHOD),
    ("into_future", Effect::METHOD),
];

/// Adds what differs; returns whether names tell it. `other_crates`: names of crates outside of the workspace
/// that are known in one of the states only.
pub(super) fn differing(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    other_crates: &BTreeSet<String>,
    found: &mut Differing<'_>,
) -> bool {
    let (old, new) = (&before.layout.packages, &after.layout.packages);
    if old == new && other_crates.is_empty() {
        return true;
    }
    if !rename_alike(old, new) || !differing_roots(before, after, found) {
        return false;
    }
    let [old, new] = [old, new].map(|all| by_manifest(all));
    let mut names: BTreeSet<String> = other_crates.clone();
    let mut pairs: Vec<(&Package, &Package)> = Vec::new();
    for (path, package) in &old {
        match new.get(path) {
            Some(other) if libraries(package) == libraries(other) && package.name == other.name => {
                pairs.push((*package, *other));
            }
            Some(_) => return false,
            None => names.extend(names_of(package, [&old, &new])),
        }
    }
    for (_, package) in new.iter().filter(|(path, _)| !old.contains_key(*path)) {
        names.extend(names_of(package, [&old, &new]));
    }
    // Names that differ, by the package whose crates have them.
    let mut differ: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (old, new) in pairs {
        let [was, is] = [old, new].map(|one| one.dependencies.iter().collect::<BTreeSet<_>>());
        let name = |(name, _): &&(String, String)| name.replace('-', "_");
        let own: BTreeSet<String> = was
            .symmetric_difference(&is)
            .map(&name)
            .chain(was.union(&is).map(&name).filter(|name| names.contains(name)))
            .collect();
        if !own.is_empty() {
            differ.insert(&old.manifest_path, own);
        }
    }
    for (number, side) in [(0, before), (1, after)] {
        found.turn(number);
        for (root, names) in roots(side, &differ) {
            found.keys.insert(Reads::name(root, GUESSES, From::Within));
            for name in names {
                found.at(Place::Crate(root), name, Effect::TYPE);
            }
        }
    }
    true
}

fn by_manifest(packages: &[Package]) -> BTreeMap<&str, &Package> {
    packages.iter().map(|package| (package.manifest_path.as_str(), package)).collect()
}

/// What other crates can name: editions are compared by root.
fn libraries(package: &Package) -> Vec<(TargetKind, &str, &str)> {
    let libraries = package.targets.iter().filter(|target| target.kind.is_library());
    libraries.map(|one| (one.kind, one.crate_name.as_str(), one.root.as_str())).collect()
}

/// Names of the crates of a package, and those that dependencies give it.
fn names_of(package: &Package, states: [&BTreeMap<&str, &Package>; 2]) -> BTreeSet<String> {
    let dependencies = states.into_iter().flat_map(BTreeMap::values);
    let dependencies = dependencies.flat_map(|package| &package.dependencies);
    let given = dependencies.filter(|(_, of)| *of == package.name).map(|(name, _)| name);
    let crates = package.targets.iter().map(|target| &target.crate_name);
    let names = given.chain(crates).chain([&package.name]);
    names.map(|name| name.replace('-', "_")).collect()
}

/// Manifests and editions of the crates that a file is the root of.
type Crates<'s> = BTreeSet<(Option<&'s str>, &'s str)>;

/// Compares the crates of files that are roots in both states: adds what another edition makes differ, and
/// returns whether names tell it.
fn differing_roots(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    found: &mut Differing<'_>,
) -> bool {
    let (old, new) = (crates(before), crates(after));
    for (root, was) in old {
        let Some(is) = new.get(root) else { continue };
        let manifests =
            |all: &Crates<'_>| all.iter().map(|one| one.0).eq(is.iter().map(|one| one.0));
        if was == *is {
            continue;
        }
        if !manifests(&was) || was.iter().chain(is).any(|(_, edition)| *edition < "2018") {
            return false;
        }
        let has_larger = |all: &Crates<'_>| all.iter().any(|one| one.1 >= LARGER_PRELUDE);
        if has_larger(&was) != has_larger(is) || was.len() > 1 {
            for (name, effect) in PRELUDE_NAMES {
                found.everywhere(name, effect);
            }
        }
    }
    true
}

fn crates<'s>(side: &'s ResolvedWorkspace<'_>) -> BTreeMap<&'s str, Crates<'s>> {
    let mut found: BTreeMap<&str, Crates<'_>> = BTreeMap::new();
    for krate in &side.tree.crates {
        let package = krate.package.and_then(|package| side.layout.packages.get(package.index()));
        let manifest = package.map(|package| package.manifest_path.as_str());
        let crates = found.entry(krate.target.root.as_str()).or_default();
        crates.insert((manifest, krate.target.edition.as_str()));
    }
    found
}

/// Root modules of the crates of packages, with what is given for the manifests of these.
fn roots<'d, T>(
    side: &ResolvedWorkspace<'_>,
    manifests: &'d BTreeMap<&str, T>,
) -> Vec<(NodeId, &'d T)> {
    let given = |krate: CrateId| {
        let package = side.tree.crates.get(krate)?.package?;
        let package = side.layout.packages.get(package.index())?;
        manifests.get(package.manifest_path.as_str())
    };
    let instances = side.tree.instances.iter_enumerated();
    let roots = instances.filter(|(_, one)| one.declared_in.is_none());
    roots
        .filter_map(|(number, one)| Some((side.assembly.node_of(number, 0)?.id, given(one.krate)?)))
        .collect()
}
