//! The folder of journals. The state of a transaction is the name of its folder, so that every
//! change of state is one rename.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::change::{FileOutcome, Saved, SavedFile, Texts};
use super::disk::{self, Rights};
use super::error::FilesError;
use super::fault;
use super::manifest::{Manifest, slice};
use asof_files::state::{Folder, StateError};

/// Folder of the journals in the state folder.
const JOURNAL: &str = "journal";
/// Old and new contents, one after the other, as one zstd frame: the new one costs little beside
/// the old one.
const BYTES: &str = "bytes.zst";
/// The same without compression, as earlier versions wrote it.
const PLAIN_BYTES: &str = "bytes";
const MANIFEST: &str = "manifest";
const MAX_ID: usize = 64;
const LEVEL: i32 = 3;
/// From this many bytes on, zstd is told to look further back for matches than by default.
const FAR: usize = 2 << 20;
/// The largest window that zstd's decoder accepts by default, as a power of two.
const MOST_WINDOW: u32 = 27;
/// Bytes of a manifest.
const MAX_MANIFEST: u64 = 64 << 20;
/// Bytes of saved contents.
const MAX_BYTES: u64 = 4 << 30;

asof_model::named! {
    /// State of a transaction, as the suffix of its folder.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum State {
        /// Being written; means nothing.
        New => ".new",
        /// Prepared: files may be touched.
        Open => ".open",
        /// Committed; temporary files may be left.
        Done => ".done",
        /// Committed and tidy.
        Finished => "",
        /// Being deleted.
        Gone => ".gone",
        /// Rolled back, except for what others changed.
        Conflict => ".conflict",
        /// Unreadable.
        Damaged => ".damaged",
    }
}

impl State {
    /// Whether it needs recovery.
    pub fn is_unfinished(self) -> bool {
        matches!(self, Self::New | Self::Open | Self::Done | Self::Gone)
    }
}

/// The journals of a workspace. Nothing here is opened through a link.
#[derive(Debug)]
pub(super) struct Journal {
    state_dir: PathBuf,
    /// For messages.
    dir: PathBuf,
}

/// Refuses ids that are not a plain name of a folder.
pub(super) fn check_id(id: &str) -> Result<(), FilesError> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if id.is_empty() || id.len() > MAX_ID || !plain {
        return Err(FilesError::bad(format!(
            "`{}` is not an id: expected 1 to {MAX_ID} letters, digits, `-` and `_`",
            id.chars().take(80).collect::<String>().escape_debug()
        )));
    }
    Ok(())
}

impl Journal {
    /// The journals of this state, even if there are none.
    pub fn open(state_dir: &Path) -> Result<Self, FilesError> {
        let journal = Self { state_dir: state_dir.to_owned(), dir: state_dir.join(JOURNAL) };
        journal.folder()?;
        Ok(journal)
    }

    fn folder(&self) -> Result<Option<Folder>, FilesError> {
        match Folder::open(&self.state_dir)? {
            Some(state) => Ok(state.sub(JOURNAL)?),
            None => Ok(None),
        }
    }

    /// The folder, which must be there.
    fn opened(&self) -> Result<Folder, FilesError> {
        self.folder()?.ok_or_else(|| {
            FilesError::io("open", &self.dir, io::Error::from(io::ErrorKind::NotFound))
        })
    }

    pub fn path(&self, id: &str, state: State) -> PathBuf {
        self.dir.join(name_of(id, state))
    }

    pub fn has(&self, id: &str, state: State) -> bool {
        matches!(self.folder(), Ok(Some(folder)) if folder.has(&name_of(id, state)))
    }

    /// All journals, by name; anything else is left out.
    pub fn list(&self) -> Result<Vec<(String, State)>, FilesError> {
        let Some(folder) = self.folder()? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for name in folder.names()? {
            let Some(name) = name.to_str() else { continue };
            let (id, suffix) = name.find('.').map_or((name, ""), |at| name.split_at(at));
            let state = State::parse(suffix);
            if let Some(state) = state
                && check_id(id).is_ok()
            {
                found.push((id.to_owned(), state));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.as_str().cmp(b.1.as_str())));
        Ok(found)
    }

    /// Writes a journal and prepares it: afterwards it is [`State::Open`], on disk.
    pub fn prepare(&self, manifest: &Manifest, bytes: &[u8]) -> Result<(), FilesError> {
        let made = self.write(manifest, bytes).and_then(|()| {
            fault::point("before-prepare").map_err(|err| FilesError::io("prepare", &self.dir, err))
        });
        let made = made.and_then(|()| self.step(&manifest.id, State::New, State::Open));
        if made.is_err() {
            // No file was touched, so the journal means nothing in any state.
            let _ = self.rename(&manifest.id, State::Open, State::New);
            let _ = self
                .opened()
                .and_then(|folder| Ok(folder.remove_sub(&name_of(&manifest.id, State::New))?));
        }
        made
    }

    fn write(&self, manifest: &Manifest, bytes: &[u8]) -> Result<(), FilesError> {
        let all = match self.folder()? {
            Some(all) => all,
            None => {
                let state = Folder::create(&self.state_dir)?;
                let all = state.make_sub(JOURNAL)?;
                sync_dir(&state)?;
                all
            }
        };
        let dir = all.create_sub(&name_of(&manifest.id, State::New))?;
        let packed = pack(bytes).map_err(|err| FilesError::io("compress", dir.path(), err))?;
        write_file(&dir, BYTES, &packed)?;
        fault::point("mid-prepare").map_err(|err| FilesError::io("write", dir.path(), err))?;
        let text = manifest.encode().map_err(|err| FilesError::bad(err.to_string()))?;
        write_file(&dir, MANIFEST, &text)?;
        sync_dir(&dir)
    }

    /// Renames a journal to its next state, on disk when this returns.
    pub fn step(&self, id: &str, from: State, to: State) -> Result<(), FilesError> {
        self.rename(id, from, to)?;
        sync_dir(&self.opened()?)
    }

    /// Renames a journal to its next state. A loss of power may undo this.
    pub fn rename(&self, id: &str, from: State, to: State) -> Result<(), FilesError> {
        Ok(self.opened()?.rename(&name_of(id, from), &name_of(id, to))?)
    }

    /// Keeps a journal for the user: it is never touched again. Returns where it is.
    pub fn set_aside(&self, id: &str, from: State, to: State) -> Result<PathBuf, FilesError> {
        // An earlier one may have had the same id: then the name is `x-2.conflict`.
        let mut name = id.to_owned();
        for number in 2.. {
            if !self.has(&name, to) {
                break;
            }
            name = format!("{id}-{number}");
        }
        let folder = self.opened()?;
        folder.rename(&name_of(id, from), &name_of(&name, to))?;
        sync_dir(&folder)?;
        Ok(self.path(&name, to))
    }

    /// A new folder for a check's versions of the files of a transaction. It is never removed.
    pub fn folder_of_check(&self, id: &str) -> Result<Folder, FilesError> {
        let journals = self.opened()?;
        let mut name = format!("{id}.check");
        for number in 2.. {
            if !journals.has(&name) {
                break;
            }
            name = format!("{id}-{number}.check");
        }
        Ok(journals.create_sub(&name)?)
    }

    /// Deletes a journal. If the process is killed meanwhile, it is left as [`State::Gone`].
    pub fn delete(&self, id: &str, from: State) -> Result<(), FilesError> {
        let gone = name_of(id, State::Gone);
        if from != State::Gone {
            if self.has(id, State::Gone) {
                self.remove(&gone)?;
            }
            self.step(id, from, State::Gone)?;
        }
        self.remove(&gone)
    }

    fn remove(&self, name: &str) -> Result<(), FilesError> {
        let failed = |err| FilesError::io("delete", &self.dir.join(name), err);
        fault::point("mid-delete").map_err(failed)?;
        Ok(self.opened()?.remove_sub(name)?)
    }

    /// Finished transactions, with the bytes that each takes on disk.
    pub fn finished(&self) -> Result<Vec<(String, u64)>, FilesError> {
        let Some(folder) = self.folder()? else { return Ok(Vec::new()) };
        let all = self.list()?.into_iter().filter(|(_, state)| *state == State::Finished);
        let sized = all.map(|(id, _)| {
            let size = |name| folder.size(&format!("{id}/{name}"));
            let size = size(BYTES) + size(PLAIN_BYTES);
            (id, size)
        });
        Ok(sized.collect())
    }

    /// When a finished transaction was prepared. One that cannot be read is the oldest.
    pub fn age(&self, id: &str) -> i64 {
        let folder = self.opened().map(|folder| folder.sub(&name_of(id, State::Finished)));
        let Ok(Ok(Some(folder))) = folder else { return i64::MIN };
        let text = folder.read(MANIFEST, MAX_MANIFEST).ok().flatten().unwrap_or_default();
        Manifest::decode(&text).map_or(i64::MIN, |manifest| manifest.at)
    }

    /// Manifest of a journal; `None` if it is gone because another process pruned it.
    fn manifest(&self, id: &str, state: State) -> Result<Option<Manifest>, FilesError> {
        let Some(folder) = self.opened()?.sub(&name_of(id, state))? else { return Ok(None) };
        let Some(text) = folder.read(MANIFEST, MAX_MANIFEST)? else { return Ok(None) };
        let damaged = |reason| FilesError::Damaged { path: folder.path().to_owned(), reason };
        Manifest::decode(&text).map(Some).map_err(damaged)
    }

    /// The folder of a journal, for what is staged in it.
    pub fn file(&self, id: &str, state: State) -> Result<File, FilesError> {
        let path = self.path(id, state);
        let failed = |err| FilesError::io("open", &path, err);
        let folder = self.opened()?.sub(&name_of(id, state))?;
        let folder = folder.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
        folder.file().try_clone().map_err(failed)
    }

    /// Manifest and saved bytes of a journal, checked against each other.
    pub fn read(&self, id: &str, state: State) -> Result<(Manifest, Vec<u8>), FilesError> {
        let path = self.path(id, state);
        let damaged = |reason: String| FilesError::Damaged { path: path.clone(), reason };
        let folder = match self.opened()?.sub(&name_of(id, state)) {
            Ok(Some(folder)) => folder,
            Ok(None) => return Err(damaged("it is gone".to_owned())),
            Err(StateError::NotOurs { reason, .. }) => return Err(damaged(format!("it {reason}"))),
            Err(error) => return Err(error.into()),
        };
        let read = |name: &str, most: u64| match folder.read(name, most) {
            Err(StateError::NotOurs { reason, .. }) => Err(damaged(format!("`{name}` {reason}"))),
            other => Ok(other?),
        };
        let missing = |name: &str| damaged(format!("`{name}` is missing"));
        let manifest = read(MANIFEST, MAX_MANIFEST)?.ok_or_else(|| missing(MANIFEST))?;
        let manifest = Manifest::decode(&manifest).map_err(damaged)?;
        let bytes = match read(BYTES, MAX_BYTES)? {
            Some(packed) => unpack(&packed, manifest.saved_len())
                .map_err(|err| damaged(format!("`{BYTES}` cannot be decompressed: {err}")))?,
            None => read(PLAIN_BYTES, MAX_BYTES)?.ok_or_else(|| missing(BYTES))?,
        };
        manifest.check(&bytes).map_err(damaged)?;
        if manifest.id != id {
            return Err(damaged(format!("it is the journal of `{}`", manifest.id)));
        }
        Ok((manifest, bytes))
    }
}

fn name_of(id: &str, state: State) -> String {
    format!("{id}{}", state.as_str())
}

fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.set_pledged_src_size(Some(bytes.len() as u64))?;
    encoder.include_checksum(true)?;
    if bytes.len() > FAR {
        encoder.long_distance_matching(true)?;
        encoder.window_log(MOST_WINDOW)?;
    }
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Decompresses what should be this many bytes, and not many more.
fn unpack(packed: &[u8], len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    zstd::Decoder::new(packed)?.take(len.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len {
        Ok(bytes)
    } else {
        Err(io::Error::other("its length differs from the manifest"))
    }
}

/// Writes the two texts of files into a journal as files of their own: `0.old`, `0.new`, …
pub(super) fn lay_out(dir: &Path, manifest: &Manifest, bytes: &[u8], entries: &[usize]) {
    let Ok(Some(dir)) = Folder::open(dir) else { return };
    for &index in entries {
        let Some(entry) = manifest.files.get(index) else { continue };
        for (at, suffix) in [(entry.old, "old"), (entry.new, "new")] {
            if let Some(text) = slice(bytes, at) {
                // The journal has both anyway: a full disk must not be an error here.
                if let Ok(mut file) = dir.replace_file(&format!("{index}.{suffix}")) {
                    let _ = file.write_all(text);
                }
            }
        }
    }
}

/// Keeps the text of the file with this number: `0`, `0-2`, …
pub(super) fn keep_text(dir: &Folder, index: usize, text: &[u8]) -> Result<(), FilesError> {
    let mut name = index.to_string();
    for number in 2.. {
        if !dir.has(&name) {
            break;
        }
        name = format!("{index}-{number}");
    }
    write_file(dir, &name, text)
}

fn write_file(dir: &Folder, name: &str, bytes: &[u8]) -> Result<(), FilesError> {
    let mut file: File = dir.create_file(name)?;
    file.write_all(bytes)
        .and_then(|()| disk::sync(&file))
        .map_err(|err| FilesError::io("write", &dir.path().join(name), err))
}

fn sync_dir(dir: &Folder) -> Result<(), FilesError> {
    disk::sync(dir.file()).map_err(|err| FilesError::io("sync", dir.path(), err))
}

/// A finished transaction: bytes before, hashes after.
///
/// # Errors
/// [`FilesError::Unknown`] if it was never finished or is pruned, [`FilesError::Damaged`].
pub fn previous(state_dir: &Path, id: &str) -> Result<Saved, FilesError> {
    saved(&Journal::open(state_dir)?, id).map(|(_, saved, _)| saved)
}

/// The effects of later finished transactions on a file, oldest first.
///
/// # Errors
/// [`FilesError::Unknown`], [`FilesError::Damaged`].
pub fn since(state_dir: &Path, id: &str, path: &str) -> Result<Vec<FileOutcome>, FilesError> {
    check_id(id)?;
    let journal = Journal::open(state_dir)?;
    let mut found: Vec<(i64, FileOutcome)> = Vec::new();
    let mut begin = None;
    for (other, state) in journal.list()? {
        if !matches!(state, State::Finished | State::Done) {
            continue;
        }
        // One that another process has pruned meanwhile is older than this one.
        let Some(manifest) = journal.manifest(&other, state)? else { continue };
        if other == id {
            begin = Some(manifest.at);
            continue;
        }
        let at = manifest.at;
        let own = manifest.files.into_iter().filter(|entry| entry.path == path);
        found.extend(own.filter(|entry| entry.before != entry.after).map(|entry| {
            let (before, after, patch) = (entry.before, entry.after, entry.patch);
            (at, FileOutcome { id: other.clone(), before, after, patch })
        }));
    }
    let begin = begin.ok_or_else(|| FilesError::Unknown { id: id.to_owned() })?;
    found.retain(|(at, _)| *at >= begin);
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.id.cmp(&b.1.id)));
    Ok(found.into_iter().map(|(_, outcome)| outcome).collect())
}

/// Bytes of a file before and after a finished transaction.
///
/// # Errors
/// [`FilesError::Unknown`], [`FilesError::Damaged`].
pub fn texts(state_dir: &Path, id: &str, path: &str) -> Result<Texts, FilesError> {
    check_id(id)?;
    let journal = Journal::open(state_dir)?;
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
