//! Taking over the rows of another database of the same schema: an import of history is made in
//! a database of its own, and enters in one transaction.

use std::path::Path;

use cozo::ScriptMutability;
use sqlite::{Connection, OpenFlags};

use super::boundary::Context;
use super::database::{Store, WriteLock};
use super::error::StoreError;
use super::file;
use super::schema::Relation;

impl Store {
    /// Removes every row of a plain relation. The script is made of the schema's own names.
    /// Fails for relations that are unknown or versioned.
    pub fn clear(&self, _lock: &WriteLock<'_>, relation: &str) -> Result<(), StoreError> {
        let relation = Relation::get(relation)?;
        if relation.versioned {
            return Err(StoreError::Row {
                relation: relation.name.to_owned(),
                reason: "the relation is versioned: its rows stay".to_owned(),
            });
        }
        let key: Vec<&str> = relation.key.iter().map(|c| c.name).collect();
        let (name, key) = (relation.name, key.join(", "));
        let script = format!("?[{key}] := *{name}{{{key}}} :rm {name} {{{key}}}");
        self.change(&script)
    }

    /// Adds the rows of a database that no process has open; rows whose key is there already
    /// stay as they are. All of them or, if it fails, none.
    pub fn absorb(&self, _lock: &WriteLock<'_>, other: &Path) -> Result<(), StoreError> {
        let Some(path) = self.path() else {
            return Err(StoreError::ReadOnly);
        };
        file::settle(other)?;
        let sqlite = |err: sqlite::Error| file::from_sqlite(path, &err);
        let flags = OpenFlags::new().with_read_write();
        let mut connection = Connection::open_with_flags(path, flags).map_err(sqlite)?;
        connection.set_busy_timeout(5_000).map_err(sqlite)?;
        let name = other.to_str().ok_or_else(|| StoreError::Io {
            action: "read",
            path: other.to_owned(),
            source: std::io::Error::other("the path is not UTF-8"),
        })?;
        let mut attach = connection.prepare("attach database ? as other").map_err(sqlite)?;
        attach.bind((1, name)).map_err(sqlite)?;
        attach.next().map_err(sqlite)?;
        drop(attach);
        connection
            .execute(
                "begin immediate;
                 insert or ignore into main.cozo(k, v) select k, v from other.cozo;
                 commit;
                 detach database other;",
            )
            .map_err(sqlite)
    }

    fn change(&self, script: &str) -> Result<(), StoreError> {
        let context = Context { script, path: self.path(), ..Context::default() };
        self.engine.run(context, Default::default(), ScriptMutability::Mutable).map(drop)
    }
}
