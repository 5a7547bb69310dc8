//! Plans, applies, denies and undoes proposals.

use std::time::{Duration, Instant};

use super::busy::Busy;
use super::check;
use super::drafts::{Drafted, Phases, ms};
use super::options::EditOptions;
use super::report;
use crate::database::{Database, Refresh, STATE_DIR, Snapshot, unsettled};
use crate::error::EngineError;
use asof_edit::files::{self, AfterWrite, FileChange, FilesError, Transaction};
use asof_edit::{EditError, Plan, Proposal};
use asof_index::Cause;
use asof_model::{Micros, OrNever};
use asof_query::Queries;
use asof_store::{Batch, WriteLock};
use asof_wire::{
    EditRequest, EditSummary, FileOp, Freshness, ProposalRow, ProposalStatus, StaleTarget, When,
};

/// What the phases of an edit take.
struct Clock {
    started: Instant,
    last: f64,
    phases: Phases,
}

impl Clock {
    fn new(started: Instant, phases: Phases) -> Self {
        Self { started, last: ms(started), phases }
    }

    fn lap(&mut self, name: &'static str) {
        let now = ms(self.started);
        let took = now - self.last;
        // Once for all attempts.
        match self.phases.iter_mut().find(|(known, _)| *known == name) {
            Some((_, ms)) => *ms += took,
            None => self.phases.push((name, took)),
        }
        self.last = now;
    }
}

fn timings(phases: Phases) -> Vec<(String, f64)> {
    phases.into_iter().map(|(name, ms)| (name.to_owned(), ms)).collect()
}

/// How long to wait for another process that writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

impl Database {
    /// Plans a request against the files as they are now, and stores it as a proposal.
    ///
    /// # Errors
    /// [`EngineError::Edit`]; nothing is stored then.
    pub fn plan_edit(
        &self,
        request: &EditRequest,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let (draft, snapshot, mut phases) = self.draft_now(request, options, &mut Busy::start())?;
        let proposal = proposed(request, options, &snapshot, draft.plan);
        let drafted = ms(started);
        let mut batch = Batch::new();
        asof_edit::save(&mut batch, &proposal)?;
        self.store.commit(batch)?;
        phases.push(("store", ms(started) - drafted));
        let status = ProposalStatus::Planned;
        let mut summary = report::summary(&proposal.plan, status, snapshot.basis);
        summary.proposal_id = Some(proposal.id);
        summary.phases = timings(phases);
        summary.ms = ms(started);
        Ok(summary)
    }

    /// Shows what a request would do; nothing is stored or written.
    pub fn try_edit(
        &self,
        request: &EditRequest,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let (draft, snapshot, phases) = self.draft_now(request, options, &mut Busy::start())?;
        let mut summary = report::summary(&draft.plan, ProposalStatus::Planned, snapshot.basis);
        summary.phases = timings(phases);
        summary.ms = ms(started);
        Ok(summary)
    }

    /// Plans a request and applies it.
    pub fn edit(
        &self,
        request: &EditRequest,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        // It is stored only when its files are about to be written, which saves a commit.
        let mut busy = Busy::start();
        let (draft, snapshot, phases) = self.draft_now(request, options, &mut busy)?;
        let proposal = proposed(request, options, &snapshot, draft.plan.clone());
        let waited = Instant::now();
        let lock = self.store.write_lock(PATIENCE)?;
        let phases = [phases, vec![("lock", ms(waited))]].concat();
        let clock = Clock::new(started, phases);
        self.carry_out(lock, proposal, Some((draft, snapshot)), busy, options, clock)
    }

    /// Applies a proposal. A target that moved unchanged since it was planned is followed; one that
    /// changed is refused. Afterwards NOW includes the edit.
    ///
    /// # Errors
    /// [`EngineError::Edit`]; no file is changed then.
    pub fn apply_edit(&self, id: &str, options: &EditOptions) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let lock = self.lock_to_write(PATIENCE)?;
        let proposal = asof_edit::find(&self.store, id)?;
        let phases = vec![("lock", ms(started))];
        let clock = Clock::new(started, phases);
        self.carry_out(lock, proposal, None, Busy::start(), options, clock)
    }

    /// Writes the files of a proposal, under the lock. Its draft, if there is one, is carried over
    /// in memory when a file changes.
    fn carry_out<'d>(
        &'d self,
        lock: WriteLock<'_>,
        mut proposal: Proposal,
        mut drafted: Option<Drafted<'d>>,
        mut busy: Busy,
        options: &EditOptions,
        mut clock: Clock,
    ) -> Result<EditSummary, EngineError> {
        self.refuse_settled(&proposal)?;
        let root = self.need_root()?;
        let state = root.join(STATE_DIR);
        let planned = proposal.plan.clone();
        loop {
            match self.as_found(&lock, &proposal, &planned, drafted, options, &mut busy) {
                Ok(now) => drafted = now,
                Err(error) => {
                    if proposal.status == ProposalStatus::Applying {
                        self.give_up(&lock, &mut proposal, ProposalStatus::Planned);
                    }
                    return Err(counted(error, &busy));
                }
            }
            if let Some((draft, _)) = &drafted {
                proposal.plan.clone_from(&draft.plan);
            }
            clock.lap("check");
            // Once: an attempt that fails is followed by one that writes nothing between reading a
            // file and exchanging it, except the journal.
            if proposal.status == ProposalStatus::Planned {
                if options.actor.is_some() {
                    proposal.actor.clone_from(&options.actor);
                }
                self.begin(&lock, &mut proposal, ProposalStatus::Applying)?;
            }
            clock.lap("note");
            let tx = transaction(&proposal.id, &proposal.plan);
            let gate = options.check.as_ref();
            let mut check =
                gate.map(|gate| || check::run(gate, root).map_err(FilesError::after_write));
            let after =
                check.as_mut().map_or(AfterWrite::Nothing, |check| AfterWrite::Check(check));
            let outcome = files::apply(root, &state, &tx, after);
            clock.lap("write");
            match outcome {
                Ok(_) => break,
                Err(FilesError::Changed { path, .. }) if busy.again(&path) => {}
                Err(error) => {
                    self.give_up(&lock, &mut proposal, ProposalStatus::Planned);
                    return Err(refusal(error, &proposal, options, &busy));
                }
            }
        }
        let mut warnings = Vec::new();
        if options.check.is_some() {
            let edited = |path: &String| proposal.plan.files.iter().any(|f| f.file_path == *path);
            let stale = asof_index::stale_files(&self.store, root)
                .map_err(|error| unsettled(&proposal, "applied", error.into()))?;
            let others = stale.into_iter().filter(|path| !edited(path)).collect::<Vec<_>>();
            if !others.is_empty() {
                let others = others.join(", ");
                warnings.push(format!("changed while the check ran, and kept: {others}"));
            }
        }
        let actor = proposal.actor.clone();
        let reason = options.reason.clone().or(proposal.reason.clone());
        let message = reason.or(Some(title(&proposal)));
        let unsettled = |proposal: &Proposal, error| unsettled(proposal, "applied", error);
        let revision = self
            .settle(&lock, &mut proposal, ProposalStatus::Applied, Cause::Edit, actor, message)
            .map_err(|error| unsettled(&proposal, error))?;
        clock.lap("index");
        drop(lock);
        let _ = files::prune(&state, &files::Retention::default());
        let snapshot = self.snapshot_as_is().map_err(|error| unsettled(&proposal, error))?;
        let mut summary = report::summary(&proposal.plan, ProposalStatus::Applied, snapshot.basis);
        summary.warnings.extend(warnings);
        summary.proposal_id = Some(proposal.id);
        summary.revision = Some(revision);
        clock.lap("answer");
        summary.phases = timings(clock.phases);
        summary.ms = ms(clock.started);
        Ok(summary)
    }

    /// Proposals, newest first.
    pub fn proposals(
        &self,
        status: Option<ProposalStatus>,
    ) -> Result<Vec<ProposalRow>, EngineError> {
        let all = asof_edit::all(&self.store)?;
        let wanted = all.iter().filter(|p| status.is_none_or(|status| p.status == status));
        Ok(wanted.map(report::proposal_row).collect())
    }

    /// A proposal with its diffs.
    pub fn proposal(&self, id: &str) -> Result<(ProposalRow, EditSummary), EngineError> {
        let proposal = asof_edit::find(&self.store, id)?;
        let basis = self.snapshot_as_is()?.basis;
        let mut summary = report::summary(&proposal.plan, proposal.status, basis);
        summary.revision = proposal.revision;
        summary.proposal_id = Some(proposal.id.clone());
        Ok((report::proposal_row(&proposal), summary))
    }

    /// Rejects a planned proposal for good.
    pub fn deny_edit(&self, id: &str) -> Result<ProposalRow, EngineError> {
        let lock = self.lock_to_write(PATIENCE)?;
        let mut proposal = asof_edit::find(&self.store, id)?;
        if proposal.status != ProposalStatus::Planned {
            let status = proposal.status.as_str();
            return Err(EditError::Settled { id: proposal.id, status }.into());
        }
        proposal.status = ProposalStatus::Denied;
        proposal.decided = Some(Micros::now());
        self.store_proposal(&lock, &proposal)?;
        Ok(report::proposal_row(&proposal))
    }

    pub(super) fn snapshot_as_is(&self) -> Result<Snapshot<'_>, EngineError> {
        let mut snapshot = self.snapshot(&When::Newest, Refresh::Skip)?;
        snapshot.basis.freshness_state = Freshness::Fresh;
        Ok(snapshot)
    }

    fn refuse_settled(&self, proposal: &Proposal) -> Result<(), EngineError> {
        if proposal.status != ProposalStatus::Planned {
            let (id, status) = (proposal.id.clone(), proposal.status.as_str());
            return Err(EditError::Settled { id, status }.into());
        }
        let restored = Queries::restored_after(&self.store, proposal.basis_at)?;
        match restored.last() {
            Some(at) => {
                let (id, restored) = (proposal.id.clone(), at.to_string());
                Err(EditError::BeforeRestore { id, restored }.into())
            }
            None => Ok(()),
        }
    }
}

/// A proposal that is not stored yet.
fn proposed(
    request: &EditRequest,
    options: &EditOptions,
    snapshot: &Snapshot<'_>,
    plan: Plan,
) -> Proposal {
    let created = Micros::now();
    Proposal {
        id: proposal_id(request, created),
        status: ProposalStatus::Planned,
        created,
        decided: None,
        actor: options.actor.clone(),
        reason: options.reason.clone(),
        basis: snapshot.basis.revision,
        basis_at: snapshot.at,
        revision: None,
        request: request.clone(),
        plan,
    }
}

fn transaction(id: &str, plan: &Plan) -> Transaction {
    let changes = plan.files.iter().map(|file| FileChange {
        path: file.file_path.clone(),
        before: file.before_hash,
        after: file.after.as_ref().map(|text| text.clone().into_bytes()),
        mode_from: match &file.op {
            FileOp::RenameFrom { from } => Some(from.clone()),
            _ => None,
        },
        patch: file.patch.clone(),
    });
    Transaction { id: id.to_owned(), changes: changes.collect() }
}

/// Adds to a stale target which files changed how often.
fn counted(mut error: EngineError, busy: &Busy) -> EngineError {
    if let EngineError::Edit(EditError::Stale(stale)) = &mut error {
        stale.reason.push_str(&busy.message_end());
    }
    error
}

/// Converts an error of the file layer into one of the edit.
fn refusal(
    error: FilesError,
    proposal: &Proposal,
    options: &EditOptions,
    busy: &Busy,
) -> EngineError {
    match error {
        FilesError::Meddled { files, said, kept } => EditError::CheckChanged {
            command: options.check.as_ref().map(|check| check.command.clone()).unwrap_or_default(),
            files,
            said: said.map(|said| said.to_string()),
            kept,
        }
        .into(),
        FilesError::Changed { path, found, .. } => EditError::Stale(Box::new(StaleTarget {
            subject: format!("proposal {}", proposal.id),
            file_path: path,
            reason: format!(
                "a file changes again and again while it is edited{}",
                busy.message_end()
            ),
            span: None,
            tracking_hash: None,
            file_hash: found.map(|hash| hash.to_string()),
            diff: String::new(),
        }))
        .into(),
        FilesError::AfterWrite(error) => match error.downcast::<EditError>() {
            Ok(error) => (*error).into(),
            Err(error) => EditError::from(FilesError::AfterWrite(error)).into(),
        },
        error => EditError::from(error).into(),
    }
}

/// Title of a proposal, in one line.
fn title(proposal: &Proposal) -> String {
    let subjects: Vec<String> =
        proposal.request.edits.iter().map(|e| format!("{} {}", e.mode(), e.subject())).collect();
    match subjects.as_slice() {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} more", rest.len())
        }
        few => few.join(", "),
    }
}

fn proposal_id(request: &EditRequest, at: Micros) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&serde_json::to_vec(request).or_never("a request has a JSON form"));
    hasher.update(&at.0.to_le_bytes());
    hasher.update(&std::process::id().to_le_bytes());
    hasher.finalize().to_hex().chars().take(12).collect()
}
