//! Drafts of the files as they are now: made, made again, or carried over.

use std::collections::BTreeSet;
use std::time::Instant;

use super::busy::Busy;
use super::carry::carry;
use super::draft::{Draft, draft};
use super::options::EditOptions;
use super::target::{Files, Halt};
use crate::database::{Database, Snapshot, planned_paths};
use crate::error::EngineError;
use asof_edit::{EditRequest, Plan, Proposal};
use asof_index::{Options, Reread, Silent};
use asof_model::ErrorKind;
use asof_model::RawHash;
use asof_query::Queries;
use asof_store::WriteLock;
use asof_wire::ProposalStatus;

/// Names of phases, with milliseconds.
pub(super) type Phases = Vec<(&'static str, f64)>;

/// A draft with the snapshot that it was made at.
pub(super) type Drafted<'d> = (Draft, Snapshot<'d>);

impl Database {
    /// A draft for the files as they are now.
    pub(super) fn draft_now(
        &self,
        request: &EditRequest,
        options: &EditOptions,
        busy: &mut Busy,
    ) -> Result<(Draft, Snapshot<'_>, Phases), EngineError> {
        let started = Instant::now();
        self.recover_edits()?;
        let mut reread = BTreeSet::new();
        let mut verified = false;
        loop {
            let files = Reread::Files(reread.clone());
            self.refresh(&Options { reread: files, ..Options::default() }, &Silent)?;
            let snapshot = self.snapshot_as_is()?.under(options.configuration.clone())?;
            let refreshed = ms(started);
            match draft(&snapshot, request, options, Files::new(reread.clone()), None) {
                Ok(draft) => {
                    let phases = vec![("refresh", refreshed), ("plan", ms(started) - refreshed)];
                    return Ok((draft, snapshot, phases));
                }
                Err(Halt::Again { file_path }) => {
                    if !busy.again(&file_path) {
                        return Err(asof_index::IndexError::Unstable {
                            paths: busy.list_changes(),
                        }
                        .into());
                    }
                    reread.insert(file_path);
                }
                // A missing item may be in a file that only looks unchanged.
                Err(Halt::Error(error)) => {
                    let found = error.kind() != ErrorKind::NoMatch || verified;
                    verified = true;
                    if found || self.verify_files()?.is_empty() {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// The draft for the files as they are now: the one that there is, if they are as the proposal
    /// has them, or carried over to their bytes, or a new one.
    pub(super) fn as_found<'d>(
        &'d self,
        lock: &WriteLock<'_>,
        proposal: &Proposal,
        planned: &Plan,
        mut drafted: Option<Drafted<'d>>,
        options: &EditOptions,
        busy: &mut Busy,
    ) -> Result<Option<Drafted<'d>>, EngineError> {
        let mut plan = &proposal.plan;
        loop {
            let others = self.not_as_planned(plan)?;
            // Uses may have come in other files since it was stored.
            let stored = proposal.request.refactors() && drafted.is_none();
            if others.is_empty() && !stored {
                return Ok(drafted);
            }
            // An attempt that failed has counted them.
            if proposal.status == ProposalStatus::Planned {
                others.iter().for_each(|path| busy.saw(path));
            }
            if let Some((draft, snapshot)) = drafted.take() {
                let (request, at) = (&proposal.request, proposal.basis_at);
                if let Some(draft) = carry(&snapshot, request, options, draft, at) {
                    return Ok(Some((draft, snapshot)));
                }
                if !busy.rest() {
                    return Err(
                        asof_index::IndexError::Unstable { paths: busy.list_changes() }.into()
                    );
                }
            }
            match self.redraft(lock, proposal, planned, options, busy) {
                Ok(new) => plan = &drafted.insert(new).0.plan,
                Err(error) => {
                    self.count_changes_since_indexed(&others, busy)?;
                    return Err(error);
                }
            }
        }
    }

    /// Counts files that changed again after they were indexed.
    fn count_changes_since_indexed(
        &self,
        paths: &[String],
        busy: &mut Busy,
    ) -> Result<(), EngineError> {
        let snapshot = self.snapshot_as_is()?;
        let queries = Queries::at(snapshot.store(), snapshot.at());
        for path in paths {
            let bytes = asof_workspace::read_file(self.need_root()?, path, u64::MAX);
            let indexed = queries.file(path)?.map(|row| row.raw_hash);
            if indexed != bytes.ok().map(|bytes| RawHash::hash(&bytes)) {
                busy.saw(path);
            }
        }
        Ok(())
    }

    /// Plans the request again; its targets must be as planned.
    fn redraft(
        &self,
        lock: &WriteLock<'_>,
        proposal: &Proposal,
        planned: &Plan,
        options: &EditOptions,
        busy: &mut Busy,
    ) -> Result<Drafted<'_>, EngineError> {
        let options = EditOptions {
            rustfmt: planned.rustfmt,
            allow_broken: planned.allow_broken || options.allow_broken,
            configuration: planned.configuration.clone(),
            ..EditOptions::default()
        };
        let root = self.need_root()?;
        // The files are not as planned, so read them whatever their size and times say.
        let mut reread: BTreeSet<String> = planned_paths(planned);
        loop {
            let index_options =
                Options { reread: Reread::Files(reread.clone()), ..self.own_options() };
            asof_index::refresh_under(lock, &self.store, root, &index_options, &Silent)?;
            let snapshot = self.snapshot_as_is()?.under(options.configuration.clone())?;
            let earlier = Some((planned, proposal.basis_at));
            let files = Files::new(reread.clone());
            match draft(&snapshot, &proposal.request, &options, files, earlier) {
                Ok(draft) => return Ok((draft, snapshot)),
                Err(Halt::Again { file_path }) => {
                    if !busy.again(&file_path) {
                        return Err(asof_index::IndexError::Unstable {
                            paths: busy.list_changes(),
                        }
                        .into());
                    }
                    reread.insert(file_path);
                }
                Err(Halt::Error(error)) => return Err(error),
            }
        }
    }

    /// Files that are not as the plan found them.
    fn not_as_planned(&self, plan: &Plan) -> Result<Vec<String>, EngineError> {
        let root = self.need_root()?;
        let others = plan.files.iter().filter(|file| {
            let bytes = asof_workspace::read_file(root, &file.file_path, u64::MAX);
            match (&bytes, file.before_hash) {
                (Ok(bytes), Some(hash)) => RawHash::hash(bytes) != hash,
                (Err(_), None) => root.join(&file.file_path).exists(),
                _ => true,
            }
        });
        Ok(others.map(|file| file.file_path.clone()).collect())
    }
}

pub(super) fn ms(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}
