//! Who uses what, as typed rows.

use serde_json::Value as Json;

use super::error::QueryError;
use super::typed::{Queries, rows};
use crate::model::{NodeId, NodeKind, RefKind};
use crate::store::{Cell, FromCell, FromRow, Row, StoreError, Value};

rows! {
    /// A use of a target by an item.
    UseRow {
        target: NodeId,
        source: NodeId,
        kind: RefKind,
        provenance: String,
        confidence: u32,
        occurrences: Occurrences,
        file_path: String,
        start_byte: u32,
        start_line: u32,
    }

    /// An item that a walk reached, by one of the shortest ways. A seed has no way.
    ReachedRow {
        id: NodeId,
        depth: u32,
        via: Option<NodeId>,
        kind: Option<RefKind>,
        confidence: Option<u32>,
    }

    /// A name of a dependency or standard crate, or one that is not known.
    ExternalSymbolRow {
        id: NodeId,
        text: String,
        external: bool,
    }

    /// The same, with how many items use it.
    ExternalSymbolUse {
        id: NodeId,
        text: String,
        external: bool,
        users: u64,
    }

    /// A name as it is written where nothing explains it, and how often it is.
    UnresolvedUses {
        name: String,
        text: String,
        id: NodeId,
        uses: u64,
    }

    /// A file that did not parse.
    PartialFile {
        path: String,
    }

    /// An item, or one that it stands in, and what tells of tests there.
    TestContextRow {
        id: NodeId,
        above: NodeId,
        cfg: String,
        attrs: Vec<Json>,
        target_kind: Option<String>,
    }

    /// Where an item begins in its file.
    OccurrenceRow {
        id: NodeId,
        start_byte: u32,
        start_line: u32,
    }

    /// What an item uses, all in one.
    UsesRow {
        source: NodeId,
        kind: NodeKind,
        file_path: String,
        refs: Vec<StoredUse>,
    }
}

/// An entry of a row of `refs_by_source`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredUse {
    pub target: NodeId,
    pub kind: RefKind,
    pub confidence: u32,
    pub occurrences: Occurrences,
}

/// Offset, line, column of each place, from the start of the item that holds it.
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

/// Which uses are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UseFilter {
    pub kinds: Vec<RefKind>,
    /// Percent.
    pub min_confidence: u32,
}

impl UseFilter {
    pub(super) fn given(&self) -> [(&'static str, Value); 2] {
        let kinds = self.kinds.iter().map(|kind| kind.as_str());
        [("kinds", Value::list(kinds)), ("min_confidence", self.min_confidence.into())]
    }
}

impl Queries<'_> {
    /// Every use of targets.
    pub fn where_used(
        &self,
        targets: &[NodeId],
        filter: &UseFilter,
    ) -> Result<Vec<UseRow>, QueryError> {
        let [kinds, min] = filter.given();
        let targets = ("targets", Value::list(targets.iter().copied()));
        self.ask("edges/where_used", &[targets, kinds, min])
    }

    /// What items use, one step.
    pub fn uses_of(
        &self,
        sources: &[NodeId],
        filter: &UseFilter,
    ) -> Result<Vec<UseRow>, QueryError> {
        let [kinds, min] = filter.given();
        let sources = ("sources", Value::list(sources.iter().copied()));
        self.ask("edges/uses_of", &[sources, kinds, min])
    }

    /// What depends on seeds, transitively.
    pub fn downstream(
        &self,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
    ) -> Result<Vec<ReachedRow>, QueryError> {
        self.walk_uses("edges/downstream", seeds, filter, depth)
    }

    /// What seeds depend on, transitively.
    pub fn upstream(
        &self,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
    ) -> Result<Vec<ReachedRow>, QueryError> {
        self.walk_uses("edges/upstream", seeds, filter, depth)
    }

    fn walk_uses(
        &self,
        program: &str,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
    ) -> Result<Vec<ReachedRow>, QueryError> {
        let [kinds, min] = filter.given();
        let seeds = ("seeds", Value::list(seeds.iter().copied()));
        self.ask(program, &[seeds, kinds, min, ("depth", depth.into())])
    }

    /// Those of the ids that are external names.
    pub fn external(&self, ids: &[NodeId]) -> Result<Vec<ExternalSymbolRow>, QueryError> {
        self.ask("edges/external_symbols", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// External names that begin with a text, and are used.
    pub fn external_symbols_starting(
        &self,
        prefix: &str,
        limit: i64,
    ) -> Result<Vec<ExternalSymbolUse>, QueryError> {
        self.ask(
            "edges/external_symbols_starting",
            &[("prefix", prefix.into()), ("limit", limit.into())],
        )
    }

    /// Uses of bare names that are not resolved.
    pub fn unresolved_uses(&self, names: &[String]) -> Result<Vec<UnresolvedUses>, QueryError> {
        let names = names.iter().map(String::as_str);
        self.ask("edges/unresolved_uses", &[("names", Value::list(names))])
    }

    /// Files that did not parse.
    pub fn partial_files(&self) -> Result<Vec<String>, QueryError> {
        let rows: Vec<PartialFile> = self.ask("inspect/partial_files", &[])?;
        Ok(rows.into_iter().map(|row| row.path).collect())
    }

    /// What tells whether items are code of tests.
    pub fn test_context(&self, ids: &[NodeId]) -> Result<Vec<TestContextRow>, QueryError> {
        self.ask("edges/test_context", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// What every item uses.
    pub fn all_uses(&self) -> Result<Vec<UsesRow>, QueryError> {
        self.ask("export/uses", &[])
    }

    /// Where every item begins.
    pub fn all_places(&self) -> Result<Vec<OccurrenceRow>, QueryError> {
        self.ask("export/occurrences", &[])
    }
}
