//! The staged files: those of Git's index, as a tree. Only paths and ids are read from the index;
//! the bytes come from the same objects as those of commits.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::index::entry::{Flags, Stage};
use gix::objs::Kind as ObjectKind;

use super::commit::{CommitTree, Commits};
use super::object::{Listing, TreeEntry, entry};
use crate::error::WorkspaceError;
use crate::git::Git;

/// Mode of a folder.
const FOLDER: u32 = 0o040_000;

impl Commits {
    /// The staged files below the root of the workspace.
    ///
    /// # Errors
    /// The index cannot be read, or has conflicts.
    pub fn staged(&self, git: &Git) -> Result<CommitTree<'_>, WorkspaceError> {
        let index = git.repository.index_or_empty().map_err(|e| git.bad("the index", &e))?;
        let mut folders: BTreeMap<Vec<u8>, BTreeMap<Vec<u8>, TreeEntry>> = BTreeMap::new();
        folders.entry(Vec::new()).or_default();
        for staged in index.entries() {
            let path = staged.path(&index);
            if staged.stage() != Stage::Unconflicted {
                let reason = format!("`{path}` has conflicts");
                return Err(git.bad("the index", &reason));
            }
            if staged.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            // A folder of a sparse index ends with a separator.
            let mut path = path.trim_end_with(|c| c == '/');
            let mut mode = staged.mode.bits();
            let mut id = staged.id;
            loop {
                let (folder, name) = path.rsplit_once_str("/").unwrap_or((b"", path));
                let known = folders.entry(folder.to_vec()).or_default();
                if known.contains_key(name) {
                    break;
                }
                known.insert(name.to_vec(), entry(mode, name, id));
                if folder.is_empty() {
                    break;
                }
                (mode, id, path) = (FOLDER, folder_id(git, folder)?, folder);
            }
        }
        for (folder, entries) in folders {
            let entries = entries.into_values().collect();
            self.keep(folder_id(git, &folder)?, Listing { entries });
        }
        self.below("the index".to_owned(), folder_id(git, b"")?)
    }
}

/// An id for a folder of the index, which has no tree object. No object has it: it is the hash of a
/// text that no object begins with.
fn folder_id(git: &Git, folder: &[u8]) -> Result<ObjectId, WorkspaceError> {
    let text = [b"folder of the index\0", folder].concat();
    let id = gix::objs::compute_hash(git.repository.object_hash(), ObjectKind::Blob, &text);
    id.map_err(|e| git.bad("the index", &e))
}
