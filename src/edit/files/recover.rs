//! Recovery of transactions of processes that died: prepared ones are rolled back, committed ones
//! are cleaned up.

use std::path::{Path, PathBuf};

use super::change::{FileFate, Outcome, Recovered, RecoveredFile};
use super::error::FilesError;
use super::fault;
use super::folders;
use super::journal::{Journal, State, keep_text, lay_out};
use super::lock;
use super::manifest::{Kind, Manifest, slice};
use super::place::Tree;
use super::step::Back;

/// Whether there is something to recover. Lists a folder, without a lock: a living process may be
/// working on it.
///
/// # Errors
/// If the journal cannot be listed.
pub fn unfinished(state_dir: &Path) -> Result<bool, FilesError> {
    let listed = Journal::open(state_dir).and_then(|journal| journal.list()).map_err(unsettled)?;
    Ok(listed.iter().any(|(_, state)| state.is_unfinished()))
}

/// Recovers every unfinished transaction: afterwards the files of each are all old or all new.
/// Without one it only lists a folder. Waits for a process that is editing now.
///
/// # Errors
/// [`FilesError::Locked`] if that process takes too long, else the first failure. Finished
/// recoveries are kept, and the next call continues with the rest.
pub fn recover(root: &Path, state_dir: &Path) -> Result<Vec<Recovered>, FilesError> {
    if !unfinished(state_dir)? {
        return Ok(Vec::new());
    }
    let _lock = lock::acquire(state_dir, lock::PATIENCE).map_err(unsettled)?;
    all(root, state_dir)
}

/// Like [`recover`], but does not wait: `None` if a living process is editing.
///
/// # Errors
/// As [`recover`], without [`FilesError::Locked`].
pub fn try_recover(root: &Path, state_dir: &Path) -> Result<Option<Vec<Recovered>>, FilesError> {
    if !unfinished(state_dir)? {
        return Ok(Some(Vec::new()));
    }
    match lock::acquire(state_dir, std::time::Duration::ZERO) {
        Ok(_lock) => all(root, state_dir).map(Some),
        Err(FilesError::Locked { .. }) => Ok(None),
        Err(err) => Err(unsettled(err)),
    }
}

/// What was left by a process that died is still as it was.
fn unsettled(problem: FilesError) -> FilesError {
    match problem {
        // A foreign file does not belong to an edit of ours.
        FilesError::Locked { .. } | FilesError::NotOurs { .. } | FilesError::Unsettled { .. } => {
            problem
        }
        problem => FilesError::Unsettled { problem: Box::new(problem) },
    }
}

/// Recovers everything; the caller holds the lock.
pub(super) fn all(root: &Path, state_dir: &Path) -> Result<Vec<Recovered>, FilesError> {
    each(root, state_dir).map_err(unsettled)
}

fn each(root: &Path, state_dir: &Path) -> Result<Vec<Recovered>, FilesError> {
    let journal = Journal::open(state_dir)?;
    let mut recovered = Vec::new();
    for (id, state) in journal.list()?.into_iter().filter(|(_, state)| state.is_unfinished()) {
        point("recover")?;
        let (outcome, files) = match state {
            State::Open | State::Done => match journal.read(&id, state) {
                Ok((manifest, bytes)) => {
                    let mut tree = Tree::open(root, state_dir)?;
                    tree.stage_in(journal.file(&id, state)?);
                    if state == State::Open {
                        undo_prepared(&mut tree, &journal, &manifest, &bytes)?
                    } else {
                        tidy(&mut tree, &manifest)?;
                        journal.rename(&id, State::Done, State::Finished)?;
                        (Outcome::Completed, Vec::new())
                    }
                }
                Err(FilesError::Damaged { reason, .. }) => {
                    let kept = journal.set_aside(&id, state, State::Damaged)?;
                    (Outcome::Damaged { kept, reason }, Vec::new())
                }
                Err(err) => return Err(err),
            },
            // Deletion starts when all files are settled: there is nothing to report.
            State::Gone => {
                journal.delete(&id, state)?;
                continue;
            }
            _ => {
                journal.delete(&id, state)?;
                (Outcome::Discarded, Vec::new())
            }
        };
        recovered.push(Recovered { id, outcome, files });
    }
    Ok(recovered)
}

fn undo_prepared(
    tree: &mut Tree,
    journal: &Journal,
    manifest: &Manifest,
    bytes: &[u8],
) -> Result<(Outcome, Vec<RecoveredFile>), FilesError> {
    let fates = roll_back(tree, manifest, bytes, manifest.files.len())?;
    let (kept, _) = settle(journal, manifest, bytes, &fates)?;
    let files = manifest.files.iter().zip(&fates);
    let files = files.map(|(entry, &fate)| RecoveredFile { path: entry.path.clone(), fate });
    let outcome = kept.map_or(Outcome::RolledBack, |kept| Outcome::Conflict { kept });
    Ok((outcome, files.collect()))
}

/// Restores all files, from the last to the first, and syncs them to disk. Files from `begun` on
/// were certainly not replaced yet; only what was staged for them is removed.
pub(super) fn roll_back(
    tree: &mut Tree,
    manifest: &Manifest,
    bytes: &[u8],
    begun: usize,
) -> Result<Vec<FileFate>, FilesError> {
    let mut fates = Vec::new();
    for (index, entry) in manifest.files.iter().enumerate().rev() {
        let back = match tree.place(&entry.path) {
            Ok(Some(place)) => {
                let spot = tree.spot(entry, place);
                if index < begun { spot.back(slice(bytes, entry.old))? } else { spot.unstage()? }
            }
            // A folder that was never created, or that somebody moved away or replaced with a link.
            Ok(None) | Err(FilesError::Refused { .. }) => match entry.kind() {
                Kind::Create | Kind::Keep => Back::Old,
                Kind::Modify | Kind::Delete if index < begun => Back::Conflict,
                Kind::Modify | Kind::Delete => Back::Theirs,
            },
            Err(err) => return Err(err),
        };
        fates.push(match back {
            Back::Old => FileFate::Old,
            Back::Theirs => FileFate::Theirs,
            Back::Conflict => FileFate::Conflict,
        });
        point("after-back")?;
    }
    fates.reverse();
    folders::remove_empty(tree, &manifest.folders)?;
    let files = manifest.files.iter().map(|entry| entry.path.as_str());
    for dir in folders::touched(files, &manifest.folders) {
        match tree.sync([dir]) {
            Err(FilesError::Refused { .. }) => {}
            other => other?,
        }
    }
    point("after-backs")?;
    Ok(fates)
}

/// Moves away a check's versions of these files before the rollback. Returns their folder, which is
/// beside the journal.
pub(super) fn take_from_check(
    tree: &mut Tree,
    journal: &Journal,
    manifest: &Manifest,
    bytes: &[u8],
    paths: &[String],
) -> Result<Option<PathBuf>, FilesError> {
    let mut kept = None;
    for (index, entry) in manifest.files.iter().enumerate() {
        if !paths.contains(&entry.path) {
            continue;
        }
        let Some(place) = tree.place(&entry.path)? else { continue };
        let mut keep = |text: &[u8]| {
            let folder = match kept.take() {
                Some(folder) => folder,
                None => journal.folder_of_check(&manifest.id)?,
            };
            let written = keep_text(&folder, index, text);
            kept = Some(folder);
            written
        };
        tree.spot(entry, place).take_from_check(slice(bytes, entry.old), &mut keep)?;
    }
    Ok(kept.map(|folder| folder.path().to_owned()))
}

/// Ends the journal of a transaction that was rolled back: deletes it, or keeps it if there were
/// conflicts. Returns where, and the files in conflict.
pub(super) fn settle(
    journal: &Journal,
    manifest: &Manifest,
    bytes: &[u8],
    fates: &[FileFate],
) -> Result<(Option<PathBuf>, Vec<String>), FilesError> {
    let conflicts: Vec<usize> = fates
        .iter()
        .enumerate()
        .filter(|(_, fate)| **fate == FileFate::Conflict)
        .map(|(index, _)| index)
        .collect();
    if conflicts.is_empty() {
        journal.delete(&manifest.id, State::Open)?;
        return Ok((None, Vec::new()));
    }
    lay_out(&journal.path(&manifest.id, State::Open), manifest, bytes, &conflicts);
    let kept = journal.set_aside(&manifest.id, State::Open, State::Conflict)?;
    let paths = conflicts.iter().filter_map(|&index| manifest.files.get(index));
    Ok((Some(kept), paths.map(|entry| entry.path.clone()).collect()))
}

/// Removes the temporary files of a committed transaction, and folders that it has emptied.
pub(super) fn tidy(tree: &mut Tree, manifest: &Manifest) -> Result<(), FilesError> {
    for entry in &manifest.files {
        match tree.place(&entry.path) {
            Ok(Some(place)) => tree.spot(entry, place).tidy()?,
            Ok(None) | Err(FilesError::Refused { .. }) => {}
            Err(err) => return Err(err),
        }
        point("mid-tidy")?;
    }
    folders::remove_empty(tree, &manifest.emptied)
}

fn point(name: &str) -> Result<(), FilesError> {
    fault::point(name).map_err(|err| FilesError::at("recover", name, err))
}
