//! What must hold for an edit of every use of an item to change nothing else, beside the meanings of
//! names that `super::proof` compares. Each file checks an obligation: what it finds open is a place
//! to look at, what is certainly broken is a reason to refuse.

mod candidates;
mod cargo_targets;
mod entry_points;
mod layout;
mod macro_words;
mod relative_files;

use std::collections::BTreeSet;

use super::group::Group;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use asof_edit::line_of;
use asof_wire::{Doubt, PlaceToLookAt};

pub(super) use candidates::{Scope, check_new_method_name, check_traits};
pub(super) use macro_words::{Words, check_carried_calls, check_moved_names, check_new_word};

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

/// A place that no rule rewrites.
fn place(file_path: &str, text: &str, byte: u32, reason: Doubt) -> PlaceToLookAt {
    PlaceToLookAt {
        file_path: file_path.to_owned(),
        line: line_of(text, byte),
        byte,
        reason,
        confidence: 0.0,
        rewritten: false,
    }
}

/// Folder of a path, without `/` at its end.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The manifests of the workspace.
fn manifests(snapshot: &Snapshot<'_>) -> Result<BTreeSet<String>, Halt> {
    let queries = asof_query::Queries::at(snapshot.store(), snapshot.at);
    let crates = queries.crates().map_err(crate::error::EngineError::from)?;
    Ok(crates
        .into_iter()
        .map(|krate| krate.manifest_path)
        .filter(|path| !path.is_empty())
        .collect())
}
