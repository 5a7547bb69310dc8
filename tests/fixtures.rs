//! The backups of the fixtures, and answers from them.

use crate::support;
use crate::support::tempdir;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use asof::{Database, Refresh, When};
use asof_index::{Options, Silent};
use asof_model::{Micros, NodeId, NodeKind};
use asof_query::{Library, Queries};
use asof_store::{Limits, Relation, SCHEMA_VERSION, Store};
use asof_wire::{Mode, ResolveRequest};
use support::Copy;
use support::backups::{registry, restored};

/// Every versioned row at NOW, as text.
fn rows(store: &Store) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for relation in Relation::all().filter(|r| r.versioned) {
        let found = store.rows_at(relation.name, Micros(i64::MAX - 1)).unwrap();
        rows.extend(found.to_json().iter().map(|row| format!("{} {row:?}", relation.name)));
    }
    rows
}

#[test]
fn every_backup_equals_a_fresh_index() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let fixtures: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap())
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().into_string().unwrap())
        .collect();
    let listed: BTreeSet<String> =
        registry().iter().map(|e| e["fixture"].as_str().unwrap().to_owned()).collect();
    assert_eq!(fixtures, listed, "run: cargo run --example regenerate_backups");
    for fixture in fixtures {
        let work = tempdir();
        let root = work.path().join(&fixture);
        fs::rename(Copy::of_fixture(&fixture).into_root(work.path()), &root).unwrap();
        let fresh = Database::create_or_open(&root).unwrap();
        fresh.refresh(&Options::default(), &Silent).unwrap();
        let verified = fresh.verify().unwrap();
        assert!(verified.sound && verified.stale_files.is_empty(), "{fixture}: {verified:?}");
        let (fresh, ready) = (rows(fresh.store()), rows(restored(&fixture).database.store()));
        let missing: Vec<_> = fresh.difference(&ready).take(3).collect();
        let extra: Vec<_> = ready.difference(&fresh).take(3).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{fixture} is out of date; run: cargo run --example regenerate_backups\n\
             missing {missing:#?}\nextra {extra:#?}"
        );
    }
}

#[test]
fn every_backup_is_of_this_schema_and_whole() {
    for entry in registry() {
        let file = support::backups::folder().join(entry["file"].as_str().unwrap());
        let manifest = asof::verify_backup(&file).unwrap();
        assert_eq!(manifest.schema_version, SCHEMA_VERSION);
        assert_eq!(entry["content_hash"], manifest.content_hash.as_str());
    }
}

/// What paths of a fixture mean: `path => kind canonical file:line`, one a line.
fn check(fixture: &str, expected: &[(&str, &[&str])]) {
    let ready = restored(fixture);
    let now = ready.database.snapshot(&When::At(Micros(i64::MAX / 2)), Refresh::Skip).unwrap();
    for (path, lines) in expected {
        let found = now.resolve(&ResolveRequest::new(path)).unwrap();
        let mut have: Vec<String> = found
            .items()
            .iter()
            .map(|i| {
                let path = i.path.as_deref().unwrap_or("-");
                format!("{} {path} {}", i.kind, i.file_path)
            })
            .collect();
        have.sort();
        assert_eq!(&have, lines, "{fixture}: {path}, suggestions {:?}", found.suggestions);
    }
}

#[test]
fn modules_are_found_in_all_their_forms() {
    check(
        "modules",
        &[
            ("modules", &["module modules src/lib.rs"]),
            ("modules::beside", &["module modules::beside src/beside.rs"]),
            ("modules::beside::braces", &["module modules::beside::braces src/beside.rs"]),
            (
                "modules::beside::braces::leaf",
                &["module modules::beside::braces::leaf src/beside/braces/leaf.rs"],
            ),
            (
                "modules::beside::braces::twig",
                &["module modules::beside::braces::twig src/beside/braces/twig_file.rs"],
            ),
            ("modules::beside::child", &["module modules::beside::child src/beside/child.rs"]),
            ("modules::beside::near", &["module modules::beside::near src/sibling.rs"]),
            ("modules::folder", &["module modules::folder src/folder/mod.rs"]),
            (
                "modules::folder::deeper::bottom",
                &["module modules::folder::deeper::bottom src/folder/deeper/bottom.rs"],
            ),
            ("modules::outer::middle", &["module modules::outer::middle src/lib.rs"]),
            (
                "modules::outer::middle::by_path",
                &["module modules::outer::middle::by_path src/outer/middle/given.rs"],
            ),
            (
                "modules::outer::middle::file",
                &["module modules::outer::middle::file src/outer/middle/file.rs"],
            ),
            ("modules::packed", &["module modules::packed src/lib.rs"]),
            ("modules::packed::part", &["module modules::packed::part src/bundle/part.rs"]),
            ("modules::renamed", &["module modules::renamed src/elsewhere/odd_name.rs"]),
            (
                "modules::renamed::helper",
                &["module modules::renamed::helper src/elsewhere/helper.rs"],
            ),
            ("modules::type", &["module modules::type src/type.rs"]),
            (
                "modules::sys",
                &["module modules::sys src/sys/other.rs", "module modules::sys src/sys/unix.rs"],
            ),
        ],
    );
    let ready = restored("modules");
    let now = ready.database.snapshot(&When::At(Micros(i64::MAX / 2)), Refresh::Skip).unwrap();
    assert_eq!(now.issues(None).unwrap().items, []);
}

#[test]
fn an_unresolved_path_names_the_segment_that_fails() {
    let ready = restored("plain");
    let now = ready.database.snapshot(&When::At(Micros(i64::MAX / 2)), Refresh::Skip).unwrap();
    let found = now.resolve(&ResolveRequest::new("crate::no_such_thing::at_all")).unwrap();
    assert_eq!(found.items(), []);
    assert_eq!(found.failed_segment.as_deref(), Some("no_such_thing"));
    assert!(found.unique().unwrap_err().to_string().contains("no_such_thing"));
}

#[test]
fn paths_resolve_through_reexports_and_names_of_crates() {
    check(
        "reexports",
        &[
            ("no::such::crate", &[]),
            ("base", &["module base base/src/lib.rs"]),
            // A chain of three, a renamed crate, a crate re-exported under another name.
            ("re_facade::first::Round", &["struct base::shapes::Circle base/src/shapes.rs"]),
            (
                "re_facade::ground::shapes::Circle",
                &["struct base::shapes::Circle base/src/shapes.rs"],
            ),
            ("app::own::assist", &["function app::helper app/src/main.rs"]),
            // A name defined beside a glob hides that of the glob.
            ("re_facade::all::Square", &["struct re_facade::all::Square facade/src/lib.rs"]),
            ("re_facade::chosen::side", &["function re_facade::right::side facade/src/lib.rs"]),
        ],
    );
}

/// Every canonical path of a fixture resolves to its definition, and the program gives what
/// `resolve` gives: for those paths, their ends, and paths through imports.
#[test]
fn paths_mean_the_same_to_the_program_and_to_resolve() {
    let fixtures = registry();
    let public: usize = std::thread::scope(|scope| {
        let names = fixtures.iter().map(|entry| entry["fixture"].as_str().unwrap());
        let running: Vec<_> =
            names.map(|fixture| scope.spawn(move || compare_paths(fixture))).collect();
        running.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert!(public > 20, "{public} paths through imports");
}

/// Compares all paths of a fixture, each once; returns the number of paths through imports.
fn compare_paths(fixture: &str) -> usize {
    let ready = restored(fixture);
    let now = ready.database.snapshot(&When::At(Micros(i64::MAX / 2)), Refresh::Skip).unwrap();
    let (library, store) = (Library::shipped(), ready.database.store());
    let mut compared: HashMap<String, (Mode, Vec<NodeId>)> = HashMap::new();
    let mut compare = |path: &str| -> (Mode, Vec<NodeId>) {
        if let Some(known) = compared.get(path) {
            return known.clone();
        }
        let found = now.resolve(&ResolveRequest::new(path)).unwrap();
        let ids: Vec<NodeId> = found.items().iter().map(|item| item.id).collect();
        let given = [("path".to_owned(), path.into())];
        let rows = library.run(store, "resolve/path", &given, now.at(), Limits::default());
        let rows = rows.unwrap();
        let modes: BTreeSet<String> = rows.column("mode").unwrap().into_iter().collect();
        let mode = if found.mode == Mode::Strict { "strict" } else { "relaxed" };
        assert!(modes.iter().all(|m| m == mode), "{fixture}: {path} {modes:?}");
        assert_eq!(rows.column::<NodeId>("id").unwrap(), ids, "{fixture}: {path}");
        compared.insert(path.to_owned(), (found.mode, ids.clone()));
        (found.mode, ids)
    };
    for definition in Queries::at(store, now.at()).definitions().unwrap() {
        let path = &definition.canonical_path;
        if path.starts_with('<') {
            let name = path.rsplit("::").next().unwrap();
            if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                compare(name);
            }
            let found = now.resolve(&ResolveRequest::new(path)).unwrap();
            assert!(found.items().iter().any(|i| i.id == definition.id), "{fixture}: {path}");
            continue;
        }
        let (mode, ids) = compare(path);
        if definition.kind == NodeKind::ExternCrate {
            // The crate is meant, if it is one of the workspace.
            assert!(!ids.is_empty(), "{fixture}: {path}");
            continue;
        }
        // The name of a crate alone may be that of other items, too.
        let is_settled = mode == Mode::Strict || !path.contains("::");
        assert!(is_settled && ids.contains(&definition.id), "{fixture}: {path}");
        if let Some((above, name)) = path.rsplit_once("::")
            && let Some((_, holder)) = above.rsplit_once("::")
        {
            compare(name);
            let (mode, ids) = compare(&format!("{holder}::{name}"));
            assert!(mode == Mode::Strict || ids.contains(&definition.id), "{fixture}: {path}");
        }
    }
    let text = "?[path] := *edge{source, kind, name, target @ $at}, \
                kind in ['imports', 'reexports'], *node{id: source, path: above @ $at}, \
                !is_null(above), *node{id: target @ $at}, path = concat(above, '::', name)";
    let rows = Library::run_text(store, text, &[], now.at(), Limits::default()).unwrap();
    let mut public = 0;
    for path in rows.column::<String>("path").unwrap() {
        if !path.ends_with("::_") {
            assert!(!compare(&path).1.is_empty(), "{fixture}: {path}");
            public += 1;
        }
    }
    public
}
