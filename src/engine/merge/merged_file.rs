//! A merged file in the terms of an answer.

use asof_merge::{FileMerge, MergedBy};
use asof_wire::{MergeOutcome, MergedFile};

/// See the module.
pub(super) fn describe(file_path: String, merged: &FileMerge) -> MergedFile {
    let outcome = match merged.by {
        _ if !merged.is_clean() => MergeOutcome::Conflict,
        MergedBy::Items => MergeOutcome::Resolved,
        _ => MergeOutcome::Clean,
    };
    let unparsed = merged
        .unparsed
        .map(|side| format!("{} does not parse: it is merged by lines", side.as_str()));
    let twice = merged
        .twice
        .iter()
        .map(|one| format!("both sides add the {} `{}` (line {})", one.kind, one.name, one.line));
    let notes: Vec<String> = unparsed.into_iter().chain(twice).collect();
    MergedFile {
        file_path,
        outcome,
        conflicts: merged.conflicts + merged.twice.len(),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    }
}
