//! The log of operations: scans, edits, imports, restores, undo, dropped versions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Instant;

use super::walk::walk;
use crate::database::{Snapshot, is_moved};
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::Micros;
use asof_query::{Changes, LogFilter, Queries, Revision};
use asof_wire::{Event, HistoryRequest, Log, LogRequest, Operation, ResolveRequest, When};

impl Snapshot<'_> {
    /// The operations up to the snapshot's time, newest first.
    ///
    /// # Errors
    /// The path never named a file, folder or item, the time is before the first revision, or the
    /// store failed.
    pub fn log(&self, request: &LogRequest) -> Result<Log, EngineError> {
        self.need_history()?;
        let started = Instant::now();
        let queries = Queries::at(self.store(), self.at);
        let since = request.since.as_ref().map(|when| self.time_of(when)).transpose()?;
        let after = request.after.as_ref().map(|when| self.time_of(when)).transpose()?;
        let after = after.map(|after| Micros(after.0.saturating_add(1)));
        let filter = LogFilter {
            since: since.max(after),
            until: request.until.as_ref().map(|when| self.time_of(when)).transpose()?,
            actor: request.actor.clone(),
            cause: request.cause.clone(),
        };
        let revisions = match &request.path {
            // All of them, because the answer contains their number.
            None => queries.log(&filter, i64::MAX)?,
            Some(path) => {
                let times: Vec<Micros> = self.times_of(path)?.into_iter().collect();
                let mut found = Queries::revisions_at(self.store(), &times)?;
                found.retain(|revision| {
                    filter.since.is_none_or(|since| revision.at >= since)
                        && filter.until.is_none_or(|until| revision.at <= until)
                        && filter.actor.as_ref().is_none_or(|a| revision.actor.as_ref() == Some(a))
                        && filter.cause.as_ref().is_none_or(|c| revision.cause == *c)
                });
                found
            }
        };
        let shown = request.limit.map_or(revisions.len(), |limit| limit.min(revisions.len()));
        let times: Vec<Micros> = revisions.iter().take(shown).map(|r| r.at).collect();
        let changes = Queries::changes_at(self.store(), &times)?;
        let changes: BTreeMap<Micros, Changes> = changes.into_iter().map(|c| (c.at, c)).collect();
        let moved = self.moved_commits(&revisions)?;
        let clock = Micros::now();
        let start = Queries::history_start(self.store())?;
        let operations = revisions.into_iter().map(|revision| {
            let touched = changes.get(&revision.at);
            let known = self.floor.is_none_or(|floor| revision.at > floor);
            let count = |of: &dyn Fn(&Changes) -> usize| known.then(|| touched.map_or(0, of));
            let present_at_start = start == Some(revision.at);
            let event = Event::from(revision.clone());
            let of_item = present_at_start && request.path.is_some();
            Operation {
                present_at_start,
                committed: moved.get(&revision.at).map(Micros::to_string),
                clock: revision.clock.map(|clock| clock.to_string()),
                in_future: revision.at > clock,
                files: revision.files,
                added: count(&|c| c.added.len()),
                removed: count(&|c| c.removed.len()),
                changed: count(&|c| c.changed.len()),
                event: if of_item { event.without_author() } else { event },
            }
        });
        let operations = operations.collect();
        Ok(Log { answer: self.answer(started, operations, request.limit) })
    }

    /// Git's dates of commits whose revisions have another time.
    fn moved_commits(
        &self,
        revisions: &[Revision],
    ) -> Result<BTreeMap<Micros, Micros>, EngineError> {
        if revisions.iter().all(|revision| revision.commit.is_none()) {
            return Ok(BTreeMap::new());
        }
        let commits = Queries::git_commits(self.store())?.into_iter();
        let moved = commits.filter(|row| is_moved(row.at, row.committed));
        Ok(moved.map(|row| (row.at, row.committed)).collect())
    }

    /// The time as given, or that of the revision.
    pub(super) fn time_of(&self, when: &When) -> Result<Micros, EngineError> {
        match when {
            When::At(at) => Ok(*at),
            When::Ago(micros) => self.database.moment(*micros),
            When::Now | When::Newest => Ok(self.at),
            other => Ok(self.database.revision(other)?.1.unwrap_or(self.at)),
        }
    }

    /// Times at which a file, a folder or an item was touched.
    fn times_of(&self, path: &str) -> Result<BTreeSet<Micros>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let file = self.relative(path);
        let mut times = queries.file_times(&file, &format!("{file}\0"))?;
        if times.is_empty() && !path.contains("::") {
            // `0` follows `/` in the order of bytes.
            times = match file.as_str() {
                "" | "." => queries.file_times("", "\u{10ffff}")?,
                _ => queries.file_times(&format!("{file}/"), &format!("{file}0"))?,
            };
        }
        if !times.is_empty() {
            return Ok(times.into_iter().collect());
        }
        if !path.contains("::") && path.contains(['/', '.']) {
            return Err(EngineError::NotFound {
                what: format!("no revision changed a file or folder `{file}`"),
                hint: Hint::DescribeFile,
            });
        }
        let item = ResolveRequest::new(path);
        let (id, _) = self.now_or_ever(&HistoryRequest { item, ..HistoryRequest::default() })?;
        let mut found = BTreeSet::new();
        walk(&mut self.past(), id, self.at, &mut |_, step| {
            found.insert(step.at);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }
}
