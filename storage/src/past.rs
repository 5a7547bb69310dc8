//! What concerns the past of a file: joining it to the database of an older past, and dropping
//! versions. Keys and values are compared as bytes; equal values have equal bytes.

use std::cmp::Ordering;

use cozo::{DataValue, Storage, StoreTx};
use miette::{Result, miette};
use sqlite::State;

use crate::DAMAGED;
use crate::chain::Values;
use crate::delta::is_delta;
use crate::key::{asserted_at, fact_of, inverted, time_of};
use crate::parts;
use crate::report::report;
use crate::row::decode;
use crate::sqlite_file::{FileStorage, FileTx};
use crate::versions::Versions;

const GET: &str = "select v from main.cozo where k = ?";
const MOVE: &str = "update main.cozo set k = ? where k = ?";
/// Before the row, whose change removes the parts of its old key.
const MOVE_PARTS: &str = "update main.large set k = ? where k = ?";
const INSERT: &str = "insert into main.cozo(k, v) values (?, ?)";
const KEYS: &str = "select k from cozo where k >= ? and k < ? order by k";
const REMOVE_VERSIONS: &str = "delete from cozo where k >= ? and k <= ?";
const OTHER: &str = "select k, v from other.cozo where k >= ? and k < ? order by k";
const COPY: &str = "insert or ignore into main.cozo(k, v)
    select k, v from other.cozo where k >= ? and k < ? order by k";
const COPY_PARTS: &str = "insert or ignore into main.large(k, part, v)
    select k, part, v from other.large where k >= ? and k < ? order by k, part";
const TAKE_PARTS: &str = "insert into main.large(k, part, v)
    select ?, part, v from other.large where k = ? order by part";

/// A fact that is not the same at the end of a past and at the begin of what follows it.
/// Rows are columns of the key, the time, and the columns after it.
#[derive(Debug, PartialEq)]
pub struct Difference {
    pub before: Option<Vec<DataValue>>,
    pub after: Option<Vec<DataValue>>,
}

/// What becomes of versions that no kept moment needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// They stay.
    Counted,
    Removed,
}

/// Rows of a relation by the number of it.
fn bounds(relation: u64) -> ([u8; 8], [u8; 8]) {
    (relation.to_be_bytes(), relation.saturating_add(1).to_be_bytes())
}

fn versions(tx: &FileTx, relation: u64, at: i64) -> Result<Versions<'_>> {
    let (lower, upper) = bounds(relation);
    let (statement, values) = tx.scan(&lower, &upper)?;
    Ok(Versions::new(statement, values, &upper, at))
}

fn fact(key: &[u8]) -> Result<&[u8]> {
    fact_of(key).ok_or_else(|| miette!("{DAMAGED}: a key without a time in a versioned relation"))
}

/// What differs in a versioned relation between the last state of `past` before `first`, and the
/// state of `here` at `first`, in the order of keys.
pub(crate) fn differences(
    here: &FileStorage,
    past: &FileStorage,
    relation: u64,
    first: i64,
) -> Result<Vec<Difference>> {
    let (here, past) = (here.transact(false)?, past.transact(false)?);
    let mut after = versions(&here, relation, first)?;
    let mut before = versions(&past, relation, first.saturating_sub(1))?;
    let row = |(key, value): &(Vec<u8>, Vec<u8>)| decode(key, value);
    let (mut old, mut new) = (before.next_pair()?, after.next_pair()?);
    let mut found = Vec::new();
    loop {
        let order = match (&old, &new) {
            (None, None) => return Ok(found),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => fact(&old.0)?.cmp(fact(&new.0)?),
        };
        let same =
            order.is_eq() && matches!((&old, &new), (Some((_, old)), Some((_, new))) if old == new);
        if !same {
            let before = old.as_ref().filter(|_| order.is_le()).map(row).transpose()?;
            let after = new.as_ref().filter(|_| order.is_ge()).map(row).transpose()?;
            found.push(Difference { before, after });
        }
        if order.is_le() {
            old = before.next_pair()?;
        }
        if order.is_ge() {
            new = after.next_pair()?;
        }
    }
}

/// Gives facts that are the same at the end of `past` and at `first` the time that they have there:
/// then no version repeats the one before it. In the transaction that is held here.
pub(crate) fn join(
    here: &FileStorage,
    past: &FileStorage,
    relations: &[u64],
    first: i64,
) -> Result<()> {
    let mut tx = here.transact(true)?;
    let past = past.transact(false)?;
    let connection = tx.connection()?;
    let mut values = Values::new(connection);
    let mut get = connection.prepare(GET)?;
    let mut move_parts = connection.prepare(MOVE_PARTS)?;
    let mut move_row = connection.prepare(MOVE)?;
    for relation in relations {
        let mut before = versions(&past, *relation, first.saturating_sub(1))?;
        while let Some((old, ended)) = before.next_stored()? {
            let new = [fact(&old)?, &asserted_at(first)].concat();
            get.reset().map_err(report)?;
            get.bind((1, new.as_slice())).map_err(report)?;
            if get.next().map_err(report)? != State::Row {
                continue;
            }
            let stored: Vec<u8> = get.read(0).map_err(report)?;
            get.reset().map_err(report)?;
            let is_long = parts::is_placeholder(&stored);
            // Equal bytes are equal values, unless they are differences from others.
            let is_same = stored == ended && !is_delta(&stored);
            if !is_same && values.value(&new, stored)? != before.value(&old, ended)? {
                continue;
            }
            // What is stored stays as it is: the versions after it are the same.
            let moves = [is_long.then_some(&mut move_parts), Some(&mut move_row)];
            for statement in moves.into_iter().flatten() {
                statement.reset().map_err(report)?;
                statement.bind((1, old.as_slice())).map_err(report)?;
                statement.bind((2, new.as_slice())).map_err(report)?;
                while statement.next().map_err(report)? != State::Done {}
            }
        }
    }
    drop((values, get, move_parts, move_row));
    StoreTx::commit(&mut tx)
}

/// Copies the newest state of the facts of a relation from the database that is attached as `other`,
/// as facts since a time. Returns their number. Nothing of the relation may be here. Of a fact, the
/// newest version is the first, and it is stored whole.
pub(crate) fn take_newest(here: &FileStorage, relation: u64, since: i64) -> Result<usize> {
    let mut tx = here.transact(true)?;
    let connection = tx.connection()?;
    let (lower, upper) = bounds(relation);
    let mut other = tx.range(OTHER, &lower, &upper)?;
    let mut insert = connection.prepare(INSERT)?;
    let mut parts = connection.prepare(TAKE_PARTS)?;
    let mut decided: Vec<u8> = Vec::new();
    let mut taken = 0;
    while other.next().map_err(report)? == State::Row {
        let old: Vec<u8> = other.read(0).map_err(report)?;
        let of = fact(&old)?;
        if of == decided {
            continue;
        }
        decided.clear();
        decided.extend_from_slice(of);
        if time_of(&old).is_some_and(|(_, end)| end != 0) {
            continue;
        }
        let stored: Vec<u8> = other.read(1).map_err(report)?;
        let new = [of, &asserted_at(since)].concat();
        insert.reset().map_err(report)?;
        insert.bind((1, new.as_slice())).map_err(report)?;
        insert.bind((2, stored.as_slice())).map_err(report)?;
        while insert.next().map_err(report)? != State::Done {}
        if parts::is_placeholder(&stored) {
            parts.reset().map_err(report)?;
            parts.bind((1, new.as_slice())).map_err(report)?;
            parts.bind((2, old.as_slice())).map_err(report)?;
            while parts.next().map_err(report)? != State::Done {}
        }
        taken += 1;
    }
    drop((other, insert, parts));
    StoreTx::commit(&mut tx)?;
    Ok(taken)
}

/// Copies the rows of a plain relation from the database that is attached as `other`. Those whose
/// keys are here stay.
pub(crate) fn take_rows(here: &FileStorage, relation: u64) -> Result<()> {
    let mut tx = here.transact(true)?;
    let (lower, upper) = bounds(relation);
    for sql in [COPY, COPY_PARTS] {
        let mut copy = tx.range(sql, &lower, &upper)?;
        while copy.next().map_err(report)? != State::Done {}
    }
    StoreTx::commit(&mut tx)
}

/// Versions of a relation that are not visible at `floor` or later: of each fact all but the newest
/// up to the floor, and that one too if it is a retraction. They are the oldest of their fact, so
/// no other version is a difference from one of them.
pub(crate) struct Found {
    pub count: usize,
    /// First and last key of those of each fact.
    ranges: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Finds them: one pass over the keys of the relation.
pub(crate) fn hidden(storage: &FileStorage, relation: u64, floor: i64) -> Result<Found> {
    let tx = storage.transact(false)?;
    let (lower, upper) = bounds(relation);
    let mut keys = tx.range(KEYS, &lower, &upper)?;
    let floor = inverted(floor);
    let mut found = Found { count: 0, ranges: Vec::new() };
    // The fact whose newest version up to the floor was seen, and the range that is open.
    let mut decided: Vec<u8> = Vec::new();
    let mut range: Option<(Vec<u8>, Vec<u8>)> = None;
    while keys.next().map_err(report)? == State::Row {
        let key: Vec<u8> = keys.read(0).map_err(report)?;
        let of = fact(&key)?;
        let (time, end) = time_of(&key).unwrap_or_default();
        let is_decided = of == decided;
        if !is_decided {
            found.ranges.extend(range.take());
            if time < floor {
                continue;
            }
            decided.clear();
            decided.extend_from_slice(of);
            if end == 0 {
                continue;
            }
        }
        found.count += 1;
        match &mut range {
            Some((_, last)) => *last = key,
            None => range = Some((key.clone(), key)),
        }
    }
    found.ranges.extend(range);
    Ok(found)
}

/// Removes them, in one transaction.
pub(crate) fn remove(storage: &FileStorage, hidden: &Found) -> Result<()> {
    let mut tx = storage.transact(true)?;
    let mut statement = tx.connection()?.prepare(REMOVE_VERSIONS)?;
    for (first, last) in &hidden.ranges {
        statement.reset().map_err(report)?;
        statement.bind((1, first.as_slice())).map_err(report)?;
        statement.bind((2, last.as_slice())).map_err(report)?;
        while statement.next().map_err(report)? != State::Done {}
    }
    drop(statement);
    StoreTx::commit(&mut tx)
}
