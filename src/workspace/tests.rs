//! Trees on disk, and what is found in them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Walk, WorkspaceError, discover, layout, read_file, walk};
use crate::model::{IssueKind, WorkspaceLayout};

/// A tree of files from a text: `//- path` begins each; indentation is dropped.
fn tree(fixture: &str) -> TempDir {
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

mod cargo {
    use super::*;

    #[test]
    fn targets_are_found_by_their_place() {
        check(
            "//- Cargo.toml
            [package]
            name = 'my-pkg'
            version = '1.2.3'
            edition = '2024'
            //- src/lib.rs
            //- src/main.rs
            //- src/other.rs
            //- src/bin/tool.rs
            //- src/bin/big/main.rs
            //- src/bin/big/part.rs
            //- examples/one-two.rs
            //- examples/deep/main.rs
            //- tests/it.rs
            //- tests/common/mod.rs
            //- benches/b.rs
            //- build.rs",
            "Cargo.toml my-pkg 1.2.3 2024
            lib my_pkg src/lib.rs
            bin big src/bin/big/main.rs
            bin my-pkg (my_pkg) src/main.rs
            bin tool src/bin/tool.rs
            example deep examples/deep/main.rs
            example one-two (one_two) examples/one-two.rs
            test it tests/it.rs
            bench b benches/b.rs
            build_script build-script-build (build_script_build) build.rs",
        );
    }

    #[test]
    fn named_targets_win_over_their_place() {
        check(
            "//- Cargo.toml
            package = { name = 'p', version = '0.1.0', edition = '2021', build = 'gen/make.rs' }
            lib = { name = 'core', path = 'lib/core.rs', proc-macro = true }
            bin = [{ name = 'run', path = 'src/main.rs' }, { name = 'tool' }]
            test = [{ name = 'big' }, { name = 'odd', path = 'src/odd.rs', edition = '2018' }]
            //- lib/core.rs
            //- gen/make.rs
            //- src/main.rs
            //- src/odd.rs
            //- src/bin/tool.rs
            //- src/bin/more.rs
            //- tests/big/main.rs",
            "Cargo.toml p 0.1.0 2021
            proc_macro core lib/core.rs
            bin more src/bin/more.rs
            bin run src/main.rs
            bin tool src/bin/tool.rs
            test big tests/big/main.rs
            test odd src/odd.rs
            build_script build-script-make (build_script_build) gen/make.rs",
        );
    }

    #[test]
    fn looking_by_place_can_be_switched_off() {
        let files = "
            //- src/lib.rs
            //- src/bin/a.rs
            //- src/bin/b.rs
            //- examples/e.rs
            //- tests/t.rs
            //- benches/b.rs
            //- build.rs";
        check(
            &format!(
                "//- Cargo.toml
                [package]
                name = 'p'
                edition = '2021'
                build = false
                autolib = false
                autobins = false
                autoexamples = false
                autotests = false
                autobenches = false
                [[bin]]
                name = 'b'{files}"
            ),
            "Cargo.toml p 0.0.0 2021
            bin b src/bin/b.rs",
        );
        check(
            &format!(
                "//- Cargo.toml\n[package]\nname = 'p'\nbuild = false\n[[bin]]\nname = 'b'{files}"
            ),
            "Cargo.toml p 0.0.0 2015
            lib p src/lib.rs
            bin b src/bin/b.rs
            example e examples/e.rs
            test t tests/t.rs
            bench b benches/b.rs",
        );
    }

    #[test]
    fn members_inherit_and_dependencies_have_the_names_that_code_sees() {
        check(
            "//- Cargo.toml
            [workspace]
            members = ['crates/*', 'tool']
            exclude = ['crates/c']
            [workspace.package]
            version = '3.0.0'
            edition = '2024'
            [workspace.dependencies]
            serde-json = '1'
            short = { package = 'very-long', version = '1' }
            b = { path = 'crates/b' }
            //- crates/a/Cargo.toml
            [package]
            name = 'a'
            version.workspace = true
            edition = { workspace = true }
            [dependencies]
            serde-json.workspace = true
            short = { workspace = true, optional = true }
            b.workspace = true
            [dev-dependencies]
            b.workspace = true
            [build-dependencies]
            cc = '1'
            [target.'cfg(unix)'.dependencies]
            libc = '0.2'
            near = { path = '../../near' }
            mine = { path = '../../near', package = 'near' }
            //- crates/a/src/lib.rs
            //- crates/b/Cargo.toml
            package = { name = 'b', version = '1.0.0' }
            lib = { name = 'bee' }
            //- crates/b/src/lib.rs
            //- crates/c/Cargo.toml
            package = { name = 'c', edition = '2018' }
            //- crates/c/src/lib.rs
            //- near/Cargo.toml
            package = { name = 'near' }
            lib = { name = 'nearly' }
            //- near/src/lib.rs
            //- tool/Cargo.toml
            package = { name = 'tool' }
            //- tool/src/main.rs",
            "crates/a/Cargo.toml a 3.0.0 2024
            uses bee = b
            uses cc = cc
            uses libc = libc
            uses mine = near
            uses nearly = near
            uses serde_json = serde-json
            uses short = very-long
            lib a crates/a/src/lib.rs
            crates/b/Cargo.toml b 1.0.0 2015
            lib bee crates/b/src/lib.rs
            crates/c/Cargo.toml c 0.0.0 2018
            lib c crates/c/src/lib.rs
            near/Cargo.toml near 0.0.0 2015
            lib nearly near/src/lib.rs
            tool/Cargo.toml tool 0.0.0 2015
            bin tool tool/src/main.rs",
        );
    }

    #[test]
    fn a_member_given_as_root_inherits_from_above() {
        let dir = tree(
            "//- Cargo.toml
            workspace = { members = ['m'], package = { edition = '2024' } }
            //- m/Cargo.toml
            package = { name = 'm', edition.workspace = true }
            //- m/src/lib.rs",
        );
        check_dir(&dir.path().join("m"), "Cargo.toml m 0.0.0 2024\nlib m src/lib.rs");
    }

    #[test]
    fn what_a_manifest_gets_wrong_is_an_issue_of_it() {
        check(
            "//- Cargo.toml
            [workspace]
            members = ['ok', 'gone', 'none/*', 'bad']
            //- ok/Cargo.toml
            package = { name = 'ok', build = 'no.rs' }
            lib = { path = '../../outside.rs' }
            bin = [{ name = 'x', path = 'x.rs' }, { path = 'y.rs' }]
            dependencies = { away = { path = '../away' }, out = { path = '../../out' } }
            //- ok/src/main.rs
            //- bad/Cargo.toml
            [package]
            name =
            //- bad/src/lib.rs
            //- anon/Cargo.toml
            package = {}
            //- odd/Cargo.toml
            dependencies = {}",
            "ok/Cargo.toml ok 0.0.0 2015
            uses away = away
            uses out = out
            issue Cargo.toml manifest: member `gone` has no manifest
            issue anon/Cargo.toml manifest: the package has no name
            issue bad/Cargo.toml manifest: line 2: string values must be quoted, expected literal string
            issue odd/Cargo.toml manifest: it has neither `[package]` nor `[workspace]`
            issue ok/Cargo.toml manifest: a `[[bin]]` has no name
            issue ok/Cargo.toml manifest: bin `x`: no file in `x.rs`
            issue ok/Cargo.toml manifest: build script: no file `no.rs`
            issue ok/Cargo.toml manifest: dependency `away`: no manifest in `../away`
            issue ok/Cargo.toml manifest: library: no file `../../outside.rs`",
        );
    }

    #[test]
    fn roots_that_cannot_be_indexed_are_errors_with_hints() {
        let check = |fixture: &str, path: &str| -> String {
            let error = discover(&tree(fixture).path().join(path)).unwrap_err();
            assert!(!error.hint().is_empty());
            format!("{error:?}").split([' ', '{']).next().unwrap().to_owned()
        };
        assert_eq!(check("", "gone"), "NotFound");
        assert_eq!(check("//- a.rs", "a.rs"), "NotAFolder");
        assert_eq!(check("//- a.txt", ""), "Empty");
        assert_eq!(check("//- Cargo.toml\n[package]\nname='p'", ""), "Empty");
        assert_eq!(check("//- Cargo.toml\n[package\n//- src/lib.rs", ""), "RootManifest");
        assert_eq!(check("//- Cargo.toml\n[profile.dev]\n//- src/lib.rs", ""), "RootManifest");
    }

    #[test]
    fn the_project_is_named_after_its_package_or_folder() {
        let dir = tree(
            "//- c/Cargo.toml
            package = { name = 'pkg' }
            //- c/src/lib.rs
            //- w/Cargo.toml
            workspace = {}
            //- w/a.rs",
        );
        assert_eq!(discover(&dir.path().join("c")).unwrap().0.name, "pkg");
        assert_eq!(discover(&dir.path().join("w")).unwrap().0.name, "w");
    }

    #[test]
    fn every_manifest_that_was_read_is_kept_with_its_hash() {
        let dir = tree(
            "//- Cargo.toml
            workspace = { members = ['hidden'] }
            //- .gitignore
            hidden/
            //- hidden/Cargo.toml
            package = { name = 'h' }
            //- hidden/src/lib.rs
            //- a.rs",
        );
        let mut walk = walk(dir.path()).unwrap();
        let (layout, issues) = layout(dir.path(), &walk).unwrap();
        assert_eq!(issues, []);
        assert_eq!(
            layout.manifests.keys().map(String::as_str).collect::<Vec<_>>(),
            ["Cargo.toml", "hidden/Cargo.toml"]
        );
        // A file that a target names counts although it is ignored, once it was asked for.
        assert_eq!(files(&walk), ["a.rs"]);
        let roots = layout.packages.iter().flat_map(|p| &p.targets).map(|t| t.root.as_str());
        walk.include(dir.path(), roots.chain(["hidden/Cargo.toml", "../x.rs", "gone.rs", "a.rs"]));
        assert_eq!(files(&walk), ["a.rs", "hidden/src/lib.rs"]);
        assert_eq!(walk.manifests.len(), 2);
    }
}

mod plain_folder {
    use super::*;

    #[test]
    fn files_that_are_no_modules_are_crates() {
        check(
            "//- src/lib.rs
            mod used;
            //- src/used.rs
            //- src/main.rs
            //- src/bin/x.rs
            //- src/bin/y/main.rs
            //- src/loose-end.rs
            //- a/day.rs
            //- b/day.rs
            //- c/mod.rs
            //- 1.rs",
            "- folder 0.0.0 2021
            lib lib src/lib.rs
            bin main src/main.rs
            bin x src/bin/x.rs
            bin y src/bin/y/main.rs
            detached 1 (_1) 1.rs
            detached a/day (day) a/day.rs
            detached b/day (day) b/day.rs
            detached c/mod (c) c/mod.rs
            detached src/loose-end (loose_end) src/loose-end.rs",
        );
    }

    #[test]
    fn modules_are_found_in_every_form() {
        check(
            r##"//- main.rs
            #!/usr/bin/env run
            // mod not_this;
            const S: &str = r#"mod nor_this;"#;
            pub(crate) mod a;
            mod b { #[path = "deep/c.rs"] pub mod c; mod d; }
            #[cfg_attr(unix, path = "unix.rs")] #[cfg_attr(windows, path = "win.rs")] mod sys;
            cfg_if! { if #[cfg(x)] { mod e; } }
            mod r#async;
            //- a.rs
            mod z;
            //- a/z.rs
            //- z.rs
            //- b/deep/c.rs
            mod beside;
            //- b/deep/beside.rs
            //- b/d/mod.rs
            //- unix.rs
            //- win.rs
            //- e.rs
            //- async.rs
            //- not_this.rs
            //- nor_this.rs
            //- loop1.rs
            #[path = "loop2.rs"] mod x;
            //- loop2.rs
            #[path = "loop1.rs"] mod x;
            //- broken.rs
            mod main; ) {"##,
            "- folder 0.0.0 2021
            detached broken broken.rs
            detached loop1 loop1.rs
            detached main main.rs
            detached nor_this nor_this.rs
            detached not_this not_this.rs
            detached z z.rs",
        );
    }

    #[test]
    fn crates_in_a_folder_keep_their_files() {
        check(
            "//- a/Cargo.toml
            package = { name = 'a' }
            //- a/src/lib.rs
            //- a/src/loose.rs
            //- ab.rs",
            "- folder 0.0.0 2021
            detached ab ab.rs
            a/Cargo.toml a 0.0.0 2015
            lib a a/src/lib.rs",
        );
    }
}

mod walking {
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

    #[test]
    fn what_lies_above_the_root_does_not_count() {
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
    fn a_target_that_is_a_link_has_the_file_behind_it() {
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
