//! Outlines: the items in a type, module or file, with signatures and lines.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use super::inspect::relative;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{Hint, NodeId};
use asof_query::{OutlineRow, Queries};
use asof_wire::{Answer, Item, OutlineEntry};

/// Default number of levels: items and their members.
pub const DEFAULT_OUTLINE_DEPTH: u32 = 2;

/// Default number of levels for the files of a folder: their items.
pub const FOLDER_OUTLINE_DEPTH: u32 = 1;

/// Which items of an outline are expanded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Open {
    /// Types, traits and inherent impls.
    #[default]
    Members,
    /// Modules and impls of traits too.
    Everything,
}

impl Snapshot<'_> {
    /// Items with their contents, in source order, each before what it contains. The impls of a
    /// type are listed below it, whichever file they are in: inherent ones first.
    ///
    /// # Errors
    /// The database failed.
    pub fn outline(
        &self,
        ids: &[NodeId],
        depth: u32,
        open: Open,
    ) -> Result<Answer<OutlineEntry>, EngineError> {
        let started = Instant::now();
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.outline(ids, depth, open == Open::Everything)?;
        Ok(self.answer(started, in_order(rows), None))
    }

    /// The outline of a file: of the module whose body it is.
    ///
    /// # Errors
    /// The file is not indexed.
    pub fn file_outline(
        &self,
        path: &str,
        depth: u32,
        open: Open,
    ) -> Result<Answer<OutlineEntry>, EngineError> {
        let path = self.indexed(path)?;
        let modules = Queries::at(self.store(), self.at).file_modules(&path)?;
        // A file that is the body of several modules has the same outline in each.
        let first: Vec<NodeId> = modules.into_iter().take(1).map(|module| module.id).collect();
        self.outline(&first, depth, open)
    }

    /// The module whose body a file is; of several, the first.
    ///
    /// # Errors
    /// The file is not indexed.
    pub fn file_module(&self, path: &str) -> Result<Item, EngineError> {
        let path = self.indexed(path)?;
        let modules = Queries::at(self.store(), self.at).file_modules(&path)?;
        let first: Vec<NodeId> = modules.into_iter().take(1).map(|module| module.id).collect();
        self.items(&first)?.pop().ok_or_else(|| EngineError::NotFound {
            what: format!("{path} is no module"),
            hint: Hint::DescribeFile,
        })
    }

    /// The outlines of the files in a folder, at any depth, by path; `None` if it has no indexed file.
    ///
    /// # Errors
    /// The path leaves the root, or the database failed.
    pub fn folder_outline(
        &self,
        path: &str,
        depth: u32,
        open: Open,
    ) -> Result<Option<Answer<OutlineEntry>>, EngineError> {
        let started = Instant::now();
        let root = self.database.root.as_deref();
        let is_root = matches!(path.trim_end_matches('/'), "" | ".")
            || root.is_some_and(|root| Path::new(path) == root);
        let folder = match root {
            _ if is_root => String::new(),
            Some(root) => format!("{}/", relative(root, path)?),
            None => format!("{}/", path.trim_end_matches('/')),
        };
        let queries = Queries::at(self.store(), self.at);
        let mut entries = Vec::new();
        for file in queries.file_sizes()?.iter().filter(|file| file.file_path.starts_with(&folder))
        {
            let modules = queries.file_modules(&file.file_path)?;
            let first: Vec<NodeId> = modules.into_iter().take(1).map(|module| module.id).collect();
            entries.extend(in_order(queries.outline(&first, depth, open == Open::Everything)?));
        }
        Ok((!entries.is_empty()).then(|| self.answer(started, entries, None)))
    }
}

/// Sorts each row before those below it.
fn in_order(rows: Vec<OutlineRow>) -> Vec<OutlineEntry> {
    let mut below: BTreeMap<Option<NodeId>, Vec<OutlineRow>> = BTreeMap::new();
    for row in rows {
        below.entry(row.parent_id).or_default().push(row);
    }
    let mut entries = Vec::new();
    let mut open = vec![below.remove(&None).unwrap_or_default().into_iter()];
    while let Some(rows) = open.last_mut() {
        let Some(row) = rows.next() else {
            open.pop();
            continue;
        };
        let inside = below.remove(&Some(row.id)).unwrap_or_default();
        entries.push(OutlineEntry {
            id: row.id,
            parent_id: row.parent_id,
            depth: row.depth,
            kind: row.kind,
            name: row.name,
            path: row.canonical_path,
            visibility: row.visibility,
            signature: row.signature,
            cfg: row.cfg,
            file_path: row.file_path,
            line: row.line,
            end_line: row.end_line,
            children: row.children,
            tracking_hash: row.tracking_hash,
        });
        open.push(inside.into_iter());
    }
    entries
}
