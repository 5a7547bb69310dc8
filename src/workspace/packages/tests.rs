//! Two trees, and the packages that their difference concerns.

use super::{PackageChanges, Spread, package_changes};
use crate::WorkspaceError;
use crate::tests::tree;
use crate::tree::Disk;

/// `app` is built with `base`, `base` with the crate `log`, `side` is tested with `base`, `other` stands
/// alone.
const WORKSPACE: &str = "
    //- Cargo.toml
    [workspace]
    members = [\"app\", \"base\", \"side\", \"other\"]
    [workspace.dependencies]
    log = \"0.4\"
    rand = \"0.9\"
    //- Cargo.lock
    version = 4
    [[package]]
    name = \"app\"
    version = \"0.1.0\"
    dependencies = [\"base\"]
    [[package]]
    name = \"base\"
    version = \"0.1.0\"
    dependencies = [\"log\"]
    [[package]]
    name = \"side\"
    version = \"0.1.0\"
    dependencies = [\"base\", \"rand\"]
    [[package]]
    name = \"other\"
    version = \"0.1.0\"
    [[package]]
    name = \"log\"
    version = \"0.4.1\"
    source = \"registry+https://github.com/rust-lang/crates.io-index\"
    [[package]]
    name = \"rand\"
    version = \"0.9.0\"
    source = \"registry+https://github.com/rust-lang/crates.io-index\"
    //- app/Cargo.toml
    [package]
    name = \"app\"
    version = \"0.1.0\"
    edition = \"2024\"
    [dependencies]
    base = { path = \"../base\" }
    //- app/src/main.rs
    fn main() {}
    //- base/Cargo.toml
    [package]
    name = \"base\"
    version = \"0.1.0\"
    [dependencies]
    log.workspace = true
    //- base/src/lib.rs
    //! Base.
    //- base/data/words.txt
    one
    //- base/tests/data.txt
    one
    //- side/Cargo.toml
    [package]
    name = \"side\"
    version = \"0.1.0\"
    [dev-dependencies]
    base = { path = \"../base\" }
    rand.workspace = true
    //- side/src/lib.rs
    //! Side.
    //- side/README.md
    Side.
    //- other/Cargo.toml
    [package]
    name = \"other\"
    version = \"0.1.0\"
    //- other/src/lib.rs
    //! Other.
    //- justfile
    test:
    ";

/// The packages of the later tree that are concerned: `+` if what depends on one is, too.
fn concerned(found: &PackageChanges) -> String {
    let name = |(dir, change): (&String, &super::PackageChange)| {
        format!("{dir}{}", if change.spread == Spread::Dependents { "+" } else { "" })
    };
    found.packages.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn changes(before: &str, after: &str) -> Result<PackageChanges, WorkspaceError> {
    let [old, new] = [before, after].map(tree);
    package_changes(&Disk::open(old.path()).unwrap(), &Disk::open(new.path()).unwrap())
}

/// What concerns whom when one text of the workspace is replaced by another.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) -> PackageChanges {
    assert!(WORKSPACE.contains(from), "{from}");
    let found = changes(WORKSPACE, &WORKSPACE.replacen(from, to, 1)).unwrap();
    assert_eq!(concerned(&found), expected, "{from} -> {to}: {:?}", found.packages);
    found
}

/// The same with a file added.
#[track_caller]
fn check_added(path: &str, expected: &str) -> PackageChanges {
    let after = format!("{WORKSPACE}//- {path}\n    new\n    ");
    let found = changes(WORKSPACE, &after).unwrap();
    assert_eq!(concerned(&found), expected, "{path}: {:?}", found.packages);
    found
}

#[test]
fn dependencies_on_packages_have_their_kinds() {
    let dir = tree(WORKSPACE);
    let graph = super::PackageGraph::read(&Disk::open(dir.path()).unwrap()).unwrap();
    let uses: Vec<String> = graph
        .packages
        .iter()
        .flat_map(|(dir, package)| package.uses.iter().map(move |one| (dir, one)))
        .map(|(dir, one)| format!("{dir} {:?} {}", one.spread, one.of))
        .collect();
    assert_eq!(uses, ["app Dependents base", "side Package base"]);
    assert!(graph.packages.values().all(|package| package.is_member));
    assert_eq!(graph.owner("base/data/words.txt").unwrap().0, "base");
    assert!(graph.owner("justfile").is_none());
}

#[test]
fn a_manifest_concerns_its_package_by_what_differs() {
    check("edition = \"2024\"", "edition = \"2021\"", "app+");
    // A comment, or another order, is no difference.
    check("[dev-dependencies]", "# For tests.\n    [dev-dependencies]", "");
    check("[dev-dependencies]", "[package.metadata.x]\n    a = 1\n    [dev-dependencies]", "side");
    check("[dev-dependencies]", "[lib]\n    doctest = false\n    [dev-dependencies]", "side+");
    check("\"other\"]\n", "\"other\"]\n    resolver = \"2\"\n", "app+ base+ other+ side+");
    check(
        "[workspace.dep",
        "[profile.dev]\n    opt-level = 1\n    [workspace.dep",
        "app+ base+ other+ side+",
    );
    // Who inherits it, and only for tests.
    check("rand = \"0.9\"", "rand = \"0.9.1\"", "side");
    check("log = \"0.4\"", "log = \"0.4.2\"", "base+");
}

#[test]
fn features_concern_all_that_see_the_crate() {
    // Features are unified: `base` is built with those that `other` asks for.
    let dependency = "name = \"other\"\n    version = \"0.1.0\"\n    //- other/src";
    let asks = "name = \"other\"\n    version = \"0.1.0\"\n    [dependencies]\n    \
                log = { version = \"0.4\", features = [\"std\"] }\n    //- other/src";
    check(dependency, asks, "base+ other+");
    check(
        "{ path = \"../base\" }\n    //- app",
        "{ path = \"../base\", features = [\"x\"] }\n    //- app",
        "app+ base+",
    );
}

#[test]
fn the_lock_file_concerns_who_depends_on_what_differs() {
    check("version = \"0.4.1\"", "version = \"0.4.2\"", "base+");
    check("version = \"0.9.0\"", "version = \"0.9.1\"", "side");
    check("version = 4", "version = 3", "");
    let found =
        changes(WORKSPACE, &WORKSPACE.replacen("//- Cargo.lock", "//- old.lock", 1)).unwrap();
    assert_eq!(concerned(&found), "app+ base+ other+ side+");
}

#[test]
fn files_concern_the_package_that_they_are_in() {
    check("//- base/data/words.txt\n    one", "//- base/data/words.txt\n    two", "base+");
    check("//- base/tests/data.txt\n    one", "//- base/tests/data.txt\n    two", "base");
    // In no package: any may read it.
    check("//- justfile\n    test:", "//- justfile\n    tests:", "app+ base+ other+ side+");
    check_added("rust-toolchain.toml", "app+ base+ other+ side+");
    check_added(".cargo/config.toml", "app+ base+ other+ side+");
    let found = check_added("rustfmt.toml", "");
    assert_eq!(found.ignored_files, ["rustfmt.toml"]);
    // Items of Rust files decide.
    let found = check("//! Base.", "//! The base.", "");
    assert_eq!(found.rust_files.len(), 1);
}

#[test]
fn a_file_concerns_whose_code_mentions_it() {
    let found = check("Side.\n    //- other", "Both.\n    //- other", "");
    assert_eq!(found.ignored_files, ["side/README.md"]);
    let mentions = "#![doc = include_str!(\"../../side/README.md\")]";
    let before = WORKSPACE.replacen("//! Other.", mentions, 1);
    let after = before.replacen("Side.\n    //- other", "Both.\n    //- other", 1);
    assert_eq!(concerned(&changes(&before, &after).unwrap()), "other+");
}

#[test]
fn a_build_script_concerns_its_package() {
    let script = |text: &str| {
        let manifest = "//- base/src/lib.rs";
        WORKSPACE.replacen(manifest, &format!("//- base/build.rs\n    {text}\n    {manifest}"), 1)
    };
    let (before, after) = (script("fn main() {}"), script("fn main() { }"));
    assert_eq!(concerned(&changes(&before, &after).unwrap()), "base+");
    // One that mentions sources may read them.
    let other = |text: &str| text.replacen("//! Base.", "//! The base.", 1);
    assert_eq!(concerned(&changes(&before, &other(&before)).unwrap()), "");
    let reads = script("fn main() { read(\"src/lib.rs\") }");
    assert_eq!(concerned(&changes(&reads, &other(&reads)).unwrap()), "base+");
    // What it reads in `tests`, everyone sees.
    let data =
        before.replacen("//- base/tests/data.txt\n    one", "//- base/tests/data.txt\n    two", 1);
    assert_eq!(concerned(&changes(&before, &data).unwrap()), "base+");
}

#[test]
fn packages_outside_of_the_workspace_are_data() {
    let fixture = "//- base/tests/fixture/Cargo.toml\n    [package]\n    name = \"base\"\n    \
                   //- base/tests/fixture/src/lib.rs\n    pub fn f() {}\n    //- side/Cargo.toml";
    let before = WORKSPACE.replacen("//- side/Cargo.toml", fixture, 1);
    let after = before.replacen("pub fn f()", "pub fn g()", 1);
    let found = changes(&before, &after).unwrap();
    assert_eq!((concerned(&found), found.rust_files.len()), ("base".to_owned(), 0));
    assert_eq!(found.graph.packages.len(), 4);
    // One that does not parse is no fault of the workspace.
    let broken =
        before.replacen("name = \"base\"\n    //- base/tests", "name = \n    //- base/tests", 1);
    assert!(broken != before);
    assert_eq!(concerned(&changes(&before, &broken).unwrap()), "base");
}

#[test]
fn what_does_not_parse_is_an_error() {
    let fails = |from: &str, to: &str| {
        assert!(WORKSPACE.contains(from), "{from}");
        changes(WORKSPACE, &WORKSPACE.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(
        fails("name = \"side\"\n    version = \"0.1.0\"\n    [dev", "name = \n[dev")
            .contains("side/Cargo.toml")
    );
    assert!(fails("[workspace]", "[workspace").contains("Cargo.toml"));
    assert!(fails("version = 4", "version = ").contains("Cargo.lock"));
    let error = changes("//- a.rs\n", "//- a.rs\n").unwrap_err();
    assert!(matches!(error, WorkspaceError::NoManifest { .. }), "{error}");
}
