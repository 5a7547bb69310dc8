//! A tree of files whose bytes are given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Budget, Entry, Kind, NoBytes, SourceTree};
use crate::error::WorkspaceError;
use crate::paths;
use asof_files::plain::Links;
use asof_model::SourceFile;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct GivenFiles {
    /// By path relative to the root, `/` between its parts.
    files: BTreeMap<String, Vec<u8>>,
}

impl GivenFiles {
    /// # Errors
    /// A path is not relative, or leaves the root.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Result<Self, WorkspaceError> {
        match files
            .keys()
            .find(|path| path.is_empty() || paths::join("", path).as_ref() != Some(path))
        {
            Some(path) => Err(WorkspaceError::NotAPath { path: path.clone() }),
            None => Ok(Self { files }),
        }
    }

    /// The file that is at `place` on disk, up to `cap` bytes; a tree without files if there is no
    /// place.
    ///
    /// # Errors
    /// It is not a regular file, is too large, or cannot be read.
    pub fn read(path: &str, place: Option<&Path>, cap: u64) -> Result<Self, WorkspaceError> {
        let read = |place: &Path| {
            asof_files::plain::read(place, cap, Links::Follow).map_err(|error| {
                WorkspaceError::Unreadable { path: place.to_owned(), source: error.into() }
            })
        };
        let bytes = place.map(read).transpose()?;
        Ok(Self { files: bytes.into_iter().map(|bytes| (path.to_owned(), bytes)).collect() })
    }

    /// The files and folders of a folder.
    pub(super) fn entries(&self, folder: &str) -> BTreeMap<String, Entry> {
        let entry = |path: &String| {
            let rest = match folder {
                "" => path.as_str(),
                _ => path.strip_prefix(folder)?.strip_prefix('/')?,
            };
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, Kind::Folder),
                None => (rest, Kind::File),
            };
            let name = name.to_owned();
            Some((name.clone(), Entry { name, is_utf8: true, kind }))
        };
        self.files.keys().filter_map(entry).collect()
    }
}

impl SourceTree for GivenFiles {
    fn place(&self) -> PathBuf {
        PathBuf::from(self.files.keys().next().map_or(".", String::as_str))
    }

    fn name(&self) -> Option<String> {
        None
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        Ok(self.entries(folder).into_values().collect())
    }

    fn look(&self, path: &str) -> Option<Kind> {
        if self.files.contains_key(path) {
            Some(Kind::File)
        } else {
            (!self.entries(path).is_empty()).then_some(Kind::Folder)
        }
    }

    fn target(&self, _link: &str) -> Result<String, String> {
        Err("there is no such link".to_owned())
    }

    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        let bytes = self.files.get(file).ok_or("there is no such file")?;
        Ok(SourceFile::new(file, bytes.len() as u64, 0))
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match self.files.get(file) {
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
