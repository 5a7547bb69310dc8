//! The engine over one of its storages.

use std::collections::BTreeMap;
use std::path::Path;

use cozo::{DataValue, Db, MemStorage, NamedRows, ScriptMutability, ScriptRunOptions};
use miette::{Result, miette};

use crate::Access;
use crate::sqlite_file::{FileStorage, Hold};

/// A database that the engine has open. Nothing here catches the engine's panics.
pub struct Engine(Kind);

enum Kind {
    Memory(Db<MemStorage>),
    File(Db<FileStorage>, FileStorage),
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Kind::Memory(_) => "Engine::Memory",
            Kind::File(..) => "Engine::File",
        })
    }
}

impl Engine {
    /// An empty database in memory.
    pub fn memory() -> Result<Self> {
        Ok(Self(Kind::Memory(cozo::new_cozo_mem()?)))
    }

    /// The database in a file that already has the engine's table.
    pub fn file(path: &Path, access: Access) -> Result<Self> {
        let storage = FileStorage::new(path.to_owned(), access);
        let db = Db::new(storage.clone())?;
        db.initialize()?;
        Ok(Self(Kind::File(db, storage)))
    }

    /// Whether several calls can make up one transaction.
    pub fn can_hold(&self) -> bool {
        matches!(self.0, Kind::File(..))
    }

    /// Begins a transaction that includes all calls until it ends. If a path is given, that
    /// database file is attached with the name `other`.
    ///
    /// # Errors
    /// In memory, or if SQLite fails.
    pub fn hold(&self, other: Option<&str>) -> Result<Hold<'_>> {
        let Kind::File(_, storage) = &self.0 else {
            return Err(miette!(
                "a database in memory does not support transactions of several calls"
            ));
        };
        match other {
            Some(other) => storage.hold_beside(other),
            None => storage.hold(),
        }
    }

    /// Runs a script, as one transaction.
    pub fn run(
        &self,
        script: &str,
        params: BTreeMap<String, DataValue>,
        mutability: ScriptMutability,
        options: ScriptRunOptions,
    ) -> Result<NamedRows> {
        match &self.0 {
            Kind::Memory(db) => db.run_script_with_options(script, params, mutability, options),
            Kind::File(db, _) => db.run_script_with_options(script, params, mutability, options),
        }
    }

    /// Writes rows into relations, as one transaction; keys that begin with `-` remove.
    pub fn import(&self, rows: BTreeMap<String, NamedRows>) -> Result<()> {
        match &self.0 {
            Kind::Memory(db) => db.import_relations(rows),
            Kind::File(db, _) => db.import_relations(rows),
        }
    }
}
