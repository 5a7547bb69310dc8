//! Two states of a workspace merged as whole trees, in memory.

use std::collections::BTreeMap;
use std::path::Path;

use super::merged_file::describe;
use super::states::{Settled, States};
use crate::database::Database;
use crate::error::EngineError;
use asof_index::Progress;
use asof_merge::{merge_file, with_our_side};
use asof_wire::{MergeOutcome, MergedFile};
use asof_workspace::{
    Commits, EditedFiles, Git, Markers, MergeBase, MergeLabels, MergeSide, ThreeTexts, TreeMerge,
};

/// What is merged.
#[derive(Debug, Clone, Default)]
pub(super) struct MergedSides {
    pub ours: MergeSide,
    pub theirs: MergeSide,
    pub base: MergeBase,
}

/// See the module.
#[derive(Debug)]
pub(super) struct WholeMerge {
    pub tree: TreeMerge,
    /// The files that both sides change.
    pub files: Vec<MergedFile>,
    /// Files that differ from the commit of our side, before any name is adapted.
    pub merged: EditedFiles,
    pub settled: Settled,
}

/// Merges two states as Git does, files in conflict by items, and compares what names mean.
pub(super) fn merge_states(
    git: &Git,
    root: &Path,
    known: Option<&Database>,
    sides: &MergedSides,
    progress: &dyn Progress,
) -> Result<WholeMerge, EngineError> {
    let MergedSides { ours, theirs, base } = sides;
    let tree = git.merge(ours, theirs, base)?;
    let mut merged = tree.merged.clone();
    let files = merge_files(&tree, ours, theirs, &mut merged);
    let commits = Commits::new(git, root)?;
    let unsettled = files.iter().filter(|one| one.outcome == MergeOutcome::Conflict);
    let unsettled = unsettled.map(|one| one.file_path.clone()).collect();
    let states = States { root, known, commits: &commits, ours, theirs, unsettled };
    let settled = states.settle(&merged, progress)?;
    Ok(WholeMerge { tree, files, merged, settled })
}

/// The files that both sides change. Those in conflict are merged by items, and put into `merged`.
fn merge_files(
    tree: &TreeMerge,
    ours: &MergeSide,
    theirs: &MergeSide,
    merged: &mut EditedFiles,
) -> Vec<MergedFile> {
    let mut found: BTreeMap<String, MergedFile> = BTreeMap::new();
    for path in &tree.both {
        let file = MergedFile {
            file_path: path.clone(),
            outcome: MergeOutcome::Clean,
            conflicts: 0,
            note: None,
        };
        found.insert(path.clone(), file);
    }
    let markers = Markers {
        labels: MergeLabels {
            base: "base".to_owned(),
            ours: ours.label.clone(),
            theirs: theirs.label.clone(),
        },
        ..Markers::default()
    };
    for one in &tree.conflicts {
        let mut file = MergedFile {
            file_path: one.path.clone(),
            outcome: MergeOutcome::Conflict,
            conflicts: 1,
            note: Some(one.what.clone()),
        };
        if let Some([base, ours, theirs]) = one.texts.as_ref().filter(|_| one.path.ends_with(".rs"))
        {
            let result = merge_file(ThreeTexts { base, ours, theirs }, &markers);
            file = describe(one.path.clone(), &result);
            merged.insert(one.path.clone(), Some(result.bytes));
        }
        // Names are compared without the conflicts, which are to be decided first; so is a manifest.
        if let Some(Some(bytes)) = merged.get_mut(&one.path) {
            *bytes = with_our_side(bytes, &markers);
        }
        found.insert(one.path.clone(), file);
    }
    for path in &tree.outside {
        let file = MergedFile {
            file_path: path.clone(),
            outcome: MergeOutcome::Conflict,
            conflicts: 1,
            note: Some("it is not below the root".to_owned()),
        };
        found.insert(path.clone(), file);
    }
    found.into_values().collect()
}
