//! What must hold for an edit of every use of an item to change nothing else, beside the meanings of
//! names that `super::proof` compares. Each file checks an obligation: what it finds open is a place
//! to look at, what is certainly broken is a reason to refuse.

mod candidates;
mod cargo_targets;
mod entry_points;
mod layout;
mod macro_words;
mod manifests;
mod places;
mod relative_files;
mod relative_paths;

use super::group::Group;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};

pub(super) use candidates::{Scope, check_new_member_name, check_traits};
pub(super) use entry_points::check_renamed as check_entry_points;
pub(super) use macro_words::{
    Macros, Words, check_carried_calls, check_moved_names, check_new_word,
};
pub(super) use places::place;
pub(super) use relative_paths::check_relative_paths;

/// Checks the files that move with an edit, and the files that its texts name.
pub(super) fn check_files(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    out: &mut Refactored,
) -> Result<(), Halt> {
    relative_files::check(snapshot, files, out)?;
    cargo_targets::check(snapshot, out)
}

/// Checks what the deletion of a group takes from others without naming it.
pub(super) fn check_deletion(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    out: &mut Refactored,
) -> Result<(), Halt> {
    entry_points::check(snapshot, files, group, out)?;
    layout::check(snapshot, files, group, out)
}
