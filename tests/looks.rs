//! A file is not taken for unchanged because of its metadata alone: same size and time are not
//! proof, and a state that is found stale heals.

use crate::support;
use crate::support::tempdir;

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

use asof::{Database, EditOptions, Refresh, When};
use asof_edit::EditRequest;
use asof_index::{Options, Silent};
use asof_store::{Batch, Params, Value};
use asof_wire::ResolveRequest;
use asof_wire::{FileState, IndexReport};
use support::Copy;

const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n");
const ONE: &str = "pub fn f() -> u8 { 1 }\npub fn g() {}\n";
/// Of the same length as the other.
const TWO: &str = "pub fn f() -> u8 { 2 }\npub fn h() {}\n";

/// An indexed workspace whose files have settled.
fn indexed() -> (Copy, Database) {
    let copy = Copy::with(&[MANIFEST, ("src/lib.rs", ONE)]);
    sleep(Duration::from_millis(40));
    let database = Database::create_or_open(&copy.root).unwrap();
    refresh(&database);
    (copy, database)
}

fn refresh(database: &Database) -> IndexReport {
    database.refresh(&Options::default(), &Silent).unwrap()
}

/// Other text of the same length at the same time.
fn replace(copy: &Copy) {
    let path = copy.root.join("src/lib.rs");
    let time = path.metadata().unwrap().modified().unwrap();
    assert!(time < UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    std::fs::write(&path, TWO).unwrap();
    std::fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
}

/// The same on a system without times of change: the metadata of the new file is that of the row.
fn replace_unseen(copy: &Copy, database: &Database) {
    use std::os::unix::fs::MetadataExt;
    replace(copy);
    let meta = copy.root.join("src/lib.rs").metadata().unwrap();
    let script = "?[raw_hash] := *file_stat{path: 'src/lib.rs', raw_hash}";
    let rows = database.store().run(script, &Params::new()).unwrap();
    let hash = rows.column::<String>("raw_hash").unwrap().pop().unwrap();
    let ns = |seconds: i64, part: i64| Value::Int(seconds * 1_000_000_000 + part);
    let row: [Value; 7] = [
        "src/lib.rs".into(),
        (meta.len() as i64).into(),
        ns(meta.mtime(), meta.mtime_nsec()),
        ns(meta.ctime(), meta.ctime_nsec()),
        (meta.ino() as i64).into(),
        hash.into(),
        i64::MAX.into(),
    ];
    let mut batch = Batch::new();
    batch.put("file_stat", row).unwrap();
    database.store().commit(batch).unwrap();
    assert_eq!(refresh(database).revision, None, "it looks unchanged");
    assert_eq!(database.stale_files().unwrap(), [""; 0]);
}

#[track_caller]
fn check_now(database: &Database, path: &str, text: &str) {
    let now = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
    let found = now.resolve(&ResolveRequest::new(path)).unwrap();
    assert!(now.show(found.items()).unwrap().items[0].text.contains(text), "{path}");
}

fn edit(canon: &str, code: &str) -> EditRequest {
    let edit = serde_json::json!({"mode": "canonical", "path": canon, "code": code});
    serde_json::from_value(serde_json::json!({ "edits": [edit] })).unwrap()
}

#[test]
fn other_bytes_of_the_same_size_and_time_are_a_change() {
    let (copy, database) = indexed();
    assert_eq!(refresh(&database).revision, None);
    replace(&copy);
    assert_eq!(database.stale_files().unwrap(), ["src/lib.rs"]);
    assert_eq!(refresh(&database).changed, ["src/lib.rs"]);
    check_now(&database, "p::f", "{ 2 }");
}

#[test]
fn a_file_that_only_looks_unchanged_is_found_and_read_by_the_next_refresh() {
    let (copy, database) = indexed();
    assert!(database.verify_files().unwrap().is_empty());
    replace_unseen(&copy, &database);
    let found = database.verify_files().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].file_path.as_str(), found[0].state), ("src/lib.rs", FileState::Changed));
    assert_ne!(found[0].indexed_hash, found[0].found_hash);
    assert_eq!(database.stale_files().unwrap(), ["src/lib.rs"]);
    assert_eq!(refresh(&database).changed, ["src/lib.rs"]);
    check_now(&database, "p::f", "{ 2 }");
    assert!(database.verify_files().unwrap().is_empty());
    assert_eq!(
        support::differences_from_fresh(database.store(), &copy.root)
            .lines()
            .filter(|line| !line.contains("file_stat"))
            .count(),
        0
    );

    std::fs::write(copy.root.join("src/new.rs"), "fn n() {}").unwrap();
    copy.remove("src/lib.rs");
    let found = database.verify_files().unwrap();
    let states: Vec<_> = found.iter().map(|d| (d.file_path.as_str(), d.state)).collect();
    assert_eq!(states, [("src/lib.rs", FileState::Gone), ("src/new.rs", FileState::New)]);
}

#[test]
fn edits_heal_what_only_looks_unchanged() {
    // The item is there, in other bytes.
    let (copy, database) = indexed();
    replace_unseen(&copy, &database);
    database.edit(&edit("p::f", "pub fn f() -> u8 { 3 }"), &EditOptions::default()).unwrap();
    assert_eq!(copy.text("src/lib.rs"), TWO.replace("{ 2 }", "{ 3 }"));
    check_now(&database, "p::f", "{ 3 }");

    // The item is only there in the other bytes.
    let (copy, database) = indexed();
    replace_unseen(&copy, &database);
    database.edit(&edit("p::h", "pub fn h() { }"), &EditOptions::default()).unwrap();
    assert_eq!(copy.text("src/lib.rs"), TWO.replace("h() {}", "h() { }"));

    // The edit was planned before: its own item changed, so it is stale, and not unstable.
    let (copy, database) = indexed();
    let planned = database.plan_edit(&edit("p::f", "fn f() {}"), &EditOptions::default()).unwrap();
    replace_unseen(&copy, &database);
    let id = planned.proposal_id.unwrap();
    let error = database.apply_edit(&id, &EditOptions::default()).unwrap_err();
    assert!(!error.to_string().contains("again and again"), "{error}");
    assert_eq!(copy.text("src/lib.rs"), TWO);
    check_now(&database, "p::f", "{ 2 }");
}

#[test]
fn a_copied_tree_is_read_once_and_is_no_revision() {
    let (copy, database) = indexed();
    drop(database);
    let folder = tempdir();
    let root = folder.path().join("copy");
    assert!(Command::new("cp").arg("-a").arg(&copy.root).arg(&root).status().unwrap().success());
    sleep(Duration::from_millis(40));
    let database = Database::open(&root).unwrap();
    let first = refresh(&database);
    assert_eq!((first.revision, first.parsed, first.rows.get("file_stat")), (None, 0, Some(&2)));
    let second = refresh(&database);
    assert_eq!((second.revision, second.rows.len()), (None, 0));
    assert!(database.verify_files().unwrap().is_empty());
}
