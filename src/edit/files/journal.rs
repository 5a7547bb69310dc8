//! The folder of journals. The state of a transaction is the name of its folder, so that every
//! change of state is one rename.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::change::{Passage, Saved, SavedFile, Texts};
use super::disk::{self, Rights};
use super::error::FilesError;
use super::fault;
use super::lock;
use super::manifest::{Manifest, slice};

/// Folder of the journals within that of our state.
const JOURNAL: &str = "journal";
const BYTES: &str = "bytes";
const MANIFEST: &str = "manifest";
const MAX_ID: usize = 64;

/// State of a transaction, as the suffix of its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Being written; means nothing.
    New,
    /// Prepared: files may be touched.
    Open,
    /// Committed; temporary files may be left.
    Done,
    /// Committed and tidy.
    Finished,
    /// Being deleted.
    Gone,
    /// Rolled back but for what others changed.
    Conflict,
    /// Unreadable.
    Damaged,
}

impl State {
    const ALL: [Self; 7] = [
        Self::New,
        Self::Open,
        Self::Done,
        Self::Finished,
        Self::Gone,
        Self::Conflict,
        Self::Damaged,
    ];

    fn suffix(self) -> &'static str {
        match self {
            Self::New => ".new",
            Self::Open => ".open",
            Self::Done => ".done",
            Self::Finished => "",
            Self::Gone => ".gone",
            Self::Conflict => ".conflict",
            Self::Damaged => ".damaged",
        }
    }

    /// Whether recovery has something to do.
    pub fn is_unfinished(self) -> bool {
        matches!(self, Self::New | Self::Open | Self::Done | Self::Gone)
    }
}

/// The journals of a workspace.
#[derive(Debug)]
pub(super) struct Journal {
    dir: PathBuf,
}

/// Refuses ids that could be anything but a plain name of a folder.
pub(super) fn check_id(id: &str) -> Result<(), FilesError> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if id.is_empty() || id.len() > MAX_ID || !plain {
        return Err(FilesError::bad(format!(
            "`{}` is no id: expected 1 to {MAX_ID} letters, digits, `-` and `_`",
            id.chars().take(80).collect::<String>().escape_debug()
        )));
    }
    Ok(())
}

impl Journal {
    /// The journals of this state, whether or not there are any.
    pub fn of(state_dir: &Path) -> Result<Self, FilesError> {
        let dir = state_dir.join(JOURNAL);
        match fs::symlink_metadata(&dir) {
            Ok(meta) if !meta.is_dir() => Err(FilesError::Damaged {
                path: dir,
                reason: "it is a link or a file, and should be a folder".to_owned(),
            }),
            _ => Ok(Self { dir }),
        }
    }

    pub fn path(&self, id: &str, state: State) -> PathBuf {
        self.dir.join(format!("{id}{}", state.suffix()))
    }

    pub fn has(&self, id: &str, state: State) -> bool {
        fs::symlink_metadata(self.path(id, state)).is_ok()
    }

    /// All journals, by name; what else lies there is left out.
    pub fn list(&self) -> Result<Vec<(String, State)>, FilesError> {
        let failed = |err| FilesError::io("list", &self.dir, err);
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(err) => return Err(failed(err)),
        };
        let mut found = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            let Some(name) = name.to_str() else { continue };
            let (id, suffix) = name.find('.').map_or((name, ""), |at| name.split_at(at));
            let state = State::ALL.into_iter().find(|state| state.suffix() == suffix);
            if let Some(state) = state
                && check_id(id).is_ok()
            {
                found.push((id.to_owned(), state));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.suffix().cmp(b.1.suffix())));
        Ok(found)
    }

    /// Writes a journal and makes it count: afterwards it is [`State::Open`], on disk.
    pub fn prepare(&self, manifest: &Manifest, bytes: &[u8]) -> Result<(), FilesError> {
        let made = self.write(manifest, bytes).and_then(|()| {
            fault::point("before-prepare").map_err(|err| FilesError::io("prepare", &self.dir, err))
        });
        let made = made.and_then(|()| self.step(&manifest.id, State::New, State::Open));
        if made.is_err() {
            // No file was touched, so the journal means nothing, wherever it got to.
            let _ = self.rename(&manifest.id, State::Open, State::New);
            let _ = fs::remove_dir_all(self.path(&manifest.id, State::New));
        }
        made
    }

    fn write(&self, manifest: &Manifest, bytes: &[u8]) -> Result<(), FilesError> {
        if !self.dir.exists() {
            fs::create_dir_all(&self.dir)
                .map_err(|err| FilesError::io("create", &self.dir, err))?;
            self.dir.parent().map_or(Ok(()), sync_dir)?;
        }
        let dir = self.path(&manifest.id, State::New);
        fs::create_dir(&dir).map_err(|err| FilesError::io("create", &dir, err))?;
        write_file(&dir.join(BYTES), bytes)?;
        fault::point("mid-prepare").map_err(|err| FilesError::io("write", &dir, err))?;
        let text = manifest.encode().map_err(|err| FilesError::bad(err.to_string()))?;
        write_file(&dir.join(MANIFEST), &text)?;
        sync_dir(&dir)
    }

    /// Renames a journal to its next state, on disk when this returns.
    pub fn step(&self, id: &str, from: State, to: State) -> Result<(), FilesError> {
        self.rename(id, from, to)?;
        sync_dir(&self.dir)
    }

    /// Renames a journal to its next state. A loss of power may take this back.
    pub fn rename(&self, id: &str, from: State, to: State) -> Result<(), FilesError> {
        let from = self.path(id, from);
        fs::rename(&from, self.path(id, to)).map_err(|err| FilesError::io("rename", &from, err))
    }

    /// Sets a journal aside for the user: never touched again. Returns where it is.
    pub fn set_aside(&self, id: &str, from: State, to: State) -> Result<PathBuf, FilesError> {
        // An earlier one may have had the same id: `x.conflict` gives way to `x-2.conflict`.
        let mut name = id.to_owned();
        for number in 2.. {
            if !self.has(&name, to) {
                break;
            }
            name = format!("{id}-{number}");
        }
        let (source, target) = (self.path(id, from), self.path(&name, to));
        fs::rename(&source, &target).map_err(|err| FilesError::io("set aside", &source, err))?;
        sync_dir(&self.dir)?;
        Ok(target)
    }

    /// A new folder for what a check has made of the files of a transaction. Nothing removes it.
    pub fn folder_of_check(&self, id: &str) -> Result<PathBuf, FilesError> {
        for number in 1.. {
            let name = if number == 1 { id.to_owned() } else { format!("{id}-{number}") };
            let dir = self.dir.join(format!("{name}.check"));
            match fs::create_dir(&dir) {
                Err(err) if err.kind() == std::io::ErrorKind::AlreadyExists => {}
                made => {
                    made.map_err(|err| FilesError::io("create", &dir, err))?;
                    return Ok(dir);
                }
            }
        }
        Ok(self.dir.clone())
    }

    /// Deletes a journal. Killed in between it leaves [`State::Gone`].
    pub fn delete(&self, id: &str, from: State) -> Result<(), FilesError> {
        let gone = self.path(id, State::Gone);
        if from != State::Gone {
            if self.has(id, State::Gone) {
                self.remove(&gone)?;
            }
            self.step(id, from, State::Gone)?;
        }
        self.remove(&gone)
    }

    fn remove(&self, dir: &Path) -> Result<(), FilesError> {
        let failed = |err| FilesError::io("delete", dir, err);
        fault::point("mid-delete").map_err(failed)?;
        match fs::remove_dir_all(dir) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(failed(err)),
            _ => Ok(()),
        }
    }

    /// Manifest and saved bytes of a journal, checked against each other.
    pub fn read(&self, id: &str, state: State) -> Result<(Manifest, Vec<u8>), FilesError> {
        let path = self.path(id, state);
        let damaged = |reason: String| FilesError::Damaged { path: path.clone(), reason };
        let read = |name: &str| match fs::read(path.join(name)) {
            Ok(bytes) => Ok(bytes),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => {
                Err(damaged(format!("`{name}` is missing")))
            }
            Err(err) => Err(FilesError::io("read", &path.join(name), err)),
        };
        let manifest = Manifest::decode(&read(MANIFEST)?).map_err(damaged)?;
        let bytes = read(BYTES)?;
        manifest.check(&bytes).map_err(damaged)?;
        if manifest.id != id {
            return Err(damaged(format!("it is the journal of `{}`", manifest.id)));
        }
        Ok((manifest, bytes))
    }
}

/// Writes the two texts of files into a journal as files of their own: `0.old`, `0.new`, …
pub(super) fn lay_out(dir: &Path, manifest: &Manifest, bytes: &[u8], entries: &[usize]) {
    for &index in entries {
        let Some(entry) = manifest.files.get(index) else { continue };
        for (at, suffix) in [(entry.old, "old"), (entry.new, "new")] {
            if let Some(text) = slice(bytes, at) {
                // Both are in `bytes` anyway: a full disk must not stand in the way.
                let _ = fs::write(dir.join(format!("{index}.{suffix}")), text);
            }
        }
    }
}

/// Keeps the text of the file with this number: `0`, `0-2`, …
pub(super) fn keep_text(dir: &Path, index: usize, text: &[u8]) -> Result<(), FilesError> {
    let mut path = dir.join(index.to_string());
    for number in 2.. {
        if !path.exists() {
            break;
        }
        path = dir.join(format!("{index}-{number}"));
    }
    write_file(&path, text)
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    File::create_new(path)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| disk::sync(&file)))
        .map_err(|err| FilesError::io("write", path, err))
}

pub(super) fn sync_dir(path: &Path) -> Result<(), FilesError> {
    File::open(path)
        .and_then(|dir| disk::sync(&dir))
        .map_err(|err| FilesError::io("sync", path, err))
}

/// A finished transaction: bytes before, hashes after.
///
/// # Errors
/// [`FilesError::Unknown`] if it was never finished or is pruned, [`FilesError::Damaged`].
pub fn previous(state_dir: &Path, id: &str) -> Result<Saved, FilesError> {
    saved(&Journal::of(state_dir)?, id).map(|(_, saved, _)| saved)
}

/// What finished transactions since this one did to a file, the oldest first.
///
/// # Errors
/// [`FilesError::Unknown`], [`FilesError::Damaged`].
pub fn since(state_dir: &Path, id: &str, path: &str) -> Result<Vec<Passage>, FilesError> {
    check_id(id)?;
    let journal = Journal::of(state_dir)?;
    let mut found: Vec<(i64, Passage)> = Vec::new();
    let mut begin = None;
    for (other, state) in journal.list()? {
        if !matches!(state, State::Finished | State::Done) {
            continue;
        }
        let dir = journal.path(&other, state);
        let text = match fs::read(dir.join(MANIFEST)) {
            // Another process has pruned it meanwhile: it was older than this one.
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => continue,
            read => read.map_err(|err| FilesError::io("read", &dir.join(MANIFEST), err))?,
        };
        let damaged = |reason| FilesError::Damaged { path: dir.clone(), reason };
        let manifest = Manifest::decode(&text).map_err(damaged)?;
        if other == id {
            begin = Some(manifest.at);
            continue;
        }
        let at = manifest.at;
        let own = manifest.files.into_iter().filter(|entry| entry.path == path);
        found.extend(own.filter(|entry| entry.before != entry.after).map(|entry| {
            let (before, after, patch) = (entry.before, entry.after, entry.patch);
            (at, Passage { id: other.clone(), before, after, patch })
        }));
    }
    let begin = begin.ok_or_else(|| FilesError::Unknown { id: id.to_owned() })?;
    found.retain(|(at, _)| *at >= begin);
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.id.cmp(&b.1.id)));
    Ok(found.into_iter().map(|(_, passage)| passage).collect())
}

/// Bytes of a file before and after a finished transaction.
///
/// # Errors
/// [`FilesError::Unknown`], [`FilesError::Damaged`].
pub fn texts(state_dir: &Path, id: &str, path: &str) -> Result<Texts, FilesError> {
    check_id(id)?;
    let journal = Journal::of(state_dir)?;
    let state = [State::Finished, State::Done].into_iter().find(|state| journal.has(id, *state));
    let state = state.ok_or_else(|| FilesError::Unknown { id: id.to_owned() })?;
    let (manifest, bytes) = journal.read(id, state)?;
    let Some(entry) = manifest.files.iter().find(|entry| entry.path == path) else {
        return Ok(Texts::default());
    };
    let piece = |at| slice(&bytes, at).map(<[u8]>::to_vec);
    let patch = entry.patch.clone();
    Ok(Texts { before: piece(entry.old), after: piece(entry.new), patch })
}

/// A finished transaction, and the rights that its files had before.
pub(super) fn saved(
    journal: &Journal,
    id: &str,
) -> Result<(Manifest, Saved, Vec<Option<Rights>>), FilesError> {
    check_id(id)?;
    let state = [State::Finished, State::Done].into_iter().find(|state| journal.has(id, *state));
    let state = state.ok_or_else(|| FilesError::Unknown { id: id.to_owned() })?;
    let (manifest, bytes) = journal.read(id, state)?;
    let rights = manifest.files.iter().map(|entry| entry.rights).collect();
    let files = manifest.files.iter().map(|entry| SavedFile {
        bytes: slice(&bytes, entry.old).map(<[u8]>::to_vec),
        path: entry.path.clone(),
        before: entry.before,
        after: entry.after,
        mode: entry.rights.map(|rights| rights.mode),
    });
    let files = files.collect();
    let (id, folders) = (manifest.id.clone(), manifest.folders.clone());
    let saved = Saved { id, at: manifest.at, files, folders };
    Ok((manifest, saved, rights))
}

/// Deletes all but the newest `keep` finished transactions; these can then not be undone any
/// more. Unfinished, conflicting and damaged journals stay. Returns how many went.
///
/// # Errors
/// [`FilesError::Locked`] if another process is editing for too long.
pub fn prune(state_dir: &Path, keep: usize) -> Result<usize, FilesError> {
    let journal = Journal::of(state_dir)?;
    let finished = |journal: &Journal| -> Result<Vec<String>, FilesError> {
        let all = journal.list()?.into_iter();
        Ok(all.filter(|(_, state)| *state == State::Finished).map(|(id, _)| id).collect())
    };
    if finished(&journal)?.len() <= keep {
        return Ok(0);
    }
    let _lock = lock::acquire(state_dir, lock::PATIENCE)?;
    let age = |id: &str| {
        let text = fs::read(journal.path(id, State::Finished).join(MANIFEST)).unwrap_or_default();
        Manifest::decode(&text).map_or(i64::MIN, |manifest| manifest.at)
    };
    let mut aged: Vec<(i64, String)> =
        finished(&journal)?.into_iter().map(|id| (age(&id), id)).collect();
    aged.sort();
    let surplus = aged.len().saturating_sub(keep);
    for (_, id) in aged.iter().take(surplus) {
        journal.delete(id, State::Finished)?;
    }
    Ok(surplus)
}
