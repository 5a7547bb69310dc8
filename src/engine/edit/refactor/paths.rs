//! Resolves paths that are written where code is not read: in the documentation or the attributes
//! of an item.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{ByteRange, NodeId, NodeKind};
use asof_query::{PathQuery, Queries};

/// Paths through imports and types have at most this rank; the end of a path, which may mean
/// anything, has a higher one.
const FOLLOWED: u32 = 1;

/// A module of a file.
#[derive(Debug, Clone)]
struct Module {
    bytes: ByteRange,
    path: String,
}

/// Resolves paths, each once.
pub(super) struct Paths<'s> {
    queries: Queries<'s>,
    modules: BTreeMap<String, Vec<Module>>,
    known: BTreeMap<String, BTreeSet<NodeId>>,
}

impl<'s> Paths<'s> {
    pub(super) fn new(snapshot: &'s Snapshot<'_>) -> Self {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        Self { queries, modules: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// Whether a path that is written at a byte of a file means one of these items.
    pub(super) fn mean(
        &mut self,
        file: &str,
        byte: u32,
        path: &str,
        items: &BTreeSet<NodeId>,
    ) -> Result<bool, EngineError> {
        if !path.split("::").all(|part| !part.is_empty()) {
            return Ok(false);
        }
        let Some(module) = self.module(file, byte)? else { return Ok(false) };
        let krate = module.split("::").next().unwrap_or_default().to_owned();
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let mut tries = Vec::new();
        match first {
            "crate" => tries.push(format!("{krate}::{rest}")),
            "self" => tries.push(format!("{module}::{rest}")),
            "super" => {
                let mut above = module.as_str();
                let mut rest = path;
                while let Some(behind) = rest.strip_prefix("super::") {
                    let Some((parent, _)) = above.rsplit_once("::") else { return Ok(false) };
                    (above, rest) = (parent, behind);
                }
                tries.push(format!("{above}::{rest}"));
            }
            "Self" => {}
            _ => {
                tries.push(format!("{module}::{path}"));
                if path.contains("::") {
                    tries.push(path.to_owned());
                }
            }
        }
        for full in tries {
            let found = self.find(&full)?;
            if !found.is_empty() {
                return Ok(!found.is_disjoint(items));
            }
        }
        Ok(false)
    }

    /// Whether a byte of a file is in one of these crates.
    pub(super) fn is_in(
        &mut self,
        file: &str,
        byte: u32,
        crates: &BTreeSet<String>,
    ) -> Result<bool, EngineError> {
        let module = self.module(file, byte)?;
        let krate = module.as_deref().and_then(|path| path.split("::").next());
        Ok(krate.is_some_and(|krate| crates.contains(krate)))
    }

    fn find(&mut self, path: &str) -> Result<&BTreeSet<NodeId>, EngineError> {
        if !self.known.contains_key(path) {
            let asked = PathQuery { path: path.to_owned(), ..PathQuery::default() };
            let found = self.queries.path(&asked)?.into_iter();
            let found = found.filter(|one| one.mode != "prefix" && one.rank <= FOLLOWED);
            let ids = found.map(|one| one.definition.id).collect();
            self.known.insert(path.to_owned(), ids);
        }
        Ok(self.known.entry(path.to_owned()).or_default())
    }

    /// Path of the innermost module at a byte.
    fn module(&mut self, file: &str, byte: u32) -> Result<Option<String>, EngineError> {
        if !self.modules.contains_key(file) {
            let items = self.queries.file_items(file)?.into_iter();
            let modules = items.filter(|item| item.kind == NodeKind::Module);
            let inline = modules.filter_map(|item| {
                let bytes = ByteRange::new(item.start_byte, item.end_byte);
                Some(Module { bytes, path: item.canonical_path? })
            });
            let mut modules: Vec<Module> = inline.collect();
            let own = self.queries.file_modules(file)?.into_iter();
            modules.extend(own.filter_map(|module| {
                Some(Module { bytes: ByteRange::new(0, u32::MAX), path: module.canonical_path? })
            }));
            self.modules.insert(file.to_owned(), modules);
        }
        let modules = self.modules.get(file).into_iter().flatten();
        let around = modules.filter(|one| one.bytes.start <= byte && byte < one.bytes.end.max(1));
        let inner = around.min_by_key(|one| one.bytes.end - one.bytes.start);
        Ok(inner.map(|module| module.path.clone()))
    }
}
