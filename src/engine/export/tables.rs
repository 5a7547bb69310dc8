//! Exports to tables that other engines read.

use std::path::Path;
use std::time::Instant;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_query::Queries;
use asof_store::Params;
use asof_tables::{LockAt, Reading};
use asof_wire::{AnswerSource, TableReport, TablesReport};
use asof_workspace::{Commits, Git, SourceTree, read_file};

/// The lock file of a workspace.
const LOCK: &str = "Cargo.lock";
/// Bytes of a lock file that are read.
const MAX_LOCK: u64 = 64 << 20;

/// What to export where.
#[derive(Debug, Clone, Copy)]
pub struct TablesRequest<'a> {
    /// Folder of the tables, of this project and others.
    pub folder: &'a Path,
    /// Value of the partition, by default the name of the project.
    pub project: Option<&'a str>,
    /// Where the project's own packages come from, by default `project:` and the partition. Symbols
    /// of two projects are equal only if this is.
    pub source: Option<&'a str>,
    /// Whether to write Delta logs.
    pub delta: bool,
}

impl Snapshot<'_> {
    /// Writes the facts up to this moment as interval tables.
    ///
    /// # Errors
    /// Another export of the project was finished meanwhile; the folder cannot be written, or has
    /// files that are not ours.
    pub fn export_tables(&self, request: &TablesRequest<'_>) -> Result<TablesReport, EngineError> {
        let started = Instant::now();
        let project = match request.project {
            Some(project) => project.to_owned(),
            None => self.project_name()?,
        };
        if project.is_empty() || project.len() > 100 || project.contains(char::is_control) {
            return Err(EngineError::BadRequest {
                what: "the name of a project has 1 to 100 characters".to_owned(),
                hint: "give another name".into(),
            });
        }
        let own_source = format!("project:{project}");
        let locks = self.locks()?;
        let reading = Reading {
            store: self.store(),
            at: self.at,
            floor: self.floor,
            source: request.source.unwrap_or(&own_source),
            locks: &locks,
        };
        let target = asof_tables::Request {
            folder: request.folder,
            project: &project,
            delta: request.delta,
        };
        let done = asof_tables::export(&reading, &target)?;
        if self.database.floor()? != self.floor {
            return Err(EngineError::BadRequest {
                what: "versions were dropped during the export".to_owned(),
                hint: "export again".into(),
            });
        }
        let tables: Vec<TableReport> = done
            .tables
            .into_iter()
            .map(|table| TableReport {
                table: table.table,
                rows: table.rows,
                files: table.files,
                bytes: table.bytes,
                new_files: table.new_files,
                new_bytes: table.new_bytes,
            })
            .collect();
        Ok(TablesReport {
            basis: self.basis().clone(),
            project,
            sequence: done.sequence,
            unchanged: done.unchanged,
            from_scratch: done.from_scratch,
            delta: done.delta,
            rows: tables.iter().map(|table| table.rows).sum(),
            bytes: tables.iter().map(|table| table.bytes).sum(),
            new_bytes: tables.iter().map(|table| table.new_bytes).sum(),
            tables,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    fn project_name(&self) -> Result<String, EngineError> {
        let rows = asof_query::run(self.store(), "meta/get", Params::new().with("key", "project"))?;
        let name: Option<String> = rows.column("value")?.pop();
        name.ok_or_else(|| EngineError::BadRequest {
            what: "this database has no project yet".to_owned(),
            hint: asof_model::Hint::Index,
        })
    }

    /// Lock files by time: those of imported commits; without any, the one on disk.
    fn locks(&self) -> Result<Vec<LockAt>, EngineError> {
        let Some(root) = self.database.root() else { return Ok(Vec::new()) };
        let commits = Queries::git_commits(self.store())?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        if commits.is_empty() {
            let on_disk = match self.source() {
                AnswerSource::Now => read_file(root, LOCK, MAX_LOCK).ok().map(text),
                _ => None,
            };
            return Ok(on_disk
                .map(|text| LockAt { at: i64::MIN, text: Some(text) })
                .into_iter()
                .collect());
        }
        let Some(git) = Git::find(root)? else { return Ok(Vec::new()) };
        let trees = Commits::new(&git, root)?;
        let mut locks: Vec<LockAt> = Vec::new();
        let mut last = None;
        for commit in commits.iter().filter(|commit| commit.at <= self.at) {
            let tree = trees.tree(&commit.hash)?;
            let id = tree.content_id(LOCK);
            if id == last && !locks.is_empty() {
                continue;
            }
            let found = tree.bytes(LOCK, MAX_LOCK).ok().map(text);
            tree.check()?;
            locks.push(LockAt { at: commit.at.0, text: found });
            last = id;
        }
        Ok(locks)
    }
}
