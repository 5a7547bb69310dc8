//! Uses as `refs_by_source` stores them: JSON within a list.

use serde_json::Value as Json;

use crate::model::{NodeId, RefKind};
use crate::store::{Cell, FromCell};

/// An entry of a row of `refs_by_source`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredUse {
    pub target: NodeId,
    pub kind: RefKind,
    /// Percent.
    pub confidence: u32,
    pub occurrences: Occurrences,
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

impl FromCell for Occurrences {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        Self::read(cell.as_json()?)
    }
    fn expected() -> String {
        "list of occurrences".to_owned()
    }
}

impl StoredUse {
    fn read(cell: Cell<'_>) -> Option<Self> {
        let mut parts = cell.as_list()?;
        let target = NodeId::from_cell(parts.next()?)?;
        let how = parts.next()?.as_json()?;
        Some(Self {
            target,
            kind: how.get(0)?.as_str()?.parse().ok()?,
            confidence: u32::try_from(how.get(2)?.as_u64()?).ok()?,
            occurrences: Occurrences::read(how.get(4)?)?,
        })
    }
}

impl FromCell for Vec<StoredUse> {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        cell.as_list()?.map(StoredUse::read).collect()
    }
    fn expected() -> String {
        "list of uses".to_owned()
    }
}
