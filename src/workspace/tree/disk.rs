//! Files below a folder on disk.

use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{Budget, Entry, Kind, NoBytes, SourceTree};
use crate::error::WorkspaceError;
use asof_files::plain::{Links, Unread};
use asof_model::SourceFile;

/// A folder on disk.
#[derive(Debug, Clone)]
pub struct Disk {
    /// As it was given.
    place: PathBuf,
    /// With links resolved.
    root: PathBuf,
}

impl Disk {
    /// # Errors
    /// If the root is missing, not a folder, or unreadable.
    pub fn open(root: &Path) -> Result<Self, WorkspaceError> {
        let disk = Self::at(root)?;
        let place = root.to_owned();
        if !disk.root.is_dir() {
            return Err(WorkspaceError::NotAFolder { path: place });
        }
        match fs::read_dir(&disk.root) {
            Ok(_) => Ok(disk),
            Err(source) => Err(WorkspaceError::Unreadable { path: place, source }),
        }
    }

    /// [`Disk::open`] without checking the folder.
    pub(crate) fn at(root: &Path) -> Result<Self, WorkspaceError> {
        let place = root.to_owned();
        match fs::canonicalize(root) {
            Ok(root) => Ok(Self { place, root }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(WorkspaceError::NotFound { path: place })
            }
            Err(source) => Err(WorkspaceError::Unreadable { path: place, source }),
        }
    }

    /// Where a path is.
    pub(crate) fn full(&self, path: &str) -> PathBuf {
        // Joining an empty path would add a separator.
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }
}

impl SourceTree for Disk {
    fn place(&self) -> PathBuf {
        self.place.clone()
    }

    fn name(&self) -> Option<String> {
        self.root.file_name().map(|name| name.to_string_lossy().into_owned())
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.full(folder)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = kind(entry.file_type().map_err(failed)?);
            let (name, is_utf8) = match entry.file_name().into_string() {
                Ok(name) => (name, true),
                Err(name) => (name.to_string_lossy().into_owned(), false),
            };
            entries.push(Entry { name, is_utf8, kind });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn look(&self, path: &str) -> Option<Kind> {
        fs::symlink_metadata(self.full(path)).ok().map(|meta| kind(meta.file_type()))
    }

    fn target(&self, link: &str) -> Result<String, String> {
        let target = fs::read_link(self.full(link)).map_err(|error| error.to_string())?;
        let target = target.into_os_string().into_string();
        let target = target.map_err(|_| "it is not UTF-8".to_owned())?;
        Ok(if cfg!(windows) { target.replace('\\', "/") } else { target })
    }

    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        let meta = fs::symlink_metadata(self.full(file));
        meta.map(|meta| source_file(file.to_owned(), &meta)).map_err(|error| error.to_string())
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        asof_files::plain::read(&self.full(file), cap, Links::Refuse).map_err(|error| match error {
            Unread::TooLarge { len, .. } => NoBytes::TooLarge(len),
            error => NoBytes::Unreadable(error.to_string()),
        })
    }

    fn manifests_above(&self, cap: u64) -> Vec<Vec<u8>> {
        let above = self.root.ancestors().skip(1).map(|folder| folder.join("Cargo.toml"));
        above.filter_map(|path| asof_files::plain::read(&path, cap, Links::Follow).ok()).collect()
    }

    fn budget(&self) -> Budget {
        Budget::UNLIMITED
    }
}

fn kind(found: FileType) -> Kind {
    if found.is_file() {
        Kind::File
    } else if found.is_dir() {
        Kind::Folder
    } else if found.is_symlink() {
        Kind::Link
    } else {
        Kind::Other(asof_files::plain::what(found))
    }
}

/// A file as the system describes it.
fn source_file(path: String, meta: &Metadata) -> SourceFile {
    let modified_ns = meta.modified().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |before| -before)
        }
    });
    let (changed_ns, inode) = identity(meta);
    SourceFile { changed_ns, inode, ..SourceFile::new(path, meta.len(), modified_ns) }
}

/// Time of the last change of the file or its inode, and the inode's number.
#[cfg(unix)]
fn identity(meta: &Metadata) -> (i64, u64) {
    use std::os::unix::fs::MetadataExt;
    let changed_ns = meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec());
    (changed_ns, meta.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (i64, u64) {
    (0, 0)
}
