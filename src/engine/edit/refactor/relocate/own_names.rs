//! Resolves the names in the moved text: each must mean in the new module what it meant in the old
//! one.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::Changes;
use super::import_needs::Needed;
use super::relocation::Relocation;
use super::text::Style;
use crate::edit::refactor::leftover_imports::may_be_trait;
use crate::edit::refactor::mention::is_mentioned;
use crate::edit::target::Loaded;
use crate::error::EngineError;
use asof_index::{PathMeaning, Place};
use asof_model::{ByteRange, Header, ItemFacts, NodeId, NodeKind, RefKind, UseLeaf};
use asof_query::{Queries, StoredUse};
use asof_refactor::{DocPlace, doc_names, is_word};
use asof_syntax::Scan;

/// A use in the text that moves.
#[derive(Debug, Clone)]
struct Site {
    byte: u32,
    kind: RefKind,
    target: NodeId,
}

/// Reads the uses of the text that moves.
pub(super) struct Inward<'a> {
    by: Relocation<'a>,
    loaded: &'a Loaded,
    scan: &'a Scan<'a>,
    /// Of the imports around the new place.
    style: Style,
    /// In the order of the text.
    sites: Vec<Site>,
    /// Names of targets that are not items.
    outside: BTreeMap<NodeId, String>,
    /// What is bound in the old module and in the new one.
    bound: [Vec<PathMeaning>; 2],
}

impl<'a> Inward<'a> {
    pub(super) fn new(
        by: Relocation<'a>,
        loaded: &'a Loaded,
        scan: &'a Scan<'a>,
        style: Style,
    ) -> Result<Self, EngineError> {
        let sites = sites(by)?;
        let targets = sites.iter().map(|site| site.target);
        let outside: Vec<NodeId> = targets.filter(|id| by.view.kind(*id).is_none()).collect();
        let outside = Queries::external(by.snapshot.store(), &outside)?.into_iter();
        let there =
            if by.to.place.is_new { Vec::new() } else { by.view.bound_in(by.to.place.module) };
        Ok(Self {
            by,
            loaded,
            scan,
            style,
            sites,
            outside: outside.map(|one| (one.id, one.text)).collect(),
            bound: [by.view.bound_in(by.subject.module), there],
        })
    }

    fn old(&self) -> Place {
        Place { module: self.by.subject.module, is_new: false }
    }

    /// Adds splices of the text, and imports of the new module.
    pub(super) fn read(&self, changes: &mut Changes) -> Result<Needed, EngineError> {
        let mut needed = Needed::default();
        for site in &self.sites {
            if site.kind == RefKind::Keyword {
                self.keyword(site, changes);
                continue;
            }
            if !self.by.subject.ids.contains(&site.target)
                && self.by.view.kind(site.target).is_some()
            {
                changes.must_see(site.target);
                let is_made =
                    matches!(site.kind, RefKind::Call | RefKind::Value | RefKind::Pattern);
                if is_made {
                    changes.needed.extend(self.by.view.places_of(site.target));
                }
            }
            let is_call = matches!(site.kind, RefKind::MethodCall | RefKind::Call | RefKind::Value);
            if is_call && let Some(of) = self.by.view.trait_of(site.target) {
                let has = |all: &[PathMeaning]| {
                    all.iter()
                        .any(|one| matches!(one, PathMeaning::Items(ids) if ids.contains(&of)))
                };
                let [here, there] = &self.bound;
                if has(here) && !self.by.subject.ids.contains(&of) {
                    needed.traits.insert(of);
                    if !has(there) {
                        self.import_trait(of, changes);
                    }
                }
            }
            if is_call && let PathMeaning::Outside(of) = self.by.view.impl_trait(site.target) {
                self.outside_trait(&of, &mut needed, changes);
            }
            let text = self.outside.get(&site.target).map_or("", String::as_str);
            if is_call && let Some((of, _)) = text.rsplit_once("::") {
                self.outside_trait(of, &mut needed, changes);
            }
            self.name(site, text, &mut needed, changes);
        }
        self.unknown_methods(changes);
        self.links(changes);
        Ok(needed)
    }

    /// `self` and `super` at the beginning of a path.
    fn keyword(&self, site: &Site, changes: &mut Changes) {
        let text = self.loaded.text.as_str();
        let Some((start, end)) = keywords(text, self.scan, site.byte) else { return };
        let Some(target) = self.by.view.path(site.target) else { return };
        let written = text.get(start as usize..end as usize).unwrap_or_default();
        let new = self.by.written_there(target, Style::Relative);
        if new != written {
            changes.within(start, end, new);
        }
    }

    /// The first name of a path.
    fn name(&self, site: &Site, outside: &str, needed: &mut Needed, changes: &mut Changes) {
        if matches!(site.kind, RefKind::MethodCall | RefKind::Field) {
            return;
        }
        let Some((token, name)) = self.scan.word_at(site.byte) else { return };
        let is_captured = name.is_empty();
        let name = if is_captured { self.captured_at(site.byte) } else { name };
        if name.is_empty() || matches!(name, "self" | "Self" | "super" | "crate") {
            return;
        }
        let path = self.scan.path_at(site.byte);
        let before = self.scan.token_before(token.start).map(|(_, byte)| byte);
        if !is_captured && (path.start != token.start || before == Some(b'.')) {
            return;
        }
        let is_imported = || self.leaves().any(|(_, leaf)| leaf.name == name);
        if self.by.view.is_textual_macro(site.target) && !is_imported() {
            // Where the text is decides what it means, and no path does.
            changes.textual_macros.insert((site.target, site.byte));
            return;
        }
        let is_own = self.by.subject.ids.contains(&site.target);
        let here = self.by.view.meaning(self.old(), name);
        let there = self.by.view.meaning(self.by.to.place, name);
        let means = match &here {
            PathMeaning::Items(ids) => ids.contains(&site.target),
            PathMeaning::Outside(_) => self.by.view.kind(site.target).is_none(),
            PathMeaning::Nothing => false,
        };
        if means {
            needed.names.insert(name.to_owned());
        }
        if is_own || here == there {
            return;
        }
        match (means, &there) {
            // What every module has.
            (false, PathMeaning::Nothing) => {}
            (false, _)
                if here == PathMeaning::Nothing && outside.contains("::") && !is_captured =>
            {
                changes.within(token.start, token.end, outside.to_owned());
            }
            (false, _) => {}
            (true, PathMeaning::Nothing) => match self.import_of(name, &here, changes) {
                Some((attributes, line)) => changes.import_there(attributes, line),
                None => changes.unknown(self.loaded, site.byte),
            },
            // Another item has the name there.
            (true, _) => match self.full_path(name, &here).filter(|_| !is_captured) {
                Some(path) => changes.within(token.start, token.end, path),
                None => changes.unknown(self.loaded, site.byte),
            },
        }
    }

    /// The name that a format string captures at a byte.
    fn captured_at(&self, byte: u32) -> &'a str {
        let rest = self.loaded.text.get(byte as usize..).unwrap_or_default();
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// The `use` declaration that gives a name its meaning, and what is written before it.
    fn import_of(
        &self,
        name: &str,
        here: &PathMeaning,
        changes: &mut Changes,
    ) -> Option<(String, String)> {
        if let Some((item, leaf)) = self.leaves().find(|(_, leaf)| leaf.name == name) {
            if !item.visibility.is_empty() {
                let here = format!("{}::{name}", self.by.view.path(self.by.subject.module)?);
                let (_, rest) = here.split_once("::")?;
                let seen = self.by.view.meaning(self.by.to.place, &format!("crate::{rest}"));
                if matches!(seen, PathMeaning::Items(_)) {
                    return Some((String::new(), self.by.written_there(&here, self.style)));
                }
            }
            let said = self.import_of_leaf(leaf)?;
            self.see_way(&leaf.path, changes);
            let attributes = match item.cfg.as_str() {
                "" => String::new(),
                cfg => format!("#[cfg({cfg})] "),
            };
            return Some((attributes, said));
        }
        if let PathMeaning::Items(ids) = here {
            return Some((String::new(), self.path_to_one_of(ids, name)?));
        }
        // Through a glob of a module from outside.
        let PathMeaning::Outside(path) = here else { return None };
        Some((String::new(), path.clone())).filter(|(_, path)| path.contains("::"))
    }

    fn full_path(&self, name: &str, here: &PathMeaning) -> Option<String> {
        match here {
            PathMeaning::Items(ids) => self.path_to_one_of(ids, name),
            PathMeaning::Outside(path) => Some(path.clone()),
            PathMeaning::Nothing => None,
        }
    }

    fn path_to_one_of(&self, ids: &BTreeSet<NodeId>, name: &str) -> Option<String> {
        let mut paths = ids.iter().filter_map(|id| self.by.view.path(*id));
        let path =
            paths.find(|path| path.ends_with(&format!("::{name}")) || !path.contains("::"))?;
        Some(self.by.written_there(path, self.style))
    }

    /// Imports of the old module.
    fn leaves(&self) -> impl Iterator<Item = (&ItemFacts, &UseLeaf)> {
        let own = super::destination::children(&self.loaded.facts, self.by.subject.module_index);
        own.filter_map(|(_, item)| match &item.header {
            Header::Import { leaves } => Some(leaves.iter().map(move |leaf| (item, leaf))),
            _ => None,
        })
        .flatten()
    }

    /// An import as the new module writes it, without `use`.
    fn import_of_leaf(&self, leaf: &UseLeaf) -> Option<String> {
        let path = self.path_of_leaf(&leaf.path)?;
        if leaf.path.last() == Some(&leaf.name) {
            Some(path)
        } else {
            Some(format!("{path} as {}", leaf.name))
        }
    }

    /// The path of an import as the new module writes it.
    fn path_of_leaf(&self, path: &[String]) -> Option<String> {
        let first = path.first()?.as_str();
        let is_absolute = matches!(first, "crate" | "")
            || self.by.view.meaning(Place { is_new: true, ..self.by.to.place }, first)
                != PathMeaning::Nothing;
        if is_absolute {
            return Some(path.join("::"));
        }
        let (last, above) = path.split_last()?;
        if above.is_empty() {
            let PathMeaning::Items(ids) = self.by.view.meaning(self.old(), last) else {
                return None;
            };
            return self.path_to_one_of(&ids, last);
        }
        let PathMeaning::Items(ids) = self.by.view.meaning(self.old(), &above.join("::")) else {
            return None;
        };
        let above = self.by.view.path(*ids.first()?)?;
        let path = format!("{above}::{last}");
        Some(self.by.written_there(&path, self.style))
    }

    /// The modules on the way of an import must be visible, too.
    fn see_way(&self, path: &[String], changes: &mut Changes) {
        for len in 1..path.len() {
            let way = path.get(..len).unwrap_or_default().join("::");
            if let PathMeaning::Items(ids) = self.by.view.meaning(self.old(), &way) {
                let modules =
                    ids.into_iter().filter(|id| self.by.view.kind(*id) == Some(NodeKind::Module));
                changes.needed.extend(modules);
            }
        }
    }

    fn import_trait(&self, of: NodeId, changes: &mut Changes) {
        let Some(path) = self.by.view.path(of) else { return };
        let name = path.rsplit("::").next().unwrap_or_default();
        let path = self.by.written_there(path, self.style);
        let is_unnamed = self
            .leaves()
            .any(|(_, leaf)| leaf.name == "_" && leaf.path.last().is_some_and(|last| last == name));
        let meaning = self.by.view.meaning(self.by.to.place, name);
        let is_free = meaning == PathMeaning::Nothing && !is_unnamed;
        changes.must_see(of);
        changes.traits.insert(of);
        changes.import_there(String::new(), if is_free { path } else { format!("{path} as _") });
    }

    /// A trait from outside that the old module imports, by the path of one of its items.
    fn outside_trait(&self, of: &str, needed: &mut Needed, changes: &mut Changes) {
        let [here, there] = &self.bound;
        let name = of.rsplit("::").next().unwrap_or_default();
        let is = |one: &PathMeaning| match one {
            PathMeaning::Outside(path) => path.rsplit("::").next() == Some(name),
            _ => false,
        };
        // A type's own function is not called through an import.
        let is_type = name.is_empty() || !name.starts_with(char::is_uppercase);
        if is_type || !here.iter().any(is) {
            return;
        }
        needed.outside_traits.insert(of.to_owned());
        if there.iter().any(is) {
            return;
        }
        let imported = self
            .leaves()
            .find(|(_, leaf)| leaf.path.last().map(String::as_str) == Some(name) && !leaf.glob);
        let Some(said) = imported.and_then(|(_, leaf)| self.import_of_leaf(leaf)) else { return };
        changes.import_there(String::new(), said);
    }

    /// Links in documentation to what the new module does not have by the same name.
    fn links(&self, changes: &mut Changes) {
        let children =
            super::destination::children(&self.loaded.facts, self.by.subject.module_index);
        let mut names: BTreeSet<&str> = self.leaves().map(|(_, leaf)| leaf.name.as_str()).collect();
        let own = children.filter(|(_, item)| !item.kind.is_anonymous());
        names.extend(own.map(|(_, item)| item.name.as_str()));
        let text = self.loaded.text.as_str();
        for name in names.into_iter().filter(|name| !name.is_empty() && *name != "_") {
            let moved = self.by.subject.pieces.iter().filter_map(|piece| piece.range.slice(text));
            if !moved.into_iter().any(|piece| piece.contains(name)) {
                continue;
            }
            let here = self.by.view.meaning(self.old(), name);
            let imported = changes.there.iter().any(|(_, path)| {
                path.rsplit("::").next().map(|last| last.rsplit(" as ").next().unwrap_or(last))
                    == Some(name)
            });
            let is_own = match &here {
                PathMeaning::Items(ids) => !ids.is_disjoint(&self.by.subject.ids),
                _ => false,
            };
            if imported || is_own || here == self.by.view.meaning(self.by.to.place, name) {
                continue;
            }
            let Some(path) = self.full_path(name, &here) else { continue };
            for found in doc_names(text, name) {
                if found.place == DocPlace::Link
                    && found.path == name
                    && self.by.subject.holds(&self.by.subject.file_path, found.at)
                {
                    changes.within(found.at, found.at + name.len() as u32, path.clone());
                }
            }
        }
    }

    /// Methods that may be of a trait which the old module imports and the new one does not: their
    /// receivers are unknown.
    fn unknown_methods(&self, changes: &mut Changes) {
        let everywhere = ByteRange::new(0, u32::MAX);
        let unmentioned = self.leaves().filter(|(_, leaf)| {
            let name = leaf.path.last().map_or("", String::as_str);
            !leaf.glob
                && name.starts_with(char::is_uppercase)
                && (leaf.name == "_"
                    || !is_mentioned(self.loaded, self.scan, &leaf.name, everywhere, &[]))
        });
        let imports: Vec<&UseLeaf> = unmentioned.map(|(_, leaf)| leaf).collect();
        let is_unknown = |site: &Site| {
            site.kind == RefKind::MethodCall
                && self.outside.get(&site.target).is_some_and(|text| text.starts_with('.'))
        };
        if !self.sites.iter().any(is_unknown) {
            return;
        }
        let [_, there] = &self.bound;
        for leaf in imports {
            let meaning = self.by.view.meaning(self.old(), &leaf.path.join("::"));
            let is_trait = match &meaning {
                PathMeaning::Outside(_) => true,
                meaning => may_be_trait(meaning, self.by.view),
            };
            if !is_trait || there.contains(&meaning) {
                continue;
            }
            if let Some(said) = self.import_of_leaf(leaf) {
                changes.import_there(String::new(), said);
            }
        }
    }
}

fn sites(by: Relocation<'_>) -> Result<Vec<Site>, EngineError> {
    let ids: Vec<NodeId> = by.subject.ids.iter().copied().collect();
    let starts: BTreeMap<NodeId, u32> =
        by.subject.all.iter().map(|one| (one.id, one.start_byte)).collect();
    let mut sites = Vec::new();
    for uses in by.queries().uses_of(&ids)? {
        let Some(start) = starts.get(&uses.source) else { continue };
        let wanted = |one: &&StoredUse| !matches!(one.kind, RefKind::Overrides | RefKind::Implicit);
        for one in uses.refs.iter().filter(wanted) {
            let bytes = one.occurrences.0.iter().map(|[offset, ..]| start + offset);
            sites.extend(bytes.map(|byte| Site { byte, kind: one.kind, target: one.target }));
        }
    }
    sites.sort_by_key(|site| site.byte);
    Ok(sites)
}

/// The bytes of `self`, `super` or `super::super` at the beginning of a path, if this is the last of
/// them. Visibilities are left out: they are written anew.
pub(super) fn keywords(text: &str, scan: &Scan<'_>, byte: u32) -> Option<(u32, u32)> {
    let (token, word) = scan.word_at(byte)?;
    if !matches!(word, "self" | "super") {
        return None;
    }
    let behind = text.get(token.end as usize..)?.trim_start();
    let next = behind.strip_prefix("::")?.trim_start();
    if next.strip_prefix("super").is_some_and(|rest| !rest.starts_with(is_word)) {
        return None;
    }
    let path = scan.path_at(byte);
    let before = text.get(..path.start as usize)?.trim_end();
    let in_visibility = before.ends_with("pub(") || before.ends_with("(in");
    (!in_visibility).then_some((path.start, token.end))
}
