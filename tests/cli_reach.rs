//! `asof reach` through the binary: paths that exist, and traps that must not be taken for certain.

use crate::support;

use serde_json::{Value, json as value};
use support::cli::{asof, code, err, fails, json, text};
use support::repository::Repository;

const LIB: &str = "//! A library. unsafe { }
pub mod kinds;
mod inner;
pub fn direct() { unsafe { core::hint::unreachable_unchecked() } }
pub fn far() { near() }
fn near() { direct() }
pub unsafe fn raw() {}
pub trait Act {
    fn act(&self);
    fn twice(&self) { self.act(); }
    fn wild(&self) { direct() }
}
pub struct Wild;
impl Act for Wild {
    fn act(&self) { direct() }
}
pub struct Calm;
impl Act for Calm {
    fn act(&self) {}
    fn wild(&self) {}
}
pub fn by_dyn(one: &dyn Act) { one.act() }
pub fn by_bound<T: Act>(one: &T) { one.act() }
pub fn by_type() { Wild.act() }
pub fn by_provided() { Wild.wild() }
pub fn calm() { Calm.wild() }
pub fn passes() { apply(direct) }
fn apply(f: fn()) { f() }
macro_rules! wild { () => { unsafe { core::hint::unreachable_unchecked() } }; }
pub fn by_macro() { wild!() }
#[cfg(windows)]
pub fn elsewhere() { direct() }
pub fn partly() {
    #[cfg(windows)]
    unsafe { core::hint::unreachable_unchecked() }
}
/// unsafe { }
pub fn words() -> &'static str { \"unsafe { direct() }\" } // unsafe { }
pub fn nested() { fn never_called() { direct() } }
pub fn unknown(x: Lost) { x.thing(); }
#[cfg(test)]
mod tests {
    #[test]
    fn checks() { super::near() }
}
";

const KINDS: &str = "//! Other sets.
use std::time::Duration;
pub fn opens() { let _ = std::fs::read(\"x\"); }
pub fn reads() { opens() }
pub fn exists(path: &std::path::Path) -> bool { path.exists() }
pub fn joins(path: &std::path::Path) { path.join(\"std::fs::read\"); }
pub fn takes() -> u8 { Some(1).unwrap() }
pub fn keeps() -> u8 { Some(1).unwrap_or(2) }
pub fn asserts(a: u8) { assert!(a > 1) }
pub fn index(v: &[u8]) -> u8 { v[0] }
pub fn whole(v: &[u8]) -> &[u8] { &v[..] }
pub struct Table;
impl std::ops::Index<u8> for Table {
    type Output = u8;
    fn index(&self, _: u8) -> &u8 { &1 }
}
pub fn table(t: &Table) -> u8 { t[1] }
pub fn sums(a: u8, b: u8) -> u8 { a + b }
pub fn glues(a: String) -> String { a + \"x\" }
pub fn halves(a: u8) -> u8 { a / 2 }
const SIZE: usize = 2 * WIDTH;
const WIDTH: usize = [1, 2][0];
pub fn sized() -> usize { SIZE }
pub async fn naps() { std::thread::sleep(Duration::ZERO) }
pub async fn naps_far() { sleeps() }
pub fn sleeps() { std::thread::sleep(Duration::ZERO) }
pub async fn hands_over() { tokio::task::spawn_blocking(|| std::thread::sleep(Duration::ZERO)); }
pub fn starts() { let _later = async { sleeps() }; }
pub fn apart() { sleeps(); let _later = async { keeps() }; }
";

const INNER: &str = "//! Private.
pub fn hidden() { crate::direct() }
";

fn manifest(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
}

fn workspace() -> Repository {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", "[workspace]\nmembers = [\"lib\", \"tool\"]\nresolver = \"2\"\n");
    repo.write("lib/Cargo.toml", &manifest("demo"));
    repo.write("lib/src/lib.rs", LIB);
    repo.write("lib/src/kinds.rs", KINDS);
    repo.write("lib/src/inner.rs", INNER);
    let tool = format!("{}[dependencies]\ndemo = {{ path = \"../lib\" }}\n", manifest("tool"));
    repo.write("tool/Cargo.toml", &tool);
    repo.write("tool/src/main.rs", "fn main() { demo::far() }\n");
    repo.commit("all");
    text(&repo.root, &["index"]);
    repo
}

/// The items with certain paths, and those with possible ones.
fn listed(found: &Value) -> [Vec<String>; 2] {
    [true, false].map(|certain| {
        let items = found["items"].as_array().unwrap().iter();
        let wanted = items.filter(|item| item["certain"] == certain);
        wanted.map(|item| item["path"].as_str().unwrap().to_owned()).collect()
    })
}

/// What reaches a set, with guesses.
fn reaching(repo: &Repository, arguments: &[&str]) -> [Vec<String>; 2] {
    let arguments = [&["reach", "--guesses", "--limit", "0"], arguments].concat();
    listed(&json(&repo.root, &arguments))
}

fn names(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn certain_paths_are_uses_and_others_are_only_possible() {
    let repo = workspace();
    let [certain, possible] = reaching(&repo, &["unsafe"]);
    assert_eq!(
        certain,
        names(&[
            "<demo::Wild as Act>::act",
            "demo::Act::wild",
            "demo::by_type",
            "demo::direct",
            "demo::far",
            "demo::raw",
            "tool::main",
            // Only under other conditions.
            "demo::elsewhere",
            "demo::partly",
        ])
    );
    assert_eq!(
        possible,
        names(&[
            "demo::Act::twice", "demo::by_bound", "demo::by_dyn", "demo::by_macro",
            "demo::by_provided", "demo::passes",
        ])
    );
}

#[test]
fn each_set_has_its_members() {
    let repo = workspace();
    let in_kinds = ["--from", "lib/src/kinds.rs"];
    let check = |set: &str, certain: &[&str], possible: &[&str]| {
        let full = |all: &[&str]| -> Vec<String> {
            all.iter().map(|name| format!("demo::kinds::{name}")).collect()
        };
        let found = reaching(&repo, &[&[set], &in_kinds[..]].concat());
        assert_eq!(found, [full(certain), full(possible)], "{set}");
    };
    check("fs", &["exists", "opens", "reads"], &[]);
    check("std::fs", &["opens", "reads"], &[]);
    check("std::fs::read", &["opens", "reads"], &[]);
    check("core::time", &[], &[]);
    check("panic", &["asserts", "takes"], &[]);
    // A type of the workspace has an impl of `Index`.
    check("indexing", &[], &["index", "table"]);
    check("arithmetic", &[], &["sums"]);
    check("demo::kinds::opens", &["reads"], &[]);
    check("blocking", &["naps", "naps_far", "starts"], &[]);
    check("net", &[], &[]);
}

#[test]
fn indexing_is_certain_where_no_type_has_an_impl_of_it() {
    let repo = Repository::new();
    repo.write("Cargo.toml", &manifest("demo"));
    let code =
        "pub fn index(v: &[u8]) -> u8 { v[0] }\npub fn whole(v: &[u8]) -> &[u8] { &v[..] }\n";
    repo.write("src/lib.rs", code);
    text(&repo.root, &["index"]);
    assert_eq!(reaching(&repo, &["indexing"]), [names(&["demo::index"]), names(&[])]);
}

#[test]
fn a_path_has_its_steps_with_places_and_conditions() {
    let repo = workspace();
    let found = json(&repo.root, &["reach", "unsafe", "--from", "tool::main"]);
    let steps = &found["items"][0]["steps"];
    let step = |source: &str, target: &str, how: &str, file: &str, line: u32| {
        value!({
            "source": source, "target": target, "how": how, "confidence": 1.0, "file_path": file,
            "line": line,
        })
    };
    assert_eq!(
        steps,
        &value!([
            step("tool::main", "demo::far", "call", "tool/src/main.rs", 1),
            step("demo::far", "demo::near", "call", "lib/src/lib.rs", 5),
            step("demo::near", "demo::direct", "call", "lib/src/lib.rs", 6),
            step("demo::direct", "unsafe", "text", "lib/src/lib.rs", 4),
        ])
    );
    let found = json(&repo.root, &["reach", "unsafe", "--from", "demo::partly"]);
    let item = &found["items"][0];
    assert_eq!((&item["other_condition"], &found["certain"]), (&value!("windows"), &value!(0)));
    assert_eq!(item["steps"][0]["condition"], "windows");
    let target = ["--target", "x86_64-pc-windows-msvc"];
    let arguments = [&["reach", "unsafe", "--from", "demo::partly"], &target[..]].concat();
    assert_eq!(json(&repo.root, &arguments)["certain"], 1);
    // Through what is not resolved, there may be one.
    let found = json(&repo.root, &["reach", "unsafe", "--from", "demo::unknown"]);
    assert_eq!(
        (&found["certain"], &found["unresolved"], &found["open"]),
        (&value!(0), &value!(1), &value!(1))
    );
    let said = err(&asof(&repo.root, &["reach", "unsafe", "--from", "demo::unknown"]));
    assert!(said.contains("1 call on the ways not resolved"), "{said}");
    // Tests.
    let found = json(&repo.root, &["reach", "unsafe", "--from", "demo::tests::checks"]);
    assert_eq!((&found["certain"], &found["items"][0]["in_test"]), (&value!(1), &value!(true)));
    insta::assert_snapshot!(text(&repo.root, &["reach", "unsafe", "--from", "demo::by_dyn", "--guesses"]), @"
    demo::by_dyn  lib/src/lib.rs:22  (possible)
      → demo::Act::act  lib/src/lib.rs:22
      → <demo::Wild as Act>::act  may be dispatched to
      → demo::direct  lib/src/lib.rs:15
      → unsafe  lib/src/lib.rs:4
    ");
}

#[test]
fn new_reach_follows_renames_and_is_a_gate() {
    let mut repo = workspace();
    let renamed = LIB.replace("pub fn far() { near() }", "pub fn farther() { near() }");
    let reaching = renamed.replace("x.thing();", "x.thing(); near();");
    repo.write("lib/src/lib.rs", &reaching);
    repo.write("tool/src/main.rs", "fn main() { demo::farther() }\n");
    repo.commit("more");
    let root = &repo.root;
    let new = |arguments: &[&str]| {
        let arguments = [&["reach", "unsafe", "--new"], arguments].concat();
        listed(&json(root, &arguments))
    };
    // Of files, as the first commit is not imported.
    assert_eq!(new(&["HEAD~1..HEAD"]), [names(&["demo::unknown"]), Vec::new()]);
    assert_eq!(new(&["HEAD~1...HEAD"]), [names(&["demo::unknown"]), Vec::new()]);
    assert_eq!(new(&["HEAD..HEAD"]), [names(&[]), names(&[])]);
    let gate = |range: &str| asof(root, &["reach", "unsafe", "--new", range, "--check"]);
    assert_eq!(code(&gate("HEAD~1..HEAD")), 8);
    assert_eq!(code(&gate("HEAD..HEAD")), 0);
    text(root, &["index", "--history"]);
    assert_eq!(new(&["HEAD~1..HEAD"]), [names(&["demo::unknown"]), Vec::new()]);
    // Since when: the newest step is of the second commit.
    let found = json(root, &["reach", "unsafe", "--from", "demo::unknown", "--dates"]);
    assert_eq!(found["items"][0]["since"]["message"], "more");
    let found = json(root, &["reach", "unsafe", "--from", "demo::direct", "--dates"]);
    assert_eq!(found["items"][0]["since"]["message"], "all");
    // As of a moment.
    let found = json(root, &["reach", "unsafe", "--from", "demo::unknown", "--at", "HEAD~1"]);
    assert_eq!(found["certain"], 0);
}

#[test]
fn a_certain_path_fails_the_check_and_is_a_finding() {
    let repo = workspace();
    let root = &repo.root;
    let gate = |from: &str| asof(root, &["reach", "unsafe", "--check", "--from", from]);
    let failed = gate("demo::by_type");
    assert_eq!(code(&failed), 8);
    assert!(err(&failed).contains("1 certain path"), "{}", err(&failed));
    assert_eq!(code(&gate("demo::by_dyn")), 0);
    assert_eq!(code(&gate("demo::elsewhere")), 0);
    let sarif = text(root, &["reach", "unsafe", "--guesses", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of = |name: &str| {
        let is_it = |result: &&Value| {
            result["message"]["text"].as_str().unwrap().starts_with(&format!("`demo::{name}`"))
        };
        results.iter().find(is_it).unwrap()
    };
    assert_eq!(of("far")["level"], "warning");
    assert_eq!(of("by_dyn")["level"], "note");
    assert_eq!(
        of("far")["message"]["text"],
        "`demo::far` reaches demo::near → demo::direct → unsafe"
    );
}

#[test]
fn bad_requests_say_what_is_wrong() {
    let repo = workspace();
    let root = &repo.root;
    fails(root, &["reach"], 2, "SET");
    fails(root, &["reach", "unsaef"], 1, "no set, item or crate `unsaef`");
    fails(root, &["reach", "std::fss"], 1, "no set, item or crate `std::fss`");
    fails(root, &["reach", "demo::nothing"], 1, "no set, item or crate `demo::nothing`");
    fails(root, &["reach", "unsafe", "--from", "demo::nothing"], 1, "nothing");
    fails(root, &["reach", "unsafe", "--from", "demo::Wild::nothing"], 1, "nothing");
    fails(root, &["reach", "unsafe", "--package", "none"], 1, "no package `none`");
    fails(root, &["reach", "blocking", "unsafe"], 2, "`blocking`");
    fails(root, &["reach", "unsafe", "--new", "HEAD"], 2, "must be two moments");
    fails(root, &["reach", "unsafe", "--new", "nowhere..HEAD"], 1, "nowhere");
    repo.git(&["checkout", "-q", "--orphan", "apart"]);
    repo.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "apart"]);
    let first = repo.git(&["rev-list", "--all", "--max-parents=0"]);
    let other =
        first.lines().find(|hash| *hash != repo.git(&["rev-parse", "HEAD"]).trim()).unwrap();
    let range = format!("{other}...HEAD");
    fails(root, &["reach", "unsafe", "--new", &range], 1, "no commit in common");
}
