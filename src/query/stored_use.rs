//! Uses as `refs_by_source` stores them: JSON within a list.

use serde_json::Value as Json;

use asof_model::{NodeId, RefKind};
use asof_store::{Cell, FromCell, ListElement};

/// An entry of a row of `refs_by_source`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredUse {
    pub target: NodeId,
    pub kind: RefKind,
    /// The rule that found it.
    pub provenance: Box<str>,
    /// From 0 to 1.
    pub confidence: f64,
    pub occurrences: Occurrences,
    /// What has to hold beside the conditions of source and target.
    pub condition: Option<Box<str>>,
}

/// Byte offset, line and column of each occurrence, relative to the start of the source item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Occurrences(pub Vec<[u32; 3]>);

impl Occurrences {
    fn read(json: &Json) -> Option<Self> {
        let number = |json: &Json| json.as_u64().and_then(|n| u32::try_from(n).ok());
        let numbers: Vec<u32> = json.as_array()?.iter().map(number).collect::<Option<_>>()?;
        let (occurrences, rest) = numbers.as_chunks::<3>();
        rest.is_empty().then(|| Self(occurrences.to_vec()))
    }
}

impl FromCell for StoredUse {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        let mut parts = cell.as_list()?;
        let target = NodeId::from_cell(parts.next()?)?;
        let how = parts.next()?.as_json()?;
        Some(Self {
            target,
            kind: how.get(0)?.as_str()?.parse().ok()?,
            provenance: how.get(1)?.as_str()?.into(),
            confidence: how.get(2)?.as_f64()? / 100.0,
            occurrences: Occurrences::read(how.get(4)?)?,
            condition: how.get(5).and_then(Json::as_str).map(Box::from),
        })
    }
    fn expected() -> String {
        "use".to_owned()
    }
}

/// An entry of a row of `refs_by_target`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredUser {
    pub source: NodeId,
    pub kind: RefKind,
    /// Of the most certain occurrence, from 0 to 1.
    pub confidence: f64,
}

impl FromCell for StoredUser {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        let mut parts = cell.as_list()?;
        let source = NodeId::from_cell(parts.next()?)?;
        let kind = parts.next()?.as_str()?.parse().ok()?;
        let confidence = i64::from_cell(parts.next()?)? as f64 / 100.0;
        Some(Self { source, kind, confidence })
    }
    fn expected() -> String {
        "user".to_owned()
    }
}

impl ListElement for StoredUser {}

impl ListElement for StoredUse {}
