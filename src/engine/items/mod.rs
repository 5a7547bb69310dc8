//! Items and files at one moment: which item a path means, its source, and lists of what a module,
//! a file or a crate has.

mod api;
mod browse;
mod dependency;
mod derives;
pub(super) mod docs;
mod forms;
mod hierarchy;
mod implementations;
mod inspect;
mod lines;
mod outline;
mod packages;
mod resolve;
mod shared_texts;
mod show;
mod source_texts;
mod standard;
mod suggest;
mod symbol;
mod unsaved;
mod written_paths;

pub use api::{Hidden, Members};
pub use inspect::UndefinedNames;
pub use outline::{DEFAULT_OUTLINE_DEPTH, FOLDER_OUTLINE_DEPTH, Open};
pub use standard::{DeclaredItem, declared_item, standard_item};
pub use unsaved::{Unsaved, UnsavedText};
pub use written_paths::{Around, PathScope};

pub(super) use api::{has_members, library_crates};
pub(super) use lines::Texts;
pub(super) use packages::{PackageFiles, PackageFolders, package_names};
pub(super) use shared_texts::SharedTexts;
pub(super) use show::{source, sources};
pub(super) use source_texts::{read_text, source_texts};
pub(super) use written_paths::WrittenPaths;
