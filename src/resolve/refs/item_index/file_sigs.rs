//! The signatures of a file, with numbers for their names.

use std::sync::Arc;

use super::super::types::Name;
use asof_model::FileUses;

/// Signatures of one file's items.
#[derive(Debug, Default)]
pub(in super::super) struct FileSigs {
    pub uses: Arc<FileUses>,
    /// By [`asof_model::Sym`] of the uses, whose own names are empty.
    pub names: Vec<Name>,
}
