//! Computes the visibilities that a move needs: no wider than needed.

use std::collections::BTreeSet;

use super::changes::Changes;
use super::relocation::Relocation;
use super::text::{visibility, within_path};
use crate::edit::target::{self, Files, Halt, Loaded};
use crate::error::EngineError;
use asof_model::{ItemFacts, NodeId, NodeKind};
use asof_query::Described;
use asof_syntax::Scan;
use asof_wire::Doubt;

impl Relocation<'_> {
    /// The visibilities of what moves.
    pub(super) fn show_moved(&self, loaded: &Loaded, changes: &mut Changes) {
        let scan = Scan::new(&loaded.text);
        for one in &self.subject.all {
            let index = self.subject.places.get(&one.id);
            let item = index.and_then(|index| loaded.facts.items.get(*index as usize));
            let Some(item) = item.filter(|item| !item.in_body && item.visibility != "pub") else {
                continue;
            };
            // Items of traits and variants have that of what they are in.
            let Some(within) = self.view.visible_within(one.id) else { continue };
            let needed = self.needed(one, changes);
            let new = match item.visibility.as_str() {
                "" => self.seen_from_there(needed),
                _ => {
                    let is_enough = match needed {
                        Some(Some(scope)) => {
                            self.view.around(scope).contains(&within) && self.to.is_within(within)
                        }
                        within => within.is_some(),
                    };
                    self.seen_from_there(if is_enough { Some(Some(within)) } else { needed })
                }
            };
            if new == item.visibility {
                continue;
            }
            let (start, end, text) = written(loaded, &scan, item, &new);
            changes.within(start, end, text);
            if item.visibility.is_empty() {
                changes.widened(self.view, one.id, &new);
            }
        }
    }

    /// The module in which an item that moves is needed; none within: everywhere. In a new module,
    /// an item that only what moves with it uses is needed in no other.
    fn needed(&self, one: &Described, changes: &Changes) -> Option<Option<NodeId>> {
        let mut users: BTreeSet<Option<NodeId>> =
            changes.users.get(&one.id).cloned().unwrap_or_default();
        if one.kind == NodeKind::Field
            && let Some(parent) = one.parent_id
        {
            users.extend(changes.makers.get(&parent).into_iter().flatten());
        }
        let start = self.to.place.module;
        if self.to.place.is_new && users.is_empty() {
            return Some(None);
        }
        let mut scope = start;
        for user in users {
            scope = self.view.common(scope, user?)?;
        }
        Some(Some(scope))
    }

    /// The visibility in the new module of what is needed in another.
    fn seen_from_there(&self, needed: Option<Option<NodeId>>) -> String {
        match needed {
            None => "pub".to_owned(),
            // Private to the new module.
            Some(None) => String::new(),
            Some(Some(scope)) if self.to.place.is_new => {
                let is_root = self.to.around.last() == Some(&scope);
                if scope == self.to.place.module && !is_root {
                    "pub(super)".to_owned()
                } else {
                    within_path(self.view.path(scope).unwrap_or_default())
                }
            }
            Some(Some(scope)) => visibility(self.view, &self.to.around, Some(scope)),
        }
    }

    /// The visibilities of other items that the new module needs, and of the modules on the way.
    pub(super) fn show_others(&self, files: &mut Files, changes: &mut Changes) -> Result<(), Halt> {
        let mut needed = changes.needed.clone();
        let from_old = |id: &NodeId| self.view.module_of(*id) == Some(self.subject.module);
        if needed.iter().any(from_old) {
            needed.extend(self.view.around(self.subject.module));
        }
        for id in needed {
            let Some(within) = self.view.visible_within(id) else { continue };
            if !self.to.is_within(within) {
                let scope = self.view.common(within, self.to.place.module);
                self.widen(files, id, scope, changes)?;
            }
        }
        for id in self.to.around.iter().copied() {
            let Some(within) = self.view.visible_within(id) else { continue };
            let mut scope = Some(within);
            let mut is_wider = false;
            let near = changes.near.iter().filter(|_| self.is_there(id));
            for user in changes.passers.iter().chain(near) {
                if !self.view.around(*user).contains(&within) {
                    is_wider = true;
                    scope = scope.and_then(|scope| self.view.common(scope, *user));
                }
            }
            if is_wider {
                self.widen(files, id, scope, changes)?;
            }
        }
        Ok(())
    }

    /// The visibility of a new module.
    pub(super) fn visibility_of_new_module(&self, changes: &Changes) -> String {
        let mut scope = Some(self.to.place.module);
        for user in changes.passers.iter().chain(&changes.near) {
            scope = scope.and_then(|scope| self.view.common(scope, *user));
        }
        visibility(self.view, &self.to.around, scope)
    }

    /// Gives an item a visibility that reaches to a module; to everyone, if none.
    fn widen(
        &self,
        files: &mut Files,
        id: NodeId,
        scope: Option<NodeId>,
        changes: &mut Changes,
    ) -> Result<(), Halt> {
        let queries = self.queries();
        let Some(described) = queries.describe(&[id]).map_err(EngineError::from)?.pop() else {
            return Ok(());
        };
        files.load(self.snapshot, &described.file_path)?;
        if described.made {
            let loaded = files.loaded(self.snapshot, &described.file_path)?;
            let (path, byte) = (&described.file_path, described.name_start);
            changes.doubt(path, &loaded.text, byte, Doubt::Expansion, 0.0, false);
            return Ok(());
        }
        let item = asof_wire::Item::from(described.clone());
        let mut place =
            (described.file_path.clone(), target::index_of(self.snapshot, files, &item)?);
        if place.1 == 0 {
            match target::declaration(self.snapshot, files, &item)? {
                Some(declared) => place = declared,
                None => return Ok(()),
            }
        }
        let loaded = files.loaded(self.snapshot, &place.0)?;
        let Some(item) = loaded.facts.items.get(place.1 as usize) else { return Ok(()) };
        let home = described.parent_id.and_then(|parent| self.view.module_of(parent));
        let home = home.map(|module| self.view.around(module)).unwrap_or_default();
        let new = visibility(self.view, &home, scope);
        let (start, end, text) = written(loaded, &Scan::new(&loaded.text), item, &new);
        changes.replace(&place.0, start, end, text);
        changes.widened(self.view, id, &new);
        Ok(())
    }
}

/// The bytes of an item's visibility and of the word behind it, and what they become: what begins at
/// one byte must not be what is written before another.
pub(super) fn written(
    loaded: &Loaded,
    scan: &Scan<'_>,
    item: &ItemFacts,
    new: &str,
) -> (u32, u32, String) {
    let head = scan.anatomy(&item.span, item.kind, false).head;
    let text = loaded.text.get(head as usize..).unwrap_or_default();
    let old = match item.visibility.as_str() {
        "" => 0,
        own if own.contains('(') => text.find(')').map_or(0, |at| at + 1),
        own => own.len(),
    };
    let space = if new.is_empty() { "" } else { " " };
    let Some((word, _)) = scan.token_behind(head + old as u32) else {
        return (head, head + old as u32, format!("{new}{space}"));
    };
    let kept = loaded.text.get(word.start as usize..word.end as usize).unwrap_or_default();
    (head, word.end, format!("{new}{space}{kept}"))
}
