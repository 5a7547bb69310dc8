//! Drops versions that no kept moment needs.

use asof_storage::{Access, pages};
use cozo::ScriptMutability;

use super::boundary::Context;
use super::database::{Store, WriteLock};
use super::error::StoreError;
use super::file;
use super::schema::{Relation, RowsOf};
use super::value::Params;
use crate::model::Micros;

impl Store {
    /// Number of rows of a relation that are not visible at `floor` or later. For a versioned
    /// relation, all versions of each fact but the newest up to the floor, and that one too if it
    /// is a retraction. For a plain one, what revisions up to the floor did ([`RowsOf::Step`]).
    pub fn count_hidden(&self, relation: &str, floor: Micros) -> Result<usize, StoreError> {
        let script = hidden(relation, "")?;
        Ok(self.run(&script, &Params::new().with("floor", floor))?.len())
    }

    /// Removes what [`Store::count_hidden`] counts, in one transaction for each relation. Answers
    /// about moments from the floor on do not change.
    pub fn prune_versions(
        &self,
        _lock: &WriteLock<'_>,
        relation: &str,
        floor: Micros,
    ) -> Result<usize, StoreError> {
        let count = self.count_hidden(relation, floor)?;
        if count > 0 {
            let key = Relation::get(relation)?.key_headers().join(", ");
            let script = hidden(relation, &format!(":rm {relation} {{{key}}}"))?;
            let context = Context { script: &script, path: self.path(), ..Context::default() };
            let params = Params::new().with("floor", floor);
            self.engine.run(context, params.0, ScriptMutability::Mutable)?;
        }
        Ok(count)
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

/// The script is made of the schema's own names.
fn hidden(relation: &str, then: &str) -> Result<String, StoreError> {
    let relation = Relation::get(relation)?;
    if relation.rows == Some(RowsOf::Step) {
        let (name, key) = (relation.name, relation.key_headers().join(", "));
        return Ok(format!("?[{key}] := *{name}{{{key}}}, at <= $floor {then}"));
    }
    if !relation.versioned {
        return Err(StoreError::Row {
            relation: relation.name.to_owned(),
            reason: "its rows are not of one revision each".to_owned(),
        });
    }
    let key: Vec<&str> = relation.key.iter().map(|c| c.name).collect();
    let (name, key) = (relation.name, key.join(", "));
    Ok(format!(
        "newest[{key}, max(time)] := *{name}{{{key}, at}}, time = to_int(at), time <= $floor
         ?[{key}, at] := newest[{key}, last], *{name}{{{key}, at}}, to_int(at) < last
         ?[{key}, at] := newest[{key}, last], *{name}{{{key}, at}}, to_int(at) == last, !to_bool(at)
         {then}"
    ))
}
