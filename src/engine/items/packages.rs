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
        let below = |(folder, _): &&(String, bool)| {
            let rest = path.strip_prefix(folder.as_str());
            folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        };
        self.folders.iter().find(below).is_some_and(|(_, own)| *own)
    }
}

/// Names of all packages, in order.
pub(crate) fn package_names(crates: &[CrateRoot]) -> BTreeSet<&str> {
    crates.iter().filter_map(|krate| krate.package.as_deref()).collect()
}
