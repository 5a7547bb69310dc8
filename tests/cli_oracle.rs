//! `verify`, `ast-query` and `trace`, through the binary: verdicts, what they rest on, bad input.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;
use std::path::Path;

use cli::{asof, code, err, fails, json, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const LIB: &str = "\
pub trait Shape { fn area(&self) -> f64; }

#[derive(Debug, Clone)]
pub struct Square { pub side: f64, name: String }

pub enum Colour { Red, Green(u8), Blue { depth: u8 } }

impl Shape for Square {
    fn area(&self) -> f64 { self.side * self.side }
}

impl Square {
    pub fn new(side: f64, name: &str) -> Self { Square { side, name: name.to_owned() } }
    fn grow(&mut self, by: f64) { self.side = scaled(self.side, by) }
}

fn scaled(x: f64, by: f64) -> f64 { x * by }

pub fn total(all: &[Square]) -> f64 { all.iter().map(|s| s.area()).sum() }

pub fn start() -> Square {
    let mut one = Square::new(scaled(1.0, 2.0), \"one\");
    one.grow(2.0);
    one
}

fn idle() {}

macro_rules! make { ($n:ident) => { fn $n() { mentioned(); } } }
fn mentioned() {}
";

fn indexed() -> TempDir {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
    text(dir.path(), &["index"]);
    dir
}

fn verify(dir: &Path, query: &str, answer: &str) -> Json {
    json(dir, &["verify", "--query", query, "--answer", answer])
}

/// The name of the verdict.
#[track_caller]
fn check(dir: &Path, query: &str, answer: &str, expected: &str) -> Json {
    let found = verify(dir, query, answer);
    let verdict = match &found["verdict"] {
        Json::String(name) => name.clone(),
        Json::Object(fields) => fields.keys().next().unwrap().clone(),
        other => panic!("{other}"),
    };
    assert_eq!(verdict, expected, "{query} / {answer}: {found}");
    found
}

#[test]
fn claims_about_declarations() {
    let dir = indexed();
    let dir = dir.path();
    check(dir, "signature of `scaled`", "fn scaled(x: f64, by: f64) -> f64", "ExactMatch");
    check(dir, "signature of Square::new", "`fn new(side:f64,name:&str)->Self`", "ExactMatch");
    check(dir, "signature of scaled", "fn scaled(x: f32, by: f64) -> f64", "Mismatch");
    check(dir, "signature of scaled", "pub fn scaled(x: f64, by: f64) -> f64", "Mismatch");
    check(dir, "What parameters does scaled take?", "by, x", "UnorderedMatch");
    check(dir, "parameters of Square::new", "side: f64, name: &str", "ExactMatch");
    check(dir, "parameters of Square::new", "side: f64", "HasFalseNegatives");
    check(dir, "What does total return?", "f64", "ExactMatch");
    check(dir, "return type of idle", "()", "ExactMatch");
    check(dir, "return type of idle", "bool", "Mismatch");
    check(dir, "fields of struct Square", "- `side: f64`\n- `name`", "ExactMatch");
    check(dir, "fields of Square", "side, width", "Mismatch");
    check(dir, "how many fields does Square have?", "2", "ExactMatch");
    check(dir, "how many fields does Square have?", "There are 3 fields.", "Mismatch");
    check(dir, "variants of Colour", "Red, Green, Blue", "ExactMatch");
    check(dir, "variants of Colour", "Red, Green, Blue, Black", "HasFalsePositives");
    check(dir, "methods of Square", "new and grow", "ExactMatch");
    check(dir, "methods of Square", "new, grow, area", "ExactMatch");
    check(dir, "where is Square defined?", "src/lib.rs:4", "ExactMatch");
    check(dir, "list all enums in the workspace", "Colour", "ExactMatch");
    check(dir, "list all structs in src/lib.rs", "Square, Circle", "HasFalsePositives");
}

#[test]
fn claims_about_relations() {
    let dir = indexed();
    let dir = dir.path();
    check(dir, "who calls scaled?", "`demo::start` and `Square::grow`", "UnorderedMatch");
    check(dir, "who calls scaled?", "start", "HasFalseNegatives");
    check(dir, "who calls scaled?", "start, Square::grow, total", "HasFalsePositives");
    check(dir, "what does Square::grow call?", "scaled", "ExactMatch");
    check(dir, "does start call scaled?", "Yes.", "ExactMatch");
    check(dir, "does idle call scaled?", "yes", "Mismatch");
    check(dir, "which types implement Shape?", "Square", "ExactMatch");
    check(dir, "does Square implement Shape?", "yes", "ExactMatch");
    check(dir, "does Colour implement Shape?", "yes", "Mismatch");
    check(dir, "what traits does Square implement", "Shape, Debug, Clone", "UnorderedMatch");
    check(dir, "is scaled used?", "yes", "ExactMatch");
    check(dir, "is idle used?", "yes", "Mismatch");
    check(dir, "is idle dead code?", "Yes, nothing calls it", "ExactMatch");
    check(dir, "is scaled public?", "no", "ExactMatch");
    check(dir, "is total public?", "yes", "ExactMatch");
}

#[test]
fn what_is_not_sure_is_not_refuted() {
    let dir = indexed();
    let dir = dir.path();
    let found = check(dir, "is mentioned used?", "yes", "CannotVerify");
    assert!(found["verdict"]["CannotVerify"]["reason"].as_str().unwrap().contains("uncertain"));
    check(dir, "who calls mentioned?", "something", "CannotVerify");
    check(dir, "does Colour implement Send?", "yes", "CannotVerify");
    // A macro may call `mentioned`.
    check(dir, "does Square implement std::hash::Hash?", "yes", "Mismatch");
    check(dir, "who calls mentioned?", "nobody", "CannotVerify");
    check(dir, "who calls idle?", "nobody", "ExactMatch");
    check(dir, "Explain scaled", "It scales.", "CannotVerify");
    check(dir, "signature of nothing_like_it", "fn nothing_like_it()", "CannotVerify");
    check(dir, "who calls scaled?", "It is called from the start of the program", "CannotVerify");
}

#[test]
fn claims_about_text() {
    let dir = indexed();
    let dir = dir.path();
    let query = "find all lines containing \"f64, by\" in src/lib.rs";
    check(dir, query, "17:fn scaled(x: f64, by: f64) -> f64 { x * by }", "ExactMatch");
    check(dir, query, "src/lib.rs:17: fn scaled(x: f64, by: f64) -> f64 { x * by }", "ExactMatch");
    check(dir, query, "1. `fn scaled(x: f64, by: f64) -> f64 { x * by }`", "ExactMatch");
    check(dir, query, "17:fn scaled(x:  f64, by: f64) -> f64 { x * by }", "Mismatch");
    check(dir, query, "f64, by", "Mismatch");
    check(dir, "count \"scaled\"", "3", "ExactMatch");
    check(dir, "how many lines in src/lib.rs contain \"scaled\"?", "4", "Mismatch");
    // Files of other languages may contain it, too.
    check(dir, "how many lines contain \"scaled\"?", "4", "CannotVerify");
    check(dir, "how many lines contain \"scaled\"?", "2", "Mismatch");
    check(dir, "find all \"scaled\"", "Cargo.toml:3: scaled", "CannotVerify");
    check(dir, "find all `no such text`", "none", "ExactMatch");
    check(dir, "search for the regex `(`", "1", "CannotVerify");
}

#[test]
fn answers_have_many_forms() {
    let dir = indexed();
    let dir = dir.path();
    let fields = "What are the fields of the struct `Square`?";
    for answer in [
        "[\"side: f64\", \"name: String\"]",
        "| Field | Type |\n|---|---|\n| `side` | `f64` |\n| `name` | `String` |",
        "`Square` has two fields: `side` and `name`.",
        "The fields are:\n\n- `side`: `f64` - its length\n- `name`: `String`",
        "side (f64), name (String)",
    ] {
        check(dir, fields, answer, "ExactMatch");
    }
    check(dir, fields, "- `side`: `f32`\n- `name`: `String`", "Mismatch");
    check(dir, fields, "`side` and `name`, both of type `f64`", "CannotVerify");
    check(dir, "how many fields does Square have?", "It has two fields.", "ExactMatch");
    check(dir, "what type is the field side of Square?", "f64", "ExactMatch");
    check(dir, "What does Square::new return?", "It returns `Square`.", "ExactMatch");
    check(dir, "What does Square::new return?", "It returns Colour.", "Mismatch");
    check(dir, "parameters of Square::grow", "by: f64", "ExactMatch");
    check(dir, "where is Square defined?", "In `src/lib.rs` at line 4", "ExactMatch");
    check(dir, "where is Square defined?", "In `src/lib.rs` at line 40", "Mismatch");
    check(dir, "is scaled used?", "It is used in `start`.", "ExactMatch");
    check(dir, "is scaled used?", "`scaled` is never called.", "Mismatch");
    check(dir, "is scaled used?", "No idea", "CannotVerify");
    check(dir, "who calls scaled?", "`start`, `Square::grow`, but not `total`", "CannotVerify");
    check(dir, "who calls scaled?", "`start` in `src/lib.rs` and `Square::grow`", "UnorderedMatch");
    let query = "find all lines containing \"f64, by\" in src/lib.rs";
    let line = "fn scaled(x: f64, by: f64) -> f64 { x * by }";
    check(dir, query, &format!("[{{\"line\": 17, \"text\": \"{line}\"}}]"), "ExactMatch");
    check(dir, query, "It is on line 17.", "ExactMatch");
    check(dir, query, "src/lib.rs:17:13", "ExactMatch");
    check(dir, query, "There is one in the function that scales", "CannotVerify");
}

#[test]
fn questions_name_places_and_members() {
    let dir = indexed();
    let dir = dir.path();
    check(dir, "In src/lib.rs, who calls scaled?", "start, Square::grow", "UnorderedMatch");
    check(dir, "signature of `grow` in Colour", "fn grow(&mut self, by: f64)", "CannotVerify");
    check(
        dir,
        "signature of the method `grow` of Square",
        "fn grow(&mut self, by: f64)",
        "ExactMatch",
    );
    check(dir, "find `f64` in `total`", "19", "ExactMatch");
    check(dir, "Does Square have a field named `name`?", "yes", "ExactMatch");
    check(dir, "Does Square have a field named `width`?", "yes", "Mismatch");
    check(dir, "is Shape a trait?", "yes", "ExactMatch");
    check(dir, "is `start` async?", "yes", "Mismatch");
    check(dir, "does total return a u8?", "yes", "CannotVerify");
    // Functions without `self` are methods to some.
    check(dir, "methods of Square", "grow", "ExactMatch");
    check(dir, "what are the associated functions of Square?", "new", "ExactMatch");
    check(dir, "how many methods does Square have?", "1", "ExactMatch");
    check(dir, "which types implement Debug?", "Square", "ExactMatch");
    check(dir, "which types implement Hash?", "Square", "CannotVerify");
    check(dir, "find all \"f64\" but not in comments", "17", "CannotVerify");
}

const KINDS: &str = "\
use std::fmt;
mod parts;
mod other { pub struct Far; }
pub trait Handle { fn handle(&self); }
pub trait Apart {}
pub struct Plain;
#[derive(Clone)]
pub struct Ready;
impl crate::Handle for Ready { fn handle(&self) {} }
impl<F: Fn()> Handle for F { fn handle(&self) { self() } }
impl Apart for Ready {}
impl Apart for parts::Piece {}
impl fmt::Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(\"\") }
}
pub fn run(ready: &Ready) { ready.handle(); parts::turn(); }
macro_rules! made { ($name:ident) => { pub fn $name() {} } }
pub mod by_macro { made!(get); pub fn on() {} }
pub use Plain as Again;
fn demo() { parts::turn() }
";

const EXPORTS: &str = "Handle, Apart, Plain, Again, Ready, run, by_macro";

const PARTS: &str = "pub struct Piece;\npub fn turn() { turn_more() }\nfn turn_more() {}\n";

#[test]
fn names_macros_and_places_are_followed() {
    let dir = indexed();
    let dir = dir.path();
    fs::write(dir.join("src/lib.rs"), KINDS).unwrap();
    fs::write(dir.join("src/parts.rs"), PARTS).unwrap();
    text(dir, &["index"]);
    // The trait, by whatever path the impl names it.
    check(dir, "does Ready implement demo::Handle?", "yes", "ExactMatch");
    check(dir, "does Ready implement std::fmt::Display?", "yes", "ExactMatch");
    check(dir, "does demo::Ready implement core::fmt::Display?", "yes", "ExactMatch");
    check(dir, "does Ready implement std::clone::Clone?", "yes", "ExactMatch");
    check(dir, "does Plain implement demo::Apart?", "yes", "Mismatch");
    check(dir, "does Plain implement demo::Handle?", "no", "CannotVerify");
    // A generic impl is for types that no list names.
    check(dir, "which types implement Handle?", "Ready", "CannotVerify");
    check(dir, "which types implement Handle?", "F, Ready", "ExactMatch");
    check(dir, "which types implement Handle?", "F", "HasFalseNegatives");
    check(dir, "which types implement Apart in src/parts.rs?", "Piece, Ready", "UnorderedMatch");
    check(dir, "does run call Handle::handle?", "yes", "CannotVerify");
    check(dir, "what does run call?", "Handle::handle, turn", "CannotVerify");
    // What macros of the workspace define is known.
    let functions = "list all functions in module by_macro";
    check(dir, functions, "on", "HasFalseNegatives");
    check(dir, functions, "get, on", "ExactMatch");
    check(dir, functions, "get", "HasFalseNegatives");
    check(dir, "list all structs in module by_macro", "Get", "HasFalsePositives");
    check(dir, "how many functions are in the module parts?", "2", "ExactMatch");
    check(dir, "how many functions are in src/parts.rs?", "3", "Mismatch");
    // Uses in a file.
    check(dir, "is turn used in src/lib.rs?", "yes", "ExactMatch");
    check(dir, "is turn used in src/parts.rs?", "no", "CannotVerify");
    check(dir, "is turn_more used in src/lib.rs?", "yes", "Mismatch");
    check(dir, "is turn_more used in src/parts.rs?", "yes", "ExactMatch");
    // An item is exported by each of its names.
    check(dir, "what does demo export?", EXPORTS, "UnorderedMatch");
    check(dir, "what does demo export?", &EXPORTS.replace(", Again", ""), "HasFalseNegatives");
    check(dir, "what does demo call?", "turn", "ExactMatch");
    check(dir, "signature of demo", "fn demo()", "ExactMatch");
    check(dir, "is `demo` a function?", "yes", "CannotVerify");
    check(dir, "what does by_macro export?", "get, on", "ExactMatch");
    // Modules are declared where their `mod` is.
    check(dir, "list all modules in src/lib.rs", "parts, other, by_macro", "UnorderedMatch");
    check(dir, "what modules are in src/lib.rs?", "parts, other", "HasFalseNegatives");
    check(dir, "how many structs are in the workspace?", "4", "ExactMatch");
}

#[test]
fn a_refuted_answer_says_until_when_it_was_true() {
    let dir = indexed();
    let dir = dir.path();
    let old = "fn scaled(x: f64, by: f64) -> f64";
    let new = LIB.replace(old, "fn scaled(x: f64, by: f32) -> f64");
    fs::write(dir.join("src/lib.rs"), new.replace("fn idle() {}\n", "")).unwrap();
    text(dir, &["index"]);
    let found = check(dir, "signature of scaled", old, "Mismatch");
    let detail = found["detail"].as_str().unwrap();
    assert!(detail.starts_with("was true until revision "), "{detail}");
    let found = check(dir, "signature of idle", "fn idle()", "CannotVerify");
    assert!(found["detail"].as_str().unwrap().starts_with("was true until"), "{found}");
    let found = check(dir, "signature of scaled", "fn scaled()", "Mismatch");
    assert!(found.get("detail").is_none(), "{found}");
    let log = json(dir, &["log"]);
    let newest = log["items"][0]["revision"].as_str().unwrap();
    check(dir, "when did scaled last change?", newest, "ExactMatch");
    check(dir, "when did scaled last change?", "1999-01-01", "Mismatch");
    let first = log["items"][1]["at"].as_str().unwrap();
    check(
        dir,
        &format!(
            "signature of scaled at revision {}",
            log["items"][1]["revision"].as_str().unwrap()
        ),
        old,
        "ExactMatch",
    );
    assert!(first.len() > 10);
}

#[test]
fn batches_keep_every_trace() {
    let dir = indexed();
    let dir = dir.path();
    let traces = "\
{\"query\": \"return type of total\", \"answer\": \"f64\", \"trace_id\": \"t1\", \"iterations\": 2}
not json
{\"query\": \"return type of total\", \"answer\": \"u8\"}

{\"query\": 3, \"answer\": \"\"}
{\"query\": \"why is it so?\", \"answer\": \"because\"}
";
    fs::write(dir.join("traces.jsonl"), traces).unwrap();
    let found = json(
        dir,
        &["verify", "--batch", "traces.jsonl", "--out", "golden.jsonl", "--failed", "failed.jsonl"],
    );
    assert_eq!(
        (&found["total"], &found["golden"], &found["malformed"]),
        (&3.into(), &1.into(), &2.into())
    );
    assert_eq!(found["malformed_lines"][0]["line"], 2);
    assert_eq!(found["by_verdict"]["CannotVerify"], 1);
    let golden = fs::read_to_string(dir.join("golden.jsonl")).unwrap();
    let golden: Json = serde_json::from_str(golden.trim()).unwrap();
    assert_eq!((&golden["trace_id"], &golden["iterations"]), (&"t1".into(), &2.into()));
    assert_eq!(golden["verdict"], "ExactMatch");
    let failed = fs::read_to_string(dir.join("failed.jsonl")).unwrap();
    assert_eq!(failed.lines().count(), 2);
}

#[test]
fn bad_claims_are_refused() {
    let dir = indexed();
    let dir = dir.path();
    fails(dir, &["verify", "--query", " ", "--answer", "x"], 2, "the question is empty");
    fails(dir, &["verify", "--batch", "missing.jsonl"], 5, "missing.jsonl");
    fails(dir, &["verify", "--query", "count \"x\"", "--answer", "1", "--file", "["], 2, "glob");
    let refuted =
        asof(dir, &["verify", "--query", "is idle used?", "--answer", "yes", "--exit-code"]);
    assert_eq!(code(&refuted), 1, "{}", err(&refuted));
    let long = "x".repeat(100_000);
    check(dir, &long, "y", "CannotVerify");
}

#[test]
fn syntax_queries_capture_nodes() {
    let dir = indexed();
    let dir = dir.path();
    let found = json(
        dir,
        &["ast-query", "(function_item name: (identifier) @name)", "--path", "demo::Square::new"],
    );
    assert_eq!(found["items"][0]["captures"][0]["text"], "new");
    let found = json(dir, &["ast-query", "structs"]);
    assert_eq!(found["total"], 2, "{found}");
    let shown = text(dir, &["ast-query", "enums", "--file", "lib.rs"]);
    assert!(shown.contains("src/lib.rs:6:19  @variant  Red"), "{shown}");
    fails(dir, &["ast-query", "(function_item nam: (identifier))"], 2, "line 1, column 16");
    fails(dir, &["ast-query", "nonsense"], 1, "no query named `nonsense`");
    fails(dir, &["ast-query", "structs", "--file", "gone.rs"], 1, "gone.rs");
    fails(dir, &["ast-query", &"(".repeat(10_000)], 2, "nested");
}

#[test]
fn a_trace_is_a_table() {
    let dir = tempdir();
    let events = "{\"kind\": \"system_prompt\", \"tokens\": 500}\n{\"kind\": \"tool_result\", \"tokens\": 1500, \"iteration\": 1}\n";
    fs::write(dir.path().join("t.jsonl"), events).unwrap();
    let shown = text(dir.path(), &["trace", "t.jsonl", "--budget", "1000"]);
    assert!(shown.contains("150 %") && shown.contains("tool_result 1500"), "{shown}");
    let found = json(dir.path(), &["trace", "t.jsonl"]);
    assert_eq!(found["tokens"], 2000);
    fs::write(dir.path().join("bad"), "{}\n{\"kind\": 1}").unwrap();
    let one = "{\"kind\": \"tool_call\", \"tokens\": 12}";
    fs::write(dir.path().join("one.jsonl"), one).unwrap();
    assert_eq!(json(dir.path(), &["trace", "one.jsonl"])["events"], 1);
    fails(dir.path(), &["trace", "bad"], 2, "not a trace: line 1");
}

#[test]
fn claims_about_a_renamed_item_name_its_new_path() {
    let dir = indexed();
    let dir = dir.path();
    let lib = fs::read_to_string(dir.join("src/lib.rs")).unwrap();
    fs::write(dir.join("src/lib.rs"), lib.replace("scaled", "stretched")).unwrap();
    let found =
        check(dir, "signature of `scaled`", "fn scaled(x: f64, by: f64) -> f64", "CannotVerify");
    let reason = found["verdict"]["CannotVerify"]["reason"].as_str().unwrap();
    assert!(reason.contains("no item named `scaled`; it is `demo::stretched` now"), "{reason}");
    let found = check(dir, "signature of `never`", "fn never()", "CannotVerify");
    let reason = found["verdict"]["CannotVerify"]["reason"].as_str().unwrap();
    assert!(!reason.contains(" now"), "{reason}");
}
