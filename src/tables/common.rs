//! Input of all tables: definitions, crates and packages with their versions, and the symbols that
//! name them.

use std::collections::HashMap;
use std::sync::Arc;

use super::cell::{Cell, Row};
use super::error::TablesError;
use super::intervals::Tracker;
use super::lock::LockAt;
use super::symbol::{Symbol, Symbols};
use super::versions::{Span, Versions, near, versions};
use asof_model::{Micros, NodeId};
use asof_store::Store;

/// What the rows are read from.
#[derive(Debug)]
pub struct Reading<'a> {
    pub store: &'a Store,
    /// The last moment.
    pub at: Micros,
    /// The first moment of which the database knows, if versions were dropped.
    pub floor: Option<Micros>,
    /// Where the project's own packages come from.
    pub source: &'a str,
    /// Lock files, by time.
    pub locks: &'a [LockAt],
}

/// What is known of a definition in one version.
#[derive(Debug)]
pub(super) struct Node {
    pub kind: Arc<str>,
    pub name: String,
    pub path: Option<Arc<str>>,
    pub module_id: NodeId,
    pub parent_id: Option<NodeId>,
    pub file_path: Arc<str>,
    pub visibility: String,
    pub signature: String,
    pub cfg: String,
    pub tracking_hash: String,
    pub in_test: bool,
    /// Digest of what the public interface depends on.
    pub face: blake3::Hash,
}

/// A crate.
#[derive(Debug)]
pub(super) struct Target {
    pub manifest_path: String,
    pub kind: String,
    pub crate_name: String,
}

/// A package.
#[derive(Debug)]
pub(super) struct Package {
    pub name: String,
    pub version: String,
    pub edition: String,
    pub dependencies: Vec<Vec<String>>,
}

/// What the tables have in common.
pub(super) struct Common<'a> {
    pub reading: &'a Reading<'a>,
    pub span: Span,
    pub nodes: Versions<NodeId, Node>,
    pub targets: Versions<NodeId, Target>,
    pub packages: Versions<String, Package>,
    /// Package and kind of target of each crate. Both are part of the root's id, so they never
    /// change.
    pub crates: HashMap<NodeId, (Arc<str>, Arc<str>)>,
    /// The crate of each module: part of the module's id.
    pub root_of: HashMap<NodeId, NodeId>,
    pub symbols: Symbols,
}

impl<'a> Common<'a> {
    pub(super) fn read(reading: &'a Reading<'a>, span: Span) -> Result<Self, TablesError> {
        let store = reading.store;
        let mut shared: HashMap<String, Arc<str>> = HashMap::new();
        let share = std::cell::RefCell::new(&mut shared);
        let one = |text: String| -> Arc<str> {
            let mut known = share.borrow_mut();
            Arc::clone(known.entry(text).or_insert_with_key(|text| text.as_str().into()))
        };
        let nodes = versions(
            store,
            "node",
            span,
            |row| row.get("id"),
            |row| {
                let mut face = blake3::Hasher::new();
                for column in ["kind", "name", "path", "visibility", "signature", "cfg", "attrs"] {
                    face.update(row.cell(column)?.to_json().to_string().as_bytes());
                    face.update(&[0]);
                }
                Ok(Node {
                    kind: one(row.get("kind")?),
                    name: row.get("name")?,
                    path: row.get::<Option<String>>("path")?.map(&one),
                    module_id: row.get("module_id")?,
                    parent_id: row.get("parent_id")?,
                    file_path: one(row.get("file_path")?),
                    visibility: row.get("visibility")?,
                    signature: row.get("signature")?,
                    cfg: row.get("cfg")?,
                    tracking_hash: row.get("tracking_hash")?,
                    in_test: row.get("in_test")?,
                    face: face.finalize(),
                })
            },
        )?;
        let targets = versions(
            store,
            "target",
            span,
            |row| row.get("root_id"),
            |row| {
                Ok(Target {
                    manifest_path: row.get("manifest_path")?,
                    kind: row.get("kind")?,
                    crate_name: row.get("crate_name")?,
                })
            },
        )?;
        let packages = versions(
            store,
            "package",
            span,
            |row| row.get("manifest_path"),
            |row| {
                Ok(Package {
                    name: row.get("name")?,
                    version: row.get("version")?,
                    edition: row.get("edition")?,
                    dependencies: row.get("dependencies")?,
                })
            },
        )?;
        let mut crates = HashMap::new();
        for (root, of_root) in &targets {
            for (at, target) in of_root {
                let Some(target) = target else { continue };
                let package = packages.get(&target.manifest_path);
                let package = package.and_then(|package| near(package, *at));
                let package = package.map_or("", |package| package.name.as_str());
                crates.insert(*root, (package.into(), target.kind.as_str().into()));
            }
        }
        let modules: Versions<NodeId, NodeId> =
            versions(store, "module", span, |row| row.get("id"), |row| row.get("root_id"))?;
        let root_of = modules
            .into_iter()
            .filter_map(|(id, roots)| Some((id, roots.into_iter().find_map(|(_, root)| root)?)));
        let mut common = Self {
            reading,
            span,
            targets,
            packages,
            crates,
            root_of: root_of.collect(),
            symbols: Symbols::new(reading.source),
            nodes,
        };
        common.name_nodes()?;
        Ok(common)
    }

    /// Package and kind of target of a module's crate; empty where the crate is not known.
    pub(super) fn crate_of(&self, module: NodeId) -> (Arc<str>, Arc<str>) {
        let root = self.root_of.get(&module).copied().unwrap_or(module);
        self.crates.get(&root).cloned().unwrap_or_else(|| ("".into(), "".into()))
    }

    fn name_nodes(&mut self) -> Result<(), TablesError> {
        let mut symbols = std::mem::take(&mut self.symbols);
        for (id, of_id) in &self.nodes {
            let Some(node) = of_id.iter().find_map(|(_, node)| node.as_ref()) else { continue };
            let symbol = Symbol {
                source: symbols.source(),
                package: self.crate_of(node.module_id).0,
                id: id.to_string().into(),
            };
            symbols.add(*id, symbol)?;
        }
        self.symbols = symbols;
        Ok(())
    }

    pub(super) fn definitions(&self) -> Result<Vec<Row>, TablesError> {
        let mut rows = Vec::new();
        for (id, of_id) in &self.nodes {
            let mut tracker = Tracker::default();
            for (at, node) in of_id {
                let row = node.as_ref().map(|node| self.definition(*id, node)).transpose()?;
                tracker.set(*at, row, &mut rows);
            }
            tracker.finish(&mut rows);
        }
        Ok(rows)
    }

    fn definition(&self, id: NodeId, node: &Node) -> Result<Row, TablesError> {
        let (package, target_kind) = self.crate_of(node.module_id);
        let parent = node.parent_id.map(|parent| self.symbols.need(parent)).transpose()?;
        Ok(vec![
            self.symbols.need(id)?.into(),
            Arc::clone(&node.kind).into(),
            node.name.as_str().into(),
            node.path.clone().into(),
            package.into(),
            target_kind.into(),
            parent.into(),
            Arc::clone(&node.file_path).into(),
            node.visibility.as_str().into(),
            node.signature.as_str().into(),
            node.cfg.as_str().into(),
            node.in_test.into(),
            node.tracking_hash.as_str().into(),
        ])
    }

    pub(super) fn symbol_rows(&self, external: &[Row]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (id, of_id) in &self.nodes {
            let newest = of_id.iter().rev().find_map(|(_, node)| node.as_ref());
            let (Some(node), Some(key)) = (newest, self.symbols.get(*id)) else { continue };
            let Some(symbol) = self.symbols.of_key(key) else { continue };
            let shown = node.path.as_deref().unwrap_or(&node.name);
            let text = super::symbol::text(&symbol.source, &symbol.package, &node.kind, shown);
            rows.push(vec![
                key.into(),
                text.into(),
                Arc::clone(&symbol.source).into(),
                Arc::clone(&symbol.package).into(),
                Arc::clone(&symbol.id).into(),
                node.path.clone().into(),
            ]);
        }
        for row in external {
            let [Cell::Long(key), Cell::Text(path), ..] = row.as_slice() else { continue };
            let Some(symbol) = self.symbols.of_key(*key) else { continue };
            let text = super::symbol::text("", &symbol.package, "external", path);
            rows.push(vec![
                (*key).into(),
                text.into(),
                "".into(),
                Arc::clone(&symbol.package).into(),
                Cell::Null,
                Arc::clone(path).into(),
            ]);
        }
        rows
    }
}
