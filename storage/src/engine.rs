//! The engine over one of its storages.

use std::collections::BTreeMap;
use std::path::Path;

use cozo::{
    DataValue, Db, MemStorage, NamedRows, ScriptMutability, ScriptRunOptions, Storage, StoreTx,
};
use miette::{Result, miette};

use crate::past::{self, Difference, Hidden};
use crate::row::{self, StoredRow};
use crate::sqlite_file::{FileStorage, Hold};
use crate::{Access, DAMAGED, large};

/// A database that the engine has open. Nothing here catches the engine's panics.
pub struct Engine(Kind);

enum Kind {
    Memory(Db<MemStorage>, MemStorage),
    File(Db<FileStorage>, FileStorage),
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Kind::Memory(..) => "Engine::Memory",
            Kind::File(..) => "Engine::File",
        })
    }
}

impl Engine {
    /// An empty database in memory.
    pub fn memory() -> Result<Self> {
        let storage = MemStorage::default();
        let db = Db::new(storage.clone())?;
        db.initialize()?;
        Ok(Self(Kind::Memory(db, storage)))
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
            Kind::Memory(db, _) => db.run_script_with_options(script, params, mutability, options),
            Kind::File(db, _) => db.run_script_with_options(script, params, mutability, options),
        }
    }

    /// The number of each relation, by name.
    pub fn relations(&self) -> Result<BTreeMap<String, u64>> {
        match &self.0 {
            Kind::Memory(_, storage) => catalogue(storage),
            Kind::File(_, storage) => catalogue(storage),
        }
    }

    /// What differs in a versioned relation between the last state of `past` before a time and the
    /// state of this one at that time, both of the same schema.
    ///
    /// # Errors
    /// In memory, or if SQLite fails.
    pub fn differences(&self, past: &Self, relation: u64, at: i64) -> Result<Vec<Difference>> {
        past::differences(self.in_file()?, past.in_file()?, relation, at)
    }

    /// Gives facts that are the same at the end of `past` and in the assertions of this one at a
    /// time the time that they have there. Within [`Engine::hold`].
    ///
    /// # Errors
    /// In memory, or if SQLite fails.
    pub fn join(&self, past: &Self, relations: &[u64], at: i64) -> Result<()> {
        past::join(self.in_file()?, past.in_file()?, relations, at)
    }

    /// Copies the newest state of the facts of a versioned relation from the database beside this
    /// one, as facts since a time, in microseconds. Returns their number. Nothing of the relation may
    /// be here. Within [`Engine::hold`].
    ///
    /// # Errors
    /// In memory, or if SQLite fails.
    pub fn take_newest(&self, relation: u64, since: i64) -> Result<usize> {
        past::take_newest(self.in_file()?, relation, since)
    }

    /// Copies the rows of a plain relation from the database beside this one; those whose keys are
    /// here stay. Within [`Engine::hold`].
    ///
    /// # Errors
    /// In memory, or if SQLite fails.
    pub fn take_rows(&self, relation: u64) -> Result<()> {
        past::take_rows(self.in_file()?, relation)
    }

    /// Number of versions of a relation that are not visible at `floor`, in microseconds, or later,
    /// which are counted, or removed in one transaction.
    ///
    /// # Errors
    /// In memory, or if SQLite fails.
    pub fn hidden(&self, relation: u64, floor: i64, what: Hidden) -> Result<usize> {
        let storage = self.in_file()?;
        let found = past::hidden(storage, relation, floor)?;
        if what == Hidden::Removed && found.count > 0 {
            past::remove(storage, &found)?;
        }
        Ok(found.count)
    }

    fn in_file(&self) -> Result<&FileStorage> {
        match &self.0 {
            Kind::File(_, storage) => Ok(storage),
            Kind::Memory(..) => Err(miette!("a database in memory has no past of its own")),
        }
    }

    /// Writes rows of relations in the order in which they come, as one transaction or in that
    /// which is held. Rows of known keys replace the old ones. The engine takes no part in it: a
    /// row must have the columns of its relation, and no relation may have indexes or triggers.
    pub fn write(&self, parts: Vec<RowsOf>) -> Result<()> {
        let parts = parts.into_iter().map(|mut part| {
            part.rows.iter_mut().for_each(|row| row.set_relation(part.relation));
            part
        });
        match &self.0 {
            Kind::File(_, storage) => {
                for part in parts {
                    storage.write(part.rows, part.remove)?;
                }
                Ok(())
            }
            Kind::Memory(_, storage) => {
                let mut tx = storage.transact(true)?;
                for part in parts {
                    for row in &part.rows {
                        if part.remove {
                            tx.del(row.key())?
                        } else {
                            let value = large::unpack(row.value().to_vec())?;
                            tx.put(row.key(), &row::for_engine(row.key(), value)?)?;
                        }
                    }
                }
                tx.commit()
            }
        }
    }
}

/// Rows of one relation that are written, or whose keys are removed.
#[derive(Debug)]
pub struct RowsOf {
    /// Its number, of [`Engine::relations`].
    pub relation: u64,
    pub remove: bool,
    /// In the order of their keys, so that neighbours go to the same page.
    pub rows: Vec<StoredRow>,
}

/// The engine keeps its relations in relation 0: the name is the key, and the value is a map with
/// `id` among others.
fn catalogue<S: for<'s> Storage<'s>>(storage: &S) -> Result<BTreeMap<String, u64>> {
    #[derive(serde::Deserialize)]
    struct Entry {
        id: u64,
    }
    let tx = storage.transact(false)?;
    let mut found = BTreeMap::new();
    for pair in tx.range_scan(&0u64.to_be_bytes(), &1u64.to_be_bytes()) {
        let (key, value) = pair?;
        let name = row::decode(&key, &[])?;
        let [DataValue::Str(name)] = name.as_slice() else { continue };
        let Ok(Entry { id }) = rmp_serde::from_slice(&value) else { continue };
        found.insert(name.to_string(), id);
    }
    if found.is_empty() { Err(miette!("{DAMAGED}: no relations")) } else { Ok(found) }
}
