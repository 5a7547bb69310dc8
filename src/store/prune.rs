//! Drops versions that no kept moment needs.

use asof_storage::{Access, Hidden, pages};
use cozo::ScriptMutability;

use super::boundary::Context;
use super::database::{Store, WriteLock};
use super::error::StoreError;
use super::file;
use super::schema::{Relation, RowsOf};
use super::value::Params;
use asof_model::Micros;

impl Store {
    /// Number of rows of a relation that are not visible at `floor` or later. For a versioned
    /// relation, all versions of each fact but the newest up to the floor, and that one too if it
    /// is a retraction. For a plain one, what revisions up to the floor did ([`RowsOf::Step`]).
    pub fn count_hidden(&self, relation: &str, floor: Micros) -> Result<usize, StoreError> {
        self.hidden(relation, floor, Hidden::Counted)
    }

    /// Removes what [`Store::count_hidden`] counts, in one transaction for each relation. Answers
    /// about moments from the floor on do not change.
    pub fn prune_versions(
        &self,
        _lock: &WriteLock<'_>,
        relation: &str,
        floor: Micros,
    ) -> Result<usize, StoreError> {
        self.hidden(relation, floor, Hidden::Removed)
    }

    fn hidden(&self, relation: &str, floor: Micros, what: Hidden) -> Result<usize, StoreError> {
        let relation = Relation::get(relation)?;
        let context = Context { path: self.path(), ..Context::default() };
        if relation.versioned {
            return self.engine.hidden(context, relation.name, floor.0, what);
        }
        if relation.rows != Some(RowsOf::Step) {
            return Err(StoreError::Row {
                relation: relation.name.to_owned(),
                reason: "its rows are not of one revision each".to_owned(),
            });
        }
        // The script is made of the schema's own names.
        let (name, key) = (relation.name, relation.key_headers().join(", "));
        let script = format!("?[{key}] := *{name}{{{key}}}, at <= $floor");
        let params = Params::new().with("floor", floor);
        let count = self.run(&script, &params)?.len();
        if what == Hidden::Removed && count > 0 {
            let script = format!("{script} :rm {name} {{{key}}}");
            let context = Context { script: &script, ..context };
            self.engine.run(context, params.0, ScriptMutability::Mutable)?;
        }
        Ok(count)
    }

    /// [`Store::compact`], if a sixteenth of the file is free. Less is soon used again, and the
    /// whole file would be written for it.
    pub fn compact_if_sparse(&self, lock: &WriteLock<'_>) -> Result<(), StoreError> {
        let Some(path) = self.path() else { return Ok(()) };
        let pages = file::Pages::read(path)?;
        if pages.free >= pages.all / 16 { self.compact(lock) } else { Ok(()) }
    }

    /// Returns the space of removed rows to the file system. Other processes have to wait.
    pub fn compact(&self, _lock: &WriteLock<'_>) -> Result<(), StoreError> {
        let Some(path) = self.path() else { return Ok(()) };
        pages::open(path, Access::Write)
            .and_then(|mut connection| {
                connection.set_busy_timeout(10_000)?;
                connection.execute("vacuum; pragma wal_checkpoint(truncate);")
            })
            .map_err(|err| file::from_sqlite(path, &err))
    }
}
