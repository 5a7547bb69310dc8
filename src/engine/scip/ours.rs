//! Our own definitions and references, by file and byte.

use std::collections::{BTreeMap, HashMap};

use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{PlaceRow, Queries};
use asof_store::Store;

/// A definition.
#[derive(Debug, Clone)]
pub(super) struct OurItem {
    pub kind: NodeKind,
    /// Canonical path; the name where there is none.
    pub path: String,
}

/// A definition that holds others: its bytes.
#[derive(Debug, Clone, Copy)]
struct Extent {
    start: u32,
    end: u32,
    id: NodeId,
}

/// The definitions of a workspace.
#[derive(Debug, Default)]
pub(super) struct OurItems {
    pub items: HashMap<NodeId, OurItem>,
    names: HashMap<String, BTreeMap<u32, Vec<NodeId>>>,
    macro_calls: HashMap<String, Vec<Extent>>,
    /// The calls that make items: they stand for these.
    call_of: HashMap<NodeId, NodeId>,
    /// The byte that occurrences in a source count from.
    starts: HashMap<NodeId, u32>,
}

/// What a use of ours means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OurTarget {
    Item,
    External,
    Unknown,
}

/// A use of ours at a place.
#[derive(Debug, Clone)]
pub(super) struct OurUse {
    pub target: NodeId,
    pub means: OurTarget,
    pub use_kind: RefKind,
    pub provenance: String,
    pub confidence: f64,
}

/// Uses by file and byte.
pub(super) type OurUses = BTreeMap<String, BTreeMap<u32, Vec<OurUse>>>;

impl OurItems {
    pub fn read(queries: &Queries<'_>) -> Result<Self, EngineError> {
        let mut found = Self::default();
        let mut made = Vec::new();
        for row in queries.all_places()? {
            if row.made && row.kind != NodeKind::MacroCall {
                made.push((row.id, row.file_path.clone(), row.start_byte));
            }
            found.add(row);
        }
        for (id, file, byte) in made {
            if let Some(call) = found.calls_around(&file, byte).into_iter().next() {
                found.call_of.insert(id, call);
            }
        }
        Ok(found)
    }

    fn add(&mut self, row: PlaceRow) {
        let PlaceRow { id, kind, file_path, start_byte, end_byte, name_start, body, made, .. } =
            row;
        if body == 1 || !self.starts.contains_key(&id) {
            self.starts.insert(id, start_byte);
        }
        match kind {
            // It has no place of its own.
            _ if made => {}
            NodeKind::MacroCall => {
                let extent = Extent { start: start_byte, end: end_byte, id };
                self.macro_calls.entry(file_path).or_default().push(extent);
            }
            // What has no name of its own is not found by one.
            kind if kind.is_anonymous() => {}
            _ => {
                let at = self.names.entry(file_path).or_default().entry(name_start).or_default();
                if !at.contains(&id) {
                    at.push(id);
                }
            }
        }
        let path = row.path.unwrap_or(row.name);
        self.items.insert(id, OurItem { kind, path });
    }

    /// The items whose name begins at a byte of a file.
    pub fn named_at(&self, file: &str, byte: u32) -> &[NodeId] {
        self.names.get(file).and_then(|names| names.get(&byte)).map_or(&[], Vec::as_slice)
    }

    /// The macro calls around a byte of a file, the innermost first: each stands for all items that
    /// it makes.
    pub fn calls_around(&self, file: &str, byte: u32) -> Vec<NodeId> {
        let all = self.macro_calls.get(file).map_or(&[][..], Vec::as_slice);
        let mut around: Vec<&Extent> =
            all.iter().filter(|call| call.start <= byte && byte < call.end).collect();
        around.sort_by_key(|call| (call.end - call.start, call.id));
        around.into_iter().map(|call| call.id).collect()
    }

    /// The only item that a definition at this place can be; `None` if there is none, or several.
    pub fn defined_at(&self, file: &str, byte: u32) -> Option<NodeId> {
        match self.named_at(file, byte) {
            [one] => Some(*one),
            [] => self.calls_around(file, byte).into_iter().next(),
            _ => None,
        }
    }

    /// Every use with a place in a text, those that implement an item of a trait left out.
    pub fn uses(&self, store: &Store, queries: &Queries<'_>) -> Result<OurUses, EngineError> {
        let mut found = OurUses::new();
        let mut others: BTreeMap<NodeId, OurTarget> = BTreeMap::new();
        for row in queries.all_uses()? {
            let Some(start) = self.starts.get(&row.source) else { continue };
            let file = found.entry(row.file_path).or_default();
            for one in row.refs.into_iter().filter(|one| one.kind != RefKind::Overrides) {
                let target = self.call_of.get(&one.target).copied().unwrap_or(one.target);
                let is_item = self.items.contains_key(&target);
                let means = if is_item { OurTarget::Item } else { OurTarget::Unknown };
                if !is_item {
                    others.insert(target, means);
                }
                for [offset, ..] in one.occurrences.0 {
                    file.entry(start + offset).or_default().push(OurUse {
                        target,
                        means,
                        use_kind: one.kind,
                        provenance: one.provenance.to_string(),
                        confidence: one.confidence,
                    });
                }
            }
        }
        let ids: Vec<NodeId> = others.keys().copied().collect();
        for row in Queries::external(store, &ids)?.into_iter().filter(|row| row.external) {
            others.insert(row.id, OurTarget::External);
        }
        for one in found.values_mut().flat_map(BTreeMap::values_mut).flatten() {
            if let Some(means) = others.get(&one.target) {
                one.means = *means;
            }
        }
        Ok(found)
    }
}
