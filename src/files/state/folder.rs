//! State folders, opened once; all operations use names within them.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;

use super::error::StateError;

/// An open state folder. Operations by name act on this folder even if it is moved.
#[derive(Debug)]
pub struct Folder {
    dir: File,
    path: PathBuf,
}

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Folder {
    /// Opens a folder; `None` if it does not exist.
    ///
    /// # Errors
    /// [`StateError::NotOurs`] if the last name of the path is a link or not a folder. The part
    /// before it was chosen by the user, links included.
    pub fn open(path: &Path) -> Result<Option<Self>, StateError> {
        open_dir(CWD, path.as_os_str(), path)
    }

    /// Opens a folder, or creates it; its parent must exist.
    pub fn create(path: &Path) -> Result<Self, StateError> {
        make_dir(CWD, path.as_os_str(), path)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder in this one; `None` if it does not exist.
    pub fn sub(&self, name: &str) -> Result<Option<Self>, StateError> {
        open_dir(&self.dir, name.as_ref(), &self.path.join(name))
    }

    /// Opens a folder in this one, or creates it.
    pub fn make_sub(&self, name: &str) -> Result<Self, StateError> {
        make_dir(&self.dir, name.as_ref(), &self.path.join(name))
    }

    /// Creates a folder in this one; fails if the name exists.
    pub fn create_sub(&self, name: &str) -> Result<Self, StateError> {
        let path = self.path.join(name);
        rustix::fs::mkdirat(&self.dir, name, Mode::from_raw_mode(0o777))
            .map_err(|err| StateError::io("create", &path, err))?;
        open_dir(&self.dir, name.as_ref(), &path)?
            .ok_or_else(|| StateError::io("open", &path, Errno::NOENT))
    }

    /// Whether something has this name, even if asof did not create it.
    pub fn has(&self, name: &str) -> bool {
        statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Size of the file with this name; 0 if it does not exist.
    pub fn size(&self, name: &str) -> u64 {
        let stat = statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW);
        stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0))
    }

    /// Reads a regular file of at most this many bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// [`StateError::NotOurs`] if it is a link, not a regular file, or longer.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, StateError> {
        Ok(self.read_file(name, most)?.map(|(_, bytes)| bytes))
    }

    /// [`Folder::read`], with the open file.
    pub fn read_file(&self, name: &str, most: u64) -> Result<Option<(File, Vec<u8>)>, StateError> {
        let path = self.path.join(name);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let stat = match statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(err) => return Err(StateError::io("look at", &path, err)),
        };
        plain(&stat, &path)?;
        let file = match openat(&self.dir, name, flags, Mode::empty()) {
            Ok(fd) => File::from(fd),
            Err(Errno::NOENT) => return Ok(None),
            Err(err) => return Err(refused("read", &path, err)),
        };
        // It may have been replaced since it was checked.
        let meta = file.metadata().map_err(|err| StateError::io("read", &path, err))?;
        if !meta.is_file() {
            return Err(StateError::not_ours(&path, "is not a regular file"));
        }
        let mut bytes = Vec::new();
        (&file)
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|err| StateError::io("read", &path, err))?;
        if bytes.len() as u64 > most {
            return Err(StateError::not_ours(&path, format!("is larger than {most} bytes")));
        }
        Ok(Some((file, bytes)))
    }

    /// Creates a file for writing; fails if the name exists.
    pub fn create_file(&self, name: &str) -> Result<File, StateError> {
        self.create_with(name, Mode::from_raw_mode(0o666))
    }

    /// [`Folder::create_file`]; `None` if the name exists.
    pub fn create_if_absent(&self, name: &str) -> Result<Option<File>, StateError> {
        match self.create_file(name) {
            Ok(file) => Ok(Some(file)),
            Err(_) if self.has(name) => Ok(None),
            Err(err) => Err(err),
        }
    }

    /// Creates a file for writing that only its owner may read; fails if the name exists.
    pub fn create_private_file(&self, name: &str) -> Result<File, StateError> {
        self.create_with(name, Mode::from_raw_mode(0o600))
    }

    fn create_with(&self, name: &str, mode: Mode) -> Result<File, StateError> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(&self.dir, name, flags, mode)
            .map(File::from)
            .map_err(|err| StateError::io("create", &self.path.join(name), err))
    }

    /// Creates a file for writing, replacing a file or link with that name: it is removed, never
    /// written through.
    pub fn replace_file(&self, name: &str) -> Result<File, StateError> {
        self.remove_file(name)?;
        self.create_file(name)
    }

    /// Removes a file or link; `Ok` if it does not exist.
    pub fn remove_file(&self, name: &str) -> Result<(), StateError> {
        match rustix::fs::unlinkat(&self.dir, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(err) => Err(StateError::io("remove", &self.path.join(name), err)),
        }
    }

    /// Removes a folder and its contents without following links; `Ok` if it does not exist.
    pub fn remove_sub(&self, name: &str) -> Result<(), StateError> {
        let path = self.path.join(name);
        if self.sub(name)?.is_none() {
            return Ok(());
        }
        match std::fs::remove_dir_all(&path) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => {
                Err(StateError::io("delete", &path, err))
            }
            _ => Ok(()),
        }
    }

    /// Renames within this folder.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), StateError> {
        rustix::fs::renameat(&self.dir, from, &self.dir, to)
            .map_err(|err| StateError::io("rename", &self.path.join(from), err))
    }

    /// Names in this folder, in no particular order.
    pub fn names(&self) -> Result<Vec<OsString>, StateError> {
        let failed = |err: std::io::Error| StateError::io("list", &self.path, err);
        let entries = rustix::fs::Dir::read_from(&self.dir).map_err(|err| failed(err.into()))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|err| failed(err.into()))?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        Ok(names)
    }

    /// Syncs the names in this folder to disk.
    pub fn sync(&self) -> Result<(), StateError> {
        self.dir.sync_all().map_err(|err| StateError::io("sync", &self.path, err))
    }

    /// The folder itself.
    pub fn file(&self) -> &File {
        &self.dir
    }
}

/// Checks that a path does not exist, or is a regular file with one name: for files that SQLite
/// opens by path.
pub fn check_file(path: &Path) -> Result<(), StateError> {
    let stat = match statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(()),
        Err(err) => return Err(StateError::io("look at", path, err)),
    };
    plain(&stat, path)?;
    alone(stat.st_nlink as u64, path)
}

/// Moves a file to a path that must not exist. Fails with `AlreadyExists` otherwise.
pub fn publish(from: &Path, to: &Path) -> std::io::Result<()> {
    match rename_new(from, to) {
        Err(err) if [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP].contains(&err) => {
            if to.symlink_metadata().is_ok() {
                return Err(Errno::EXIST.into());
            }
            std::fs::rename(from, to)
        }
        outcome => Ok(outcome?),
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_new(from: &Path, to: &Path) -> Result<(), Errno> {
    rustix::fs::renameat_with(CWD, from, CWD, to, rustix::fs::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_new(_: &Path, _: &Path) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// A file is written only if it has no other name, which could be a user's file.
pub(super) fn alone(links: u64, path: &Path) -> Result<(), StateError> {
    match links {
        0 | 1 => Ok(()),
        _ => Err(StateError::not_ours(path, "has another name (a hard link)")),
    }
}

/// Refuses anything but a regular file, before it is opened.
pub(super) fn plain(stat: &Stat, path: &Path) -> Result<(), StateError> {
    let reason = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => return Ok(()),
        FileType::Symlink => "is a symbolic link",
        FileType::Directory => "is a folder",
        FileType::Fifo => "is a pipe",
        FileType::Socket => "is a socket",
        _ => "is not a regular file",
    };
    Err(StateError::not_ours(path, reason))
}

/// The error of an attempt to open something without following links.
pub(super) fn refused(action: &'static str, path: &Path, err: Errno) -> StateError {
    match err {
        Errno::LOOP | Errno::MLINK => StateError::not_ours(path, "is a symbolic link"),
        Errno::ISDIR => StateError::not_ours(path, "is a folder"),
        Errno::NXIO => StateError::not_ours(path, "is not a regular file"),
        err => StateError::io(action, path, err),
    }
}

fn open_dir(
    at: impl rustix::fd::AsFd,
    name: &OsStr,
    path: &Path,
) -> Result<Option<Folder>, StateError> {
    match openat(&at, name, FOLDER, Mode::empty()) {
        Ok(fd) => Ok(Some(Folder { dir: File::from(fd), path: path.to_owned() })),
        Err(Errno::NOENT) => Ok(None),
        Err(err @ (Errno::LOOP | Errno::NOTDIR | Errno::MLINK)) => {
            match statat(&at, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => {
                    let target = std::fs::read_link(path).unwrap_or_default();
                    let reason = format!("is a symbolic link to {}", target.display());
                    Err(StateError::not_ours(path, reason))
                }
                Ok(_) => Err(StateError::not_ours(path, "is not a folder")),
                Err(_) => Err(StateError::io("open", path, err)),
            }
        }
        Err(err) => Err(StateError::io("open", path, err)),
    }
}

fn make_dir(at: impl rustix::fd::AsFd, name: &OsStr, path: &Path) -> Result<Folder, StateError> {
    match rustix::fs::mkdirat(&at, name, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => {}
        // An existing folder can be used where none can be created.
        Err(Errno::ROFS | Errno::ACCESS) if path.exists() => {}
        Err(err) => return Err(StateError::io("create", path, err)),
    }
    open_dir(at, name, path)?.ok_or_else(|| StateError::io("open", path, Errno::NOENT))
}
