//! After random renames, moves, deletions and changes of signatures, the rows at NOW equal those of a
//! new index; and taken back, they leave every byte as it was.
//!
//! `ASOF_SEQUENCES=200 cargo test --test suite refactor_sequences::` runs more; `ASOF_SEED` starts
//! elsewhere.

use std::collections::BTreeMap;

use crate::support;

use asof_index::Silent;

use asof::{Database, EditOptions};
use asof_store::Params;
use asof_wire::EditRequest;
use serde_json::{Value as Json, json};
use support::edits::Rng;
use support::{Copy, differences_from_fresh, files, options};

/// Refactorings of a sequence.
const STEPS: usize = 5;

const FIXTURES: [&str; 4] = ["items", "modules", "cfg", "reexports"];

/// Names that they get: some are taken.
const NAMES: [&str; 6] = ["fresh", "Fresh", "Square", "engine", "helper", "other"];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The source files with their contents.
fn sources(copy: &Copy) -> BTreeMap<String, Vec<u8>> {
    let paths = files(&copy.root).into_iter().filter(|path| path.ends_with(".rs"));
    paths.map(|path| (path.clone(), std::fs::read(copy.root.join(path)).unwrap())).collect()
}

/// Kind and path of each item, and the paths of modules.
fn items(database: &Database) -> (Vec<[String; 2]>, Vec<String>) {
    let script =
        "?[kind, path] := *node{kind, path, made: false @ 'NOW'}, path != null, path != ''";
    let rows = database.store().run(script, &Params::new()).unwrap().to_json();
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let items: Vec<[String; 2]> = rows.iter().map(|row| [text(&row[0]), text(&row[1])]).collect();
    let modules = items.iter().filter(|[kind, _]| kind == "module");
    let modules = modules.map(|[_, path]| path.clone()).collect();
    (items, modules)
}

/// A request for one of the items.
fn request(rng: &mut Rng, items: &[[String; 2]], modules: &[String]) -> Json {
    let [kind, path] = rng.pick(items).unwrap();
    let name = rng.pick(&NAMES).unwrap();
    match rng.below(6) {
        0 | 1 => json!({ "mode": "rename", "path": path, "kind": kind, "to": name }),
        2 | 3 => {
            let module = rng.pick(modules).unwrap();
            let to = if rng.below(3) == 0 { format!("{module}::{name}") } else { module.clone() };
            json!({ "mode": "move", "path": path, "kind": kind, "to": to })
        }
        4 => json!({ "mode": "delete", "path": path, "kind": kind, "uses": "with_uses" }),
        _ => json!({
            "mode": "change_signature", "path": path, "kind": kind,
            "changes": [{ "add": { "name": "added", "type": "u8", "value": "7" } }],
        }),
    }
}

#[test]
fn rows_are_those_of_a_new_index_and_all_can_be_taken_back() {
    let mut applied: BTreeMap<String, usize> = BTreeMap::new();
    let first = number("ASOF_SEED", 1);
    for seed in first..first + number("ASOF_SEQUENCES", 8) {
        let fixture = FIXTURES[seed as usize % FIXTURES.len()];
        let copy = Copy::of_fixture(fixture);
        let before = sources(&copy);
        let database = Database::create_or_open(&copy.root).unwrap();
        database.refresh(&options(), &Silent).unwrap();
        let mut rng = Rng::new(seed);
        let (mut told, mut done) = (format!("{fixture}, seed {seed}\n"), 0);
        for _ in 0..4 * STEPS {
            let (items, modules) = items(&database);
            let edit = request(&mut rng, &items, &modules);
            let wanted: EditRequest = serde_json::from_value(json!({ "edits": [edit] })).unwrap();
            told.push_str(&format!("{edit}\n"));
            // What is refused has written nothing; that is compared below, too.
            if database.edit(&wanted, &EditOptions::default()).is_err() {
                continue;
            }
            *applied.entry(edit["mode"].as_str().unwrap().to_owned()).or_default() += 1;
            done += 1;
            let found = differences_from_fresh(database.store(), &copy.root);
            assert!(found.is_empty(), "{told}{found}");
            if done == STEPS {
                break;
            }
        }
        for _ in 0..done {
            database.undo_edit(None, &EditOptions::default()).unwrap_or_else(|error| {
                panic!("{told}{error}");
            });
        }
        assert!(sources(&copy) == before, "{told}the files are not as they were");
    }
    for mode in ["rename", "move", "delete", "change_signature"] {
        assert!(applied.get(mode).is_some_and(|count| *count > 1), "{applied:?}");
    }
}
