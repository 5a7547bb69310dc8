//! The standard library as inference knows it: the public declarations of `core`, `alloc` and
//! `std`, as one crate. `examples/standard_library` reads them from the toolchain's sources.

use std::sync::{Arc, OnceLock};

use super::standard_format::{self, Impl, Tables};
use crate::model::{FileUses, NodeKind};

const STORED: &[u8] = include_bytes!("standard/library.zst");

static LIBRARY: OnceLock<Standard> = OnceLock::new();

/// The library, read once per process. Definitions are numbered from its root.
#[derive(Debug)]
pub(super) struct Standard {
    tables: Tables,
    /// The nearest enclosing module; a module's own number for itself.
    modules: Vec<u32>,
    /// Signatures as far as they were needed.
    sigs: Vec<OnceLock<ReadSig>>,
}

/// A signature, and the names that it is written with.
#[derive(Debug)]
pub(super) struct ReadSig {
    pub uses: Arc<FileUses>,
    pub names: Vec<&'static str>,
}

/// Loads the library on a thread of its own, if it will be needed soon.
pub fn prepare() {
    // Without a thread it is loaded when it is needed.
    let _ = std::thread::Builder::new().name("std".to_owned()).spawn(standard);
}

/// Format, Rust version and hash of the standard library that names are resolved with.
pub fn library_version() -> &'static str {
    standard_format::head(STORED).unwrap_or_default()
}

pub(super) fn standard() -> &'static Standard {
    LIBRARY.get_or_init(|| {
        // A test reads it. If it were damaged, the library would be unknown.
        let tables = standard_format::read(STORED).unwrap_or_default();
        let mut modules: Vec<u32> = Vec::with_capacity(tables.kinds.len());
        for (own, (kind, parent)) in (0u32..).zip(tables.kinds.iter().zip(&tables.parents)) {
            let of_parent = modules.get(*parent as usize).copied().unwrap_or(0);
            modules.push(if *kind == NodeKind::Module { own } else { of_parent });
        }
        let mut sigs = Vec::new();
        sigs.resize_with(tables.kinds.len(), OnceLock::new);
        Standard { tables, modules, sigs }
    })
}

impl Standard {
    /// Kind, name and parent of each definition.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (NodeKind, u32, u32)> + '_ {
        let Tables { kinds, named, parents, .. } = &self.tables;
        kinds.iter().zip(named.iter().zip(parents)).map(|(kind, (name, of))| (*kind, *name, *of))
    }

    /// All names, by the numbers that the tables have for them.
    pub(super) fn names(&'static self) -> impl Iterator<Item = &'static str> {
        (0..self.tables.names.len() as u32).map(|name| self.tables.names.get(name))
    }

    pub(super) fn impls(&self) -> &[Impl] {
        &self.tables.impls
    }

    /// Types with the traits that they derive.
    pub(super) fn derives(&self) -> &[(u32, u32)] {
        &self.tables.derives
    }

    pub(super) fn module(&self, def: u32) -> u32 {
        self.modules.get(def as usize).copied().unwrap_or(0)
    }

    /// Meaning of a name in a scope: definitions with their namespaces.
    pub(super) fn lookup(&self, scope: u32, name: &str, spaces: u8) -> Vec<(u32, u8)> {
        let Some(name) = self.tables.names.find(name) else { return Vec::new() };
        let bound = &self.tables.bound;
        let start = bound.partition_point(|one| (one.scope, one.name) < (scope, name));
        let all = bound.iter().skip(start).take_while(|one| (one.scope, one.name) == (scope, name));
        let fits = all.filter(|one| one.spaces & spaces != 0);
        fits.map(|one| (one.target, one.spaces)).collect()
    }

    pub(super) fn sig(&'static self, def: u32) -> Option<&'static ReadSig> {
        let cell = self.sigs.get(def as usize)?;
        Some(cell.get_or_init(|| {
            let (uses, names) = super::sig::read_one(self.tables.sigs.get(def));
            ReadSig { uses: Arc::new(uses), names }
        }))
    }

    /// Canonical path. Items of impls of traits have none.
    pub(super) fn path(&self, def: u32) -> String {
        let name = |def: u32| {
            let name = self.tables.named.get(def as usize).copied();
            name.map_or("", |name| self.tables.names.get(name))
        };
        let Some(&parent) = self.tables.parents.get(def as usize) else { return String::new() };
        if parent == def {
            return name(def).to_owned();
        }
        let base = match self.tables.kinds.get(parent as usize) {
            Some(NodeKind::Impl) => {
                let at = self.tables.impls.binary_search_by_key(&parent, |one| one.def);
                at.map_or("", |at| self.tables.impl_paths.get(at as u32)).to_owned()
            }
            _ => self.path(parent),
        };
        format!("{base}::{}", name(def))
    }
}
