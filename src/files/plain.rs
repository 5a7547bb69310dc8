//! Reading files that somebody else may have put there: only plain files, each up to a limit. A
//! named pipe, a device or a socket under the expected name is an error, and is never waited for.
//! It knows nothing about workspaces, and writes nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Whether the last part of a path may be a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    Follow,
    Refuse,
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// A folder, pipe, device or socket; or a link where none may be.
    #[error("it is {0}, not a regular file")]
    NotPlain(&'static str),
    /// The length, as far as it is known, and the limit.
    #[error("{len} bytes; at most {cap} bytes are read")]
    TooLarge { len: u64, cap: u64 },
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl Unread {
    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<Unread> for io::Error {
    fn from(error: Unread) -> Self {
        match error {
            Unread::Io(error) => error,
            other => Self::new(io::ErrorKind::InvalidInput, other.to_string()),
        }
    }
}

/// Opens a plain file for reading.
///
/// # Errors
/// See [`Unread`]; it never waits for the other end of a pipe.
pub fn open(path: &Path, links: Links) -> Result<File, Unread> {
    // Before opening: opening alone can trigger a device.
    let meta = match links {
        Links::Follow => fs::metadata(path)?,
        Links::Refuse => fs::symlink_metadata(path)?,
    };
    check(&meta)?;
    let mut options = OpenOptions::new();
    options.read(true);
    flags(&mut options, links);
    let file = options.open(path)?;
    // Another file may have taken its place.
    check(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a plain file of at most `cap` bytes.
///
/// # Errors
/// See [`Unread`]. A file that is too long is not read.
pub fn read(path: &Path, cap: u64, links: Links) -> Result<Vec<u8>, Unread> {
    let file = open(path, links)?;
    let len = file.metadata()?.len();
    if len > cap {
        return Err(Unread::TooLarge { len, cap });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
    // It may grow meanwhile, and files of `/proc` have no length.
    file.take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(bytes.len()) {
        Ok(len) if len <= cap => Ok(bytes),
        _ => Err(Unread::TooLarge { len: cap.saturating_add(1), cap }),
    }
}

/// [`read`] as UTF-8 text.
///
/// # Errors
/// See [`read`].
pub fn read_text(path: &Path, cap: u64, links: Links) -> Result<String, Unread> {
    let bytes = read(path, cap, links)?;
    let bad = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
    Ok(String::from_utf8(bytes).map_err(bad)?)
}

fn check(meta: &fs::Metadata) -> Result<(), Unread> {
    if meta.is_file() { Ok(()) } else { Err(Unread::NotPlain(what(meta.file_type()))) }
}

/// Describes something that is not a regular file.
pub fn what(kind: fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    match (kind.is_dir(), kind.is_symlink()) {
        (true, _) => "a folder",
        (_, true) => "a symbolic link",
        _ => "something else",
    }
}

#[cfg(unix)]
fn flags(options: &mut OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn flags(_: &mut OpenOptions, _: Links) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_read_and_only_up_to_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("plain"), "12345").unwrap();
        std::os::unix::fs::symlink("plain", at("link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), 0o600.into()).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        let told = |path: &Path, cap, links| match read(path, cap, links) {
            Ok(bytes) => String::from_utf8(bytes).unwrap(),
            Err(error) => error.to_string(),
        };
        assert_eq!(told(&at("plain"), 5, Links::Refuse), "12345");
        assert_eq!(told(&at("link"), 5, Links::Follow), "12345");
        assert!(told(&at("plain"), 4, Links::Refuse).starts_with("5 bytes"));
        for (name, kind) in [
            ("link", "a symbolic link"),
            ("pipe", "a named pipe"),
            ("socket", "a socket"),
            (".", "a folder"),
            ("/dev/zero", "a device"),
        ] {
            let message = told(&at(name), 5, Links::Refuse);
            assert_eq!(message, format!("it is {kind}, not a regular file"));
        }
        assert!(read(&at("gone"), 5, Links::Follow).unwrap_err().is_missing());
        // A file of length 0 that has content.
        assert!(told(Path::new("/proc/self/status"), 5, Links::Refuse).contains("at most 5"));
    }
}
