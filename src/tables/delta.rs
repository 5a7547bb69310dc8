//! The log of a Delta table: reader version 1, writer version 2. A commit is a file whose number
//! nobody else has; writers of different projects commit one after the other, and of two writers of
//! one project, the second is refused.
//!
//! It never reads or writes a checkpoint, and never removes a file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::error::TablesError;
use super::listing::link;
use super::schema::{Kind, Table};
use asof_model::Micros;

/// The partition column of every table.
const PROJECT: &str = "project";

/// A table's log.
#[derive(Debug)]
pub(super) struct Log {
    table: &'static Table,
    folder: PathBuf,
    /// Next version to be read.
    next: u64,
    /// Project and size of each file that is part of the table, by path.
    active: BTreeMap<String, (String, u64)>,
}

/// A file to be part of a table.
#[derive(Debug, Clone)]
pub(super) struct AddFile {
    /// Relative to the table.
    pub path: String,
    pub bytes: u64,
    pub rows: u64,
    /// Least and greatest value of the first column, if it is a number.
    pub bounds: Option<(i64, i64)>,
}

impl Log {
    /// The log of a table in a folder of tables, with all of its commits read.
    ///
    /// # Errors
    /// The log is damaged, or another program has written it.
    pub fn open(tables: &Path, table: &'static Table) -> Result<Self, TablesError> {
        let folder = tables.join(table.name).join("_delta_log");
        fs::create_dir_all(&folder).map_err(TablesError::io("create", &folder))?;
        let mut log = Self { table, folder, next: 0, active: BTreeMap::new() };
        log.catch_up(None)?;
        Ok(log)
    }

    /// Whether tables in a folder have logs.
    pub fn exists(tables: &Path, table: &str) -> bool {
        tables.join(table).join("_delta_log").is_dir()
    }

    fn path(&self, version: u64) -> PathBuf {
        self.folder.join(format!("{version:020}.json"))
    }

    /// Reads the commits that have been added. Fails at one that touches the project.
    fn catch_up(&mut self, refuse: Option<&str>) -> Result<(), TablesError> {
        loop {
            let path = self.path(self.next);
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(TablesError::io("read", &path)(error)),
            };
            let touched = self.apply(&path, &text)?;
            self.next += 1;
            if let Some(project) = refuse.filter(|project| touched.iter().any(|t| t == project)) {
                return Err(TablesError::Conflict { project: project.to_owned() });
            }
        }
    }

    /// Applies a commit. Returns the projects that it touches.
    fn apply(&mut self, path: &Path, text: &str) -> Result<Vec<String>, TablesError> {
        let foreign = |reason: String| TablesError::Foreign { path: path.to_owned(), reason };
        let mut touched = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let action: Json =
                serde_json::from_str(line).map_err(|error| foreign(error.to_string()))?;
            let file = |action: &Json| -> Option<(String, String, u64)> {
                let project = action.get("partitionValues")?.get(PROJECT)?.as_str()?;
                let size = action.get("size")?.as_u64()?;
                let path = action.get("path")?.as_str()?;
                let path = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
                Some((path.into_owned(), project.to_owned(), size))
            };
            if let Some(add) = action.get("add") {
                let added = file(add)
                    .ok_or_else(|| foreign("an `add` without path, size or project".into()))?;
                let (path, project, size) = added;
                touched.push(project.clone());
                self.active.insert(path, (project, size));
            } else if let Some(remove) = action.get("remove") {
                let path = remove.get("path").and_then(Json::as_str);
                let path = path.ok_or_else(|| foreign("a `remove` without a path".into()))?;
                let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
                if let Some((project, _)) = self.active.remove(&*path) {
                    touched.push(project);
                }
            } else if let Some(meta) = action.get("metaData") {
                let schema = meta.get("schemaString").and_then(Json::as_str);
                if schema != Some(&schema_string(self.table)) {
                    let reason = "its columns are those of another version of asof";
                    return Err(foreign(reason.into()));
                }
            } else if let Some(protocol) = action.get("protocol") {
                let is = |key: &str| protocol.get(key).and_then(Json::as_u64);
                if is("minReaderVersion") != Some(1) || is("minWriterVersion") != Some(2) {
                    return Err(foreign("it needs another version of the protocol".into()));
                }
            }
        }
        Ok(touched)
    }

    /// Makes the files of a project exactly these. Returns the version of the table.
    ///
    /// # Errors
    /// [`TablesError::Conflict`] if another writer has committed the same project since the log was
    /// opened.
    pub fn commit(&mut self, project: &str, files: &[AddFile]) -> Result<u64, TablesError> {
        loop {
            let actions = self.actions(project, files);
            if actions.is_empty() {
                return Ok(self.next.saturating_sub(1));
            }
            let mut text = String::new();
            for action in &actions {
                text.push_str(&action.to_string());
                text.push('\n');
            }
            let to = self.path(self.next);
            let from = self.folder.join(format!(".{}.new", uuid::Uuid::new_v4().simple()));
            fs::write(&from, &text).map_err(TablesError::io("write", &from))?;
            let synced = fs::File::open(&from).and_then(|file| file.sync_all());
            let linked = synced.and_then(|()| link(&from, &to));
            let _ = fs::remove_file(&from);
            match linked {
                Ok(()) => {
                    self.apply(&to, &text)?;
                    self.next += 1;
                    return Ok(self.next - 1);
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    self.catch_up(Some(project))?;
                }
                Err(error) => return Err(TablesError::io("create", &to)(error)),
            }
        }
    }

    fn actions(&self, project: &str, files: &[AddFile]) -> Vec<Json> {
        let now = Micros::now().0 / 1000;
        let values = json!({ PROJECT: project });
        let escaped = |path: &str| path.replace('%', "%25");
        let mut actions = Vec::new();
        for (path, (of, size)) in &self.active {
            if of == project && !files.iter().any(|file| file.path == *path) {
                actions.push(json!({ "remove": {
                    "path": escaped(path), "deletionTimestamp": now, "dataChange": true,
                    "extendedFileMetadata": true, "partitionValues": values, "size": size,
                }}));
            }
        }
        for file in files.iter().filter(|file| !self.active.contains_key(&file.path)) {
            let mut stats = json!({ "numRecords": file.rows });
            if let (Some((least, most)), Some(first)) = (file.bounds, self.table.columns.first())
                && let Some(stats) = stats.as_object_mut()
            {
                stats.insert("minValues".to_owned(), json!({ first.name: least }));
                stats.insert("maxValues".to_owned(), json!({ first.name: most }));
                stats.insert("nullCount".to_owned(), json!({ first.name: 0 }));
            }
            actions.push(json!({ "add": {
                "path": escaped(&file.path), "partitionValues": values, "size": file.bytes,
                "modificationTime": now, "dataChange": true, "stats": stats.to_string(),
            }}));
        }
        if self.next == 0 {
            actions
                .insert(0, json!({ "protocol": { "minReaderVersion": 1, "minWriterVersion": 2 } }));
            actions.insert(
                1,
                json!({ "metaData": {
                    "id": uuid::Uuid::new_v4().to_string(), "name": self.table.name,
                    "description": self.table.doc,
                    "format": { "provider": "parquet", "options": {} },
                    "schemaString": schema_string(self.table),
                    "partitionColumns": [PROJECT], "configuration": {}, "createdTime": now,
                }}),
            );
        }
        if !actions.is_empty() {
            let engine = concat!("asof/", env!("CARGO_PKG_VERSION"));
            actions.insert(
                0,
                json!({ "commitInfo": {
                    "timestamp": now, "operation": "WRITE", "operationParameters": {},
                    "engineInfo": engine,
                }}),
            );
        }
        actions
    }
}

/// The schema as Spark writes it.
fn schema_string(table: &Table) -> String {
    let field = |name: &str, kind: Kind, optional: bool, doc: &str| {
        let kind = match kind {
            Kind::Long => "long",
            Kind::Double => "double",
            Kind::Bool => "boolean",
            Kind::Text => "string",
        };
        json!({ "name": name, "type": kind, "nullable": optional, "metadata": { "comment": doc } })
    };
    let mut fields: Vec<Json> =
        table.columns.iter().map(|c| field(c.name, c.kind, c.optional, c.doc)).collect();
    fields.push(field(PROJECT, Kind::Text, true, "name of the project"));
    json!({ "type": "struct", "fields": fields }).to_string()
}
