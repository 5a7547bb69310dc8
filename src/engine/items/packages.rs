//! Files of a package: those whose nearest manifest is the package's.

use std::collections::BTreeSet;

use asof_query::CrateRoot;

/// Tells which files belong to a package.
#[derive(Debug)]
pub(crate) struct PackageFiles {
    /// Folders of manifests, the deepest first, and whether each is of the package.
    folders: Vec<(String, bool)>,
}

impl PackageFiles {
    /// The files of a package; none if no crate is of it.
    pub fn find(crates: &[CrateRoot], package: &str) -> Option<Self> {
        let mut folders: Vec<(String, bool)> = crates
            .iter()
            .map(|krate| {
                let folder = krate.manifest_path.rsplit_once('/').map_or("", |(folder, _)| folder);
                (folder.to_owned(), krate.package.as_deref() == Some(package))
            })
            .collect();
        // Of several packages in one folder, the wanted one comes first.
        folders.sort_by_key(|(folder, own)| std::cmp::Reverse((folder.len(), *own)));
        folders.iter().any(|(_, own)| *own).then_some(Self { folders })
    }

    /// Whether a file belongs to the package.
    pub fn holds(&self, path: &str) -> bool {
        let is_below = |(folder, _): &&(String, bool)| is_below(path, folder);
        self.folders.iter().find(is_below).is_some_and(|(_, own)| *own)
    }
}

/// Tells the package of a file.
#[derive(Debug)]
pub(crate) struct PackageFolders<'c> {
    /// Folders of manifests, the deepest first, each with its package.
    folders: Vec<(&'c str, &'c str)>,
}

impl<'c> PackageFolders<'c> {
    pub fn new(crates: &'c [CrateRoot]) -> Self {
        let folder = |krate: &'c CrateRoot| {
            let folder = krate.manifest_path.rsplit_once('/').map_or("", |(folder, _)| folder);
            krate.package.as_deref().map(|package| (folder, package))
        };
        let mut folders: Vec<(&str, &str)> = crates.iter().filter_map(folder).collect();
        folders.sort_by_key(|(folder, package)| (std::cmp::Reverse(folder.len()), *package));
        Self { folders }
    }

    /// The package whose manifest is nearest to a file.
    pub fn package_of(&self, path: &str) -> Option<&'c str> {
        let is_below = |(folder, _): &&(&str, &str)| is_below(path, folder);
        self.folders.iter().find(is_below).map(|(_, package)| *package)
    }
}

/// Whether a file is in a folder, or below it.
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Names of all packages, in order.
pub(crate) fn package_names(crates: &[CrateRoot]) -> BTreeSet<&str> {
    crates.iter().filter_map(|krate| krate.package.as_deref()).collect()
}
