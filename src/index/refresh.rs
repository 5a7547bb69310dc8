//! A refresh: brings the rows at NOW up to date with the files.
//!
//! A refresh is narrow or wide. If every changed file has the same item tree as before, only its
//! own rows are read, compared and written. Otherwise the names of the whole workspace are resolved
//! from the old item trees and from the new ones, and the differences are written. Both end in the
//! rows that a fresh index would have. A changed document replaces its own rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;

use super::clock::Clock;
use super::content::Columns;
use super::current::{self, is_current, walk_tree, with_known_targets};
use super::dependencies::{self, DependencySources, UsedCrates};
use super::documents::{Documents, Scope};
use super::error::IndexError;
use super::load_state::{self, resolved_state};
use super::narrow;
use super::options::{Cause, FactSet, Options, Progress, Reread};
use super::outcome::Outcome;
use super::parse::{self, Parsed, TextSink, Want};
use super::resolved_state::ResolvedState;
use super::state::{self, LIBRARY, Roots, State};
use super::stats::{FileStat, gone, now_ns};
use super::stream::Stream;
use super::threads::pool;
use super::wide::{self, Concerned, ITEM_TREE_HASH, Missing, Work};
use super::write::Writer;
use asof_model::{FileFacts, Issue, ItemTree, Namespace, SourceFile, WorkspaceLayout, is_document};
use asof_store::{Store, StoreError, Streamed, Value, WriteLock};
use asof_wire::{IndexReport, Phase};
use asof_workspace::{Disk, SourceTree, Walk};

/// Files that change while they are read are read again this many times.
const MAX_ROUNDS: usize = 3;

/// Updates the store from the files below `root`, in one transaction, under the write lock. Adds no
/// revision if no fact changed.
///
/// # Errors
/// See [`IndexError`]. The previous state stays.
pub fn refresh(
    store: &Store,
    root: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<IndexReport, IndexError> {
    let _span = tracing::debug_span!("refresh", root = %root.display()).entered();
    let mut clock = Clock::start();
    progress.begin(Phase::Walk, None);
    let state = State::load(store)?;
    let tree = &Disk::open(root)?;
    let walk = walk_tree(tree)?;
    let known = with_known_targets(&walk, tree, &state);
    let sources = options.sources(tree);
    let trusting = !options.rebuild && options.reread.is_empty();
    if trusting && state.at.is_some() && is_current(&state, tree, &sources, &walk, &known) {
        clock.lap(Phase::Walk);
        return Ok(IndexReport {
            at: state.at,
            files: known.files.len(),
            documents: known.documents.len(),
            phases: clock.laps,
            ..IndexReport::default()
        });
    }
    let lock = store.write_lock(options.lock_wait)?;
    // Another process may have written while we waited for the lock.
    let state = if state.is_newest(store)? { state } else { State::load(store)? };
    Run::new(store, tree, options, progress, state, clock, sources).under_lock(&lock, walk)
}

/// [`refresh`] under a write lock that is held already, so that no other process writes between the
/// holder's changes of files and this.
pub fn refresh_under(
    lock: &WriteLock<'_>,
    store: &Store,
    root: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<IndexReport, IndexError> {
    refresh_from(lock, store, &Disk::open(root)?, options, progress)
}

/// [`refresh_under`] from any tree of files.
pub fn refresh_from(
    lock: &WriteLock<'_>,
    store: &Store,
    tree: &dyn SourceTree,
    options: &Options,
    progress: &dyn Progress,
) -> Result<IndexReport, IndexError> {
    let _span = tracing::debug_span!("refresh").entered();
    let mut clock = Clock::start();
    let state = State::load(store)?;
    let expected = options.memory.as_ref().and_then(|memory| memory.expected_walk(tree));
    let walk = expected.map_or_else(|| walk_tree(tree), Ok)?;
    let known = || with_known_targets(&walk, tree, &state);
    tree.check()?;
    let sources = options.sources(tree);
    if options.reread.is_empty()
        && state.at.is_some()
        && is_current(&state, tree, &sources, &walk, &known())
    {
        clock.lap(Phase::Walk);
        return Ok(IndexReport { at: state.at, phases: clock.laps, ..IndexReport::default() });
    }
    Run::new(store, tree, options, progress, state, clock, sources).under_lock(lock, walk)
}

struct Run<'a> {
    store: &'a Store,
    tree: &'a dyn SourceTree,
    options: &'a Options,
    progress: &'a dyn Progress,
    state: State,
    documents: Documents,
    clock: Clock,
    sources: DependencySources,
    /// The new state, once names of it were needed.
    resolved: Option<Arc<ResolvedState>>,
}

/// What a run begins with: the files, and the packages that they belong to.
struct Input {
    walk: Walk,
    roots: Roots,
    /// Problems of the walk and of manifests, later also files that cannot be read.
    issues: Vec<Issue>,
    same_manifests: bool,
    /// A time before the manifests were read.
    manifests_ns: i64,
    /// Whether all files are parsed again.
    everything: bool,
    /// Whether names are resolved with other crates outside of the workspace: every use is resolved
    /// again.
    other_dependencies: bool,
}

impl<'a> Run<'a> {
    fn new(
        store: &'a Store,
        tree: &'a dyn SourceTree,
        options: &'a Options,
        progress: &'a dyn Progress,
        state: State,
        clock: Clock,
        sources: DependencySources,
    ) -> Self {
        let (documents, resolved) = (Documents::default(), None);
        Run { store, tree, options, progress, state, documents, clock, sources, resolved }
    }

    fn under_lock(self, lock: &WriteLock<'_>, walk: Walk) -> Result<IndexReport, IndexError> {
        if self.state.at.is_some() || self.store.path().is_none() {
            return self.run(lock, walk, None);
        }
        Stream::with(lock, |stream| self.run(lock, walk, stream))
    }

    fn run(
        mut self,
        lock: &WriteLock<'_>,
        walk: Walk,
        stream: Option<Stream<'_>>,
    ) -> Result<IndexReport, IndexError> {
        asof_resolve::prepare();
        let mut input = self.input(walk)?;
        self.clock.lap(Phase::Walk);
        let sender = stream.as_ref().map(Stream::sender);
        let mut parsed = self.read(&input, lock, sender.as_ref())?;
        self.clock.lap(Phase::Parse);
        let old_issues = match self.state.at {
            Some(at) => state::issues(self.store, at)?,
            None => BTreeMap::new(),
        };
        let mut writer = Writer::new(self.options.at, self.state.at, old_issues, sender)?;
        let namespace = state::namespace(self.store)?
            .unwrap_or_else(|| Namespace::of_project(&input.roots.layout.name));
        let walk = &input.walk;
        let gone = gone(&self.state.stats, &[&walk.files, &walk.manifests, &walk.documents]);
        if !self.narrow(&input, &parsed, &gone, &mut writer)? {
            self.wide(&input, namespace, lock, &mut parsed, &mut writer)?;
        }
        if let Some(state) = &self.resolved {
            state.stored_input().check()?;
        }
        let saving = self.save_names(&input.roots, &writer);
        self.write_files(&mut input, &mut parsed, &gone, &mut writer)?;
        self.clock.lap(Phase::Diff);
        let report = self.finish(lock, &input, namespace, parsed, &gone, writer, stream);
        if let Some(saving) = saving {
            // What it could not write is found again when it is needed.
            let _ = saving.join();
        }
        report
    }

    /// Packages, targets and dependencies, and whether anything but the files is another one.
    fn input(&self, mut walk: Walk) -> Result<Input, IndexError> {
        let _span = tracing::debug_span!("input").entered();
        let seen = state::seen(&walk);
        let manifests_ns = now_ns();
        let known =
            (!self.options.rebuild && self.options.reread.is_empty()).then_some(&self.state);
        let (layout, mut issues, same_manifests) =
            current::layout(self.tree, known, &seen, &mut walk)?;
        issues.extend(walk.issues.iter().cloned());
        let dependencies = self.dependencies(&layout)?;
        let is_unknown = self.state.at.is_some() && self.state.roots.is_none();
        let everything = self.options.rebuild || is_unknown || self.state.has_other_library();
        let other_dependencies = self.state.has_other_dependencies(&dependencies);
        let links = walk.links.clone();
        let roots = Roots { layout, links, seen, dependencies };
        Ok(Input {
            walk,
            roots,
            issues,
            same_manifests,
            manifests_ns,
            everything,
            other_dependencies,
        })
    }

    /// Parses the files that may have changed, and reads such documents.
    fn read(
        &mut self,
        input: &Input,
        lock: &WriteLock<'_>,
        sender: Option<&SyncSender<Streamed>>,
    ) -> Result<Parsed, IndexError> {
        let walk = &input.walk;
        let reading: Vec<&SourceFile> = match (input.everything, &self.options.reread) {
            (true, _) | (false, Reread::All) => walk.files.iter().collect(),
            (false, Reread::Files(paths) | Reread::Rows(paths)) => {
                let known = &self.state.stats;
                let is_read = |file: &&SourceFile| {
                    paths.contains(&file.path)
                        || !known.get(&file.path).is_some_and(|stat| stat.vouches_for(file))
                };
                walk.files.iter().filter(is_read).collect()
            }
        };
        let is_compared = input.everything || self.options.reread.compares_rows();
        let want = if is_compared { Want::All } else { Want::News };
        if sender.is_none() {
            self.documents = self.read_documents(&walk.documents);
            return std::thread::scope(|scope| {
                let memory = self.options.memory.as_ref();
                let known = &self.state.stats;
                let looks_other = |file: &&SourceFile| {
                    let now = FileStat::new(file, String::new(), 0);
                    known.get(&file.path).is_some_and(|stat| !stat.looks_like(&now))
                };
                if memory.is_some() && reading.iter().any(looks_other) {
                    // What cannot be loaded is said when it is asked for.
                    scope.spawn(|| drop(self.resolved_state()));
                }
                self.parse(&reading, lock, want, None)
            });
        }
        // In a first run, documents are read while files are parsed.
        let (parsed, documents) = std::thread::scope(|scope| {
            let documents = scope.spawn(|| self.read_documents(&walk.documents));
            let parsed = self.parse(&reading, lock, want, sender);
            (parsed, documents.join())
        });
        let failed = || IndexError::Threads { reason: "the reader failed".into() };
        self.documents = documents.map_err(|_| failed())?;
        parsed
    }

    /// Writes the rows of the changed files if their names stay valid. False if they may not.
    fn narrow(
        &mut self,
        input: &Input,
        parsed: &Parsed,
        gone: &[String],
        writer: &mut Writer,
    ) -> Result<bool, IndexError> {
        let rows = self.stored_rows(parsed)?;
        let alone = !input.everything
            && !input.other_dependencies
            && !self.options.reread.compares_rows()
            && self.options.facts == FactSet::All
            && gone.iter().all(|path| is_document(path))
            && parsed.unreadable.keys().all(|path| !self.state.stats.contains_key(path))
            && self.state.roots.as_ref() == Some(&input.roots)
            && parsed.facts.values().all(|facts| {
                let item_tree = rows.get(&facts.path).and_then(|row| row.get(ITEM_TREE_HASH));
                item_tree == Some(&ItemTree::from_facts(facts).hash().into())
            });
        let Some(at) = self.state.at.filter(|_| alone) else { return Ok(false) };
        let _span = tracing::debug_span!("narrow").entered();
        self.progress.begin(Phase::Diff, None);
        let mut resolved = None;
        let mut resolved_state = || {
            let state = self.resolved_state()?;
            resolved = Some(Arc::clone(&state));
            let outside =
                Arc::clone(state.dependencies(self.sources.folders(), self.options.threads)?);
            Ok((state, outside))
        };
        let done = narrow::write(self.store, at, &mut resolved_state, parsed, writer)?;
        self.resolved = resolved;
        for facts in parsed.facts.values().filter(|_| done) {
            // The item tree is the stored one, or the refresh would be wide.
            let row = rows.get(&facts.path);
            if let Some(Value::Str(item_tree)) = row.and_then(|row| row.get(ITEM_TREE_HASH)) {
                writer.file(facts, item_tree, row)?;
            }
        }
        Ok(done)
    }

    /// Writes what depends on each file alone: terms, documents, issues, texts.
    fn write_files(
        &mut self,
        input: &mut Input,
        parsed: &mut Parsed,
        gone: &[String],
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let _span = tracing::debug_span!("write_files").entered();
        for facts in parsed.facts.values() {
            let issues: Vec<&Issue> = facts.issues.iter().collect();
            writer.issues(0, Some(&facts.path), &issues);
        }
        writer.terms(parsed, gone, &self.state.stats)?;
        let gone_documents = gone.iter().filter(|path| is_document(path));
        self.documents.write(self.store, self.state.at, gone_documents, writer)?;
        let issues = &mut input.issues;
        issues.extend(parsed.unreadable.values().cloned());
        issues.sort();
        issues.dedup();
        writer.walk_issues(&issues.iter().collect::<Vec<_>>(), input.same_manifests);
        writer.write_issues()?;
        writer.write_texts(self.store)
    }

    /// Begins to save the names of the new state. Returns what has to be waited for, if anything.
    fn save_names(&mut self, roots: &Roots, writer: &Writer) -> Option<JoinHandle<()>> {
        let is_wanted = self.options.cause != Cause::Commit;
        let state = self.resolved.take().filter(|one| is_wanted && one.begins_to_be_saved())?;
        let item_trees = writer.item_trees.as_deref().or(self.state.item_trees.as_deref())?;
        let begin = || load_state::save(self.store, &state, item_trees, roots);
        match &self.options.memory {
            Some(memory) => memory.save(begin),
            None => return begin(),
        }
        None
    }

    /// Crates outside of the workspace that names are resolved with.
    fn dependencies(&self, layout: &WorkspaceLayout) -> Result<UsedCrates, IndexError> {
        if self.options.facts == FactSet::Items {
            return Ok(UsedCrates::default());
        }
        let old = self.state.roots.as_ref().map(|roots| &roots.dependencies);
        dependencies::choose(self.tree, layout, &self.sources, old, self.options.threads)
    }

    fn parse(
        &self,
        files: &[&SourceFile],
        lock: &WriteLock<'_>,
        want: Want,
        stream: Option<&SyncSender<Streamed>>,
    ) -> Result<Parsed, IndexError> {
        let _span = tracing::debug_span!("parse", files = files.len()).entered();
        self.progress.begin(Phase::Parse, Some(files.len() as u64));
        let request = parse::Request {
            tree: self.tree,
            files,
            known: &self.state.stats,
            want,
            options: self.options,
        };
        let sink = stream.map_or(TextSink::Transactions(lock), TextSink::Stream);
        parse::parse(&request, sink, self.progress)
    }

    /// Reads documents as the options say.
    fn read_documents(&self, files: &[SourceFile]) -> Documents {
        let scope = match (self.options.rebuild, &self.options.reread) {
            _ if self.options.facts == FactSet::Items => return Documents::default(),
            (true, _) => Scope::Rebuild,
            (false, Reread::All) => Scope::All,
            (false, Reread::Files(_) | Reread::Rows(_)) => Scope::Suspects,
        };
        Documents::read(self.tree, files, &self.state.stats, scope)
    }

    /// The newest state with its names resolved.
    fn resolved_state(&self) -> Result<Arc<ResolvedState>, IndexError> {
        resolved_state(self.store, &self.state, self.options.memory.as_ref())
    }

    fn stored_rows(&self, parsed: &Parsed) -> Result<BTreeMap<String, Columns>, StoreError> {
        let paths: Vec<String> = parsed.facts.keys().cloned().collect();
        match self.state.at {
            Some(at) => state::file_rows(self.store, at, &paths),
            None => Ok(BTreeMap::new()),
        }
    }

    fn wide(
        &mut self,
        input: &Input,
        namespace: Namespace,
        lock: &WriteLock<'_>,
        parsed: &mut Parsed,
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let Input { walk, roots, .. } = input;
        let present: BTreeSet<&str> = walk.files.iter().map(|f| f.path.as_str()).collect();
        let (before, folders) = (self.resolved_state()?, self.sources.folders().clone());
        pool(self.options.threads)?.install(|| before.stored_input().read_all())?;
        let (old_roots, item_trees) = (self.state.roots.take(), self.state.item_trees.take());
        let work = Work {
            store: self.store,
            at: self.state.at,
            namespace,
            options: self.options,
            folders: &folders,
            present: &present,
            roots,
            old_roots: old_roots.as_ref(),
            item_trees: item_trees.as_deref(),
            everything: input.everything || !self.options.reread.is_empty(),
            other_dependencies: input.other_dependencies,
        };
        let mut last: Option<(Arc<ResolvedState>, Concerned)> = None;
        let mut missing = Missing::default();
        for _ in 0..MAX_ROUNDS {
            let _span = tracing::debug_span!("wide").entered();
            self.progress.begin(Phase::Resolve, None);
            let now = wide::after(&work, &before, parsed, last.as_ref().map(|(now, _)| now))?;
            let concerned = match last.take() {
                Some((state, concerned)) if Arc::ptr_eq(&state, &now) => concerned,
                _ => wide::concerned(&work, &before, &now, parsed)?,
            };
            missing = concerned.missing(parsed);
            if missing.is_empty() {
                wide::write(&work, &before, &now, &concerned, parsed, writer)?;
                self.clock.lap(Phase::Resolve);
                self.resolved = Some(Arc::clone(&now));
                let memory = self.options.memory.as_ref().filter(|memory| memory.is_for_more());
                if let (Some(memory), Some(item_trees)) = (memory, &writer.item_trees) {
                    memory.keep(item_trees.clone(), now);
                }
                return Ok(());
            }
            self.clock.lap(Phase::Resolve);
            let wanted = [(&missing.moved, Want::All), (&missing.dependents, Want::Uses)];
            for (paths, want) in wanted.into_iter().filter(|(paths, _)| !paths.is_empty()) {
                let files: Vec<_> = walk.files.iter().filter(|f| paths.contains(&f.path)).collect();
                let mut more = self.parse(&files, lock, want, None)?;
                self.clock.lap(Phase::Parse);
                if want == Want::Uses {
                    let stats = &self.state.stats;
                    let same = |path: &String, facts: &FileFacts| {
                        stats.get(path).is_some_and(|s| s.raw_hash == facts.raw_hash.as_str())
                    };
                    let alike = more.facts.iter().filter(|(path, facts)| same(path, facts));
                    more.for_uses = alike.map(|(path, _)| path.clone()).collect();
                }
                parsed.extend(more);
            }
            last = Some((now, concerned));
        }
        let paths = missing.moved.into_iter().chain(missing.dependents).collect();
        Err(IndexError::Unstable { paths })
    }

    #[expect(clippy::too_many_arguments, reason = "the end of a run takes everything that it made")]
    fn finish(
        mut self,
        lock: &WriteLock<'_>,
        input: &Input,
        namespace: Namespace,
        parsed: Parsed,
        gone: &[String],
        mut writer: Writer,
        stream: Option<Stream<'_>>,
    ) -> Result<IndexReport, IndexError> {
        let outcome = Outcome {
            tree: self.tree,
            options: self.options,
            state: &self.state,
            documents: &self.documents,
            walk: &input.walk,
            parsed: &parsed,
            gone,
        };
        let layout = &input.roots.layout;
        let stats = outcome.write_stats(&layout.manifests, input.manifests_ns, &mut writer)?;
        if self.options.stopped() {
            return Err(IndexError::Interrupted);
        }
        // Unreadable files must not be stored as missing.
        self.tree.check()?;
        let _span = tracing::debug_span!("write").entered();
        self.progress.begin(Phase::Write, None);
        let first = self.state.at.is_none();
        let is_revision = first || writer.versioned_len() > 0;
        let mut report = outcome.report(&writer);
        if is_revision {
            outcome.write_revision(&mut report, &layout.name, namespace, &mut writer)?;
        }
        drop(parsed);
        if first || self.state.has_other_library() {
            writer.batch.put("meta", [LIBRARY.into(), asof_resolve::names_version().into()])?;
        }
        if is_revision || stats > 0 || !writer.batch.is_empty() {
            let written = match stream {
                Some(stream) => stream.commit(writer)?,
                None => lock.commit(writer.batch)?,
            };
            for (relation, rows) in written.rows {
                // Texts of sources may have been written early, those of documents are in the batch.
                *report.rows.entry(relation).or_default() += rows;
            }
        }
        self.clock.lap(Phase::Write);
        report.phases = self.clock.laps;
        Ok(report)
    }
}
