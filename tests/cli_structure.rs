//! `callers`, `callees`, `path`, `outline`, `api`, `show` and `query --schema`, through the binary.

use std::fs;
use std::path::Path;

use cli::{asof, code, err, fails, json, out};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::cli;

use crate::support::backups;
use crate::support::tempdir;

/// What is printed, notes included: those on the basis are left out.
#[track_caller]
fn says(dir: &Path, args: &[&str]) -> String {
    let output = asof(dir, args);
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    let notes = err(&output);
    let notes =
        notes.lines().filter(|line| !line.starts_with("NOW ") && !line.contains("changed since"));
    notes.fold(out(&output), |all, line| format!("{all}{line}\n"))
}

#[track_caller]
fn check(dir: &Path, args: &[&str], expected: &str) {
    assert_eq!(says(dir, args), expected, "{args:?}");
}

const LIB: &str = "\
pub trait Draw {
    fn draw(&self);
}
pub struct Dot;
impl Draw for Dot {
    fn draw(&self) {
        paint();
    }
}
pub fn paint() {}
pub fn scene(items: &[&dyn Draw]) {
    for item in items {
        item.draw();
    }
}
pub fn start() {
    middle(1);
    middle(2);
}
fn middle(n: u32) {
    end();
}
fn end() {}
pub fn island() {}
pub fn passes() {
    let f = hidden;
    f();
}
fn hidden() {
    end();
}
";

/// A workspace with a package in `sub/demo`.
fn demo() -> TempDir {
    let dir = tempdir();
    let demo = dir.path().join("sub/demo");
    fs::create_dir_all(demo.join("src")).unwrap();
    fs::write(dir.path().join("Cargo.toml"), "[workspace]\nmembers = [\"sub/demo\"]\n").unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(demo.join("Cargo.toml"), manifest).unwrap();
    fs::write(demo.join("src/lib.rs"), LIB).unwrap();
    dir
}

#[test]
fn calls_and_paths_of_calls_have_their_places() {
    let dir = demo();
    let sub = dir.path().join("sub/demo/src");
    // A subfolder means the workspace above, and the answer says so.
    let output = asof(&sub, &["index"]);
    let root = fs::canonicalize(dir.path()).unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains(&format!("workspace {}", root.display())), "{}", err(&output));
    assert!(dir.path().join(".asof").is_dir() && !sub.join(".asof").exists());
    let dir = dir.path();
    check(
        dir,
        &["callers", "crate::end", "--depth", "2"],
        "function demo::end  sub/demo/src/lib.rs:23\n  \
         demo::hidden  sub/demo/src/lib.rs:30\n  \
         demo::middle  sub/demo/src/lib.rs:21\n    \
         demo::start  sub/demo/src/lib.rs:17,18\n3 callers\n",
    );
    let calls = json(dir, &["callees", "crate::start"]);
    assert_eq!(calls["items"].as_array().unwrap().len(), 1);
    assert_eq!(calls["items"][0]["site"]["line"], 17);
    assert_eq!(calls["direction"], "callees");
    let lineage = json(dir, &["lineage", "crate::end", "-d", "callers"]);
    let callers = json(dir, &["callers", "crate::end", "--depth", "64"]);
    let ids = |answer: &Json| -> Vec<Json> {
        answer["items"].as_array().unwrap().iter().map(|item| item["item"]["id"].clone()).collect()
    };
    assert_eq!(ids(&lineage), ids(&callers));

    check(
        dir,
        &["path", "crate::start", "crate::end"],
        "demo::start  sub/demo/src/lib.rs:16\n  \
         → demo::middle  sub/demo/src/lib.rs:17\n  \
         → demo::end  sub/demo/src/lib.rs:21\n2 steps\n",
    );
    // The call of a trait's method may be that of any impl.
    let dispatched = says(dir, &["path", "crate::scene", "crate::paint"]);
    assert!(dispatched.contains("may be dispatched to") && dispatched.contains("not sure"));
    let dispatched = json(dir, &["path", "crate::scene", "crate::paint"]);
    assert_eq!(dispatched["items"][0]["sure"], false);
    assert_eq!(dispatched["items"][0]["steps"][1]["use_kind"], "dispatch");
    assert_eq!(dispatched["items"][0]["steps"][1]["confidence"], Json::Null);

    let none = json(dir, &["path", "crate::end", "crate::start"]);
    assert_eq!((none["proven"].clone(), none["total"].clone()), (true.into(), 0.into()));
    assert!(says(dir, &["path", "crate::end", "crate::start"]).contains("(proven)"));
    // `hidden` is passed as a value: a path from it is not seen.
    let hidden = json(dir, &["path", "crate::passes", "crate::end"]);
    assert_eq!((hidden["proven"].clone(), hidden["total"].clone()), (false.into(), 0.into()));
    assert_eq!(hidden["gaps"][0]["reason"], "value");
    assert_eq!(hidden["gaps"][0]["source"], "demo::passes");
    let followed = ["path", "crate::passes", "crate::end", "--kind", "call,value"];
    assert_eq!(json(dir, &followed)["items"][0]["steps"][0]["use_kind"], "value");
    let near = json(dir, &["path", "crate::start", "crate::end", "--depth", "1"]);
    assert_eq!(near["reason"], "there is a path, longer than the limit of 1");
    fails(dir, &["path", "crate::end", "crate::end"], 2, "the same item");
    fails(dir, &["path", "crate::end", "crate::nothing"], 1, "no item named");
}

#[test]
fn outlines_nest_members_and_impls() {
    let reexports = backups::restored("reexports");
    let root = &reexports.root;
    let base = ["--no-refresh", "outline"];
    check(
        root,
        &[&base[..], &["base::shapes::Square"]].concat(),
        "pub struct Square  base/src/shapes.rs:13-15\n\
         14  pub side: f64\n\
         29  impl Square\n\
         30    pub const UNIT: Square\n\
         23  impl Area for Square  1 item\n",
    );
    let expected = "mod base::shapes  base/src/shapes.rs:1-31\n \
         1  pub trait Area\n \
         2    fn area(&self) -> f64\n \
         4    fn is_larger_than(&self, other: &dyn Area) -> bool\n \
         9  pub struct Circle\n\
         10    pub radius: f64\n\
         13  pub struct Square\n\
         14    pub side: f64\n\
         17  impl Area for Circle  1 item\n\
         23  impl Area for Square  1 item\n\
         29  impl Square\n\
         30    pub const UNIT: Square\n";
    check(root, &[&base[..], &["base::shapes"]].concat(), expected);
    check(root, &[&base[..], &["base/src/shapes.rs"]].concat(), expected);
    check(root, &["--no-refresh", "inspect", "outline", "base::shapes"], expected);
    let all = json(root, &["--no-refresh", "outline", "base", "--depth", "3"]);
    let names = |item: &Json| format!("{} {}", item["depth"], item["name"].as_str().unwrap());
    let all: Vec<String> = all["items"].as_array().unwrap().iter().map(names).collect();
    assert!(all.contains(&"2 Circle".to_owned()) && all.contains(&"3 Busy".to_owned()), "{all:?}");
    fails(root, &["--no-refresh", "outline", "base/src/none.rs"], 1, "is not indexed");
}

#[test]
fn the_public_interface_is_what_other_crates_can_name() {
    let reexports = backups::restored("reexports");
    let root = &reexports.root;
    let paths = |args: &[&str]| -> Vec<String> {
        let answer = json(root, &[&["--no-refresh", "api"], args].concat());
        let path = |item: &Json| item["path"].as_str().unwrap().to_owned();
        answer["items"].as_array().unwrap().iter().map(path).collect()
    };
    // Globs in a circle, twins in two namespaces, a private module that is left out.
    assert_eq!(
        paths(&["base::ring"]),
        [
            "base::ring::blue",
            "base::ring::blue::from_blue",
            "base::ring::blue::round",
            "base::ring::green",
            "base::ring::green::from_green",
            "base::ring::red",
            "base::ring::red::from_red",
        ]
    );
    let base = paths(&["base"]);
    assert!(base.contains(&"base::Treasure".to_owned()) && base.contains(&"base::open".to_owned()));
    assert!(base.iter().all(|path| !path.contains("inside")), "{base:?}");
    assert_eq!(base.iter().filter(|path| *path == "base::twin::both").count(), 2);
    // What stands in a module hides what a glob brings; a chain of re-exports has one end.
    check(
        root,
        &["--no-refresh", "api", "re_facade::all"],
        "re_facade::all::Area  pub trait Area  base/src/shapes.rs:1\n\
         re_facade::all::Busy  Busy { since: u64 }  base/src/lib.rs:15\n\
         re_facade::all::Circle  pub struct Circle  base/src/shapes.rs:9\n\
         re_facade::all::Done  Done(u32)  base/src/lib.rs:16\n\
         re_facade::all::Idle  Idle  base/src/lib.rs:14\n\
         re_facade::all::Square  pub struct Square  facade/src/lib.rs:22\n\
         re_facade::all::State  pub enum State  base/src/lib.rs:13\n7 items\n",
    );
    let facade = json(root, &["--no-refresh", "api", "re_facade", "--limit", "0"]);
    let item = |path: &str| -> Json {
        let items = facade["items"].as_array().unwrap();
        items.iter().find(|item| item["path"] == path).unwrap_or_else(|| panic!("{path}")).clone()
    };
    assert_eq!(item("re_facade::area_of")["kind"], "macro");
    let treasure = item("re_facade::Treasure");
    assert_eq!(treasure["canonical_path"], "base::inside::deep::Treasure");
    assert_eq!(treasure["other_paths"][0], "re_facade::depths::Treasure");
    let members = paths(&["base::shapes", "--members"]);
    assert!(members.contains(&"base::shapes::Square::UNIT".to_owned()), "{members:?}");
    assert!(members.contains(&"base::shapes::Area::area".to_owned()), "{members:?}");
    fails(root, &["--no-refresh", "api", "base::shapes::Circle"], 1, "is not a module");
}

#[test]
fn hidden_and_external_names_are_marked() {
    let dir = demo();
    let root = dir.path();
    let lib = "\
pub use std::fmt::Debug;
#[doc(hidden)]
pub mod detail {
    pub fn deep() {}
}
#[doc(hidden)]
pub use detail::deep as __deep;
pub(crate) fn inner() {}
pub(crate) mod closed {
    pub fn shown() {}
    pub fn unseen() {}
}
pub use closed::shown;
pub use std::io::*;
";
    fs::write(root.join("sub/demo/src/lib.rs"), lib).unwrap();
    cli::text(root, &["index"]);
    check(
        root,
        &["api"],
        "demo::*  pub use std::io::*\n\
         demo::Debug  pub use std::fmt::Debug\n\
         demo::__deep  pub fn deep()  sub/demo/src/lib.rs:4  hidden  also demo::detail::deep\n\
         demo::detail  pub mod detail  sub/demo/src/lib.rs:3  hidden\n\
         demo::shown  pub fn shown()  sub/demo/src/lib.rs:10\n5 items\n",
    );
    assert_eq!(json(root, &["api", "--no-hidden"])["total"], 3);
    assert_eq!(json(root, &["api"])["items"][0]["kind"], "external");
}

#[test]
fn sources_come_in_other_forms_and_several_at_once() {
    let items = backups::restored("items");
    let root = &items.root;
    let show = |args: &[&str]| says(root, &[&["--no-refresh", "-q", "show"], args].concat());
    assert_eq!(show(&["items::functions::plain", "--signature"]), "pub fn plain()\n");
    assert_eq!(show(&["src/functions.rs:5"]), "pub fn plain() {}\n");
    // The documentation is a part of the item; inside a function it is the innermost one.
    assert!(show(&["src/functions.rs:19"]).contains("pub unsafe fn peek"));
    assert!(show(&["src/functions.rs:45:9"]).starts_with("fn step"));
    let bare = show(&["items::traits::Animal", "--no-docs"]);
    assert!(!bare.contains("///") && bare.contains("type Food: Default + Debug;"), "{bare}");
    let two = show(&["items::functions::plain", "items::traits::Named", "--signature"]);
    assert_eq!(two.lines().filter(|line| line.starts_with("// ")).count(), 2);
    let impls = show(&["items::data::Point", "--with-impls", "--signature"]);
    assert!(impls.lines().filter(|line| line.starts_with("impl")).count() > 0, "{impls}");
    // What is found is shown, what is not is an error.
    let output =
        asof(root, &["--no-refresh", "-q", "show", "items::none", "items::functions::plain"]);
    assert_eq!((code(&output), out(&output).as_str()), (1, "pub fn plain() {}\n"));
    fails(
        root,
        &["--no-refresh", "show", "src/functions.rs:4"],
        1,
        "no item at src/functions.rs:4",
    );
}

#[test]
fn the_schema_says_what_there_is() {
    let items = backups::restored("items");
    let root = &items.root;
    let node = says(root, &["query", "--schema", "node"]);
    assert!(node.contains("parent_id      Uuid?          none for crate roots"), "{node}");
    assert!(node.contains("versioned relation node: Definitions"), "{node}");
    let all = json(root, &["query", "--schema"]);
    let names: Vec<&str> =
        all["items"].as_array().unwrap().iter().map(|i| i["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"refs_by_source") && names.contains(&"span"), "{names:?}");
    fails(root, &["query", "--schema", "nodes"], 2, "relations: changes, condition, dependency, ");
    fails(
        root,
        &["--no-refresh", "query", "?[a] := *nodes{a}"],
        2,
        "relations are changes, condition, dependency, ",
    );
    fails(
        root,
        &["--no-refresh", "query", "?[a] := *node{a}"],
        2,
        "columns of `node` are id, at, kind, ",
    );
    fails(root, &["--no-refresh", "query", "?[a] := spam[a]"], 2, "views are ancestor, ");
    fails(
        root,
        &["--no-refresh", "query", "?[a] := within[a]"],
        2,
        "`within` is a view: it is written `within[id, parent_id]`, without a `*`",
    );
    for text in ["?[a] := *within{id: a}", "?[a] := within{id: a}", "?[a] := within {id: a}"] {
        let wanted = "`within` is a view: it is written `within[id, parent_id]`, without a `*`";
        fails(root, &["--no-refresh", "query", text], 2, wanted);
    }
}

#[test]
fn lines_of_a_file_are_shown_and_folders_outlined() {
    let dir = demo();
    let dir = dir.path();
    assert_eq!(code(&asof(dir, &["index"])), 0);
    let names = |args: &[&str]| -> Vec<String> {
        let found = json(dir, args);
        let items = found["items"].as_array().unwrap_or_else(|| panic!("{args:?}: {found}")).iter();
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    // Within one item: that item. Over several: those, without the module around them.
    assert_eq!(names(&["show", "sub/demo/src/lib.rs:6-7"]), ["draw"]);
    assert_eq!(names(&["show", "sub/demo/src/lib.rs:4-10"]), ["Dot", "impl Draw for Dot", "paint"]);
    assert_eq!(names(&["show", "sub/demo/src/lib.rs:10"]), ["paint"]);
    assert_eq!(names(&["resolve", "sub/demo/src/lib.rs:12-13"]), ["scene"]);
    fails(dir, &["resolve", "sub/demo/src/lib.rs:4-10"], 3, "means 3 definitions");
    fails(
        dir,
        &["show", "sub/demo/src/lib.rs:900-901"],
        1,
        "no item at sub/demo/src/lib.rs:900-901",
    );
    fails(dir, &["show", "sub/demo/src/lib.rs:9-3"], 1, "no item at sub/demo/src/lib.rs:9-3");
    let listed = |args: &[&str]| json(dir, args)["items"].to_string();
    for folder in ["sub", "sub/demo/src/", "./sub/demo"] {
        let found = listed(&["outline", folder]);
        assert!(found.contains("\"scene\"") && found.contains("src/lib.rs"), "{folder}: {found}");
    }
    fails(dir, &["outline", "sub/none"], 1, "no indexed file in `sub/none`");
    fails(dir, &["outline", "nosuchthing"], 1, "no item named `nosuchthing`");
}

#[test]
fn partial_paths_with_one_misspelt_name_find_it() {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(
        dir.path().join("Cargo.toml"),
        "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    )
    .unwrap();
    fs::write(
        dir.path().join("src/lib.rs"),
        "pub mod deep {\n    pub struct WalkBuilder;\n    impl WalkBuilder {\n        \
         pub fn build(&self) {}\n    }\n    pub struct Other;\n    impl Other {\n        \
         pub fn build(&self) {}\n    }\n}\n",
    )
    .unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    let suggested = |path: &str| json(dir.path(), &["resolve", path])["suggestions"].clone();
    for path in ["WalkBuilder::bild", "WalkBulder::build", "deep::WalkBuilder::biuld"] {
        assert_eq!(suggested(path)[0], "walk::deep::WalkBuilder::build", "{path}");
        let all = suggested(path).to_string();
        assert!(!all.contains("\"walk\""), "the crate has no similar name: {all}");
    }
    let found = json(dir.path(), &["resolve", "WalkBuilder::bild"]);
    assert_eq!(found["failed_segment"], "bild");
    assert_eq!(json(dir.path(), &["resolve", "Wlkr::x"])["failed_segment"], "Wlkr");
}

#[test]
fn conditions_are_counted_with_the_items_that_have_them() {
    let home = tempdir();
    let root = home.path();
    fs::create_dir(root.join("src")).unwrap();
    fs::write(root.join("Cargo.toml"), "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n")
        .unwrap();
    fs::write(root.join("src/lib.rs"), "pub fn always() {}\n").unwrap();
    says(root, &["index", "--quiet"]);
    assert_eq!(json(root, &["cfg"])["items"], serde_json::json!([]));
    let lib = "#[cfg(test)]\nmod other;\n#[cfg(unix)]\npub fn a() {}\n#[cfg(unix)]\npub fn b() {}\n#[cfg(target_family = \"windows\")]\npub fn a() { c() }\n#[cfg(all(windows, any(x, y)))]\npub fn c() {}\n";
    fs::write(root.join("src/lib.rs"), lib).unwrap();
    fs::write(root.join("src/other.rs"), "#[cfg(unix)]\npub struct C { pub f: u8 }\n").unwrap();
    let rows = json(root, &["cfg"])["items"].clone();
    let row = |condition: &str, definitions: u32, effective: u32, files: u32| serde_json::json!({ "condition": condition, "definitions": definitions, "effective": effective, "files": files });
    let expected = [
        row("unix", 3, 2, 2),
        row("all(test, unix)", 0, 2, 1),
        row("any(all(windows, x), all(windows, y))", 1, 1, 1),
        row("test", 1, 1, 1),
        row("windows", 1, 1, 1),
    ];
    assert_eq!(rows, Json::from(expected.to_vec()));

    let named = |name: &str, params: &[&str], column: &str| -> Vec<String> {
        let mut args = vec!["query", "--name", name];
        params.iter().for_each(|param| args.extend(["--param", param]));
        let answer = json(root, &args);
        let at = answer["headers"].as_array().unwrap().iter().position(|header| header == column);
        let rows = answer["items"].as_array().unwrap().iter();
        rows.map(|row| row[at.unwrap()].as_str().unwrap().to_owned()).collect()
    };
    let only = |flag: &str| named("conditions/only_under", &[&format!("flag={flag}")], "path");
    assert_eq!(only("windows"), ["demo::a", "demo::c"]);
    assert_eq!(only("test"), ["demo::other", "demo::other::C", "demo::other::C::f"]);
    assert_eq!(only("x"), [] as [&str; 0]);
    let unreached =
        |set: &str| named("conditions/unreached", &[&format!("configurations={set}")], "path");
    assert_eq!(
        unreached("[[\"unix\"], [\"windows\"]]"),
        ["demo::c", "demo::other", "demo::other::C", "demo::other::C::f"]
    );
    assert_eq!(unreached("[[\"unix\", \"test\"], [\"windows\", \"y\"]]"), [] as [&str; 0]);
    let broken = |flag: &str| {
        let flag = format!("flag={flag}");
        let sources = named("conditions/broken_without", &[&flag], "source_path");
        let targets = named("conditions/broken_without", &[&flag], "target_path");
        sources.into_iter().zip(targets).collect::<Vec<_>>()
    };
    assert_eq!(broken("windows"), []);
    fs::write(root.join("src/lib.rs"), lib.replace("all(windows, any(x, y))", "x")).unwrap();
    assert_eq!(broken("x"), [("demo::a".to_owned(), "demo::c".to_owned())]);
}

#[test]
fn whole_files_are_shown_and_the_whole_workspace_is_outlined() {
    let dir = tempdir();
    let text = "//! Words.\n\n/// F.\npub fn f() -> u8 { 1 }\n";
    fs::write(dir.path().join("a.rs"), text).unwrap();
    fs::create_dir(dir.path().join("below")).unwrap();
    fs::write(dir.path().join("below/b.rs"), "pub fn g() {}\n").unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    assert_eq!(out(&asof(dir.path(), &["show", "a.rs"])), text);
    assert_eq!(out(&asof(&dir.path().join("below"), &["show", "b.rs"])), "pub fn g() {}\n");
    fails(dir.path(), &["show", "missing.rs"], 1, "missing.rs is not indexed");
    let outlined = says(dir.path(), &["outline", "."]);
    assert!(outlined.contains("pub fn f()") && outlined.contains("pub fn g()"), "{outlined}");
    let below = says(&dir.path().join("below"), &["outline", "."]);
    assert!(!below.contains("pub fn f()") && below.contains("pub fn g()"), "{below}");
}

#[test]
fn a_condition_may_be_spelled_as_for_the_compiler() {
    let dir = tempdir();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n[features]\nfull = []\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    let lib = "#[cfg(feature = \"full\")]\npub fn a() {}\n";
    fs::write(dir.path().join("src/lib.rs"), lib).unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    for flag in ["feature = \"full\"", "feature=\"full\"", "feature=full"] {
        let flag = format!("flag={flag}");
        let args = ["query", "--name", "conditions/only_under", "--param", &flag];
        assert_eq!(json(dir.path(), &args)["total"], 1, "{flag}");
    }
}
