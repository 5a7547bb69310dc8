//! What must hold for a move to change nothing, beside what each name means.

use std::collections::BTreeSet;

use super::super::obligations::{self, Macros, Scope};
use super::super::other_files;
use super::relocation::Relocation;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_index::{PathMeaning, Place};
use asof_model::{NodeId, NodeKind};
use asof_wire::Obligation;

/// The attribute that takes the prelude from a module and those in it.
pub(super) const NO_PRELUDE: &str = "no_implicit_prelude";

impl Relocation<'_> {
    /// `imported`: the traits that the new module imports.
    pub(super) fn check_obligations(
        &self,
        files: &mut Files,
        imported: &BTreeSet<NodeId>,
        out: &mut Refactored,
    ) -> Result<(), Halt> {
        let snapshot = self.snapshot;
        obligations::check_files(snapshot, files, out)?;
        let from = Place { module: self.subject.module, is_new: false };
        let (view, to, macros) = (self.view, self.to.place, Macros::load(snapshot)?);
        obligations::check_carried_calls(snapshot, files, &macros, view, from, to, out)?;
        if !self.subject.is_module() {
            obligations::check_relative_paths(snapshot, files, out)?;
        }
        out.look_at.extend(other_files::included_places(snapshot, self.subject.name())?);
        let named = self.subject.named();
        obligations::check_moved_names(snapshot, &macros, self.subject.name(), &named, out)?;
        let (old, new) = (self.traits(from), self.traits(self.to.place));
        let old = Scope { module: from.module, traits: &old };
        let new = Scope { module: self.to.place.module, traits: &new };
        obligations::check_traits(snapshot, files, self.view, old, new, imported, out)?;
        let here = self.has_prelude(files, from.module)?;
        if here != self.has_prelude(files, self.to.place.module)? {
            let reason = format!("one of the modules has the attribute `{NO_PRELUDE}`");
            return Err((self.refuse)(reason));
        }
        out.check(Obligation::Candidates, 1);
        Ok(())
    }

    /// Traits of the workspace that are in scope in a module.
    fn traits(&self, place: Place) -> BTreeSet<NodeId> {
        if place.is_new {
            return BTreeSet::new();
        }
        let bound = self.view.bound_in(place.module).into_iter();
        let ids = bound.filter_map(|meaning| match meaning {
            PathMeaning::Items(ids) => Some(ids),
            _ => None,
        });
        ids.flatten().filter(|id| self.view.kind(*id) == Some(NodeKind::Trait)).collect()
    }

    /// Whether the names of the prelude are in scope in a module.
    fn has_prelude(&self, files: &mut Files, module: NodeId) -> Result<bool, Halt> {
        for id in self.view.around(module) {
            if self.declaration(files, id)?.is_some_and(|declared| !declared.has_prelude) {
                return Ok(false);
            }
        }
        // Of a crate, the attribute is in its file.
        let root = self.view.around(module).last().copied();
        let root = self.queries().describe(&root.into_iter().collect::<Vec<_>>());
        for root in root.map_err(EngineError::from)? {
            let facts = &files.loaded(self.snapshot, &root.file_path)?.facts;
            let file = facts.items.first().into_iter();
            let mut attributes = file.flat_map(|file| &file.attrs);
            if attributes.any(|one| one.text.contains(NO_PRELUDE)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
