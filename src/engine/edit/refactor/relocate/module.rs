//! Moves a module: its files, the paths in it that lead out of it, and the visibilities that name a
//! module around it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::modules;
use super::changes::Changes;
use super::relocation::Relocation;
use super::text::{Style, path_from, within_path};
use super::visibility::written;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_model::{NodeId, RefKind};
use asof_query::Described;
use asof_syntax::Scan;

impl Relocation<'_> {
    /// Where the files go: from, to.
    pub(super) fn files_of_module(
        &self,
        files: &mut Files,
    ) -> Result<BTreeMap<String, String>, Halt> {
        let Some(module) = self.subject.described().into_iter().next() else {
            return Ok(BTreeMap::new());
        };
        if modules::place(self.snapshot, files, &module)?.is_none() {
            return Err((self.refuse)("an attribute says where its file is".to_owned()));
        }
        let Some(folder) = self.to.folder(self.snapshot, files)? else {
            return Err((self.refuse)(
                "an attribute says where the files of that module are".to_owned(),
            ));
        };
        let to = if folder.is_empty() {
            module.name.clone()
        } else {
            format!("{folder}/{}", module.name)
        };
        modules::moves_to(self.snapshot, files, &module, &to, self.refuse)
    }

    /// Adapts paths that begin with `super` and lead out of the module.
    pub(super) fn adapt_paths(&self, files: &mut Files, changes: &mut Changes) -> Result<(), Halt> {
        let queries = self.queries();
        let ids: Vec<NodeId> = self.subject.ids.iter().copied().collect();
        let by_id: BTreeMap<NodeId, &Described> =
            self.subject.all.iter().map(|one| (one.id, one)).collect();
        let mut keywords: BTreeMap<&str, Vec<(u32, NodeId, NodeId)>> = BTreeMap::new();
        for uses in queries.uses_of(&ids).map_err(EngineError::from)? {
            let Some(source) = by_id.get(&uses.source) else { continue };
            for one in &uses.refs {
                if self.subject.ids.contains(&one.target) || self.view.kind(one.target).is_none() {
                    continue;
                }
                if one.kind != RefKind::Keyword {
                    changes.must_see(one.target);
                    continue;
                }
                let bytes = one.occurrences.0.iter().map(|[offset, ..]| source.start_byte + offset);
                let of_file = keywords.entry(&source.file_path).or_default();
                of_file.extend(bytes.map(|byte| (byte, one.target, source.module_id)));
            }
        }
        for (path, found) in keywords {
            let loaded = files.loaded(self.snapshot, path)?;
            let scan = Scan::new(&loaded.text);
            for (byte, target, module) in found {
                let Some((start, end)) = super::own_names::keywords(&loaded.text, &scan, byte)
                else {
                    continue;
                };
                let Some(target) = self.view.path(target) else { continue };
                let from = self.path_there(self.view.path(module).unwrap_or_default());
                let new = path_from(self.view, &from, self.to.place, target, Style::Relative);
                self.put(path, start, end, new, changes);
            }
        }
        Ok(())
    }

    /// Writes anew what is visible within a module around.
    pub(super) fn adapt_visibilities(
        &self,
        files: &mut Files,
        changes: &mut Changes,
    ) -> Result<(), Halt> {
        let named = self.subject.named();
        for one in &self.subject.all {
            if named.contains(&one.id)
                || !one.visibility.starts_with("pub(super") && !one.visibility.starts_with("pub(in")
            {
                continue;
            }
            let Some(within) = self.view.visible_within(one.id) else { continue };
            let loaded = files.loaded(self.snapshot, &one.file_path)?;
            let item = loaded.facts.items.iter().find(|item| {
                (item.span.start_byte, item.span.end_byte, item.kind)
                    == (one.start_byte, one.end_byte, one.kind)
            });
            let Some(item) = item else { continue };
            let new = if !self.subject.ids.contains(&within) {
                self.outer(one, within, changes)
            } else if one.visibility.starts_with("pub(super") {
                continue;
            } else {
                within_path(&self.path_there(self.view.path(within).unwrap_or_default()))
            };
            if new != one.visibility {
                let (start, end, text) = written(loaded, &Scan::new(&loaded.text), item, &new);
                let path = one.file_path.clone();
                self.put(&path, start, end, text, changes);
            }
        }
        Ok(())
    }

    /// The visibility of an item that was visible within a module around.
    fn outer(&self, one: &Described, within: NodeId, changes: &Changes) -> String {
        let users: BTreeSet<Option<NodeId>> =
            changes.users.get(&one.id).cloned().unwrap_or_default();
        let mut outside = users
            .into_iter()
            .filter(|user| user.is_none_or(|module| !self.subject.ids.contains(&module)));
        let start = if self.to.is_within(within) { within } else { self.to.place.module };
        let scope = outside.try_fold(start, |scope, user| self.view.common(scope, user?));
        let is_parent = Some(one.module_id) == self.subject.items.first().map(|item| item.id)
            && !self.to.place.is_new;
        match scope {
            None => "pub".to_owned(),
            Some(scope) if is_parent && scope == self.to.place.module => "pub(super)".to_owned(),
            Some(scope) => within_path(self.view.path(scope).unwrap_or_default()),
        }
    }
}
