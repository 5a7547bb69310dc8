//! Macros by textual scope: a macro is in scope behind its definition, in the modules that are
//! declared behind it, and behind a module with `#[macro_use]` that it is in (Reference, "Textual
//! scope").

use std::collections::BTreeSet;

use super::super::obligations::place;
use super::obligations::NO_PRELUDE;
use super::relocation::Relocation;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{self, Files, Halt};
use crate::error::EngineError;
use asof_model::{Header, NodeId};
use asof_query::Described;
use asof_wire::{Doubt, Item, Obligation};

/// A place among the items of a module.
struct Position {
    module: NodeId,
    file_path: String,
    byte: u32,
}

impl Relocation<'_> {
    /// Lists the calls of macros that are not known to be in scope in the new module.
    pub(super) fn check_textual_macros(
        &self,
        files: &mut Files,
        calls: &BTreeSet<(NodeId, u32)>,
        out: &mut Refactored,
    ) -> Result<(), Halt> {
        for (definition, byte) in calls {
            out.check(Obligation::Macros, 1);
            if self.is_in_scope(files, *definition)? {
                continue;
            }
            let file_path = &self.subject.file_path;
            let text = &files.loaded(self.snapshot, file_path)?.text;
            out.look_at.push(place(file_path, text, *byte, Doubt::MacroNames));
        }
        Ok(())
    }

    fn described(&self, id: NodeId) -> Result<Option<Described>, Halt> {
        Ok(self.queries().describe(&[id]).map_err(EngineError::from)?.pop())
    }

    fn is_in_scope(&self, files: &mut Files, definition: NodeId) -> Result<bool, Halt> {
        let Some(own) = self.described(definition)? else { return Ok(false) };
        let mut at =
            Position { module: own.module_id, file_path: own.file_path, byte: own.start_byte };
        loop {
            if at.module == self.to.place.module && !self.to.place.is_new {
                // The text goes to the end of the module.
                return Ok(true);
            }
            let around = &self.to.around;
            if let Some(level) = around.iter().position(|module| *module == at.module) {
                let Some(below) = level.checked_sub(1).and_then(|below| around.get(below)) else {
                    return Ok(self.to.place.is_new);
                };
                let declared = self.declaration(files, *below)?;
                return Ok(declared.is_some_and(|declared| {
                    declared.file_path == at.file_path && at.byte < declared.byte
                }));
            }
            match self.declaration(files, at.module)? {
                Some(above) if above.passes_on => at = above.position(),
                _ => return Ok(false),
            }
        }
    }

    /// Where a module is declared in the one around it.
    pub(super) fn declaration(
        &self,
        files: &mut Files,
        module: NodeId,
    ) -> Result<Option<Declaration>, Halt> {
        let Some(own) = self.described(module)? else { return Ok(None) };
        let Some(parent) = own.parent_id.and_then(|parent| self.view.module_of(parent)) else {
            return Ok(None);
        };
        let item = Item::from(own);
        let place = match target::index_of(self.snapshot, files, &item)? {
            0 => target::declaration(self.snapshot, files, &item)?,
            index => Some((item.file_path.clone(), index)),
        };
        let Some((file_path, index)) = place else { return Ok(None) };
        let loaded = files.loaded(self.snapshot, &file_path)?;
        let Some(facts) = loaded.facts.items.get(index as usize) else { return Ok(None) };
        let passes_on = matches!(facts.header, Header::Module { macro_use: true, .. });
        let has_prelude = !facts.attrs.iter().any(|one| one.text.contains(NO_PRELUDE));
        let byte = facts.span.start_byte;
        Ok(Some(Declaration { parent, file_path, byte, passes_on, has_prelude }))
    }
}

pub(super) struct Declaration {
    /// The module around.
    parent: NodeId,
    file_path: String,
    byte: u32,
    /// Whether the macros in it are in scope behind it.
    passes_on: bool,
    /// Whether it has no attribute that takes the prelude from it.
    pub has_prelude: bool,
}

impl Declaration {
    fn position(self) -> Position {
        Position { module: self.parent, file_path: self.file_path, byte: self.byte }
    }
}
