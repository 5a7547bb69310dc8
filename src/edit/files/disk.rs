//! File operations on one name in an open folder: look, read, write, exchange, remove. Nothing here
//! follows a link.

use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use asof_model::RawHash;

use super::fault;

/// Larger files are not sources, and would have to be kept in memory.
const MAX_LEN: u64 = 256 << 20;

/// A file's place: an open folder and a name in it.
#[derive(Clone)]
pub(super) struct FileSlot {
    pub dir: Rc<File>,
    pub name: String,
}

/// Permissions and owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rights {
    pub mode: u32,
    pub user: u32,
    pub group: u32,
}

/// A regular file that was read.
pub(super) struct Seen {
    pub file: File,
    pub id: (u64, u64),
    pub rights: Rights,
    pub links: u64,
    pub modified: Option<SystemTime>,
    pub hash: RawHash,
    pub bytes: Vec<u8>,
}

/// The entry at a place.
pub(super) enum Look {
    Nothing,
    File(Box<Seen>),
    /// Not a regular file, or one that is too large.
    Other(&'static str),
}

impl Look {
    pub fn hash(&self) -> Option<RawHash> {
        match self {
            Self::File(seen) => Some(seen.hash),
            _ => None,
        }
    }
}

/// Reads the entry at a place.
pub(super) fn look(place: &FileSlot) -> io::Result<Look> {
    let stat = match rustix::fs::statat(&*place.dir, &place.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(Look::Nothing),
        Err(err) => return Err(err.into()),
    };
    // Before opening: opening alone can trigger a device.
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Symlink => return Ok(Look::Other("it is a symbolic link")),
        FileType::Directory => return Ok(Look::Other("it is a folder")),
        _ => return Ok(Look::Other("it is not a regular file")),
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(&*place.dir, &place.name, flags, Mode::empty()) {
        Ok(fd) => File::from(fd),
        Err(Errno::NOENT) => return Ok(Look::Nothing),
        Err(Errno::LOOP | Errno::MLINK) => return Ok(Look::Other("it is a symbolic link")),
        Err(Errno::NXIO) => return Ok(Look::Other("it is not a regular file")),
        Err(err) => return Err(err.into()),
    };
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Ok(Look::Other("it is not a regular file"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len().min(MAX_LEN)).unwrap_or(0));
    (&file).take(MAX_LEN + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_LEN {
        return Ok(Look::Other("it is larger than 256 MiB"));
    }
    Ok(Look::File(Box::new(Seen {
        id: (meta.dev(), meta.ino()),
        rights: Rights { mode: meta.mode() & 0o7777, user: meta.uid(), group: meta.gid() },
        links: meta.nlink(),
        modified: meta.modified().ok(),
        hash: RawHash::hash(&bytes),
        file,
        bytes,
    })))
}

/// Whether a file or folder may be written: its permission bits, which do not bind every user,
/// and the system's own answer.
pub(super) fn writable(dir: &File, name: Option<&str>) -> io::Result<bool> {
    let name = name.unwrap_or(".");
    let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if Mode::from_raw_mode(stat.st_mode).bits() & 0o222 == 0 {
        return Ok(false);
    }
    match rustix::fs::accessat(dir, name, Access::WRITE_OK, AtFlags::EACCESS) {
        Ok(()) => Ok(true),
        Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => Ok(false),
        // Where this cannot be known in advance, the write itself fails.
        Err(_) => Ok(true),
    }
}

/// Whether new files in a folder get more from it than a place: its group, or its access list. They
/// must be created there.
pub(super) fn gives_to_new_files(dir: &File) -> io::Result<bool> {
    const SET_GROUP: u32 = 0o2000;
    Ok(dir.metadata()?.mode() & SET_GROUP != 0 || has_default_access(dir))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn has_default_access(dir: &File) -> bool {
    let mut nothing: [u8; 0] = [];
    rustix::fs::fgetxattr(dir, "system.posix_acl_default", &mut nothing[..]).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn has_default_access(_: &File) -> bool {
    false
}

/// What a new file takes over from an old one.
#[derive(Default)]
pub(super) struct Heritage<'a> {
    /// `None`: the system's default for a new file.
    pub rights: Option<Rights>,
    /// A file whose extended attributes are copied.
    pub attributes: Option<&'a File>,
    /// The new time of modification will be later than this one.
    pub newer_than: Option<SystemTime>,
}

/// Writes a file that did not exist, and syncs its content to disk.
pub(super) fn write_new(place: &FileSlot, bytes: &[u8], heritage: &Heritage<'_>) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // Nobody else can read it before it has the rights of the old one.
    let mode = if heritage.rights.is_some() { 0o600 } else { 0o666 };
    let fd = rustix::fs::openat(&*place.dir, &place.name, flags, Mode::from_raw_mode(mode))?;
    let mut file = File::from(fd);
    file.write_all(bytes)?;
    if let Some(from) = heritage.attributes {
        copy_attributes(from, &file);
    }
    if let Some(rights) = heritage.rights {
        // Set-uid and set-gid bits must not pass to another owner.
        let owned = fchown(&file, Some(rights.user), Some(rights.group)).is_ok();
        let mask = if owned { 0o7777 } else { 0o777 };
        file.set_permissions(Permissions::from_mode(rights.mode & mask))?;
    }
    if let Some(old) = heritage.newer_than
        && file.metadata()?.modified()? <= old
    {
        // Clocks of file systems are coarse: two writes may have the same time.
        let _ = file.set_modified(old + Duration::from_micros(1));
    }
    sync(&file)
}

/// Syncs a file or the names in a folder to disk. Unit tests do not lose power, and end processes
/// too often to wait for it.
pub(super) fn sync(file: &File) -> io::Result<()> {
    if cfg!(test) { Ok(()) } else { file.sync_all() }
}

/// Best effort: labels and access lists that this system or user cannot set are left out.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn copy_attributes(from: &File, to: &File) {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    let mut names = vec![0; 64 << 10];
    let Ok(len) = flistxattr(from, &mut names[..]) else { return };
    for name in names.get(..len).unwrap_or_default().split(|&byte| byte == 0) {
        let mut value = vec![0; 64 << 10];
        if !name.is_empty()
            && let Ok(len) = fgetxattr(from, name, &mut value[..])
        {
            let _ = fsetxattr(to, name, value.get(..len).unwrap_or_default(), XattrFlags::empty());
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn copy_attributes(_: &File, _: &File) {}

/// How two files were exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swap {
    /// In one step; `from` now has what was at `to`.
    Exchanged,
    /// The system has no exchange: `from` replaced `to`, which is gone.
    Replaced,
}

/// Exchanges two existing files.
pub(super) fn swap(from: &FileSlot, to: &FileSlot) -> io::Result<Swap> {
    match exchange(from, to) {
        Err(err) if unsupported(&err) => {
            rustix::fs::renameat(&*from.dir, &from.name, &*to.dir, &to.name)?;
            Ok(Swap::Replaced)
        }
        Err(err) => Err(err),
        Ok(()) => Ok(Swap::Exchanged),
    }
}

/// Renames to a name that must not exist; fails with `AlreadyExists` otherwise.
pub(super) fn rename_new(from: &FileSlot, to: &FileSlot) -> io::Result<()> {
    match rename_noreplace(from, to) {
        Err(err) if unsupported(&err) => {
            let (a, b) = (&*from.dir, &*to.dir);
            rustix::fs::linkat(a, &from.name, b, &to.name, AtFlags::empty())?;
            fault::point("linked")?;
            rustix::fs::unlinkat(a, &from.name, AtFlags::empty())?;
            Ok(())
        }
        other => other,
    }
}

/// Fails where tests say that every folder is a file system of its own.
fn same_system(from: &FileSlot, to: &FileSlot) -> io::Result<()> {
    if fault::forced("own-systems") && !Rc::ptr_eq(&from.dir, &to.dir) {
        Err(Errno::XDEV.into())
    } else {
        Ok(())
    }
}

fn unsupported(err: &io::Error) -> bool {
    let known = [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP];
    Errno::from_io_error(err).is_some_and(|err| known.contains(&err))
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(from: &FileSlot, to: &FileSlot) -> io::Result<()> {
    use rustix::fs::{RenameFlags, renameat_with};
    if fault::forced("no-exchange") {
        return Err(Errno::INVAL.into());
    }
    same_system(from, to)?;
    let flags = RenameFlags::EXCHANGE;
    Ok(renameat_with(&*from.dir, &from.name, &*to.dir, &to.name, flags)?)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_noreplace(from: &FileSlot, to: &FileSlot) -> io::Result<()> {
    use rustix::fs::{RenameFlags, renameat_with};
    if fault::forced("no-exchange") {
        return Err(Errno::INVAL.into());
    }
    same_system(from, to)?;
    let flags = RenameFlags::NOREPLACE;
    Ok(renameat_with(&*from.dir, &from.name, &*to.dir, &to.name, flags)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &FileSlot, _: &FileSlot) -> io::Result<()> {
    Err(Errno::NOSYS.into())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_noreplace(_: &FileSlot, _: &FileSlot) -> io::Result<()> {
    Err(Errno::NOSYS.into())
}

/// Removes a file; `Ok` if there is none.
pub(super) fn remove(place: &FileSlot) -> io::Result<()> {
    match rustix::fs::unlinkat(&*place.dir, &place.name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(err) => Err(err.into()),
    }
}
