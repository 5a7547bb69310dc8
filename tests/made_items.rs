//! Items that macro calls make: found by path, shown, listed, used, not edited; and the same rows after
//! any edit of the macro, the call or what is around them.

use std::fs;

use crate::support::cli;
use crate::support::tempdir;
use crate::support::{Copy, differences_from_fresh, index, was_wide};

use asof_store::Store;
use cli::{asof, code, err, json, out};
use serde_json::Value as Json;
use tempfile::TempDir;

const MANIFEST: &str = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

const MACROS: &str = "\
macro_rules! routes {
    ($($(#[$m:meta])* $name:ident => $path:literal),* $(,)?) => {
        $($(#[$m])* pub fn $name() -> &'static str { $path })*
        pub mod table {
            pub const ALL: &[&str] = &[$($path),*];
        }
        pub struct Router { pub hits: u32 }
        impl Router {
            pub fn hit(&mut self) -> u32 { self.hits }
        }
    };
}
";

const LIB: &str = "\
#[macro_use]
mod macros;
mod user;

routes! {
    /// The start page.
    index => \"/\",
    about => \"/about\",
}
";

const USER: &str = "\
pub fn start(router: &mut crate::Router) -> bool {
    router.hit();
    router.hits > 0 && crate::index() == crate::table::ALL[0]
}
";

const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", MANIFEST),
    ("src/lib.rs", LIB),
    ("src/macros.rs", MACROS),
    ("src/user.rs", USER),
];

fn workspace() -> TempDir {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    for (path, text) in FILES {
        fs::write(dir.path().join(path), text).unwrap();
    }
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    dir
}

#[test]
fn an_item_that_a_call_makes_is_found_by_its_path() {
    let dir = workspace();
    let found = json(dir.path(), &["resolve", "p::index"]);
    let item = &found["items"][0];
    assert_eq!(
        (&item["kind"], &item["signature"], &item["docs"], &item["made"], &item["line"]),
        (
            &Json::from("function"),
            &Json::from("pub fn index() -> &'static str"),
            &Json::from("The start page."),
            &Json::from(true),
            &Json::from(5)
        )
    );
    let shown = asof(dir.path(), &["show", "p::Router::hit"]);
    assert!(out(&shown).starts_with("routes! {\n"), "{}", out(&shown));
    assert!(err(&shown).contains("made by this macro call"), "{}", err(&shown));
}

#[test]
fn what_a_call_makes_is_listed_and_has_its_uses() {
    let dir = workspace();
    let outline = out(&asof(dir.path(), &["outline", "crate"]));
    for line in
        ["pub fn index()", "pub mod table", "pub struct Router", "pub hits: u32", "pub fn hit"]
    {
        assert!(outline.contains(line), "{line} in\n{outline}");
    }
    for (path, kind) in [
        ("p::index", "call"),
        ("p::Router::hit", "method_call"),
        ("p::Router::hits", "field"),
        ("p::table::ALL", "value"),
    ] {
        let found = json(dir.path(), &["refs", path]);
        let uses: Vec<(&str, &str)> = found["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["use_kind"].as_str().unwrap(), one["item"]["path"].as_str().unwrap()))
            .collect();
        assert_eq!(uses, [(kind, "p::user::start")], "{path}");
    }
}

#[test]
fn an_edit_of_it_is_refused_with_the_place_of_the_call() {
    let dir = workspace();
    let request = dir.path().join("request.json");
    for edit in [
        r#"{"mode":"canonical","path":"p::index","code":"pub fn index() {}"}"#,
        r#"{"mode":"delete","path":"p::Router::hit"}"#,
        r#"{"mode":"insert","anchor":"p::Router","position":"after","code":"fn f() {}"}"#,
    ] {
        fs::write(&request, format!("{{\"edits\":[{edit}]}}")).unwrap();
        let refused = asof(dir.path(), &["edit", "plan", "--file", "request.json"]);
        assert_ne!(code(&refused), 0, "{edit}");
        assert!(err(&refused).contains("macro call at src/lib.rs:5"), "{}", err(&refused));
    }
    assert_eq!(fs::read_to_string(dir.path().join("src/lib.rs")).unwrap(), LIB);
}

/// Each edit ends in the rows of a new index.
#[test]
fn what_is_made_follows_the_macro_and_the_call() {
    let edits: &[(&str, &str, &str)] = &[
        ("src/macros.rs", "hits: u32 }", "hits: u32, pub misses: u8 }"),
        ("src/macros.rs", "pub fn hit(", "pub fn strike("),
        ("src/macros.rs", "pub mod table", "mod table"),
        ("src/macros.rs", "{ self.hits }", "{ self.hits + 1 }"),
        ("src/macros.rs", "macro_rules! routes", "macro_rules! other"),
        ("src/lib.rs", "about =>", "imprint =>"),
        ("src/lib.rs", "The start page.", "The first page."),
        ("src/lib.rs", "    index", "    /* the first */ index"),
        ("src/lib.rs", "\n    about => \"/about\",", ""),
        ("src/lib.rs", "mod user;", "mod user;\npub fn index() {}"),
        ("src/lib.rs", "routes!", "// Calls.\nroutes!"),
    ];
    for (path, from, to) in edits {
        let mut copy = Copy::with(FILES);
        let store = Store::in_memory().unwrap();
        index(&store, &copy.root);
        for (from, to) in [(from, to), (to, from)] {
            copy.edit(path, from, to);
            index(&store, &copy.root);
            assert_eq!(differences_from_fresh(&store, &copy.root), "", "{from:?} to {to:?}");
        }
    }
}

/// A call may put the items that it is given into modules that it makes: they have its place.
#[test]
fn modules_around_given_items_have_the_place_of_the_call() {
    const SUITE: &str = "\
macro_rules! flavours {
    ($($t:tt)*) => {
        mod one { $($t)* fn rt() -> u8 { 1 } }
        mod two { $($t)* fn rt() -> u8 { 2 } }
    };
}
macro_rules! plain { ($($t:tt)*) => { $($t)* }; }
flavours! {
    fn first() -> u8 { super::one::rt() }
    mod inner { pub fn second() {} }
}
plain! { fn third() {} }
";
    let edits = [
        ("{ super::one::rt() }", "{ super::one::rt() + 10 }", true),
        ("second() {}", "second() { todo!() }", true),
        ("fn second() {} }\n", "fn second() {} }\n    // The end.\n", true),
        ("third() {}", "third() { todo!() }", false),
    ];
    for (from, to, has_made) in edits {
        let mut copy = Copy::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", SUITE)]);
        let store = Store::in_memory().unwrap();
        index(&store, &copy.root);
        for (from, to) in [(from, to), (to, from)] {
            copy.edit("src/lib.rs", from, to);
            assert_eq!(was_wide(&index(&store, &copy.root)), has_made, "{from:?} to {to:?}");
            assert_eq!(differences_from_fresh(&store, &copy.root), "", "{from:?} to {to:?}");
        }
    }
}

#[test]
fn an_edit_elsewhere_in_the_file_stays_narrow() {
    let mut copy = Copy::with(FILES);
    copy.write("src/lib.rs", format!("{LIB}fn tail() -> u8 {{ 1 }}\n"));
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    copy.edit("src/lib.rs", "{ 1 }", "{ 2 }");
    let report = index(&store, &copy.root);
    assert!(report.revision.is_some() && !was_wide(&report));
    assert_eq!(differences_from_fresh(&store, &copy.root), "");
}

/// The items of an included file are those of the module around, and see its names.
#[test]
fn an_included_file_is_part_of_the_module_around() {
    let dir = tempdir();
    fs::create_dir_all(dir.path().join("src/parts")).unwrap();
    let files = [
        ("Cargo.toml", MANIFEST),
        (
            "src/lib.rs",
            "mod deep {\n    include!(\"parts/one.rs\");\n    fn near() { far() }\n    pub fn own() {}\n}\nuse deep::Shown;\n",
        ),
        (
            "src/parts/one.rs",
            "fn far() { own(); self::own(); super::top(&Shown) }\npub struct Shown;\nimpl Shown { fn m(&self) { near() } }\n",
        ),
    ];
    for (path, text) in files {
        fs::write(dir.path().join(path), text).unwrap();
    }
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    let users = |path: &str| -> Vec<String> {
        let found = json(dir.path(), &["refs", path]);
        let uses = found["items"].as_array().unwrap().iter();
        uses.map(|one| one["item"]["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(users("p::deep::far"), ["p::deep::near"]);
    assert_eq!(users("p::deep::own"), ["p::deep::far", "p::deep::far"]);
    assert_eq!(users("p::deep::near"), ["p::deep::Shown::m"]);
    let shown = asof(dir.path(), &["show", "p::deep::Shown::m"]);
    assert_eq!(out(&shown), "fn m(&self) { near() }\n");
    assert_eq!(
        json(dir.path(), &["resolve", "p::deep::Shown"])["items"][0]["file_path"],
        "src/parts/one.rs"
    );
}

/// Renames change tokens of calls and names that made items have beside them; what is made stays.
#[test]
fn a_rename_beside_made_items_is_proven() {
    let dir = workspace();
    let renamed = json(dir.path(), &["rename", "p::user::start", "begin", "--dry-run"]);
    assert_eq!(renamed["proof"]["proven"], true, "{renamed}");
    let refused = asof(dir.path(), &["rename", "p::Router::hit", "strike"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("the macro call at src/lib.rs:5 makes"), "{}", err(&refused));
}
