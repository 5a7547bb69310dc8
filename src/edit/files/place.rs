//! Folders of the workspace, and the files that are named in them. A folder is opened once, from
//! the root one name at a time, without following links. Whatever happens to the path later,
//! operations act on the opened folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::rc::Rc;

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::disk::{self, FileSlot};
use super::error::FilesError;
use super::manifest::Entry;
use super::path::reserved;
use super::step::Spot;
use asof_files::FileIdentity;

/// The folders of a workspace that a transaction uses.
pub(super) struct Tree {
    root: Rc<File>,
    /// The state folder: never entered, whatever its name.
    state: Option<FileIdentity>,
    open: BTreeMap<String, Rc<File>>,
    /// The folder of the transaction's journal, once there is one.
    journal: Option<Rc<File>>,
}

/// Everything before the last `/`, and the rest.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn identity(file: &File) -> io::Result<FileIdentity> {
    file.metadata().map(|meta| FileIdentity::new(&meta))
}

impl Tree {
    /// Opens the root, through links if there are any: it was chosen by the user.
    pub fn open(root: &Path, state_dir: &Path) -> Result<Self, FilesError> {
        let dir = File::open(root).map_err(|err| FilesError::io("open", root, err))?;
        if !dir.metadata().is_ok_and(|meta| meta.is_dir()) {
            return Err(FilesError::refused(&root.display().to_string(), "it is not a folder"));
        }
        let state = File::open(state_dir).and_then(|dir| identity(&dir)).ok();
        Ok(Self { root: Rc::new(dir), state, open: BTreeMap::new(), journal: None })
    }

    /// The folder at `path`, normalised and relative to the root; `None` if it does not exist.
    ///
    /// # Errors
    /// [`FilesError::Refused`] if a part of it is a link, a file or reserved.
    pub fn dir(&mut self, path: &str) -> Result<Option<Rc<File>>, FilesError> {
        if path.is_empty() {
            return Ok(Some(Rc::clone(&self.root)));
        }
        if let Some(dir) = self.open.get(path) {
            return Ok(Some(Rc::clone(dir)));
        }
        let (parent, name) = split(path);
        let Some(parent) = self.dir(parent)? else { return Ok(None) };
        let Some(dir) = self.enter(&parent, name, path)? else { return Ok(None) };
        let dir = Rc::new(dir);
        self.open.insert(path.to_owned(), Rc::clone(&dir));
        Ok(Some(dir))
    }

    fn enter(&self, parent: &File, name: &str, path: &str) -> Result<Option<File>, FilesError> {
        if matches!(name, "" | "." | "..") || name.contains('\0') {
            return Err(FilesError::refused(path, "the path is not normalised"));
        }
        if let Some(reason) = reserved(name) {
            return Err(FilesError::refused(path, reason));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = match openat(parent, name, flags, Mode::empty()) {
            Ok(fd) => File::from(fd),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR | Errno::MLINK) => {
                return Err(FilesError::refused(path, "a part of the path is a link or a file"));
            }
            Err(err) => return Err(FilesError::at("open the folder", path, err)),
        };
        if self.state.is_some() && identity(&dir).ok() == self.state {
            return Err(FilesError::refused(path, "it is in the state folder of asof"));
        }
        Ok(Some(dir))
    }

    /// The place of a file whose path is normalised; `None` if its folder does not exist.
    pub fn place(&mut self, path: &str) -> Result<Option<FileSlot>, FilesError> {
        let (dir, name) = split(path);
        if let Some(reason) = reserved(name) {
            return Err(FilesError::refused(path, reason));
        }
        if matches!(name, "" | "." | "..") || name.contains('\0') {
            return Err(FilesError::refused(path, "the path is not normalised"));
        }
        Ok(self.dir(dir)?.map(|dir| FileSlot { dir, name: name.to_owned() }))
    }

    /// From now on, files are staged in the folder of the journal if their entries say so.
    pub fn stage_in(&mut self, journal: File) {
        self.journal = Some(Rc::new(journal));
    }

    /// A file of the transaction at its place.
    pub fn spot<'a>(&self, entry: &'a Entry, place: FileSlot) -> Spot<'a> {
        Spot::new(entry, place, self.journal.as_ref())
    }

    /// Whether the folder that is open for `path` is still at that path.
    pub fn still_there(&self, path: &str) -> bool {
        let mut dir = Rc::clone(&self.root);
        for name in path.split('/').filter(|part| !part.is_empty()) {
            match self.enter(&dir, name, path) {
                Ok(Some(next)) => dir = Rc::new(next),
                _ => return false,
            }
        }
        let opened = self.open.get(path).unwrap_or(&self.root);
        matches!((identity(&dir), identity(opened)), (Ok(now), Ok(then)) if now == then)
    }

    /// Closes a folder, such as one that was removed.
    pub fn discard(&mut self, path: &str) {
        self.open.remove(path);
    }

    /// Paths of all folders that are open, without the root.
    pub fn paths(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    /// Syncs the entries of folders to disk.
    pub fn sync<'a>(&mut self, paths: impl IntoIterator<Item = &'a str>) -> Result<(), FilesError> {
        for path in paths {
            if let Some(dir) = self.dir(path)? {
                disk::sync(&dir).map_err(|err| FilesError::at("sync", path, err))?;
            }
        }
        Ok(())
    }
}
