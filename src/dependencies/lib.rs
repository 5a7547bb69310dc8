//! Which dependencies of a package its code names, and what follows for its manifest: a pure function
//! of texts. It reads no file and no database, and resolves no name: Cargo passes a crate by its name,
//! so a text in which the name is nowhere cannot use the crate.

mod builtin;
mod docs;
mod edits;
mod entry;
mod macros;
mod mentions;
mod tokens;
mod unification;
mod verdict;

pub use edits::manifest_edits;
pub use entry::{CodeFile, Entry, Package};
pub use macros::{
    Definition, MacroSource, defined_rules, defines_any, definitions, reads_files, renamed_imports,
};
pub use mentions::{Mention, Scanned, has_word, scan, scan_document};
pub use unification::features_needed;
pub use verdict::{Facts, Found, Verdict, judge};
