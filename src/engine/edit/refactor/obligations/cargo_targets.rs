//! Files that Cargo takes for targets by their names: no file that moves becomes one (The Cargo Book,
//! "Target auto-discovery").

use super::manifests::manifests;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::Halt;
use asof_wire::Obligation;
use asof_workspace::parent_folder;

/// Folders whose files, and whose folders with a `main.rs`, are targets.
const FOLDERS: [&str; 4] = ["src/bin", "tests", "examples", "benches"];

/// Files that are targets.
const FILES: [&str; 3] = ["src/lib.rs", "src/main.rs", "build.rs"];

pub(super) fn check(snapshot: &Snapshot<'_>, out: &mut Refactored) -> Result<(), Halt> {
    let manifests = manifests(snapshot)?;
    let new: Vec<String> = out.moves.values().chain(out.created.keys()).cloned().collect();
    for path in &new {
        let folders = manifests.iter().map(|manifest| parent_folder(manifest));
        let below = folders.filter_map(|folder| match folder {
            "" => Some(path.as_str()),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        });
        if below.into_iter().any(is_target) {
            out.wrong.push(format!("{path}: Cargo would take this file for a target of its own"));
        }
    }
    out.check(Obligation::Targets, new.len());
    Ok(())
}

/// Whether Cargo finds a target at a path relative to the manifest.
fn is_target(path: &str) -> bool {
    let in_folder = |folder: &str| {
        let Some(rest) = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) else {
            return false;
        };
        match rest.split_once('/') {
            None => rest.ends_with(".rs"),
            Some((_, file)) => file == "main.rs",
        }
    };
    FILES.contains(&path) || FOLDERS.iter().any(|folder| in_folder(folder))
}

#[cfg(test)]
mod tests {
    use super::is_target;

    #[test]
    fn targets_are_found_by_their_names() {
        for path in ["src/main.rs", "build.rs", "src/bin/a.rs", "tests/a/main.rs", "benches/b.rs"] {
            assert!(is_target(path), "{path}");
        }
        for path in ["src/a.rs", "src/a/main.rs", "tests/a/b.rs", "src/bin/a/b.rs", "a/build.rs"] {
            assert!(!is_target(path), "{path}");
        }
    }
}
