//! The files on disk with some of them replaced: what a planned edit would make of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Budget, Disk, Entry, Kind, NoBytes, SourceTree};
use crate::model::SourceFile;
use crate::workspace::error::WorkspaceError;

/// See the module.
#[derive(Debug, Clone)]
pub struct Overlay {
    disk: Disk,
    /// The bytes of the files that differ; `None` for a file that is gone.
    files: BTreeMap<String, Option<Vec<u8>>>,
}

impl Overlay {
    /// # Errors
    /// If the root is missing, not a folder, or unreadable.
    pub fn open(
        root: &Path,
        files: BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<Self, WorkspaceError> {
        Ok(Self { disk: Disk::open(root)?, files })
    }

    /// Names below a folder of files that are there whatever the disk has.
    fn added<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = Entry> + 's {
        self.files.iter().filter(|(_, bytes)| bytes.is_some()).filter_map(move |(path, _)| {
            let rest = match folder {
                "" => path.as_str(),
                _ => path.strip_prefix(folder)?.strip_prefix('/')?,
            };
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, Kind::Folder),
                None => (rest, Kind::File),
            };
            Some(Entry { name: name.to_owned(), is_utf8: true, kind })
        })
    }
}

impl SourceTree for Overlay {
    fn place(&self) -> PathBuf {
        self.disk.place()
    }

    fn name(&self) -> Option<String> {
        self.disk.name()
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        // A folder that only the edit has.
        if self.disk.look(folder).is_some() || folder.is_empty() {
            for entry in self.disk.list(folder)? {
                let path = super::within(folder, &entry.name);
                if !matches!(self.files.get(&path), Some(None)) {
                    entries.insert(entry.name.clone(), entry);
                }
            }
        }
        entries.extend(self.added(folder).map(|entry| (entry.name.clone(), entry)));
        Ok(entries.into_values().collect())
    }

    fn look(&self, path: &str) -> Option<Kind> {
        match self.files.get(path) {
            Some(bytes) => bytes.as_ref().map(|_| Kind::File),
            None => self.disk.look(path).or_else(|| self.added(path).next().map(|_| Kind::Folder)),
        }
    }

    fn target(&self, link: &str) -> Result<String, String> {
        self.disk.target(link)
    }

    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        match self.files.get(file) {
            Some(Some(bytes)) => Ok(SourceFile::new(file, bytes.len() as u64, 0)),
            Some(None) => Err("there is no such file".to_owned()),
            None => self.disk.stat(file),
        }
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match self.files.get(file) {
            Some(Some(bytes)) if bytes.len() as u64 > cap => {
                Err(NoBytes::TooLarge(bytes.len() as u64))
            }
            Some(Some(bytes)) => Ok(bytes.clone()),
            Some(None) => Err(NoBytes::Unreadable("cannot be read: there is no such file".into())),
            None => self.disk.bytes(file, cap),
        }
    }

    fn manifests_above(&self, cap: u64) -> Vec<Vec<u8>> {
        self.disk.manifests_above(cap)
    }

    fn budget(&self) -> Budget {
        self.disk.budget()
    }
}
