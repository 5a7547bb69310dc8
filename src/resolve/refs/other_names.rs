//! Names that manifests give to dependencies instead of those of their packages.

use std::borrow::Cow;

use asof_model::{HashMap, Package};

/// Whether the manifests of two states give dependencies the same other names.
pub fn rename_alike(some: &[Package], others: &[Package]) -> bool {
    OtherNames::new(some) == OtherNames::new(others)
}

/// Dependencies to which manifests give other names than those of their packages.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OtherNames {
    /// By the name in code; none if manifests do not agree on it.
    packages: HashMap<String, Option<String>>,
    /// By the name of the package.
    names: HashMap<String, Option<String>>,
}

impl OtherNames {
    pub(super) fn new(packages: &[Package]) -> Self {
        let mut all = OtherNames::default();
        for (name, package) in packages.iter().flat_map(|package| &package.dependencies) {
            let (name, package) = (name.replace('-', "_"), package.replace('-', "_"));
            agree(&mut all.packages, name.clone(), &package);
            agree(&mut all.names, package, &name);
        }
        let renames =
            |from: &String, to: &mut Option<String>| to.as_ref().is_some_and(|to| to != from);
        all.packages.retain(renames);
        all.names.retain(renames);
        all
    }

    /// A path from the name of a package on, where a manifest gives the crate another name.
    pub(super) fn packaged<'p>(&self, path: &'p str) -> Cow<'p, str> {
        named(path, &self.packages)
    }

    /// A path as the workspace writes it, where a manifest gives the crate another name.
    pub(super) fn renamed<'p>(&self, path: &'p str) -> Cow<'p, str> {
        named(path, &self.names)
    }
}

fn agree(all: &mut HashMap<String, Option<String>>, from: String, to: &str) {
    let known = all.entry(from).or_insert_with(|| Some(to.to_owned()));
    if known.as_deref() != Some(to) {
        *known = None;
    }
}

/// A path with another first segment, if all that have this one agree on it.
fn named<'p>(path: &'p str, names: &HashMap<String, Option<String>>) -> Cow<'p, str> {
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    match names.get(first) {
        Some(Some(to)) => format!("{to}::{rest}").into(),
        _ => path.into(),
    }
}
