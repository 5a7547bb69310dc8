//! Markers of technical debt in comments, with their places. Their rows count in the item's own
//! text, which leaves out the items nested in it.

use std::collections::BTreeMap;

use super::Chosen;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::NodeId;
use asof_query::{NestedRow, Queries};
use asof_wire::DebtMarker;

impl Snapshot<'_> {
    /// All markers of the chosen items, in the order of files.
    pub(super) fn debt(&self, chosen: &Chosen) -> Result<Vec<DebtMarker>, EngineError> {
        let ids: Vec<NodeId> = chosen.indebted.keys().copied().collect();
        let queries = Queries::at(self.store(), self.at);
        let mut nested: BTreeMap<NodeId, Vec<NestedRow>> = BTreeMap::new();
        for row in queries.nested(&ids)? {
            nested.entry(row.id).or_default().push(row);
        }
        let mut found = Vec::new();
        for row in queries.markers(&ids)? {
            let Some(item) = chosen.indebted.get(&row.id) else { continue };
            let inside = nested.get(&row.id).map_or(&[][..], Vec::as_slice);
            let (byte, line) = with_nested(row.byte, row.line, inside);
            found.push(DebtMarker {
                marker: row.marker,
                severity: row.severity,
                text: row.text,
                id: row.id,
                path: item.canonical_path.clone(),
                kind: item.kind,
                file_path: row.file_path,
                line: row.start_line + line,
                byte: row.start_byte + byte,
            });
        }
        Ok(found)
    }
}

/// A place in an item's own text, counted with the nested items before it. They are in the order
/// of the text.
fn with_nested(byte: u32, line: u32, nested: &[NestedRow]) -> (u32, u32) {
    let mut place = (byte, line);
    for item in nested {
        if item.start_byte > place.0 {
            break;
        }
        place.0 += item.end_byte - item.start_byte;
        place.1 += item.end_line - item.start_line;
    }
    place
}
