//! What the walk finds and what it leaves out.

use super::*;

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

#[test]
fn ignored_hidden_and_cached_files_are_left_out() {
    let dir = tree(&format!(
        "//- .gitignore
        /skipped/
        *.gen.rs
        //- .ignore
        other.rs
        //- .git/info/exclude
        excluded.rs
        //- .git/x.rs
        //- .asof/x.rs
        //- .hidden/x.rs
        //- skipped/x.rs
        //- other.rs
        //- excluded.rs
        //- a.gen.rs
        //- sub/.gitignore
        !b.gen.rs
        //- sub/b.gen.rs
        //- target/kept.rs
        //- build/CACHEDIR.TAG\n{TAG}
        //- build/x.rs
        //- fake/CACHEDIR.TAG\nSignature: none
        //- fake/x.rs
        //- a.rs
        //- a.txt"
    ));
    let walk = walk(dir.path()).unwrap();
    assert_eq!(files(&walk), ["a.rs", "fake/x.rs", "sub/b.gen.rs", "target/kept.rs"]);
    assert_eq!(walk.issues, []);
}

#[cfg(unix)]
#[test]
fn documents_are_plain_markdown_files_and_links_to_them_are_left_out() {
    let dir = tree(
        "//- .gitignore
        draft.md
        //- README.md
        //- docs/b.MARKDOWN
        //- docs/draft.md
        //- .hidden/x.md
        //- folder.md/a.rs
        //- .md
        //- notes.mdx",
    );
    std::os::unix::fs::symlink("README.md", dir.path().join("link.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", dir.path().join("out.md")).unwrap();
    let walk = walk(dir.path()).unwrap();
    let documents: Vec<_> = walk.documents.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(documents, ["README.md", "docs/b.MARKDOWN"]);
    assert_eq!(files(&walk), ["folder.md/a.rs"]);
    assert_eq!(walk.issues, []);
}

#[test]
fn files_above_the_root_do_not_count() {
    let dir = tree("//- .gitignore\n*.rs\n//- .ignore\n*.rs\n//- w/a.rs");
    fs::create_dir(dir.path().join(".git")).unwrap();
    assert_eq!(files(&walk(&dir.path().join("w")).unwrap()), ["a.rs"]);
}

#[test]
fn sizes_times_and_manifests_come_along() {
    let dir = tree("//- a.rs\nfn f() {}\n//- x/Cargo.toml\n[package]\n//- Cargo.toml\n");
    let walk = walk(dir.path()).unwrap();
    assert_eq!(walk.files[0].size, 10);
    assert!(walk.files[0].modified_ns > 1_600_000_000_000_000_000);
    let manifests: Vec<_> = walk.manifests.iter().map(|m| m.path.as_str()).collect();
    assert_eq!(manifests, ["Cargo.toml", "x/Cargo.toml"]);
    assert_eq!(walk.manifests[1].size, 10);
}

#[cfg(unix)]
#[test]
fn links_never_lead_out_and_never_count_twice() {
    use std::os::unix::fs::symlink;
    let outside = tree("//- secret.rs\n//- dir/x.rs");
    let dir = tree("//- real.rs\n//- .hidden/h.rs\n//- sub/a.rs");
    let at = |path: &str| -> PathBuf { dir.path().join(path) };
    symlink("real.rs", at("alias.rs")).unwrap();
    symlink(".hidden/h.rs", at("shown.rs")).unwrap();
    symlink(outside.path().join("secret.rs"), at("out.rs")).unwrap();
    symlink(outside.path().join("dir"), at("outdir")).unwrap();
    symlink("..", at("sub/up")).unwrap();
    symlink("loop.rs", at("loop.rs")).unwrap();
    symlink("gone.rs", at("dangling.rs")).unwrap();
    symlink("sub", at("folder.rs")).unwrap();
    let walk = walk(dir.path()).unwrap();
    assert_eq!(files(&walk), ["real.rs", "shown.rs", "sub/a.rs"]);
    assert_eq!(
        walk.links.iter().collect::<Vec<_>>(),
        [(&"alias.rs".to_owned(), &"real.rs".to_owned())]
    );
    let issues: Vec<_> =
        walk.issues.iter().map(|i| (i.file_path.as_str(), i.kind.as_str())).collect();
    assert_eq!(
        issues,
        [("dangling.rs", "unreadable"), ("loop.rs", "unreadable"), ("out.rs", "unreadable")]
    );
    assert!(walk.issues.iter().all(|i| !i.message.contains(dir.path().to_str().unwrap())));
    assert!(read_file(dir.path(), "out.rs", 100).is_err());
    assert!(read_file(dir.path(), "outdir/x.rs", 100).is_err());
    assert!(read_file(dir.path(), "alias.rs", 100).is_ok());
}

#[cfg(unix)]
#[test]
fn a_target_that_is_a_link_has_the_linked_file() {
    let dir = tree(
        "//- Cargo.toml
        package = { name = 'p' }
        //- shared/b.rs
        //- src/lib.rs",
    );
    std::os::unix::fs::symlink("shared/b.rs", dir.path().join("build.rs")).unwrap();
    check_dir(
        dir.path(),
        "Cargo.toml p 0.0.0 2015
        lib p src/lib.rs
        build_script build-script-build (build_script_build) shared/b.rs",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_issues() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tree("//- a.rs");
    let name = std::ffi::OsStr::from_bytes(b"b\xff.rs");
    fs::write(dir.path().join(name), "").unwrap();
    let walk = walk(dir.path()).unwrap();
    assert_eq!(files(&walk), ["a.rs"]);
    assert_eq!(walk.issues.len(), 1);
    assert_eq!(walk.issues[0].file_path, "b\u{fffd}.rs");
}
