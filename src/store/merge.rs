//! Merging the rows of another database of the same schema: an import of history is built in a
//! database of its own, and merged in one transaction.

use std::collections::BTreeMap;
use std::path::Path;

use cozo::{DataValue, ScriptMutability};

use super::batch::Batch;
use super::boundary::Context;
use super::database::{Store, WriteLock};
use super::error::StoreError;
use super::file;
use super::schema::Relation;
use super::value::Value;
use asof_model::Micros;

/// Copies the parts of the long values of rows that [`TAKE`] copies. It runs first, while only the
/// rows that stay exist. All versions of a fact that are taken are older than those that stay, so
/// none comes between a difference and what it differs from.
const TAKE_PARTS: &str = "
    insert into main.large(k, part, v) select k, part, v from other.large as taken
    where not exists (select 1 from main.cozo as here where here.k = taken.k)";

const TAKE: &str = "insert or ignore into main.cozo(k, v) select k, v from other.cozo";

/// The time at which an imported past is joined to a database.
#[derive(Debug)]
pub struct HistorySeam {
    /// Time of its oldest revision, later than all of the past.
    pub at: Micros,
    /// Rows that are written at that time.
    pub batch: Batch,
}

/// The newest state of a database, to begin another one with.
#[derive(Debug, Clone, Copy)]
pub struct Newest<'a> {
    /// The file.
    pub other: &'a Path,
    /// Time of all facts there.
    pub since: Micros,
    /// Plain relations whose rows belong to the state.
    pub plain: &'a [&'a str],
}

/// A fact that is not the same on both sides of a seam.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// Key columns without the time.
    pub key: Vec<Value>,
    /// The other columns at the end of the past, and at the seam; `None` if it does not hold.
    pub before: Option<Vec<Value>>,
    pub after: Option<Vec<Value>>,
}

impl Store {
    /// Removes every row of a plain relation. The script is made of the schema's own names.
    /// Fails for relations that are unknown or versioned.
    pub fn clear(&self, _lock: &WriteLock<'_>, relation: &str) -> Result<(), StoreError> {
        let relation = Relation::get(relation)?;
        if relation.versioned {
            return Err(StoreError::Row {
                relation: relation.name.to_owned(),
                reason: "the relation is versioned: its rows cannot be removed".to_owned(),
            });
        }
        let key: Vec<&str> = relation.key.iter().map(|c| c.name).collect();
        let (name, key) = (relation.name, key.join(", "));
        let script = format!("?[{key}] := *{name}{{{key}}} :rm {name} {{{key}}}");
        self.change(&script)
    }

    /// Adds the rows of a database that no process has open, of which all versions are earlier;
    /// rows whose key exists already stay as they are. With a seam, assertions at its time that
    /// repeat the other database get the time that they have there, and the rows of its batch are
    /// written. All or, if it fails, nothing.
    pub fn merge_database(
        &self,
        lock: &WriteLock<'_>,
        other: &Path,
        seam: Option<HistorySeam>,
    ) -> Result<(), StoreError> {
        let Some(path) = self.path() else {
            return Err(StoreError::ReadOnly);
        };
        file::settle(other)?;
        let before = file::Pages::read(path)?.all;
        let versioned: Vec<&str> =
            Relation::all().filter(|relation| relation.versioned).map(|r| r.name).collect();
        let join = seam.as_ref().map(|seam| (versioned.as_slice(), seam.at.0));
        let batch = seam.map(|seam| seam.batch).unwrap_or_default();
        self.write_beside(other, join, &[TAKE_PARTS, TAKE], batch)?;
        // Rows that went between others left pages half empty.
        if file::Pages::read(path)?.all <= before / 8 * 9 {
            return Ok(());
        }
        match self.compact(lock) {
            // The rows are there; only their space can be had later.
            Err(StoreError::Full { .. } | StoreError::Locked { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    /// Fills a database that has no facts with the newest state of another one of the same schema: its
    /// facts as facts since a time, and rows of plain relations. `rest` makes the other rows, and what
    /// is returned, from the number of facts by relation. All or, if it fails, nothing.
    pub fn take_newest<T, E: From<StoreError>>(
        &self,
        _lock: &WriteLock<'_>,
        newest: Newest<'_>,
        rest: impl FnOnce(&BTreeMap<&'static str, usize>) -> Result<(Batch, T), E>,
    ) -> Result<T, E> {
        let Newest { other, since, plain } = newest;
        self.write_all(|engine, context| {
            engine.together_beside(context, other, |_| {
                let mut facts = BTreeMap::new();
                for relation in Relation::all().filter(|relation| relation.versioned) {
                    let count = engine.take_newest(context, relation.name, since.0)?;
                    facts.insert(relation.name, count);
                }
                for relation in plain {
                    engine.take_rows(context, relation)?;
                }
                let (mut batch, value) = rest(&facts)?;
                batch.sort()?;
                engine.write_within(context, batch.into_parts())?;
                Ok(value)
            })
        })
    }

    /// What differs in a versioned relation between the end of `past`, all of which is earlier,
    /// and this database at a time. In the order of keys.
    pub fn differences(
        &self,
        past: &Self,
        relation: &Relation,
        at: Micros,
    ) -> Result<Vec<Changed>, StoreError> {
        let context = Context { path: self.path(), ..Context::default() };
        let found = self.engine.differences(context, &past.engine, relation.name, at.0)?;
        let changed = found.into_iter().map(|one| {
            let damaged = || StoreError::Row {
                relation: relation.name.to_owned(),
                reason: "a row has other columns than its relation".to_owned(),
            };
            type Halves = (Option<Vec<Value>>, Option<Vec<Value>>);
            let split = |row: Option<Vec<DataValue>>| -> Result<Halves, StoreError> {
                match row {
                    None => Ok((None, None)),
                    Some(row) => {
                        let (key, values) = columns(relation, &row).ok_or_else(damaged)?;
                        Ok((Some(key), Some(values)))
                    }
                }
            };
            let ((old, before), (new, after)) = (split(one.before)?, split(one.after)?);
            let key = new.or(old).ok_or_else(damaged)?;
            Ok(Changed { key, before, after })
        });
        changed.collect()
    }

    fn change(&self, script: &str) -> Result<(), StoreError> {
        let context = Context { script, path: self.path(), ..Context::default() };
        self.engine.run(context, Default::default(), ScriptMutability::Mutable).map(drop)
    }
}

/// Columns of the key, and those after the time.
fn columns(relation: &Relation, row: &[DataValue]) -> Option<(Vec<Value>, Vec<Value>)> {
    let (key, rest) = row.split_at_checked(relation.key.len())?;
    let values = rest.get(1..).filter(|values| values.len() == relation.values.len())?;
    let all = |cells: &[DataValue]| -> Option<Vec<Value>> {
        cells.iter().map(Value::from_engine).collect()
    };
    Some((all(key)?, all(values)?))
}
