//! Crates: the root of each, and the crates that its code can name.

use std::sync::Arc;

use super::bindings::{OutsidePath, PathTarget};
use index_vec::IndexVec;

use super::crate_maps::{Crate, CrateMaps, Input};
use super::ids::{CrateId, Def, InstanceId, PackageId};
use super::namespaces::TYPES;
use super::nowhere::NOWHERE;
use asof_model::{HashMap, Header, TreeItem};

/// Node of the crate root of each instance's crate, by instance; nowhere for a file that no module
/// declares.
pub(super) fn crate_roots(input: &Input<'_>, assembly: &CrateMaps) -> IndexVec<InstanceId, Def> {
    let mut roots: IndexVec<InstanceId, Def> = IndexVec::with_capacity(input.instances.len());
    for (number, instance) in input.instances.iter_enumerated() {
        let root = match instance.declared_in {
            Some((by, _)) => roots.get(by).copied(),
            None => assembly.nodes.item_nodes(number).first().copied(),
        };
        roots.push(root.unwrap_or(NOWHERE));
    }
    roots
}

/// The crates that code can name, by the names that it has for them.
pub(super) type Prelude = HashMap<String, PathTarget>;

/// For each crate, the crates that its code can name from every module (Rust reference, "Extern
/// prelude"): its dependencies, its package's library, and what `extern crate … as …` in its root
/// adds, `self` included.
pub(super) fn extern_preludes(
    input: &Input<'_>,
    assembly: &CrateMaps,
) -> IndexVec<CrateId, Arc<Prelude>> {
    let mut libraries: HashMap<PackageId, (&str, Def)> = HashMap::default();
    let mut roots: HashMap<CrateId, (InstanceId, Def)> = HashMap::default();
    for (number, instance) in input.instances.iter_enumerated() {
        let Some(krate) = input.crates.get(instance.krate) else { continue };
        let root = assembly.nodes.item_nodes(number).first().copied();
        let (None, Some(root)) = (instance.declared_in, root) else { continue };
        roots.insert(instance.krate, (number, root));
        if let (true, Some(package)) = (is_library(krate), krate.package) {
            libraries.insert(package, (&krate.target.crate_name, root));
        }
    }
    let by_name: HashMap<&str, PackageId> =
        input.packages.iter_enumerated().rev().map(|(i, p)| (p.name.as_str(), i)).collect();
    let dependencies = |krate: &Crate| {
        let mut names = Prelude::default();
        let Some(package) = krate.package.and_then(|p| input.packages.get(p)) else {
            return names;
        };
        for (in_code, name) in &package.dependencies {
            let library = by_name.get(name.as_str()).and_then(|p| libraries.get(p));
            // A library may have another name than its package, unless the dependency is
            // renamed.
            let known_as = match library {
                Some((own, _)) if in_code.replace('-', "_") == name.replace('-', "_") => {
                    (*own).to_owned()
                }
                _ => in_code.replace('-', "_"),
            };
            let target = match library {
                Some((_, root)) => PathTarget::node(*root, TYPES),
                None => PathTarget::External(OutsidePath::of_crate(&known_as)),
            };
            names.insert(known_as, target);
        }
        let own = krate.package.and_then(|package| libraries.get(&package));
        if let (false, Some((own, root))) = (is_library(krate), own) {
            names.insert((*own).to_owned(), PathTarget::node(*root, TYPES));
        }
        names
    };
    // Tests, examples and binaries of a package can name the same.
    let mut of_packages: HashMap<(Option<PackageId>, bool), Arc<Prelude>> = HashMap::default();
    let all = input.crates.iter_enumerated().map(|(number, krate)| {
        let of_package = of_packages.entry((krate.package, is_library(krate)));
        let mut names = Arc::clone(of_package.or_insert_with(|| Arc::new(dependencies(krate))));
        if let Some(&(instance, root)) = roots.get(&number) {
            add_extern_crates(input.item_tree(instance), root, &mut names);
        }
        names
    });
    all.collect()
}

/// Shares those that an earlier state has.
pub(super) fn share_preludes(
    preludes: &mut IndexVec<CrateId, Arc<Prelude>>,
    before: &IndexVec<CrateId, Arc<Prelude>>,
) {
    let mut known: HashMap<[*const Prelude; 2], bool> = HashMap::default();
    for (own, then) in preludes.iter_mut().zip(before) {
        let pair = [Arc::as_ptr(own), Arc::as_ptr(then)];
        if *known.entry(pair).or_insert_with(|| own == then) {
            *own = Arc::clone(then);
        }
    }
}

fn is_library(krate: &Crate) -> bool {
    matches!(krate.target.kind.as_str(), "lib" | "proc_macro")
}

/// Adds the names that `extern crate` declarations in a crate root give to crates.
fn add_extern_crates(items: &[TreeItem], root: Def, names: &mut Arc<Prelude>) {
    for item in items.iter().filter(|item| item.parent == 0) {
        let Header::ExternCrate { of: Some(of), .. } = &item.header else { continue };
        let target = match (of.as_str(), names.get(of)) {
            ("self", _) => PathTarget::node(root, TYPES),
            (_, Some(target)) => target.clone(),
            (of, None) => PathTarget::External(OutsidePath::of_crate(of)),
        };
        Arc::make_mut(names).insert(item.name.clone(), target);
    }
}

/// Stores the crates that code can name.
pub(super) mod preludes {
    use std::sync::Arc;

    use index_vec::IndexVec;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::crates::Prelude;
    use crate::ids::CrateId;

    pub fn serialize<S: Serializer>(
        all: &IndexVec<CrateId, Arc<Prelude>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(|prelude| &**prelude))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<IndexVec<CrateId, Arc<Prelude>>, D::Error> {
        let all: Vec<Prelude> = Deserialize::deserialize(deserializer)?;
        Ok(all.into_iter().map(Arc::new).collect())
    }
}
