//! References and calls of a whole workspace, one JSON object per line.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value as Json, json};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{Definition, Queries, StartRow, StoredUse};

/// Receives a line.
type Sink<'a> = &'a mut dyn FnMut(Json) -> Result<(), EngineError>;

/// Name as written in code.
fn name(definition: &Definition) -> String {
    let path = definition.canonical_path.as_str();
    path.rsplit_once("::")
        .map_or_else(|| path.to_owned(), |(_, name)| asof_syntax::as_written(name))
}

impl Snapshot<'_> {
    /// Each definition that is used, with file, line and column of every use.
    pub(super) fn export_refs(
        &self,
        min_confidence: f64,
        sink: Sink<'_>,
    ) -> Result<usize, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let starts: HashMap<NodeId, StartRow> =
            queries.all_starts()?.into_iter().map(|row| (row.id, row)).collect();
        let mut uses: HashMap<NodeId, BTreeSet<(String, u32, u32)>> = HashMap::new();
        for row in queries.all_uses()? {
            let Some(start) = starts.get(&row.source) else { continue };
            let sure = |one: &&StoredUse| {
                one.confidence >= min_confidence
                    && !matches!(one.kind, RefKind::Overrides | RefKind::Keyword)
            };
            for one in row.refs.iter().filter(sure) {
                let places = one.occurrences.0.iter().map(|place| start.place(*place));
                let places = places.map(|(line, column)| (row.file_path.clone(), line, column));
                uses.entry(one.target).or_default().extend(places);
            }
        }
        let mut count = 0;
        for definition in queries.definitions()? {
            let Some(refs) = uses.get(&definition.id) else { continue };
            let refs: Vec<Json> = refs.iter().map(|(f, l, c)| json!([f, l, c])).collect();
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

    /// Each pair of a caller and a callee, with file, line and name of both.
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
        let starts: HashMap<NodeId, u32> =
            queries.all_starts()?.into_iter().map(|row| (row.id, row.start_line)).collect();
        let mut count = 0;
        for row in queries.all_uses()? {
            // A macro call that expands to a function has a line but no name.
            let line = (row.kind == NodeKind::MacroCall).then(|| starts.get(&row.source)).flatten();
            let expanded = line.map(|line| json!([row.file_path, line]));
            let caller = functions.get(&row.source).or(expanded.as_ref());
            let Some(caller) = caller else { continue };
            let called: BTreeSet<NodeId> = row
                .refs
                .iter()
                .filter(|one| {
                    one.confidence >= min_confidence && RefKind::CALLS.contains(&one.kind)
                })
                .map(|one| one.target)
                .collect();
            for callee in called.iter().filter_map(|id| functions.get(id)) {
                sink(json!({ "caller": caller, "callee": callee }))?;
                count += 1;
            }
        }
        Ok(count)
    }
}
