//! Decides how to open a database: whether its folder is writable, and how to read it if not.
//!
//! SQLite reads a write-ahead log through an index of it that is beside the file, and creates
//! that index if needed. Where it may not create files, there are three cases. If there is no log
//! with content and no index, nobody has it open for writing, and the file alone is the database.
//! If there are both, they are read as they are. If there is a log without an index, as a killed
//! writer can leave it, the files are copied to a temporary folder and read from there.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use asof_storage::{Access, pages};
use rustix::fs::{Access as Right, AtFlags, CWD, accessat};
use rustix::io::Errno;

use super::error::StoreError;
use super::file;
use asof_files::state::Scratch;

/// How often a copy is begun again because the files changed meanwhile.
const ATTEMPTS: usize = 3;

/// Where a database is read from, and how.
#[derive(Debug)]
pub(super) struct Source {
    pub path: PathBuf,
    pub access: Access,
    /// The temporary folder that a copy is in.
    _copy: Option<Scratch>,
    /// Stamp of the file when it was opened, if it is read as one that does not change.
    still: Option<Stamp>,
}

/// Shows whether a file was written: device, inode and times.
type Stamp = (u64, u64, i64, i64);

/// Why a database cannot be written where it is; `None` if it can.
pub(super) fn unwritable(path: &Path) -> Option<String> {
    let folder = file::folder_of(path);
    let denied = |path: &Path| {
        let said = accessat(CWD, path, Right::WRITE_OK, AtFlags::EACCESS).err()?;
        match said {
            Errno::ROFS => Some("the file system is read-only".to_owned()),
            Errno::ACCESS | Errno::PERM => {
                Some(format!("{} has no write permission for this user", path.display()))
            }
            // Where this cannot be known in advance, the write itself fails.
            _ => None,
        }
    };
    let beside = ["", "-wal", "-shm"].map(|suffix| file::beside(path, suffix));
    denied(folder).or_else(|| beside.iter().find_map(|path| denied(path)))
}

impl Source {
    pub fn new(path: &Path, access: Access) -> Self {
        Self { path: path.to_owned(), access, _copy: None, still: None }
    }

    /// A database in a read-only folder.
    pub fn read_only(path: &Path) -> Result<Self, StoreError> {
        let index = file::beside(path, "-shm").exists();
        if index && file::beside(path, "-wal").exists() && reads(path) {
            return Ok(Self::new(path, Access::Read));
        }
        if file::has_log(path) {
            return Self::copy(path);
        }
        let still = Some(stamp(path)?);
        Ok(Self { still, ..Self::new(path, Access::Still) })
    }

    fn copy(path: &Path) -> Result<Self, StoreError> {
        let log = file::beside(path, "-wal");
        for _ in 0..ATTEMPTS {
            let folder = Scratch::new(&std::env::temp_dir(), "read")?;
            let copy = folder.join("database");
            let stamps = || Ok::<_, StoreError>((stamp(path)?, stamp(&log)?));
            let before = stamps()?;
            for (from, to) in [(path, &copy), (&log, &folder.join("database-wal"))] {
                std::fs::copy(from, to)
                    .and_then(|_| writable_copy(to))
                    .map_err(|err| StoreError::io("copy", from, err))?;
            }
            if stamps()? == before {
                return Ok(Self { _copy: Some(folder), ..Self::new(&copy, Access::Write) });
            }
        }
        let path = path.to_owned();
        Err(StoreError::Locked { path, pid: None, waited: std::time::Duration::ZERO })
    }

    /// Fails if a file was written that was taken for one that does not change.
    pub fn check(&self) -> Result<(), StoreError> {
        match self.still {
            Some(still) if stamp(&self.path)? != still || file::has_log(&self.path) => {
                Err(StoreError::Replaced { path: self.path.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// The original may be read-only.
fn writable_copy(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

/// Whether SQLite can read the log and its index as they are.
fn reads(path: &Path) -> bool {
    pages::open(path, Access::Read)
        .and_then(|connection| connection.execute("select count(*) from sqlite_master"))
        .is_ok()
}

fn stamp(path: &Path) -> Result<Stamp, StoreError> {
    let meta: Metadata =
        path.symlink_metadata().map_err(|err| StoreError::io("read", path, err))?;
    Ok((meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec()))
}
