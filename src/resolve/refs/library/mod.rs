//! A crate outside of the workspace as inference knows it: its declarations, with the names in them
//! resolved when the tables were made. The standard library is one, each dependency another.

mod cfg;
mod compile;
pub(super) mod crates;
mod graft;
mod prune;
pub(super) mod tables;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};

pub(super) use compile::{Keep, compile};
pub(super) use graft::grafted;
pub(super) use prune::{prune, without_left_out};
use tables::{Impl, OutsideGlob, PRIVATE, Tables};

use super::sig;
use crate::namespaces::MACROS;
use asof_model::{FileUses, NodeKind};

/// The declarations of a crate.
#[derive(Debug)]
pub(super) struct Library {
    tables: Tables,
    keep: Keep,
    /// The nearest enclosing module; a module's own number for itself.
    modules: Vec<u32>,
    /// Signatures as far as they were needed.
    sigs: Vec<OnceLock<ReadSig>>,
    /// Where each definition can be named from outside, once that was needed.
    exports: OnceLock<Vec<Option<(u32, u32)>>>,
}

/// A signature, and the names that it is written with.
#[derive(Debug)]
pub(super) struct ReadSig {
    pub uses: Arc<FileUses>,
    /// Numbers of names in the tables.
    pub names: Vec<u32>,
}

/// What a name of a crate means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known<'l> {
    Definition(u32),
    /// A path that leads to another crate.
    Outside(&'l str),
}

impl Library {
    /// `keep`: what the tables were made with.
    pub(super) fn new(tables: Tables, keep: Keep) -> Self {
        let mut modules: Vec<u32> = Vec::with_capacity(tables.kinds.len());
        for (own, (kind, parent)) in (0u32..).zip(tables.kinds.iter().zip(&tables.parents)) {
            let of_parent = modules.get(*parent as usize).copied().unwrap_or(0);
            modules.push(if *kind == NodeKind::Module { own } else { of_parent });
        }
        let mut sigs = Vec::new();
        sigs.resize_with(tables.kinds.len(), OnceLock::new);
        Library { tables, keep, modules, sigs, exports: OnceLock::new() }
    }

    /// The number of definitions.
    pub(super) fn len(&self) -> u32 {
        self.tables.kinds.len() as u32
    }

    /// Kind, name and parent of each definition.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (NodeKind, u32, u32)> + '_ {
        let Tables { kinds, named, parents, .. } = &self.tables;
        kinds.iter().zip(named.iter().zip(parents)).map(|(kind, (name, of))| (*kind, *name, *of))
    }

    /// All names, by the numbers that the tables have for them.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
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

    pub(super) fn kind(&self, def: u32) -> NodeKind {
        self.tables.kinds.get(def as usize).copied().unwrap_or(NodeKind::Unknown)
    }

    /// What a number in the tables means.
    pub(super) fn known(&self, number: u32) -> Known<'_> {
        match number.checked_sub(self.len()) {
            Some(path) => Known::Outside(self.tables.outside.get(path)),
            None => Known::Definition(number),
        }
    }

    /// Meanings of a name in a scope, with their namespaces. `inside`: as the crate's own code sees
    /// them. Names that a glob of another crate brings in are not among them.
    pub(super) fn lookup(
        &self,
        scope: u32,
        name: &str,
        spaces: u8,
        inside: bool,
    ) -> impl Iterator<Item = (Known<'_>, u8)> {
        let bound = &self.tables.bound;
        let name = self.tables.names.find(name).unwrap_or(u32::MAX);
        let start = bound.partition_point(|one| (one.scope, one.name) < (scope, name));
        let all = bound.iter().skip(start);
        let all = all.take_while(move |one| (one.scope, one.name) == (scope, name));
        let fits = all
            .filter(move |one| one.spaces & spaces != 0 && (inside || one.spaces & PRIVATE == 0));
        fits.map(|one| (self.known(one.target), one.spaces & !PRIVATE))
    }

    /// All names that a scope shows to other crates, globs of other crates aside.
    pub(super) fn shown_by(&self, scope: u32) -> impl Iterator<Item = (&str, Known<'_>)> {
        let bound = &self.tables.bound;
        let start = bound.partition_point(|one| one.scope < scope);
        let all = bound.iter().skip(start).take_while(move |one| one.scope == scope);
        let shown = all.filter(|one| one.spaces & PRIVATE == 0);
        shown.map(|one| (self.tables.names.get(one.name), self.known(one.target)))
    }

    /// Paths of modules of other crates of which a scope has all names.
    pub(super) fn globs(&self, scope: u32, inside: bool) -> impl Iterator<Item = &str> {
        let globs = &self.tables.globs;
        let start = globs.partition_point(|one| one.scope < scope);
        let all = globs.iter().skip(start).take_while(move |one| one.scope == scope);
        let seen = all.filter(move |one: &&OutsideGlob| inside || one.privacy & PRIVATE == 0);
        seen.map(|one| self.tables.outside.get(one.path))
    }

    /// Names of the crates that its declarations name.
    pub(super) fn crates_named(&self) -> BTreeSet<&str> {
        let outside = &self.tables.outside;
        let paths = (0..outside.len() as u32).map(|path| outside.get(path));
        paths.filter_map(|path| path.split("::").next()).collect()
    }

    /// Macros that the root shows under a name.
    fn macros(&self, name: &str) -> impl Iterator<Item = u32> {
        self.lookup(0, name, MACROS, true).filter_map(|(known, _)| match known {
            Known::Definition(own) if self.kind(own) == NodeKind::Macro => Some(own),
            _ => None,
        })
    }

    /// Names of what is declared in a definition.
    fn names_in(&self, def: u32) -> Vec<&str> {
        let parents = self.tables.parents.iter().enumerate();
        let own = parents.filter(|(own, parent)| **parent == def && *own != def as usize);
        let named = own.filter_map(|(own, _)| self.tables.named.get(own));
        named.map(|name| self.tables.names.get(*name)).collect()
    }

    pub(super) fn sig(&self, def: u32) -> Option<&ReadSig> {
        let cell = self.sigs.get(def as usize)?;
        Some(cell.get_or_init(|| {
            let is_macro = self.kind(def) == NodeKind::Macro;
            let sig = if is_macro { "" } else { self.tables.sigs.get(def) };
            let (uses, names) = sig::read_one(sig);
            let number = |name: &str| self.tables.names.find(name).unwrap_or(u32::MAX);
            ReadSig { uses: Arc::new(uses), names: names.into_iter().map(number).collect() }
        }))
    }

    /// The rules of a macro; empty if they are not known.
    pub(super) fn rules(&self, def: u32) -> &str {
        let is_macro = self.kind(def) == NodeKind::Macro;
        if is_macro { self.tables.sigs.get(def) } else { "" }
    }

    pub(super) fn name(&self, def: u32) -> &str {
        self.tables.named.get(def as usize).map_or("", |name| self.tables.names.get(*name))
    }

    /// Modules that other crates can name, with their paths.
    fn shown_modules(&self) -> Vec<(u32, String)> {
        let shown = |def: &u32| {
            self.kind(*def) == NodeKind::Module && (*def == 0 || self.export(*def).is_some())
        };
        (0..self.len()).filter(shown).map(|def| (def, self.path(def))).collect()
    }

    /// The path by which a definition is named: the shortest public one, or that of its
    /// declaration. Items of impls of traits have none.
    pub(super) fn path(&self, def: u32) -> String {
        self.path_with(def, &|_| None)
    }

    /// The path of a definition in its crate; that of an item of an impl begins with the type's
    /// public one.
    pub(super) fn declared_path(&self, def: u32) -> String {
        let name = self.name(def);
        match self.tables.parents.get(def as usize) {
            None => String::new(),
            Some(&parent) if parent == def => name.to_owned(),
            Some(&parent) if self.kind(parent) == NodeKind::Impl => {
                format!("{}::{name}", self.impl_path(parent, &|_| None))
            }
            Some(&parent) => format!("{}::{name}", self.declared_path(parent)),
        }
    }

    /// [`Library::path`] where some definitions have another path.
    fn path_with(&self, def: u32, other: &dyn Fn(u32) -> Option<String>) -> String {
        if let Some(path) = other(def) {
            return path;
        }
        let name = |name: u32| self.tables.names.get(name);
        let named = |def: u32| self.tables.named.get(def as usize).map_or("", |at| name(*at));
        let Some(&parent) = self.tables.parents.get(def as usize) else { return String::new() };
        if parent == def {
            return named(def).to_owned();
        }
        if let Some((scope, shown)) = self.export(def) {
            return format!("{}::{}", self.path_with(scope, other), name(shown));
        }
        let base = match self.kind(parent) {
            NodeKind::Impl => self.impl_path(parent, other),
            _ => self.path_with(parent, other),
        };
        format!("{base}::{}", named(def))
    }

    /// Path of the type of an impl without a trait.
    fn impl_path(&self, def: u32, other: &dyn Fn(u32) -> Option<String>) -> String {
        let Ok(at) = self.tables.impls.binary_search_by_key(&def, |one| one.def) else {
            return String::new();
        };
        match self.tables.impls.get(at).map(|one| one.head) {
            Some(tables::ImplHead::Def(of)) if !self.is_public() && of < self.len() => {
                self.path_with(of, other)
            }
            _ => self.tables.impl_paths.get(at as u32).to_owned(),
        }
    }

    /// Whether everything is declared at its shortest public path, as in the standard library.
    fn is_public(&self) -> bool {
        self.keep == Keep::All
    }

    /// The scope and the name by which others name a definition.
    fn export(&self, def: u32) -> Option<(u32, u32)> {
        if self.is_public() {
            return None;
        }
        let exports = self.exports.get_or_init(|| self.find_exports());
        exports.get(def as usize).copied().flatten()
    }

    /// From the root on, level by level: the first path to a definition is its shortest. One that
    /// ends in the definition's own name goes before one that renames it.
    fn find_exports(&self) -> Vec<Option<(u32, u32)>> {
        let mut found = vec![None; self.len() as usize];
        for renamed in [false, true] {
            let mut seen = BTreeSet::from([0]);
            let mut open = VecDeque::from([0]);
            while let Some(scope) = open.pop_front() {
                let start = self.tables.bound.partition_point(|one| one.scope < scope);
                let all = self.tables.bound.iter().skip(start);
                for one in all.take_while(|one| one.scope == scope) {
                    let Some(cell) = found.get_mut(one.target as usize) else { continue };
                    let own = self.tables.named.get(one.target as usize);
                    if one.spaces & PRIVATE != 0 || one.target == 0 {
                        continue;
                    }
                    // A procedural macro has another name than its function.
                    let is_own = own == Some(&one.name) || one.spaces == MACROS;
                    if cell.is_none() && (renamed || is_own) {
                        *cell = Some((scope, one.name));
                    }
                    let is_open = cell.is_some() && self.kind(one.target) == NodeKind::Module;
                    if is_open && seen.insert(one.target) {
                        open.push_back(one.target);
                    }
                }
            }
        }
        found
    }
}
