//! A tree with some of its files replaced: what a planned edit would make of the files on disk, or a
//! merge of those of a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Budget, Disk, Entry, GivenFiles, Kind, NoBytes, SourceTree};
use crate::error::WorkspaceError;
use crate::tree_merge::EditedFiles;
use asof_model::SourceFile;

/// See the module.
pub struct Overlay<'t> {
    below: Box<dyn SourceTree + 't>,
    /// The files that differ.
    given: GivenFiles,
    /// Those that are gone.
    gone: BTreeSet<String>,
}

impl std::fmt::Debug for Overlay<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Overlay").field("given", &self.given).finish_non_exhaustive()
    }
}

impl<'t> Overlay<'t> {
    /// Over the files on disk. `files`: the bytes of the files that differ; `None` for a file that is
    /// gone.
    ///
    /// # Errors
    /// The root is missing, not a folder, or unreadable, or a path leaves it.
    pub fn open(root: &Path, files: EditedFiles) -> Result<Self, WorkspaceError> {
        Self::over(Box::new(Disk::open(root)?), files)
    }

    /// Over a tree.
    ///
    /// # Errors
    /// A path leaves the root.
    pub fn over(
        below: Box<dyn SourceTree + 't>,
        files: EditedFiles,
    ) -> Result<Self, WorkspaceError> {
        let gone = files.iter().filter(|(_, bytes)| bytes.is_none()).map(|(path, _)| path.clone());
        let gone = gone.collect();
        let there = files.into_iter().filter_map(|(path, bytes)| Some((path, bytes?)));
        Ok(Self { below, given: GivenFiles::new(there.collect())?, gone })
    }
}

impl SourceTree for Overlay<'_> {
    fn place(&self) -> PathBuf {
        self.below.place()
    }

    fn name(&self) -> Option<String> {
        self.below.name()
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        // A folder that only the edit has.
        if self.below.look(folder).is_some() || folder.is_empty() {
            for entry in self.below.list(folder)? {
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
            self.given.look(path).or_else(|| self.below.look(path))
        }
    }

    fn target(&self, link: &str) -> Result<String, String> {
        self.below.target(link)
    }

    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        match (self.gone.contains(file), self.given.look(file)) {
            (true, _) => Err("there is no such file".to_owned()),
            (false, Some(Kind::File)) => self.given.stat(file),
            (false, _) => self.below.stat(file),
        }
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match (self.gone.contains(file), self.given.look(file)) {
            (true, _) => Err(NoBytes::Unreadable("cannot be read: there is no such file".into())),
            (false, Some(Kind::File)) => self.given.bytes(file, cap),
            (false, _) => self.below.bytes(file, cap),
        }
    }

    fn manifests_above(&self, cap: u64) -> Vec<Vec<u8>> {
        self.below.manifests_above(cap)
    }

    fn content_id(&self, file: &str) -> Option<Vec<u8>> {
        let is_below = !self.gone.contains(file) && self.given.look(file).is_none();
        is_below.then(|| self.below.content_id(file)).flatten()
    }

    fn check(&self) -> Result<(), WorkspaceError> {
        self.below.check()
    }

    fn budget(&self) -> Budget {
        self.below.budget()
    }
}
