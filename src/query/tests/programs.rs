//! What the programs answer about facts that are small enough to see.

use std::time::Instant;

use super::fixture::{AT, Facts, id, two_crates};
use crate::{InImpl, Library, PathQuery, Prefixes, Queries, QueryError};
use asof_model::{Micros, NodeId, NodeKind};
use asof_store::{Limits, Store, Value};

/// What a path means: `mode rank`, and the definitions.
fn path(store: &Store, path: &str) -> (String, Vec<NodeId>) {
    let query = PathQuery { path: path.to_owned(), ..PathQuery::default() };
    meant(store, &query)
}

fn meant(store: &Store, query: &PathQuery) -> (String, Vec<NodeId>) {
    let found = Queries::at(store, AT).path(query).unwrap();
    let how = found.first().map_or(String::new(), |f| format!("{} {}", f.mode, f.rank));
    (how, found.into_iter().map(|f| f.definition.id).collect())
}

#[test]
fn a_path_goes_by_children_reexports_globs_and_associated_items() {
    let store = two_crates().store();
    let one = |how: &str, key: &str| (how.to_owned(), vec![id(key)]);
    let public = |key| one("relaxed 1", key);
    let show = "<a::shape::Round as Show>::show";
    assert_eq!(path(&store, "a::shape::Round"), one("strict 0", "a::shape::Round"));
    assert_eq!(path(&store, "crate::shape::Round"), one("strict 0", "a::shape::Round"));
    assert_eq!(path(&store, "a::Disc"), public("a::shape::Round"));
    assert_eq!(path(&store, "a::Disc::area"), public("a::shape::Round::area"));
    assert_eq!(path(&store, "a::Disc::radius"), public("a::shape::Round::radius"));
    assert_eq!(path(&store, "a::Disc::show"), public(show));
    assert_eq!(path(&store, "a::Hidden::Red"), public("a::inner::Color::Red"));
    assert_eq!(path(&store, "b::Disc"), public("a::shape::Round"));
    assert_eq!(path(&store, "b::inner::Color"), public("a::inner::Color"));
    assert_eq!(path(&store, "Round::radius"), one("relaxed 2", "a::shape::Round::radius"));
    assert_eq!(path(&store, "Round::show"), one("relaxed 2", show));
    assert_eq!(path(&store, "a"), one("strict 0", "a"));
    assert_eq!(path(&store, "a::nothing"), (String::new(), vec![]));
    assert_eq!(path(&store, ""), (String::new(), vec![]));
}

#[test]
fn a_path_ends_in_a_cycle_of_globs_and_leaves_out_what_is_shadowed() {
    let store = two_crates().store();
    assert_eq!(path(&store, "a::ring::Color").1, [id("a::inner::Color")]);
    assert_eq!(path(&store, "b::inner::shared").1, [id("a::inner::shared")]);
    assert_eq!(path(&store, "b::ring::shared").1, [id("a::ring::shared")]);
}

#[test]
fn filters_and_ends_of_files_leave_some_of_several() {
    let store = two_crates().store();
    let both = PathQuery { path: "shared".to_owned(), ..PathQuery::default() };
    assert_eq!(meant(&store, &both).1.len(), 2);
    let of = |kind, file: Option<&str>| {
        let file = file.map(str::to_owned);
        let path = "a::shape::Round".to_owned();
        meant(&store, &PathQuery { path, kind, file, ..PathQuery::default() })
    };
    let found = vec![id("a::shape::Round")];
    assert_eq!(of(Some(NodeKind::Struct), None), ("strict 0".to_owned(), found.clone()));
    assert_eq!(of(Some(NodeKind::Enum), None).1, []);
    assert_eq!(of(None, Some("a/src/shape.rs")).0, "strict 0");
    assert_eq!(of(None, Some("shape.rs")), ("relaxed 0".to_owned(), found.clone()));
    assert_eq!(of(None, Some("ape.rs")).1, []);
    let package = Some("no_such_package".to_owned());
    let path = "a::shape::Round".to_owned();
    assert_eq!(meant(&store, &PathQuery { path, package, ..PathQuery::default() }).1, []);
}

#[test]
fn items_of_impls_are_found_by_type_trait_and_name() {
    let store = two_crates().store();
    let of = |of_trait: Option<&str>, item: &str| {
        let of_trait = of_trait.map(str::to_owned);
        let in_impl = InImpl { item: item.to_owned(), of_trait, spellings: Vec::new() };
        let in_impl = Some(in_impl);
        let path = "a::Disc".to_owned();
        meant(&store, &PathQuery { path, in_impl, ..PathQuery::default() }).1
    };
    assert_eq!(of(Some("Show"), "show"), [id("<a::shape::Round as Show>::show")]);
    assert_eq!(of(Some("Show"), ""), [id("<a::shape::Round as Show>")]);
    assert_eq!(of(None, "area"), [id("a::shape::Round::area")]);
    assert_eq!(of(None, "show"), []);
    assert_eq!(of(Some("Hide"), "show"), []);
}

#[test]
fn a_path_that_means_nothing_says_what_its_longest_prefix_means() {
    let store = two_crates().store();
    let of = |path: &str| -> Vec<(u32, NodeId)> {
        let (path, prefixes) = (path.to_owned(), Prefixes::Include);
        let query =
            PathQuery { path, prefixes, kind: Some(NodeKind::Struct), ..PathQuery::default() };
        let found = Queries::at(&store, AT).path(&query).unwrap();
        assert!(found.iter().all(|f| f.mode == "prefix"));
        found.into_iter().map(|f| (f.segments_matched, f.definition.id)).collect()
    };
    assert_eq!(of("a::shape::Sqare::area"), [(2, id("a::shape"))]);
    assert_eq!(of("a::nothing"), [(1, id("a"))]);
    assert_eq!(of("a::inner::Color"), [(3, id("a::inner::Color"))]);
    assert_eq!(of("no_such_crate::x"), []);
}

#[test]
fn places_are_summed_up_along_the_parents() {
    let store = two_crates().store();
    let ask = Queries::at(&store, AT);
    let keys = ["a::shape::Round::area", "a::inner::Color::Red", "a::shape", "a"];
    let rows = ask.describe(&keys.map(id)).unwrap();
    let of = |key: &str| rows.iter().find(|r| r.id == id(key)).unwrap();
    let place = |key: &str| {
        let r = of(key);
        (r.file_path.as_str(), r.start_byte, r.end_byte, r.start_line, r.end_line)
    };
    assert_eq!(place(keys[0]), ("a/src/shape.rs", 310, 360, 32, 35));
    assert_eq!(place(keys[1]), ("a/src/lib.rs", 160, 163, 16, 16));
    assert_eq!(place(keys[2]), ("a/src/shape.rs", 0, 1000, 1, 100));
    assert_eq!(place(keys[3]), ("a/src/lib.rs", 0, 1000, 1, 100));
    let area = of(keys[0]);
    assert_eq!((area.name_start, area.name_line), (313, 32));
    assert_eq!(area.module_path, ["crate", "shape"]);
    assert_eq!(area.canonical_path.as_deref(), Some("a::shape::Round::area"));
    assert_eq!((area.root_id, area.parent_id), (id("a"), Some(id("<a::shape::Round>"))));
    assert!(area.text_hash.is_some() && of(keys[1]).text_hash.is_none());
    // The view from above says the same as the views from below.
    for item in ask.file_items("a/src/shape.rs").unwrap() {
        let below = ask.describe(&[item.id]).unwrap().pop().unwrap();
        assert_eq!(
            (item.start_byte, item.end_byte, item.start_line, item.name_start, item.name_line),
            (below.start_byte, below.end_byte, below.start_line, below.name_start, below.name_line)
        );
    }
    let nothing = Queries::at(&store, Micros(999)).describe(&keys.map(id)).unwrap();
    assert!(nothing.is_empty(), "before the first fact");
    let given = [("ids".to_owned(), Value::list([id("a::shape"), id("a")]))];
    let declared = Library::shipped()
        .run(&store, "resolve/declared_at", &given, AT, Limits::default())
        .unwrap();
    let cells = |row: &asof_store::Row<'_>| -> (String, u32, u32) {
        (
            row.get("file_path").unwrap(),
            row.get("start_byte").unwrap(),
            row.get("start_line").unwrap(),
        )
    };
    let declared: Vec<_> = declared.iter().map(|row| cells(&row)).collect();
    assert_eq!(declared, [("a/src/lib.rs".to_owned(), 10, 2)]);
}

#[test]
fn files_and_containers_tell_what_they_hold() {
    let store = two_crates().store();
    let ask = Queries::at(&store, AT);
    let names: Vec<String> =
        ask.file_items("a/src/lib.rs").unwrap().into_iter().map(|i| i.name).collect();
    assert_eq!(names, ["shape", "Show", "inner", "Color", "Red", "shared", "ring", "shared"]);
    let at: Vec<String> =
        ask.item_at("a/src/lib.rs", 161).unwrap().into_iter().map(|i| i.name).collect();
    assert_eq!(at, ["Red", "Color", "inner"]);
    let children: Vec<String> =
        ask.children(&[id("a::inner")]).unwrap().into_iter().map(|c| c.name).collect();
    assert_eq!(children, ["Color", "shared"]);
    assert_eq!(ask.module_files("a::inner").unwrap()[0].file_path, "a/src/lib.rs");
    assert_eq!(ask.file_modules("a/src/shape.rs").unwrap()[0].id, id("a::shape"));
    assert_eq!(ask.file("a/src/shape.rs").unwrap().unwrap().len, 1000);
    assert!(ask.file("no").unwrap().is_none());
    let kinds = ask.kinds().unwrap();
    assert!(kinds.iter().any(|k| k.kind.as_str() == "method" && k.definitions == 2));
    let counts = ask.counts().unwrap();
    assert!(counts.iter().any(|c| c.relation == "node" && c.rows == 17), "{counts:?}");
}

#[test]
fn names_are_found() {
    let store = two_crates().store();
    let ask = Queries::at(&store, AT);
    assert_eq!(ask.by_path("a::shape::Round").unwrap()[0].id, id("a::shape::Round"));
    assert_eq!(ask.by_name("shared").unwrap().len(), 2);
    assert_eq!(ask.roots("b").unwrap()[0].root_id, id("b"));
    let ids = ask.node_at(&[id("a::Show"), id("gone")]).unwrap();
    assert_eq!(ids.iter().map(|n| n.id).collect::<Vec<_>>(), [id("a::Show")]);
}

#[test]
fn definitions_are_exported_without_impls() {
    let store = two_crates().store();
    let ask = Queries::at(&store, AT);
    // Without the two impls.
    assert_eq!(ask.definitions().unwrap().len(), 15);
}

#[test]
fn texts_come_with_where_they_go() {
    let mut facts = two_crates();
    for key in ["a::inner", "a::inner::Color", "a::inner::shared"] {
        let hash = asof_model::TextHash::hash(key.as_bytes());
        let row: [Value; 5] =
            [hash.into(), 1.into(), Value::Null, 0.into(), Value::Bytes(key.into())];
        facts.batch().put("text", row).unwrap();
    }
    let store = facts.store();
    let parts = Queries::at(&store, AT).texts(&[id("a::inner")]).unwrap();
    let of = |key: &str| parts.iter().find(|p| p.id == id(key)).unwrap();
    assert_eq!(parts.len(), 4);
    assert_eq!(of("a::inner").source.as_deref(), Some("a::inner".as_bytes()));
    assert_eq!((of("a::inner").parent_id, of("a::inner::shared").start_byte), (None, 100));
    assert_eq!(of("a::inner::Color::Red").source, None);
}

#[test]
fn views_work_in_ad_hoc_queries() {
    let store = two_crates().store();
    let ask =
        |text: &str| Library::run_text(&store, text, &[], AT, Limits::default()).unwrap().to_json();
    let rows = ask(
        "?[name, start_line] := method[_, name, _, _, _, _, _, _, _, start_line, _]\n:order name",
    );
    assert_eq!(serde_json::to_string(&rows).unwrap(), r#"[["area",32],["show",52]]"#);
    let rows = ask("?[ordinal, name, type, start_byte] :=
           parameter[_, ordinal, _, name, type, _, start_byte, _, _, _] :order ordinal");
    let expected = r#"[[0,"self","&Self",310],[1,"scale","f64",311]]"#;
    assert_eq!(serde_json::to_string(&rows).unwrap(), expected);
}

#[test]
fn parameters_are_checked_and_read_from_text() {
    let store = two_crates().store();
    let library = Library::shipped();
    let run = |name: &str, given: &[(&str, &str)]| {
        let given: Vec<(String, Value)> =
            given.iter().map(|(n, v)| ((*n).to_owned(), (*v).into())).collect();
        library.run(&store, name, &given, AT, Limits::default())
    };
    let one = id("a::Show").to_string();
    assert_eq!(run("inspect/node_at", &[("ids", one.as_str())]).unwrap().len(), 1);
    let error = |name, given: &[(&str, &str)]| run(name, given).unwrap_err();
    assert!(matches!(error("inspect/node_at", &[]), QueryError::MissingParam { .. }));
    let bad = error("inspect/node_at", &[("ids", "x")]);
    assert_eq!(bad.to_string(), "`inspect/node_at`: `ids` must be of type [Uuid], got `x`");
    assert!(matches!(error("inspect/file", &[("file", "x")]), QueryError::UnknownParam { .. }));
    let unknown = error("resolve/bypath", &[]).to_string();
    assert!(unknown.ends_with("the nearest name is `resolve/by_path`"), "{unknown}");
}

#[test]
fn a_bad_file_of_the_users_is_named_and_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let good = "# @name mine/names\n# @doc Names.\n# @param at: Int\n# @column name: String\n\
                # @cost scan\n?[name] := struct[_, name, _, _, _, _, _, _, _, _, _]\n";
    std::fs::write(folder.path().join("good.cozo"), good).unwrap();
    for (file, text) in [
        ("a.cozo", "?[x] <- [[1]]"),
        ("b.cozo", "# @name resolve/path\n# @doc d\n# @column x: Int\n# @cost seek\n?[x] <- [[1]]"),
        ("c.cozo", "# @name x y\n"),
        ("d.cozo", "# @name x\n# @param p: Strin\n"),
        ("e.cozo", "# @name x\n# @nmae y\n"),
    ] {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let mut library = Library::shipped();
    assert_eq!(library.add_folder(folder.path()).len(), 5);
    assert!(library.add_folder(&folder.path().join("none")).is_empty());
    let store = two_crates().store();
    let rows = library.run(&store, "mine/names", &[], AT, Limits::default()).unwrap();
    assert_eq!(rows.to_json(), [["Round"]]);
}

/// A crate of `nodes` functions, thirty a file.
fn large(nodes: u32) -> Store {
    let mut facts = Facts::default();
    facts.krate("big", "src/lib.rs");
    for m in 0..nodes / 30 {
        let name = format!("m{m}");
        facts.add("big", "module", &name, [m * 10, m * 10 + 8, m, m]);
        facts.in_file(&format!("src/{name}.rs"));
        let parent = format!("big::{name}");
        for n in 0..29 {
            facts.add_last(&parent, &format!("f{n}"), [n * 100, n * 100 + 90, n * 4, n * 4 + 3]);
        }
    }
    facts.edge("big", "glob_reexports", "", "big::m3");
    facts.store()
}

#[test]
#[ignore = "a measurement: run with --nocapture"]
fn seeks_stay_flat_as_the_store_grows() {
    for nodes in [1_000, 100_000] {
        let store = large(nodes);
        let ask = Queries::at(&store, AT);
        let time = |what: &str, run: &dyn Fn()| {
            run();
            let start = Instant::now();
            (0..50).for_each(|_| run());
            println!("{nodes:>7} nodes  {what}: {:?}", start.elapsed() / 50);
        };
        time("by_path", &|| assert_eq!(ask.by_path("big::m7::f7").unwrap().len(), 1));
        time("describe", &|| assert_eq!(ask.describe(&[id("big::m7::f7")]).unwrap().len(), 1));
        time("path", &|| assert_eq!(path(&store, "big::m7::f7").1.len(), 1));
        time("path through a glob", &|| assert_eq!(path(&store, "big::f7").1.len(), 1));
        time("file_items", &|| assert_eq!(ask.file_items("src/m7.rs").unwrap().len(), 29));
    }
}
