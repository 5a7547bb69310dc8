//! Resolves paths that lead into other crates.

use std::path::Path;

use super::dependencies::UsedCrates;
use super::error::IndexError;
use super::state::State;
use asof_resolve::Dependencies;
use asof_store::Store;
use asof_workspace::{LockedCrate, SourceFolders};

/// Names of the standard library, for which no source is read.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// The crate that a path leads to which the workspace's code would write, and the path there; none if
/// it leads to none that is known.
///
/// # Errors
/// If sources went away, or the database failed.
pub fn path_outside(
    store: &Store,
    root: &Path,
    path: &str,
) -> Result<Option<(LockedCrate, String)>, IndexError> {
    let segments: Vec<&str> = path.split("::").collect();
    let is_name = |text: &&str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if segments.len() < 2 || !segments.iter().all(is_name) {
        return Ok(None);
    }
    let used = used_crates(store)?;
    // Most paths that are not found lead nowhere: nothing is read for them.
    if !segments.first().is_some_and(|first| used.names.contains_key(*first)) {
        return Ok(None);
    }
    let dependencies = used.load(&SourceFolders::find(root), None)?;
    let Some((number, there, followed)) = dependencies.find(&segments) else { return Ok(None) };
    let rest = segments.get(followed..).unwrap_or_default();
    let path: Vec<&str> = [there.as_str()].into_iter().chain(rest.iter().copied()).collect();
    Ok(used.crates.get(number).map(|one| (one.locked.clone(), path.join("::"))))
}

fn used_crates(store: &Store) -> Result<UsedCrates, IndexError> {
    let roots = State::load_without_files(store)?.roots;
    Ok(roots.map(|roots| roots.dependencies).unwrap_or_default())
}

/// Whether the standard library has what a path names. Of what its types have, only the type is looked
/// up: `std::fs::File::any` is there.
pub fn is_in_standard_library(path: &str) -> bool {
    let library = Dependencies::default();
    let has = |path: &str| STANDARD.contains(&path) || library.namespaces(path) != 0;
    let is_of_type = || {
        path.rsplit_once("::").is_some_and(|(owner, _)| {
            let name = owner.rsplit("::").next().unwrap_or(owner);
            name.starts_with(char::is_uppercase) && has(owner)
        })
    };
    has(path) || is_of_type()
}

/// Those of the names of other crates that mean the same item as a path that the workspace's code would
/// write: `std::collections::hash_map::HashMap` is `std::collections::HashMap`.
///
/// # Errors
/// If sources went away, or the database failed.
pub fn same_outside<'n>(
    store: &Store,
    root: Option<&Path>,
    path: &str,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<&'n str>, IndexError> {
    let first = path.split("::").next().unwrap_or_default();
    if STANDARD.contains(&first) {
        return Ok(Dependencies::default().same_items(path, names));
    }
    let Some(root) = root else { return Ok(Vec::new()) };
    let used = used_crates(store)?;
    if !used.names.contains_key(first) {
        return Ok(Vec::new());
    }
    let dependencies = used.load(&SourceFolders::find(root), None)?;
    Ok(dependencies.same_items(path, names))
}
