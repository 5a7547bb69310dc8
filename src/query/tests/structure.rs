//! What the programs about outlines, public names and paths of uses answer.

use super::fixture::{AT, Facts, id, two_crates};
use crate::{Library, PathSearch, Queries, UseFilter};
use asof_model::RefKind;
use asof_store::{Limits, Store};

/// `main` calls `load`, which calls `parse`; `parse` calls `load` for all that is known; `main`
/// passes `idle` on, which calls `parse`, and calls something of the name `lost`, which calls
/// `idle`.
fn calls() -> Store {
    let mut f = Facts::default();
    f.krate("a", "a/src/main.rs");
    for (at, name) in (1..).zip(["main", "load", "parse", "idle", "lost"]) {
        f.add("a", "function", name, [at * 100, at * 100 + 90, at * 10, at * 10 + 8]);
    }
    f.uses("a::main", "call", "a::load", 100, &[20, 1, 4]);
    f.uses("a::load", "call", "a::parse", 90, &[20, 1, 4]);
    f.uses("a::parse", "method_call", "a::load", 30, &[30, 2, 4]);
    f.uses("a::main", "value", "a::idle", 100, &[40, 2, 4]);
    f.uses("a::idle", "call", "a::parse", 100, &[20, 1, 4]);
    f.uses("a::lost", "call", "a::idle", 100, &[20, 1, 4]);
    f.uses_unknown("a::main", "method_call", ".lost");
    f.store()
}

fn search(min_confidence: f64, depth: u32) -> PathSearch {
    let uses = UseFilter { kinds: RefKind::CALLS.to_vec(), min_confidence };
    PathSearch { uses, dispatch: true, depth, limit: 5 }
}

#[test]
fn paths_are_the_shortest_and_say_how_sure_they_are() {
    let store = calls();
    let ask = Queries::at(&store, AT);
    let paths = |from: &str, to: &str, min: f64, depth: u32| {
        let found = ask.use_paths(&[id(from)], &[id(to)], &search(min, depth)).unwrap();
        found.into_iter().map(|row| (row.cost as u32, row.path)).collect::<Vec<_>>()
    };
    let way = vec![id("a::main"), id("a::load"), id("a::parse")];
    assert_eq!(paths("a::main", "a::parse", 0.5, 64), [(2010, way)]);
    assert!(paths("a::main", "a::parse", 0.5, 1).is_empty(), "it has two steps");
    assert!(paths("a::parse", "a::load", 0.5, 64).is_empty(), "that is a guess");
    assert_eq!(paths("a::parse", "a::load", 0.01, 64).len(), 1);
    assert!(paths("a::main", "a::idle", 0.01, 64).is_empty());
}

#[test]
fn sites_are_the_first_places_of_uses() {
    let store = calls();
    let (sources, targets) = ([id("a::main"), id("a::load")], [id("a::load"), id("a::parse")]);
    let found = Queries::at(&store, AT).sites(&sources, &targets, RefKind::CALLS).unwrap();
    let mut found: Vec<_> =
        found.iter().map(|r| (r.line, r.target, (100.0 * r.confidence) as u32)).collect();
    found.sort();
    assert_eq!(found, [(12, id("a::load"), 100), (22, id("a::parse"), 90)]);
}

#[test]
fn gaps_are_what_may_hide_a_path() {
    let store = calls();
    let ask = Queries::at(&store, AT);
    let gaps = |from: &str, to: &str| {
        let found = ask.path_gaps(&[id(from)], &[id(to)], &search(0.0, 64).uses).unwrap();
        found.into_iter().map(|row| (row.reason, row.text, row.source)).collect::<Vec<_>>()
    };
    let main = id("a::main");
    let expected = [("unresolved", ".lost"), ("value", "idle")]
        .map(|(a, b)| (a.to_owned(), b.to_owned(), main));
    assert_eq!(gaps("a::main", "a::idle"), expected);
    assert_eq!(gaps("a::load", "a::main"), [], "nothing leads there");
    assert_eq!(gaps("a::main", "a::parse")[0].0, "farther");
}

#[test]
fn outlines_go_down_by_levels_and_find_impls_elsewhere() {
    let store = two_crates().store();
    let ask = Queries::at(&store, AT);
    let outline = |key: &str, depth: u32, open_all: bool| {
        let rows = ask.outline(&[id(key)], depth, open_all).unwrap();
        let mut names: Vec<_> =
            rows.into_iter().map(|row| format!("{} {}", row.depth, row.name)).collect();
        names.sort();
        names
    };
    let round = ["0 Round", "1 Round", "1 Round", "1 radius", "2 area", "2 show"];
    assert_eq!(outline("a::shape::Round", 2, false), round);
    assert_eq!(outline("a::shape::Round", 1, false), round[..4]);
    assert_eq!(outline("a::shape::Round", 0, false), round[..1]);
    assert!(!outline("a", 3, false).contains(&"2 Color".to_owned()), "modules are closed");
    assert!(outline("a", 3, true).contains(&"3 Red".to_owned()));
    let at_line: Vec<_> = ask.items_at_lines("a/src/lib.rs", 16, 16).unwrap();
    assert_eq!(at_line[0].id, id("a::inner::Color::Red"));
    assert!(ask.items_at_lines("a/src/lib.rs", 99, 120).unwrap().is_empty());
}

#[test]
fn public_names_follow_reexports_and_globs_and_end_in_circles() {
    let store = two_crates().store();
    let names = |root: &str| -> Vec<String> {
        let found = Queries::at(&store, AT).public_names(&[id(root)], false, &[]).unwrap();
        found.into_iter().map(|row| format!("{}::{}", row.module_path, row.name)).collect()
    };
    let a = names("a");
    for expected in ["a::Disc", "a::inner::Color", "a::ring::Color", "a::shape::Round"] {
        assert!(a.contains(&expected.to_owned()), "{expected}: {a:?}");
    }
    assert!(!a.contains(&"a::Hidden".to_owned()), "that import is private");
    let shared: Vec<_> =
        Queries::at(&store, AT).public_names(&[id("a::inner")], false, &[]).unwrap();
    let shared: Vec<_> = shared.iter().filter(|row| row.name == "shared").collect();
    assert_eq!(
        (shared.len(), shared[0].id),
        (1, Some(id("a::inner::shared"))),
        "the other is hidden"
    );
    assert!(names("b").contains(&"b::Disc".to_owned()));
}

#[test]
fn views_have_the_types_that_their_headers_say() {
    let store = two_crates().store();
    let mut seen = 0;
    for view in Library::views() {
        let columns = view.columns.join(", ");
        let text = format!("?[{columns}] := {}[{columns}]", view.name);
        let rows = Library::run_text(&store, &text, &[], AT, Limits::default()).unwrap();
        let rows = serde_json::to_value(rows.to_json()).unwrap();
        for row in rows.as_array().unwrap() {
            for ((column, kind), value) in
                view.columns.iter().zip(&view.types).zip(row.as_array().unwrap())
            {
                let fits = match kind.trim_end_matches('?') {
                    "Uuid" => value.as_str().is_some_and(|text| text.len() == 36),
                    "Int" => value.is_i64(),
                    "Float" => value.is_number(),
                    "[String]" => value.is_array(),
                    "Bool" => value.is_boolean(),
                    "String" => value.is_string(),
                    "Json" => true,
                    other => panic!("{}: no type `{other}`", view.name),
                };
                let fits = fits || kind.ends_with('?') && value.is_null();
                assert!(fits, "{}.{column}: {kind} is {value}", view.name);
                seen += 1;
            }
        }
        assert!(view.types.iter().all(|kind| !kind.is_empty()), "{}", view.name);
    }
    assert!(seen > 100, "{seen}");
}
