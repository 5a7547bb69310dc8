//! Finds Cargo workspaces below a folder.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::error::WorkspaceError;
use asof_files::plain::Links;

/// Longest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 4 << 20;

/// How far a search for workspaces goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Folders below the first one.
    pub depth: usize,
    /// Folders that are looked into.
    pub folders: usize,
    /// Workspaces that are listed.
    pub workspaces: usize,
}

impl Default for Reach {
    fn default() -> Self {
        Self { depth: 4, folders: 20_000, workspaces: 500 }
    }
}

/// A workspace, or a package that is in none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundWorkspace {
    /// Folder of its manifest.
    pub root: PathBuf,
    /// Name of the package in the root, else of the folder.
    pub name: String,
}

/// The workspaces below a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundWorkspaces {
    /// By path.
    pub list: Vec<FoundWorkspace>,
    /// Whether a limit ended the search.
    pub truncated: bool,
    /// Folders and manifests that could not be read.
    pub unreadable: Vec<String>,
}

/// The Cargo workspaces in a folder and below it. What is inside a workspace is not looked into, nor
/// are hidden folders and those with build results; links are not followed.
///
/// # Errors
/// The folder itself cannot be read.
pub fn workspaces_below(folder: &Path, reach: Reach) -> Result<FoundWorkspaces, WorkspaceError> {
    let folder = fs::canonicalize(folder)
        .map_err(|_| WorkspaceError::NotFound { path: folder.to_owned() })?;
    let mut found = FoundWorkspaces::default();
    let mut open = vec![(folder, 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = open.pop() {
        seen += 1;
        if seen > reach.folders || found.list.len() >= reach.workspaces {
            found.truncated = true;
            break;
        }
        match manifest(&folder) {
            Ok(None) => {}
            Ok(Some(manifest)) => {
                let name = name_of(&manifest, &folder);
                found.list.push(FoundWorkspace { root: folder, name });
                continue;
            }
            Err(problem) => {
                found.unreadable.push(problem);
                continue;
            }
        }
        match folders_in(&folder) {
            Ok(inside) if depth == reach.depth => found.truncated |= !inside.is_empty(),
            // The first on top.
            Ok(inside) => open.extend(inside.into_iter().rev().map(|path| (path, depth + 1))),
            Err(error) => found.unreadable.push(format!("{}: {error}", folder.display())),
        }
    }
    found.list.sort_unstable();
    Ok(found)
}

/// The manifest of a folder; none if it has none. A link to one is none.
fn manifest(folder: &Path) -> Result<Option<Table>, String> {
    let path = folder.join("Cargo.toml");
    let bytes = match asof_files::plain::read(&path, MAX_MANIFEST, Links::Refuse) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let table = String::from_utf8_lossy(&bytes).parse::<Table>();
    table.map(Some).map_err(|error| format!("{}: {}", path.display(), error.message()))
}

fn name_of(manifest: &Table, folder: &Path) -> String {
    let package = manifest.get("package").and_then(|package| package.get("name"));
    let folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = package.and_then(Value::as_str).map(str::to_owned).or_else(folder);
    name.unwrap_or_else(|| "root".to_owned())
}

fn folders_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let skipped = name.as_encoded_bytes().starts_with(b".")
            || ["target", "node_modules"].iter().any(|known| name == *known);
        // Of the entry itself: a link is no folder.
        if !skipped && entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(folder: &Path, path: &str, name: &str) {
        fs::create_dir_all(folder.join(path)).unwrap();
        let text = format!("[package]\nname = \"{name}\"\n");
        fs::write(folder.join(path).join("Cargo.toml"), text).unwrap();
    }

    #[test]
    fn workspaces_are_found_up_to_a_depth_and_never_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        package(&top, "a", "alpha");
        package(&top, "a/inner", "inner");
        package(&top, "group/b", "beta");
        package(&top, "target/c", "built");
        package(&top, ".hidden/d", "hidden");
        package(&top, "1/2/3/e", "deep");
        fs::create_dir(top.join("w")).unwrap();
        fs::write(top.join("w/Cargo.toml"), "[workspace]\nmembers = []\n").unwrap();
        fs::create_dir(top.join("bad")).unwrap();
        fs::write(top.join("bad/Cargo.toml"), "no manifest").unwrap();
        std::os::unix::fs::symlink(top.join("a"), top.join("z")).unwrap();
        let names = |reach: Reach| {
            let found = workspaces_below(&top, reach).unwrap();
            let names: Vec<String> = found.list.iter().map(|one| one.name.clone()).collect();
            (names.join(" "), found.truncated, found.unreadable.len())
        };
        let all = Reach::default();
        assert_eq!(names(all), ("deep alpha beta w".to_owned(), false, 1));
        assert_eq!(names(Reach { depth: 2, ..all }), ("alpha beta w".to_owned(), true, 1));
        assert_eq!(names(Reach { workspaces: 2, ..all }).0.split(' ').count(), 2);
        assert!(names(Reach { folders: 3, ..all }).1);
        assert!(workspaces_below(&top.join("none"), all).is_err());
    }
}
