//! Reads and parses files, on threads with stacks that hostile nesting cannot overflow.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;

use super::error::IndexError;
use super::options::{FactSet, Options, Progress};
use super::stats::{FileStat, now_ns};
use super::threads::pool;
use crate::model::{FileFacts, Issue, RawHash, SourceFile, TextHash};
use crate::search;
use crate::store::{Batch, StoreError, WriteLock};
use crate::syntax;
use crate::workspace::{SourceTree, read_from};

/// From this many files on, texts are written while other files are parsed.
const STREAM_FROM: usize = 64;

/// Texts in one early transaction.
const TEXT_BATCH: usize = 4096;

/// Texts that may wait for the writer.
const TEXT_QUEUE: usize = 8192;

/// Compression level: higher ones gain little on texts of a few hundred bytes.
pub(super) const ZSTD_LEVEL: i32 = 3;

/// Files read and parsed, by path.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub facts: BTreeMap<String, Arc<FileFacts>>,
    /// Every file that could be read: parsed, or unchanged by its hash.
    pub stats: BTreeMap<String, FileStat>,
    /// Terms for search, of those whose text is new.
    pub terms: BTreeMap<String, Terms>,
    /// Files that could not be read.
    pub unreadable: BTreeMap<String, Issue>,
    /// Files whose texts are stored already, and no longer among the facts.
    pub streamed: BTreeSet<String>,
    /// Rows of `text` written early.
    pub texts: usize,
    /// Files parsed only for their references: everything else about them is as stored.
    pub for_uses: BTreeSet<String>,
}

/// Why files are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Files with an unknown hash.
    News,
    /// All files.
    All,
    /// References only: their texts are stored already.
    Uses,
}

/// Terms for search of a file, as they are stored.
#[derive(Debug)]
pub(super) struct Terms {
    /// Of its items.
    pub items: Vec<u8>,
    /// Of the documentation of its modules, if it has any.
    pub sections: Option<Vec<u8>>,
}

impl Terms {
    fn of(facts: &FileFacts) -> Self {
        let sections = search::collect_sections(&facts.path, &syntax::doc_sections(facts));
        Self { items: search::collect(facts), sections }
    }
}

enum One {
    Parsed(Arc<FileFacts>, FileStat, Option<Terms>),
    Same(FileStat),
    Unreadable(Issue),
}

/// A compressed text: hash, length, zstd frame.
pub(super) type Packed = (TextHash, usize, Vec<u8>);

/// The row of a text.
pub(super) fn text_columns(
    hash: TextHash,
    len: i64,
    base: Option<TextHash>,
    steps: u32,
    source: Vec<u8>,
) -> [crate::store::Value; 5] {
    let source = crate::store::Value::Bytes(source);
    [hash.into(), len.into(), base.into(), steps.into(), source]
}

/// The row of a text that is stored whole.
pub(super) fn text_row((hash, len, source): Packed) -> [crate::store::Value; 5] {
    text_columns(hash, len as i64, None, 0, source)
}

thread_local! {
    /// A compressor costs more to set up than a short text to compress.
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> =
        const { RefCell::new(None) };
}

/// Compresses a text.
pub(super) fn pack(hash: TextHash, text: &[u8]) -> Result<Packed, IndexError> {
    let compressed = COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(zstd::bulk::Compressor::new(ZSTD_LEVEL)?),
        };
        compressor.compress(text)
    });
    compressed
        .map(|source| (hash, text.len(), source))
        .map_err(|e| IndexError::State { what: "text", reason: e.to_string() })
}

/// Reads files, and parses those that are wanted.
pub(super) fn parse(
    tree: &dyn SourceTree,
    files: &[&SourceFile],
    known: &BTreeMap<String, FileStat>,
    want: Want,
    options: &Options,
    lock: &WriteLock<'_>,
    progress: &dyn Progress,
) -> Result<Parsed, IndexError> {
    let parsed = match (files, options.threads) {
        // One file is parsed faster than a pool starts.
        ([file], None) => one_file(tree, file, known, want, options)?,
        _ => on_threads(tree, files, known, want, options, lock, progress)?,
    };
    if let Some(memory) = &options.memory {
        memory.keep_facts(parsed.facts.values());
    }
    Ok(parsed)
}

fn on_threads(
    tree: &dyn SourceTree,
    files: &[&SourceFile],
    known: &BTreeMap<String, FileStat>,
    want: Want,
    options: &Options,
    lock: &WriteLock<'_>,
    progress: &dyn Progress,
) -> Result<Parsed, IndexError> {
    let pool = pool(options.threads)?;
    let streamed = files.len() >= STREAM_FROM && want != Want::Uses;
    let (sender, receiver) = sync_channel::<Packed>(TEXT_QUEUE);
    let work = |sender: Option<SyncSender<Packed>>| -> Result<Vec<(String, One)>, IndexError> {
        pool.install(|| {
            files
                .par_iter()
                .map_with(sender, |sender, file| {
                    if options.stopped() {
                        return Err(IndexError::Interrupted);
                    }
                    let mut one = read_and_parse(tree, file, known, want, options);
                    if let (One::Parsed(facts, _, _), Some(sender)) = (&mut one, sender.as_ref()) {
                        stream(Arc::make_mut(facts), sender)?;
                    }
                    progress.step();
                    Ok((file.path.clone(), one))
                })
                .collect()
        })
    };
    let (results, texts) = if streamed {
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write_texts(receiver, lock));
            let results = work(Some(sender));
            let texts = writer.join().unwrap_or_else(|_| {
                Err(StoreError::Engine { reason: "the thread that writes texts failed".into() })
            });
            (results, texts)
        })
    } else {
        drop(receiver);
        (work(None), Ok(0))
    };
    let texts = texts?;
    let mut parsed = Parsed { texts, ..Parsed::default() };
    for (path, one) in results? {
        if streamed {
            parsed.streamed.insert(path.clone());
        }
        parsed.take(path, one);
    }
    Ok(parsed)
}

fn one_file(
    tree: &dyn SourceTree,
    file: &SourceFile,
    known: &BTreeMap<String, FileStat>,
    want: Want,
    options: &Options,
) -> Result<Parsed, IndexError> {
    let one = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(syntax::STACK_BYTES)
            .spawn_scoped(scope, || read_and_parse(tree, file, known, want, options))
            .map_err(|e| IndexError::Threads { reason: e.to_string() })?
            .join()
            .map_err(|_| IndexError::Threads { reason: "the parser failed".into() })
    })?;
    let mut parsed = Parsed::default();
    parsed.take(file.path.clone(), one);
    Ok(parsed)
}

impl Parsed {
    fn take(&mut self, path: String, one: One) {
        match one {
            One::Parsed(facts, stat, terms) => {
                self.stats.insert(path.clone(), stat);
                self.terms.extend(terms.map(|terms| (path.clone(), terms)));
                self.facts.insert(path, facts);
            }
            One::Same(stat) => {
                self.stats.insert(path, stat);
            }
            One::Unreadable(issue) => {
                self.unreadable.insert(path, issue);
            }
        }
    }

    /// Merges the result of a later pass.
    pub fn extend(&mut self, later: Parsed) {
        for path in later.facts.keys() {
            self.unreadable.remove(path);
            self.for_uses.remove(path);
        }
        for path in later.unreadable.keys() {
            self.facts.remove(path);
            self.stats.remove(path);
            self.terms.remove(path);
        }
        self.streamed.retain(|path| !later.facts.contains_key(path));
        self.streamed.extend(later.streamed);
        self.for_uses.extend(later.for_uses);
        self.facts.extend(later.facts);
        self.stats.extend(later.stats);
        self.terms.extend(later.terms);
        self.unreadable.extend(later.unreadable);
        self.texts += later.texts;
    }
}

fn read_and_parse(
    tree: &dyn SourceTree,
    file: &SourceFile,
    known: &BTreeMap<String, FileStat>,
    want: Want,
    options: &Options,
) -> One {
    let checked_ns = now_ns();
    let bytes = match read_from(tree, &file.path, syntax::MAX_FILE_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(issue) => return One::Unreadable(issue),
    };
    let stat = |raw_hash: String| FileStat::of(file, raw_hash, checked_ns);
    let raw_hash = RawHash::of(&bytes);
    match known.get(&file.path) {
        Some(old) if want == Want::News && old.raw_hash == raw_hash.as_str() => {
            One::Same(stat(raw_hash.to_string()))
        }
        _ => {
            let is_new = known.get(&file.path).is_none_or(|old| old.raw_hash != raw_hash.as_str());
            let only_uses = want == Want::Uses && !is_new;
            let kept = options.memory.as_ref().and_then(|m| m.facts(&file.path, &raw_hash));
            let kept = kept.filter(|facts| only_uses || has_texts(facts));
            let parse = || Arc::new(syntax::parse_file(&file.path, &bytes));
            let facts = kept.unwrap_or_else(parse);
            // They depend on path and text alone: those of an unchanged file are stored already.
            let needs_terms = is_new || (options.rebuild && !only_uses);
            let needs_terms = needs_terms && options.facts == FactSet::All;
            let terms = needs_terms.then(|| Terms::of(&facts));
            One::Parsed(facts, stat(raw_hash.to_string()), terms)
        }
    }
}

/// Whether facts still have their texts, and not only the hashes of texts that were passed on.
fn has_texts(facts: &FileFacts) -> bool {
    let mut texts = facts.items.iter().filter_map(|item| item.text.as_ref());
    texts.all(|(hash, text)| !text.is_empty() || *hash == TextHash::of(b""))
}

/// Passes the texts of a file to the writer, and keeps their hashes.
fn stream(facts: &mut FileFacts, sender: &SyncSender<Packed>) -> Result<(), IndexError> {
    for item in &mut facts.items {
        if let Some((hash, text)) = &mut item.text {
            let packed = pack(*hash, text)?;
            *text = Vec::new();
            // A writer that failed reports it itself.
            let _ = sender.send(packed);
        }
    }
    Ok(())
}

/// Texts are addressed by content, so they may be written before the transaction that refers to
/// them. Without that transaction they are garbage, not damage.
fn write_texts(receiver: Receiver<Packed>, lock: &WriteLock<'_>) -> Result<usize, StoreError> {
    let mut rows: BTreeMap<TextHash, (usize, Vec<u8>)> = BTreeMap::new();
    let mut total = 0;
    let mut flush = |rows: &mut BTreeMap<TextHash, (usize, Vec<u8>)>| {
        let mut batch = Batch::new();
        for (hash, (len, source)) in std::mem::take(rows) {
            batch.put("text", text_row((hash, len, source)))?;
            total += 1;
        }
        if batch.is_empty() { Ok(()) } else { lock.commit(batch).map(drop) }
    };
    while let Ok((hash, len, source)) = receiver.recv() {
        rows.insert(hash, (len, source));
        if rows.len() >= TEXT_BATCH {
            flush(&mut rows)?;
        }
    }
    flush(&mut rows)?;
    Ok(total)
}
