//! Exports: whole sets of definitions as typed rows.

use super::error::QueryError;
use super::typed::{Queries, rows};
use crate::model::{NodeId, NodeKind, TrackingHash};
use crate::store::{FromRow, Row, StoreError};

rows! {
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
    /// Every definition that has a path.
    pub fn definitions(&self) -> Result<Vec<Definition>, QueryError> {
        self.ask("export/defs", &[])
    }

    /// Every module.
    pub fn modules(&self) -> Result<Vec<ModuleDef>, QueryError> {
        self.ask("export/modules", &[])
    }
}
