//! Dropping old versions. Answers at the floor and later do not change; earlier moments are
//! refused.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::cached_commits;
use super::handle::{Database, STATE_DIR};
use crate::error::EngineError;
use asof_edit::EditError;
use asof_edit::files::{self, Retention};
use asof_index::Cause;
use asof_model::Hint;
use asof_model::{Micros, TextHash};
use asof_query::Queries;
use asof_store::{Batch, Params, Relation, RowsOf, Value};
use asof_wire::{GcReport, ProposalStatus};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Relations whose versions name texts.
const NAME_TEXTS: [&str; 3] = ["file", "document", "layout"];

/// Whether to drop old versions or only count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GcMode {
    /// Drop them.
    Drop,
    /// Count them.
    Count,
}

/// Which versions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The state at this time and everything later.
    Since(Micros),
    /// This many of the newest revisions.
    Revisions(usize),
}

impl Database {
    /// Drops versions that are not visible at the floor or later.
    ///
    /// # Errors
    /// There is no such revision, or another process is writing.
    pub fn gc(&self, keep: Keep, mode: GcMode) -> Result<GcReport, EngineError> {
        let dry_run = mode == GcMode::Count;
        let started = Instant::now();
        let lock = match mode {
            GcMode::Drop => self.lock_to_write(PATIENCE)?,
            GcMode::Count => self.store.write_lock(PATIENCE)?,
        };
        let floor = self.floor_of(keep)?;
        let size =
            || self.store.path().and_then(|path| path.metadata().ok()).map_or(0, |m| m.len());
        let mut report = GcReport {
            floor: floor.to_string(),
            dry_run,
            bytes_before: size(),
            ..GcReport::default()
        };
        if !dry_run {
            // Set the floor first: a run that dies now leaves extra versions, but no half-correct
            // answers.
            asof_index::set_floor(&lock, &self.store, floor)?;
        }
        let dropped =
            |relation: &&Relation| relation.versioned || relation.rows == Some(RowsOf::Step);
        for relation in Relation::all().filter(dropped) {
            let count = if dry_run {
                self.store.count_hidden(relation.name, floor)?
            } else {
                self.store.prune_versions(&lock, relation.name, floor)?
            };
            if count > 0 {
                report.versions.insert(relation.name.to_owned(), count);
            }
        }
        if !dry_run {
            let mut batch = Batch::new();
            if report.versions.keys().any(|name| NAME_TEXTS.contains(&name.as_str())) {
                report.texts = self.remove_unnamed_texts(&mut batch)?;
            }
            report.imports = self.remove_gone_scip(&mut batch)?;
            report.edits = self.prune_edits(&mut batch, floor)?;
            lock.commit(batch)?;
            self.discard_history(&lock)?;
            if let Some(root) = self.root() {
                cached_commits::clear(root);
            }
            self.store.compact_if_sparse(&lock)?;
        }
        report.bytes_after = size();
        report.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(report)
    }

    /// Drops the undo data of edits up to the floor: the states before them are gone.
    fn prune_edits(&self, batch: &mut Batch, floor: Micros) -> Result<usize, EngineError> {
        let Some(root) = self.root() else { return Ok(0) };
        let keep = Retention { since: floor.0, ..Retention::default() };
        let count = files::prune(&root.join(STATE_DIR), &keep).map_err(EditError::from)?;
        for mut proposal in asof_edit::all(&self.store)? {
            let old = proposal.decided.is_some_and(|at| at <= floor);
            if old && proposal.status == ProposalStatus::Applied {
                proposal.plan = proposal.plan.without_texts();
                asof_edit::save(batch, &proposal)?;
            }
        }
        Ok(count)
    }

    /// Time before which queries are refused; `None` if nothing was dropped.
    pub fn floor(&self) -> Result<Option<Micros>, EngineError> {
        Ok(asof_index::floor(&self.store)?)
    }

    fn floor_of(&self, keep: Keep) -> Result<Micros, EngineError> {
        let nothing = || EngineError::NotFound {
            what: "there is no revision to keep".to_owned(),
            hint: Hint::ListRevisions,
        };
        let all = Queries::revisions_between(&self.store, Micros(i64::MIN), Micros(i64::MAX))?;
        // Revisions of this command hold no facts, so that repeating a request keeps the same ones.
        let all: Vec<_> = all.into_iter().filter(|r| r.cause != Cause::Gc.as_str()).collect();
        let at = match keep {
            Keep::Since(time) => all.iter().rev().find(|r| r.at <= time).or(all.first()),
            Keep::Revisions(0) => None,
            Keep::Revisions(count) => all.get(all.len().saturating_sub(count)),
        };
        let at = at.map(|revision| revision.at).ok_or_else(nothing)?;
        // What is already dropped does not come back.
        Ok(self.floor()?.map_or(at, |floor| floor.max(at)))
    }

    /// Removes texts that no version of a file or container refers to. Those that differ from one
    /// of them become whole.
    fn remove_unnamed_texts(&self, batch: &mut Batch) -> Result<usize, EngineError> {
        let ask = |name: &str| asof_query::run(&self.store, name, Params::new());
        let mut named: BTreeSet<String> =
            ask("gc/texts_of_files")?.column::<String>("text_hash")?.into_iter().collect();
        for row in ask("gc/texts_of_layouts")?.iter() {
            let Value::List(children) = row.get::<Value>("children")? else { continue };
            for child in children {
                if let Value::List(cells) = child
                    && let Some(Value::Json(place)) = cells.get(1)
                {
                    let texts = place.as_array().into_iter().flatten();
                    named.extend(texts.filter_map(|cell| cell.as_str().map(str::to_owned)));
                }
            }
        }
        let all = ask("gc/texts")?;
        let mut removed = 0;
        let mut orphans: Vec<TextHash> = Vec::new();
        for row in all.iter() {
            let (hash, base): (String, Option<String>) = (row.get("hash")?, row.get("base")?);
            if !named.contains(&hash) {
                batch.remove("text", [hash.into()])?;
                removed += 1;
            } else if base.is_some_and(|base| !named.contains(&base)) {
                orphans.extend(hash.parse::<TextHash>());
            }
        }
        asof_index::make_whole(&self.store, &orphans, batch)?;
        Ok(removed)
    }
}
