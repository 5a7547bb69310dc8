//! Folders that a transaction makes and takes back.

use std::collections::BTreeSet;

use rustix::fs::{AtFlags, Mode, mkdirat, unlinkat};
use rustix::io::Errno;

use super::error::FilesError;
use super::fault;
use super::place::{Tree, split};

/// Folders above `path` that do not exist, the outermost first.
pub(super) fn missing(tree: &mut Tree, path: &str) -> Result<Vec<String>, FilesError> {
    let mut missing = Vec::new();
    let (mut dir, _) = split(path);
    while !dir.is_empty() && tree.dir(dir)?.is_none() {
        missing.push(dir.to_owned());
        dir = split(dir).0;
    }
    missing.reverse();
    Ok(missing)
}

/// Makes folders, the outermost first; one that somebody else made meanwhile will do.
pub(super) fn make(tree: &mut Tree, paths: &[String]) -> Result<(), FilesError> {
    for path in paths {
        let failed = |err: std::io::Error| FilesError::at("create the folder", path, err);
        let (parent, name) = split(path);
        let parent = tree.dir(parent)?.ok_or_else(|| failed(Errno::NOENT.into()))?;
        match mkdirat(&*parent, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(err) => return Err(failed(err.into())),
        }
        fault::point("made-folder").map_err(failed)?;
    }
    Ok(())
}

/// Removes folders that are empty, the innermost first. Others, missing ones and ones that are no
/// folders any more stay as they are.
pub(super) fn remove_empty(tree: &mut Tree, paths: &[String]) -> Result<(), FilesError> {
    for path in paths.iter().rev() {
        let (parent, name) = split(path);
        let Ok(Some(parent)) = tree.dir(parent) else { continue };
        match unlinkat(&*parent, name, AtFlags::REMOVEDIR) {
            Ok(()) => tree.discard(path),
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOENT | Errno::NOTDIR) => {}
            Err(err) => return Err(FilesError::at("remove the folder", path, err)),
        }
    }
    Ok(())
}

/// The folders whose entries a transaction changes.
pub(super) fn touched<'a>(
    files: impl Iterator<Item = &'a str>,
    made: &'a [String],
) -> BTreeSet<&'a str> {
    let made = made.iter().map(String::as_str);
    files
        .map(|path| split(path).0)
        .chain(made.clone())
        .chain(made.map(|path| split(path).0))
        .collect()
}
