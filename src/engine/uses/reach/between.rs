//! What reaches a set at one moment and did not at an earlier one.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::Instant;

use super::{Found, Start};
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use crate::history::{Between, FilesAt, index_states};
use asof_index::{FactSet, Progress};
use asof_model::NodeId;
use asof_wire::{Detail, DiffRequest, Guesses, ReachRequest, ReachResult, When};

impl Snapshot<'_> {
    /// As [`Snapshot::reach_sets`], of the items that reach a set now and did not at the earlier moment,
    /// or only by less certain paths. Items are followed across moves and renames; one that paths did
    /// not start from then, as it was not public or not there, is new.
    ///
    /// # Errors
    /// As [`Snapshot::reach_sets`], or `from` is later or of another database.
    pub fn new_reach(
        &self,
        from: &Snapshot<'_>,
        request: &ReachRequest,
    ) -> Result<ReachResult, EngineError> {
        let started = Instant::now();
        let later = self.find_ways(request)?;
        let earlier = match from.find_ways(request) {
            Ok(found) => Some(found),
            // What is asked about was not there.
            Err(EngineError::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        let Some(earlier) = earlier else {
            return self.answer_reach(started, request, &later, |_| true);
        };
        let all = DiffRequest {
            detail: Detail::All,
            guesses: Guesses::Show,
            limit: None,
            ..DiffRequest::default()
        };
        let diff = self.diff(from, &all)?;
        let renamed =
            diff.answer.items.iter().filter_map(|item| Some((item.id, item.previous_id?)));
        let before = Before {
            starts: earlier.starts.iter().copied().collect(),
            earlier: &earlier,
            renamed: renamed.collect(),
        };
        self.answer_reach(started, request, &later, |start| before.is_new(&later, start))
    }
}

/// The earlier moment.
struct Before<'e> {
    earlier: &'e Found,
    starts: BTreeSet<usize>,
    /// What items were before.
    renamed: HashMap<NodeId, NodeId>,
}

impl Before<'_> {
    fn is_new(&self, later: &Found, start: &Start) -> bool {
        let Some(node) = later.graph.nodes.get(start.number) else { return false };
        let id = self.renamed.get(&node.id).copied().unwrap_or(node.id);
        let number = self.earlier.graph.numbers.get(&(id, node.role)).copied();
        let Some(number) = number.filter(|number| self.starts.contains(number)) else {
            return true;
        };
        let best = self.earlier.ways.get(start.set).and_then(|ways| ways.best(number));
        best.is_none_or(|before| start.tier < before)
    }
}

impl Database {
    /// [`Snapshot::new_reach`] between two moments, the earlier one first; by their files if a commit is
    /// not imported.
    ///
    /// # Errors
    /// As [`Self::between`], or the moments are not in order.
    pub fn new_reach_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        request: &ReachRequest,
        progress: &dyn Progress,
    ) -> Result<ReachResult, EngineError> {
        match self.between(from, to, refresh)? {
            Between::Stored { earlier, later } => later.new_reach(&earlier, request),
            Between::Files { earlier, later } => {
                let root = self.need_root()?;
                Self::new_reach_files(root, Some(self), &earlier, &later, request, progress)
            }
        }
    }

    /// [`Snapshot::new_reach`] of two states of the files of a workspace that no database has. Both are
    /// indexed in memory.
    ///
    /// # Errors
    /// As [`Snapshot::new_reach`], and if a state cannot be read.
    pub fn new_reach_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        request: &ReachRequest,
        progress: &dyn Progress,
    ) -> Result<ReachResult, EngineError> {
        let (database, earlier, later) =
            index_states(root, known, earlier, later, FactSet::All, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.new_reach(&earlier, request)
    }
}
