//! Trees on disk, and what is found in them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Disk, Walk, WorkspaceError, discover, layout, read_file, walk};
use asof_model::{IssueKind, WorkspaceLayout};

mod cargo;
mod fixtures;
mod plain_folder;
mod walking;

/// A tree of files from a text: `//- path` begins each; indentation is dropped.
pub(super) fn tree(fixture: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for part in fixture.split("//- ").skip(1) {
        let (path, text) = part.split_once('\n').unwrap_or((part, ""));
        let path = dir.path().join(path.trim());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lines = text.split_inclusive('\n').map(|line| line.trim_start_matches(' '));
        fs::write(path, lines.collect::<String>()).unwrap();
    }
    dir
}

fn print(layout: &WorkspaceLayout) -> String {
    let mut out = String::new();
    for package in &layout.packages {
        let manifest = &package.manifest_path;
        let manifest = if manifest.is_empty() { "-" } else { manifest };
        let (name, version, edition) = (&package.name, &package.version, &package.edition);
        writeln!(out, "{manifest} {name} {version} {edition}").unwrap();
        for (name, package) in &package.dependencies {
            writeln!(out, "  uses {name} = {package}").unwrap();
        }
        for target in &package.targets {
            let names = if target.name == target.crate_name {
                target.name.clone()
            } else {
                format!("{} ({})", target.name, target.crate_name)
            };
            writeln!(out, "  {} {names} {}", target.kind.as_str(), target.root).unwrap();
        }
    }
    out
}

/// Packages and issues of a tree, in one text; indentation of `expected` does not count.
#[track_caller]
fn check(fixture: &str, expected: &str) {
    check_dir(tree(fixture).path(), expected);
}

#[track_caller]
fn check_dir(root: &Path, expected: &str) {
    let (layout, issues) = discover(root).unwrap();
    let mut found = print(&layout);
    for issue in issues {
        let kind = issue.kind.as_str();
        writeln!(found, "issue {} {kind}: {}", issue.file_path, issue.message).unwrap();
    }
    let plain = |text: &str| {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(plain(&found), plain(expected));
}

fn files(walk: &Walk) -> Vec<&str> {
    walk.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn reading_is_capped_and_stays_inside() {
    let dir = tree("//- a.rs\n12345//- d/b.rs\n");
    let read = |path: &str, cap| read_file(dir.path(), path, cap).map_err(|issue| issue.kind);
    assert_eq!(read("a.rs", 5), Ok(b"12345".to_vec()));
    assert_eq!(read("a.rs", 4), Err(IssueKind::TooLarge));
    let absolute = dir.path().join("a.rs");
    for path in ["", "gone.rs", "d", "../a.rs", "d/../a.rs", absolute.to_str().unwrap()] {
        assert_eq!(read(path, 100), Err(IssueKind::Unreadable), "{path}");
    }
}

#[test]
fn errors_name_the_root_as_it_was_given() {
    match discover(Path::new("no/such/place")) {
        Err(WorkspaceError::NotFound { path }) => assert_eq!(path, Path::new("no/such/place")),
        other => panic!("{other:?}"),
    }
}

/// Prints a layout as Cargo's metadata could, and how long the walk took:
/// `ASOF_TRY=<folder> cargo test --lib workspace::tests::try_folder -- --ignored --nocapture`.
#[test]
#[ignore = "a look at a folder of the user's choice"]
fn try_folder() {
    let root = std::env::var("ASOF_TRY").expect("ASOF_TRY names a folder");
    let root = Path::new(&root);
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = std::time::Instant::now();
        let walk = walk(root).unwrap();
        times.push((start.elapsed().as_micros(), walk.files.len()));
    }
    times.sort_unstable();
    let start = std::time::Instant::now();
    let (layout, issues) = discover(root).unwrap();
    println!(
        "walk: fastest {:?}, median {:?} µs; discover: {:?}",
        times[0],
        times[10],
        start.elapsed()
    );
    println!("{}{issues:#?}", print(&layout));
}
