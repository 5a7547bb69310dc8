//! Finds the root of the workspace that a folder belongs to, as Cargo and Git do.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use asof_files::plain::Links;

/// Longest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 4 << 20;

/// The root above a folder, or that folder itself: the nearest one with a `[workspace]` that does
/// not exclude it, else the outermost package, else the Git repository. A Git repository ends the
/// search for packages. `None` if there is neither.
pub fn root_above(start: &Path) -> Option<PathBuf> {
    let mut package = None;
    let mut repository = None;
    for folder in start.ancestors() {
        if let Some(manifest) = manifest(folder) {
            match manifest.get("workspace").and_then(Value::as_table) {
                Some(workspace) if excludes(workspace, folder, start) && package.is_some() => {
                    return package;
                }
                Some(_) => return Some(folder.to_owned()),
                None if repository.is_none() => package = Some(folder.to_owned()),
                None => {}
            }
        }
        if repository.is_none() && folder.join(".git").exists() {
            repository = Some(folder.to_owned());
        }
    }
    package.or(repository)
}

/// The manifest of a folder, if it has one that reads.
fn manifest(folder: &Path) -> Option<Table> {
    let bytes =
        asof_files::plain::read(&folder.join("Cargo.toml"), MAX_MANIFEST, Links::Follow).ok()?;
    String::from_utf8(bytes).ok()?.parse().ok()
}

/// Whether a workspace leaves a folder below it out.
fn excludes(workspace: &Table, root: &Path, folder: &Path) -> bool {
    let list = workspace.get("exclude").and_then(Value::as_array);
    let paths = list.into_iter().flatten().filter_map(Value::as_str);
    paths.map(|path| root.join(path)).any(|excluded| folder.starts_with(excluded))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], start: &str, expected: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(top.join(start)).unwrap();
        for (path, text) in files {
            fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
            fs::write(top.join(path), text).unwrap();
        }
        let found = root_above(&top.join(start)).filter(|root| root.starts_with(&top));
        assert_eq!(found, expected.map(|path| top.join(path)));
    }

    #[test]
    fn the_root_is_that_of_cargo_else_that_of_git() {
        let workspace = "[workspace]\nmembers = [\"a\"]\nexclude = [\"x\"]\n";
        let package = "[package]\nname = \"p\"\n";
        let both = [("w/Cargo.toml", workspace), ("w/a/Cargo.toml", package)];
        check(&both, "w/a/src", Some("w"));
        check(&both, "w/x/src", Some("w"));
        let own = [("w/Cargo.toml", workspace), ("w/x/Cargo.toml", package)];
        check(&own, "w/x/src", Some("w/x"));
        check(&[("p/Cargo.toml", package), ("p/q/Cargo.toml", package)], "p/q/src", Some("p"));
        check(&[("g/.git/HEAD", ""), ("g/a/main.rs", "")], "g/a", Some("g"));
        check(&[("Cargo.toml", package), ("g/.git/HEAD", "")], "g/a", Some("g"));
        check(&[("Cargo.toml", workspace), ("g/.git/HEAD", "")], "g/a", Some(""));
        check(&[("p/Cargo.toml", "not toml [")], "p/src", None);
    }
}
