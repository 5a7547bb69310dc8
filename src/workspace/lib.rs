//! The files of a workspace: packages and targets as Cargo sees them, Rust files on disk or in a
//! commit, and where the files of modules are. It reads manifests and folders. It never runs Cargo,
//! follows a link out of the root or parses Rust beyond `mod` declarations, and knows no database.

mod ancestry;
mod below;
mod changed_files;
mod declared;
mod dependencies;
mod discover;
mod error;
mod folder;
mod git;
mod git_files;
mod ignore_files;
mod manifest;
mod manifest_edit;
mod members;
mod merge_driver;
mod module_tree;
mod packages;
mod paths;
mod read;
mod root;
mod scan;
mod standard;
mod targets;
mod text_merge;
mod tree;
mod tree_merge;
mod walk;
mod worktrees;

#[cfg(test)]
mod tests;

pub use ancestry::Ancestry;
pub use below::{FoundWorkspace, FoundWorkspaces, Reach, workspaces_below};
pub use changed_files::{ChangedFiles, WhichFiles, changed_files};
pub use declared::{DeclaredDependency, DeclaredPackage, DeclaredTable, declared_dependencies};
pub use dependencies::{LockedCrate, SourceFolders, locked_crates};
pub use discover::{discover, layout, layout_of};
pub use error::WorkspaceError;
pub use git::{Commit, Git, GitRef, RefKind, Selection};
pub use manifest_edit::{EntryEdit, edit_entries};
pub use merge_driver::DriverSetup;
pub use module_tree::{ModDir, ModFile, ViaPathAttr, existing};
pub use packages::{
    Cause, GraphPackage, PackageChange, PackageChanges, PackageGraph, PackageUse, Spread, TestKey,
    is_for_people, is_of_tests, package_changes,
};
pub use paths::{join as join_paths, manifest_of, parent as parent_folder};
pub use read::{read_file, real_file};
pub use root::root_above;
pub use standard::{StandardSources, candidates_in, read as read_declared};
pub use text_merge::{MarkerStyle, Markers, MergeLabels, MergedText, ThreeTexts, merge_text};
pub use tree::{
    CommitTree, Commits, Disk, GivenFiles, HashKind, Kind, Listing, Overlay, SourceTree,
    content_id_of, parse_tree, read_from,
};
pub use tree_merge::{EditedFiles, FileConflict, MergeBase, MergeSide, TreeMerge};
pub use walk::{Walk, walk, walk_tree};
