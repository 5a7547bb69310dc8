//! Macros of crates outside of the workspace.

use super::ids::LibraryId;

/// Macros of crates outside of the workspace.
pub trait OutsideMacros: Sync {
    /// The macro that a path means, from the name of a crate on.
    fn macro_at(&self, path: &[&str]) -> Option<OutsideMacro<'_>>;

    /// The macro of a crate that its own code has this name for.
    fn macro_in(&self, krate: LibraryId, name: &str) -> Option<OutsideMacro<'_>>;

    /// The only macro of this name that one of these crates shows at its root.
    fn only_macro(&self, name: &str, crates: &[String]) -> Option<OutsideMacro<'_>>;

    /// The name by which the workspace knows a crate.
    fn name_of(&self, krate: LibraryId) -> Option<&str>;
}

/// A macro of another crate.
#[derive(Debug, Clone, Copy)]
pub struct OutsideMacro<'a> {
    pub krate: LibraryId,
    pub rules: &'a str,
}
