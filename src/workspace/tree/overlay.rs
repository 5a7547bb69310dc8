//! The files on disk with some of them replaced: what a planned edit would make of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Budget, Disk, Entry, GivenFiles, Kind, NoBytes, SourceTree};
use crate::error::WorkspaceError;
use asof_model::SourceFile;

/// See the module.
#[derive(Debug, Clone)]
pub struct Overlay {
    disk: Disk,
    /// The files that differ.
    given: GivenFiles,
    /// Those that are gone.
    gone: BTreeSet<String>,
}

impl Overlay {
    /// `files`: the bytes of the files that differ; `None` for a file that is gone.
    ///
    /// # Errors
    /// The root is missing, not a folder, or unreadable, or a path leaves it.
    pub fn open(
        root: &Path,
        files: BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<Self, WorkspaceError> {
        let gone = files.iter().filter(|(_, bytes)| bytes.is_none()).map(|(path, _)| path.clone());
        let gone = gone.collect();
        let there = files.into_iter().filter_map(|(path, bytes)| Some((path, bytes?)));
        Ok(Self { disk: Disk::open(root)?, given: GivenFiles::new(there.collect())?, gone })
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
                if !self.gone.contains(&path) {
                    entries.insert(entry.name.clone(), entry);
                }
            }
        }
        entries.extend(self.given.entries(folder));
        Ok(entries.into_values().collect())
    }

    fn look(&self, path: &str) -> Option<Kind> {
        if self.gone.contains(path) {
            None
        } else {
            self.given.look(path).or_else(|| self.disk.look(path))
        }
    }

    fn target(&self, link: &str) -> Result<String, String> {
        self.disk.target(link)
    }

    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        match (self.gone.contains(file), self.given.look(file)) {
            (true, _) => Err("there is no such file".to_owned()),
            (false, Some(Kind::File)) => self.given.stat(file),
            (false, _) => self.disk.stat(file),
        }
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match (self.gone.contains(file), self.given.look(file)) {
            (true, _) => Err(NoBytes::Unreadable("cannot be read: there is no such file".into())),
            (false, Some(Kind::File)) => self.given.bytes(file, cap),
            (false, _) => self.disk.bytes(file, cap),
        }
    }

    fn manifests_above(&self, cap: u64) -> Vec<Vec<u8>> {
        self.disk.manifests_above(cap)
    }

    fn budget(&self) -> Budget {
        self.disk.budget()
    }
}
