//! Merging the rows of another database of the same schema: an import of history is built in a
//! database of its own, and merged in one transaction.

use std::path::Path;

use asof_storage::asserted_at;
use cozo::ScriptMutability;

use super::batch::Batch;
use super::boundary::Context;
use super::database::{Store, WriteLock};
use super::error::StoreError;
use super::file;
use super::schema::Relation;

use crate::model::Micros;

/// Copies the parts of the long values of rows that [`TAKE`] copies. It runs first, while only the
/// rows that stay exist.
const TAKE_PARTS: &str = "
    insert into main.large(k, part, v) select k, part, v from other.large as taken
    where not exists (select 1 from main.cozo as here where here.k = taken.k)";

const TAKE: &str = "insert or ignore into main.cozo(k, v) select k, v from other.cozo";

/// Removes versions that repeat what the other database says last of the same fact. Later times
/// come first in the order of keys, so that version is the next row; the last ten bytes of a key
/// are its time, and the very last is 0 if it asserts.
const THIN: &str = "
    delete from main.cozo where substr(k, -10) = ? and exists (
        select 1 from other.cozo as past
        where past.k = (select k from other.cozo where k > main.cozo.k order by k limit 1)
            and length(past.k) = length(main.cozo.k)
            and substr(past.k, 1, length(past.k) - 10) = substr(main.cozo.k, 1, length(past.k) - 10)
            and substr(past.k, -1) = x'00'
            and past.v = main.cozo.v)";

/// The time at which an imported past is joined to a database.
#[derive(Debug)]
pub struct HistorySeam {
    /// Time of its oldest revision, later than all of the past.
    pub at: Micros,
    /// Rows that are written at that time.
    pub batch: Batch,
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

    /// Adds the rows of a database that no process has open; rows whose key exists already stay as
    /// they are. With a seam, assertions at its time that repeat the other database are removed,
    /// and the rows of its batch are written. All or, if it fails, nothing.
    pub fn merge_database(
        &self,
        _lock: &WriteLock<'_>,
        other: &Path,
        seam: Option<HistorySeam>,
    ) -> Result<(), StoreError> {
        let Some(path) = self.path() else {
            return Err(StoreError::ReadOnly);
        };
        file::settle(other)?;
        let name = other.to_str().ok_or_else(|| StoreError::Io {
            action: "read",
            path: other.to_owned(),
            source: std::io::Error::other("the path is not UTF-8"),
        })?;
        let ending = seam.as_ref().map(|seam| asserted_at(seam.at.0));
        let mut statements: Vec<(&str, Option<&[u8]>)> = vec![(TAKE_PARTS, None), (TAKE, None)];
        statements.extend(ending.as_ref().map(|ending| (THIN, Some(ending.as_slice()))));
        let batch = seam.map(|seam| seam.batch).unwrap_or_default();
        let context = Context { path: Some(path), ..Context::default() };
        self.write_beside(context, name, &statements, batch)
    }

    fn change(&self, script: &str) -> Result<(), StoreError> {
        let context = Context { script, path: self.path(), ..Context::default() };
        self.engine.run(context, Default::default(), ScriptMutability::Mutable).map(drop)
    }
}
