//! A transaction from its checks to its commit.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::patch::Patch;
use asof_model::RawHash;

use super::change::{Carried, Done, DoneFile, FileChange, Transaction};
use super::disk::{self, Look, Rights};
use super::error::FilesError;
use super::fault;
use super::folders;
use super::journal::{Journal, State, check_id, saved};
use super::lock;
use super::manifest::{Entry, Kind, Manifest, Stage, slice};
use super::path::{TEMPORARY, check_path};
use super::place::{Tree, split};
use super::recover;
use super::step::other_links;

/// Writes all files of a transaction, or none.
///
/// Unfinished transactions of processes that died are recovered first. Then every path is
/// checked ([`check_path`]), every file compared with its hash, and only then is anything
/// written; each file is compared again when it is replaced. `after` runs when all files
/// are in place, before the commit; if it fails, everything is rolled back and its error
/// returned. The module's documentation says what is guaranteed.
///
/// `root` is the workspace, `state_dir` the state folder, usually `.asof` in it.
///
/// # Errors
/// Any [`FilesError`]. No file is changed then, except for [`FilesError::Conflict`],
/// [`FilesError::Unfinished`] and [`FilesError::Unsettled`], which say what is.
pub fn apply(
    root: &Path,
    state_dir: &Path,
    tx: &Transaction,
    mut after: AfterWrite<'_>,
) -> Result<Done, FilesError> {
    check_id(&tx.id)?;
    let _lock = lock::acquire(state_dir, lock::PATIENCE)?;
    let recovered = recover::all(root, state_dir)?;
    let order = Order { id: &tx.id, changes: &tx.changes, rights: &[], emptied: &[] };
    let done = run(root, state_dir, &order, &mut after)?;
    Ok(Done { recovered, ..done })
}

/// Gives files the bytes and permissions that they had before the finished transaction `of`, as
/// a transaction `id` of its own, which can be undone in turn. Files that changed since get the
/// contents of their [`Carried`]. Folders that `of` created are removed if they are empty.
///
/// # Errors
/// [`FilesError::Changed`] if a file is not as `of` left it, or as its [`Carried`] found it,
/// [`FilesError::Unknown`] if the journal has no such transaction, and those of [`apply`].
pub fn undo(
    root: &Path,
    state_dir: &Path,
    of: &str,
    id: &str,
    carried: &[Carried],
) -> Result<Done, FilesError> {
    check_id(id)?;
    let _lock = lock::acquire(state_dir, lock::PATIENCE)?;
    let recovered = recover::all(root, state_dir)?;
    let (manifest, saved, rights) = saved(&Journal::open(state_dir)?, of)?;
    let changes = saved.files.into_iter().zip(&manifest.files).map(|(file, entry)| {
        match carried.iter().find(|one| one.path == file.path) {
            Some(one) => FileChange {
                path: file.path,
                before: Some(one.found),
                after: Some(one.bytes.clone()),
                mode_from: None,
                patch: Some(one.patch.clone()),
            },
            None => FileChange {
                path: file.path,
                before: file.after,
                after: file.bytes,
                mode_from: None,
                patch: entry.patch.as_ref().map(Patch::inverse),
            },
        }
    });
    let changes: Vec<FileChange> = changes.collect();
    let order = Order { id, changes: &changes, rights: &rights, emptied: &saved.folders };
    let done = run(root, state_dir, &order, &mut AfterWrite::Nothing)?;
    Ok(Done { recovered, ..done })
}

/// What runs when all files are in place.
#[allow(missing_debug_implementations, reason = "functions have none")]
pub enum AfterWrite<'a> {
    Nothing,
    Any(&'a mut dyn FnMut() -> Result<(), FilesError>),
    /// It runs a program that should leave the files as they are. If that changes them, its versions
    /// are kept aside and the files are rolled back: [`FilesError::Meddled`].
    Check(&'a mut dyn FnMut() -> Result<(), FilesError>),
}

/// The prepared work.
struct Order<'a> {
    id: &'a str,
    changes: &'a [FileChange],
    /// Rights of new files, by the index of their change.
    rights: &'a [Option<Rights>],
    /// Folders to remove if they are empty in the end.
    emptied: &'a [String],
}

/// A transaction whose files were checked.
struct Plan {
    manifest: Manifest,
    /// Old and new contents.
    bytes: Vec<u8>,
    tree: Tree,
    done: Vec<DoneFile>,
}

fn run(
    root: &Path,
    state_dir: &Path,
    order: &Order<'_>,
    after: &mut AfterWrite<'_>,
) -> Result<Done, FilesError> {
    let id = order.id;
    let journal = Journal::open(state_dir)?;
    if journal.has(id, State::Finished) || journal.has(id, State::Done) {
        return Err(FilesError::Applied { id: id.to_owned() });
    }
    let done = run_staged(root, state_dir, &journal, order, after, Stage::Journal);
    match done {
        Err(error) if error.is_of_another_file_system() => {
            run_staged(root, state_dir, &journal, order, after, Stage::Beside)
        }
        done => done,
    }
}

fn run_staged(
    root: &Path,
    state_dir: &Path,
    journal: &Journal,
    order: &Order<'_>,
    after: &mut AfterWrite<'_>,
    stage: Stage,
) -> Result<Done, FilesError> {
    let id = order.id;
    let mut plan = prepare(root, state_dir, order, stage)?;
    journal.prepare(&plan.manifest, &plan.bytes)?;
    let mut begun = 0;
    let opened = journal.file(id, State::Open).map(|folder| plan.tree.stage_in(folder));
    match opened.and_then(|()| write(&mut plan, journal, &mut begun, after)) {
        Ok(()) => {}
        Err(cause) => return Err(take_back(plan, journal, begun, cause)),
    }
    // Committed. If the cleanup fails, the next start repeats it.
    if point("after-commit").and_then(|()| recover::tidy(&mut plan.tree, &plan.manifest)).is_ok() {
        let _ = journal.rename(id, State::Done, State::Finished);
    }
    Ok(Done { id: id.to_owned(), files: plan.done, recovered: Vec::new() })
}

/// All checks that can be made before anything is written.
fn prepare(
    root: &Path,
    state_dir: &Path,
    order: &Order<'_>,
    stage: Stage,
) -> Result<Plan, FilesError> {
    let id = order.id;
    if order.changes.is_empty() {
        return Err(FilesError::bad("an edit without files"));
    }
    let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nonce = RawHash::hash(format!("{id} {} {}", at.as_nanos(), std::process::id()).as_bytes());
    let mut plan = Plan {
        manifest: Manifest {
            id: id.to_owned(),
            at: i64::try_from(at.as_micros()).unwrap_or(i64::MAX),
            folders: Vec::new(),
            emptied: order.emptied.to_vec(),
            files: Vec::new(),
        },
        bytes: Vec::new(),
        tree: Tree::open(root, state_dir)?,
        done: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    let mut folders_made = BTreeSet::new();
    for (index, change) in order.changes.iter().enumerate() {
        let path = check_path(root, &change.path)?;
        if !seen.insert(path.clone()) {
            return Err(FilesError::bad(format!("`{path}` is changed twice in one edit")));
        }
        let mut entry = Entry {
            before: change.before,
            after: change.after.as_deref().map(RawHash::hash),
            rights: None,
            new_rights: order.rights.get(index).copied().flatten(),
            temporary: format!("{TEMPORARY}{nonce}-{index}"),
            stage,
            old: None,
            new: None,
            patch: change.patch.clone(),
            path,
        };
        if let (None, None, Some(from)) = (entry.new_rights, entry.before, &change.mode_from) {
            entry.new_rights = rights_of(&mut plan.tree, &check_path(root, from)?)?;
        }
        let old = check(&mut plan.tree, &mut entry)?;
        if entry.kind() == Kind::Create {
            folders_made.extend(folders::missing(&mut plan.tree, &entry.path)?);
        }
        if let Look::File(seen) = &old {
            entry.old = Some(append(&mut plan.bytes, &seen.bytes));
        }
        if let Some(new) = &change.after {
            entry.new = Some(append(&mut plan.bytes, new));
        }
        plan.done.push(DoneFile {
            path: entry.path.clone(),
            before: entry.before,
            after: entry.after,
            hard_links: match entry.kind() {
                Kind::Modify | Kind::Delete => other_links(&old),
                Kind::Keep | Kind::Create => 0,
            },
        });
        plan.manifest.files.push(entry);
    }
    // In the order of text a folder comes before what is in it.
    plan.manifest.folders = folders_made.into_iter().collect();
    Ok(plan)
}

/// Compares a file with its hash, and checks whether it may be written.
fn check(tree: &mut Tree, entry: &mut Entry) -> Result<Look, FilesError> {
    let path = entry.path.clone();
    let read_only = |path: &str| FilesError::ReadOnly { path: path.to_owned() };
    let failed = |err| FilesError::at("look at", &path, err);
    let Some(place) = tree.place(&path)? else {
        if entry.before.is_some() {
            let expected = entry.before;
            return Err(FilesError::Changed { path, expected, found: None });
        }
        let mut dir = split(&path).0;
        while !dir.is_empty() && tree.dir(dir)?.is_none() {
            dir = split(dir).0;
        }
        match tree.dir(dir)? {
            Some(open) if !disk::writable(&open, None).map_err(failed)? => {
                return Err(read_only(if dir.is_empty() { "." } else { dir }));
            }
            _ => return Ok(Look::Nothing),
        }
    };
    let old = tree.spot(entry, place.clone()).expect_old()?;
    if entry.kind() == Kind::Create && disk::gives_to_new_files(&place.dir).map_err(failed)? {
        entry.stage = Stage::Beside;
    }
    if entry.kind() == Kind::Keep {
        return Ok(old);
    }
    if let Look::File(seen) = &old {
        entry.rights = Some(seen.rights);
        entry.new_rights = entry.after.and(Some(seen.rights));
        if !disk::writable(&place.dir, Some(&place.name)).map_err(failed)? {
            return Err(read_only(&path));
        }
    }
    if !disk::writable(&place.dir, None).map_err(failed)? {
        let dir = split(&path).0;
        return Err(read_only(if dir.is_empty() { "." } else { dir }));
    }
    Ok(old)
}

/// Rights of the file that another one is moved from.
fn rights_of(tree: &mut Tree, path: &str) -> Result<Option<Rights>, FilesError> {
    let Some(place) = tree.place(path)? else { return Ok(None) };
    match disk::look(&place).map_err(|err| FilesError::at("read", path, err))? {
        Look::File(seen) => Ok(Some(seen.rights)),
        _ => Ok(None),
    }
}

fn append(bytes: &mut Vec<u8>, piece: &[u8]) -> (u64, u64) {
    let at = (bytes.len() as u64, piece.len() as u64);
    bytes.extend_from_slice(piece);
    at
}

/// From the prepared journal to the commit. `begun` becomes the number of files that may have to
/// be rolled back.
fn write(
    plan: &mut Plan,
    journal: &Journal,
    begun: &mut usize,
    after: &mut AfterWrite<'_>,
) -> Result<(), FilesError> {
    let (manifest, tree) = (&plan.manifest, &mut plan.tree);
    point("after-prepare")?;
    folders::make(tree, &manifest.folders)?;
    let mut spots = Vec::new();
    for (index, entry) in manifest.files.iter().enumerate() {
        match tree.place(&entry.path)? {
            Some(place) => spots.push((index, tree.spot(entry, place))),
            None if entry.kind() == Kind::Keep && entry.before.is_none() => {}
            None => {
                let (path, expected) = (entry.path.clone(), entry.before);
                return Err(FilesError::Changed { path, expected, found: None });
            }
        }
    }
    for (_, spot) in &spots {
        if let (Kind::Modify | Kind::Create, Some(new)) =
            (spot.entry.kind(), slice(&plan.bytes, spot.entry.new))
        {
            spot.stage(new)?;
            point("after-stage")?;
        }
    }
    still_there(tree)?;
    for (index, spot) in &spots {
        let mut taken = false;
        let step = spot.forward(&mut taken);
        if taken {
            *begun = index + 1;
        }
        step?;
        point("after-step")?;
    }
    still_there(tree)?;
    point("after-steps")?;
    match after {
        AfterWrite::Nothing => {}
        AfterWrite::Any(job) => job()?,
        AfterWrite::Check(check) => {
            let said = check().err().map(Box::new);
            let written = spots.iter().filter(|(_, spot)| spot.entry.kind() != Kind::Keep);
            let changed = written.filter_map(|(_, spot)| match spot.is_written() {
                Ok(true) => None,
                Ok(false) => Some(Ok(spot.entry.path.clone())),
                Err(err) => Some(Err(err)),
            });
            let files = changed.collect::<Result<Vec<_>, _>>()?;
            match said {
                said if !files.is_empty() => {
                    return Err(FilesError::Meddled { files, said, kept: None });
                }
                Some(said) => return Err(*said),
                None => {}
            }
        }
    }
    point("after-write")?;
    spots.iter().try_for_each(|(_, spot)| spot.check_aside())?;
    let touched =
        folders::touched(manifest.files.iter().map(|entry| entry.path.as_str()), &manifest.folders);
    tree.sync(touched)?;
    point("before-commit")?;
    let committed = journal.step(&manifest.id, State::Open, State::Done);
    if committed.is_err() && journal.has(&manifest.id, State::Done) {
        // Renamed, but perhaps not on disk: without that promise there is no commit.
        journal.rename(&manifest.id, State::Done, State::Open)?;
    }
    committed
}

/// Fails if a folder was moved away while its files were written.
fn still_there(tree: &Tree) -> Result<(), FilesError> {
    match tree.paths().iter().find(|path| !tree.still_there(path)) {
        Some(path) => Err(FilesError::refused(path, "the folder was moved meanwhile")),
        None => Ok(()),
    }
}

fn point(name: &str) -> Result<(), FilesError> {
    fault::point(name).map_err(|err| FilesError::at("write", name, err))
}

/// Rolls back, and returns the error for the whole.
fn take_back(mut plan: Plan, journal: &Journal, begun: usize, cause: FilesError) -> FilesError {
    let meddled = match &cause {
        FilesError::Meddled { files, .. } => files.as_slice(),
        _ => &[],
    };
    let mut kept = None;
    let (manifest, bytes) = (&plan.manifest, plan.bytes.as_slice());
    let taken = recover::take_from_check(&mut plan.tree, journal, manifest, bytes, meddled);
    let back = taken
        .and_then(|folder| {
            kept = folder;
            recover::roll_back(&mut plan.tree, &plan.manifest, &plan.bytes, begun)
        })
        .and_then(|fates| recover::settle(journal, &plan.manifest, &plan.bytes, &fates));
    let cause = match cause {
        FilesError::Meddled { files, said, .. } => FilesError::Meddled { files, said, kept },
        cause => cause,
    };
    let cause = Box::new(cause);
    match back {
        Ok((None, _)) => *cause,
        Ok((Some(kept), files)) => FilesError::Conflict { cause, files, kept },
        Err(problem) => FilesError::Unfinished { cause, problem: Box::new(problem) },
    }
}
