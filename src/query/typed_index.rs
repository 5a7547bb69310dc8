//! What an indexer reads back, and exports: whole rows.

use serde_json::Value as Json;

use super::error::QueryError;
use super::typed::{Queries, rows};
use crate::model::{Namespace, NodeId, NodeKind, RawHash, ShapeHash, TextHash, TrackingHash};
use crate::store::{FromRow, Row, StoreError, Value};

rows! {
    /// A row of `node`.
    NodeRow {
        id: NodeId,
        kind: NodeKind,
        name: String,
        path: Option<String>,
        module_id: NodeId,
        parent_id: Option<NodeId>,
        file_path: String,
        visibility: String,
        signature: String,
        docs: String,
        cfg: String,
        tracking_hash: TrackingHash,
        shape_hash: ShapeHash,
        attrs: Vec<Vec<Json>>,
        generics: Vec<Vec<Json>>,
        params: Vec<Vec<Json>>,
        header: Json,
    }

    /// A row of `layout`.
    LayoutRow {
        owner_id: NodeId,
        slots: Json,
        children: Vec<Vec<Json>>,
    }

    /// A row of `module`, with that of `file_mod` if it has one.
    ModuleRow {
        id: NodeId,
        path: Vec<String>,
        parent_id: Option<NodeId>,
        kind: String,
        root_id: NodeId,
        tracking_hash: TrackingHash,
        file_path: Option<String>,
        namespace: Option<Namespace>,
    }

    /// A row of `file`.
    FileFullRow {
        path: String,
        raw_hash: RawHash,
        token_hash: TrackingHash,
        face_hash: String,
        text_hash: TextHash,
        len: u32,
        lines: u32,
        partial: bool,
    }

    /// A row of `edge`.
    EdgeRow {
        source: NodeId,
        kind: String,
        name: String,
        target: NodeId,
        origin: NodeId,
        provenance: String,
        confidence: f64,
    }

    /// A row of `edge_in`.
    EdgeInRow {
        target: NodeId,
        kind: String,
        source: NodeId,
        name: String,
        origin: NodeId,
    }

    /// A row of `unresolved`.
    UnresolvedFullRow {
        source: NodeId,
        kind: String,
        text: String,
        name: String,
        origin: NodeId,
        external: bool,
    }

    /// A row of `package`.
    PackageRow {
        manifest_path: String,
        name: String,
        version: String,
        edition: String,
        dependencies: Vec<Vec<String>>,
    }

    /// A row of `target`.
    TargetRow {
        root_id: NodeId,
        manifest_path: String,
        kind: String,
        name: String,
        crate_name: String,
        root: String,
        edition: String,
    }

    /// A definition with its place.
    Definition {
        canonical_path: String,
        kind: NodeKind,
        id: NodeId,
        visibility: String,
        signature: String,
        cfg: String,
        tracking_hash: TrackingHash,
        file_path: String,
        start_byte: u32,
        end_byte: u32,
        start_line: u32,
        end_line: u32,
        name_start: u32,
        name_line: u32,
    }

    /// A module with its file.
    ModuleDef {
        canonical_path: Option<String>,
        id: NodeId,
        module_path: Vec<String>,
        module_kind: String,
        parent_id: Option<NodeId>,
        root_id: NodeId,
        file_path: String,
        tracking_hash: TrackingHash,
        docs: String,
        cfg: String,
    }
}

impl Queries<'_> {
    /// Every row of `node`.
    pub fn all_nodes(&self) -> Result<Vec<NodeRow>, QueryError> {
        self.ask("index/all_nodes", &[])
    }

    /// Rows of `node` of the items in files and of the files' own modules.
    pub fn file_nodes(&self, files: &[String]) -> Result<Vec<NodeRow>, QueryError> {
        self.ask("index/file_nodes", &[("files", Value::list(files.iter().cloned()))])
    }

    /// Every row of `layout`.
    pub fn all_layouts(&self) -> Result<Vec<LayoutRow>, QueryError> {
        self.ask("index/all_layouts", &[])
    }

    /// Rows of `layout` whose owners stand in files.
    pub fn file_layouts(&self, files: &[String]) -> Result<Vec<LayoutRow>, QueryError> {
        self.ask("index/file_layouts", &[("files", Value::list(files.iter().cloned()))])
    }

    /// Modules in files, and those that the files are the bodies of.
    pub fn modules_in(&self, files: &[String]) -> Result<Vec<ModuleRow>, QueryError> {
        self.ask("index/file_modules", &[("files", Value::list(files.iter().cloned()))])
    }

    /// Every row of `file`.
    pub fn all_files(&self) -> Result<Vec<FileFullRow>, QueryError> {
        self.ask("index/all_files", &[])
    }

    /// Every row of `edge`.
    pub fn all_edges(&self) -> Result<Vec<EdgeRow>, QueryError> {
        self.ask("index/all_edges", &[])
    }

    /// Edges from these definitions.
    pub fn edges_of_sources(&self, ids: &[NodeId]) -> Result<Vec<EdgeRow>, QueryError> {
        self.ask("index/edges_of_sources", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Edges to these definitions.
    pub fn edges_of_targets(&self, ids: &[NodeId]) -> Result<Vec<EdgeInRow>, QueryError> {
        self.ask("index/edges_of_targets", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Every row of `unresolved`.
    pub fn all_unresolved(&self) -> Result<Vec<UnresolvedFullRow>, QueryError> {
        self.ask("index/all_unresolved", &[])
    }

    /// Rows of `unresolved` from these definitions.
    pub fn unresolved_of_sources(
        &self,
        ids: &[NodeId],
    ) -> Result<Vec<UnresolvedFullRow>, QueryError> {
        self.ask("index/unresolved_of_sources", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Every package.
    pub fn packages(&self) -> Result<Vec<PackageRow>, QueryError> {
        self.ask("index/packages", &[])
    }

    /// Every target.
    pub fn targets(&self) -> Result<Vec<TargetRow>, QueryError> {
        self.ask("index/targets", &[])
    }

    /// Every definition that has a path.
    pub fn definitions(&self) -> Result<Vec<Definition>, QueryError> {
        self.ask("export/defs", &[])
    }

    /// Every module.
    pub fn modules(&self) -> Result<Vec<ModuleDef>, QueryError> {
        self.ask("export/modules", &[])
    }
}
