//! Writes the files of an export; those that an earlier one has written are kept.
//!
//! Rows that have ended never change. Rows that hold are one file for each table, written again if
//! it differs. So a second export writes the rows that ended since the first, and the rows that
//! hold in each table that changed.

use std::fs;
use std::path::{Path, PathBuf};

use super::cell::{Cell, Row};
use super::common::Reading;
use super::delta::{AddFile, Log};
use super::error::TablesError;
use super::facts::{Facts, OPEN};
use super::files;
use super::listing::{self, Listing, TableFile};
use super::schema::{EXPORT, TABLES, Table};

/// Where to export to.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Folder of the tables of all projects.
    pub folder: &'a Path,
    /// Value of the partition.
    pub project: &'a str,
    /// Whether Delta logs are written; they are in any case if the tables have logs.
    pub delta: bool,
}

/// Files of a table that an export consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableFiles {
    pub table: String,
    pub rows: u64,
    pub files: u64,
    pub bytes: u64,
    /// Of these, written by this export.
    pub new_files: u64,
    pub new_bytes: u64,
}

/// What an export came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Number of the export of the project.
    pub sequence: u64,
    /// Whether an earlier export had the same files; then nothing was written.
    pub unchanged: bool,
    /// Whether no file of an earlier export could be kept, though there was one.
    pub from_scratch: bool,
    pub delta: bool,
    pub tables: Vec<TableFiles>,
}

/// Writes the rows of a project.
///
/// # Errors
/// [`TablesError::Conflict`] if another export of the project was finished meanwhile; then nothing
/// of this one can be seen. Files that cannot be read or written.
pub fn export(reading: &Reading<'_>, request: &Request<'_>) -> Result<Exported, TablesError> {
    let Request { folder, project, .. } = *request;
    fs::create_dir_all(folder).map_err(TablesError::io("create", folder))?;
    let delta = request.delta || Log::exists(folder, EXPORT);
    if delta && !Log::exists(folder, EXPORT) && folder.join(EXPORT).exists() {
        let reason = "its tables were written without Delta logs".to_owned();
        return Err(TablesError::Foreign { path: folder.to_owned(), reason });
    }
    // Before anything is read from the database: an export that is finished from now on conflicts.
    let before = listing::newest(folder, project)?;
    let mut logs = if delta {
        TABLES.iter().map(|table| Log::open(folder, table)).collect::<Result<_, _>>()?
    } else {
        Vec::new()
    };
    let facts = Facts::read(reading)?;
    let sequence = before.as_ref().map_or(1, |before| before.sequence + 1);
    let kept = before.as_ref().filter(|b| b.chain == chain(&facts, reading, b.at));
    let mut writing = Writing { folder, project, sequence, kept, new: Vec::new() };
    let written = writing.tables(&facts);
    let files = written.inspect_err(|_| writing.discard(|_| true))?;
    let listing =
        Listing { sequence, at: reading.at.0, chain: chain(&facts, reading, reading.at.0), files };
    let same = before.as_ref().is_some_and(|before| before.files == listing.files);
    let mut committed = Vec::new();
    let outcome = publish(&listing, &mut logs, &facts, request, same, &mut committed);
    if let Err(error) = outcome {
        writing.discard(|table: &str| !committed.contains(&table));
        return Err(error);
    }
    let tables = TABLES.iter().filter(|table| table.name != EXPORT);
    Ok(Exported {
        sequence: if same { sequence - 1 } else { sequence },
        unchanged: same,
        from_scratch: before.is_some() && kept.is_none(),
        delta,
        tables: tables.map(|table| writing.counts(table, &listing)).collect(),
    })
}

/// Commits every table, and the listing last.
fn publish(
    listing: &Listing,
    logs: &mut [Log],
    facts: &Facts,
    request: &Request<'_>,
    same: bool,
    committed: &mut Vec<&'static str>,
) -> Result<(), TablesError> {
    let Request { folder, project, .. } = *request;
    for (log, table) in logs.iter_mut().zip(TABLES).filter(|(_, table)| table.name != EXPORT) {
        let own = listing.files.iter().filter(|file| file.table == table.name);
        let adds: Vec<AddFile> = own.map(|file| add(table, file, facts)).collect();
        log.commit(project, &adds)?;
        committed.push(table.name);
    }
    let partition = folder.join(listing::partition(EXPORT, project));
    if !same {
        fs::create_dir_all(&partition).map_err(TablesError::io("create", &partition))?;
        listing.publish(folder, project)?;
    }
    let Some(log) = logs.last_mut() else { return Ok(()) };
    // Every listing: one of an export that was killed at this point too.
    let mut adds = Vec::new();
    for entry in fs::read_dir(&partition).map_err(TablesError::io("read", &partition))? {
        let entry = entry.map_err(TablesError::io("read", &partition))?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let number: Option<u64> = name.strip_suffix(".parquet").and_then(|n| n.parse().ok());
        let Some(number) = number.filter(|number| *number <= listing.sequence) else { continue };
        let bytes = entry.metadata().map_err(TablesError::io("read", &partition))?.len();
        let path = listing::path(project, number);
        let path = path.strip_prefix(EXPORT).unwrap_or(&path).trim_start_matches('/').to_owned();
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let rows = if number == i64::try_from(listing.sequence).unwrap_or(i64::MAX) {
            listing.files.len() as u64 + 1
        } else {
            files::read(table_named(EXPORT)?, &entry.path())?.len() as u64
        };
        adds.push(AddFile { path, bytes, rows, bounds: Some((number, number)) });
    }
    adds.sort_by(|a, b| a.path.cmp(&b.path));
    log.commit(project, &adds)?;
    Ok(())
}

fn table_named(name: &str) -> Result<&'static Table, TablesError> {
    Table::find(name).ok_or_else(|| TablesError::Fact {
        what: "table",
        reason: format!("there is no table `{name}`"),
    })
}

/// A file for a log. Its bounds are known if its rows are those of now.
fn add(table: &Table, file: &TableFile, facts: &Facts) -> AddFile {
    let first = facts.table(table.name).first().and_then(|row| row.first());
    let last = facts.table(table.name).last().and_then(|row| row.first());
    // Bounds of all rows hold for the rows of one file.
    let bounds = match (first, last) {
        (Some(Cell::Long(least)), Some(Cell::Long(most))) => Some((*least, *most)),
        _ => None,
    };
    let path = file.path.strip_prefix(table.name).unwrap_or(&file.path);
    AddFile {
        path: path.trim_start_matches('/').to_owned(),
        bytes: file.bytes,
        rows: file.rows,
        bounds,
    }
}

/// Digest of what the rows up to a moment follow from. Rows that ended by then can be kept while it
/// is the same.
fn chain(facts: &Facts, reading: &Reading<'_>, at: i64) -> String {
    let until = |row: &&Row| matches!(row.first(), Some(Cell::Long(time)) if *time <= at);
    // Without `matched`, which may change later.
    let revisions = facts.table("revision").iter().filter(until);
    let mut rows: Vec<Row> = revisions.map(|row| row.iter().take(7).cloned().collect()).collect();
    let locks = reading.locks.iter().filter(|lock| lock.at <= at);
    rows.extend(locks.map(|lock| vec![lock.at.into(), lock.text.as_deref().into()]));
    let floor = reading.floor.map(|floor| floor.0);
    rows.push(vec![reading.source.into(), floor.into(), FORM.into()]);
    files::digest(&rows)
}

/// Raised when the same facts give other rows.
const FORM: i64 = 1;

/// An export that is being written.
struct Writing<'a> {
    folder: &'a Path,
    project: &'a str,
    sequence: u64,
    /// The export whose rows that have ended are kept.
    kept: Option<&'a Listing>,
    new: Vec<(&'static str, PathBuf, u64)>,
}

impl Writing<'_> {
    fn tables(&mut self, facts: &Facts) -> Result<Vec<TableFile>, TablesError> {
        let mut found = Vec::new();
        for table in TABLES.iter().filter(|table| table.name != EXPORT) {
            let rows = facts.table(table.name);
            if !table.intervals {
                found.extend(self.part(table, "all", rows.iter().collect())?);
                continue;
            }
            let end = |row: &Row| row.last().and_then(Cell::as_long).unwrap_or(OPEN);
            let since = self.kept.map_or(i64::MIN, |kept| kept.at);
            let kept = self.kept.into_iter().flat_map(|kept| &kept.files);
            found.extend(kept.filter(|f| f.table == table.name && f.part == "closed").cloned());
            let closed = rows.iter().filter(|row| end(row) != OPEN && end(row) > since).collect();
            found.extend(self.written(table, "closed", closed)?);
            let open = rows.iter().filter(|row| end(row) == OPEN).collect();
            found.extend(self.part(table, "open", open)?);
        }
        // As a listing is read.
        let place = |file: &TableFile| (file.table.clone(), file.part.clone(), file.path.clone());
        found.sort_by_key(place);
        Ok(found)
    }

    /// A part that is one file: that of the earlier export if it has the same rows.
    fn part(
        &mut self,
        table: &'static Table,
        part: &str,
        rows: Vec<&Row>,
    ) -> Result<Option<TableFile>, TablesError> {
        let digest = files::digest(rows.iter().copied());
        let mut earlier = self.kept.into_iter().flat_map(|kept| &kept.files);
        let same = earlier.find(|f| f.table == table.name && f.part == part && f.digest == digest);
        match same {
            Some(same) => Ok(Some(same.clone())),
            None => self.written(table, part, rows),
        }
    }

    fn written(
        &mut self,
        table: &'static Table,
        part: &str,
        rows: Vec<&Row>,
    ) -> Result<Option<TableFile>, TablesError> {
        // A reader learns the columns of a table without rows from its empty file.
        if rows.is_empty() && part == "closed" {
            return Ok(None);
        }
        let within = listing::partition(table.name, self.project);
        let unique = uuid::Uuid::new_v4().simple().to_string();
        let unique = unique.get(..12).unwrap_or(&unique);
        let path = format!("{within}/{:08}-{part}-{unique}.parquet", self.sequence);
        let full = self.folder.join(&path);
        let parent = self.folder.join(&within);
        fs::create_dir_all(&parent).map_err(TablesError::io("create", &parent))?;
        let digest = files::digest(rows.iter().copied());
        let count = rows.len() as u64;
        let rows: Vec<Row> = rows.into_iter().cloned().collect();
        self.new.push((table.name, full.clone(), 0));
        let bytes = files::write(table, &rows, &full)?;
        if let Some((.., size)) = self.new.last_mut() {
            *size = bytes;
        }
        Ok(Some(TableFile {
            table: table.name.to_owned(),
            part: part.to_owned(),
            path,
            rows: count,
            bytes,
            digest,
        }))
    }

    /// Removes what was written for tables that no log mentions.
    fn discard(&self, unseen: impl Fn(&str) -> bool) {
        for (_, path, _) in self.new.iter().filter(|(table, ..)| unseen(table)) {
            let _ = fs::remove_file(path);
        }
    }

    fn counts(&self, table: &Table, listing: &Listing) -> TableFiles {
        let mut counts = TableFiles { table: table.name.to_owned(), ..TableFiles::default() };
        for file in listing.files.iter().filter(|file| file.table == table.name) {
            counts.rows += file.rows;
            counts.files += 1;
            counts.bytes += file.bytes;
        }
        for (.., bytes) in self.new.iter().filter(|(name, ..)| *name == table.name) {
            counts.new_files += 1;
            counts.new_bytes += bytes;
        }
        counts
    }
}
