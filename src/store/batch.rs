//! What one transaction writes.

use std::collections::BTreeMap;

use cozo::{DataValue, NamedRows, Validity};

use super::error::StoreError;
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
    puts: Vec<Vec<DataValue>>,
    removals: Vec<Vec<DataValue>>,
}

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
        let width = relation.key.len() + relation.values.len();
        let row = collect(relation, row, Vec::with_capacity(width), width)?;
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
        let width = relation.key.len();
        let key = collect(relation, key, Vec::with_capacity(width), width)?;
        self.changes(relation).removals.push(key);
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
        let key_width = relation.key.len();
        let width = key_width + 1 + relation.values.len();
        let mut row = collect(relation, key, Vec::with_capacity(width), key_width)?;
        row.push(DataValue::Validity(Validity::from((at.0, asserted))));
        let row = collect(relation, values, row, width)?;
        self.changes(relation).puts.push(row);
        Ok(())
    }

    fn changes(&mut self, relation: &'static Relation) -> &mut Changes {
        self.relations.entry(relation.name).or_default()
    }

    /// The rows in the form of the engine, sorted by key: neighbours go to the same page.
    /// Fails if two rows have one key.
    pub(super) fn into_engine(self) -> Result<(BTreeMap<String, NamedRows>, Written), StoreError> {
        let mut data = BTreeMap::new();
        let mut written = Written::default();
        for (name, mut changes) in self.relations {
            let relation = Relation::get(name)?;
            let key_width = relation.key.len() + usize::from(relation.versioned);
            written.rows.insert(name.to_owned(), changes.puts.len() + changes.removals.len());
            changes
                .puts
                .sort_unstable_by(|a, b| a.iter().take(key_width).cmp(b.iter().take(key_width)));
            let same = |a: &[DataValue], b: &[DataValue]| {
                a.iter().take(key_width).eq(b.iter().take(key_width))
            };
            for pair in changes.puts.windows(2) {
                if let [a, b] = pair
                    && same(a, b)
                {
                    let key = format!("{:?}", a.iter().take(key_width).collect::<Vec<_>>());
                    return Err(misfit(relation, format!("two rows have the key {key}")));
                }
            }
            changes.removals.sort_unstable();
            changes.removals.dedup();
            if !changes.removals.is_empty() {
                let rows = NamedRows::new(relation.key_headers(), changes.removals);
                data.insert(format!("-{name}"), rows);
            }
            if !changes.puts.is_empty() {
                data.insert(name.to_owned(), NamedRows::new(relation.headers(), changes.puts));
            }
        }
        Ok((data, written))
    }
}

fn plain(relation: &str) -> Result<&'static Relation, StoreError> {
    let relation = Relation::get(relation)?;
    if relation.versioned {
        return Err(misfit(relation, "the relation is versioned: use assert and retract".into()));
    }
    Ok(relation)
}

/// Appends values to a row until it has that many columns; fails if it has another number.
fn collect(
    relation: &Relation,
    values: impl IntoIterator<Item = Value>,
    mut row: Vec<DataValue>,
    width: usize,
) -> Result<Vec<DataValue>, StoreError> {
    row.extend(values.into_iter().map(Value::into_engine));
    if row.len() != width {
        let found = row.len();
        return Err(misfit(relation, format!("expected {width} columns, got {found}")));
    }
    Ok(row)
}

fn misfit(relation: &Relation, reason: String) -> StoreError {
    StoreError::Row { relation: relation.name.to_owned(), reason }
}
