//! Targets of edits: items or bytes, in files as they are indexed.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::source;
use asof_edit::files::check_path;
use asof_edit::{EditError, SpliceEdit, StaleTarget};
use asof_model::{FileFacts, NodeKind, RawHash, Span, TrackingHash};
use asof_query::{FileItem, FileRow, Queries};
use asof_wire::Item;

/// A file that is edited.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub text: String,
    pub facts: FileFacts,
    pub hash: RawHash,
}

/// Why a draft could not be made now.
#[derive(Debug)]
pub(super) enum Halt {
    /// A file has changed since it was indexed a moment ago: index and try again.
    Again {
        file_path: String,
    },
    Error(EngineError),
}

impl<E: Into<EngineError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// Files by path, each read and parsed once.
#[derive(Debug, Default)]
pub(super) struct Files {
    loaded: BTreeMap<String, Loaded>,
    /// Files that were just read for the index, whatever they looked like. If one of them has
    /// changed again, its text is taken from the database: somebody keeps writing it.
    just_read: BTreeSet<String>,
}

impl Loaded {
    pub(super) fn new(path: &str, text: String, hash: RawHash) -> Self {
        let facts = asof_syntax::parse_file_isolated(path, text.as_bytes());
        Self { text, facts, hash }
    }
}

impl Files {
    pub(super) fn new(just_read: BTreeSet<String>) -> Self {
        Self { loaded: BTreeMap::new(), just_read }
    }

    pub(super) fn get(&self, path: &str) -> Option<&Loaded> {
        self.loaded.get(path)
    }

    pub(super) fn put(&mut self, path: &str, loaded: Loaded) {
        self.loaded.insert(path.to_owned(), loaded);
    }

    /// The parsed file.
    pub(super) fn loaded(&mut self, snapshot: &Snapshot<'_>, path: &str) -> Result<&Loaded, Halt> {
        self.load(snapshot, path)?;
        self.get(path).ok_or_else(|| Halt::Again { file_path: path.to_owned() })
    }

    /// Reads and parses an indexed file, once.
    pub(super) fn load(&mut self, snapshot: &Snapshot<'_>, path: &str) -> Result<(), Halt> {
        if self.loaded.contains_key(path) {
            return Ok(());
        }
        let root = snapshot.database.need_root()?;
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let row: Option<FileRow> = queries.file(path).map_err(EngineError::from)?;
        let not_indexed = || EditError::NotIndexed { file_path: path.to_owned() };
        let row = row.ok_or_else(|| {
            if root.join(path).exists() {
                not_indexed()
            } else {
                EditError::NoFile { file_path: path.to_owned() }
            }
        })?;
        let cap = asof_syntax::MAX_FILE_BYTES as u64;
        let bytes = asof_workspace::read_file(root, path, cap).ok();
        let text = match bytes.filter(|bytes| RawHash::hash(bytes) == row.raw_hash) {
            Some(bytes) => String::from_utf8(bytes).map_err(|_| not_indexed())?,
            None => {
                let again = || Halt::Again { file_path: path.to_owned() };
                let indexed = if self.just_read.contains(path) {
                    file_at(&queries, path, &row.raw_hash)?
                } else {
                    None
                };
                indexed.ok_or_else(again)?
            }
        };
        self.put(path, Loaded::new(path, text, row.raw_hash));
        Ok(())
    }
}

/// A path relative to the root; refused if it leaves the root.
pub(super) fn relative(snapshot: &Snapshot<'_>, path: &str) -> Result<String, EngineError> {
    let root = snapshot.database.need_root()?;
    Ok(check_path(root, path).map_err(EditError::from)?)
}

/// Index of the item in the facts of its file.
pub(super) fn index_of(snapshot: &Snapshot<'_>, files: &Files, item: &Item) -> Result<u32, Halt> {
    if item.kind == NodeKind::Module {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let modules = queries.file_modules(&item.file_path).map_err(EngineError::from)?;
        if modules.iter().any(|module| module.id == item.id) {
            return Ok(0);
        }
    }
    let Some(loaded) = files.get(&item.file_path) else {
        return Err(Halt::Again { file_path: item.file_path.clone() });
    };
    if item.made {
        let name = item.path.as_deref().unwrap_or(&item.name);
        let (file_path, line) = (&item.file_path, item.line);
        let reason = format!(
            "`{name}` is made by the macro call at {file_path}:{line}: edit that call, or the macro"
        );
        return Err(EditError::Malformed { reason }.into());
    }
    let items = loaded.facts.items.iter().enumerate().skip(1);
    let mut same = items.filter(|(_, i)| i.span == item.span && i.kind == item.kind);
    match same.next() {
        Some((at, _)) => Ok(at as u32),
        None => Err(EngineError::State {
            what: "span",
            reason: format!("{} is not where the database has it", item.name),
        }
        .into()),
    }
}

/// File and index of the `mod name;` of a module in its own file; `None` for the root of a crate.
pub(super) fn declaration(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    item: &Item,
) -> Result<Option<(String, u32)>, Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let declared = queries.declared_at(&[item.id]).map_err(EngineError::from)?;
    let Some(place) = declared.into_iter().next() else { return Ok(None) };
    files.load(snapshot, &place.file_path)?;
    let again = || Halt::Again { file_path: place.file_path.clone() };
    let loaded = files.get(&place.file_path).ok_or_else(again)?;
    let here = |i: &asof_model::ItemFacts| i.span.start_byte == place.start_byte;
    let index = loaded.facts.items.iter().skip(1).position(here).ok_or_else(again)? + 1;
    if let Some(call) = loaded.facts.items.get(index).filter(|of| of.kind == NodeKind::MacroCall) {
        let path = item.path.as_deref().unwrap_or(&item.name);
        let reason = format!(
            "`{path}` is declared by a call of `{}!` in {}: edit that call, or the file {}",
            call.name, place.file_path, item.file_path
        );
        return Err(EditError::Malformed { reason }.into());
    }
    Ok(Some((place.file_path, index as u32)))
}

/// Refuses an item that is not the version that the edit expects.
pub(super) fn expect_hash(
    snapshot: &Snapshot<'_>,
    item: &Item,
    expected: Option<&TrackingHash>,
) -> Result<(), EngineError> {
    let Some(expected) = expected.filter(|hash| **hash != item.tracking_hash) else {
        return Ok(());
    };
    let versions = Queries::node_versions(snapshot.store(), item.id, *expected)?;
    let old = match versions.first() {
        Some(at) => text_at(snapshot, item, *at)?,
        None => None,
    };
    let reason = match &old {
        Some(_) => "the item has changed since the version that the edit was made for",
        None => "the item never had the tracking hash that the edit expects",
    };
    Err(EditError::Stale(Box::new(stale_item(snapshot, item, old.as_deref(), reason))).into())
}

/// Source of an item at a time; `None` if it did not exist.
pub(super) fn text_at(
    snapshot: &Snapshot<'_>,
    item: &Item,
    at: asof_model::Micros,
) -> Result<Option<String>, EngineError> {
    let queries = Queries::at(snapshot.store(), at);
    match queries.describe(&[item.id])?.pop() {
        Some(old) => Ok(Some(source(&queries, &Item::from(old))?)),
        None => Ok(None),
    }
}

/// Describes the present state of a stale target.
pub(super) fn stale_item(
    snapshot: &Snapshot<'_>,
    item: &Item,
    old: Option<&str>,
    reason: &str,
) -> StaleTarget {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let now = source(&queries, item).ok();
    let diff = match (old, &now) {
        (Some(old), Some(now)) => asof_edit::between(old, now),
        _ => String::new(),
    };
    StaleTarget {
        subject: item.path.clone().unwrap_or_else(|| item.name.clone()),
        file_path: item.file_path.clone(),
        reason: reason.to_owned(),
        span: Some(item.span),
        tracking_hash: Some(item.tracking_hash.to_string()),
        file_hash: Some(item.file_hash.to_string()),
        diff,
    }
}

/// The present place of the bytes of a splice, and whether they have moved. The hash of the whole
/// file identifies the version of the offsets. If it is an earlier one, the item around the bytes
/// must be unchanged since, and the bytes keep their place in it.
pub(super) fn splice_range(
    snapshot: &Snapshot<'_>,
    loaded: &Loaded,
    edit: &SpliceEdit,
    path: &str,
) -> Result<(u32, u32, bool), EngineError> {
    let SpliceEdit { expected_file_hash, start_byte, end_byte, .. } = edit;
    let (start, end) = (*start_byte, *end_byte);
    if loaded.hash == *expected_file_hash {
        return Ok((start, end, false));
    }
    let mut stale = StaleTarget {
        subject: format!("{path}:{start}..{end}"),
        file_path: path.to_owned(),
        reason: "the file has changed, and its expected bytes were never indexed".to_owned(),
        span: None,
        tracking_hash: None,
        file_hash: Some(loaded.hash.to_string()),
        diff: String::new(),
    };
    let versions = Queries::file_versions(snapshot.store(), path, *expected_file_hash)?;
    let Some(at) = versions.first() else {
        return Err(EditError::Stale(Box::new(stale)).into());
    };
    let then = Queries::at(snapshot.store(), *at);
    let Some(old_file) = file_at(&then, path, expected_file_hash)? else {
        return Err(EditError::Stale(Box::new(stale)).into());
    };
    let around = then.item_at(path, start)?;
    let holds = |item: &&FileItem| item.start_byte <= start && end <= item.end_byte;
    let Some(old) = around.iter().find(holds) else {
        stale.reason = "the file has changed, and no item contains the bytes".to_owned();
        return Err(EditError::Stale(Box::new(stale)).into());
    };
    let old_text = slice(&old_file, old);
    let items = Queries::at(snapshot.store(), snapshot.at).file_items(path)?;
    if let Some(from) = same_text(&items, loaded, old, old_text) {
        return Ok((from + start - old.start_byte, from + end - old.start_byte, true));
    }
    stale.subject = old.canonical_path.clone().unwrap_or_else(|| old.name.clone());
    match items.iter().find(|item| item.id == old.id) {
        Some(item) => {
            stale.reason = "the item that holds the bytes has changed".to_owned();
            stale.span = Some(Span {
                start_byte: item.start_byte,
                end_byte: item.end_byte,
                start_line: item.start_line,
                end_line: item.end_line,
            });
            stale.tracking_hash = Some(item.tracking_hash.to_string());
            stale.diff = asof_edit::between(old_text, slice(&loaded.text, item));
        }
        None => {
            stale.reason = format!("`{}`, which contained the bytes, is gone", old.name);
            stale.diff = asof_edit::between(old_text, "");
        }
    }
    Err(EditError::Stale(Box::new(stale)).into())
}

/// The text of a file at a time, if it is the one with this hash.
fn file_at(then: &Queries<'_>, path: &str, hash: &RawHash) -> Result<Option<String>, EngineError> {
    for module in then.file_modules(path)? {
        let Some(module) = then.describe(&[module.id])?.pop().map(Item::from) else { continue };
        let text = source(then, &module)?;
        if RawHash::hash(text.as_bytes()) == *hash {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

fn slice<'a>(text: &'a str, item: &FileItem) -> &'a str {
    text.get(item.start_byte as usize..item.end_byte as usize).unwrap_or_default()
}

/// The present place of an item of a file, if its text is unchanged: the item with the same
/// identity, or the only one of its kind and name with that text. (Identities differ if a file
/// moved to another crate, or `cfg` variants changed places.)
fn same_text(items: &[FileItem], loaded: &Loaded, old: &FileItem, text: &str) -> Option<u32> {
    let same = |item: &&FileItem| {
        item.kind == old.kind && item.name == old.name && slice(&loaded.text, item) == text
    };
    let mut starts = Vec::new();
    for item in items.iter().filter(same) {
        if item.id == old.id {
            return Some(item.start_byte);
        }
        starts.push(item.start_byte);
    }
    starts.dedup();
    match starts.as_slice() {
        [start] => Some(*start),
        _ => None,
    }
}
