//! What one transaction writes.

use std::collections::BTreeMap;

use cozo::NamedRows;

use super::error::StoreError;
use super::packed::{self, KeyPosition};
use super::schema::Relation;
use super::value::Value;
use crate::model::Micros;

/// Rows to write and remove in one transaction. Nothing happens before it is committed.
#[derive(Debug, Default)]
#[must_use = "a batch does nothing before it is committed"]
pub struct Batch {
    relations: BTreeMap<&'static str, Changes>,
}

#[derive(Debug, Default)]
struct Changes {
    puts: Vec<Packed>,
    removals: Vec<Packed>,
}

/// A row; its key's length decides nothing in the order, as no key is another's beginning.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packed {
    bytes: Box<[u8]>,
    key_len: u32,
}

impl Packed {
    fn key(&self) -> &[u8] {
        self.bytes.get(..self.key_len as usize).unwrap_or(&self.bytes)
    }
}

/// Rows handed to the engine at a time: what a commit needs in memory beside the batch.
const CHUNK: usize = 1000;

/// What a transaction wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows put and removed, by relation.
    pub rows: BTreeMap<String, usize>,
}

impl Written {
    /// Rows put and removed, in all.
    pub fn total(&self) -> usize {
        self.rows.values().sum()
    }
}

impl Batch {
    /// An empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows to put or remove.
    pub fn len(&self) -> usize {
        self.relations.values().map(|c| c.puts.len() + c.removals.len()).sum()
    }

    /// Number of rows for versioned relations: facts, not bookkeeping.
    pub fn versioned_len(&self) -> usize {
        let versioned = |name: &str| Relation::find(name).is_some_and(|r| r.versioned);
        self.relations.iter().filter(|(name, _)| versioned(name)).map(|(_, c)| c.puts.len()).sum()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts a row of a plain relation: its columns in the order of the schema.
    /// Fails if the relation is unknown or versioned, or the number of columns is wrong.
    pub fn put(
        &mut self,
        relation: &str,
        row: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        let relation = plain(relation)?;
        let mut row = row.into_iter();
        let mut bytes = Vec::new();
        let key = row.by_ref().take(relation.key.len());
        collect(relation, KeyPosition::Key, key, &mut bytes)?;
        let key_len = bytes.len();
        collect(relation, KeyPosition::Column, row, &mut bytes)?;
        self.changes(relation).puts.push(pack(bytes, key_len));
        Ok(())
    }

    /// Removes a row of a plain relation by its key. Fails as [`Batch::put`] does.
    pub fn remove(
        &mut self,
        relation: &str,
        key: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        let relation = plain(relation)?;
        let mut bytes = Vec::new();
        collect(relation, KeyPosition::Key, key, &mut bytes)?;
        let key_len = bytes.len();
        self.changes(relation).removals.push(pack(bytes, key_len));
        Ok(())
    }

    /// States that from `at` on a versioned relation holds this row. Fails if the relation is
    /// unknown or plain, or the number of columns is wrong.
    pub fn assert(
        &mut self,
        relation: &str,
        at: Micros,
        key: impl IntoIterator<Item = Value>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        self.version(relation, at, true, key, values)
    }

    /// States that from `at` on a versioned relation holds this row no more. `values` are the
    /// old values. Fails as [`Batch::assert`] does.
    pub fn retract(
        &mut self,
        relation: &str,
        at: Micros,
        key: impl IntoIterator<Item = Value>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        self.version(relation, at, false, key, values)
    }

    fn version(
        &mut self,
        relation: &str,
        at: Micros,
        asserted: bool,
        key: impl IntoIterator<Item = Value>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        let relation = Relation::get(relation)?;
        if !relation.versioned {
            return Err(misfit(relation, "the relation has no time: use put and remove".into()));
        }
        let mut bytes = Vec::new();
        collect(relation, KeyPosition::Key, key, &mut bytes)?;
        packed::push_time(&mut bytes, at.0, asserted);
        let key_len = bytes.len();
        collect(relation, KeyPosition::Column, values, &mut bytes)?;
        self.changes(relation).puts.push(pack(bytes, key_len));
        Ok(())
    }

    fn changes(&mut self, relation: &'static Relation) -> &mut Changes {
        self.relations.entry(relation.name).or_default()
    }

    /// Sorts the rows by key, so that neighbours go to the same page, and counts them.
    /// Fails if two rows have one key.
    pub(super) fn sort(&mut self) -> Result<Written, StoreError> {
        let mut written = Written::default();
        for (name, changes) in &mut self.relations {
            let relation = Relation::get(name)?;
            written.rows.insert((*name).to_owned(), changes.puts.len() + changes.removals.len());
            changes.puts.sort_unstable();
            changes.removals.sort_unstable();
            changes.removals.dedup();
            for pair in changes.puts.windows(2) {
                if let [a, b] = pair
                    && a.key() == b.key()
                {
                    let key = packed::unpack(a.key(), 4).unwrap_or_default();
                    return Err(misfit(relation, format!("two rows have the key {key:?}")));
                }
            }
        }
        Ok(written)
    }

    /// The rows in the form of the engine, in parts: removals before anything is put.
    pub(super) fn into_parts(
        self,
    ) -> impl Iterator<Item = Result<BTreeMap<String, NamedRows>, StoreError>> {
        let mut removals = Vec::new();
        let mut puts = Vec::new();
        for (name, changes) in self.relations {
            if let Some(relation) = Relation::find(name) {
                removals.push((format!("-{name}"), relation.key_headers(), changes.removals));
                puts.push((name.to_owned(), relation.headers(), changes.puts));
            }
        }
        removals.into_iter().chain(puts).flat_map(|(target, headers, rows)| {
            let mut rows = rows.into_iter();
            std::iter::from_fn(move || {
                let part: Option<Vec<_>> = rows
                    .by_ref()
                    .take(CHUNK)
                    .map(|row| packed::unpack(&row.bytes, headers.len()))
                    .collect();
                match part {
                    Some(part) if part.is_empty() => None,
                    Some(part) => {
                        let named = NamedRows::new(headers.clone(), part);
                        Some(Ok(BTreeMap::from([(target.clone(), named)])))
                    }
                    None => Some(Err(StoreError::Row {
                        relation: target.clone(),
                        reason: "a row did not come back from its packed form".to_owned(),
                    })),
                }
            })
        })
    }
}

fn plain(relation: &str) -> Result<&'static Relation, StoreError> {
    let relation = Relation::get(relation)?;
    if relation.versioned {
        return Err(misfit(relation, "the relation is versioned: use assert and retract".into()));
    }
    Ok(relation)
}

fn pack(bytes: Vec<u8>, key_len: usize) -> Packed {
    // A key of 4 GB is refused by SQLite: the length need not be right there.
    Packed { bytes: bytes.into(), key_len: u32::try_from(key_len).unwrap_or(u32::MAX) }
}

/// Appends the key or the other columns to a row; fails if there are fewer or more.
fn collect(
    relation: &Relation,
    place: KeyPosition,
    values: impl IntoIterator<Item = Value>,
    row: &mut Vec<u8>,
) -> Result<(), StoreError> {
    let (expected, what) = match place {
        KeyPosition::Key => (relation.key.len(), "key columns"),
        KeyPosition::Column => (relation.values.len(), "columns after the key"),
    };
    let mut found = 0;
    for value in values {
        packed::push(row, &value, place);
        found += 1;
    }
    if found != expected {
        return Err(misfit(relation, format!("expected {expected} {what}, got {found}")));
    }
    Ok(())
}

fn misfit(relation: &Relation, reason: String) -> StoreError {
    StoreError::Row { relation: relation.name.to_owned(), reason }
}
