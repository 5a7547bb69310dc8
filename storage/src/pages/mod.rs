//! Pages of the database file carry a checksum, and every read verifies it: a bit that the disk
//! changed is an error, never another answer.
//!
//! SQLite reserves the last [`RESERVED`] bytes of a page for us. They are, little-endian: the log
//! and the frame that a checkpoint took the page from (4 bytes each, 0 if none did), and XXH3 of
//! all bytes before, seeded with the page's number. Pages of the log are verified with the log's
//! own checksums. `vfs.rs` connects this to SQLite; nothing else here is unsafe.

mod log;
mod vfs;

use std::path::Path;

use sqlite::{Connection, ConnectionThreadSafe, OpenFlags};
use twox_hash::XxHash3_64;

use crate::Access;

/// Bytes of a page. A database with another size is not ours.
pub const PAGE: usize = 16384;
/// Bytes at the end of a page that are ours.
const RESERVED: usize = 16;
/// Bytes of the checksum, the last of them.
const SUM: usize = 8;
/// Where page 1 says how many bytes are reserved.
const RESERVED_AT: usize = 20;

pub type Page = [u8; PAGE];

/// Where a page of the database file came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Source {
    /// A random number of the log; each log has its own.
    log: u32,
    /// From 1.
    frame: u32,
}

impl Source {
    fn to_bytes(self) -> [u8; RESERVED - SUM] {
        (u64::from(self.frame) << 32 | u64::from(self.log)).to_le_bytes()
    }

    fn from_bytes(bytes: [u8; RESERVED - SUM]) -> Self {
        let both = u64::from_le_bytes(bytes);
        Self { log: both as u32, frame: (both >> 32) as u32 }
    }
}

fn sum(bytes: &[u8], number: u32) -> u64 {
    XxHash3_64::oneshot_with_seed(u64::from(number), bytes)
}

/// Writes source and checksum into a page.
fn seal(page: &mut Page, number: u32, source: Source) {
    let Some((body, stored)) = page.split_last_chunk_mut::<SUM>() else { return };
    if let Some((_, place)) = body.split_last_chunk_mut() {
        *place = source.to_bytes();
    }
    *stored = sum(body, number).to_le_bytes();
}

/// Whether a page is as it was written at this place.
fn is_sound(page: &Page, number: u32) -> bool {
    page.split_last_chunk::<SUM>()
        .is_some_and(|(body, stored)| sum(body, number) == u64::from_le_bytes(*stored))
}

/// State of a file, judged by its first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    Sound,
    Damaged,
    /// Of a database without checksums.
    Unsealed,
}

/// Judges the first page of a file.
pub fn first(page: &Page) -> First {
    if is_sound(page, 1) {
        return First::Sound;
    }
    let mut repaired = *page;
    match repaired.get_mut(RESERVED_AT) {
        Some(reserved @ 0) => *reserved = RESERVED as u8,
        _ => return First::Damaged,
    }
    if is_sound(&repaired, 1) { First::Damaged } else { First::Unsealed }
}

/// Opens a database whose pages are verified. All connections are made here.
///
/// SQLite does not follow links to its log and the log's index. It would follow a link to the file
/// itself: the crate does not have the flag against that, so the caller checks first.
pub fn open(path: &Path, access: Access) -> sqlite::Result<Connection> {
    vfs::register()?;
    let connection = Connection::open_with_flags(uri(path, access)?, flags(access))?;
    if access == Access::Create {
        vfs::reserve(&connection)?;
    }
    Ok(connection)
}

fn flags(access: Access) -> OpenFlags {
    let flags = OpenFlags::new().with_uri();
    match access {
        Access::Create => flags.with_read_write().with_create(),
        Access::Write => flags.with_read_write(),
        Access::Read | Access::Still => flags.with_read_only(),
    }
}

/// [`open`], for several threads.
pub fn open_thread_safe(path: &Path, access: Access) -> sqlite::Result<ConnectionThreadSafe> {
    vfs::register()?;
    Connection::open_thread_safe_with_flags(uri(path, access)?, flags(access))
}

/// The address of a file by which SQLite reads and writes it through us.
fn uri(path: &Path, access: Access) -> sqlite::Result<String> {
    let failed = |message: String| sqlite::Error { code: None, message: Some(message) };
    let whole = std::path::absolute(path).map_err(|err| failed(err.to_string()))?;
    let text = whole.to_str().ok_or_else(|| failed("the path is not UTF-8".to_owned()))?;
    let mut uri = "file:".to_owned();
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri.push_str("?vfs=");
    uri.push_str(vfs::NAME);
    if access == Access::Still {
        uri.push_str("&immutable=1");
    }
    Ok(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_sound_at_its_place_only_and_with_every_bit() {
        let mut page = [7; PAGE];
        let source = Source { log: 0x1234_5678, frame: 9 };
        seal(&mut page, 3, source);
        assert!(is_sound(&page, 3));
        assert!(!is_sound(&page, 4));
        assert_eq!(Source::from_bytes(*page[PAGE - RESERVED..].first_chunk().unwrap()), source);
        for byte in (0..PAGE).step_by(97).chain(PAGE - RESERVED..PAGE) {
            page[byte] ^= 0x10;
            assert!(!is_sound(&page, 3), "{byte}");
            page[byte] ^= 0x10;
        }
        assert!(!is_sound(&[0; PAGE], 1), "zeros are not a page");
    }

    #[test]
    fn a_first_page_is_ours_damaged_or_older() {
        let mut page = [0; PAGE];
        page[RESERVED_AT] = RESERVED as u8;
        seal(&mut page, 1, Source::default());
        assert_eq!(first(&page), First::Sound);
        page[RESERVED_AT] = 0;
        assert_eq!(first(&page), First::Damaged, "a bit of that very byte");
        page[PAGE - 1] ^= 1;
        assert_eq!(first(&page), First::Unsealed);
    }

    #[test]
    fn a_transaction_reads_what_it_wrote_twice() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("db");
        let connection = open(&path, Access::Create).unwrap();
        let fill = |from: u32| {
            // More than SQLite's page cache holds, in no order: pages go to the log again and
            // again before the commit, and come back from it.
            format!(
                "with recursive n(i) as (select {from} union all select i + 1 from n
                     where i < {from} + 19999)
                 insert or replace into t select (i * 7919) % 20011, zeroblob(300) from n;"
            )
        };
        connection
            .execute(format!(
                "pragma page_size = {PAGE}; pragma journal_mode = wal;
                 create table t (k integer primary key, v blob);
                 begin; {} {} commit; begin; {} rollback; begin; {} commit;",
                fill(0),
                fill(5),
                fill(9),
                fill(11)
            ))
            .unwrap();
        drop(connection);
        let connection = open(&path, Access::Read).unwrap();
        let mut check = connection.prepare("pragma integrity_check").unwrap();
        check.next().unwrap();
        assert_eq!(check.read::<String, _>(0).unwrap(), "ok");
    }

    #[test]
    fn an_address_is_the_path() {
        assert_eq!(
            uri(Path::new("/a b/ü?#%.db"), Access::Write).unwrap(),
            "file:/a%20b/%c3%bc%3f%23%25.db?vfs=asof"
        );
    }
}
