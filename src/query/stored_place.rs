//! Places as `layout` stores them: JSON within a list.

use serde_json::Value as Json;

use asof_model::{NodeId, TextHash};
use asof_store::{Cell, FromCell, ListElement};

/// An entry of a row of `layout`. Bytes and lines count from 0, from the start of the container;
/// those of the name from the start of the item.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPlace {
    pub id: NodeId,
    pub start_byte: u32,
    pub end_byte: u32,
    pub start_line: u32,
    pub end_line: u32,
    pub name_start: u32,
    pub name_line: u32,
    /// Of its own text; none if that is a part of the container's.
    pub text_hash: Option<TextHash>,
}

impl FromCell for StoredPlace {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        let mut parts = cell.as_list()?;
        let id = NodeId::from_cell(parts.next()?)?;
        let place = parts.next()?.as_json()?;
        let number = |at: usize| place.get(at)?.as_u64().and_then(|n| u32::try_from(n).ok());
        let text_hash = match place.get(6).and_then(Json::as_str) {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        Some(Self {
            id,
            start_byte: number(0)?,
            end_byte: number(1)?,
            start_line: number(2)?,
            end_line: number(3)?,
            name_start: number(4)?,
            name_line: number(5)?,
            text_hash,
        })
    }
    fn expected() -> String {
        "place".to_owned()
    }
}

impl ListElement for StoredPlace {}
