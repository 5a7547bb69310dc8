//! A file beside a database that can be made again from it.

use std::io::Write;
use std::path::PathBuf;

use super::database::Store;
use super::error::StoreError;
use super::file::{beside, folder_of};
use asof_files::state::Folder;

/// A file beside a database, `<database><suffix>`. It may be removed at any time, and what it
/// contains may be of another state of the database.
#[derive(Debug, Clone)]
pub struct SideFile {
    path: PathBuf,
}

impl Store {
    /// A file beside this database; none of a database in memory.
    pub fn side_file(&self, suffix: &str) -> Option<SideFile> {
        self.path().map(|path| SideFile { path: beside(path, suffix) })
    }
}

impl SideFile {
    /// Reads it, up to this many bytes; none if it is not there, or not a file that was written
    /// here.
    pub fn read(&self, most: u64) -> Option<Vec<u8>> {
        self.folder().ok()??.read(self.name()?, most).ok()?
    }

    /// Writes it in one step, from these parts.
    ///
    /// # Errors
    /// If the folder cannot be written. A former file stays as it is.
    pub fn write(&self, parts: &[&[u8]]) -> Result<(), StoreError> {
        let (Some(folder), Some(name)) = (self.folder()?, self.name()) else { return Ok(()) };
        let new = format!("{name}.new");
        let written = write(&folder, name, &new, parts);
        if written.is_err() {
            // It is of no use to anybody.
            let _ = folder.remove_file(&new);
        }
        written
    }

    fn folder(&self) -> Result<Option<Folder>, StoreError> {
        Ok(Folder::open(folder_of(&self.path))?)
    }

    fn name(&self) -> Option<&str> {
        self.path.file_name()?.to_str()
    }
}

fn write(folder: &Folder, name: &str, new: &str, parts: &[&[u8]]) -> Result<(), StoreError> {
    let failed = |source| StoreError::io("write", &folder.path().join(new), source);
    let mut file = folder.replace_file(new)?;
    parts.iter().try_for_each(|part| file.write_all(part)).map_err(failed)?;
    drop(file);
    Ok(folder.rename(new, name)?)
}
