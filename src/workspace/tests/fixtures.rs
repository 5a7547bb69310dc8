//! The fixtures of the project, which the compiler accepts: module files are found as by the
//! compiler.

use std::collections::BTreeSet;

use super::super::module_tree::{ModDir, existing};
use super::super::scan::declared_files;
use super::*;

/// Follows every module from every target: each has a file, and `loose` are those files that
/// none reaches.
#[track_caller]
fn check_reach(fixture: &str, loose: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture);
    let walk = walk(&root).unwrap();
    let (layout, issues) = layout(&root, &walk).unwrap();
    assert_eq!(issues, []);
    let targets = layout.packages.iter().flat_map(|package| &package.targets);
    let mut waiting: Vec<_> =
        targets.map(|target| (target.root.clone(), ModDir::root(&target.root))).collect();
    let mut reached = BTreeSet::new();
    while let Some((path, dir)) = waiting.pop() {
        let text = fs::read_to_string(root.join(&path)).unwrap();
        for candidates in declared_files(&text, &dir) {
            let tried = format!("{candidates:?}");
            let found = existing(candidates, |path| walk.has_file(path));
            assert!(!found.is_empty(), "{path}: none of {tried}");
            waiting.extend(found.into_iter().map(|file| (file.path, file.dir)));
        }
        reached.insert(path);
    }
    let left: Vec<&str> =
        files(&walk).into_iter().filter(|path| !reached.contains(*path)).collect();
    assert_eq!(left, loose);
}

#[test]
fn every_file_of_the_fixtures_is_reached() {
    check_reach("modules", &[]);
    check_reach("reexports", &[]);
    check_reach("items", &[]);
    check_reach("cfg", &[]);
    check_reach("plain", &[]);
    check_reach("targets", &[]);
    check_reach("encodings", &["src/broken.rs", "src/not_utf8.rs"]);
}

#[test]
fn bytes_of_the_encodings_are_as_they_were_made() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/encodings/src");
    let read = |name: &str| read_file(&root, name, 10_000).unwrap();
    assert!(read("crlf.rs").windows(2).any(|pair| pair == b"\r\n"));
    assert!(read("bom.rs").starts_with(b"\xef\xbb\xbf"));
    assert!(read("no_newline.rs").ends_with(b"}"));
    assert!(std::str::from_utf8(&read("not_utf8.rs")).is_err());
    assert_eq!(read("empty.rs"), b"");
}
