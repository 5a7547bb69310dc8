//! `refs`, `lineage`, `impact` and the exports of uses, through the binary.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;

use cli::{asof, code, err, fails, json, out, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const LIB: &str = "\
pub mod store;
use store::Store;

pub fn load(path: &str) -> Store {
    let text = std::fs::read_to_string(path).unwrap();
    Store::parse(&text)
}

pub fn twice(path: &str) -> (Store, Store) {
    (load(path), load(path))
}

#[cfg(unix)]
pub fn twin() {}
#[cfg(not(unix))]
pub fn twin() {}

#[cfg(test)]
mod tests {
    #[test]
    fn loads() {
        super::load(\"x\");
    }
}
";

const STORE: &str = "\
pub struct Store {
    pub lines: usize,
}

impl Store {
    pub fn parse(text: &str) -> Self {
        Store { lines: text.lines().count() }
    }

    pub fn len(&self) -> usize { self.lines }
}
";

fn indexed() -> TempDir {
    let dir = tempdir();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
    fs::write(dir.path().join("src/store.rs"), STORE).unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    dir
}

/// `file:line:column` of each item.
fn places(answer: &Json) -> Vec<String> {
    let place = |item: &Json| {
        format!("{}:{}:{}", item["file_path"].as_str().unwrap(), item["line"], item["column"])
    };
    answer["items"].as_array().unwrap().iter().map(place).collect()
}

fn paths(answer: &Json) -> Vec<String> {
    let path =
        |item: &Json| format!("{} {}", item["depth"], item["item"]["path"].as_str().unwrap());
    answer["items"].as_array().unwrap().iter().map(path).collect()
}

#[test]
fn refs_tell_every_place_with_what_holds_it() {
    let dir = indexed();
    let found = json(dir.path(), &["refs", "crate::load"]);
    assert_eq!(places(&found), ["src/lib.rs:10:6", "src/lib.rs:10:18", "src/lib.rs:22:16"]);
    assert_eq!(found["symbol"]["path"], "demo::load");
    assert_eq!(found["symbol"]["line"], 4);
    assert_eq!((&found["truncated"], &found["source"]), (&false.into(), &"NOW".into()));
    assert_eq!(found["freshness_state"], "fresh");
    assert_eq!(found["basis"]["freshness_state"], "fresh");
    let first = &found["items"][0];
    assert_eq!((&first["use_kind"], &first["depth"]), (&"call".into(), &1.into()));
    assert_eq!(first["item"]["path"], "demo::twice");
    assert_eq!(first["item"]["kind"], "function");
    assert!(first["confidence"].as_f64().unwrap() > 0.9 && first["provenance"].is_string());
    assert_eq!((&first["in_test"], &found["items"][2]["in_test"]), (&false.into(), &true.into()));

    // On the first line of its item, where columns have to be counted from the file's text.
    let found = json(dir.path(), &["refs", "crate::store::Store::lines"]);
    assert_eq!(places(&found), ["src/store.rs:7:17", "src/store.rs:10:39"]);
    let shown = text(dir.path(), &["refs", "demo::store::Store::parse"]);
    assert!(shown.contains("6:12") && shown.contains("demo::load"), "{shown}");
}

#[test]
fn refs_are_filtered_cut_and_shown_with_their_lines() {
    let dir = indexed();
    let dir = dir.path();
    let found = json(dir, &["refs", "crate::load", "--exclude-tests", "--snippets"]);
    assert_eq!(places(&found).len(), 2);
    let snippet = &found["items"][0]["snippet"];
    assert_eq!(snippet["location"]["file_path"], "src/lib.rs");
    assert_eq!(
        (&snippet["location"]["start_line"], &snippet["location"]["end_line"]),
        (&8.into(), &12.into())
    );
    assert!(snippet["text"].as_str().unwrap().contains("(load(path), load(path))"));
    let found = json(dir, &["refs", "crate::load", "--limit", "1"]);
    assert_eq!((found["items"].as_array().unwrap().len(), &found["truncated"]), (1, &true.into()));
    assert_eq!(found["total"], 3);
    let found = json(dir, &["refs", "crate::store::Store", "--kind", "use"]);
    assert_eq!(places(&found), ["src/lib.rs:2:12"]);
    assert!(
        json(dir, &["refs", "crate::load", "--kind", "macro"])["items"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let markdown = text(dir, &["refs", "crate::load", "--format", "markdown"]);
    assert!(markdown.contains("| place") && markdown.contains("src/lib.rs:10:6"), "{markdown}");
    let shown = text(dir, &["refs", "crate::load", "--snippets", "--limit", "1"]);
    assert!(shown.contains("   10 │     (load(path), load(path))"), "{shown}");
}

#[test]
fn names_of_other_crates_have_refs_too() {
    let dir = indexed();
    let found = json(dir.path(), &["refs", "std::fs::read_to_string"]);
    assert_eq!(places(&found), ["src/lib.rs:5:25"]);
    assert_eq!(
        (&found["symbol"]["kind"], &found["symbol"]["external"]),
        (&"external".into(), &true.into())
    );
    let all = json(dir.path(), &["refs", "std::fs::*"]);
    assert!(
        all["symbols"].as_array().unwrap().iter().any(|s| s["path"] == "std::fs::read_to_string")
    );
    fails(dir.path(), &["refs", "std::fs::read_to"], 1, "no item named `std::fs::read_to`");
    let output = asof(dir.path(), &["refs", "std::fs::read_to"]);
    assert!(err(&output).contains("did you mean std::fs::read_to_string"), "{}", err(&output));
}

#[test]
fn lineage_goes_both_ways_with_the_way_to_each() {
    let dir = indexed();
    let dir = dir.path();
    let callers = json(dir, &["lineage", "crate::store::Store::parse", "--direction", "callers"]);
    assert_eq!(paths(&callers), ["1 demo::load", "2 demo::tests::loads", "2 demo::twice"]);
    assert_eq!(callers["direction"], "callers");
    let way = &callers["items"][2]["route"];
    assert_eq!(way, &serde_json::json!(["demo::store::Store::parse", "demo::load", "demo::twice"]));
    assert_eq!(
        (&callers["items"][2]["file_path"], &callers["items"][2]["line"]),
        (&"src/lib.rs".into(), &9.into())
    );
    assert_eq!(callers["edges"].as_array().unwrap().len(), 3);
    let args = ["lineage", "crate::store::Store::parse", "-d", "callers", "--exclude-tests"];
    assert_eq!(paths(&json(dir, &args)), ["1 demo::load", "2 demo::twice"]);
    let args = ["lineage", "crate::store::Store::parse", "-d", "callers", "--depth", "1"];
    assert_eq!(paths(&json(dir, &args)), ["1 demo::load"]);
    let args = ["lineage", "crate::store::Store::parse", "-d", "callers", "--breadth", "1"];
    let cut = json(dir, &args);
    assert_eq!((paths(&cut).len(), &cut["truncated"]), (2, &true.into()));
    let up = json(dir, &["lineage", "crate::twice", "--direction", "upstream"]);
    assert_eq!(up["direction"], "upstream");
    let reached = paths(&up);
    for path in ["1 demo::load", "1 demo::store::Store", "2 demo::store::Store::parse"] {
        assert!(reached.contains(&path.to_owned()), "{path}: {reached:?}");
    }
    let outside = up["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["item"]["path"] == "std::fs::read_to_string")
        .unwrap();
    assert_eq!((&outside["external"], &outside["file_path"]), (&true.into(), &Json::Null));
    let tree = text(dir, &["lineage", "crate::store::Store::parse", "-d", "callers"]);
    assert!(tree.contains("└─ demo::load") && tree.contains("   ├─ demo::tests::loads"), "{tree}");
}

#[test]
fn lineages_are_drawn() {
    let dir = indexed();
    let draw = |form| {
        let args = ["lineage", "crate::store::Store::parse", "-d", "callers", "--graph", form];
        text(dir.path(), &args)
    };
    let dot = draw("dot");
    assert!(
        dot.starts_with("digraph asof {") && dot.contains("n1 -> n0 [label=\"call\"]"),
        "{dot}"
    );
    let mermaid = draw("mermaid");
    assert!(
        mermaid.starts_with("flowchart LR\n") && mermaid.contains("n1 -->|call| n0"),
        "{mermaid}"
    );
    let svg = draw("svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!((svg.matches("<rect x=").count(), svg.matches("marker-end").count()), (4, 3));
    let refs = text(dir.path(), &["refs", "crate::load", "--graph", "dot"]);
    assert!(refs.contains("demo::twice"), "{refs}");
}

#[test]
fn impact_ranks_who_a_change_would_touch() {
    let dir = indexed();
    let found = json(dir.path(), &["impact", "crate::store::Store::parse"]);
    assert_eq!(paths(&found), ["1 demo::load", "2 demo::twice", "2 demo::tests::loads"]);
    let summary = &found["summary"];
    assert_eq!(
        (&summary["direct"], &summary["transitive"], &summary["in_tests"]),
        (&1.into(), &2.into(), &1.into())
    );
    let scores: Vec<f64> =
        found["items"].as_array().unwrap().iter().map(|i| i["score"].as_f64().unwrap()).collect();
    assert!(scores[0] > scores[1], "{scores:?}");
    assert!(text(dir.path(), &["impact", "crate::store::Store::parse"]).contains("demo::twice"));
}

#[test]
fn uses_are_exported() {
    let dir = indexed();
    let lines = |what: &str| -> Vec<Json> {
        let lines = text(dir.path(), &["export", "--what", what]);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let refs = lines("refs");
    let load = refs.iter().find(|line| line["name"] == "load").unwrap();
    assert_eq!((&load["file"], &load["line"]), (&"src/lib.rs".into(), &4.into()));
    assert_eq!(load["refs"][0], serde_json::json!(["src/lib.rs", 10, 6]));
    let calls = lines("calls");
    let expected = serde_json::json!({"caller": ["src/lib.rs", 9, "twice"], "callee": ["src/lib.rs", 4, "load"]});
    assert!(calls.contains(&expected), "{calls:?}");
}

#[test]
fn the_past_is_asked_as_the_present() {
    let dir = indexed();
    let revision = json(dir.path(), &["status"])["basis"]["revision"].as_str().unwrap().to_owned();
    fs::write(dir.path().join("src/lib.rs"), LIB.replace("(load(path), load(path))", "todo!()"))
        .unwrap();
    assert_eq!(places(&json(dir.path(), &["refs", "crate::load"])), ["src/lib.rs:22:16"]);
    let then = json(dir.path(), &["refs", "crate::load", "--at", &revision, "--snippets"]);
    assert_eq!((places(&then).len(), &then["source"]), (3, &"AS_OF".into()));
    assert!(then["items"][0]["snippet"]["text"].as_str().unwrap().contains("load(path), load"));
}

#[test]
fn no_match_several_and_bad_requests_differ() {
    let dir = indexed();
    let dir = dir.path();
    for command in ["refs", "lineage", "impact"] {
        fails(dir, &[command, "crate::lod"], 1, "did you mean demo::load");
        fails(dir, &[command, "crate::twin"], 3, "means 2 definitions");
        fails(dir, &[command, "a::"], 2, "is not a path");
        fails(dir, &[command, "crate::load", "--kind", "calls"], 2, "unknown kind of use `calls`");
        fails(
            dir,
            &[command, "crate::load", "--min-confidence", "2"],
            2,
            "is not a number from 0 to 1",
        );
        fails(dir, &[command, ".nowhere"], 1, "no use of an unknown `.nowhere`");
        fails(dir, &[command, "nothing::*"], 1, "begins with `nothing::`");
        assert_eq!(code(&asof(dir, &[command, "crate::twin", "--all"])), 0);
        assert_eq!(
            code(&asof(dir, &[command, "crate::load", "--graph", "svg", "--format", "json"])),
            2
        );
        let help = asof(dir, &[command, "--help"]);
        assert!(out(&help).contains("\nExamples"), "{command}");
    }
    fails(dir, &["lineage", "crate::load", "--direction", "up"], 2, "upstream, downstream");
    let nobody = json(dir, &["refs", "crate::store::Store::len"]);
    assert_eq!((nobody["total"].as_u64(), nobody["items"].as_array().unwrap().len()), (Some(0), 0));
}

#[test]
fn an_empty_answer_says_whether_it_is_proven() {
    let dir = indexed();
    let lib = "\
fn alone() {}
fn in_macro() {}
macro_rules! run { ($x:expr) => { $x.in_macro() }; }
pub fn f() { run!(1) }
";
    fs::write(dir.path().join("src/lib.rs"), lib).unwrap();
    fs::remove_file(dir.path().join("src/store.rs")).unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    let json = |args: &[&str]| -> Json { serde_json::from_str(&text(dir.path(), args)).unwrap() };
    for command in ["refs", "impact", "lineage"] {
        let alone = json(&[command, "crate::alone", "--format", "json"]);
        assert_eq!((&alone["total"], &alone["unresolved_uses"]), (&0.into(), &0.into()));
        assert_eq!((&alone["proven"], alone.get("hint")), (&true.into(), None));
        let unsure = json(&[command, "crate::in_macro", "--format", "json"]);
        assert_eq!((&unsure["total"], &unsure["unresolved_uses"]), (&0.into(), &1.into()));
        assert_eq!(unsure["proven"], Json::from(false));
        assert_eq!(unsure["hint"], "`asof refs demo::in_macro --unresolved` lists them");
        let none = asof(dir.path(), &[command, "crate::nowhere"]);
        assert_eq!(code(&none), 1, "{}", err(&none));
    }
    let listed = json(&["refs", "demo::in_macro", "--unresolved", "--format", "json"]);
    let place = &listed["items"][0];
    assert_eq!((&listed["total"], &place["line"]), (&1.into(), &3.into()));
    assert_eq!(
        (&place["use_kind"], &place["item"]["path"]),
        (&"mention".into(), &"demo::run".into())
    );
    let said = err(&asof(dir.path(), &["refs", "crate::alone"]));
    assert!(said.contains("no use in the workspace (proven)"), "{said}");
}

/// Uses of an item that more items use than are looked up one by one.
#[test]
fn an_item_that_very_many_items_use() {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::write(dir.path().join("src/lib.rs"), "pub mod a;\npub mod b;\npub fn shared() {}\n")
        .unwrap();
    for file in ["a", "b"] {
        let user =
            |at| format!("pub fn user_{at}() {{\n    crate::shared();\n    crate::shared();\n}}\n");
        let users: String = (0..300).map(user).collect();
        fs::write(dir.path().join(format!("src/{file}.rs")), users).unwrap();
    }
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    let json = |args: &[&str]| -> Json { serde_json::from_str(&text(dir.path(), args)).unwrap() };
    let all = json(&["refs", "demo::shared", "--limit", "0", "--format", "json"]);
    let places = all["items"].as_array().unwrap();
    assert_eq!((places.len(), &all["files"]), (1200, &2.into()));
    for (at, place) in places.iter().enumerate() {
        let (file, line) = (["src/a.rs", "src/b.rs"][at / 600], at % 600 / 2 * 4 + 2 + at % 2);
        let user = format!("demo::{}::user_{}", ["a", "b"][at / 600], at % 600 / 2);
        let found = (&place["file_path"], &place["line"], &place["column"], &place["item"]["path"]);
        assert_eq!(found, (&file.into(), &line.into(), &12.into(), &user.into()));
    }
    let some = json(&["refs", "demo::shared", "--limit", "7", "--format", "json"]);
    assert_eq!(some["items"].as_array().unwrap()[..], places[..7]);
    for field in ["total", "files", "proven"] {
        assert_eq!(some[field], all[field], "{field}");
    }
    assert_eq!(some["truncated"], true);
    let callers = json(&["callers", "demo::shared", "--limit", "3", "--format", "json"]);
    assert_eq!((&callers["total"], &callers["truncated"]), (&600.into(), &true.into()));
    assert!(callers["items"][2]["site"]["line"].is_u64(), "{callers}");
}

/// A trait with an implementation, called through either; an example and a benchmark.
fn implemented() -> TempDir {
    let dir = tempdir();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write(
        "src/lib.rs",
        "pub trait Sink {\n    fn begin(&self) -> bool;\n    fn end(&self) {}\n}\npub struct A;\n\
         impl Sink for A {\n    fn begin(&self) -> bool { true }\n}\n\
         pub fn through(s: &dyn Sink) { s.begin(); }\n\
         pub fn direct() {\n    A.begin();\n    A.end();\n    A.begin();\n}\n",
    );
    write("examples/shown.rs", "fn main() {\n    demo::direct();\n}\n");
    write("benches/timed.rs", "fn main() {\n    demo::direct();\n}\n");
    write("tests/tried.rs", "#[test]\nfn tried() {\n    demo::direct();\n}\n");
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    dir
}

#[test]
fn uses_of_a_traits_method_say_that_its_implementations_have_others() {
    let dir = implemented();
    let dir = dir.path();
    let found = json(dir, &["refs", "Sink::begin"]);
    assert_eq!(places(&found), ["src/lib.rs:7:5", "src/lib.rs:9:34"]);
    assert_eq!((&found["implementation_uses"], &found["proven"]), (&2.into(), &false.into()));
    let output = asof(dir, &["refs", "Sink::begin"]);
    let says = "2 uses in 1 file; 2 uses of implementations left out (`--implementations` lists \
                them)";
    assert!(err(&output).contains(says), "{}", err(&output));
    let all = json(dir, &["refs", "Sink::begin", "--implementations"]);
    let expected = ["src/lib.rs:7:5", "src/lib.rs:9:34", "src/lib.rs:11:7", "src/lib.rs:13:7"];
    assert_eq!(places(&all), expected);
    assert_eq!(all["implementation_uses"], Json::Null);
    // Calls, with those of the implementation only on request.
    let callers = json(dir, &["callers", "Sink::begin"]);
    assert_eq!(paths(&callers), ["1 demo::through"]);
    assert_eq!(callers["implementation_uses"], 2);
    let callers = json(dir, &["callers", "Sink::begin", "--implementations"]);
    assert_eq!(paths(&callers), ["1 demo::direct", "1 demo::through"]);
    // A method that nothing implements anew has no such uses.
    assert_eq!(json(dir, &["refs", "Sink::end"])["implementation_uses"], Json::Null);
    // One that only its implementation is called by is not unused.
    let lib = fs::read_to_string(dir.join("src/lib.rs")).unwrap();
    fs::write(dir.join("src/lib.rs"), lib.replace("s.begin();", "")).unwrap();
    let found = json(dir, &["callers", "Sink::begin"]);
    assert_eq!((&found["total"], &found["proven"]), (&0.into(), &false.into()));
    assert_eq!(found["implementation_uses"], 2, "{found}");
}

#[test]
fn callers_have_every_line_of_their_calls() {
    let dir = implemented();
    let dir = dir.path();
    let printed = text(dir, &["callers", "<crate::A as Sink>::begin"]);
    assert!(printed.contains("demo::direct  src/lib.rs:11,13"), "{printed}");
    let found = json(dir, &["callers", "<crate::A as Sink>::begin", "--snippets"]);
    let call = &found["items"][0];
    assert_eq!((&call["site"]["line"], &call["more_sites"][0]["line"]), (&11.into(), &13.into()));
    assert!(call["more_sites"][0]["snippet"]["text"].as_str().unwrap().contains("A.begin();"));
    let printed = text(dir, &["callers", "<crate::A as Sink>::begin", "--snippets"]);
    assert!(printed.contains("   11 │     A.begin();"), "{printed}");
    assert!(printed.contains("   14 │"), "{printed}");
    let callees = json(dir, &["callees", "crate::direct"]);
    let lines = |at: usize| callees["items"][at]["more_sites"].as_array().map(Vec::len);
    assert_eq!([lines(0), lines(1)].iter().flatten().sum::<usize>(), 1, "{callees}");
}

#[test]
fn examples_and_benchmarks_are_no_tests() {
    let dir = implemented();
    let dir = dir.path();
    let places = |args: &[&str]| places(&json(dir, args));
    let all = ["benches/timed.rs:2:11", "examples/shown.rs:2:11", "tests/tried.rs:3:11"];
    assert_eq!(places(&["refs", "crate::direct"]), all);
    assert_eq!(places(&["refs", "crate::direct", "--exclude-tests"]), all[..2]);
    let callers = json(dir, &["callers", "crate::direct", "--exclude-tests"]);
    assert_eq!(callers["total"], 2);
    let searched = |query: &str| {
        let found = json(dir, &["search", query, "--exclude-tests"]);
        let files = found["results"].as_array().unwrap().iter();
        files.map(|one| one["file_path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(searched("main"), ["benches/timed.rs", "examples/shown.rs"]);
    assert!(searched("tried").is_empty());
    let lines = json(dir, &["search", "--literal", "direct()", "--exclude-tests"]).to_string();
    assert!(lines.contains("examples/shown.rs") && lines.contains("benches/timed.rs"), "{lines}");
    assert!(!lines.contains("tests/tried.rs"), "{lines}");
}

/// A workspace of one file.
fn written(text: &str) -> TempDir {
    let dir = tempdir();
    fs::write(dir.path().join("lib.rs"), text).unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    dir
}

#[test]
fn names_of_std_are_found_by_every_public_path() {
    let dir = written(
        "use std::collections::{HashMap, hash_map};\nuse std::fmt;\n\
         pub fn f(a: HashMap<u8, u8>, b: hash_map::HashMap<u8, u8>) -> fmt::Result { Ok(()) }\n\
         pub fn g() -> HashMap<u8, u8> { HashMap::new() }\n",
    );
    let total = |path: &str| json(dir.path(), &["refs", path])["total"].clone();
    let all = total("std::collections::hash_map::HashMap");
    assert!(all.as_u64().unwrap() >= 4, "{all}");
    assert_eq!(total("std::collections::HashMap"), all);
    assert_eq!(total("::std::collections::HashMap"), all);
    assert_eq!(total("std::collections::HashMap::new"), 1);
    assert_eq!(total("core::fmt::Result"), total("std::fmt::Result"));
    let shown = out(&asof(dir.path(), &["refs", "std::collections::hash_map::HashMap"]));
    assert!(shown.starts_with("external std::collections::HashMap\n"), "{shown}");
    let hint = "items of the standard library are not indexed; uses of them are";
    fails(dir.path(), &["resolve", "std::collections::HashMap"], 1, hint);
    fails(dir.path(), &["refs", "std::collections::BTreeMap"], 1, "std::collections::BTreeMap");
}

#[test]
fn callers_include_the_item_itself_and_say_what_a_trait_may_call() {
    let dir = written(
        "pub trait Visit { fn visit(&self, n: u32) -> u32; }\npub struct A;\n\
         impl Visit for A { fn visit(&self, n: u32) -> u32 { n } }\n\
         pub fn fact(n: u32) -> u32 { if n == 0 { 1 } else { n * fact(n - 1) } }\n\
         pub fn drive(v: &dyn Visit) -> u32 { v.visit(1) + fact(2) }\n\
         pub fn direct(a: &A) -> u32 { a.visit(2) }\n\
         pub fn generic<V: Visit>(v: &V) -> u32 { v.visit(3) }\n",
    );
    let dir = dir.path();
    let callers = |path: &str| {
        let found = json(dir, &["callers", path]);
        let items = found["items"].as_array().unwrap().iter();
        items.map(|one| one["item"]["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(callers("lib::fact"), ["lib::drive", "lib::fact"]);
    assert!(text(dir, &["callers", "lib::fact"]).contains("lib::fact  lib.rs:4  recursive"));
    let callees = json(dir, &["callees", "lib::fact"]);
    assert_eq!(
        (&callees["items"][0]["item"]["path"], &callees["total"]),
        (&"lib::fact".into(), &1.into())
    );
    let method = "<lib::A as lib::Visit>::visit";
    assert_eq!(callers(method), ["lib::direct"]);
    let found = json(dir, &["callers", method]);
    assert_eq!(found["proven"], false);
    let says = err(&asof(dir, &["callers", method]));
    assert!(
        says.contains("2 calls of `lib::Visit::visit`, by `dyn` or a type parameter"),
        "{says}"
    );
}

#[test]
fn a_name_alone_is_a_crate_only_if_nothing_else_has_it() {
    let dir = indexed();
    let dir = dir.path();
    fs::create_dir(dir.join("benches")).unwrap();
    fs::write(dir.join("benches/load.rs"), "fn main() { demo::load(\"x\"); run() }\nfn run() {}\n")
        .unwrap();
    let refused = asof(dir, &["refs", "load"]);
    assert_eq!(code(&refused), 3);
    assert!(err(&refused).contains("`load` means 2 definitions"), "{}", err(&refused));
    assert!(err(&refused).contains("function demo::load") && err(&refused).contains("module load"));
    assert_eq!(
        json(dir, &["refs", "load", "--item-kind", "function"])["symbol"]["path"],
        "demo::load"
    );
    assert_eq!(json(dir, &["refs", "load", "--item-kind", "module"])["symbol"]["path"], "load");
    fails(dir, &["resolve", "load"], 3, "means 2 definitions");
    // A longer path begins at the crate, and no other item is called `demo`.
    assert_eq!(json(dir, &["refs", "load::run"])["symbol"]["path"], "load::run");
    assert_eq!(json(dir, &["refs", "demo"])["symbol"]["kind"], "module");
    let asked = ["verify", "--query", "callers of load", "--answer", "twice, loads, main"];
    assert_eq!(json(dir, &asked)["verdict"], "UnorderedMatch");
}

const DOCUMENTED: &str = "\
//! ```
//! assert_eq!(demo::helper(), 1);
//! ```
#![doc = include_str!(\"../README.md\")]

pub fn helper() -> u8 {
    1
}
/// See [`shown`].
pub fn linked() {}
pub fn shown() {}
pub fn listed() {}
/// ```
/// helper();
/// inner();
/// ```
fn inner() {}
/// Makes one.
///
/// ```
/// use demo::Maker;
/// let made = Maker.make();
/// ```
pub struct Maker;
impl Maker {
    pub fn make(&self) {}
    fn hidden(&self) {}
}
";

#[test]
fn examples_in_documentation_leave_a_doubt_and_links_do_not() {
    let dir = tempdir();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("src/lib.rs"), DOCUMENTED).unwrap();
    let readme = "# Demo\n\n```\ndemo::listed();\n```\n";
    fs::write(dir.path().join("README.md"), readme).unwrap();
    text(dir.path(), &["index"]);
    let dir = dir.path();
    let proven = "no use in the workspace (proven)";
    let doubt = "no use in code (proven); examples in documentation may use it: ";
    for (item, says) in [
        ("helper", format!("{doubt}src/lib.rs:2")),
        ("listed", format!("{doubt}README.md:4")),
        ("Maker::make", format!("{doubt}src/lib.rs:22")),
        ("shown", proven.to_owned()),
        ("inner", proven.to_owned()),
        ("Maker::hidden", proven.to_owned()),
    ] {
        for question in ["refs", "callers", "impact"] {
            let said = asof(dir, &[question, item]);
            assert!(err(&said).contains(&says), "{question} {item}: {}", err(&said));
        }
    }
    let found = json(dir, &["refs", "helper"]);
    assert_eq!(found["proven"], false);
    assert_eq!(found["caveat"]["examples"], serde_json::json!(["src/lib.rs:2"]));
    let found = json(dir, &["verify", "--query", "is helper unused?", "--answer", "yes"]);
    assert!(found.to_string().contains("src/lib.rs:2"), "{found}");
}

const PARTS: &str = "\
pub struct S {
    x: u8,
}
impl S {
    pub fn make() -> Self {
        Self { x: 1 }
    }
    pub fn get(&self) -> u8 {
        self.x
    }
    pub fn name() -> &'static str {
        \"s\"
    }
}
pub fn user() -> u8 {
    S::make().get()
}
pub fn namer() -> &'static str {
    S::name()
}
pub fn beside() {}
pub struct Other;
impl Other {
    pub fn name() {}
}
pub fn other() {
    Other::name()
}
pub enum E {
    A,
}
pub fn first() -> bool {
    matches!(start(), E::A)
}
fn start() -> impl Sized {}
pub trait T {
    fn t(&self) {}
}
pub fn by_trait(one: &S) {
    one.t()
}
impl T for S {}
";

#[test]
fn a_change_of_an_item_is_one_of_what_is_in_it_and_in_its_impls() {
    let dir = tempdir();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("src/lib.rs"), PARTS).unwrap();
    text(dir.path(), &["index"]);
    let dir = dir.path();
    let found = json(dir, &["impact", "demo::S"]);
    let mut affected = paths(&found);
    affected.sort();
    assert_eq!(
        affected,
        [
            "1 <demo::S as T>", "1 <demo::S>", "1 demo::S::get", "1 demo::S::make",
            "1 demo::by_trait", "2 demo::S::name", "2 demo::user", "3 demo::namer",
        ]
    );
    // One item was asked about.
    assert_eq!(found["symbols"].as_array().unwrap().len(), 1);
    let of_get = &found["items"].as_array().unwrap().iter();
    let get = of_get.clone().find(|item| item["item"]["path"] == "demo::S::get").unwrap();
    assert_eq!((&get["use_kind"], &get["via"]), (&"field".into(), &found["symbol"]["id"]));
    assert_eq!(get["route"], serde_json::json!(["demo::S", "demo::S::get"]));
    assert!(paths(&json(dir, &["impact", "demo::T"])).contains(&"1 demo::by_trait".to_owned()));
    assert!(paths(&json(dir, &["impact", "demo::E"])).contains(&"1 demo::first".to_owned()));
    // What depends on it, without what is in it.
    assert!(!paths(&json(dir, &["lineage", "demo::S"])).contains(&"1 demo::S::get".to_owned()));
}
