//! Versions in any order of writes and removals, compared with what was written.

use std::collections::BTreeMap;

use cozo::{Storage, StoreTx, ValidityTs};
use proptest::prelude::*;

use crate::row::{RowWriter, StoredRow, ValueWriter, decode};
use crate::sqlite_file::FileStorage;
use crate::{Access, DAMAGED, pages, parts, past};

const RELATION: u64 = 7;

fn database() -> (tempfile::TempDir, FileStorage) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let connection = pages::open(&path, Access::Create).unwrap();
    let schema = "pragma page_size = 16384; pragma journal_mode = wal;
                  create table cozo (k BLOB primary key, v BLOB) without rowid;";
    connection.execute(schema).unwrap();
    connection.execute(parts::CREATE).unwrap();
    drop(connection);
    (dir, FileStorage::new(path, Access::Write))
}

/// A list of which the value decides one element.
fn row(fact: u8, at: i64, asserted: bool, value: u16, long: bool) -> StoredRow {
    let mut key = RowWriter::default();
    key.text(&format!("fact {fact}"));
    key.time(at, asserted);
    let mut columns = key.end_key();
    let items: Vec<u16> = (0..if long { 400 } else { 6 }).collect();
    columns.list(&items, |out, item| {
        let item = if *item == 5 { value } else { *item };
        out.text(&blake3::hash(&item.to_le_bytes()).to_hex());
    });
    let mut row = columns.end();
    row.set_relation(RELATION);
    row
}

fn whole(row: &StoredRow) -> Vec<u8> {
    crate::large::unpack(row.value().to_vec()).unwrap()
}

fn rows_of(storage: &FileStorage) -> Vec<(Vec<u8>, Vec<u8>)> {
    let tx = storage.transact(false).unwrap();
    let mut statement = tx.connection().unwrap().prepare("select k, v from cozo").unwrap();
    let mut rows = Vec::new();
    while statement.next().unwrap() == sqlite::State::Row {
        rows.push((statement.read(0).unwrap(), statement.read(1).unwrap()));
    }
    rows
}

/// Every way to read against what is expected: by key, all versions, as of each time.
#[track_caller]
fn check(storage: &FileStorage, model: &BTreeMap<Vec<u8>, Vec<u8>>) {
    let tx = storage.transact(false).unwrap();
    let (lower, upper) = (RELATION.to_be_bytes(), (RELATION + 1).to_be_bytes());
    let mut values = tx.values().unwrap();
    let found: BTreeMap<Vec<u8>, Vec<u8>> = rows_of(storage)
        .into_iter()
        .map(|(key, stored)| {
            let value = values.value(&key, stored).unwrap();
            (key, value)
        })
        .collect();
    assert!(found == *model);
    let all: Vec<_> = tx.range_scan_tuple(&lower, &upper).map(Result::unwrap).collect();
    let expected: Vec<_> = model.iter().map(|(key, value)| decode(key, value).unwrap()).collect();
    assert!(all == expected);
    for at in 0..45 {
        let validity = ValidityTs(std::cmp::Reverse(at));
        let found: Vec<_> =
            tx.range_skip_scan_tuple(&lower, &upper, validity).map(Result::unwrap).collect();
        let mut newest: BTreeMap<&[u8], (&[u8], &[u8])> = BTreeMap::new();
        for (key, value) in model {
            let (time, _) = crate::key::time_of(key).unwrap();
            if time >= crate::key::inverted(at) {
                newest.entry(crate::key::fact_of(key).unwrap()).or_insert((key, value));
            }
        }
        let expected: Vec<_> = newest
            .into_values()
            .filter(|(key, _)| key.last() == Some(&0))
            .map(|(key, value)| decode(key, value).unwrap())
            .collect();
        assert!(found == expected, "as of {at}");
    }
}

#[derive(Debug, Clone)]
enum Step {
    /// Rows of these facts and times are written as a batch; by the engine if the flag is set.
    Put(Vec<(u8, i64, bool, u16)>, bool),
    Remove(Vec<(u8, i64, bool)>, bool),
    Prune(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let put = (0..3_u8, 0..40_i64, prop::bool::weighted(0.9), 0..30_u16);
    let step = prop_oneof![
        6 => (prop::collection::vec(put, 1..12), any::<bool>()).prop_map(|(a, b)| Step::Put(a, b)),
        2 => (prop::collection::vec((0..3_u8, 0..40_i64, any::<bool>()), 1..8), any::<bool>())
            .prop_map(|(a, b)| Step::Remove(a, b)),
        1 => (0..40_i64).prop_map(Step::Prune),
    ];
    prop::collection::vec(step, 1..12)
}

fn run(steps: Vec<Step>, long: bool) {
    let (_dir, storage) = database();
    let mut model = BTreeMap::new();
    for step in steps {
        match step {
            Step::Put(puts, by_engine) => {
                let rows = puts.into_iter().map(|(f, at, a, value)| row(f, at, a, value, long));
                let rows: BTreeMap<Vec<u8>, StoredRow> =
                    rows.map(|row| (row.key().to_vec(), row)).collect();
                model.extend(rows.iter().map(|(key, row)| (key.clone(), whole(row))));
                if by_engine {
                    let mut tx = storage.transact(true).unwrap();
                    rows.iter().for_each(|(key, row)| tx.put(key, &whole(row)).unwrap());
                    StoreTx::commit(&mut tx).unwrap();
                } else {
                    storage.write(rows.into_values().collect(), false).unwrap();
                }
            }
            Step::Remove(keys, by_engine) => {
                let rows: Vec<StoredRow> =
                    keys.into_iter().map(|(f, at, a)| row(f, at, a, 0, false)).collect();
                rows.iter().for_each(|row| drop(model.remove(row.key())));
                if by_engine {
                    let mut tx = storage.transact(true).unwrap();
                    rows.iter().for_each(|row| tx.del(row.key()).unwrap());
                    StoreTx::commit(&mut tx).unwrap();
                } else {
                    storage.write(rows, true).unwrap();
                }
            }
            Step::Prune(floor) => {
                let hidden = past::hidden(&storage, RELATION, floor).unwrap();
                past::remove(&storage, &hidden).unwrap();
                let before = model.len();
                let mut seen: Option<Vec<u8>> = None;
                model.retain(|key, _| {
                    let (time, end) = crate::key::time_of(key).unwrap();
                    let fact = crate::key::fact_of(key).unwrap().to_vec();
                    if time < crate::key::inverted(floor) {
                        return true;
                    }
                    let is_first = seen.as_ref() != Some(&fact);
                    seen = Some(fact);
                    is_first && end == 0
                });
                assert_eq!(before - model.len(), hidden.count);
            }
        }
        check(&storage, &model);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn versions_read_as_they_were_written(steps in steps(), long: bool) {
        run(steps, long);
    }
}

#[test]
fn a_long_history_of_a_list_costs_what_changed() {
    let (_dir, storage) = database();
    let mut model = BTreeMap::new();
    for at in 0..40 {
        let row = row(0, at, true, at as u16 + 100, true);
        model.insert(row.key().to_vec(), whole(&row));
        storage.write(vec![row], false).unwrap();
    }
    check(&storage, &model);
    let tx = storage.transact(false).unwrap();
    let mut sizes = tx.connection().unwrap().prepare("select sum(length(v)) from large").unwrap();
    sizes.next().unwrap();
    let (large, small): (i64, usize) =
        (sizes.read(0).unwrap(), rows_of(&storage).iter().map(|(_, value)| value.len()).sum());
    // 25 kB each; the newest and two of the others are whole.
    assert!(large < 3 * 16_000 && small < 40 * 100, "{large} {small}");
}

#[test]
fn a_chain_that_is_damaged_is_an_error() {
    let chain_of = |change: &str| {
        let (_dir, storage) = database();
        for at in 0..6 {
            storage.write(vec![row(0, at, true, at as u16, false)], false).unwrap();
        }
        let mut tx = storage.transact(true).unwrap();
        tx.connection().unwrap().execute(change).unwrap();
        StoreTx::commit(&mut tx).unwrap();
        drop(tx);
        let tx = storage.transact(false).unwrap();
        let (lower, upper) = (RELATION.to_be_bytes(), (RELATION + 1).to_be_bytes());
        let oldest = ValidityTs(std::cmp::Reverse(0));
        let as_of: Result<Vec<_>, _> = tx.range_skip_scan_tuple(&lower, &upper, oldest).collect();
        let all: Result<Vec<_>, _> = tx.range_scan_tuple(&lower, &upper).collect();
        for error in [as_of.unwrap_err(), all.unwrap_err()] {
            assert!(error.to_string().starts_with(DAMAGED), "{error}");
        }
    };
    // The newest, whole version is gone or another one, or a difference between gives another value
    // than it says.
    chain_of("delete from cozo where k = (select min(k) from cozo)");
    chain_of("update cozo set v = x'fd00' where k = (select min(k) from cozo)");
    let other = "select v from cozo order by k limit 1 offset";
    let changed = "substr(v, 1, 2) || x'00000000' || substr(v, 7)";
    chain_of(&format!("update cozo set v = {changed} where v = ({other} 3)"));
    // A chain without an end.
    chain_of(&format!("update cozo set v = ({other} 1) where v = ({other} 0)"));
}
