//! The table `export`: which files an export consists of. Its file is created last, under a number
//! that no other export of the project has, so that a reader sees all files of an export or none.

use std::fs;
use std::path::{Path, PathBuf};

use super::cell::{Cell, Row};
use super::error::TablesError;
use super::files;
use super::schema::{EXPORT, Table};

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFile {
    pub table: String,
    /// `closed`, `open` or `all`.
    pub part: String,
    /// Relative to the folder of the tables.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    pub digest: String,
}

/// The files of one export of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    pub sequence: u64,
    pub at: i64,
    pub chain: String,
    pub files: Vec<TableFile>,
}

fn table() -> Result<&'static Table, TablesError> {
    Table::find(EXPORT).ok_or_else(|| TablesError::Fact {
        what: "table",
        reason: "there is no table `export`".to_owned(),
    })
}

/// The folder of a project within a table, relative to that of the tables. As Hive escapes values.
pub(super) fn partition(table: &str, project: &str) -> String {
    let mut value = String::new();
    for byte in project.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {
                value.push(char::from(byte));
            }
            _ => value.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("{table}/project={value}")
}

/// Where the listing of an export is.
pub(super) fn path(project: &str, sequence: u64) -> String {
    format!("{}/{sequence:020}.parquet", partition(EXPORT, project))
}

/// The newest export of a project.
///
/// # Errors
/// A listing that cannot be read or is not ours.
pub(super) fn newest(folder: &Path, project: &str) -> Result<Option<Listing>, TablesError> {
    let within = folder.join(partition(EXPORT, project));
    let entries = match fs::read_dir(&within) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TablesError::io("read", &within)(error)),
    };
    let mut newest: Option<u64> = None;
    for entry in entries {
        let name = entry.map_err(TablesError::io("read", &within))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".parquet"));
        newest = newest.max(number.and_then(|number| number.parse().ok()));
    }
    newest.map(|sequence| read(&folder.join(path(project, sequence)), sequence)).transpose()
}

fn read(path: &Path, sequence: u64) -> Result<Listing, TablesError> {
    let foreign =
        |reason: &str| TablesError::Foreign { path: path.to_owned(), reason: reason.to_owned() };
    let mut listing: Option<Listing> = None;
    for row in files::read(table()?, path)? {
        let [
            Cell::Long(number),
            Cell::Long(at),
            Cell::Text(chain),
            Cell::Text(table),
            Cell::Text(part),
            Cell::Text(file),
            Cell::Long(rows),
            Cell::Long(bytes),
            Cell::Text(digest),
        ] = row.as_slice()
        else {
            return Err(foreign("a row has values of other types"));
        };
        if u64::try_from(*number) != Ok(sequence) {
            return Err(foreign("its name and its rows have different numbers"));
        }
        let [rows, bytes] = [*rows, *bytes].map(u64::try_from);
        let (Ok(rows), Ok(bytes)) = (rows, bytes) else {
            return Err(foreign("a row has a negative size"));
        };
        let listing = listing.get_or_insert_with(|| Listing {
            sequence,
            at: *at,
            chain: chain.to_string(),
            files: Vec::new(),
        });
        if &**table == EXPORT {
            continue;
        }
        listing.files.push(TableFile {
            table: table.to_string(),
            part: part.to_string(),
            path: file.to_string(),
            rows,
            bytes,
            digest: digest.to_string(),
        });
    }
    listing.ok_or_else(|| foreign("it has no rows"))
}

impl Listing {
    fn rows(&self) -> Vec<Row> {
        let number = |n: u64| Cell::Long(i64::try_from(n).unwrap_or(i64::MAX));
        let row = |table: &str, part: &str, path: &str, rows, bytes, digest: &str| {
            vec![
                number(self.sequence),
                self.at.into(),
                self.chain.as_str().into(),
                table.into(),
                part.into(),
                path.into(),
                number(rows),
                number(bytes),
                digest.into(),
            ]
        };
        let mut rows = vec![row(EXPORT, "all", "", 0, 0, "")];
        for file in &self.files {
            let TableFile { table, part, path, digest, .. } = file;
            rows.push(row(table, part, path, file.rows, file.bytes, digest));
        }
        rows.sort_unstable();
        rows
    }

    /// Makes this the newest export of the project, in one step. Returns the file and its size.
    ///
    /// # Errors
    /// [`TablesError::Conflict`] if another export took the number.
    pub fn publish(&self, folder: &Path, project: &str) -> Result<(PathBuf, u64), TablesError> {
        let to = folder.join(path(project, self.sequence));
        let from = folder
            .join(partition(EXPORT, project))
            .join(format!(".{}.new", uuid::Uuid::new_v4().simple()));
        let bytes = files::write(table()?, &self.rows(), &from)?;
        let published = link(&from, &to);
        let _ = fs::remove_file(&from);
        match published {
            Ok(()) => Ok((to, bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(TablesError::Conflict { project: project.to_owned() })
            }
            Err(error) => Err(TablesError::io("create", &to)(error)),
        }
    }
}

/// Gives a complete file its name, unless something has it.
pub(super) fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::hard_link(from, to)?;
    match to.parent() {
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
