//! A tree with at most one file, whose bytes are given.

use std::path::{Path, PathBuf};

use super::{Budget, Entry, Kind, NoBytes, SourceTree};
use crate::model::SourceFile;
use crate::plain::{self, Links};
use crate::workspace::error::WorkspaceError;

/// See the module.
#[derive(Debug, Clone)]
pub struct SingleFile {
    /// Relative to the root, `/` between its parts.
    path: String,
    bytes: Option<Vec<u8>>,
}

impl SingleFile {
    /// The file that is at `place` on disk, up to `cap` bytes; a tree without files if there is no
    /// place.
    ///
    /// # Errors
    /// It is not a regular file, is too large, or cannot be read.
    pub fn read(path: &str, place: Option<&Path>, cap: u64) -> Result<Self, WorkspaceError> {
        let read = |place: &Path| {
            plain::read(place, cap, Links::Follow).map_err(|error| WorkspaceError::Unreadable {
                path: place.to_owned(),
                source: error.into(),
            })
        };
        Ok(Self { path: path.to_owned(), bytes: place.map(read).transpose()? })
    }

    /// What is below a folder on the way to the file.
    fn below(&self, folder: &str) -> Option<&str> {
        self.bytes.as_ref()?;
        match folder {
            "" => Some(&self.path),
            _ => self.path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }
}

impl SourceTree for SingleFile {
    fn place(&self) -> PathBuf {
        PathBuf::from(&self.path)
    }

    fn name(&self) -> Option<String> {
        None
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let entry = |rest: &str| {
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, Kind::Folder),
                None => (rest, Kind::File),
            };
            Entry { name: name.to_owned(), is_utf8: true, kind }
        };
        Ok(self.below(folder).map(entry).into_iter().collect())
    }

    fn look(&self, path: &str) -> Option<Kind> {
        match self.bytes.is_some() && path == self.path {
            true => Some(Kind::File),
            false => self.below(path).map(|_| Kind::Folder),
        }
    }

    fn target(&self, _link: &str) -> Result<String, String> {
        Err("there is no such link".to_owned())
    }

    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        let bytes = self.bytes.as_ref().filter(|_| file == self.path);
        let bytes = bytes.ok_or("there is no such file")?;
        Ok(SourceFile::new(file, bytes.len() as u64, 0))
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match self.bytes.as_ref().filter(|_| file == self.path) {
            Some(bytes) if bytes.len() as u64 > cap => Err(NoBytes::TooLarge(bytes.len() as u64)),
            Some(bytes) => Ok(bytes.clone()),
            None => Err(NoBytes::Unreadable("cannot be read: there is no such file".to_owned())),
        }
    }

    fn manifests_above(&self, _cap: u64) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn budget(&self) -> Budget {
        Budget::UNLIMITED
    }
}
