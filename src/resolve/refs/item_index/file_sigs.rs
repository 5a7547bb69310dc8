//! The signatures of a file, with numbers for their names.

use std::sync::Arc;

use super::super::types::Name;
use asof_model::{FileUses, Sym};

/// Signatures of one file's items.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct FileSigs {
    pub uses: Arc<FileUses>,
    /// By [`asof_model::Sym`] of the uses, whose own names are empty.
    pub names: Vec<Name>,
}

impl FileSigs {
    /// Names of the generic parameters of an item.
    pub fn generic_names(&self, item: usize) -> Vec<Name> {
        let Some(item) = self.uses.items.get(item) else { return Vec::new() };
        let name = |sym: Sym| self.names.get(sym.0 as usize).copied().unwrap_or(Name::NONE);
        self.uses.generics(item.generics).iter().map(|generic| name(generic.name)).collect()
    }
}
