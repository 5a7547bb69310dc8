//! The public interface of a crate or module: what its users can name.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::{CrateRoot, OutlineRow, PublicName, Queries};
use asof_wire::{Answer, ApiItem};

/// Whether members of types and traits are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Members {
    #[default]
    LeaveOut,
    /// Public fields, variants, items of traits, public items of inherent impls.
    List,
}

/// Whether items with `#[doc(hidden)]` are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hidden {
    #[default]
    List,
    LeaveOut,
}

impl Snapshot<'_> {
    /// What other crates can name in these modules, by path. Without modules: in all libraries
    /// of the workspace.
    ///
    /// # Errors
    /// No module is given, and the workspace has no library.
    pub fn api(
        &self,
        modules: &[NodeId],
        members: Members,
        hidden: Hidden,
        limit: Option<usize>,
    ) -> Result<Answer<ApiItem>, EngineError> {
        let started = Instant::now();
        let queries = Queries::at(self.store(), self.at);
        let modules = match modules {
            [] => libraries(&queries)?,
            given => given.to_vec(),
        };
        let mut rows = queries.public_names(&modules, false, &[])?;
        if hidden == Hidden::LeaveOut {
            rows.retain(|row| !row.hidden);
        }
        let mut items = by_definition(rows);
        if members == Members::List {
            let types = items.iter().filter(|item| has_members(&item.kind));
            let types: BTreeMap<NodeId, ApiItem> =
                types.filter_map(|item| Some((item.id?, item.clone()))).collect();
            let ids: Vec<NodeId> = types.keys().copied().collect();
            add_members(&mut items, &types, queries.outline(&ids, 2, false)?);
        }
        items.sort_by(|a, b| {
            (&a.path, &a.kind, &a.cfg, a.id).cmp(&(&b.path, &b.kind, &b.cfg, b.id))
        });
        Ok(self.answer(started, items, limit))
    }

    /// The paths by which other crates can name these items, below these modules; hidden ones are left
    /// out.
    pub(crate) fn public_paths(
        &self,
        modules: &[NodeId],
        items: &[NodeId],
    ) -> Result<Vec<ApiItem>, EngineError> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let queries = Queries::at(self.store(), self.at);
        let mut rows = queries.public_names(modules, false, items)?;
        rows.retain(|row| !row.hidden);
        let mut items = by_definition(rows);
        items.sort_by(|a, b| (&a.path, a.id).cmp(&(&b.path, b.id)));
        Ok(items)
    }

    /// Those of these modules that are roots of libraries; all of them if none is.
    ///
    /// # Errors
    /// The database failed.
    pub fn libraries_among(&self, modules: &[NodeId]) -> Result<Vec<NodeId>, EngineError> {
        let roots: BTreeSet<NodeId> =
            libraries_or_none(&Queries::at(self.store(), self.at))?.into_iter().collect();
        let found: Vec<NodeId> = modules.iter().copied().filter(|id| roots.contains(id)).collect();
        Ok(if found.is_empty() { modules.to_vec() } else { found })
    }
}

fn libraries(queries: &Queries<'_>) -> Result<Vec<NodeId>, EngineError> {
    let roots = libraries_or_none(queries)?;
    if !roots.is_empty() {
        Ok(roots)
    } else {
        Err(EngineError::NotFound {
            what: "the workspace has no library".to_owned(),
            hint: "give a module or a crate".into(),
        })
    }
}

fn libraries_or_none(queries: &Queries<'_>) -> Result<Vec<NodeId>, EngineError> {
    Ok(library_crates(queries)?.map(|c| c.root_id).collect())
}

/// The crates that other crates can use.
pub(crate) fn library_crates(
    queries: &Queries<'_>,
) -> Result<impl Iterator<Item = CrateRoot>, EngineError> {
    let crates = queries.crates()?.into_iter();
    Ok(crates.filter(|c| matches!(c.target_kind.as_str(), "lib" | "proc_macro")))
}

/// Whether items of a kind have members that users can name.
pub(crate) fn has_members(kind: &str) -> bool {
    matches!(kind, "struct" | "enum" | "union" | "trait")
}

/// One item per definition, with its best path: not hidden, short, and where it is defined.
fn by_definition(mut rows: Vec<PublicName>) -> Vec<ApiItem> {
    let path = |row: &PublicName| format!("{}::{}", row.module_path, row.name);
    rows.sort_by_cached_key(|row| (row.hidden, row.depth, row.reexported, path(row)));
    let mut items: Vec<ApiItem> = Vec::new();
    let mut known: BTreeMap<NodeId, usize> = BTreeMap::new();
    for row in rows {
        let path = path(&row);
        if let Some(id) = row.id {
            if let Some(item) = known.get(&id).and_then(|at| items.get_mut(*at)) {
                item.other_paths.push(path);
                continue;
            }
            known.insert(id, items.len());
        }
        items.push(ApiItem {
            path,
            kind: row.kind,
            signature: row.signature,
            id: row.id,
            canonical_path: row.canonical_path,
            file_path: row.file_path,
            line: row.line,
            cfg: row.cfg,
            hidden: row.hidden,
            reexported: row.reexported,
            other_paths: Vec::new(),
        });
    }
    items
}

/// Adds the public members of types, each below the path of its type.
fn add_members(items: &mut Vec<ApiItem>, types: &BTreeMap<NodeId, ApiItem>, rows: Vec<OutlineRow>) {
    // Members of an impl are listed with its type; those of traits add no names of their own.
    let mut impls: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    let mut known: BTreeSet<NodeId> = items.iter().filter_map(|item| item.id).collect();
    for row in rows {
        let Some(parent) = row.parent_id else { continue };
        if row.kind == NodeKind::Impl {
            if row.rank == 1 {
                impls.insert(row.id, parent);
            }
            continue;
        }
        let owner = impls.get(&parent).copied().unwrap_or(parent);
        let Some(of) = types.get(&owner) else { continue };
        let public = row.visibility == "pub" || row.kind == NodeKind::Variant || of.kind == "trait";
        if !public || !known.insert(row.id) {
            continue;
        }
        items.push(ApiItem {
            path: format!("{}::{}", of.path, row.name),
            kind: row.kind.as_str().to_owned(),
            signature: row.signature,
            id: Some(row.id),
            canonical_path: row.canonical_path,
            file_path: row.file_path,
            line: Some(row.line),
            cfg: row.cfg,
            hidden: of.hidden,
            reexported: false,
            other_paths: Vec::new(),
        });
    }
}
