//! Where calls of macros stand: among which code, and in which text.

use asof_model::FileUses;

/// A call of a macro in the text of a file.
#[derive(Clone, Copy)]
pub(super) struct CallInFile<'w> {
    pub uses: &'w FileUses,
    pub at: u32,
    /// What the numbers in the file are more than those in the expansion, for items of one.
    pub items: Option<u32>,
}

/// Where a call of a macro stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallPlace {
    /// Where its value counts.
    Value,
    /// Where its value does not count, and what it binds stays bound.
    Statement,
    /// Among items.
    Items,
}
