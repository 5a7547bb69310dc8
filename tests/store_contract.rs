//! Every behaviour of the engine that we rely on, through our own interface only. Another
//! version of the engine, or another engine, has to pass this.

use std::time::{Duration, Instant};

use asof_model::Micros;
use asof_store::{Batch, Limits, Params, Relation, Store, StoreError, Value};
use serde_json::json;
use uuid::Uuid;

use crate::support::tempdir;

fn text(s: &str) -> Value {
    Value::from(s)
}

fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

fn at(micros: i64) -> Params {
    Params::new().with("at", Micros(micros))
}

/// The answer as JSON text: short to compare.
fn ask(store: &Store, script: &str, params: &Params) -> String {
    json!(store.run(script, params).unwrap_or_else(|err| panic!("{err}")).to_json()).to_string()
}

fn fail(store: &Store, script: &str) -> StoreError {
    store.run(script, &Params::new()).expect_err(script)
}

fn memory() -> Store {
    Store::in_memory().unwrap()
}

/// Each kind of store once, with the folder that keeps it.
fn both() -> [(Store, Option<tempfile::TempDir>); 2] {
    let dir = tempdir();
    let file = Store::create(&dir.path().join("db")).unwrap();
    [(memory(), None), (file, Some(dir))]
}

fn module(batch: &mut Batch, time: i64, asserted: bool, n: u128, path: &[&str]) {
    let values =
        [Value::list(path.iter().copied()), Value::Null, text("inline"), id(1).into(), text("h")];
    let time = Micros(time);
    if asserted {
        batch.assert("module", time, [id(n).into()], values)
    } else {
        batch.retract("module", time, [id(n).into()], values)
    }
    .unwrap();
}

fn names(batch: &mut Batch, time: i64, count: u128) {
    for n in 0..count {
        let key = [text(&format!("n{}", n % 100)), id(n).into()];
        batch.assert("node_by_name", Micros(time), key, []).unwrap();
    }
}

#[test]
fn as_of_sees_what_held_then() {
    for (store, _dir) in both() {
        let mut batch = Batch::new();
        module(&mut batch, 10, true, 1, &["a"]);
        module(&mut batch, 20, true, 1, &["b"]);
        module(&mut batch, 30, false, 1, &["b"]);
        module(&mut batch, 40, true, 1, &["c"]);
        assert_eq!(store.commit(batch).unwrap().total(), 4);
        let seen = |micros| ask(&store, "?[path] := *module{path @ $at}", &at(micros));
        assert_eq!(seen(9), "[]");
        assert_eq!(seen(10), r#"[[["a"]]]"#);
        assert_eq!(seen(19), r#"[[["a"]]]"#);
        assert_eq!(seen(20), r#"[[["b"]]]"#);
        assert_eq!(seen(30), "[]");
        assert_eq!(seen(39), "[]");
        assert_eq!(seen(40), r#"[[["c"]]]"#);
        assert_eq!(ask(&store, "?[path] := *module{path @ 'NOW'}", &Params::new()), r#"[[["c"]]]"#);
        let all = ask(
            &store,
            "?[t, yes] := *module{at}, t = to_int(at), yes = to_bool(at)",
            &Params::new(),
        );
        assert_eq!(all, "[[10,true],[20,true],[30,false],[40,true]]");
    }
}

#[test]
fn the_future_is_not_now_and_times_may_be_written_as_text() {
    let store = memory();
    let mut batch = Batch::new();
    module(&mut batch, 1_767_225_600_000_000, true, 1, &["year 2026"]);
    module(&mut batch, i64::MAX - 10, true, 2, &["far"]);
    store.commit(batch).unwrap();
    let none = Params::new();
    assert_eq!(
        ask(&store, "?[path] := *module{path @ '2026-01-01T00:00:00Z'}", &none),
        r#"[[["year 2026"]]]"#
    );
    assert_eq!(ask(&store, "?[path] := *module{path @ '2025-12-31T23:59:59Z'}", &none), "[]");
    assert_eq!(ask(&store, "?[path] := *module{path @ 'NOW'}", &none), r#"[[["year 2026"]]]"#);
    let float = store.run("?[path] := *module{path @ $at}", &Params::new().with("at", 1e15));
    assert!(matches!(float, Err(StoreError::Query { .. })), "floats are no times");
}

#[test]
fn at_one_microsecond_the_new_value_replaces_the_old() {
    for (store, _dir) in both() {
        let mut batch = Batch::new();
        module(&mut batch, 10, true, 1, &["a"]);
        store.commit(batch).unwrap();
        // An update of a looked-up column: the old key retracted, the new one asserted.
        let mut batch = Batch::new();
        module(&mut batch, 20, false, 1, &["a"]);
        module(&mut batch, 20, true, 1, &["b"]);
        store.commit(batch).unwrap();
        assert_eq!(ask(&store, "?[path] := *module{path @ $at}", &at(20)), r#"[[["b"]]]"#);
        assert_eq!(ask(&store, "?[path] := *module{path @ $at}", &at(19)), r#"[[["a"]]]"#);
    }
}

#[test]
fn negation_and_joins_see_the_same_time() {
    for (store, _dir) in both() {
        let mut batch = Batch::new();
        for (n, name) in [(1, "x"), (2, "y")] {
            batch.assert("node_by_name", Micros(10), [text(name), id(n).into()], []).unwrap();
            module(&mut batch, 10, true, n, &[name]);
        }
        module(&mut batch, 20, false, 2, &["y"]);
        store.commit(batch).unwrap();
        let gone = "?[name] := *node_by_name{name, id @ $at}, not *module{id @ $at}";
        assert_eq!(ask(&store, gone, &at(15)), "[]");
        assert_eq!(ask(&store, gone, &at(20)), r#"[["y"]]"#);
        assert_eq!(ask(&store, &gone.replace("$at", "'NOW'"), &Params::new()), r#"[["y"]]"#);
        let joined = "?[name, path] := *node_by_name{name, id @ $at}, *module{id, path @ $at}";
        assert_eq!(ask(&store, joined, &at(20)), r#"[["x",["x"]]]"#);
    }
}

#[test]
fn a_batch_removes_and_puts_in_one_step() {
    for (store, _dir) in both() {
        let mut batch = Batch::new();
        batch.put("meta", [text("a"), text("1")]).unwrap();
        batch.put("meta", [text("b"), text("1")]).unwrap();
        store.commit(batch).unwrap();
        let mut batch = Batch::new();
        batch.put("meta", [text("b"), text("2")]).unwrap();
        batch.put("meta", [text("c"), text("2")]).unwrap();
        batch.remove("meta", [text("a")]).unwrap();
        batch.remove("meta", [text("c")]).unwrap();
        batch.remove("meta", [text("never there")]).unwrap();
        let written = store.commit(batch).unwrap();
        assert_eq!(written.rows["meta"], 5);
        let rows = ask(
            &store,
            "?[key, value] := *meta{key, value}, key != 'schema_version'",
            &Params::new(),
        );
        assert_eq!(rows, r#"[["b","2"],["c","2"]]"#, "removals come before puts");
    }
}

#[test]
fn a_row_that_does_not_fit_sinks_its_whole_batch() {
    for (store, _dir) in both() {
        let mut batch = Batch::new();
        names(&mut batch, 10, 100);
        let row = |len: Value| [text("h"), len, Value::Null, 0.into(), Value::Bytes(vec![1])];
        let misfit = row(text("not a number"));
        let error = batch.put("text", misfit).unwrap_err();
        assert!(error.to_string().contains("`len` is Int"), "{error}");
        for _ in 0..2 {
            batch.put("text", row(Value::Int(1))).unwrap();
        }
        let error = store.commit(batch).unwrap_err();
        assert!(error.to_string().contains("two rows have the same key"), "{error}");
        assert_eq!(ask(&store, "?[count(id)] := *node_by_name{id}", &Params::new()), "[[0]]");
        assert_eq!(ask(&store, "?[hash] := *text{hash}", &Params::new()), "[]");
        let mut batch = Batch::new();
        batch.put("meta", [text("still"), text("works")]).unwrap();
        store.commit(batch).unwrap();
    }
    let mut batch = Batch::new();
    assert!(matches!(batch.put("meta", [text("a")]), Err(StoreError::Row { .. })));
    assert!(matches!(batch.put("nothing", []), Err(StoreError::Row { .. })));
    assert!(matches!(batch.put("module", []), Err(StoreError::Row { .. })));
    assert!(matches!(batch.assert("meta", Micros(1), [], []), Err(StoreError::Row { .. })));
    assert!(batch.is_empty());
    batch.put("meta", [text("a"), text("1")]).unwrap();
    batch.put("meta", [text("a"), text("2")]).unwrap();
    assert!(matches!(memory().commit(batch), Err(StoreError::Row { .. })), "two rows of one key");
}

#[test]
fn keys_order_by_value_and_by_code_point() {
    for (store, _dir) in both() {
        let mut batch = Batch::new();
        for (n, name) in
            ["é", "a", "ä", "z", "日本", "", "a b", "A", "🦀", "a\u{0}b"].iter().enumerate()
        {
            batch.put("meta", [text(name), text(&n.to_string())]).unwrap();
        }
        for time in [-5i64, 300, 7, i64::MAX, 0] {
            let rest = [
                id(1).into(),
                text("scan"),
                Value::Null,
                Value::Null,
                Value::Null,
                0i64.into(),
                0i64.into(),
                Value::Null,
            ];
            batch.put("revision", [Value::Int(time)].into_iter().chain(rest)).unwrap();
        }
        store.commit(batch).unwrap();
        let keys: Vec<String> = store
            .run("?[key] := *meta{key}, key != 'schema_version'", &Params::new())
            .unwrap()
            .column("key")
            .unwrap();
        assert_eq!(keys, ["", "A", "a", "a\u{0}b", "a b", "z", "ä", "é", "日本", "🦀"]);
        let params = Params::new().with("key", "🦀");
        assert_eq!(ask(&store, "?[value] := *meta{key: $key, value}", &params), r#"[["8"]]"#);
        let times = ask(&store, "?[at] := *revision{at}", &Params::new());
        assert_eq!(times, format!("[[-5],[0],[7],[300],[{}]]", i64::MAX));
        assert_eq!(ask(&store, "?[max(at)] := *revision{at}, at < 300", &Params::new()), "[[7]]");
    }
}

#[test]
fn lists_unnest_and_large_values_return_whole() {
    for (store, _dir) in both() {
        let big: Vec<u8> =
            (0..3_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut batch = Batch::new();
        module(&mut batch, 10, true, 1, &["crate", "imports"]);
        let source = Value::Bytes(big.clone());
        let row = [text("h"), 3_000_000u32.into(), Value::Null, 0.into(), source];
        batch.put("text", row).unwrap();
        store.commit(batch).unwrap();
        let parts = "?[x] := *module{path @ $at}, x in path";
        assert_eq!(ask(&store, parts, &at(10)), r#"[["crate"],["imports"]]"#);
        assert_eq!(
            ask(&store, "?[y] := *module{path @ $at}, y = get(path, 1)", &at(10)),
            r#"[["imports"]]"#
        );
        let rows = store.run("?[source] := *text{hash: 'h', source}", &Params::new()).unwrap();
        assert_eq!(rows.column::<Vec<u8>>("source").unwrap(), [big]);
        let given = Params::new().with("ids", Value::list([id(1), id(2)]));
        assert_eq!(
            ask(&store, "?[k] := k in $ids, *module{id: k @ 'NOW'}", &given),
            format!(r#"[["{}"]]"#, id(1))
        );
    }
}

#[test]
fn json_is_kept_and_reached_into() {
    let store = memory();
    let header = json!({"is": "import", "leaves": [{"path": ["a", "b"], "glob": true}], "n": 3});
    let params = Params::new().with("header", Value::Json(header.clone()));
    assert_eq!(ask(&store, "?[h] <- [[$header]]", &params), json!([[header]]).to_string());
    assert_eq!(ask(&store, "?[x] := h = $header, x = h -> 'is'", &params), r#"[["import"]]"#);
    assert_eq!(
        ask(&store, "?[x] := h = $header, x = h -> 'leaves' -> 0 -> 'path' -> 1", &params),
        r#"[["b"]]"#
    );
    assert_eq!(
        ask(&store, "?[x] := h = $header, l = get(h, 'leaves'), x = get(l, 0) -> 'glob'", &params),
        "[[true]]"
    );
}

#[test]
fn a_bound_prefix_of_the_key_is_a_seek() {
    let (store, _dir) = both().into_iter().nth(1).unwrap();
    let mut batch = Batch::new();
    names(&mut batch, 10, 20_000);
    store.commit(batch).unwrap();
    let plan = |script: &str| {
        let params = at(10).with("name", "n1").with("id", id(1));
        let ops = store.explain(script, &params).unwrap().column::<Option<String>>("op").unwrap();
        ops.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let seek = plan("?[id] := *node_by_name{name: $name, id @ $at}");
    let scan = plan("?[name] := *node_by_name{name, id: $id @ $at}");
    assert!(seek.contains("prefix_join") && !seek.contains("mat_join"), "{seek}");
    assert!(scan.contains("mat_join"), "{scan}");
    let both = plan("?[id] := *node_by_name{name: $name, id @ 'NOW'}");
    assert!(both.contains("prefix_join") && !both.contains("mat_join"), "{both}");
    let time = |script: &str| {
        let params = at(10).with("name", "n1").with("id", id(1));
        store.run(script, &params).unwrap();
        let begin = Instant::now();
        store.run(script, &params).unwrap();
        begin.elapsed()
    };
    let seek = time("?[id] := *node_by_name{name: $name, id @ $at}");
    let scan = time("?[name] := *node_by_name{name, id: $id @ $at}");
    assert!(seek * 5 < scan, "seek {seek:?}, scan {scan:?}");
}

#[test]
fn recursion_from_a_seed_does_not_read_the_whole_relation() {
    let store = memory();
    let mut batch = Batch::new();
    for n in 1..20_000u128 {
        let key = [text(&id(n).to_string()), id(n / 2).into()];
        batch.assert("node_by_path", Micros(10), key, []).unwrap();
    }
    store.commit(batch).unwrap();
    let script = "up[p] := p = $seed
        up[p] := up[c], *node_by_path{path: c, id @ $at}, p = to_string(id), id != to_uuid($root)
        ?[p] := up[p]";
    let params = at(10).with("seed", id(19_999).to_string()).with("root", id(0).to_string());
    let begin = Instant::now();
    assert_eq!(store.run(script, &params).unwrap().len(), 15);
    assert!(begin.elapsed() < Duration::from_millis(100), "{:?}", begin.elapsed());
}

#[test]
fn nothing_writes_through_a_query() {
    for (store, _dir) in both() {
        for script in [
            "?[key, value] <- [['a', 'b']] :put meta {key => value}",
            "?[key] <- [['schema_version']] :rm meta {key}",
            "?[a] <- [[1]] :create other {a}",
            "?[a] <- [[1]] :replace meta {a}",
            "::remove meta",
            "::rename meta -> other",
            "::index create meta:x {value}",
            "::access_level read_only meta",
            "{?[key, value] <- [['a', 'b']] :put meta {key => value}}",
            "?[a] <~ CsvReader(types: ['String'], url: 'file:///etc/passwd')",
            "?[a] <~ JsonReader(url: 'file:///etc/passwd', fields: ['a'])",
        ] {
            let error = fail(&store, script);
            assert!(matches!(error, StoreError::Query { .. }), "{script}: {error:?}");
            let error = store.run_bounded(script, &Params::new(), Limits::default()).unwrap_err();
            assert!(
                matches!(error, StoreError::Guard { .. } | StoreError::Query { .. }),
                "{script}"
            );
        }
        assert_eq!(ask(&store, "?[key] := *meta{key}", &Params::new()), r#"[["schema_version"]]"#);
    }
}

#[test]
fn limits_of_time_memory_and_rows_hold() {
    let store = memory();
    let mut batch = Batch::new();
    names(&mut batch, 10, 3000);
    store.commit(batch).unwrap();
    let product = "?[count(a)] := *node_by_name{id: a @ 'NOW'}, *node_by_name{id: b @ 'NOW'}, *node_by_name{id: c @ 'NOW'}, a != b, b != c";
    let limits = Limits { time: Duration::from_millis(300), ..Limits::default() };
    let begin = Instant::now();
    let error = store.run_bounded(product, &Params::new(), limits).unwrap_err();
    assert!(matches!(error, StoreError::Timeout { .. }), "{error:?}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let wide = "?[a, b] := *node_by_name{id: a @ 'NOW'}, *node_by_name{id: b @ 'NOW'}";
    let limits = Limits { memory_bytes: 1 << 20, ..Limits::default() };
    let error = store.run_bounded(wide, &Params::new(), limits).unwrap_err();
    assert!(matches!(error, StoreError::MemoryLimit { limit: 1_048_576, .. }), "{error:?}");
    let some = "?[id] := *node_by_name{id @ 'NOW'}";
    let rows = |rows| {
        store.run_bounded(some, &Params::new(), Limits { rows, ..Limits::default() }).unwrap()
    };
    assert_eq!((rows(7).len(), rows(7).truncated()), (7, true));
    assert_eq!((rows(3000).len(), rows(3000).truncated()), (3000, false));
    let loops = "%loop { ?[a] <- [[1]] } %end";
    assert!(matches!(
        store.run_bounded(loops, &Params::new(), limits),
        Err(StoreError::Guard { .. })
    ));
}

#[test]
fn errors_point_into_the_query() {
    let store = memory();
    let error = fail(&store, "# @name demo/broken\n?[a] := *meta{key: a},, b");
    let StoreError::Query { query, span: Some((offset, _)), excerpt, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(query, "demo/broken");
    assert!((20..46).contains(offset), "{offset}");
    assert!(excerpt.contains("   2 | ?[a] := *meta{key: a},, b"), "{excerpt}");
    let error = fail(&store, "?[a] := *nowhere{a}");
    assert!(error.to_string().contains("nowhere"), "{error}");
    let rows = store.run("?[key, value] := *meta{key, value}", &Params::new()).unwrap();
    let error = rows
        .column::<u32>("value")
        .map(|_| ())
        .and(rows.column::<i64>("value").map(|_| ()))
        .unwrap_err();
    assert!(error.to_string().starts_with("query: column `value` should be int"), "{error}");
    let error = rows.column::<String>("other").unwrap_err();
    assert!(error.to_string().contains("key, value"), "{error}");
    assert_eq!(rows.column::<Option<String>>("value").unwrap().len(), 1);
}

#[test]
fn every_relation_takes_a_row_of_its_types() {
    for (store, _dir) in both() {
        for relation in Relation::all() {
            let sample = |kind: &str| match kind {
                kind if kind.ends_with('?') => Value::Null,
                "String" => text("x"),
                "Int" => Value::Int(1),
                "Float" => Value::Float(0.5),
                "Bool" => Value::Bool(true),
                "Uuid" => Value::Uuid(id(1)),
                "Bytes" => Value::Bytes(vec![1, 2]),
                "Json" => Value::Json(json!({"a": [1]})),
                kind if kind.starts_with("[[") => Value::List(vec![Value::List(vec![])]),
                kind if kind.starts_with('[') => Value::List(vec![]),
                other => panic!("a column of type {other}"),
            };
            let mut batch = Batch::new();
            let key: Vec<_> = relation.key.iter().map(|c| sample(c.kind)).collect();
            let values: Vec<_> = relation.values.iter().map(|c| sample(c.kind)).collect();
            if relation.versioned {
                batch.assert(relation.name, Micros(5), key, values).unwrap()
            } else {
                batch.put(relation.name, key.into_iter().chain(values)).unwrap()
            }
            store.commit(batch).unwrap_or_else(|err| panic!("{}: {err}", relation.name));
            let column = relation.key[0].name;
            let time = if relation.versioned { " @ 5" } else { "" };
            let script = format!("?[{column}] := *{}{{{column}{time}}}", relation.name);
            assert!(!store.run(&script, &Params::new()).unwrap().is_empty(), "{script}");
        }
    }
}

#[test]
fn threads_of_one_process_read_beside_a_writer() {
    let (store, _dir) = both().into_iter().nth(1).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..50 {
                    // Each commit holds 100 rows: any other number is half a commit.
                    let seen =
                        store.run("?[count(id)] := *node_by_name{id}", &Params::new()).unwrap();
                    assert_eq!(seen.column::<i64>("count(id)").unwrap()[0] % 100, 0);
                }
            });
        }
        for time in 0..20 {
            let mut batch = Batch::new();
            names(&mut batch, time, 100);
            store.commit(batch).unwrap();
        }
    });
}

#[test]
fn deep_histories_read_the_same_on_both_engines() {
    let stores = both();
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut roll = |sides: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % sides
    };
    // From facts with one version to facts with fifty, asserted and retracted at random.
    let history: Vec<(i64, bool, u128)> = (0..60u128)
        .flat_map(|n| (0..1 + n % 50).map(move |_| n))
        .map(|n| ((n, roll(200) as i64), roll(3) > 0))
        .collect::<std::collections::BTreeMap<_, _>>()
        .into_iter()
        .map(|((n, time), asserted)| (time, asserted, n))
        .collect();
    for (store, _) in &stores {
        let mut batch = Batch::new();
        for (time, asserted, n) in &history {
            module(&mut batch, *time, *asserted, *n, &[&format!("{n}@{time}")]);
        }
        store.commit(batch).unwrap();
    }
    let [(one, _), (two, _)] = &stores;
    for time in -1..202 {
        let all = "?[id, path] := *module{id, path @ $at}";
        assert_eq!(ask(one, all, &at(time)), ask(two, all, &at(time)), "at {time}");
        let some = "?[id, path] := id in $ids, *module{id, path @ $at}";
        let params = at(time).with("ids", Value::list((40..60).map(id)));
        assert_eq!(ask(one, some, &params), ask(two, some, &params), "at {time}");
    }
}
