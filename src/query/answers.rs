//! Converts rows of queries to parts of answers.

use asof_model::Span;
use asof_wire::{Event, Item, ItemRef, Use};

use super::rows::{Described, Revision, UseRow};

impl From<Revision> for Event {
    fn from(revision: Revision) -> Self {
        Self {
            id: revision.id,
            at: revision.at.to_string(),
            cause: revision.cause,
            actor: revision.actor,
            message: revision.message,
            commit: revision.commit,
            time: revision.at,
        }
    }
}

impl From<Described> for ItemRef {
    fn from(d: Described) -> Self {
        let path = d.canonical_path.unwrap_or_else(|| d.name.clone());
        Self { id: d.id, kind: d.kind.as_str().to_owned(), name: d.name, path }
    }
}

impl From<UseRow> for Use {
    fn from(row: UseRow) -> Self {
        let path = row.path.unwrap_or_else(|| row.name.clone());
        let kind = row.kind.as_str().to_owned();
        Self {
            file_path: row.file_path,
            line: row.line,
            column: row.column,
            byte: row.start_byte,
            use_kind: row.use_kind,
            depth: 1,
            confidence: row.confidence,
            provenance: row.provenance,
            in_test: row.in_test,
            item: ItemRef { id: row.source, kind, name: row.name, path },
            target: row.target,
            other_condition: None,
            snippet: None,
        }
    }
}

impl From<Described> for Item {
    fn from(d: Described) -> Self {
        Self {
            id: d.id,
            kind: d.kind,
            name: d.name,
            path: d.canonical_path,
            file_path: d.file_path,
            file_hash: d.file_hash,
            tracking_hash: d.tracking_hash,
            shape_hash: d.shape_hash,
            span: Span {
                start_byte: d.start_byte,
                end_byte: d.end_byte,
                start_line: d.start_line,
                end_line: d.end_line,
            },
            line: d.name_line,
            namespace: d.namespace,
            module_path: d.module_path,
            visibility: d.visibility,
            signature: d.signature,
            cfg: d.cfg,
            condition: None,
            docs: d.docs,
            made: d.made,
            name_start: d.name_start,
            parent_id: d.parent_id,
            root_id: Some(d.root_id),
            dependency: None,
        }
    }
}
