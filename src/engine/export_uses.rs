//! References and calls of a whole workspace, a JSON object a line.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value as Json, json};

use super::database::Snapshot;
use super::error::EngineError;
use crate::model::{NodeId, NodeKind};
use crate::query::{Definition, Queries};
use crate::syntax;

/// Takes a line.
type Sink<'a> = &'a mut dyn FnMut(Json) -> Result<(), EngineError>;

/// Name as code writes it.
fn name(definition: &Definition) -> String {
    let path = definition.canonical_path.as_str();
    path.rsplit_once("::").map_or_else(|| path.to_owned(), |(_, name)| syntax::as_written(name))
}

impl Snapshot<'_> {
    /// Each definition that is used, with file, line and column of every use.
    pub(super) fn export_refs(
        &self,
        min_confidence: f64,
        sink: Sink<'_>,
    ) -> Result<usize, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let mut uses: HashMap<NodeId, Vec<Json>> = HashMap::new();
        for row in queries.references(min_confidence)? {
            let place = json!([row.file_path, row.line, row.column]);
            uses.entry(row.target).or_default().push(place);
        }
        let mut count = 0;
        for definition in queries.definitions()? {
            let Some(refs) = uses.remove(&definition.id) else { continue };
            sink(json!({
                "file": definition.file_path,
                "line": definition.name_line,
                "name": name(&definition),
                "path": definition.canonical_path,
                "kind": definition.kind,
                "refs": refs,
            }))?;
            count += 1;
        }
        Ok(count)
    }

    /// Each pair of functions of which one calls the other, with file, line and name of both.
    pub(super) fn export_calls(
        &self,
        min_confidence: f64,
        sink: Sink<'_>,
    ) -> Result<usize, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let functions: BTreeMap<NodeId, Json> = queries
            .definitions()?
            .iter()
            .filter(|d| matches!(d.kind, NodeKind::Function | NodeKind::Method))
            .map(|d| (d.id, json!([d.file_path, d.name_line, name(d)])))
            .collect();
        let mut count = 0;
        for row in queries.calls(min_confidence)? {
            let expanded = row.line.map(|line| json!([row.file_path, line]));
            let caller = functions.get(&row.caller).or(expanded.as_ref());
            if let (Some(caller), Some(callee)) = (caller, functions.get(&row.callee)) {
                sink(json!({ "caller": caller, "callee": callee }))?;
                count += 1;
            }
        }
        Ok(count)
    }
}
