//! Rows that nobody's program wrote, in a database whose pages are sound: an error that says so,
//! and never a panic or an answer.

use crate::support;

use std::path::Path;

use asof::Database;
use asof_index::Silent;
use asof_model::Hint;
use asof_storage::{Access, pages};
use asof_store::{Relation, Store, StoreError};
use support::Copy;
use support::cli::{self, code};

/// Changes the values of rows, but for those of `meta`, by an expression of SQLite; `?` stands for
/// these bytes.
fn change(path: &Path, value: &str, bytes: &[u8]) {
    let connection = pages::open_thread_safe(path, Access::Write).unwrap();
    let meta = "select substr(k, 1, 8) from cozo where instr(k, cast('schema_v' as blob)) > 0";
    let sql = format!(
        "update cozo set v = {value} where substr(v, 1, 1) = x'fd' and substr(k, 1, 8) <> ({meta})"
    );
    let mut update = connection.prepare(sql).unwrap();
    if value.contains('?') {
        update.bind((1, bytes)).unwrap();
    }
    update.next().unwrap();
    drop(update);
    assert!(connection.change_count() > 50, "{} rows are changed", connection.change_count());
}

fn read_all(path: &Path) -> Result<usize, StoreError> {
    let store = Store::open(path)?;
    let rows = Relation::all().map(|relation| store.versions(relation));
    rows.map(|rows| Ok(rows?.to_json().len())).sum()
}

fn indexed() -> Copy {
    let copy = Copy::of_fixture("modules");
    let database = Database::create_or_open(&copy.root).unwrap();
    database.refresh(&support::options(), &Silent).unwrap();
    copy
}

const UNREADABLE: &[(&str, &[u8])] = &[
    ("a tag that means nothing", &[0xfd, 0xf1]),
    ("half a hash", &[0xfd, 0xcd, 1, 2, 3]),
    ("half an id as text", &[0xfd, 0xce, 1, 2, 3]),
    ("a word that is not in the list", &[0xfd, 0xcf, 200]),
    ("half a number", &[0xfd, 0xd7]),
    ("a text longer than the row", &[0xfd, 0x85, b'a']),
    ("a text that is not UTF-8", &[0xfd, 0x82, 0xff, 0xfe]),
    ("a list of 2^62 values", &[0xfd, 0xc9, 255, 255, 255, 255, 255, 255, 255, 255, 63]),
    ("bytes of 2^62", &[0xfd, 0xc7, 255, 255, 255, 255, 255, 255, 255, 255, 63]),
    ("a length without an end", &[0xfd, 0xc6, 255, 255, 255, 255, 255, 255, 255, 255, 255]),
    ("an object outside JSON", &[0xfd, 0xcb, 0]),
    ("half a UUID", &[0xfd, 0xc8, 1, 2, 3]),
    ("lists in lists", &[0xa1; 100_000]),
    ("a frame of 1 GB", &[0xff, 0xa0, 0, 0, 0, 0x40, 1, 2, 3]),
    ("a frame of unknown length", &[0xff, 0, 0x58, 1, 0, 0]),
    ("a frame that is none", &[0xff, 0x20, 9, 1, 2, 3]),
    ("nothing of a frame", &[0xff]),
    ("parts that are missing", &[0xfe, 9, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6]),
];

#[test]
fn a_row_that_cannot_be_read_is_damage() {
    let copy = indexed();
    let path = Database::path_of(&copy.root);
    let sound = std::fs::read(&path).unwrap();
    assert!(read_all(&path).unwrap() > 50);
    for (about, bytes) in UNREADABLE {
        std::fs::write(&path, &sound).unwrap();
        let bytes = match bytes[0] {
            0xa1 => [&[0xfd][..], bytes].concat(),
            _ => bytes.to_vec(),
        };
        change(&path, "?", &bytes);
        let error = read_all(&path).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{about}: {error:?}");
        assert_eq!(error.hint(), Hint::RestoreOrRebuild, "{about}");
        for args in [&["resolve", "f"][..], &["index"], &["status", "--verify"]] {
            let found = cli::asof(&copy.root, args);
            let said = cli::err(&found);
            assert_eq!(code(&found), 5, "{about}: {args:?}: {said}");
            assert!(said.contains("asof index --rebuild"), "{about}: {args:?}: {said}");
            assert!(!said.contains("panicked"), "{about}: {args:?}: {said}");
        }
        let rebuilt = cli::asof(&copy.root, &["index", "--rebuild"]);
        let said = cli::err(&rebuilt);
        assert_eq!(code(&rebuilt), 0, "{about}: {said}");
        assert!(said.contains("asof.db.old"), "{about}: {said}");
        assert!(read_all(&path).unwrap() > 50, "{about}");
    }
}

/// Each value can be read, but they are not the columns of the relation.
#[test]
fn a_row_with_other_columns_is_an_error() {
    let copy = indexed();
    let path = Database::path_of(&copy.root);
    let sound = std::fs::read(&path).unwrap();
    let others = [
        ("no columns", "x'fd'"),
        ("one number", "x'fd01'"),
        ("cut off", "substr(v, 1, length(v) - 1)"),
    ];
    for (about, value) in others {
        std::fs::write(&path, &sound).unwrap();
        change(&path, value, &[]);
        for args in [&["resolve", "f"][..], &["index"]] {
            let found = cli::asof(&copy.root, args);
            let said = cli::err(&found);
            assert_eq!(code(&found), 5, "{about}: {args:?}: {said}");
            assert!(said.starts_with("error: ") && !said.contains("panicked"), "{about}: {said}");
        }
    }
}
