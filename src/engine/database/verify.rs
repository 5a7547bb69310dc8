//! Verifies a database, from pages to hashes.

use std::collections::{BTreeSet, HashSet};

use super::handle::Database;
use crate::error::EngineError;
use asof_index::{IndexError, unpack_texts};
use asof_model::{Micros, NodeKind};
use asof_query::StoredText;
use asof_store::{
    FromRow, Relation, Row, Rows, RowsOf, Store, StoreError, VERSION_HOLDS, VERSION_TIME,
};
use asof_wire::{Finding, Verification, When};

/// Maximum number of findings listed per check and relation; the rest are counted.
const MAX_TOLD: usize = 5;

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, check: &'static str, subject: &str, message: String) {
        let told = self.0.iter().filter(|f| f.check == check && f.subject == subject).count();
        if told < MAX_TOLD {
            self.0.push(Finding { check: check.to_owned(), subject: subject.to_owned(), message });
        }
    }
}

impl Database {
    /// Checks everything: each page, each row and its time, lookups against the relations they
    /// mirror, texts against their hashes, files against what was indexed. Writes nothing.
    ///
    /// # Errors
    /// The check could not continue. What is wrong is a [`Finding`], not an error.
    pub fn verify(&self) -> Result<Verification, EngineError> {
        let path = self.store.path();
        let bytes = path.and_then(|path| path.metadata().ok()).map_or(0, |meta| meta.len());
        let mut outcome = Verification {
            sound: false,
            bytes,
            rows: 0,
            texts: 0,
            stale_files: Vec::new(),
            findings: Vec::new(),
        };
        let mut findings = Findings::default();
        match self.store.verify_pages() {
            Ok(()) => {}
            // Nothing above the pages can be trusted or read.
            Err(StoreError::Corrupt { path, reason }) => {
                findings.add("pages", &path.display().to_string(), reason);
                outcome.findings = findings.0;
                return Ok(outcome);
            }
            Err(error) => return Err(error.into()),
        }
        let times = self.times()?;
        for relation in Relation::all() {
            let rows = self.store.versions(relation)?;
            outcome.rows += rows.len() as u64;
            check_rows(relation, &rows, &times, &mut findings);
            if relation.name == "text" {
                outcome.texts += rows.len() as u64;
                check_texts(&self.store, &rows, &mut findings)?;
            }
        }
        let (_, now) = self.revision(&When::Newest)?;
        self.check_mirrors(now.unwrap_or(Micros(0)), &mut findings)?;
        self.check_addresses(now.unwrap_or(Micros(0)), &mut findings)?;
        if self.root().is_some() {
            outcome.stale_files =
                self.verify_files()?.into_iter().map(|found| found.file_path).collect();
        }
        outcome.sound = findings.0.is_empty();
        outcome.findings = findings.0;
        Ok(outcome)
    }

    /// Times of revisions.
    fn times(&self) -> Result<BTreeSet<i64>, EngineError> {
        let Some(relation) = Relation::find("revision") else { return Ok(BTreeSet::new()) };
        Ok(self.store.versions(relation)?.column("at")?.into_iter().collect())
    }

    fn check_mirrors(&self, now: Micros, findings: &mut Findings) -> Result<(), EngineError> {
        for mirror in Relation::all() {
            let Some(relation) = mirror.mirrors.and_then(Relation::find) else { continue };
            let (name, columns) = (mirror.name, mirror.key.iter().map(|c| c.name));
            let columns: Vec<&str> = columns.collect();
            // Versions of a fact have only their key in common.
            let versions =
                !mirror.versioned || mirror.key.iter().all(|column| relation.key.contains(column));
            let read = |of: &'static Relation| {
                let rows = if versions {
                    self.store.versions(of)?
                } else {
                    self.store.rows_at(of.name, now)?
                };
                prints(&rows, &columns, |row| is_looked_up(of.name, name, row))
            };
            let (said, repeated) = (read(relation)?, read(mirror)?);
            let missing = said.difference(&repeated).count();
            let extra = repeated.difference(&said).count();
            if missing + extra > 0 {
                let relation = relation.name;
                let message =
                    format!("lacks {missing} rows of `{relation}` and has {extra} extra rows");
                findings.add("mirrors", name, message);
            }
        }
        Ok(())
    }

    /// Whether each referenced text exists.
    fn check_addresses(&self, now: Micros, findings: &mut Findings) -> Result<(), EngineError> {
        let Some(texts) = Relation::find("text") else { return Ok(()) };
        let texts: HashSet<String> =
            self.store.versions(texts)?.column("hash")?.into_iter().collect();
        let addressed = Relation::all()
            .filter(|relation| relation.versioned)
            .filter(|relation| relation.values.iter().any(|column| column.name == "text_hash"));
        for relation in addressed.map(|relation| relation.name) {
            let rows = self.store.rows_at(relation, now)?;
            let lost = rows.column::<Option<String>>("text_hash")?.into_iter().flatten();
            for hash in lost.filter(|hash| !hash.is_empty() && !texts.contains(hash)) {
                findings.add("texts", relation, format!("text {hash} is missing"));
            }
        }
        Ok(())
    }
}

fn check_rows(
    relation: &'static Relation,
    rows: &Rows,
    times: &BTreeSet<i64>,
    findings: &mut Findings,
) {
    let timed = matches!(relation.rows, Some(RowsOf::Log | RowsOf::Step)).then_some("at");
    let time = if relation.versioned { Some(VERSION_TIME) } else { timed };
    for row in rows.iter() {
        if let Some(column) = Store::misfit(relation, &row) {
            let message = format!("`{column}` does not have its declared type");
            findings.add("rows", relation.name, message);
        }
        let at = time.and_then(|column| row.get::<i64>(column).ok());
        if let Some(at) = at.filter(|at| !times.contains(at)) {
            findings.add("times", relation.name, format!("there is no revision at {at}"));
        }
    }
}

/// Unpacks each text, which recomputes its hash.
fn check_texts(store: &Store, rows: &Rows, findings: &mut Findings) -> Result<(), EngineError> {
    for row in rows.iter() {
        let row = match StoredText::from_row(&row) {
            Ok(row) => row,
            Err(error) => {
                findings.add("texts", "text", error.to_string());
                continue;
            }
        };
        let (hash, len) = (row.hash, row.len as usize);
        match unpack_texts(store, vec![row]) {
            Ok(texts) if texts.get(&hash).map(Vec::len) != Some(len) => {
                findings.add("texts", "text", format!("{hash} does not have {len} bytes"));
            }
            Ok(_) => {}
            Err(IndexError::State { reason, .. }) => {
                findings.add("texts", "text", format!("{hash} does not unpack: {reason}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Rows, each as a hash of these columns and its version.
fn prints(
    rows: &Rows,
    columns: &[&str],
    keep: impl Fn(&Row<'_>) -> Result<bool, EngineError>,
) -> Result<HashSet<[u8; 32]>, EngineError> {
    let versions = rows.headers().iter().any(|name| name == VERSION_TIME);
    let versions = [VERSION_TIME, VERSION_HOLDS].into_iter().filter(|_| versions);
    let columns: Vec<&str> = columns.iter().copied().chain(versions).collect();
    let print = |row: Row<'_>| -> Result<Option<[u8; 32]>, EngineError> {
        if !keep(&row)? {
            return Ok(None);
        }
        let mut hasher = blake3::Hasher::new();
        for column in &columns {
            hasher.update(row.cell(column)?.to_json().to_string().as_bytes());
            hasher.update(b"\0");
        }
        Ok(Some(hasher.finalize().into()))
    };
    rows.iter().filter_map(|row| print(row).transpose()).collect()
}

/// Whether a row has an entry in the lookup: items without a path have none by path, and items
/// without a name (imports, impls, macro calls) have none by name.
fn is_looked_up(relation: &str, mirror: &str, row: &Row<'_>) -> Result<bool, EngineError> {
    if relation != "node" {
        return Ok(true);
    }
    let kind: String = row.get("kind")?;
    let anonymous = kind.parse::<NodeKind>().is_ok_and(NodeKind::is_anonymous);
    let has_path = row.get::<Option<String>>("path")?.is_some_and(|path| !path.is_empty());
    Ok(has_path && (mirror != "node_by_name" || !anonymous))
}
