//! Who uses what, as typed rows.

use super::error::QueryError;
use super::typed::{Queries, rows};
use crate::model::{NodeId, NodeKind, RefKind};
use crate::store::{FromRow, Row, StoreError, Value};

rows! {
    /// A place where an item uses a target. Lines and columns count from 1, columns in bytes.
    UseRow {
        target: NodeId,
        use_kind: RefKind,
        provenance: String,
        confidence: f64,
        file_path: String,
        line: u32,
        column: u32,
        start_byte: u32,
        source: NodeId,
        kind: NodeKind,
        name: String,
        path: Option<String>,
        in_test: bool,
    }

    /// An item that was reached, by one of the shortest ways. A seed has no way.
    ReachedRow {
        id: NodeId,
        depth: u32,
        via: Option<NodeId>,
        use_kind: Option<RefKind>,
        confidence: Option<f64>,
    }

    /// A name of a dependency or standard crate, or one that is not resolved.
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

    /// A name that is not resolved, as it is written, and how often.
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

    /// A place where a target is used.
    ReferenceRow {
        target: NodeId,
        file_path: String,
        line: u32,
        column: u32,
    }

    /// An item that calls another. `line`: where it starts, if it is a macro call.
    CallRow {
        caller: NodeId,
        callee: NodeId,
        file_path: String,
        line: Option<u32>,
    }
}

/// Which uses are asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct UseFilter {
    pub kinds: Vec<RefKind>,
    /// From 0 to 1.
    pub min_confidence: f64,
}

impl UseFilter {
    fn given(&self) -> [(&'static str, Value); 2] {
        let kinds = self.kinds.iter().map(|kind| kind.as_str());
        [("kinds", Value::list(kinds)), ("min_confidence", self.min_confidence.into())]
    }
}

impl Queries<'_> {
    /// Every place where targets are used.
    pub fn where_used(
        &self,
        targets: &[NodeId],
        filter: &UseFilter,
    ) -> Result<Vec<UseRow>, QueryError> {
        let [kinds, min] = filter.given();
        let targets = ("targets", Value::list(targets.iter().copied()));
        self.ask("edges/where_used", &[targets, kinds, min])
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

    /// Every place where a target is used.
    pub fn references(&self, min_confidence: f64) -> Result<Vec<ReferenceRow>, QueryError> {
        self.ask("export/references", &[("min_confidence", min_confidence.into())])
    }

    /// Every pair of items of which one calls the other.
    pub fn calls(&self, min_confidence: f64) -> Result<Vec<CallRow>, QueryError> {
        self.ask("export/calls", &[("min_confidence", min_confidence.into())])
    }
}
