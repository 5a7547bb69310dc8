//! Reverts an applied edit below later ones.

use std::path::Path;
use std::time::Instant;

use super::apply::PATIENCE;
use super::busy::Busy;
use super::drafts::ms;
use super::options::EditOptions;
use super::report;
use crate::database::{Database, STATE_DIR, UNDO, undo_id, unsettled};
use crate::error::EngineError;
use asof_edit::files::{self, Carried, FileOutcome, FilesError};
use asof_edit::{Conflict, EditError, Patch, Proposal, ProposalStatus, Step};
use asof_index::Cause;
use asof_model::Hint;
use asof_model::RawHash;
use asof_query::Queries;
use asof_wire::EditSummary;

/// A file before and after an undo; `None` if it does not exist.
struct Undone {
    path: String,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

impl Database {
    /// Reverts a proposal and keeps later changes elsewhere in its files. Without an id, reverts
    /// the last one that the actor of the options applied.
    ///
    /// # Errors
    /// [`EditError::CannotUndo`] if later changes overlap with the edit.
    pub fn undo_edit(
        &self,
        id: Option<&str>,
        options: &EditOptions,
    ) -> Result<EditSummary, EngineError> {
        let started = Instant::now();
        let root = self.need_root()?;
        let state = root.join(STATE_DIR);
        let lock = self.lock_to_write(PATIENCE)?;
        let mut proposal = match id {
            Some(id) => asof_edit::find(&self.store, id)?,
            None => newest_of(asof_edit::all(&self.store)?, options.actor.as_deref())?,
        };
        if proposal.status == ProposalStatus::Undone {
            let by = self.undone_by(&proposal)?;
            return Err(EditError::AlreadyUndone { id: proposal.id, by }.into());
        }
        if proposal.status != ProposalStatus::Applied {
            let what = format!("proposal {} is {} and", proposal.id, proposal.status.as_str());
            let files = vec!["only an applied proposal can be undone".to_owned()];
            return Err(EditError::CannotUndo { what, files }.into());
        }
        let mut busy = Busy::start();
        let undone = loop {
            let (carried, undone) = match self.carried(&proposal) {
                Ok(found) => found,
                Err(error) => {
                    if proposal.status == ProposalStatus::Undoing {
                        self.give_up(&lock, &mut proposal, ProposalStatus::Applied);
                    }
                    return Err(error);
                }
            };
            // Once: another attempt writes nothing between reading a file and exchanging it.
            if proposal.status == ProposalStatus::Applied {
                self.begin(&lock, &mut proposal, ProposalStatus::Undoing)?;
            }
            let undo_id = undo_id(&proposal.id);
            let outcome = files::undo(root, &state, &proposal.id, &undo_id, &carried);
            let Err(error) = outcome else { break undone };
            if matches!(&error, FilesError::Changed { path, .. } if busy.again(path)) {
                continue;
            }
            self.give_up(&lock, &mut proposal, ProposalStatus::Applied);
            match error {
                FilesError::Changed { path, .. } => {
                    let what = format!("proposal {}", proposal.id);
                    let files =
                        vec![format!("{path} changes again and again{}", busy.message_end())];
                    return Err(EditError::CannotUndo { what, files }.into());
                }
                error => return Err(failed(error, &proposal)),
            }
        };
        let actor = options.actor.clone();
        let message = options.reason.clone().or(Some(format!("undo of {}", proposal.id)));
        let revision = self
            .settle(&lock, &mut proposal, ProposalStatus::Undone, Cause::Undo, actor, message)
            .map_err(|error| unsettled(&proposal, "undone", error))?;
        drop(lock);
        let snapshot =
            self.snapshot_as_is().map_err(|error| unsettled(&proposal, "undone", error))?;
        let mut summary = report::summary(&proposal.plan, ProposalStatus::Undone, snapshot.basis);
        for file in &mut summary.files {
            let Some(texts) = undone.iter().find(|one| one.path == file.file_path) else {
                continue;
            };
            let hash = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(RawHash::hash);
            (file.before_hash, file.after_hash) = (hash(&texts.before), hash(&texts.after));
            file.diff = diff(texts);
        }
        summary.warnings = undone.iter().filter_map(broken).collect();
        summary.proposal_id = Some(proposal.id);
        summary.revision = Some(revision);
        summary.ms = ms(started);
        Ok(summary)
    }

    /// The undo of a proposal in words: its revision, time and actor.
    fn undone_by(&self, proposal: &Proposal) -> Result<Option<String>, EngineError> {
        let Some(at) = proposal.decided else { return Ok(None) };
        let Some(id) = proposal.revision else { return Ok(Some(format!("an undo at {at}"))) };
        let found = Queries::revisions_between(&self.store, at, at)?;
        let actor = found.into_iter().find(|row| row.id == id).and_then(|row| row.actor);
        let of = actor.map(|actor| format!(" of {actor}")).unwrap_or_default();
        let id: String = id.to_string().chars().take(8).collect();
        Ok(Some(format!("revision {id}{of} at {at}")))
    }

    /// The files of a proposal after the undo, and how those changed since are merged.
    fn carried(&self, proposal: &Proposal) -> Result<(Vec<Carried>, Vec<Undone>), EngineError> {
        let root = self.need_root()?;
        let state = root.join(STATE_DIR);
        let saved =
            files::previous(&state, &proposal.id).map_err(|error| failed(error, proposal))?;
        let (mut carried, mut undone, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for file in saved.files {
            let now = match root.join(&file.path).symlink_metadata() {
                Ok(_) => asof_workspace::read_file(root, &file.path, u64::MAX).ok(),
                Err(_) => None,
            };
            let path = file.path;
            if now.as_deref().map(RawHash::hash) == file.after {
                undone.push(Undone { path, before: now, after: file.bytes });
                continue;
            }
            let gone = |what: &str| format!("{path} was {what} since");
            let (now, old) = match (now, file.after, file.bytes) {
                (Some(now), Some(_), Some(old)) => (now, old),
                (Some(_), None, _) => {
                    refused.push(gone("made again"));
                    continue;
                }
                (Some(_), Some(_), None) => {
                    refused.push(gone("changed"));
                    continue;
                }
                (None, _, _) => {
                    refused.push(gone("removed"));
                    continue;
                }
            };
            match Self::under(&state, &proposal.id, &path, &old, &now) {
                Ok((bytes, patch)) => {
                    let found = RawHash::hash(&now);
                    let after = Some(bytes.clone());
                    undone.push(Undone { path: path.clone(), before: Some(now), after });
                    carried.push(Carried { path, found, bytes, patch });
                }
                Err(Under::Overlap(conflict)) => {
                    refused.push(self.conflict_message(&path, &now, &conflict))
                }
                Err(Under::Failed(error)) => return Err(failed(error, proposal)),
            }
        }
        if refused.is_empty() {
            Ok((carried, undone))
        } else {
            let what = format!("proposal {}", proposal.id);
            Err(EditError::CannotUndo { what, files: refused }.into())
        }
    }

    /// The text of a file if an edit is reverted below later changes, and what is replaced in the
    /// present text.
    fn under(
        state: &Path,
        id: &str,
        path: &str,
        old: &[u8],
        now: &[u8],
    ) -> Result<(Vec<u8>, Patch), Under> {
        let texts = files::texts(state, id, path)?;
        let new = kept(texts.after, id)?;
        let outcomes = files::since(state, id, path)?;
        let own = texts.patch.filter(|patch| patch.leads(old, &new));
        let own = own.unwrap_or_else(|| Patch::between(old, &new));
        let steps = steps(state, path, &new, outcomes, now)?;
        let there = asof_edit::carry(&own, &steps).map_err(Under::Overlap)?;
        let bytes = there.taken_from(now, &own, old, &new);
        let bytes =
            bytes.ok_or_else(|| Under::Overlap(Conflict { id: None, ranges: there.targets() }))?;
        Ok((bytes, there.inverse()))
    }

    /// The place of a conflicting later change, and who made it.
    fn conflict_message(&self, path: &str, now: &[u8], conflict: &Conflict) -> String {
        let line = |byte: u64| {
            let before = now.get(..byte as usize).unwrap_or(now);
            1 + before.iter().filter(|byte| **byte == b'\n').count()
        };
        let places = conflict.ranges.iter().map(|(from, to)| {
            let (first, last) = (line(*from), line(to.saturating_sub(1).max(*from)));
            if first == last { format!("{path}:{first}") } else { format!("{path}:{first}-{last}") }
        });
        let places = places.collect::<Vec<_>>().join(", ");
        let Some(id) = &conflict.id else {
            return format!("{places} (changed by another program)");
        };
        let (of, how) = match id.strip_suffix(UNDO) {
            Some(of) => (of, "the undo of proposal"),
            None => (id.as_str(), "proposal"),
        };
        let later = asof_edit::find(&self.store, of).ok();
        let whose = later.and_then(|p| p.actor).map(|actor| format!(" of {actor}"));
        format!("{places} (changed by {how} {of}{})", whose.unwrap_or_default())
    }
}

/// Converts an error of the journal into one of an undo.
fn failed(error: FilesError, proposal: &Proposal) -> EngineError {
    match error {
        FilesError::Unknown { .. } => EditError::NotKept { id: proposal.id.clone() }.into(),
        error => EditError::from(error).into(),
    }
}

/// Why an edit cannot be reverted below later changes.
enum Under {
    Overlap(Conflict),
    Failed(FilesError),
}

impl From<FilesError> for Under {
    fn from(error: FilesError) -> Self {
        Self::Failed(error)
    }
}

/// The changes from the text that an edit left to the present one: later edits from their
/// journals, changes by other programs by comparing texts.
fn steps(
    state: &Path,
    path: &str,
    new: &[u8],
    outcomes: Vec<FileOutcome>,
    now: &[u8],
) -> Result<Vec<Step>, FilesError> {
    let mut steps = Vec::new();
    let (mut hash, end) = (RawHash::hash(new), RawHash::hash(now));
    // The text, if it had to be read.
    let mut text = Some(new.to_vec());
    let mut rest = outcomes.as_slice();
    let between =
        |from: &[u8], to: &[u8]| Step { id: None, undoes: None, patch: Patch::between(from, to) };
    while hash != end {
        // The last one that started from this text: earlier ones were reverted.
        let next = rest.iter().rposition(|outcome| outcome.before == Some(hash));
        let Some(at) = next.or(if rest.is_empty() { None } else { Some(0) }) else {
            let from = match text.take() {
                Some(text) => text,
                None => before_or_after(state, path, &outcomes, hash)?,
            };
            steps.push(between(&from, now));
            break;
        };
        let Some(outcome) = rest.get(at) else { break };
        rest = rest.get(at + 1..).unwrap_or_default();
        // A file that was removed or created in between has no text to follow.
        let (Some(before), Some(after)) = (outcome.before, outcome.after) else { continue };
        if before != hash {
            let from = match text.take() {
                Some(text) => text,
                None => before_or_after(state, path, &outcomes, hash)?,
            };
            let to = kept(files::texts(state, &outcome.id, path)?.before, &outcome.id)?;
            steps.push(between(&from, &to));
        }
        let patch = match &outcome.patch {
            Some(patch) => {
                text = None;
                patch.clone()
            }
            None => {
                let texts = files::texts(state, &outcome.id, path)?;
                let to = kept(texts.after, &outcome.id)?;
                let patch = Patch::between(&kept(texts.before, &outcome.id)?, &to);
                text = Some(to);
                patch
            }
        };
        let undoes = outcome.id.strip_suffix(UNDO).map(str::to_owned);
        steps.push(Step { id: Some(outcome.id.clone()), undoes, patch });
        hash = after;
    }
    Ok(steps)
}

/// The text with this hash, from the journal of the edit that left it.
fn before_or_after(
    state: &Path,
    path: &str,
    outcomes: &[FileOutcome],
    hash: RawHash,
) -> Result<Vec<u8>, FilesError> {
    let left = outcomes.iter().find(|outcome| outcome.after == Some(hash));
    let id = left.map_or("", |outcome| outcome.id.as_str());
    kept(files::texts(state, id, path)?.after, id)
}

/// A text that the journal of an edit has to have: an empty one would be a change that nobody made.
fn kept(text: Option<Vec<u8>>, id: &str) -> Result<Vec<u8>, FilesError> {
    text.ok_or_else(|| FilesError::Unknown { id: id.to_owned() })
}

/// The newest applied proposal of an actor.
fn newest_of(all: Vec<Proposal>, actor: Option<&str>) -> Result<Proposal, EngineError> {
    let applied: Vec<Proposal> =
        all.into_iter().filter(|p| p.status == ProposalStatus::Applied).collect();
    let mut actors: Vec<String> = applied
        .iter()
        .map(|p| p.actor.clone().unwrap_or_else(|| "nobody named".to_owned()))
        .collect();
    actors.sort();
    actors.dedup();
    let own = applied.into_iter().filter(|p| p.actor.as_deref() == actor);
    own.max_by_key(|p| p.decided).ok_or_else(|| EngineError::NotFound {
        what: match (actor, actors.is_empty()) {
            (_, true) => "there is no applied edit to undo".to_owned(),
            (Some(actor), _) => format!("there is no applied edit of `{actor}` to undo"),
            (None, _) => "there is no applied edit without an actor to undo".to_owned(),
        },
        hint: if actors.is_empty() { Hint::ListProposals } else { Hint::UndoOf(actors) },
    })
}

fn diff(file: &Undone) -> String {
    let text = |bytes: &Option<Vec<u8>>| {
        bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let (before, after) = (text(&file.before), text(&file.after));
    let name = Some(file.path.as_str());
    asof_edit::unified(
        name.filter(|_| before.is_some()),
        before.as_deref().unwrap_or_default(),
        name.filter(|_| after.is_some()),
        after.as_deref().unwrap_or_default(),
    )
}

/// Warns that a file no longer parses.
fn broken(file: &Undone) -> Option<String> {
    let parses = |bytes: &Option<Vec<u8>>| {
        let bytes = bytes.as_deref()?;
        Some(!asof_syntax::parse_file_isolated(&file.path, bytes).partial)
    };
    let rust = file.path.ends_with(".rs");
    let breaks = rust && parses(&file.before) == Some(true) && parses(&file.after) == Some(false);
    breaks.then(|| format!("{} no longer parses", file.path))
}
