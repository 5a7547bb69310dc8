//! The files on disk after Git merged them: uses of one side in files that Git passed to no driver.

use std::collections::BTreeSet;
use std::time::Instant;

use super::operation::in_progress;
use super::states::{Settled, States};
use super::whole::MergedSides;
use super::worktree::edited;
use crate::database::{Database, STATE_DIR, repository};
use crate::error::EngineError;
use asof_edit::EditError;
use asof_edit::files::{AfterWrite, FileChange, Transaction, apply};
use asof_index::Progress;
use asof_merge::{has_markers, with_our_side};
use asof_model::{Micros, RawHash};
use asof_wire::{MergeOutcome, MergePrediction, MergeSummary, MergedFile};
use asof_workspace::{Commits, Disk, EditedFiles, Markers, SourceTree};

impl Database {
    /// Compares the files on disk with the sides of the merge that is going on, or that HEAD is, and
    /// writes the uses that follow what the other side does: all of them or none.
    ///
    /// # Errors
    /// No merge is going on and HEAD is none, something cannot be read, or a file changes meanwhile.
    pub fn finish_merge(&self, progress: &dyn Progress) -> Result<MergePrediction, EngineError> {
        let started = Instant::now();
        let root = self.need_root()?;
        let git = repository(root)?;
        let Some(MergedSides { ours, theirs, base }) = in_progress(&git)? else {
            return Err(EngineError::BadRequest {
                what: "no merge is going on, and HEAD is no merge of two commits".to_owned(),
                hint: "merge first".into(),
            });
        };
        let tree = git.merge(&ours, &theirs, &base)?;
        let commits = Commits::new(&git, root)?;
        let mut merged = edited(&commits.tree(&ours.commit)?, &Disk::open(root)?)?;
        let mut unsettled = BTreeSet::new();
        for (path, bytes) in &mut merged {
            if let Some(bytes) = bytes.as_mut().filter(|bytes| has_markers(bytes)) {
                // Names are compared without the conflicts, which are to be decided first.
                *bytes = with_our_side(bytes, &Markers::default());
                unsettled.insert(path.clone());
            }
        }
        let files: Vec<MergedFile> = unsettled
            .iter()
            .map(|path| MergedFile {
                file_path: path.clone(),
                outcome: MergeOutcome::Conflict,
                conflicts: 1,
                note: Some("it has conflict markers".to_owned()),
            })
            .collect();
        let (ours, theirs) = (&ours, &theirs);
        let states = States { root, known: Some(self), commits: &commits, ours, theirs, unsettled };
        let settled = states.settle(&merged, progress)?;
        self.write_adapted(&merged, &settled)?;
        let Settled { adapted, semantic, .. } = settled;
        let summary = MergeSummary {
            one_sided: tree.one.len(),
            clean: tree.both.len().saturating_sub(files.len()),
            resolved: 0,
            conflicts: files.len(),
            adapted: adapted.len(),
            semantic: semantic.len(),
        };
        Ok(MergePrediction {
            ours: ours.commit.clone(),
            theirs: theirs.commit.clone(),
            bases: tree.bases,
            summary,
            files,
            adapted: adapted.into_iter().collect(),
            semantic,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// Writes the files in which something follows the other side, if they are as they were read.
    fn write_adapted(&self, merged: &EditedFiles, settled: &Settled) -> Result<(), EngineError> {
        let root = self.need_root()?;
        let disk = Disk::open(root)?;
        let mut changes = Vec::new();
        for (path, after) in &settled.merged {
            if merged.get(path) == Some(after) {
                continue;
            }
            // What does not differ from our side is read here.
            let before = match merged.get(path) {
                Some(bytes) => bytes.clone(),
                None => disk.bytes(path, super::worktree::MAX_BYTES).ok(),
            };
            changes.push(FileChange {
                path: path.clone(),
                before: before.as_deref().map(RawHash::hash),
                after: after.clone(),
                ..FileChange::default()
            });
        }
        if changes.is_empty() {
            return Ok(());
        }
        let id = format!("merge-{}-{}", Micros::now().0, std::process::id());
        let order = Transaction { id, changes };
        apply(root, &root.join(STATE_DIR), &order, AfterWrite::Nothing).map_err(EditError::from)?;
        Ok(())
    }
}
