//! Planning, applying, denying and undoing proposals.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::EditOptions;
use super::draft::draft;
use super::report::{EditSummary, ProposalRow};
use super::target::Halt;
use crate::edit::files::{self, FileChange, FilesError, Transaction};
use crate::edit::{self, EditError, FileOp, Plan, Proposal, Request, StaleTarget, Status};
use crate::engine::answer::Basis;
use crate::engine::database::{Database, STATE_DIR, Snapshot};
use crate::engine::error::{EngineError, ErrorKind};
use crate::engine::moment::When;
use crate::index::{self, Cause, Options, Reread, Silent};
use crate::model::{Micros, RawHash, RevisionId};
use crate::query::Queries;
use crate::store::{Batch, WriteLock};
use crate::workspace;

/// Names of phases, and milliseconds.
type Phases = Vec<(&'static str, f64)>;

/// How often a draft is made anew because a file changed while it was made.
const ATTEMPTS: usize = 8;
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);
/// Finished transactions whose bytes are kept for undo.
const KEPT: usize = 256;
/// Lines of a failed check that are told.
const TOLD: usize = 40;

impl Database {
    /// Plans a request against the files as they are now, and stores it as a proposal.
    ///
    /// # Errors
    /// [`EngineError::Edit`] with what is wrong; nothing is stored then.
    pub fn plan_edit(
        &self,
        request: &Request,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let (proposal, basis, mut phases) = self.propose(request, options)?;
        let drafted = ms(started);
        let mut batch = Batch::new();
        edit::save(&mut batch, &proposal)?;
        self.store.commit(batch)?;
        phases.push(("store", ms(started) - drafted));
        let mut summary = EditSummary::new(&proposal.plan, Status::Planned, basis);
        summary.proposal_id = Some(proposal.id);
        summary.phases = phases;
        summary.ms = ms(started);
        Ok(summary)
    }

    /// A proposal that is not stored yet.
    fn propose(
        &self,
        request: &Request,
        options: &EditOptions,
    ) -> Result<(Proposal, Basis, Phases), EngineError> {
        let (plan, snapshot, phases) = self.draft_now(request, options)?;
        let created = Micros::now();
        let proposal = Proposal {
            id: proposal_id(request, created),
            status: Status::Planned,
            created,
            decided: None,
            actor: options.actor.clone(),
            reason: options.reason.clone(),
            basis: snapshot.basis.revision,
            basis_at: snapshot.at,
            revision: None,
            request: request.clone(),
            plan,
        };
        Ok((proposal, snapshot.basis, phases))
    }

    /// What a request would do; nothing is stored or written.
    pub fn try_edit(
        &self,
        request: &Request,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let (plan, snapshot, phases) = self.draft_now(request, options)?;
        let mut summary = EditSummary::new(&plan, Status::Planned, snapshot.basis);
        summary.phases = phases;
        summary.ms = ms(started);
        Ok(summary)
    }

    /// Plans a request and applies it.
    pub fn edit(
        &self,
        request: &Request,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        // It is stored when its files are about to be written, and not before: one commit less.
        let (proposal, _, phases) = self.propose(request, options)?;
        let waited = Instant::now();
        let lock = self.store.write_lock(PATIENCE)?;
        let phases = [phases, vec![("lock", ms(waited))]].concat();
        self.carry_out(lock, proposal, options, (started, phases))
    }

    /// Applies a proposal. A target that moved but is otherwise as it was planned is carried
    /// over; one that is not is refused. Afterwards NOW holds the edit.
    ///
    /// # Errors
    /// [`EngineError::Edit`]; every file is as it was then.
    pub fn apply_edit(&self, id: &str, options: &EditOptions) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        self.recover_edits()?;
        let lock = self.store.write_lock(PATIENCE)?;
        let proposal = edit::find(&self.store, id)?;
        let phases = vec![("lock", ms(started))];
        self.carry_out(lock, proposal, options, (started, phases))
    }

    /// Writes the files of a proposal, under the lock.
    fn carry_out(
        &self,
        lock: WriteLock<'_>,
        mut proposal: Proposal,
        options: &EditOptions,
        (started, mut phases): (Instant, Phases),
    ) -> Result<EditSummary, EngineError> {
        self.refuse_settled(&proposal)?;
        let root = self.need_root()?;
        let state = root.join(STATE_DIR);
        let mut last = ms(started);
        let mut lap = |name: &'static str, phases: &mut Phases| {
            let now = ms(started);
            phases.push((name, now - last));
            last = now;
        };
        let planned = proposal.plan.clone();
        for attempt in 1.. {
            if !self.is_as_planned(&proposal.plan)? {
                proposal.plan = self.redraft(&lock, &proposal, &planned, options, attempt)?;
            }
            lap("check", &mut phases);
            self.mark(&proposal.id)?;
            proposal.status = Status::Applying;
            self.store_proposal(&lock, &proposal)?;
            lap("note", &mut phases);
            let tx = transaction(&proposal.id, &proposal.plan);
            let mut check = || match &options.check {
                Some(command) => self.run_check(command).map_err(FilesError::after_write),
                None => Ok(()),
            };
            let outcome = files::apply(root, &state, &tx, &mut check);
            lap("write", &mut phases);
            match outcome {
                Ok(_) => break,
                Err(error) => {
                    if self.take_back(&lock, &mut proposal, &error)? && attempt < ATTEMPTS {
                        continue;
                    }
                    return Err(refusal(error, &proposal));
                }
            }
        }
        let said = (proposal.actor.clone(), proposal.reason.clone());
        let said = (
            options.actor.clone().or(said.0),
            options.reason.clone().or(said.1).or(Some(title(&proposal))),
        );
        let revision = self.settle(&lock, &mut proposal, Status::Applied, Cause::Edit, said)?;
        lap("index", &mut phases);
        drop(lock);
        let _ = files::prune(&state, KEPT);
        let snapshot = self.snapshot_as_is()?;
        let mut summary = EditSummary::new(&proposal.plan, Status::Applied, snapshot.basis);
        summary.proposal_id = Some(proposal.id);
        summary.revision = Some(revision);
        lap("answer", &mut phases);
        summary.phases = phases;
        summary.ms = ms(started);
        Ok(summary)
    }

    /// Takes a proposal back: its files get the bytes that they had before. Without an id, the
    /// one that was applied last.
    ///
    /// # Errors
    /// [`EditError::CannotUndo`] if a file is no longer as the edit left it.
    pub fn undo_edit(
        &self,
        id: Option<&str>,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let root = self.need_root()?;
        let state = root.join(STATE_DIR);
        self.recover_edits()?;
        let lock = self.store.write_lock(PATIENCE)?;
        let mut proposal = match id {
            Some(id) => edit::find(&self.store, id)?,
            None => {
                let all = edit::all(&self.store)?;
                let applied = all.into_iter().filter(|p| p.status == Status::Applied);
                applied.max_by_key(|p| p.decided).ok_or_else(|| EngineError::NotFound {
                    what: "no edit is applied that could be undone".to_owned(),
                    hint: "`asof edit list` shows the proposals".to_owned(),
                })?
            }
        };
        if proposal.status != Status::Applied {
            let what = format!("proposal {} is {} and", proposal.id, proposal.status.as_str());
            let files = vec!["only an applied one can be taken back".to_owned()];
            return Err(EditError::CannotUndo { what, files }.into());
        }
        self.mark(&proposal.id)?;
        proposal.status = Status::Undoing;
        self.store_proposal(&lock, &proposal)?;
        let undo_id = undo_id(&proposal.id);
        let outcome = files::undo(root, &state, &proposal.id, &undo_id, &mut || Ok(()));
        if let Err(error) = outcome {
            proposal.status = Status::Applied;
            self.store_proposal(&lock, &proposal)?;
            self.unmark();
            return Err(match error {
                FilesError::Changed { path, .. } => EditError::CannotUndo {
                    what: format!("proposal {}", proposal.id),
                    files: vec![path],
                }
                .into(),
                error => EditError::from(error).into(),
            });
        }
        let said = (
            options.actor.clone(),
            options.reason.clone().or(Some(format!("undo of {}", proposal.id))),
        );
        let revision = self.settle(&lock, &mut proposal, Status::Undone, Cause::Undo, said)?;
        drop(lock);
        let snapshot = self.snapshot_as_is()?;
        let mut summary = EditSummary::new(&proposal.plan, Status::Undone, snapshot.basis);
        let saved = files::previous(&state, &proposal.id).map_err(EditError::from)?;
        for file in &mut summary.files {
            std::mem::swap(&mut file.before_hash, &mut file.after_hash);
            let planned = proposal.plan.files.iter().find(|f| f.file_path == file.file_path);
            let before = saved.files.iter().find(|f| f.path == file.file_path);
            let before = before.and_then(|f| f.bytes.as_deref()).map(String::from_utf8_lossy);
            let after = planned.and_then(|f| f.after.as_deref());
            let name = Some(file.file_path.as_str());
            file.diff = edit::unified(
                (name.filter(|_| after.is_some()), after.unwrap_or_default()),
                (name.filter(|_| before.is_some()), before.as_deref().unwrap_or_default()),
            );
        }
        summary.proposal_id = Some(proposal.id);
        summary.revision = Some(revision);
        summary.ms = ms(started);
        Ok(summary)
    }

    /// Proposals, the newest first; one more than the limit is not read.
    pub fn proposals(&self, status: Option<Status>) -> Result<Vec<ProposalRow>, EngineError> {
        let all = edit::all(&self.store)?;
        let wanted = all.iter().filter(|p| status.is_none_or(|status| p.status == status));
        Ok(wanted.map(ProposalRow::from).collect())
    }

    /// A proposal with its diffs.
    pub fn proposal(&self, id: &str) -> Result<(ProposalRow, EditSummary), EngineError> {
        let proposal = edit::find(&self.store, id)?;
        let basis = self.snapshot_as_is()?.basis;
        let mut summary = EditSummary::new(&proposal.plan, proposal.status, basis);
        summary.revision = proposal.revision;
        summary.proposal_id = Some(proposal.id.clone());
        Ok((ProposalRow::from(&proposal), summary))
    }

    /// Refuses a planned proposal for good.
    pub fn deny_edit(&self, id: &str) -> Result<ProposalRow, EngineError> {
        let lock = self.store.write_lock(PATIENCE)?;
        let mut proposal = edit::find(&self.store, id)?;
        if proposal.status != Status::Planned {
            let status = proposal.status.as_str();
            return Err(EditError::Settled { id: proposal.id, status }.into());
        }
        proposal.status = Status::Denied;
        proposal.decided = Some(Micros::now());
        self.store_proposal(&lock, &proposal)?;
        Ok(ProposalRow::from(&proposal))
    }

    fn snapshot_as_is(&self) -> Result<Snapshot<'_>, EngineError> {
        let mut snapshot = self.snapshot(&When::Newest, false)?;
        snapshot.basis.freshness_state = crate::engine::answer::Freshness::Fresh;
        Ok(snapshot)
    }

    fn draft_now(
        &self,
        request: &Request,
        options: &EditOptions,
    ) -> Result<(Plan, Snapshot<'_>, Phases), EngineError> {
        let started = Instant::now();
        self.recover_edits()?;
        let mut unstable = String::new();
        let mut reread = BTreeSet::new();
        let mut verified = false;
        for _ in 0..ATTEMPTS {
            let files = Reread::Files(reread.clone());
            self.refresh(&Options { reread: files, ..Options::default() }, &Silent)?;
            let snapshot = self.snapshot_as_is()?;
            let refreshed = ms(started);
            match draft(&snapshot, request, options, None) {
                Ok(plan) => {
                    let phases = vec![("refresh", refreshed), ("plan", ms(started) - refreshed)];
                    return Ok((plan, snapshot, phases));
                }
                Err(Halt::Again { file_path }) => {
                    reread.insert(file_path.clone());
                    unstable = file_path;
                }
                // What is not there may be in a file that only looks unchanged.
                Err(Halt::Error(error)) => {
                    let found = error.kind() != ErrorKind::NoMatch || verified;
                    verified = true;
                    if found || self.verify_files()?.is_empty() {
                        return Err(error);
                    }
                }
            }
        }
        Err(index::IndexError::Unstable { paths: vec![unstable] }.into())
    }

    /// The plan made anew, its targets as they were planned.
    fn redraft(
        &self,
        lock: &WriteLock<'_>,
        proposal: &Proposal,
        planned: &Plan,
        options: &EditOptions,
        _attempt: usize,
    ) -> Result<Plan, EngineError> {
        let options = EditOptions {
            rustfmt: planned.rustfmt,
            allow_broken: planned.allow_broken || options.allow_broken,
            ..EditOptions::default()
        };
        let root = self.need_root()?;
        let mut unstable = String::new();
        // The files of the plan are not as planned: how they look is not believed.
        let mut reread: BTreeSet<String> = paths(planned);
        for _ in 0..ATTEMPTS {
            let index_options =
                Options { reread: Reread::Files(reread.clone()), ..self.own_options() };
            index::refresh_under(lock, &self.store, root, &index_options, &Silent)?;
            let snapshot = self.snapshot_as_is()?;
            let earlier = Some((planned, proposal.basis_at));
            match draft(&snapshot, &proposal.request, &options, earlier) {
                Ok(plan) => return Ok(plan),
                Err(Halt::Again { file_path }) => {
                    reread.insert(file_path.clone());
                    unstable = file_path;
                }
                Err(Halt::Error(error)) => return Err(error),
            }
        }
        Err(index::IndexError::Unstable { paths: vec![unstable] }.into())
    }

    /// Whether every file is as the plan found it.
    fn is_as_planned(&self, plan: &Plan) -> Result<bool, EngineError> {
        let root = self.need_root()?;
        Ok(plan.files.iter().all(|file| {
            let bytes = workspace::read_file(root, &file.file_path, u64::MAX);
            match (&bytes, file.before_hash) {
                (Ok(bytes), Some(hash)) => RawHash::of(bytes) == hash,
                (Err(_), None) => !root.join(&file.file_path).exists(),
                _ => false,
            }
        }))
    }

    fn refuse_settled(&self, proposal: &Proposal) -> Result<(), EngineError> {
        if proposal.status != Status::Planned {
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

    /// After a failed write: the proposal is planned again. True if only a file had changed.
    fn take_back(
        &self,
        lock: &WriteLock<'_>,
        proposal: &mut Proposal,
        error: &FilesError,
    ) -> Result<bool, EngineError> {
        proposal.status = Status::Planned;
        self.store_proposal(lock, proposal)?;
        self.unmark();
        Ok(matches!(error, FilesError::Changed { .. }))
    }

    /// Brings NOW up to date with what was written, and the proposal with it.
    pub(super) fn settle(
        &self,
        lock: &WriteLock<'_>,
        proposal: &mut Proposal,
        status: Status,
        cause: Cause,
        (actor, message): (Option<String>, Option<String>),
    ) -> Result<RevisionId, EngineError> {
        let reread = Reread::Files(paths(&proposal.plan));
        let options = Options { cause, actor, message, reread, ..self.own_options() };
        let root = self.need_root()?;
        let report = index::refresh_under(lock, &self.store, root, &options, &Silent)?;
        if let (Some(_), Some(at)) = (report.revision, report.at) {
            self.judge(lock, at)?;
        }
        let revision = match report.revision {
            Some(revision) => revision,
            // Files that hold no facts, or another process that was faster.
            None => {
                let (actor, message) = (options.actor.as_deref(), options.message.as_deref());
                let said = index::Said { actor, message, commit: None };
                index::record(lock, &self.store, cause, None, said)?.0
            }
        };
        proposal.status = status;
        proposal.decided = Some(Micros::now());
        proposal.revision = Some(revision);
        self.store_proposal(lock, proposal)?;
        self.unmark();
        Ok(revision)
    }

    pub(super) fn store_proposal(
        &self,
        lock: &WriteLock<'_>,
        proposal: &Proposal,
    ) -> Result<(), EngineError> {
        let mut batch = Batch::new();
        edit::save(&mut batch, proposal)?;
        lock.commit(batch)?;
        Ok(())
    }

    /// Runs the gate in the root; its output is told if it fails.
    fn run_check(&self, command: &str) -> Result<(), EditError> {
        let root = self.root.clone().unwrap_or_default();
        let mut shell = Command::new("sh");
        let run = shell.args(["-c", command]).current_dir(root).stdin(Stdio::null());
        let output = run.output();
        let (status, said) = match &output {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
                said.push_str(&String::from_utf8_lossy(&output.stderr));
                (output.status.to_string(), said)
            }
            Err(error) => (error.to_string(), String::new()),
        };
        let lines: Vec<&str> = said.lines().collect();
        let mut output = String::new();
        for line in lines.iter().skip(lines.len().saturating_sub(TOLD)) {
            let _ = write!(output, "\n  | {line}");
        }
        Err(EditError::CheckFailed { command: command.to_owned(), status, output })
    }
}

/// Paths of the files that a plan writes.
fn paths(plan: &Plan) -> BTreeSet<String> {
    plan.files.iter().map(|file| file.file_path.clone()).collect()
}

/// Id of the transaction that takes a proposal back.
pub(super) fn undo_id(id: &str) -> String {
    format!("{id}-undo")
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
    });
    Transaction { id: id.to_owned(), changes: changes.collect() }
}

/// Why a write was refused, in the terms of the edit.
fn refusal(error: FilesError, proposal: &Proposal) -> EngineError {
    match error {
        FilesError::Changed { path, found, .. } => EditError::Stale(Box::new(StaleTarget {
            subject: format!("proposal {}", proposal.id),
            file_path: path,
            reason: "a file changes again and again while it is edited".to_owned(),
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

/// What a proposal is about, in a line.
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

fn proposal_id(request: &Request, at: Micros) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&serde_json::to_vec(request).unwrap_or_default());
    hasher.update(&at.0.to_le_bytes());
    hasher.update(&std::process::id().to_le_bytes());
    hasher.finalize().to_hex().chars().take(12).collect()
}

fn ms(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}
