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

use index_vec::{IndexVec, index_vec};

pub(super) use compile::{Keep, compile};
pub(super) use graft::grafted;
pub(super) use prune::{prune, without_left_out};
use tables::{Impl, OutsideGlob, PRIVATE, Tables};

use super::sig;
use crate::ids::DefIndex;
use crate::namespaces::MACROS;
use asof_model::{FileUses, NodeKind};

/// The declarations of a crate.
#[derive(Debug)]
pub(super) struct Library {
    tables: Tables,
    /// The nearest enclosing module; a module's own number for itself.
    modules: IndexVec<DefIndex, DefIndex>,
    /// Signatures as far as they were needed.
    sigs: IndexVec<DefIndex, OnceLock<ReadSig>>,
    /// Where each definition can be named from outside, once that was needed.
    exports: OnceLock<IndexVec<DefIndex, Option<(DefIndex, u32)>>>,
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
    Definition(DefIndex),
    /// A path that leads to another crate.
    Outside(&'l str),
}

impl Library {
    pub(super) fn new(tables: Tables) -> Self {
        let mut modules: IndexVec<DefIndex, DefIndex> = IndexVec::with_capacity(tables.kinds.len());
        for (kind, parent) in tables.kinds.iter().zip(&tables.parents) {
            let of_parent = modules.get(DefIndex::from_raw(*parent)).copied();
            let own = modules.next_idx();
            let is_module = *kind == NodeKind::Module;
            modules.push(if is_module { own } else { of_parent.unwrap_or(DefIndex::ROOT) });
        }
        let sigs = tables.kinds.iter().map(|_| OnceLock::new()).collect();
        Library { tables, modules, sigs, exports: OnceLock::new() }
    }

    /// The number of definitions.
    pub(super) fn len(&self) -> usize {
        self.tables.kinds.len()
    }

    /// Kind, name and parent of each definition.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (NodeKind, u32, u32)> + '_ {
        let Tables { kinds, named, parents, .. } = &self.tables;
        kinds.iter().zip(named.iter().zip(parents)).map(|(kind, (name, of))| (*kind, *name, *of))
    }

    /// All definitions; parents come before children.
    pub(super) fn defs(&self) -> impl Iterator<Item = DefIndex> + use<> {
        (0..self.len()).map(DefIndex::new)
    }

    /// Whether another crate declares the same.
    pub(super) fn has_same(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.tables == other.tables
    }

    /// What names mean in scopes: scope, name, meaning and namespaces with their privacy.
    pub(super) fn meanings(&self) -> impl Iterator<Item = (DefIndex, &str, Known<'_>, u8)> {
        self.tables.bound.iter().map(|one| {
            let name = self.tables.names.get(one.name);
            (DefIndex::from_raw(one.scope), name, self.known(one.target), one.spaces)
        })
    }

    /// The impl that a definition is.
    pub(super) fn impl_at(&self, def: DefIndex) -> Option<&Impl> {
        let at = self.tables.impls.binary_search_by_key(&def.raw(), |one| one.def).ok()?;
        self.tables.impls.get(at)
    }

    /// All names, by the numbers that the tables have for them.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.tables.names.len() as u32).map(|name| self.tables.names.get(name))
    }

    pub(super) fn impls(&self) -> &[Impl] {
        &self.tables.impls
    }

    /// Types with the traits that they derive, those as numbers in the tables.
    pub(super) fn derives(&self) -> impl Iterator<Item = (DefIndex, u32)> {
        self.tables.derives.iter().map(|(ty, of)| (DefIndex::from_raw(*ty), *of))
    }

    pub(super) fn module(&self, def: DefIndex) -> DefIndex {
        self.modules.get(def).copied().unwrap_or(DefIndex::ROOT)
    }

    pub(super) fn parent(&self, def: DefIndex) -> Option<DefIndex> {
        self.tables.parents.get(def.index()).copied().map(DefIndex::from_raw)
    }

    pub(super) fn kind(&self, def: DefIndex) -> NodeKind {
        self.tables.kinds.get(def.index()).copied().unwrap_or(NodeKind::Unknown)
    }

    /// What a number in the tables means.
    pub(super) fn known(&self, number: u32) -> Known<'_> {
        match number.checked_sub(self.len() as u32) {
            Some(path) => Known::Outside(self.tables.outside.get(path)),
            None => Known::Definition(DefIndex::from_raw(number)),
        }
    }

    /// Meanings of a name in a scope, with their namespaces. `inside`: as the crate's own code sees
    /// them. Names that a glob of another crate brings in are not among them.
    pub(super) fn lookup(
        &self,
        scope: DefIndex,
        name: &str,
        spaces: u8,
        inside: bool,
    ) -> impl Iterator<Item = (Known<'_>, u8)> {
        let bound = &self.tables.bound;
        let name = self.tables.names.find(name).unwrap_or(u32::MAX);
        let start = bound.partition_point(|one| (one.scope, one.name) < (scope.raw(), name));
        let all = bound.iter().skip(start);
        let all = all.take_while(move |one| (one.scope, one.name) == (scope.raw(), name));
        let fits = all
            .filter(move |one| one.spaces & spaces != 0 && (inside || one.spaces & PRIVATE == 0));
        fits.map(|one| (self.known(one.target), one.spaces & !PRIVATE))
    }

    /// All names that a scope shows to other crates, globs of other crates aside.
    pub(super) fn shown_by(&self, scope: DefIndex) -> impl Iterator<Item = (&str, Known<'_>)> {
        let bound = &self.tables.bound;
        let start = bound.partition_point(|one| one.scope < scope.raw());
        let all = bound.iter().skip(start).take_while(move |one| one.scope == scope.raw());
        let shown = all.filter(|one| one.spaces & PRIVATE == 0);
        shown.map(|one| (self.tables.names.get(one.name), self.known(one.target)))
    }

    /// Paths of modules of other crates of which a scope has all names.
    pub(super) fn globs(&self, scope: DefIndex, inside: bool) -> impl Iterator<Item = &str> {
        let globs = &self.tables.globs;
        let start = globs.partition_point(|one| one.scope < scope.raw());
        let all = globs.iter().skip(start).take_while(move |one| one.scope == scope.raw());
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
    fn macros(&self, name: &str) -> impl Iterator<Item = DefIndex> {
        self.lookup(DefIndex::ROOT, name, MACROS, true).filter_map(|(known, _)| match known {
            Known::Definition(own) if self.kind(own) == NodeKind::Macro => Some(own),
            _ => None,
        })
    }

    /// Names of what is declared in a definition.
    pub(super) fn names_in(&self, def: DefIndex) -> Vec<&str> {
        let parents = self.tables.parents.iter().enumerate();
        let own = parents.filter(|(own, parent)| **parent == def.raw() && *own != def.index());
        let named = own.filter_map(|(own, _)| self.tables.named.get(own));
        named.map(|name| self.tables.names.get(*name)).collect()
    }

    pub(super) fn sig(&self, def: DefIndex) -> Option<&ReadSig> {
        let cell = self.sigs.get(def)?;
        Some(cell.get_or_init(|| {
            let (uses, names) = sig::read_one(self.signature(def));
            let number = |name: &str| self.tables.names.find(name).unwrap_or(u32::MAX);
            ReadSig { uses: Arc::new(uses), names: names.into_iter().map(number).collect() }
        }))
    }

    /// A signature as it is written; empty for a macro.
    pub(super) fn signature(&self, def: DefIndex) -> &str {
        let is_macro = self.kind(def) == NodeKind::Macro;
        if is_macro { "" } else { self.tables.sigs.get(def.raw()) }
    }

    /// The rules of a macro; empty if they are not known.
    pub(super) fn rules(&self, def: DefIndex) -> &str {
        let is_macro = self.kind(def) == NodeKind::Macro;
        if is_macro { self.tables.sigs.get(def.raw()) } else { "" }
    }

    pub(super) fn name(&self, def: DefIndex) -> &str {
        self.tables.named.get(def.index()).map_or("", |name| self.tables.names.get(*name))
    }

    /// Modules that other crates can name, with their paths.
    pub(super) fn shown_modules(&self) -> Vec<(DefIndex, String)> {
        let shown = |def: &DefIndex| {
            self.kind(*def) == NodeKind::Module
                && (*def == DefIndex::ROOT || self.export(*def).is_some())
        };
        self.modules.indices().filter(shown).map(|def| (def, self.path(def))).collect()
    }

    /// The path by which a definition is named: the shortest public one, or that of its
    /// declaration. Items of impls of traits have none.
    pub(super) fn path(&self, def: DefIndex) -> String {
        self.path_with(def, &|_| None)
    }

    /// The path of a definition in its crate; that of an item of an impl begins with the type's
    /// public one.
    pub(super) fn declared_path(&self, def: DefIndex) -> String {
        let name = self.name(def);
        match self.parent(def) {
            None => String::new(),
            Some(parent) if parent == def => name.to_owned(),
            Some(parent) if self.kind(parent) == NodeKind::Impl => {
                format!("{}::{name}", self.impl_path(parent, &|_| None))
            }
            Some(parent) => format!("{}::{name}", self.declared_path(parent)),
        }
    }

    /// [`Library::path`] where some definitions have another path.
    fn path_with(&self, def: DefIndex, other: &dyn Fn(DefIndex) -> Option<String>) -> String {
        if let Some(path) = other(def) {
            return path;
        }
        let name = |name: u32| self.tables.names.get(name);
        let named = |def: DefIndex| self.tables.named.get(def.index()).map_or("", |at| name(*at));
        let Some(parent) = self.parent(def) else { return String::new() };
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
    fn impl_path(&self, def: DefIndex, other: &dyn Fn(DefIndex) -> Option<String>) -> String {
        let Ok(at) = self.tables.impls.binary_search_by_key(&def.raw(), |one| one.def) else {
            return String::new();
        };
        match self.impl_at(def).map(|one| one.head) {
            Some(tables::ImplHead::Def(of)) if (of as usize) < self.len() => {
                self.path_with(DefIndex::from_raw(of), other)
            }
            _ => self.tables.impl_paths.get(at as u32).to_owned(),
        }
    }

    /// The scope and the name by which others name a definition.
    fn export(&self, def: DefIndex) -> Option<(DefIndex, u32)> {
        let exports = self.exports.get_or_init(|| self.find_exports());
        exports.get(def).copied().flatten()
    }

    /// From the root on, level by level: the first path to a definition is its shortest. One that
    /// ends in the definition's own name goes before one that renames it, and any before one through
    /// a prelude, by which nobody names an item.
    fn find_exports(&self) -> IndexVec<DefIndex, Option<(DefIndex, u32)>> {
        let mut found = index_vec![None; self.len()];
        for (renamed, preludes) in [(false, false), (true, false), (true, true)] {
            let mut seen = BTreeSet::from([DefIndex::ROOT]);
            let mut open = VecDeque::from([DefIndex::ROOT]);
            while let Some(scope) = open.pop_front() {
                let start = self.tables.bound.partition_point(|one| one.scope < scope.raw());
                let all = self.tables.bound.iter().skip(start);
                for one in all.take_while(|one| one.scope == scope.raw()) {
                    let target = DefIndex::from_raw(one.target);
                    // A variant is named by its type, wherever a prelude has it.
                    let is_in_type = self.parent(target).is_some_and(|parent| {
                        self.kind(parent) != NodeKind::Module
                            && found.get(parent).is_some_and(Option::is_some)
                    });
                    let Some(cell) = found.get_mut(target) else { continue };
                    let own = self.tables.named.get(target.index());
                    if one.spaces & PRIVATE != 0
                        || target == DefIndex::ROOT
                        || preludes && is_in_type
                    {
                        continue;
                    }
                    // A procedural macro has another name than its function.
                    let is_own = own == Some(&one.name) || one.spaces == MACROS;
                    if cell.is_none() && (renamed || is_own) {
                        *cell = Some((scope, one.name));
                    }
                    let is_open = cell.is_some()
                        && self.kind(target) == NodeKind::Module
                        && (preludes || self.name(target) != "prelude");
                    if is_open && seen.insert(target) {
                        open.push_back(target);
                    }
                }
            }
        }
        found
    }
}
