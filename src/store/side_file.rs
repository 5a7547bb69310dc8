//! A file beside a database that can be made again from it.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::database::Store;
use super::error::StoreError;
use crate::state::Folder;

/// A file beside a database, `<database><suffix>`. It may be removed at any time, and what it
/// contains may be of another state of the database.
#[derive(Debug, Clone)]
pub struct SideFile {
    folder: PathBuf,
    name: String,
}

impl Store {
    /// A file beside this database; none of a database in memory.
    pub fn side_file(&self, suffix: &str) -> Option<SideFile> {
        let path = self.path()?;
        let folder = super::file::folder_of(path).to_owned();
        Some(SideFile { folder, name: format!("{}{suffix}", path.file_name()?.to_str()?) })
    }
}

impl SideFile {
    /// Reads it, up to this many bytes; none if it is not there, or not a file that was written
    /// here.
    pub fn read(&self, most: u64) -> Option<Vec<u8>> {
        Folder::open(&self.folder).ok()??.read(&self.name, most).ok()?
    }

    /// Writes it in one step, from these parts.
    ///
    /// # Errors
    /// If the folder cannot be written. A former file stays as it is.
    pub fn write(&self, parts: &[&[u8]]) -> Result<(), StoreError> {
        let Some(folder) = Folder::open(&self.folder)? else { return Ok(()) };
        let new = format!("{}.new", self.name);
        let written = self.write_new(&folder, &new, parts);
        if written.is_err() {
            // It is of no use to anybody.
            let _ = folder.remove_file(&new);
        }
        written
    }

    fn write_new(&self, folder: &Folder, new: &str, parts: &[&[u8]]) -> Result<(), StoreError> {
        let failed = |source| StoreError::io("write", Path::new(new), source);
        let mut file = folder.replace_file(new)?;
        parts.iter().try_for_each(|part| file.write_all(part)).map_err(failed)?;
        drop(file);
        Ok(folder.rename(new, &self.name)?)
    }
}
