//! Manifests, targets, members, dependencies.

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
fn errors_in_a_manifest_are_its_issues() {
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
fn roots_that_cannot_be_indexed_are_errors() {
    let check = |fixture: &str, path: &str| -> String {
        let error = discover(&tree(fixture).path().join(path)).unwrap_err();
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
    // A file that a target names counts although it is ignored, once it is included.
    assert_eq!(files(&walk), ["a.rs"]);
    let roots = layout.packages.iter().flat_map(|p| &p.targets).map(|t| t.root.as_str());
    let disk = Disk::open(dir.path()).unwrap();
    walk.include(&disk, roots.chain(["hidden/Cargo.toml", "../x.rs", "gone.rs", "a.rs"]));
    assert_eq!(files(&walk), ["a.rs", "hidden/src/lib.rs"]);
    assert_eq!(walk.manifests.len(), 2);
}
