//! Backups: a backup is restored as it was, and a damaged one is refused without loss.

use std::fs;
use std::path::{Path, PathBuf};

use asof_model::Micros;
use asof_store::{Batch, Params, Store, StoreError, Value, backup};
use uuid::Uuid;

use crate::support::tempdir;

fn text(s: &str) -> Value {
    Value::from(s)
}

/// A database with some rows in it.
fn filled(path: &Path, seed: u128) -> Store {
    let store = Store::create(path).unwrap();
    for (time, part) in [(10i64, 0..300u128), (20, 300..500)] {
        let mut batch = Batch::new();
        for n in part {
            let id = Uuid::from_u128(n * 7919 % 500 + seed);
            let key = [text(&format!("name {n}")), id.into()];
            batch.assert("node_by_name", Micros(time), key, []).unwrap();
            batch
                .put(
                    "text",
                    [
                        text(&format!("h{n}")),
                        9i64.into(),
                        Value::Null,
                        0.into(),
                        Value::Bytes(vec![n as u8; 900]),
                    ],
                )
                .unwrap();
        }
        batch.put("meta", [text("project"), text("demo")]).unwrap();
        let rest = [
            Value::Uuid(Uuid::nil()),
            text("scan"),
            Value::Null,
            Value::Null,
            Value::Null,
            0i64.into(),
            0i64.into(),
            Value::Null,
        ];
        batch.put("revision", [Value::Int(time)].into_iter().chain(rest)).unwrap();
        store.commit(batch).unwrap();
    }
    store
}

fn state(store: &Store) -> String {
    let mut all = String::new();
    for script in [
        "?[name, id, at] := *node_by_name{name, id, at}",
        "?[hash, source] := *text{hash, source}",
        "?[key, value] := *meta{key, value}",
    ] {
        all += &serde_json::json!(store.run(script, &Params::new()).unwrap().to_json()).to_string();
    }
    all
}

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempdir() }
    }
    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
    /// Names of everything in the folder.
    fn listing(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_backup_comes_back_whole() {
    let place = Place::new();
    let store = filled(&place.at("db"), 0);
    let before = state(&store);
    // The store is open and its log is not moved into the file: the backup has it all.
    let manifest = backup::create(&store, &place.at("b")).unwrap();
    assert_eq!(manifest.row_counts["node_by_name"], 500);
    assert_eq!(manifest.row_counts["text"], 500);
    assert_eq!(manifest.created_from_revision, Some(20));
    assert_eq!(manifest.project.as_deref(), Some("demo"));
    assert_eq!(backup::inspect(&place.at("b")).unwrap(), manifest);
    assert_eq!(backup::verify(&place.at("b")).unwrap(), manifest);
    assert_eq!(backup::restore(&place.at("b"), &place.at("new")).unwrap(), manifest);
    assert_eq!(state(&Store::open(&place.at("new")).unwrap()), before);
    let exists = backup::create(&store, &place.at("b"));
    assert!(matches!(exists, Err(StoreError::Exists { .. })), "{exists:?}");
    let names = place.listing();
    assert!(names.iter().all(|name| !name.starts_with('.')), "left over: {names:?}");
}

#[test]
fn equal_states_give_equal_bytes() {
    let place = Place::new();
    let (one, two) = (filled(&place.at("one"), 0), filled(&place.at("two"), 0));
    backup::create(&one, &place.at("a")).unwrap();
    backup::create(&two, &place.at("b")).unwrap();
    assert!(fs::read(place.at("a")).unwrap() == fs::read(place.at("b")).unwrap());
    // A restored database backs up to the same bytes again.
    backup::restore(&place.at("a"), &place.at("three")).unwrap();
    backup::create(&Store::open(&place.at("three")).unwrap(), &place.at("c")).unwrap();
    assert!(fs::read(place.at("a")).unwrap() == fs::read(place.at("c")).unwrap());
}

#[test]
fn a_restore_replaces_the_old_database_and_its_log() {
    let place = Place::new();
    let store = filled(&place.at("db"), 0);
    backup::create(&store, &place.at("b")).unwrap();
    let wanted = state(&store);
    let mut batch = Batch::new();
    batch.put("meta", [text("later"), text("than the backup")]).unwrap();
    store.commit(batch).unwrap();
    drop(store);
    // Left by a killed process: a log whose frames are not in the file.
    let open = Store::open(&place.at("db")).unwrap();
    let mut batch = Batch::new();
    batch.put("meta", [text("in the log"), text("only")]).unwrap();
    open.commit(batch).unwrap();
    fs::create_dir(place.at("copy")).unwrap();
    for name in ["db", "db-wal"] {
        fs::copy(place.at(name), place.at("copy").join(name)).unwrap();
    }
    drop(open);
    let db = place.at("copy").join("db");
    assert!(fs::metadata(place.at("copy").join("db-wal")).unwrap().len() > 0);
    backup::restore(&place.at("b"), &db).unwrap();
    assert_eq!(state(&Store::open(&db).unwrap()), wanted);
}

#[test]
fn a_store_that_was_open_says_that_it_was_replaced() {
    let place = Place::new();
    let store = filled(&place.at("db"), 0);
    backup::create(&store, &place.at("b")).unwrap();
    backup::restore(&place.at("b"), &place.at("db")).unwrap();
    let error = store.run("?[key] := *meta{key}", &Params::new()).unwrap_err();
    assert!(matches!(error, StoreError::Replaced { .. }), "{error:?}");
    let mut batch = Batch::new();
    batch.put("meta", [text("a"), text("b")]).unwrap();
    assert!(matches!(store.commit(batch), Err(StoreError::Replaced { .. })));
    drop(store);
    assert_eq!(state(&Store::open(&place.at("db")).unwrap()).matches("demo").count(), 1);
}

#[test]
fn a_damaged_database_can_be_replaced() {
    let place = Place::new();
    backup::create(&filled(&place.at("db"), 0), &place.at("b")).unwrap();
    for junk in [vec![], b"garbage".to_vec(), vec![7; 100_000]] {
        fs::write(place.at("broken"), &junk).unwrap();
        fs::write(place.at("broken-wal"), &junk).unwrap();
        backup::restore(&place.at("b"), &place.at("broken")).unwrap();
        Store::open(&place.at("broken")).unwrap();
        fs::remove_file(place.at("broken")).unwrap();
    }
}

#[test]
fn what_is_no_whole_backup_is_refused_and_the_target_stays() {
    let place = Place::new();
    drop(filled(&place.at("db"), 0));
    let good = {
        backup::create(&filled(&place.at("other"), 1), &place.at("b")).unwrap();
        fs::read(place.at("b")).unwrap()
    };
    let before = fs::read(place.at("db")).unwrap();
    let check = |what: &str, bytes: &[u8]| {
        fs::write(place.at("bad"), bytes).unwrap();
        let error = backup::restore(&place.at("bad"), &place.at("db")).expect_err(what);
        let expected = match what {
            "version" => matches!(error, StoreError::SchemaVersion { .. }),
            _ => matches!(error, StoreError::Backup { .. }),
        };
        assert!(expected, "{what}: {error:?}");
        assert!(backup::verify(&place.at("bad")).is_err(), "{what}");
        assert!(fs::read(place.at("db")).unwrap() == before, "{what}");
    };
    check("empty", b"");
    check("garbage", &[0x5a; 5000]);
    check("text", b"asof-backup\n{}\n");
    check("no end", b"asof-backup\n{\"format\":1");
    check("doubled", &[good.as_slice(), &good].concat());
    let header = good.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(1).unwrap().0 + 1;
    for len in [1, 11, 12, 40, header - 1, header, header + 1, good.len() / 2, good.len() - 1] {
        check(&format!("cut to {len}"), &good[..len]);
    }
    let mut flipped = good.clone();
    for at in (header..good.len()).step_by(good.len() / 40 + 1).chain([header, good.len() - 1]) {
        flipped[at] ^= 1;
        check(&format!("bit at {at}"), &flipped);
        flipped[at] ^= 1;
    }
    let manifest = String::from_utf8(good[..header].to_vec()).unwrap();
    let edit = |from: &str, to: &str| {
        let edited = manifest.replacen(from, to, 1);
        assert_ne!(edited, manifest, "{from}");
        [edited.as_bytes(), &good[header..]].concat()
    };
    let version = format!("\"schema_version\":\"{}\"", asof_store::SCHEMA_VERSION);
    check("version", &edit(&version, "\"schema_version\":\"999\""));
    check("format", &edit("\"format\":1", "\"format\":2"));
    check("counts", &edit("\"node_by_name\":500", "\"node_by_name\":501"));
    check("bomb", &edit("\"database_len\":", "\"database_len\":99999"));
    check("length", &edit("\"database_len\":", "\"database_len\":1"));
    check("negative", &edit("\"database_len\":", "\"database_len\":-"));
    let missing = backup::restore(&place.at("nothing"), &place.at("db"));
    assert!(matches!(missing, Err(StoreError::Missing { .. })), "{missing:?}");
    let folder = backup::restore(&place.at("b"), &place.at("no/folder/db"));
    assert!(matches!(folder, Err(StoreError::Missing { .. })), "{folder:?}");
    assert!(fs::read(place.at("db")).unwrap() == before);
    Store::open(&place.at("db")).unwrap();
}

#[test]
fn a_restore_waits_for_no_writer_forever() {
    let place = Place::new();
    let store = filled(&place.at("db"), 0);
    backup::create(&store, &place.at("b")).unwrap();
    let _writing = store.write_lock(std::time::Duration::ZERO).unwrap();
    let error = backup::restore(&place.at("b"), &place.at("db")).unwrap_err();
    assert!(
        matches!(error, StoreError::Locked { pid: Some(pid), .. } if pid == std::process::id()),
        "{error:?}"
    );
}
