//! Three files, as Git gives them to a merge driver.

use std::path::{Path, PathBuf};

use crate::error::EngineError;
use asof_files::plain::{Links, read};
use asof_merge::{FileMerge, MergedBy, merge_file};
use asof_wire::{MergeOutcome, MergedFile};
use asof_workspace::{Markers, ThreeTexts};

/// The largest file that is merged, bytes.
const MAX_BYTES: u64 = 256 << 20;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverFiles {
    pub base: PathBuf,
    pub ours: PathBuf,
    pub theirs: PathBuf,
    /// What the file is called in the workspace.
    pub path: String,
}

/// Merges three files. The result is in the answer; nothing is written.
///
/// # Errors
/// A file cannot be read.
pub fn merge_driver(
    files: &DriverFiles,
    markers: &Markers,
) -> Result<(MergedFile, Vec<u8>), EngineError> {
    let bytes = |path: &Path| {
        read(path, MAX_BYTES, Links::Follow).map_err(|error| EngineError::Io {
            action: "read",
            path: path.to_owned(),
            source: error.into(),
        })
    };
    let (base, ours, theirs) = (bytes(&files.base)?, bytes(&files.ours)?, bytes(&files.theirs)?);
    let texts = ThreeTexts { base: &base, ours: &ours, theirs: &theirs };
    let merged = merge_file(texts, markers);
    Ok((describe(files.path.clone(), &merged), merged.bytes))
}

/// A merged file in the terms of an answer.
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
