//! The cache of dependencies' declarations: a file for each crate, version and format, shared by all
//! workspaces of a user. A file that is damaged is read from the sources again; one that was not
//! used for long goes when the folder grows beyond its limit.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use asof_files::plain::Links;
use asof_model::RawHash;

/// Size of the folder, in bytes, beyond which the files that were not used for longest go.
pub const LIMIT: u64 = 512 << 20;

/// Longest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// More than a file ever expands to.
const MAX_BYTES: usize = 256 << 20;

const LEVEL: i32 = 3;

const EXTENSION: &str = "crate";

/// The folder: `$ASOF_CACHE_DIR`, else `asof` in `$XDG_CACHE_HOME` or `~/.cache`. None if there is
/// no home.
pub fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty());
    let own = set("ASOF_CACHE_DIR").map(PathBuf::from);
    let shared = || set("XDG_CACHE_HOME").map(|folder| PathBuf::from(folder).join("asof"));
    let home = || set("HOME").map(|home| PathBuf::from(home).join(".cache/asof"));
    let folder = own.or_else(shared).or_else(home)?;
    folder.is_absolute().then(|| folder.join("crates"))
}

/// What is in the cache.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CacheContents {
    pub files: usize,
    pub bytes: u64,
}

/// Counts the files of the cache.
///
/// # Errors
/// If the folder cannot be read. One that does not exist is empty.
pub fn cache_contents() -> std::io::Result<CacheContents> {
    let Some(folder) = cache_folder() else { return Ok(CacheContents::default()) };
    let files = files(&folder)?;
    Ok(CacheContents { files: files.len(), bytes: files.iter().map(|file| file.bytes).sum() })
}

/// Removes all files of the cache; returns what there was.
///
/// # Errors
/// If a file cannot be removed; those before it are gone.
pub fn clear_cache() -> std::io::Result<CacheContents> {
    let before = cache_contents()?;
    if let Some(folder) = cache_folder() {
        for file in files(&folder)? {
            fs::remove_file(&file.path)?;
        }
    }
    Ok(before)
}

struct CacheFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn files(folder: &Path) -> std::io::Result<Vec<CacheFile>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let is_ours = path.extension().is_some_and(|own| own == EXTENSION || own == "tmp");
        // Another process may have removed it.
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        if is_ours && meta.is_file() {
            let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            found.push(CacheFile { path, bytes: meta.len(), used });
        }
    }
    Ok(found)
}

/// Where the declarations of this key are.
fn file(key: &str) -> Option<PathBuf> {
    Some(cache_folder()?.join(format!("{key}.{EXTENSION}")))
}

/// Whether there is a file of this key.
pub(super) fn has(key: &str) -> bool {
    file(key).is_some_and(|path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()))
}

/// The bytes of this key; none if there are none, or if they are damaged.
pub(super) fn read(key: &str) -> Option<Vec<u8>> {
    let path = file(key)?;
    let bytes = asof_files::plain::read(&path, MAX_FILE, Links::Refuse).ok()?;
    let found = unpack(&bytes);
    match found {
        Some(_) => touch(&path),
        // It would be taken for a known crate otherwise.
        None => drop(fs::remove_file(&path)),
    }
    found
}

/// The time of a file's last use is that of its last change.
fn touch(path: &Path) {
    if let Ok(file) = fs::File::options().write(true).open(path) {
        // Only the order of removal depends on it.
        let _ = file.set_modified(SystemTime::now());
    }
}

fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    let (hash, packed) = bytes.split_at_checked(RawHash::hash(b"").as_str().len())?;
    let data = zstd::bulk::decompress(packed, MAX_BYTES).ok()?;
    (RawHash::hash(&data).as_str().as_bytes() == hash).then_some(data)
}

/// Writes a file whole or not at all. Without a cache everything works, more slowly: what cannot be
/// written is made again.
pub(super) fn write(key: &str, data: &[u8]) {
    // Nothing depends on it: see above.
    let _ = try_write(key, data);
}

fn try_write(key: &str, data: &[u8]) -> std::io::Result<()> {
    let Some(path) = file(key) else { return Ok(()) };
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder)?;
    let mut bytes = RawHash::hash(data).as_str().as_bytes().to_vec();
    bytes.extend(zstd::bulk::compress(data, LEVEL)?);
    let mut temporary = tempfile::Builder::new().suffix(".tmp").tempfile_in(folder)?;
    temporary.write_all(&bytes)?;
    temporary.persist(&path).map_err(|error| error.error)?;
    HAS_WRITTEN.store(true, Ordering::Relaxed);
    Ok(())
}

/// Whether this process wrote files since the folder was within its limit.
static HAS_WRITTEN: AtomicBool = AtomicBool::new(false);

/// Removes what was not used for longest until the folder is within its limit, if it grew.
pub(super) fn trim_what_was_written() {
    if HAS_WRITTEN.swap(false, Ordering::Relaxed) {
        trim(LIMIT);
    }
}

fn trim(limit: u64) {
    let Some(mut all) = cache_folder().and_then(|folder| files(&folder).ok()) else { return };
    let mut bytes: u64 = all.iter().map(|file| file.bytes).sum();
    all.sort_by_key(|file| file.used);
    for file in all {
        if bytes <= limit {
            break;
        }
        if fs::remove_file(&file.path).is_ok() {
            bytes -= file.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_nothing() {
        let data = b"declarations".repeat(20);
        let mut bytes = RawHash::hash(&data).as_str().as_bytes().to_vec();
        bytes.extend(zstd::bulk::compress(&data, LEVEL).unwrap());
        assert_eq!(unpack(&bytes), Some(data));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_ne!(unpack(&damaged).map(|d| d.len()), Some(0), "byte {at}");
            assert!(unpack(&damaged).is_none_or(|d| Some(d) == unpack(&bytes)), "byte {at}");
            assert_eq!(unpack(&bytes[..at]), None, "first {at} bytes");
        }
    }
}
