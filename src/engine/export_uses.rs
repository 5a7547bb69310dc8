//! Occurrences of use and call pairs of a whole workspace, a JSON object a line.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value as Json, json};

use super::database::Snapshot;
use super::error::EngineError;
use super::texts::Texts;
use crate::model::{NodeId, NodeKind, RefKind};
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
    /// Each definition that is used, with file, line and column of every place.
    pub(super) fn export_refs(
        &self,
        min_confidence: u32,
        sink: Sink<'_>,
    ) -> Result<usize, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let starts: HashMap<NodeId, (u32, u32)> = queries
            .all_places()?
            .into_iter()
            .map(|row| (row.id, (row.start_byte, row.start_line)))
            .collect();
        let mut texts = Texts::of(self);
        let mut occurrences: HashMap<NodeId, BTreeSet<(String, u32, u32)>> = HashMap::new();
        for row in queries.all_uses()? {
            let Some((start_byte, start_line)) = starts.get(&row.source).copied() else { continue };
            for one in row
                .refs
                .iter()
                .filter(|one| one.confidence >= min_confidence && one.kind != RefKind::Overrides)
            {
                for [offset, down, column] in &one.occurrences.0 {
                    let (line, column) = match down {
                        0 => texts.place(&row.file_path, start_byte + offset)?,
                        down => (start_line + down, column + 1),
                    };
                    let place = (row.file_path.clone(), line, column);
                    occurrences.entry(one.target).or_default().insert(place);
                }
            }
        }
        let mut count = 0;
        for definition in queries.definitions()? {
            let Some(occurrences) = occurrences.get(&definition.id) else { continue };
            let refs: Vec<Json> = occurrences.iter().map(|(f, l, c)| json!([f, l, c])).collect();
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
        min_confidence: u32,
        sink: Sink<'_>,
    ) -> Result<usize, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let functions: BTreeMap<NodeId, Json> = queries
            .definitions()?
            .iter()
            .filter(|d| matches!(d.kind, NodeKind::Function | NodeKind::Method))
            .map(|d| (d.id, json!([d.file_path, d.name_line, name(d)])))
            .collect();
        let lines: HashMap<NodeId, u32> =
            queries.all_places()?.into_iter().map(|row| (row.id, row.start_line)).collect();
        let mut count = 0;
        for row in queries.all_uses()? {
            // A macro that makes a function is told by where it is called: it has no name yet.
            let made = (row.kind == NodeKind::MacroCall).then(|| lines.get(&row.source)).flatten();
            let made = made.map(|line| json!([row.file_path, line]));
            let Some(caller) = functions.get(&row.source).or(made.as_ref()) else { continue };
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
