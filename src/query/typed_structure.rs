//! Outlines, public names and paths of uses, as typed rows.

use super::error::QueryError;
use super::typed::{Queries, rows};
use super::typed_edges::UseFilter;
use crate::model::{NodeId, NodeKind, RefKind, TrackingHash};
use crate::store::{FromRow, Row, StoreError, Value};

rows! {
    /// An item of an outline. `rank`: 1 for an inherent impl below its type, 2 for one of a trait.
    OutlineRow {
        parent_id: Option<NodeId>,
        id: NodeId,
        depth: u32,
        rank: u32,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        visibility: String,
        signature: String,
        cfg: String,
        file_path: String,
        line: u32,
        end_line: u32,
        children: u32,
        tracking_hash: TrackingHash,
    }

    /// A name in a public module. `kind` is `external` and `id` none for what another crate defines.
    PublicName {
        module_path: String,
        name: String,
        kind: String,
        id: Option<NodeId>,
        signature: String,
        canonical_path: Option<String>,
        file_path: String,
        line: Option<u32>,
        cfg: String,
        hidden: bool,
        reexported: bool,
        depth: u32,
    }

    /// Items on a way from one to another, both included.
    UsePathRow {
        cost: f64,
        path: Vec<NodeId>,
    }

    /// The first place where an item uses another.
    SiteRow {
        source: NodeId,
        target: NodeId,
        kind: RefKind,
        confidence: u32,
        file_path: String,
        line: u32,
    }

    /// A use that may be part of a path which is not found.
    PathGapRow {
        reason: String,
        source: NodeId,
        text: String,
    }

    /// An item that a line is part of.
    LineItem {
        id: NodeId,
        kind: NodeKind,
    }
}

/// Which paths of uses are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathSearch {
    pub uses: UseFilter,
    /// Whether an item of a trait leads to those of its impls.
    pub dispatch: bool,
    /// Steps at most.
    pub depth: u32,
    /// Paths at most between two items.
    pub limit: u32,
}

impl Queries<'_> {
    /// Items and their contents, `depth` levels down.
    pub fn outline(
        &self,
        ids: &[NodeId],
        depth: u32,
        open_all: bool,
    ) -> Result<Vec<OutlineRow>, QueryError> {
        let ids = ("ids", Value::list(ids.iter().copied()));
        self.ask("inspect/outline", &[ids, ("depth", depth.into()), ("open_all", open_all.into())])
    }

    /// Every name that others can write below these modules.
    pub fn public_names(&self, roots: &[NodeId]) -> Result<Vec<PublicName>, QueryError> {
        self.ask("inspect/api", &[("roots", Value::list(roots.iter().copied()))])
    }

    /// The shortest paths of uses between items, the surest first.
    pub fn use_paths(
        &self,
        from: &[NodeId],
        to: &[NodeId],
        search: &PathSearch,
    ) -> Result<Vec<UsePathRow>, QueryError> {
        let [kinds, min] = search.uses.given();
        let given = [
            ("from", Value::list(from.iter().copied())),
            ("to", Value::list(to.iter().copied())),
            kinds,
            min,
            ("dispatch", search.dispatch.into()),
            ("depth", search.depth.into()),
            ("limit", search.limit.into()),
        ];
        self.ask("edges/paths", &given)
    }

    /// The first place of each use of targets in sources, the most certain kind first.
    pub fn sites(
        &self,
        sources: &[NodeId],
        targets: &[NodeId],
        kinds: &[RefKind],
    ) -> Result<Vec<SiteRow>, QueryError> {
        let given = [
            ("sources", Value::list(sources.iter().copied())),
            ("targets", Value::list(targets.iter().copied())),
            ("kinds", Value::list(kinds.iter().map(|kind| kind.as_str()))),
        ];
        self.ask("edges/sites", &given)
    }

    /// What may hide a path from some items to others.
    pub fn path_gaps(
        &self,
        from: &[NodeId],
        to: &[NodeId],
        uses: &UseFilter,
    ) -> Result<Vec<PathGapRow>, QueryError> {
        let [kinds, _] = uses.given();
        let from = ("from", Value::list(from.iter().copied()));
        self.ask("edges/path_gaps", &[from, ("to", Value::list(to.iter().copied())), kinds])
    }

    /// Items that a line is part of, the innermost first.
    pub fn items_at_line(&self, file_path: &str, line: u32) -> Result<Vec<LineItem>, QueryError> {
        let given = [("file_path", file_path.into()), ("line", line.into())];
        self.ask("inspect/items_at_line", &given)
    }
}
