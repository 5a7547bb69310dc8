//! What the merge of two states of a workspace would be.

use std::path::Path;
use std::time::Instant;

use super::states::Settled;
use super::whole::{MergedSides, WholeMerge, merge_states};
use super::worktree::{disk_side, named_side};
use crate::database::{Database, repository};
use crate::error::EngineError;
use asof_index::Progress;
use asof_wire::{MergeOutcome, MergePrediction, MergeRequest, MergeSummary};
use asof_workspace::{DriverSetup, MergeBase};

impl Database {
    /// Makes a command the merge driver of the repository around a root.
    ///
    /// # Errors
    /// There is no repository, or its files cannot be written.
    pub fn install_merge_driver(root: &Path, command: &str) -> Result<DriverSetup, EngineError> {
        Ok(repository(root)?.install_merge_driver(command)?)
    }

    /// Undoes [`Self::install_merge_driver`].
    ///
    /// # Errors
    /// There is no repository, or its files cannot be written.
    pub fn uninstall_merge_driver(root: &Path) -> Result<DriverSetup, EngineError> {
        Ok(repository(root)?.uninstall_merge_driver()?)
    }

    /// [`Self::predict_merge`] in the workspace of this database.
    ///
    /// # Errors
    /// As [`Self::predict_merge`], or the database has no root.
    pub fn merge_prediction(
        &self,
        request: &MergeRequest,
        progress: &dyn Progress,
    ) -> Result<MergePrediction, EngineError> {
        Self::predict_merge(self.need_root()?, Some(self), request, progress)
    }

    /// What merging a commit or another worktree would be. Nothing is written.
    ///
    /// # Errors
    /// The root is in no repository, a name means nothing, the two have no ancestor in common, or
    /// something cannot be read.
    pub fn predict_merge(
        root: &Path,
        known: Option<&Self>,
        request: &MergeRequest,
        progress: &dyn Progress,
    ) -> Result<MergePrediction, EngineError> {
        let started = Instant::now();
        let git = repository(root)?;
        let mut ours = match &request.ours {
            Some(name) => named_side(&git, root, name)?,
            None => disk_side(root)?,
        };
        if request.ours.is_none() {
            ours.label = "ours".to_owned();
        }
        let theirs = named_side(&git, root, &request.theirs)?;
        let sides = MergedSides { ours, theirs, base: MergeBase::Common };
        let WholeMerge { tree, files, settled, .. } =
            merge_states(&git, root, known, &sides, progress)?;
        let Settled { adapted, semantic, .. } = settled;
        let count = |outcome| files.iter().filter(|one| one.outcome == outcome).count();
        let summary = MergeSummary {
            one_sided: tree.one.len(),
            clean: count(MergeOutcome::Clean),
            resolved: count(MergeOutcome::Resolved),
            conflicts: count(MergeOutcome::Conflict),
            adapted: adapted.len(),
            semantic: semantic.len(),
        };
        Ok(MergePrediction {
            ours: request.ours.clone().unwrap_or_else(|| "the files on disk".to_owned()),
            theirs: request.theirs.clone(),
            bases: tree.bases.clone(),
            summary,
            files,
            adapted: adapted.into_iter().collect(),
            semantic,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }
}
