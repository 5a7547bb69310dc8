//! Plans the changes of uses of the moved items in the rest of the workspace.

use std::collections::{BTreeMap, BTreeSet};

use super::super::group::Group;
use super::changes::Changes;
use super::relocation::Relocation;
use super::text::{Style, path_from};
use crate::edit::target::{Files, Halt, Loaded};
use crate::error::EngineError;
use crate::items::docs;
use asof_index::{PathMeaning, Place};
use asof_model::{FileFacts, Header, ItemFacts, NodeId, NodeKind, RefKind};
use asof_query::{Queries, UseFilter, UseRow};
use asof_refactor::{Pruned, imported_name, path_start, without_names};
use asof_syntax::Scan;
use asof_wire::Doubt;

/// A use of an item that moves.
struct Used<'a> {
    row: &'a UseRow,
    /// The module that it is in.
    module: NodeId,
    loaded: &'a Loaded,
    scan: &'a Scan<'a>,
}

impl Relocation<'_> {
    /// Rewrites every use.
    pub(super) fn rewrite_uses(
        &self,
        files: &mut Files,
        changes: &mut Changes,
    ) -> Result<(), Halt> {
        let queries = self.queries();
        let ids: Vec<NodeId> = self.subject.ids.iter().copied().collect();
        let kinds = RefKind::ALL.iter().copied().filter(|kind| *kind != RefKind::Overrides);
        let filter = UseFilter { kinds: kinds.collect(), min_confidence: 0.0 };
        let rows = queries.where_used(&ids, &filter).map_err(EngineError::from)?;
        let named = self.subject.named();
        let mut by_file: BTreeMap<&str, Vec<&UseRow>> = BTreeMap::new();
        for row in &rows {
            by_file.entry(&row.file_path).or_default().push(row);
        }
        for (path, rows) in by_file {
            let loaded = files.loaded(self.snapshot, path)?;
            let scan = Scan::new(&loaded.text);
            let mut imports: BTreeMap<u32, Vec<Used<'_>>> = BTreeMap::new();
            for row in rows {
                let Some(module) = self.view.module_of(row.source) else { continue };
                let used = Used { row, module, loaded, scan: &scan };
                let is_import = row.use_kind == RefKind::Use;
                let moves = self.moves(path, row.start_byte, module);
                if row.confidence >= self.least && !moves {
                    changes.is_seen_by(row.target, Some(module));
                    let is_made = [RefKind::Call, RefKind::Value, RefKind::Pattern];
                    if is_made.contains(&row.use_kind) && named.contains(&row.target) {
                        changes.makers.entry(row.target).or_default().insert(Some(module));
                    }
                }
                if !named.contains(&row.target) {
                    continue;
                }
                if row.confidence < self.least {
                    let (byte, reason) = (row.start_byte, Doubt::Ambiguous);
                    changes.doubt(path, &loaded.text, byte, reason, row.confidence, false);
                    continue;
                }
                if row.confidence < 1.0 {
                    let (byte, reason) = (row.start_byte, Doubt::Expansion);
                    changes.doubt(path, &loaded.text, byte, reason, row.confidence, true);
                }
                match import_at(loaded, row.start_byte).filter(|_| is_import) {
                    Some(import) => imports.entry(import).or_default().push(used),
                    None => self.path(&used, changes),
                }
            }
            for (import, used) in imports {
                self.import(import, &used, changes);
            }
        }
        self.calls_of_traits(&queries, changes)?;
        self.globs(changes);
        self.leave_to_globs(changes);
        self.docs(files, changes)
    }

    /// Calls of what a trait that moves has: their modules need the trait by its name.
    fn calls_of_traits(
        &self,
        queries: &Queries<'_>,
        changes: &mut Changes,
    ) -> Result<(), EngineError> {
        if !self.subject.items.iter().any(|item| item.kind == NodeKind::Trait) {
            return Ok(());
        }
        let mut ids: Vec<NodeId> = self.subject.ids.iter().copied().collect();
        let overrides = UseFilter { kinds: vec![RefKind::Overrides], min_confidence: 0.0 };
        ids.extend(queries.where_used(&ids, &overrides)?.iter().map(|row| row.source));
        let kinds = vec![RefKind::MethodCall, RefKind::Call, RefKind::Value];
        let calls = UseFilter { kinds, min_confidence: 0.0 };
        let rows = queries.where_used(&ids, &calls)?;
        let outside = rows.iter().filter(|row| !self.subject.holds(&row.file_path, row.start_byte));
        let modules: BTreeSet<NodeId> =
            outside.filter_map(|row| self.view.module_of(row.source)).collect();
        for module in modules {
            self.bare(module, changes);
        }
        Ok(())
    }

    /// Path and place afterwards of the module of a place.
    fn standing(&self, file_path: &str, byte: u32, module: NodeId) -> (String, Place) {
        let path = self.view.path(module).unwrap_or_default();
        if self.moves(file_path, byte, module) {
            (self.path_there(path), self.to.place)
        } else {
            (path.to_owned(), Place { module, is_new: false })
        }
    }

    /// A path in code, in an attribute or in a text.
    fn path(&self, used: &Used<'_>, changes: &mut Changes) {
        let byte = used.row.start_byte;
        let Some((token, word)) = used.scan.word_at(byte) else { return };
        let range = if word.is_empty() {
            // In a literal.
            let head = path_start(&used.loaded.text, byte as usize) as u32;
            head.max(token.start)..byte
        } else {
            used.scan.path_at(byte).start..token.start
        };
        let written = used.loaded.text.get(range.start as usize..range.end as usize);
        let prefix = plain(written.unwrap_or_default());
        let (file_path, moves) =
            (&used.row.file_path, self.moves(&used.row.file_path, byte, used.module));
        if prefix.is_empty() {
            if moves {
                return;
            }
            self.bare(used.module, changes);
            return;
        }
        let at = Place { module: used.module, is_new: false };
        match self.module(at, &prefix) {
            Some(module) if module == self.subject.module => {
                let (from, at) = self.standing(file_path, byte, used.module);
                let new = self.prefix(&from, at, &prefix, &used.loaded.facts);
                if !moves {
                    self.passes(used.module, changes);
                }
                self.put(file_path, range.start, range.end, new, changes);
            }
            Some(module) => self.through(module, changes),
            None => {}
        }
    }

    /// A use by the name alone, or without it.
    fn bare(&self, module: NodeId, changes: &mut Changes) {
        let name = self.subject.name();
        let at = Place { module, is_new: false };
        let PathMeaning::Items(ids) = self.view.meaning(at, name) else { return };
        if ids.is_disjoint(&self.subject.named()) || self.is_there(module) {
            return;
        }
        if module == self.subject.module {
            self.need(module, "", changes)
        } else {
            self.through(module, changes)
        }
    }

    /// A use through a module that has the item by an import or a glob.
    fn through(&self, module: NodeId, changes: &mut Changes) {
        if self.is_there(module) || self.view.binds(module, self.subject.name()) {
            // A definition, or an import that is rewritten.
            return;
        }
        self.need(module, self.glob_visibility(module), changes);
    }

    /// Visibility of the globs by which a module has the item.
    fn glob_visibility(&self, module: NodeId) -> &'static str {
        let globs = self.view.globs_of(self.subject.module);
        let public = globs.iter().any(|(scope, public)| *scope == module && *public);
        if public { "pub" } else { "" }
    }

    /// A module needs the item by its name.
    fn need(&self, module: NodeId, visibility: &str, changes: &mut Changes) {
        if visibility == "pub" {
            changes.subject_seen_by(&self.subject.named(), None);
        }
        self.import_into(module, visibility, changes);
    }

    /// Adds an import of the item to a module.
    fn import_into(&self, module: NodeId, visibility: &str, changes: &mut Changes) {
        let Some(from) = self.view.path(module) else { return };
        let target = format!("{}::{}", self.to.path, self.subject.name());
        let at = Place { module, is_new: false };
        let path = if self.is_same_crate(module) {
            path_from(self.view, from, at, &target, Style::Absolute)
        } else {
            target
        };
        changes.passers.insert(module);
        changes.import(module, visibility, path);
    }

    /// Globs that other crates may have the item by.
    fn globs(&self, changes: &mut Changes) {
        if !self.subject.items.iter().any(|item| item.visibility == "pub") {
            return;
        }
        for (module, public) in self.view.globs_of(self.subject.module) {
            if public && !self.view.binds(module, self.subject.name()) {
                self.through(module, changes);
            }
        }
    }

    /// A module in the old one that has its names by a glob has its imports, too.
    fn leave_to_globs(&self, changes: &mut Changes) {
        if !changes.elsewhere.contains_key(&self.subject.module) {
            return;
        }
        for (module, public) in self.view.globs_of(self.subject.module) {
            if !public && self.view.around(module).contains(&self.subject.module) {
                changes.elsewhere.remove(&module);
            }
        }
    }

    /// Names of one import.
    fn import(&self, index: u32, used: &[Used<'_>], changes: &mut Changes) {
        let Some(first) = used.first() else { return };
        let Some(item) = first.loaded.facts.items.get(index as usize) else { return };
        let (start, end) = (item.span.start_byte, item.span.end_byte);
        let text = first.loaded.text.get(start as usize..end as usize).unwrap_or_default();
        let path = &first.row.file_path;
        let at = Place { module: first.module, is_new: false };
        let is_here = self.is_there(first.module) && !item.in_body;
        let moves = self.moves(path, start, first.module);
        let bytes: BTreeSet<u32> = used.iter().map(|one| one.row.start_byte - start).collect();
        let (mut cut, mut added, mut is_named) = (BTreeSet::new(), Vec::new(), false);
        for byte in bytes {
            let Some(name) = imported_name(text, byte) else { continue };
            let own = text.get(byte as usize..name.part.end as usize).unwrap_or_default();
            is_named |= name.plain || own.contains(" as ") && !own.contains("::");
            let prefix = name.prefix.join("::");
            let module =
                if prefix.is_empty() { Some(first.module) } else { self.module(at, &prefix) };
            if module.is_some() && is_here && name.plain {
                // The module has the item itself, by whatever path it was imported.
                cut.insert(byte);
                continue;
            }
            if module != Some(self.subject.module) {
                if let Some(module) = module {
                    self.through(module, changes);
                }
                continue;
            }
            if !moves {
                self.passes(first.module, changes);
            }
            let new = if is_here {
                "self::".to_owned()
            } else {
                let (from, at) = self.standing(path, start + byte, first.module);
                self.prefix(&from, at, &prefix, &first.loaded.facts)
            };
            if name.in_group {
                cut.insert(byte);
                added.push(format!("{new}{own}"));
            } else {
                let (from, to) = (start + name.written.start, start + name.written.end);
                self.put(path, from, to, new, changes);
            }
        }
        if is_named && !matches!(item.visibility.as_str(), "" | "pub(self)") {
            let within = self.shown_within(&item.visibility, first.module);
            changes.subject_seen_by(&self.subject.named(), within);
        }
        if cut.is_empty() {
            return;
        }
        let head = item_head(first.loaded, item);
        let indent = asof_edit::indent_at(&first.loaded.text, start);
        let lines = added.iter().map(|path| format!("{head}use {path};"));
        let lines: Vec<String> = lines.collect();
        let lines = lines.join(&format!("\n{indent}"));
        match without_names(text, &cut) {
            None => {}
            Some(Pruned::Nothing) if lines.is_empty() => changes.drop_item(first.loaded, index),
            Some(Pruned::Nothing) => self.put(path, start, end, lines, changes),
            Some(Pruned::Without(ranges)) => {
                for range in ranges {
                    let (from, to) = (start + range.start, start + range.end);
                    self.put(path, from, to, String::new(), changes);
                }
                if !lines.is_empty() {
                    self.put(path, end, end, format!("\n{indent}{lines}"), changes);
                }
            }
        }
    }

    /// Within which module what has a visibility in another is seen; none if everywhere.
    fn shown_within(&self, visibility: &str, module: NodeId) -> Option<NodeId> {
        let around = self.view.around(module);
        match visibility {
            "pub" => None,
            "" | "pub(self)" => Some(module),
            "pub(super)" => around.get(1).or(around.last()).copied(),
            _ => around.last().copied(),
        }
    }

    /// A path leads from a module through the new one.
    fn passes(&self, module: NodeId, changes: &mut Changes) {
        let old = self.view.path(self.subject.module).unwrap_or_default();
        let is_below = self.to.path.starts_with(&format!("{old}::"));
        if is_below && !self.is_same_crate(module) {
            // By the way that it had to the old one.
            changes.near.insert(module)
        } else {
            changes.passers.insert(module)
        };
    }

    /// Whether a module is of the crate in which something moves.
    fn is_same_crate(&self, module: NodeId) -> bool {
        self.view.around(module).last() == self.to.around.last()
    }

    /// The module that a path means.
    fn module(&self, at: Place, path: &str) -> Option<NodeId> {
        let PathMeaning::Items(found) = self.view.meaning(at, path) else { return None };
        let mut modules =
            found.into_iter().filter(|id| self.view.kind(*id) == Some(NodeKind::Module));
        modules.next()
    }

    /// What is written before the name in a module, instead of a path to the old module.
    fn prefix(&self, from: &str, at: Place, old: &str, facts: &FileFacts) -> String {
        let first = old.split("::").next().unwrap_or_default();
        let is_here = from == self.to.path;
        let behind = self.to.path.split_once("::").map_or("", |(_, rest)| rest);
        let joined = |first: &str| match behind {
            "" => format!("{first}::"),
            rest => format!("{first}::{rest}::"),
        };
        if !self.is_same_crate(at.module) {
            let old_path = self.view.path(self.subject.module).unwrap_or_default();
            if let Some(rest) = self.to.path.strip_prefix(&format!("{old_path}::")) {
                return format!("{old}::{rest}::");
            }
            let root = self.to.around.last().copied();
            return match self.module(at, first) {
                found if found.is_some() && found == root => joined(first),
                _ => format!("{}::", self.to.path),
            };
        }
        if is_here && first != "crate" {
            return String::new();
        }
        let is_below = self.to.path.starts_with(&format!("{from}::"));
        let style = match Style::of_first(first, facts) {
            Style::Absolute if is_below && first != "crate" => Style::Relative,
            style => style,
        };
        match path_from(self.view, from, at, &self.to.path, style) {
            own if own == "self" => String::new(),
            path if first == "self" && self.to.path.ends_with(&format!("::{path}")) => {
                format!("self::{path}::")
            }
            path => format!("{path}::"),
        }
    }

    /// Leaves a re-export in the old module.
    pub(super) fn keep_old(&self, changes: &mut Changes) {
        let Some(item) = self.subject.items.first() else { return };
        let module = self.subject.module;
        let within = self.shown_within(&item.visibility, module);
        changes.subject_seen_by(&self.subject.named(), within);
        changes.elsewhere.remove(&module);
        self.import_into(module, &item.visibility, changes);
    }

    /// Links and examples in documentation.
    fn docs(&self, files: &mut Files, changes: &mut Changes) -> Result<(), Halt> {
        let group = Group { ids: self.subject.named(), items: self.subject.described() };
        let queries = self.queries();
        changes.look_at.extend(docs::included(self.snapshot, &group, self.subject.name())?);
        for used in docs::uses(self.snapshot, &group, self.subject.name())? {
            let loaded = files.loaded(self.snapshot, &used.file_path)?;
            let head = path_start(&loaded.text, used.byte as usize);
            let prefix = loaded.text.get(head..used.byte as usize).unwrap_or_default();
            let prefix = prefix.trim_end_matches("::").to_owned();
            let around = queries.item_at(&used.file_path, used.byte).map_err(EngineError::from)?;
            let inner = around.iter().min_by_key(|one| one.end_byte - one.start_byte);
            let own = queries.file_modules(&used.file_path).map_err(EngineError::from)?;
            let inner = inner.map(|one| one.id).or_else(|| own.first().map(|one| one.id));
            let Some(module) = inner.and_then(|id| self.view.module_of(id)) else { continue };
            let at = Place { module, is_new: false };
            let old = if prefix.is_empty() {
                None
            } else {
                self.module(at, &prefix).or_else(|| self.module_of_crate(module, &prefix))
            };
            if old == Some(self.subject.module) && used.confidence >= self.least {
                let first = prefix.split("::").next().unwrap_or_default();
                let is_name = first == self.to.path.split("::").next().unwrap_or_default();
                let new = if is_name {
                    format!("{}::", self.to.path)
                } else {
                    let (from, at) = self.standing(&used.file_path, used.byte, module);
                    self.prefix(&from, at, &prefix, &loaded.facts)
                };
                self.put(&used.file_path, head as u32, used.byte, new, changes);
            } else if prefix.is_empty()
                && module == self.subject.module
                && !self.subject.holds(&used.file_path, used.byte)
                && !changes.elsewhere.contains_key(&module)
                || prefix.is_empty() && (used.imported || used.code.contains("::*"))
                || used.confidence < self.least
            {
                let (reason, confidence) = (Doubt::Documentation, used.confidence);
                let (path, text) = (&used.file_path, &loaded.text);
                changes.doubt(path, text, used.byte, reason, confidence, false);
            }
        }
        Ok(())
    }

    /// The module that a path means which begins with the name of the crate itself.
    fn module_of_crate(&self, module: NodeId, path: &str) -> Option<NodeId> {
        let root = *self.view.around(module).last()?;
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        if self.view.path(root)? != first {
            return None;
        }
        let path = if rest.is_empty() { "crate".to_owned() } else { format!("crate::{rest}") };
        self.module(Place { module, is_new: false }, &path)
    }
}

/// The import that a byte is in.
fn import_at(loaded: &Loaded, byte: u32) -> Option<u32> {
    let mut items = loaded.facts.items.iter().enumerate();
    let found = items.find(|(_, item)| {
        item.kind == NodeKind::Import
            && item.span.start_byte <= byte
            && byte < item.span.end_byte
            && matches!(item.header, Header::Import { .. })
    });
    found.map(|(at, _)| at as u32)
}

/// Attributes and visibility of an import, as they are written.
fn item_head(loaded: &Loaded, import: &ItemFacts) -> String {
    let (start, end) = (import.span.start_byte as usize, import.span.end_byte as usize);
    let text = loaded.text.get(start..end).unwrap_or_default();
    let scan = Scan::new(text);
    let keyword = scan
        .tokens_from(0)
        .find(|token| text.get(token.start as usize..token.end as usize) == Some("use"));
    keyword.and_then(|token| text.get(..token.start as usize)).unwrap_or_default().to_owned()
}

/// A path without blanks and its last `::`.
fn plain(written: &str) -> String {
    let path: String = written.chars().filter(|c| !c.is_whitespace()).collect();
    path.trim_end_matches("::").replace("r#", "")
}
