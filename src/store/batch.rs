//! Batches: the rows that one transaction writes and removes.

use std::collections::BTreeMap;

use asof_storage::{RowWriter, StoredRow};

use super::error::StoreError;
use super::schema::{Column, Relation};
use super::stored_rows;
use super::value::Value;
use asof_model::Micros;

/// Rows to write and remove in one transaction. Nothing happens before it is committed.
#[derive(Debug, Default)]
#[must_use = "a batch does nothing before it is committed"]
pub struct Batch {
    relations: BTreeMap<&'static str, Changes>,
}

#[derive(Debug, Default)]
struct Changes {
    puts: Vec<StoredRow>,
    removals: Vec<StoredRow>,
}

/// What a transaction wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows put and removed, by relation.
    pub rows: BTreeMap<String, usize>,
}

impl Written {
    /// Adds those of another batch of the transaction.
    pub(super) fn add(&mut self, more: Written) {
        for (relation, rows) in more.rows {
            *self.rows.entry(relation).or_default() += rows;
        }
    }

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
        let key = encode_key(relation, row.by_ref().take(relation.key.len()))?;
        let row = encode_columns(relation, key, row)?;
        self.changes(relation).puts.push(row);
        Ok(())
    }

    /// Removes a row of a plain relation by its key. Fails as [`Batch::put`] does.
    pub fn remove(
        &mut self,
        relation: &str,
        key: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        let relation = plain(relation)?;
        let key = encode_key(relation, key)?;
        self.changes(relation).removals.push(key.removal());
        Ok(())
    }

    /// Asserts a row of a versioned relation from `at` on. Fails if the relation is unknown or
    /// plain, or the number of columns is wrong.
    pub fn assert(
        &mut self,
        relation: &str,
        at: Micros,
        key: impl IntoIterator<Item = Value>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<(), StoreError> {
        self.version(relation, at, true, key, values)
    }

    /// Retracts a row of a versioned relation from `at` on. `values` are the old values. Fails as
    /// [`Batch::assert`] does.
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
        let row = encode_version(relation, at, asserted, key, values)?;
        self.changes(relation).puts.push(row);
        Ok(())
    }

    /// Adds the rows of another batch.
    pub fn append(&mut self, other: Batch) {
        for (relation, mut more) in other.relations {
            let changes = self.relations.entry(relation).or_default();
            changes.puts.append(&mut more.puts);
            changes.removals.append(&mut more.removals);
        }
    }

    fn changes(&mut self, relation: &'static Relation) -> &mut Changes {
        self.relations.entry(relation.name).or_default()
    }

    /// Sorts the rows by key, so that neighbours go to the same page, and counts them.
    /// Fails if two rows have the same key.
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
                    let key = a.key_columns().unwrap_or_default();
                    return Err(misfit(relation, format!("two rows have the same key {key:?}")));
                }
            }
        }
        Ok(written)
    }

    /// The rows by relation: removals before anything is put.
    pub(super) fn into_parts(self) -> Vec<Part> {
        let mut removals = Vec::new();
        let mut puts = Vec::new();
        for (relation, changes) in self.relations {
            removals.push(Part { relation, remove: true, rows: changes.removals });
            puts.push(Part { relation, remove: false, rows: changes.puts });
        }
        removals.retain(|part| !part.rows.is_empty());
        puts.retain(|part| !part.rows.is_empty());
        removals.append(&mut puts);
        removals
    }
}

/// Rows of one relation that are written, or whose keys are removed.
pub(super) struct Part {
    pub relation: &'static str,
    pub remove: bool,
    pub rows: Vec<StoredRow>,
}

fn plain(relation: &str) -> Result<&'static Relation, StoreError> {
    let relation = Relation::get(relation)?;
    if relation.versioned {
        return Err(misfit(relation, "the relation is versioned: use assert and retract".into()));
    }
    Ok(relation)
}

fn encode_version(
    relation: &Relation,
    at: Micros,
    asserted: bool,
    key: impl IntoIterator<Item = Value>,
    values: impl IntoIterator<Item = Value>,
) -> Result<StoredRow, StoreError> {
    if !relation.versioned {
        return Err(misfit(relation, "the relation is plain: use put and remove".into()));
    }
    let mut key = encode_key(relation, key)?;
    key.time(at.0, asserted);
    encode_columns(relation, key, values)
}

/// The key of a row without its time. Fails if the number or type of its columns is wrong.
fn encode_key(
    relation: &Relation,
    key: impl IntoIterator<Item = Value>,
) -> Result<RowWriter, StoreError> {
    let mut out = RowWriter::default();
    each(relation, &relation.key, "key columns", key, |column, value| {
        stored_rows::push(&mut out, &column.of_type, value);
    })?;
    Ok(out)
}

/// A row of this key and the other columns. Fails as [`encode_key`] does.
fn encode_columns(
    relation: &Relation,
    key: RowWriter,
    values: impl IntoIterator<Item = Value>,
) -> Result<StoredRow, StoreError> {
    let mut out = key.end_key();
    each(relation, &relation.values, "columns after the key", values, |column, value| {
        stored_rows::push(&mut out, &column.of_type, value);
    })?;
    Ok(out.end())
}

/// Calls `push` with each column and its value.
fn each(
    relation: &Relation,
    columns: &[Column],
    what: &str,
    values: impl IntoIterator<Item = Value>,
    mut push: impl FnMut(&Column, &Value),
) -> Result<(), StoreError> {
    let mut found = 0;
    for value in values {
        if let Some(column) = columns.get(found) {
            if !column.of_type.accepts(&value) {
                let (name, kind) = (column.name, column.kind);
                return Err(misfit(relation, format!("`{name}` is {kind}, got {value:?}")));
            }
            push(column, &value);
        }
        found += 1;
    }
    if found != columns.len() {
        let expected = columns.len();
        return Err(misfit(relation, format!("expected {expected} {what}, got {found}")));
    }
    Ok(())
}

fn misfit(relation: &Relation, reason: String) -> StoreError {
    StoreError::Row { relation: relation.name.to_owned(), reason }
}
