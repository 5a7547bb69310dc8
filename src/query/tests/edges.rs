//! What the programs about uses answer.

use std::collections::BTreeSet;

use super::fixture::{AT, Facts, id};
use crate::{Library, Queries, UseFilter};
use asof_model::{NodeId, RefKind};
use asof_store::{Limits, Store, Value};

/// `main` calls `load` and `help`; `load` calls `parse`, which calls itself and, maybe, `load`;
/// a test calls `parse`; `Config` is named by `load`; nobody uses `idle`, and `lost` only `idle`.
fn calls() -> Facts {
    let mut f = Facts::default();
    f.krate("a", "a/src/main.rs");
    for (at, name) in (1..).zip(["main", "load", "help", "parse", "idle", "lost", "check"]) {
        f.add("a", "function", name, [at * 100, at * 100 + 90, at * 10, at * 10 + 8]);
        let attrs: &[&str] = if name == "check" { &["#[test]"] } else { &[] };
        f.private("", attrs);
    }
    f.add("a", "struct", "Config", [900, 950, 90, 92]);
    f.add("a", "module", "tests", [960, 990, 93, 99]);
    f.private("test", &[]);
    f.add("a::tests", "function", "helper", [5, 9, 1, 2]);
    f.uses("a::main", "call", "a::load", 100, &[20, 1, 4]);
    f.uses("a::main", "call", "a::help", 100, &[40, 2, 4, 60, 3, 4]);
    f.uses("a::load", "call", "a::parse", 90, &[20, 1, 4]);
    f.uses("a::load", "type", "a::Config", 100, &[12, 0, 12]);
    f.uses_external("a::load", "call", "std::fs::read");
    f.uses("a::parse", "call", "a::parse", 100, &[20, 1, 4]);
    f.uses("a::parse", "method_call", "a::load", 30, &[30, 2, 4]);
    f.uses("a::check", "call", "a::parse", 100, &[20, 1, 4]);
    f.uses("a::idle", "call", "a::lost", 100, &[20, 1, 4]);
    f.uses("a::tests::helper", "call", "a::parse", 100, &[2, 1, 2]);
    f
}

fn all() -> UseFilter {
    UseFilter { kinds: RefKind::ALL.to_vec(), min_confidence: 0.0 }
}

fn sure() -> UseFilter {
    UseFilter { kinds: RefKind::CALLS.to_vec(), min_confidence: 0.5 }
}

fn names(ids: impl IntoIterator<Item = NodeId>) -> Vec<&'static str> {
    const KEYS: [&str; 9] = [
        "a::main", "a::load", "a::help", "a::parse", "a::idle", "a::lost", "a::check", "a::Config",
        "a::tests::helper",
    ];
    let name = |given: NodeId| {
        let outside = NodeId::of_external("std::fs::read");
        if given == outside {
            return "std::fs::read";
        }
        KEYS.into_iter().find(|key| id(key) == given).unwrap_or("?")
    };
    ids.into_iter().map(name).collect()
}

#[test]
fn every_use_has_its_place() {
    let store = calls().store();
    let ask = Queries::at(&store, AT);
    let used = ask.where_used(&[id("a::parse")], &all()).unwrap();
    let sources = names(used.iter().map(|u| u.source));
    assert_eq!(sources, ["a::load", "a::parse", "a::check", "a::tests::helper"]);
    let load = &used[0];
    assert_eq!(
        (load.file_path.as_str(), load.start_byte, load.line, load.column),
        ("a/src/main.rs", 220, 22, 5)
    );
    assert_eq!((load.use_kind, load.confidence), (RefKind::Call, 0.9));
    let tests: Vec<bool> = used.iter().map(|u| u.in_test).collect();
    assert_eq!(tests, [false, false, true, true]);
    // On the first line of an item, columns count from the item.
    let config = ask.where_used(&[id("a::Config")], &all()).unwrap();
    assert_eq!((config[0].line, config[0].column), (21, 1 + 4 + 12));
    assert_eq!(used[3].start_byte, 967);
    let none = UseFilter { kinds: vec![RefKind::Macro], min_confidence: 0.0 };
    assert!(ask.where_used(&[id("a::parse")], &none).unwrap().is_empty());
    assert_eq!(ask.where_used(&[id("a::load")], &sure()).unwrap().len(), 1);
    assert_eq!(ask.where_used(&[id("a::help")], &all()).unwrap().len(), 2);
}

#[test]
fn uses_read_by_file_are_those_read_by_source() {
    let store = calls().store();
    let ask = Queries::at(&store, AT);
    for target in ["a::parse", "a::load", "a::help", "a::Config", "a::idle"] {
        for filter in [all(), sure()] {
            let by_source = ask.where_used(&[id(target)], &filter).unwrap();
            let files: BTreeSet<&str> = by_source.iter().map(|u| u.file_path.as_str()).collect();
            let files: Vec<&str> = files.into_iter().collect();
            let by_file = ask.uses_in_files(&[id(target)], &files, &filter).unwrap();
            assert_eq!(by_file, by_source, "{target}");
            let counted = ask.use_counts(&[id(target)], &filter, 0.5).unwrap();
            let counted: Vec<_> =
                counted.iter().map(|(file, c)| (file.as_str(), c.places, c.guesses)).collect();
            let count = |file: &str, most: f64| {
                let those = by_source.iter().filter(|u| u.file_path == file);
                those.filter(|u| u.confidence < most).count()
            };
            let expected: Vec<_> =
                files.iter().map(|file| (*file, count(file, 2.0), count(file, 0.5))).collect();
            assert_eq!(counted, expected, "{target}");
        }
    }
    assert_eq!(ask.use_counts(&[id("a::load")], &all(), 0.5).unwrap()["a/src/main.rs"].guesses, 1);
}

#[test]
fn walks_go_as_far_as_they_are_let_and_end_in_circles() {
    let store = calls().store();
    let ask = Queries::at(&store, AT);
    let told = |rows: Vec<crate::ReachedRow>| -> Vec<(u32, &str, Vec<&str>)> {
        rows.into_iter().map(|r| (r.depth, names([r.id])[0], names(r.via))).collect()
    };
    let mut down = told(ask.downstream(&[id("a::parse")], &sure(), 64, &[]).unwrap());
    down.sort();
    let expected: Vec<(u32, &str, Vec<&str>)> = vec![
        (0, "a::parse", vec![]),
        (1, "a::check", vec!["a::parse"]),
        (1, "a::load", vec!["a::parse"]),
        (1, "a::tests::helper", vec!["a::parse"]),
        (2, "a::main", vec!["a::load"]),
    ];
    assert_eq!(down, expected);
    assert_eq!(ask.downstream(&[id("a::parse")], &sure(), 1, &[]).unwrap().len(), 4);
    assert_eq!(ask.downstream(&[id("a::parse")], &sure(), 0, &[]).unwrap().len(), 1);
    let mut up = told(ask.upstream(&[id("a::main")], &all(), 64, &[]).unwrap());
    up.sort();
    let expected: Vec<(u32, &str, Vec<&str>)> = vec![
        (0, "a::main", vec![]),
        (1, "a::help", vec!["a::main"]),
        (1, "a::load", vec!["a::main"]),
        (2, "a::Config", vec!["a::load"]),
        (2, "a::parse", vec!["a::load"]),
        (2, "std::fs::read", vec!["a::load"]),
    ];
    assert_eq!(up, expected);
}

#[test]
fn names_from_outside_are_found_by_what_they_begin_with() {
    let store = calls().store();
    let ask = Queries::at(&store, AT);
    let found = ask.external_symbols_starting("std::fs", 10).unwrap();
    let told = |o: &crate::ExternalSymbolUse| (o.text.clone(), o.external, o.users);
    assert_eq!(found.iter().map(told).collect::<Vec<_>>(), [("std::fs::read".to_owned(), true, 1)]);
    assert!(ask.external_symbols_starting("std::io", 10).unwrap().is_empty());
    assert_eq!(Queries::external(&store, &[found[0].id, id("a::main")]).unwrap().len(), 1);
    let past = Queries::at(&store, asof_model::Micros(1));
    assert!(past.external_symbols_starting("std::fs", 10).unwrap().is_empty(), "not used then");
}

fn column(store: &Store, name: &str, column: &str) -> Vec<String> {
    let rows = Library::shipped().run(store, name, &[], AT, Limits::default()).unwrap();
    rows.column::<Option<String>>(column)
        .unwrap()
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect()
}

#[test]
fn graphs_tell_what_is_central_what_is_unreachable_and_what_is_in_a_circle() {
    let mut facts = calls();
    facts.add("a", "module", "one", [2000, 2100, 200, 210]);
    facts.add("a::one", "function", "f", [10, 20, 1, 2]);
    facts.add("a", "module", "two", [2200, 2300, 220, 230]);
    facts.add("a::two", "function", "g", [10, 20, 1, 2]);
    facts.uses("a::one::f", "call", "a::two::g", 100, &[1, 0, 1]);
    facts.uses("a::two::g", "call", "a::one::f", 100, &[1, 0, 1]);
    let store = facts.store();
    assert_eq!(column(&store, "graph/pagerank", "path")[0], "a::parse");
    let unreachable = column(&store, "graph/unreachable", "path");
    assert_eq!(unreachable, ["a::idle", "a::lost"]);
    assert_eq!(column(&store, "graph/module_cycles", "path"), ["a::one", "a::two"]);
}

#[test]
fn files_that_did_not_parse_are_told_from_the_rest() {
    let mut f = Facts::default();
    f.krate("a", "a/src/main.rs");
    let store = f.store();
    let files = Queries::at(&store, AT).partial_files().unwrap();
    assert!(files.is_empty(), "the file of the fixture parses: {files:?}");
}

#[test]
fn names_that_are_not_resolved_are_counted_however_they_are_written() {
    let mut facts = calls();
    for (kind, text) in
        [("method_call", ".idle"), ("mention", "idle"), ("call", "::idle"), ("macro", "idle!")]
    {
        facts.uses_unknown("a::load", kind, text);
    }
    facts.uses_unknown("a::help", "mention", "idler");
    let store = facts.store();
    let found = Queries::at(&store, AT).unresolved_uses(&["idle".to_owned()]).unwrap();
    let told: Vec<_> = found.iter().map(|one| (one.text.as_str(), one.uses)).collect();
    assert_eq!(told, [(".idle", 1), ("::idle", 1), ("idle", 1), ("idle!", 1)]);
    let none = Queries::at(&store, AT).unresolved_uses(&["read".to_owned()]).unwrap();
    assert!(none.is_empty(), "what lies in another crate is known");
    let past = Queries::at(&store, asof_model::Micros(1));
    assert!(past.unresolved_uses(&["idle".to_owned()]).unwrap().is_empty(), "not used then");
}

#[test]
fn views_of_uses_work_in_ad_hoc_queries() {
    let store = calls().store();
    let ask = |text: &str| {
        let rows = Library::run_text(&store, text, &[], AT, Limits::default()).unwrap();
        serde_json::to_string(&rows.to_json()).unwrap()
    };
    let lines = ask("?[line, start_byte, column] := *node_by_path{path: 'a::help', id @ $at}, \
                     reference[id, _s, _k, _p, _c, _f, start_byte, line, column] :order line");
    assert_eq!(lines, "[[13,140,5],[14,160,5]]");
    let callers = ask("?[name] := *node_by_path{path: 'a::parse', id @ $at}, \
                       callers[id, from, c], c > 0.95, *node{id: from, name @ $at} :order name");
    assert_eq!(callers, r#"[["check"],["helper"],["parse"]]"#);
    let outside = ask(
        "?[text] := *node_by_path{path: 'a::load', id @ $at}, uses_external[id, text, _e, _k, _c]",
    );
    assert_eq!(outside, r#"[["std::fs::read"]]"#);
    let given = [("source".to_owned(), Value::from(id("a::parse")))];
    let rows = Library::shipped().run(&store, "edges/candidates", &given, AT, Limits::default());
    assert_eq!(rows.unwrap().column::<String>("path").unwrap(), ["a::load"]);
}

/// `super` and `crate` say where a path begins: what is asked about modules is answered without them.
#[test]
fn keywords_are_listed_only_if_they_are_asked_for() {
    let mut facts = calls();
    facts.add("a", "module", "one", [2000, 2100, 200, 210]);
    facts.add("a::one", "function", "f", [10, 20, 1, 2]);
    facts.uses("a::one::f", "keyword", "a", 100, &[2, 0, 2]);
    facts.uses("a::main", "path", "a::one", 100, &[3, 0, 3]);
    facts.uses("a::one::f", "keyword", "a::one", 100, &[4, 0, 4]);
    let store = facts.store();
    let ask = Queries::at(&store, AT);
    let (root, one) = (id("a"), id("a::one"));
    let found = ask.where_used(&[root, one], &all()).unwrap();
    assert_eq!(found.len(), 3);
    let listed = UseFilter { kinds: RefKind::LISTED.to_vec(), min_confidence: 0.0 };
    let found = ask.where_used(&[root, one], &listed).unwrap();
    assert_eq!(found.iter().map(|row| row.use_kind).collect::<Vec<_>>(), [RefKind::Path]);
    let counts = ask.user_counts(&[root, one]).unwrap();
    assert_eq!(counts.iter().map(|row| (row.id, row.users)).collect::<Vec<_>>(), [(one, 1)]);
    assert_eq!(column(&store, "graph/module_cycles", "path"), [] as [&str; 0]);
    let affected = ask.affected(&[root], true, &[]).unwrap();
    assert_eq!(affected.iter().map(|row| row.id).collect::<Vec<_>>(), [] as [NodeId; 0]);
}
