//! The backups of the fixtures, and answers out of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use asof::engine::{Database, Refresh, ResolveRequest, When};
use asof::index::{Options, Silent};
use asof::model::Micros;
use asof::store::{Relation, SCHEMA_VERSION, Store};
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
        let work = tempfile::tempdir().unwrap();
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
        let manifest = asof::engine::verify_backup(&file).unwrap();
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
    let ready = restored("modules");
    let now = ready.database.snapshot(&When::At(Micros(i64::MAX / 2)), Refresh::Skip).unwrap();
    let kinds = now.kinds().unwrap().items;
    assert!(kinds.iter().any(|k| k.kind.as_str() == "module" && k.definitions >= 10), "{kinds:?}");
    assert_eq!(now.issues(None).unwrap().items, []);
}

#[test]
fn a_path_that_leads_nowhere_names_the_segment_and_what_is_near() {
    let ready = restored("plain");
    let now = ready.database.snapshot(&When::At(Micros(i64::MAX / 2)), Refresh::Skip).unwrap();
    let found = now.resolve(&ResolveRequest::new("crate::no_such_thing::at_all")).unwrap();
    assert_eq!(found.items(), []);
    assert_eq!(found.failed_segment.as_deref(), Some("no_such_thing"));
    assert!(found.one().unwrap_err().to_string().contains("no_such_thing"));
}

#[test]
fn an_empty_crate_path_is_every_crate() {
    check("plain", &[("no::such::crate", &[])]);
}
