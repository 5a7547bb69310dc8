//! Bulk export, one JSON object per line.

use std::str::FromStr;

use serde_json::Value as Json;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_query::Queries;
use asof_store::Relation;
use asof_wire::Definition;

/// By default, uses with a lower confidence are not exported.
pub const DEFAULT_CERTAINTY: f64 = 0.5;

/// What to export.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExportKind {
    /// Every definition that has a path.
    Defs,
    /// Every module with its file.
    Modules,
    /// Every definition with the places where it is used. Confidence from 0 to 1.
    Refs { min_confidence: f64 },
    /// Every pair of a caller and a callee.
    Calls { min_confidence: f64 },
    /// Every row of every versioned relation.
    Rows,
}

impl FromStr for ExportKind {
    type Err = EngineError;
    fn from_str(text: &str) -> Result<Self, EngineError> {
        match text {
            "defs" => Ok(Self::Defs),
            "modules" => Ok(Self::Modules),
            "rows" => Ok(Self::Rows),
            "refs" => Ok(Self::Refs { min_confidence: DEFAULT_CERTAINTY }),
            "calls" => Ok(Self::Calls { min_confidence: DEFAULT_CERTAINTY }),
            other => Err(EngineError::BadRequest {
                what: format!("no export named `{other}`"),
                hint: "the exports are defs, modules, rows, refs and calls".into(),
            }),
        }
    }
}

impl Snapshot<'_> {
    /// Passes each line to `sink`, and returns the number of lines.
    pub fn export(
        &self,
        what: ExportKind,
        sink: &mut dyn FnMut(Json) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        match what {
            ExportKind::Defs => self.definitions(sink),
            ExportKind::Modules => self.program("export/modules", sink),
            ExportKind::Refs { min_confidence } => self.export_refs(min_confidence, sink),
            ExportKind::Calls { min_confidence } => self.export_calls(min_confidence, sink),
            ExportKind::Rows => self.rows(sink),
        }
    }

    fn definitions(
        &self,
        sink: &mut dyn FnMut(Json) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        let definitions = Queries::at(self.store(), self.at).definitions()?;
        let count = definitions.len();
        for d in definitions {
            // The name of a crate does not occur in its code.
            let name = match d.canonical_path.rsplit_once("::") {
                Some((_, name)) => asof_syntax::as_written(name),
                None => d.canonical_path.clone(),
            };
            let line = Definition {
                name,
                path: d.canonical_path,
                kind: d.kind.as_str().to_owned(),
                file: d.file_path,
                line: d.name_line,
                start: d.start_line,
                end: d.end_line,
                start_byte: d.start_byte,
                end_byte: d.end_byte,
                id: d.id,
                visibility: d.visibility,
                signature: d.signature,
                cfg: d.cfg,
                tracking_hash: d.tracking_hash.to_string(),
            };
            sink(
                serde_json::to_value(line).map_err(|e| EngineError::State {
                    what: "definition",
                    reason: e.to_string(),
                })?,
            )?;
        }
        Ok(count)
    }

    fn program(
        &self,
        name: &str,
        sink: &mut dyn FnMut(Json) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        let rows = asof_query::run(self.store(), name, self.params())?;
        for row in rows.to_json() {
            let object = rows.headers().iter().cloned().zip(row).collect();
            sink(Json::Object(object))?;
        }
        Ok(rows.len())
    }

    fn rows(
        &self,
        sink: &mut dyn FnMut(Json) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        let mut count = 0;
        for relation in Relation::all().filter(|r| r.versioned) {
            let rows = self.store().rows_at(relation.name, self.at)?;
            for row in rows.to_json() {
                let mut object = serde_json::Map::new();
                object.insert("relation".to_owned(), relation.name.into());
                object.extend(rows.headers().iter().cloned().zip(row));
                sink(Json::Object(object))?;
            }
            count += rows.len();
        }
        Ok(count)
    }
}
