//! Reads and parses files, on threads with stacks that hostile nesting cannot overflow.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::error::IndexError;
use super::options::{FactSet, Options, Progress};
use super::stats::{FileStat, now_ns};
use super::threads::pool;
use asof_model::{FileFacts, FileUses, Header, Issue, OrNever, RawHash, SourceFile, TextHash};
use asof_store::{Batch, StoreError, Streamed, Value, WriteLock};
use asof_workspace::{SourceTree, read_from};

/// From this many files on, texts are written while other files are parsed.
const STREAM_FROM: usize = 64;

/// Rows that are passed on to the writer at once.
const BATCH: usize = 4096;

/// Batches that may wait for the writer of texts.
const QUEUE: usize = 2;

/// Compression level: higher ones gain little on texts of a few hundred bytes.
pub(super) const ZSTD_LEVEL: i32 = 3;

/// Files read and parsed, by path.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub facts: BTreeMap<String, Arc<FileFacts>>,
    /// Every file that could be read: parsed, or unchanged by its hash.
    pub stats: BTreeMap<String, FileStat>,
    /// Terms for search, of those whose text is new, unless they are written already.
    pub terms: BTreeMap<String, Terms>,
    /// Files that could not be read.
    pub unreadable: BTreeMap<String, Issue>,
    /// Files whose texts are stored already, and no longer among the facts.
    pub streamed: BTreeSet<String>,
    /// Rows of `text` written early, in transactions of their own.
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
    /// Item trees of files with an unknown hash; the run that follows reads the rest.
    Trees,
}

impl Want {
    /// Whether files with a known hash are left alone.
    fn is_for_news(self) -> bool {
        matches!(self, Self::News | Self::Trees)
    }
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
    fn from_facts(facts: &FileFacts) -> Self {
        let sections =
            asof_search::collect_sections(&facts.path, &asof_syntax::doc_sections(facts));
        Self { items: asof_search::collect(facts), sections }
    }

    /// Puts the rows of a file's terms.
    pub fn put(self, path: &str, batch: &mut Batch) -> Result<(), StoreError> {
        batch.put("search_terms", [path.into(), Value::Bytes(self.items)])?;
        match self.sections {
            Some(sections) => batch.put("section_terms", [path.into(), Value::Bytes(sections)]),
            None => Ok(()),
        }
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
) -> [Value; 5] {
    let source = Value::Bytes(source);
    [hash.into(), len.into(), base.into(), steps.into(), source]
}

/// The row of a text that is stored whole.
pub(super) fn text_row((hash, len, source): Packed) -> [Value; 5] {
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

/// What is parsed, and why.
pub(super) struct Request<'a> {
    pub tree: &'a dyn SourceTree,
    pub files: &'a [&'a SourceFile],
    /// What is stored of each file.
    pub known: &'a BTreeMap<String, FileStat>,
    pub want: Want,
    pub options: &'a Options,
}

/// Where the texts of many files go while others are parsed.
#[derive(Clone, Copy)]
pub(super) enum TextSink<'a> {
    /// The writer of a first run, which takes terms, too.
    Stream(&'a SyncSender<Streamed>),
    /// Transactions of their own.
    Transactions(&'a WriteLock<'a>),
    /// They stay in memory.
    Memory,
}

/// Reads files, and parses those that are wanted.
pub(super) fn parse(
    request: &Request<'_>,
    sink: TextSink<'_>,
    progress: &dyn Progress,
) -> Result<Parsed, IndexError> {
    let parsed = match (request.files, request.options.threads) {
        // One file is parsed faster than a pool starts.
        ([file], None) => one_file(request, file)?,
        _ => on_threads(request, sink, progress)?,
    };
    if let Some(memory) = &request.options.memory {
        memory.keep_facts(parsed.facts.values());
    }
    Ok(parsed)
}

fn on_threads(
    request: &Request<'_>,
    sink: TextSink<'_>,
    progress: &dyn Progress,
) -> Result<Parsed, IndexError> {
    let pool = pool(request.options.threads)?;
    let is_for_texts = matches!(request.want, Want::News | Want::All);
    let sink = match request.files.len() {
        STREAM_FROM.. if is_for_texts => sink,
        _ => TextSink::Memory,
    };
    // The largest first: the last one to end keeps all others waiting.
    let mut files = request.files.to_vec();
    files.sort_by_key(|file| std::cmp::Reverse(file.size));
    let work = |early: Option<&Early<'_>>| -> Result<Vec<(String, One)>, IndexError> {
        let one = |file: &&SourceFile| {
            if request.options.stopped() {
                return Err(IndexError::Interrupted);
            }
            let mut one = read_and_parse(request, file);
            if let Some(early) = early {
                early.take(&file.path, &mut one)?;
            }
            progress.step();
            Ok((file.path.clone(), one))
        };
        pool.install(|| files.par_iter().with_max_len(1).map(one).collect())
    };
    let mut parsed = Parsed::default();
    let results = match sink {
        TextSink::Memory => work(None)?,
        TextSink::Stream(stream) => {
            // A writer that failed reports it itself.
            let send = |batch| drop(stream.send(Streamed::Rows(batch)));
            let early = Early::new(&send, true);
            let results = work(Some(&early))?;
            early.end();
            results
        }
        TextSink::Transactions(lock) => {
            let (sender, receiver) = sync_channel::<Batch>(QUEUE);
            let send = move |batch| drop(sender.send(batch));
            let (results, written) = std::thread::scope(|scope| {
                let writer = scope.spawn(move || write_texts(&receiver, lock));
                let early = Early::new(&send, false);
                let results = work(Some(&early));
                parsed.texts = early.end();
                drop(send);
                let written = writer.join().unwrap_or_else(|_| {
                    Err(StoreError::Engine { reason: "the thread that writes texts failed".into() })
                });
                (results, written)
            });
            written?;
            results?
        }
    };
    for (path, one) in results {
        if !matches!(sink, TextSink::Memory) {
            parsed.streamed.insert(path.clone());
        }
        parsed.take(path, one);
    }
    Ok(parsed)
}

/// Rows that depend on a file alone, passed on while other files are parsed.
struct Early<'s> {
    send: &'s (dyn Fn(Batch) + Sync),
    /// Whether terms for search are among them: then it is the first run, and none are stored.
    terms: bool,
    /// Texts that were passed on.
    texts: Mutex<HashSet<TextHash>>,
    waiting: Mutex<Batch>,
}

impl<'s> Early<'s> {
    fn new(send: &'s (dyn Fn(Batch) + Sync), terms: bool) -> Self {
        Self { send, terms, texts: Mutex::default(), waiting: Mutex::default() }
    }

    /// Takes the texts of a file, of which the hashes stay, and its terms.
    fn take(&self, path: &str, one: &mut One) -> Result<(), IndexError> {
        let One::Parsed(facts, _, terms) = one else { return Ok(()) };
        let mut texts = Vec::new();
        let mut seen = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        for (hash, text) in Arc::make_mut(facts).items.iter_mut().filter_map(|i| i.text.as_mut()) {
            let text = std::mem::take(text);
            if seen.insert(*hash) {
                texts.push((*hash, text));
            }
        }
        drop(seen);
        let mut batch = Batch::new();
        for (hash, text) in texts {
            batch.put("text", text_row(pack(hash, &text)?))?;
        }
        if let Some(terms) = terms.take_if(|_| self.terms) {
            terms.put(path, &mut batch)?;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.append(batch);
        let full = (waiting.len() >= BATCH).then(|| std::mem::take(&mut *waiting));
        drop(waiting);
        full.into_iter().for_each(self.send);
        Ok(())
    }

    /// Passes on the last rows. Gives the number of texts.
    fn end(self) -> usize {
        let waiting = self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !waiting.is_empty() {
            (self.send)(waiting);
        }
        self.texts.into_inner().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Texts are addressed by content, so they may be written before the transaction that refers to
/// them. Without that transaction they are garbage, not damage.
fn write_texts(batches: &Receiver<Batch>, lock: &WriteLock<'_>) -> Result<(), StoreError> {
    while let Ok(batch) = batches.recv() {
        lock.commit(batch)?;
    }
    Ok(())
}

fn one_file(request: &Request<'_>, file: &SourceFile) -> Result<Parsed, IndexError> {
    let one = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(asof_syntax::STACK_BYTES)
            .spawn_scoped(scope, || read_and_parse(request, file))
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

    /// Drops what only rows of contents have of items, from facts that nobody keeps.
    pub fn forget_contents(&mut self) {
        let facts = self.facts.values_mut().filter_map(Arc::get_mut);
        for item in facts.flat_map(|facts| &mut facts.items) {
            for text in [&mut item.signature, &mut item.docs, &mut item.sig, &mut item.cfg] {
                *text = String::new();
            }
            item.attrs = Vec::new();
            item.generics = Vec::new();
            item.params = Vec::new();
            item.header = Header::None;
            item.metrics = None;
        }
    }

    /// The uses of all files, by path. Those of facts that nobody keeps are taken out of them.
    pub fn take_uses(&mut self) -> Vec<(&str, Cow<'_, FileUses>)> {
        let uses = |(path, facts)| (String::as_str(path), Self::uses_of(facts));
        self.facts.iter_mut().map(uses).collect()
    }

    fn uses_of(facts: &mut Arc<FileFacts>) -> Cow<'_, FileUses> {
        if Arc::get_mut(facts).is_none() {
            return Cow::Borrowed(&facts.uses);
        }
        Cow::Owned(
            Arc::get_mut(facts)
                .map(|facts| std::mem::take(&mut facts.uses))
                .or_never("nobody else has the facts"),
        )
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

fn read_and_parse(request: &Request<'_>, file: &SourceFile) -> One {
    let Request { tree, known, want, options, .. } = *request;
    if let Some(parsed) = kept_facts(request, file) {
        return parsed;
    }
    let checked_ns = now_ns();
    let bytes = match read_from(tree, &file.path, asof_syntax::MAX_FILE_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(issue) => return One::Unreadable(issue),
    };
    let stat = |raw_hash: String| FileStat::new(file, raw_hash, checked_ns);
    let raw_hash = RawHash::hash(&bytes);
    match known.get(&file.path) {
        Some(old) if want.is_for_news() && old.raw_hash == raw_hash.as_str() => {
            One::Same(stat(raw_hash.to_string()))
        }
        _ => {
            let is_new = known.get(&file.path).is_none_or(|old| old.raw_hash != raw_hash.as_str());
            let only_uses = want == Want::Uses && !is_new;
            let kept = options.memory.as_ref().and_then(|m| m.facts(&file.path, &raw_hash));
            let kept = kept.filter(|facts| only_uses || has_texts(facts));
            let parse = || Arc::new(asof_syntax::parse_file(&file.path, &bytes));
            let facts = kept.unwrap_or_else(parse);
            // They depend on path and text alone: those of an unchanged file are stored already.
            let is_compared = options.rebuild || options.reread.compares_rows();
            let needs_terms = is_new || (is_compared && !only_uses);
            let needs_terms = needs_terms && options.facts == FactSet::All && want != Want::Trees;
            let terms = needs_terms.then(|| Terms::from_facts(&facts));
            One::Parsed(facts, stat(raw_hash.to_string()), terms)
        }
    }
}

/// The facts of a file that is as it was read, if they are in memory: reading it from a commit takes
/// longer than resolving what is asked of it.
fn kept_facts(request: &Request<'_>, file: &SourceFile) -> Option<One> {
    let Request { known, want, options, .. } = *request;
    let memory = options.memory.as_ref().filter(|_| !want.is_for_news() && !options.rebuild)?;
    let stat = known.get(&file.path).filter(|stat| stat.vouches_for(file))?;
    let facts = memory.facts(&file.path, &stat.raw_hash.parse().ok()?)?;
    (want == Want::Uses || has_texts(&facts)).then(|| One::Parsed(facts, stat.clone(), None))
}

/// Whether facts still have their texts, and not only the hashes of texts that were passed on.
fn has_texts(facts: &FileFacts) -> bool {
    let mut texts = facts.items.iter().filter_map(|item| item.text.as_ref());
    texts.all(|(hash, text)| !text.is_empty() || *hash == TextHash::hash(b""))
}
