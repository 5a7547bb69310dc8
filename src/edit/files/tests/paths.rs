//! Which paths are accepted, and how they are normalised.

use std::os::unix::fs::symlink;

use super::*;

fn reason(space: &Space, path: &str) -> String {
    match check_path(&space.root, path) {
        Err(FilesError::Refused { reason, .. }) => reason,
        other => panic!("{path}: {other:?}"),
    }
}

#[test]
fn paths_are_normalised() {
    let space = Space::new();
    for path in ["src/a.rs", "./src/a.rs", "src/./a.rs", "src//a.rs", "src/deep/../a.rs"] {
        assert_eq!(check_path(&space.root, path).unwrap(), "src/a.rs", "{path}");
    }
    let absolute = space.at("src/a.rs");
    assert_eq!(check_path(&space.root, absolute.to_str().unwrap()).unwrap(), "src/a.rs");
    assert_eq!(check_path(&space.root, "no/such/folder/x.rs").unwrap(), "no/such/folder/x.rs");
    assert_eq!(check_path(&space.root, ".gitignore").unwrap(), ".gitignore");
    assert_eq!(check_path(&space.root, "src/a.rs.git").unwrap(), "src/a.rs.git");
}

#[test]
fn paths_that_leave_are_refused() {
    let space = Space::new();
    let outside = space.root.parent().unwrap().join("outside.rs");
    fs::write(&outside, "").unwrap();
    for path in ["../outside.rs", "src/../../outside.rs", "../workspace/main.rs"] {
        assert!(reason(&space, path).contains("outside the workspace"), "{path}");
    }
    for path in [outside.to_str().unwrap(), "/etc/passwd", "/nowhere/at/all.rs"] {
        assert!(reason(&space, path).contains("outside"), "{path}");
    }
    let sly = format!("{}/../outside.rs", space.root.display());
    assert!(reason(&space, &sly).contains("outside the workspace"));
    let twin = format!("{}-2/main.rs", space.root.display());
    assert!(reason(&space, &twin).contains("outside"));
}

#[test]
fn links_are_followed_within_the_root_only() {
    let space = Space::new();
    let outside = space.root.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x.rs"), "").unwrap();
    symlink(&outside, space.at("out")).unwrap();
    symlink("../..", space.at("src/up")).unwrap();
    symlink("deep", space.at("src/same")).unwrap();
    symlink(space.at("src"), space.at("whole")).unwrap();
    symlink("loop", space.at("loop")).unwrap();
    symlink("../main.rs", space.at("src/main.rs")).unwrap();
    symlink("nowhere.rs", space.at("src/dangling.rs")).unwrap();
    symlink(".asof", space.at("mine")).unwrap();
    assert_eq!(check_path(&space.root, "src/same/c.rs").unwrap(), "src/deep/c.rs");
    assert_eq!(check_path(&space.root, "whole/same/c.rs").unwrap(), "src/deep/c.rs");
    assert_eq!(check_path(&space.root, "src/same/../a.rs").unwrap(), "src/a.rs");
    for path in ["out/x.rs", "out/new.rs", "src/up/x.rs", "loop/x.rs"] {
        assert!(reason(&space, path).contains("outside the workspace"), "{path}");
    }
    for path in ["src/main.rs", "src/dangling.rs", "src/same"] {
        assert!(reason(&space, path).contains("symbolic link"), "{path}");
    }
    assert!(reason(&space, "mine/edit.lock").contains("state folder of asof"));
    // By another name of the root.
    let alias = space.root.parent().unwrap().join("alias");
    symlink(&space.root, &alias).unwrap();
    let path = alias.join("src/new/x.rs");
    assert_eq!(check_path(&space.root, path.to_str().unwrap()).unwrap(), "src/new/x.rs");
    assert_eq!(check_path(&alias, path.to_str().unwrap()).unwrap(), "src/new/x.rs");
    assert_eq!(check_path(&alias, "src/a.rs").unwrap(), "src/a.rs");
}

#[test]
fn names_that_are_not_source_files_are_refused() {
    let space = Space::new();
    let names = [
        ".git/config",
        ".GIT/config",
        "src/.git/hooks/pre-commit",
        "a/.git",
        ".g\u{200c}it/config",
        ".git./config",
        ".git /config",
        ".git::$INDEX_ALLOCATION/config",
        "GIT~1/config",
        ".asof/asof.db",
        ".Asof/x.rs",
        "src/.asof-x-1",
        "src/.ASOF-x-1.part",
    ];
    for path in names {
        let reason = reason(&space, path);
        assert!(reason.contains("git") || reason.contains("asof"), "{path}: {reason}");
    }
    for (path, part) in [
        ("", "empty"),
        ("src/a\0.rs", "NUL"),
        ("src/", "folder"),
        ("src/a.rs/", "folder"),
        ("src/.", "folder"),
        ("src/..", "folder"),
        (".", "folder"),
        ("/", "folder"),
        ("src", "is a folder"),
        ("src/a.rs/x.rs", "not a folder"),
    ] {
        assert!(reason(&space, path).contains(part), "{path}: {}", reason(&space, path));
    }
    let name = std::ffi::CString::new(space.at("pipe.rs").to_str().unwrap()).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        name,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    assert!(reason(&space, "pipe.rs").contains("not a regular file"));
}
