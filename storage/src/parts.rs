//! Long values are stored apart from their keys, in parts. To SQLite the table of keys is an index,
//! and it reads a whole row to compare its key if any of the row is on another page: one row of a
//! megabyte made every search that passed it read a megabyte, and a flat file of 40,000 functions
//! took 35 s to write. Now every row of both tables is on one page, except for very long keys.

use std::borrow::Cow;

use miette::{Result, miette};
use sqlite::State;

use crate::connection::{Connection, Prepared};
use crate::report::report;

/// Bytes of key and value that stay on a page of 16 KiB: SQLite allows a quarter of it.
const MAX_ROW: usize = 4000;
/// A part is never shorter, however long its key is.
const MIN_PART: usize = 1024;
/// First byte of the placeholder of a long value, before its length and hash.
/// See `large.rs` for what other values begin with.
const MARK: u8 = 0xfe;
const HASH: usize = 16;
/// A length above this is not valid.
const MAX: usize = 1 << 30;

/// The table of parts. Removing or changing a row removes the parts of its value.
pub const CREATE: &str = "
    create table large (k BLOB, part INTEGER, v BLOB, primary key (k, part)) without rowid;
    create trigger prune_removed after delete on cozo when substr(old.v, 1, 1) = x'fe'
        begin delete from large where k = old.k; end;
    create trigger prune_changed after update on cozo when substr(old.v, 1, 1) = x'fe'
        begin delete from large where k = old.k; end;";

const PUT: &str = "insert into large(k, part, v) values (?, ?, ?)";
const GET: &str = "select v from large where k = ? order by part";

/// What is stored beside the key, and the value if it is put into parts.
pub(crate) fn split<'v>(
    key: &[u8],
    value: Cow<'v, [u8]>,
) -> (Cow<'v, [u8]>, Option<Cow<'v, [u8]>>) {
    let Ok(len) = u32::try_from(value.len()) else { return (value, None) };
    if key.len() + value.len() <= MAX_ROW || value.len() <= HASH * 2 {
        return (value, None);
    }
    let mut head = Vec::with_capacity(5 + HASH);
    head.push(MARK);
    head.extend_from_slice(&len.to_le_bytes());
    head.extend_from_slice(&hash(&value));
    (Cow::Owned(head), Some(value))
}

/// Whether this stands beside a key for a value that is in parts.
pub(crate) fn is_placeholder(stored: &[u8]) -> bool {
    stored.first() == Some(&MARK)
}

/// Writes the parts of a value, after the row with its placeholder.
pub(crate) fn put(connection: &Connection, key: &[u8], value: &[u8]) -> Result<()> {
    let mut statement = connection.prepare(PUT)?;
    // Room for the key, the header of the row and the number of the part.
    let len = MAX_ROW.saturating_sub(key.len() + 32).max(MIN_PART);
    for (number, part) in (0_i64..).zip(value.chunks(len)) {
        statement.reset().map_err(report)?;
        statement.bind((1, key)).map_err(report)?;
        statement.bind((2, number)).map_err(report)?;
        statement.bind((3, part)).map_err(report)?;
        while statement.next().map_err(report)? != State::Done {}
    }
    Ok(())
}

/// Reads values of a connection that may be in parts.
pub(crate) struct Parts<'a> {
    connection: &'a Connection,
    /// Prepared for the first long value.
    statement: Option<Prepared<'a>>,
}

impl<'a> Parts<'a> {
    pub fn new(connection: &'a Connection) -> Self {
        Self { connection, statement: None }
    }

    /// The value of a key, from what is stored beside the key.
    pub fn join(&mut self, key: &[u8], stored: Vec<u8>) -> Result<Vec<u8>> {
        let Some((&[MARK, a, b, c, d], wanted)) = stored.split_first_chunk::<5>() else {
            return Ok(stored);
        };
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        if len > MAX || wanted.len() != HASH {
            return Err(damaged("its placeholder is invalid"));
        }
        let statement = match &mut self.statement {
            Some(statement) => statement,
            empty => empty.insert(self.connection.prepare(GET)?),
        };
        statement.reset().map_err(report)?;
        statement.bind((1, key)).map_err(report)?;
        let mut value = Vec::new();
        while statement.next().map_err(report)? == State::Row {
            value.append(&mut statement.read::<Vec<u8>, _>(0).map_err(report)?);
            if value.len() > len {
                break;
            }
        }
        if value.len() == len && hash(&value) == wanted {
            Ok(value)
        } else {
            Err(damaged("its parts are not those that were written"))
        }
    }
}

fn hash(value: &[u8]) -> [u8; HASH] {
    let mut hash = [0; HASH];
    blake3::Hasher::new().update(value).finalize_xof().fill(&mut hash);
    hash
}

/// The wording by which `src/store` recognises damage.
fn damaged(reason: &str) -> miette::Report {
    miette!("database disk image is malformed: a long value: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: &str = "select count(*) from large";
    const LONGEST: &str = "select max(length(k) + length(v)) from large";

    fn connection() -> Connection {
        let connection = Connection::new(sqlite::Connection::open_thread_safe(":memory:").unwrap());
        connection.execute("pragma page_size = 16384").unwrap();
        connection.execute("create table cozo (k BLOB primary key, v BLOB) without rowid").unwrap();
        connection.execute(CREATE).unwrap();
        connection
    }

    fn write(connection: &Connection, key: &[u8], value: &[u8]) -> Vec<u8> {
        let (head, long) = split(key, Cow::Borrowed(value));
        let sql =
            "insert into cozo(k, v) values (?, ?) on conflict(k) do update set v = excluded.v";
        let mut statement = connection.prepare(sql).unwrap();
        statement.bind((1, key)).unwrap();
        statement.bind((2, &*head)).unwrap();
        assert_eq!(statement.next().unwrap(), State::Done);
        if let Some(long) = long {
            put(connection, key, &long).unwrap();
        }
        head.into_owned()
    }

    fn count(connection: &Connection, count: &'static str) -> i64 {
        let mut statement = connection.prepare(count).unwrap();
        statement.next().unwrap();
        statement.read(0).unwrap()
    }

    #[test]
    fn a_long_value_comes_back_and_goes_with_its_row() {
        let connection = connection();
        for (key_len, len) in [(1, 0), (1, 3_999), (1, 4_000), (60, 100_000), (5_000, 9_000)] {
            let (key, value) = (vec![7; key_len], vec![3; len]);
            let head = write(&connection, &key, &value);
            assert!(head.len() + key_len <= MAX_ROW.max(key_len + 5 + HASH));
            assert_eq!(Parts::new(&connection).join(&key, head).unwrap(), value, "{key_len} {len}");
        }
        assert!(count(&connection, COUNT) > 30);
        // Replacing the value or deleting the row removes the parts.
        let key = [7; 60];
        let head = write(&connection, &key, &[4; 5_000]);
        assert_eq!(Parts::new(&connection).join(&key, head).unwrap(), [4; 5_000]);
        write(&connection, &key, b"short");
        connection.execute("delete from cozo where length(k) <> 60").unwrap();
        assert_eq!(count(&connection, COUNT), 0);
    }

    #[test]
    fn no_part_leaves_its_page() {
        let connection = connection();
        write(&connection, &[1; 60], &[5; 1_000_000]);
        assert!(count(&connection, LONGEST) <= MAX_ROW as i64);
    }

    #[test]
    fn damage_is_an_error() {
        let connection = connection();
        let head = write(&connection, b"key", &[5; 9_000]);
        for change in
            ["update large set v = x'00' where part = 1", "delete from large where part = 1"]
        {
            connection.execute(change).unwrap();
            let error = Parts::new(&connection).join(b"key", head.clone()).unwrap_err();
            assert!(error.to_string().contains("malformed"), "{error}");
        }
        assert!(Parts::new(&connection).join(b"key", head[..9].to_vec()).is_err());
    }
}
