//! Crates that the workspace depends on: found where Cargo keeps their sources, read once, and part
//! of what a revision stands for.

use crate::support;
use crate::support::tempdir;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::cli;
use tempfile::TempDir;

const REGISTRY: &str = "registry/src/index.crates.io-1949cf8c6b5b557f";

const NEEDLE: &str = "pub mod memmem;\npub use memmem::Finder;\n\
    pub fn start() -> Finder { loop {} }\n\
    pub trait Twice { fn twice(&self) -> Finder { loop {} } }\n\
    impl<T> Twice for Vec<T> {}\n";

const MEMMEM: &str = "pub struct Finder;\nimpl Finder {\n\
    pub fn find(&self) -> Option<usize> { secret() }\n    fn hidden(&self) {}\n}\n\
    fn secret() -> Option<usize> { None }\n";

const LIB: &str = "mod inner;\nuse needle::Twice;\n\
    pub struct State;\nimpl State { pub fn go(&self) {} }\n\
    pub fn run(all: Vec<State>) { needle::start().find(); all.twice(); }\n";

const INNER: &str = "use super::*;\npub fn deep(all: Vec<State>) { all.twice(); }\n";

/// A workspace that depends on `needle`, a home of Cargo, and a cache.
struct Setup {
    folder: TempDir,
}

impl Setup {
    fn new() -> Self {
        let setup = Setup { folder: tempdir() };
        setup.write("ws/src/lib.rs", LIB);
        setup.write("ws/src/inner.rs", INNER);
        let manifest = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
            [dependencies]\nneedle = \"1\"\n";
        setup.write("ws/Cargo.toml", manifest);
        setup.lock("1.0.0");
        setup
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn lock(&self, version: &str) {
        let lock = format!(
            "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n\
             dependencies = [\"needle\"]\n[[package]]\nname = \"needle\"\n\
             version = \"{version}\"\nchecksum = \"{version}\"\n\
             source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
        );
        self.write("ws/Cargo.lock", &lock);
    }

    /// Sources of a version of `needle`, as Cargo unpacks them.
    fn unpack(&self, version: &str, lib: &str) {
        let folder = format!("home/{REGISTRY}/needle-{version}");
        let manifest = format!("[package]\nname = \"needle\"\nversion = \"{version}\"\n");
        self.write(&format!("{folder}/Cargo.toml"), &manifest);
        self.write(&format!("{folder}/src/lib.rs"), lib);
        self.write(&format!("{folder}/src/memmem.rs"), MEMMEM);
        self.write(&format!("{folder}/.cargo-ok"), "");
    }

    fn command(&self, root: &Path, args: &[&str]) -> Command {
        let mut command = cli::command(root, args);
        command.env("CARGO_HOME", self.path("home")).env("ASOF_CACHE_DIR", self.path("cache"));
        command
    }

    fn run(&self, root: &Path, args: &[&str]) -> String {
        let output = self.command(root, args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", cli::err(&output));
        cli::out(&output)
    }

    fn index(&self) -> String {
        self.run(&self.path("ws"), &["index", "."])
    }

    /// The dependency's methods that are called, after a refresh.
    fn called(&self) -> BTreeSet<String> {
        self.called_in(&self.path("ws"))
    }

    fn called_in(&self, root: &Path) -> BTreeSet<String> {
        self.index_in(root);
        let mut all = BTreeSet::new();
        for path in METHODS {
            let output = self.command(root, &["refs", path, "--format", "json"]).output().unwrap();
            // A path that nothing uses is no answer.
            let Ok(answer) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
                let says = cli::err(&output);
                assert!(says.contains("no use of") || says.contains("no item named"), "{says}");
                continue;
            };
            let places = answer["items"].as_array().into_iter().flatten();
            let places = places.filter(|place| place["confidence"] == 1.0);
            all.extend(places.map(|place| {
                let file = place["file_path"].as_str().unwrap_or("?");
                format!("{path} {file}:{}", place["line"])
            }));
        }
        all
    }

    fn git(&self, args: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(self.path("ws")).args(["-c", "user.name=Ana", "-c", "user.email=a@b.c"]);
        let output = git.args(["-c", "commit.gpgsign=false"]).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
    }

    /// All files as a commit, and its revision in the database.
    fn commit(&self) {
        self.git(&["init", "-q", "-b", "main"]);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "all"]);
        self.run(&self.path("ws"), &["index", "--history"]);
    }

    fn json(&self, args: &[&str]) -> serde_json::Value {
        let args = [args, &["--format", "json"]].concat();
        serde_json::from_str(&self.run(&self.path("ws"), &args)).unwrap()
    }

    /// Nobody changed the workspace since HEAD, whichever command is asked.
    #[track_caller]
    fn check_unchanged(&self) {
        let impact = self.json(&["impact", "--diff", "HEAD"]);
        assert_eq!(impact["total"], 0, "{impact}");
        assert_eq!(impact["tests"]["count"], 0, "{impact}");
        assert_eq!(impact["tests"]["run_everything"], serde_json::json!([]), "{impact}");
        let diff = self.json(&["diff", "HEAD", "NOW"]);
        assert_eq!(diff["total"], 0, "{diff}");
        let history = self.json(&["history", "app::run"]);
        assert_eq!(history["total"], 1, "{history}");
        let api = self.json(&["api", "--diff", "HEAD"]);
        assert_eq!(api["items"][0]["changes"], serde_json::json!([]), "{api}");
    }

    fn index_in(&self, root: &Path) {
        self.run(root, &["index", "."]);
    }

    /// The same files, indexed anew.
    fn fresh(&self) -> BTreeSet<String> {
        let root = self.path("fresh");
        drop(fs::remove_dir_all(&root));
        for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs", "src/inner.rs"] {
            let text = fs::read_to_string(self.path("ws").join(file)).unwrap();
            self.write(&format!("fresh/{file}"), &text);
        }
        self.called_in(&root)
    }

    #[track_caller]
    fn check(&self, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|path| (*path).to_owned()).collect();
        assert_eq!(self.called(), expected);
        assert_eq!(self.fresh(), expected, "indexed anew");
    }
}

const METHODS: [&str; 2] = ["needle::Finder::find", "needle::Twice::twice"];

/// All places, where everything is known.
const KNOWN: [&str; 3] = [
    "needle::Finder::find src/lib.rs:5",
    "needle::Twice::twice src/inner.rs:2",
    "needle::Twice::twice src/lib.rs:5",
];

#[test]
fn methods_of_what_a_dependency_returns_are_known() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    setup.check(&KNOWN);
}

#[test]
fn items_of_a_dependency_are_shown_with_its_version() {
    let setup = Setup::new();
    let made = "macro_rules! all { () => { pub mod memmem; pub use crate::memmem::Finder; } }\n\
        all!();\npub use memmem as inner;\n";
    setup.unpack("1.0.0", made);
    setup.index();
    let ws = setup.path("ws");
    let check = |args: &[&str], expected: &[&str]| {
        let said = setup.run(&ws, args);
        for text in expected {
            assert!(said.contains(text), "{args:?} says\n{said}");
        }
    };
    let place = ["needle::memmem::Finder", "needle 1.0.0", "src/memmem.rs:1"];
    check(&["resolve", "needle::Finder"], &place);
    check(&["resolve", "needle::inner::Finder"], &place);
    check(&["resolve", "needle::memmem::Finder"], &place);
    check(&["show", "needle::Finder::find"], &["Option<usize> { secret() }"]);
    check(&["show", "needle::Finder::find", "--format", "json"], &[r#""version":"1.0.0""#]);
    for wrong in ["needle::secret", "needle::Fin", "needle::Finder::finds", "nail::Finder"] {
        let output = setup.command(&ws, &["resolve", wrong]).output().unwrap();
        let says = cli::err(&output);
        assert_eq!(output.status.code(), Some(1), "{says}");
        assert!(says.contains(&format!("no item named `{wrong}`")), "{says}");
    }
    // Another version is shown as soon as it is locked; without sources, nothing is.
    setup.lock("1.1.0");
    let output = setup.command(&ws, &["show", "needle::Finder"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", cli::err(&output));
    setup.unpack("1.1.0", NEEDLE);
    check(&["resolve", "needle::start"], &["needle 1.1.0", "pub fn start"]);
}

#[test]
fn sources_that_appear_or_another_version_are_a_change() {
    let setup = Setup::new();
    setup.check(&[]);
    setup.unpack("1.0.0", NEEDLE);
    setup.check(&KNOWN);
    let renamed = NEEDLE.replace("Twice", "Double").replace("pub fn start", "pub fn begin");
    setup.unpack("2.0.0", &renamed);
    setup.check(&KNOWN);
    setup.lock("2.0.0");
    setup.check(&[]);
    setup.lock("1.0.0");
    setup.check(&KNOWN);
    // What was read is kept, even if the sources go.
    fs::remove_dir_all(setup.path("home")).unwrap();
    setup.check(&KNOWN);
    fs::remove_dir_all(setup.path("cache")).unwrap();
    setup.check(&[]);
}

#[test]
fn another_version_of_what_is_missing_changes_no_name() {
    let setup = Setup::new();
    setup.index();
    setup.lock("1.1.0");
    let report = setup.run(&setup.path("ws"), &["index", ".", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["parsed"], 0, "{report}");
    assert!(report["rows"]["dependency"].as_u64() > Some(0), "the version is told: {report}");
    setup.unpack("1.1.0", NEEDLE);
    setup.check(&KNOWN);
}

/// What the workspace of the next test mentions, and what it has values of.
const USER: &str = "mod inner;\nuse needle::Find;\n\
    pub struct Own(needle::Hit);\nimpl Own { pub fn start(&self) -> usize { 0 } }\n\
    pub fn make() -> Own { Own(needle::first()) }\n\
    pub fn counts() -> usize { needle::count().len() }\n\
    pub fn starts() { needle::first().start(); make().start(); needle::made!().start(); }\n\
    pub fn derefs() { needle::first().own(); make().0.own(); }\n\
    pub fn finds(all: Vec<Own>) { all.find(); }\n\
    pub fn loops() { for one in needle::all() { one.start(); } }\n";

#[test]
fn another_version_concerns_what_can_notice_it() {
    let setup = Setup::new();
    setup.write("ws/src/lib.rs", USER);
    setup.write("ws/src/inner.rs", "pub fn own() { super::derefs(); super::make().start(); }\n");
    let base = "pub mod deep { pub struct Hit; impl Hit { pub fn start(&self) {} } }\n\
        pub use deep::Hit;\npub struct Own; impl Own { pub fn own(&self) {} }\n\
        pub struct All; pub trait Find { fn find(&self) {} }\n\
        pub fn first() -> Hit { loop {} }\npub fn count() -> Vec<u8> { loop {} }\n\
        pub fn all() -> All { loop {} }\n\
        #[macro_export] macro_rules! made { () => { $crate::first() } }\n";
    let versions: [(&str, String, u64); 9] = [
        // Nothing that the workspace mentions.
        ("1.1.0", format!("{base}pub fn unused() {{}}"), 0),
        ("1.2.0", base.replace("count() -> Vec<u8>", "count() -> Own"), 1),
        ("1.3.0", format!("{base}impl std::ops::Deref for Hit {{ type Target = Own; }}"), 1),
        ("1.4.0", format!("{base}impl<T> Find for Vec<T> {{}}"), 1),
        (
            "1.5.0",
            format!(
                "{base}impl IntoIterator for All {{ type Item = Hit; \
                 type IntoIter = std::vec::IntoIter<Hit>; }}"
            ),
            1,
        ),
        ("1.6.0", base.replace("{ $crate::first() }", "{ $crate::Own }"), 1),
        // The public path of what is used is another one.
        ("1.7.0", base.replace("pub use deep::Hit;", "use deep::Hit;"), 1),
        ("1.8.0", base.replace("pub fn first()", "pub(crate) fn first()"), 1),
        ("1.9.0", base.to_owned(), 1),
    ];
    setup.unpack("1.0.0", base);
    let ws = setup.path("ws");
    setup.index();
    for (version, text, files) in versions {
        setup.unpack(version, &text);
        setup.lock(version);
        let report = setup.run(&ws, &["index", ".", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["parsed"].as_u64().unwrap().min(1), files.min(1), "{version}: {report}");
        // Made again, all facts are the same: only what the next refresh needs is written.
        let report = setup.run(&ws, &["index", ".", "--rebuild", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let mirrors = ["fingerprint", "reads", "search_terms", "section_terms", "text"];
        let written: Vec<&String> = report["rows"].as_object().unwrap().keys().collect();
        assert_eq!(written, mirrors, "{version}: {report}");
    }
}

#[test]
fn an_import_of_a_trait_changes_what_other_files_call() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    setup.check(&KNOWN);
    let run = "pub fn run() { needle::start().find(); }\n";
    let without = format!("mod inner;\npub struct State;\n{run}");
    setup.write("ws/src/lib.rs", &without);
    setup.check(&["needle::Finder::find src/lib.rs:3"]);
    setup.write("ws/src/lib.rs", &format!("use needle::Twice;\n{without}"));
    setup.check(&["needle::Finder::find src/lib.rs:4", "needle::Twice::twice src/inner.rs:2"]);
}

#[test]
fn a_damaged_cache_is_read_again_from_the_sources() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    setup.check(&KNOWN);
    for entry in fs::read_dir(setup.path("cache/crates")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
        fs::write(&path, bytes).unwrap();
    }
    fs::remove_dir_all(setup.path("ws/.asof")).unwrap();
    setup.check(&KNOWN);
}

#[test]
fn a_crate_that_cannot_be_read_is_as_one_that_is_missing() {
    let lib = |text: &str| {
        let setup = Setup::new();
        setup.unpack("1.0.0", text);
        setup
    };
    lib("fn (((").check(&[]);
    lib(&"mod a { ".repeat(5_000)).check(&[]);
    lib(&format!(
        "pub fn start() -> {}u8{} {{ loop {{}} }}",
        "Vec<".repeat(3_000),
        ">".repeat(3_000)
    ))
    .check(&[]);
    lib("pub use needle::start; pub use self::start as start; pub use crate::*;").check(&[]);
    let other = lib(NEEDLE);
    let manifest = format!("home/{REGISTRY}/needle-1.0.0/Cargo.toml");
    other.write(&manifest, "[package]\nname = \"other\"\nversion = \"1.0.0\"\n");
    other.check(&[]);
    #[cfg(unix)]
    {
        // Nothing outside of its folder is read.
        let linked = lib(NEEDLE);
        let memmem = linked.path(&format!("home/{REGISTRY}/needle-1.0.0/src/memmem.rs"));
        linked.write("elsewhere.rs", MEMMEM);
        fs::remove_file(&memmem).unwrap();
        std::os::unix::fs::symlink(linked.path("elsewhere.rs"), &memmem).unwrap();
        assert!(!linked.called().iter().any(|one| one.contains("Finder::find")));
    }
}

#[test]
fn a_lock_file_that_is_damaged_is_none() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    setup.write("ws/Cargo.lock", "not toml [");
    setup.check(&[]);
    assert!(setup.index().contains("up to date"), "{}", setup.index());
}

#[test]
fn the_cache_is_shown_and_cleared() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    let cache = |args: &[&str]| -> serde_json::Value {
        let args = [&["cache", "--format", "json"], args].concat();
        serde_json::from_str(&setup.run(&setup.path("ws"), &args)).unwrap()
    };
    assert_eq!(cache(&[])["crates"], 0);
    setup.check(&KNOWN);
    assert_eq!(cache(&["status"])["crates"], 1);
    assert_eq!(cache(&["clear"])["removed"], 1);
    assert_eq!(cache(&[])["bytes"], 0);
    setup.check(&KNOWN);
}

#[test]
fn the_state_says_which_crates_are_known_and_which_were() {
    let setup = Setup::new();
    setup.index();
    let status = |key: &str| {
        let status = setup.run(&setup.path("ws"), &["status", "--format", "json"]);
        serde_json::from_str::<serde_json::Value>(&status).unwrap()[key].clone()
    };
    assert_eq!(
        (status("dependencies_known"), status("dependencies_missing")),
        (0.into(), 1.into())
    );
    setup.unpack("1.0.0", NEEDLE);
    setup.index();
    assert_eq!(status("dependencies_known"), 1);
    assert!(status("dependencies_missing").is_null());
    let versions = |at: &str| {
        let query = ["query", "--name", "inspect/dependencies", "--format", "jsonl", "--at", at];
        let rows = setup.run(&setup.path("ws"), &query);
        let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let known = rows.lines().map(row).find_map(|row| row[3].as_bool());
        known.unwrap_or_else(|| panic!("{rows}"))
    };
    assert!(versions("now"));
    let log = setup.run(&setup.path("ws"), &["log", "--format", "json"]);
    let log: serde_json::Value = serde_json::from_str(&log).unwrap();
    let first = log["items"].as_array().unwrap().last().unwrap();
    let first =
        first["revision"].as_str().or(first["id"].as_str()).unwrap_or_else(|| panic!("{log}"));
    assert!(!versions(first));
}

const TESTED: &str = "mod inner;\nuse needle::Twice;\npub struct State;\nimpl State { pub fn go(&self) {} }\n\
    pub fn run(all: Vec<State>) { needle::start().find(); all.twice(); }\n\
    pub fn other() -> u8 { 1 }\n\
    #[test] fn runs() { run(Vec::new()); }\n#[test] fn others() { other(); }\n";

#[test]
fn sources_that_appear_or_go_affect_nothing() {
    let setup = Setup::new();
    setup.write("ws/src/lib.rs", TESTED);
    setup.write("ws/.gitignore", ".asof\n");
    setup.commit();
    setup.check_unchanged();
    setup.unpack("1.0.0", NEEDLE);
    assert!(!setup.called().is_empty(), "names are resolved again");
    setup.check_unchanged();
    // A change affects what it affects, and nothing else.
    setup.write("ws/src/lib.rs", &TESTED.replace("u8 { 1 }", "u8 { 2 }"));
    let impact = setup.json(&["impact", "--diff", "HEAD"]);
    let paths: Vec<&str> = impact["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["item"]["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["app::other", "app::others"], "{impact}");
    assert_eq!(impact["tests"]["run_everything"], serde_json::json!([]));
    // Of moments that only the database has, it is not known.
    let log = setup.json(&["log"]);
    let first = log["items"].as_array().unwrap().last().unwrap()["revision"].clone();
    let impact = setup.json(&["impact", "--diff", first.as_str().unwrap()]);
    assert_eq!(impact["total"], 2, "{impact}");
    assert!(impact["tests"]["run_everything"].to_string().contains("dependencies"), "{impact}");
}

#[test]
fn sources_that_go_affect_nothing() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    setup.write("ws/src/lib.rs", TESTED);
    setup.write("ws/.gitignore", ".asof\n");
    setup.commit();
    fs::remove_dir_all(setup.path("home")).unwrap();
    fs::remove_dir_all(setup.path("cache")).unwrap();
    assert!(setup.called().is_empty(), "names are resolved again");
    setup.check_unchanged();
}

#[test]
fn a_lock_file_that_git_ignores_affects_nothing() {
    let setup = Setup::new();
    setup.unpack("1.0.0", NEEDLE);
    setup.write("ws/src/lib.rs", TESTED);
    setup.write("ws/.gitignore", ".asof\nCargo.lock\n");
    setup.commit();
    setup.check_unchanged();
    // The same without a database.
    fs::remove_dir_all(setup.path("ws/.asof")).unwrap();
    let impact = setup.json(&["impact", "--diff", "HEAD"]);
    assert_eq!(impact["total"], 0, "{impact}");
}

#[test]
fn vendored_sources_are_those_of_commits_too() {
    let setup = Setup::new();
    setup.write("ws/src/lib.rs", TESTED);
    setup.write("ws/.gitignore", ".asof\nvendor\n");
    setup.write("ws/.cargo/config.toml", "[source.vendored]\ndirectory = \"vendor\"\n");
    setup.write(
        "ws/vendor/needle/Cargo.toml",
        "[package]\nname = \"needle\"\nversion = \"1.0.0\"\n",
    );
    setup.write("ws/vendor/needle/src/lib.rs", NEEDLE);
    setup.write("ws/vendor/needle/src/memmem.rs", MEMMEM);
    setup.write("ws/vendor/needle/.cargo-checksum.json", "{}");
    setup.commit();
    let known = setup.json(&["query", "--name", "inspect/dependencies", "--at", "HEAD"]);
    assert!(known.to_string().contains("true"), "{known}");
    fs::remove_dir_all(setup.path("cache")).unwrap();
    setup.check_unchanged();
    fs::remove_dir_all(setup.path("ws/.asof")).unwrap();
    let impact = setup.json(&["impact", "--diff", "HEAD"]);
    assert_eq!(impact["total"], 0, "{impact}");
}
