//! Every program answers the questions of `expected.txt` with the rows that are listed there.
//!
//! A section is `## program {parameters}` and the rows as JSON, one per line. `@key` is the id of
//! an item of the fixture. `ASOF_BLESS=1 cargo test --lib every_program_answers` writes the rows
//! anew; read the difference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::fixture::{AT, id, two_crates};
use super::history::{node, revision};
use crate::Library;
use asof_item_tracking::MATCH_RULES_VERSION;
use asof_model::{Micros, Namespace, NodeId, RawHash, RevisionId, TextHash, TrackingHash};
use asof_store::{Batch, Limits, Relation, Store, Value};

const LATER: Micros = Micros(2_000);
const LAST: Micros = Micros(3_000);

/// Programs that the facts here give no row: no item of them uses a field or type, calls `include!` or
/// implements an item of a trait. `tests/cli_context_example.rs`, `tests/cli_api_diff.rs`,
/// `tests/cli_unused.rs` and `tests/cli_reach.rs` show what they answer.
const SHOWN_ELSEWHERE: [&str; 4] =
    ["context/values", "inspect/named_types", "reach/overrides", "unused/including"];

const EXPECTED: &str = include_str!("expected.txt");

/// Keys of the items that rows may name.
const KEYS: &[&str] = &[
    "a",
    "a::Show",
    "a::caller",
    "a::first",
    "a::idle",
    "a::inner",
    "a::inner::Color",
    "a::inner::Color::Red",
    "a::inner::shared",
    "a::make",
    "a::ring",
    "a::ring::shared",
    "a::second",
    "a::shape",
    "a::shape::Round",
    "a::shape::Round::area",
    "a::shape::Round::area/scale",
    "a::shape::Round::area/self",
    "a::shape::Round::radius",
    "a::third",
    "<a::shape::Round>",
    "<a::shape::Round as Show>",
    "<a::shape::Round as Show>::show",
    "attr",
    "b",
    "b::own",
];

/// The facts of [`two_crates`] with uses, and at least one row of every other relation.
fn store() -> Store {
    let mut f = two_crates();
    f.add("a", "function", "idle", [600, 650, 60, 65]);
    f.private("unix", &[]);
    f.add("a", "function", "caller", [700, 750, 70, 75]);
    f.private("", &["#[test]"]);
    f.uses("a::caller", "call", "b::own", 100, &[5, 1, 4]);
    f.uses("b::own", "call", "a::inner::shared", 90, &[20, 1, 4]);
    f.uses("b::own", "method_call", "a::shape::Round::area", 10, &[30, 2, 4]);
    f.uses("a::inner::shared", "call", "a::ring::shared", 100, &[20, 1, 4]);
    f.uses("a::ring::shared", "call", "a::inner::shared", 100, &[20, 1, 4]);
    f.uses_external("b::own", "call", "std::fs::read");
    f.uses_unknown("b::own", "call", "helper");
    let batch = f.batch();
    plain_rows(batch);
    let package = ["a", "0.1.0", "2024"].map(Value::from);
    let dependencies = Value::List(vec![Value::list(["b", "b"])]);
    let features = Value::Json(serde_json::json!({ "declared": { "fast": [] }, "members": [] }));
    let package = package.into_iter().chain([dependencies, features]);
    batch.assert("package", AT, ["Cargo.toml".into()], package).unwrap();
    let dependency = ["log", "0.4.2", "registry+https://example.org"].map(Value::from);
    let known: [Value; 3] = [true.into(), Value::list(["log"]), Value::Null];
    batch.assert("dependency", AT, dependency, known).unwrap();
    let (source, kind, text, name) = (id("<a::shape::Round>"), "impl_of", "Missing", "");
    let key: [Value; 5] = [source.into(), kind.into(), text.into(), name.into(), source.into()];
    batch.assert("unresolved", AT, key, [false.into()]).unwrap();
    let key: [Value; 5] = [text.into(), kind.into(), source.into(), name.into(), source.into()];
    batch.assert("unresolved_by_text", AT, key, []).unwrap();
    let issue: [Value; 6] =
        ["syntax".into(), "expected `;`".into(), 4.into(), 5.into(), 1.into(), 1.into()];
    batch.assert("issue", AT, ["broken.rs".into(), 0.into()], issue).unwrap();
    let file = [
        RawHash::hash(b"broken").into(),
        TrackingHash::hash(b"broken").into(),
        "item_tree".into(),
        TextHash::hash(b"broken").into(),
        6.into(),
        1.into(),
        true.into(),
    ];
    batch.assert("file", AT, ["broken.rs".into()], file).unwrap();
    metrics(batch);
    conditions(batch);
    past(batch);
    let mut call = node("a::make", "make!");
    call[0] = "macro_call".into();
    call[15] = Value::Json(json!({"is": "macro_call", "items": false}));
    batch.assert("node", AT, [id("a::make").into()], call).unwrap();
    f.store()
}

fn plain_rows(batch: &mut Batch) {
    batch.put("meta", ["project".into(), "test".into()]).unwrap();
    let hash = TextHash::hash(b"a::inner");
    let text: [Value; 5] =
        [hash.into(), 6.into(), Value::Null, 0.into(), Value::Bytes(b"packed".to_vec())];
    batch.put("text", text).unwrap();
    let stat: [Value; 7] = [
        "broken.rs".into(),
        6.into(),
        1.into(),
        2.into(),
        3.into(),
        RawHash::hash(b"broken").into(),
        4.into(),
    ];
    batch.put("file_stat", stat).unwrap();
    for path in ["", "broken.rs"] {
        batch.put("item_tree", [path.into(), Value::Bytes(b"packed".to_vec())]).unwrap();
    }
    let bytes = || Value::Bytes(vec![1, 2]);
    let ids = Value::List(vec![bytes()]);
    batch.put("fingerprint", ["broken.rs".into(), ids, bytes(), bytes()]).unwrap();
    batch.put("reads", ["broken.rs".into(), bytes()]).unwrap();
    batch.put("search_terms", ["broken.rs".into(), bytes()]).unwrap();
    batch.put("section_terms", ["guide.md".into(), bytes()]).unwrap();
    let heading: [Value; 4] = [1.into(), "Guide".into(), 1.into(), 2.into()];
    let document: [Value; 5] = [
        RawHash::hash(b"broken").into(),
        TextHash::hash(b"a::inner").into(),
        6.into(),
        2.into(),
        Value::List(vec![Value::List(heading.into())]),
    ];
    batch.assert("document", AT, ["guide.md".into()], document).unwrap();
    for path in ["broken.rs", "gone.rs"] {
        let vectors = [path.into(), RawHash::hash(b"broken").into(), bytes()];
        batch.put("item_vectors", vectors).unwrap();
    }
    // One file with the text of the index, one with another.
    for (path, text) in [("broken.rs", "broken"), ("broken.rs", "before"), ("gone.rs", "gone")] {
        let key: [Value; 3] = [path.into(), RawHash::hash(text.as_bytes()).into(), "other".into()];
        let symbols = Value::list(["other cargo a 1 f()."]);
        let values: [Value; 4] = ["1.0".into(), LATER.into(), symbols, bytes()];
        batch.put("scip_file", key.clone().into_iter().chain(values)).unwrap();
        let target = [id("a::inner::shared").into()].into_iter();
        let places = Value::List(vec![Value::list([4, 1, 5])]);
        batch.put("scip_use", target.chain(key).chain([places])).unwrap();
    }
    let commit: [Value; 6] = [
        "c0ffee".into(),
        LATER.into(),
        LATER.into(),
        AT.into(),
        "ada@example.org".into(),
        Value::Null,
    ];
    batch.put("git_commit", commit).unwrap();
    for (name, kind) in [("HEAD", "head"), ("main", "branch")] {
        batch.put("git_ref", [name.into(), kind.into(), "c0ffee".into()]).unwrap();
    }
    let basis = RevisionId::at(Namespace::of_project("test"), AT.0);
    let proposal: [Value; 11] = [
        "abc123".into(),
        "applied".into(),
        AT.into(),
        LATER.into(),
        "ada".into(),
        Value::Null,
        basis.into(),
        AT.into(),
        Value::Null,
        "{}".into(),
        bytes(),
    ];
    batch.put("proposal", proposal).unwrap();
}

/// Functions of which one gets worse, one appears, and one has a parse error and a marker.
fn metrics(batch: &mut Batch) {
    let row = |cyclomatic: i64, score: f64, grade: &str, satd: Vec<Value>| -> Vec<Value> {
        let mut row: Vec<Value> = [9, 7, 1, 2, cyclomatic, 4, 1].map(Value::from).into();
        row.extend(["O(n)", "loop"].map(Value::from));
        row.extend([score.into(), grade.into(), Value::List(satd)]);
        row
    };
    let marker = |marker: &str, severity: &str, byte: i64| {
        let text = format!("{marker}: later");
        let place = [byte.into(), 1.into(), text.as_str().into()];
        Value::List([marker.into(), severity.into()].into_iter().chain(place).collect())
    };
    let mut put = |key: &str, at: Micros, row: Vec<Value>| {
        batch.assert("metric", at, [id(key).into()], row).unwrap();
    };
    put("a::inner::shared", AT, row(3, 100.0, "A+", vec![]));
    put("a::inner::shared", LATER, row(12, 88.5, "A-", vec![marker("FIXME", "high", 12)]));
    put("a::shape::Round::area", AT, row(1, 99.0, "A+", vec![]));
    put("b::own", LATER, row(2, 98.0, "A+", vec![]));
    put("a::third", LAST, row(2, 97.0, "A+", vec![]));
    let mut broken = row(0, 0.0, "", vec![marker("TODO", "low", 3)]);
    broken.iter_mut().skip(4).take(7).for_each(|value| *value = Value::Null);
    put("a::inner", AT, broken);
}

/// `a::caller` exists only under `test`, and what it uses only under others.
fn conditions(batch: &mut Batch) {
    let mut put = |key: &str, condition: &str, alternatives: &[&[&str]]| {
        let all = alternatives.iter().map(|all| Value::list(all.iter().copied())).collect();
        let row: [Value; 3] = [condition.into(), Value::List(all), true.into()];
        batch.assert("condition", AT, [id(key).into()], row).unwrap();
    };
    put("a::idle", "unix", &[&["unix"]]);
    put("a::caller", "all(not(a), test)", &[&["not(a)", "test"]]);
    put("b::own", "test", &[&["test"]]);
    let either: [&[&str]; 2] = [&["test", "unix"], &["a", "test"]];
    put("a::inner::shared", "any(all(a, test), all(test, unix))", &either);
    put("a::shape::Round::area", "false", &[]);
}

/// `a::first` becomes `a::second`, which changes and becomes `a::third`.
fn past(batch: &mut Batch) {
    for (at, cause, actor) in
        [(AT, "scan", None), (LATER, "commit", Some("ada")), (LAST, "restore", Some("bob"))]
    {
        revision(batch, at, cause, actor);
    }
    let lives =
        [("a::first", AT, Some(LATER)), ("a::second", LATER, Some(LAST)), ("a::third", LAST, None)];
    for (key, from, to) in lives {
        let name: Value = key.rsplit("::").next().unwrap().into();
        let row = || node(key, "fn (x: u8)");
        batch.assert("node", from, [id(key).into()], row()).unwrap();
        let lookups = [("node_by_path", key.into()), ("node_by_name", name)];
        for (relation, text) in &lookups {
            batch.assert(relation, from, [text.clone(), id(key).into()], []).unwrap();
        }
        let Some(to) = to else { continue };
        batch.retract("node", to, [id(key).into()], row()).unwrap();
        for (relation, text) in lookups {
            batch.retract(relation, to, [text, id(key).into()], []).unwrap();
        }
    }
    for (at, old, new) in [(LATER, "a::first", "a::second"), (LAST, "a::second", "a::third")] {
        let (old, new) = (id(old), id(new));
        let one = |id: NodeId| Value::list([id]);
        let changed = Value::List(Vec::new());
        batch.put("changes", [at.into(), one(new), one(old), changed]).unwrap();
        let [kind, reason] = ["renamed", "shape"].map(Value::from);
        let row = [new.into(), at.into(), old.into(), kind.clone(), 0.9.into(), reason];
        batch.put("item_match", row).unwrap();
        let row = [at.into(), old.into(), new.into(), kind];
        batch.put("item_match_by_revision", row).unwrap();
    }
    batch.put("matched_revision", [LATER.into(), MATCH_RULES_VERSION.into()]).unwrap();
    batch.put("matched_revision", [LAST.into(), MATCH_RULES_VERSION.into()]).unwrap();
    // One that the rules of another version matched.
    let at = Micros(2_500);
    let changed = Value::list([id("a::inner::shared"), id("b::own")]);
    let none = Value::List(Vec::new());
    batch.put("changes", [at.into(), none, Value::list([id("b")]), changed]).unwrap();
    batch.put("matched_revision", [at.into(), 7.into()]).unwrap();
}

/// Ids by their keys in the text, or the other way round.
fn renamed(text: &str, to_ids: bool) -> String {
    let revision = RevisionId::at(Namespace::of_project("test"), LATER.0);
    let named = [
        ("@std::fs::read", NodeId::of_external("std::fs::read").to_string()),
        ("@helper", NodeId::of_unknown("helper").to_string()),
        ("@revision", revision.to_string()),
        ("@raw_hash", RawHash::hash(b"broken").to_string()),
        ("@raw_hash_before", RawHash::hash(b"before").to_string()),
        ("@raw_hash_gone", RawHash::hash(b"gone").to_string()),
        ("@tracking_hash", TrackingHash::hash(b"fn (x: u8)").to_string()),
        ("@text_hash", TextHash::hash(b"a::inner").to_string()),
    ];
    let keys = KEYS.iter().map(|key| (format!("@{key}"), id(key).to_string()));
    let named = named.into_iter().map(|(key, value)| (key.to_owned(), value)).chain(keys);
    let mut text = text.to_owned();
    for (key, id) in named {
        let (key, id) = (format!("\"{key}\""), format!("\"{id}\""));
        text = if to_ids { text.replace(&key, &id) } else { text.replace(&id, &key) };
    }
    text
}

/// Ids of no item and long bytes cut to eight digits, floats rounded to four.
fn shortened(json: Json) -> Json {
    match json {
        Json::String(text)
            if text.len() >= 32 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-') =>
        {
            json!(format!("{}…", text.split_at(8).0))
        }
        Json::Array(items) => items.into_iter().map(shortened).collect(),
        Json::Object(map) => {
            let short = |key: String| match key.len() {
                36 => format!("{}…", key.split_at(8).0),
                _ => key,
            };
            map.into_iter().map(|(key, value)| (short(key), shortened(value))).collect()
        }
        Json::Number(number) if number.is_f64() => {
            json!((number.as_f64().unwrap() * 1e4).round() / 1e4)
        }
        other => other,
    }
}

fn answer(store: &Store, library: &Library, head: &str) -> Vec<String> {
    let (name, params) = head.split_once(' ').unwrap_or((head, "{}"));
    let params: BTreeMap<String, Json> = serde_json::from_str(&renamed(params, true))
        .unwrap_or_else(|error| panic!("{head}: {error}"));
    let at = params.get("at").and_then(Json::as_i64).map_or(LAST, Micros);
    let given: Vec<(String, Value)> = params
        .into_iter()
        .filter(|(name, _)| name != "at")
        .map(|(name, value)| (name, Value::from_json(value)))
        .collect();
    let rows = library.run(store, name, &given, at, Limits::default());
    let rows = rows.unwrap_or_else(|error| panic!("{head}: {error}"));
    let line = |row: Vec<Json>| {
        let named: Json = serde_json::from_str(&renamed(&json!(row).to_string(), false)).unwrap();
        shortened(named).to_string()
    };
    rows.to_json().into_iter().map(line).collect()
}

#[test]
fn every_program_answers_what_is_expected() {
    let (store, library) = (store(), Library::shipped());
    let mut answered: BTreeSet<&str> = BTreeSet::new();
    let mut found = String::new();
    for head in EXPECTED.lines().filter_map(|line| line.strip_prefix("## ")) {
        let rows = answer(&store, &library, head);
        if !rows.is_empty() {
            answered.insert(head.split(' ').next().unwrap());
        }
        found.push_str(&format!("## {head}\n"));
        found.extend(rows.into_iter().map(|row| row + "\n"));
    }
    if std::env::var_os("ASOF_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected.txt");
        std::fs::write(path, &found).unwrap();
    } else {
        let differs = found.lines().zip(EXPECTED.lines()).find(|(a, b)| a != b);
        assert!(found == EXPECTED, "ASOF_BLESS=1 shows more; first difference: {differs:#?}");
    }
    let all: BTreeSet<&str> = library.list().map(|(program, _)| program.name.as_str()).collect();
    let silent = all.difference(&answered).filter(|name| !SHOWN_ELSEWHERE.contains(*name));
    let silent: Vec<_> = silent.collect();
    assert!(silent.is_empty(), "expected.txt has no row of {silent:?}");
}

#[test]
fn every_versioned_relation_is_counted() {
    let rows = Library::shipped().run(&store(), "inspect/counts", &[], LAST, Limits::default());
    let counted: BTreeSet<String> = rows.unwrap().column("relation").unwrap().into_iter().collect();
    let versioned = Relation::all().filter(|relation| relation.versioned);
    assert_eq!(counted, versioned.map(|relation| relation.name.to_owned()).collect());
}
