//! One run: from the files on disk to the rows at NOW.
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
use super::parse::{self, Parsed, Want};
use super::resolved_state::ResolvedState;
use super::revision::{RevisionMeta, revision};
use super::state::{self, BASE, LIBRARY, NAMESPACE, Roots, State};
use super::stats::{FileStat, gone, now_ns};
use super::stream::Stream;
use super::threads::pool;
use super::wide::{self, ITEM_TREE_HASH, Missing, Work};
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
    let state = State::load(store)?;
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
    let walk = walk_tree(tree)?;
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
        mut walk: Walk,
        stream: Option<Stream<'_>>,
    ) -> Result<IndexReport, IndexError> {
        asof_resolve::prepare();
        let seen = state::seen(&walk);
        let manifests_ns = now_ns();
        let known =
            (!self.options.rebuild && self.options.reread.is_empty()).then_some(&self.state);
        let (layout, mut walk_issues, same_manifests) =
            current::layout(self.tree, known, &seen, &mut walk)?;
        walk_issues.extend(walk.issues.iter().cloned());
        let used = self.dependencies(&layout)?;
        let other = self.state.has_other_library() || self.state.has_other_dependencies(&used);
        let links = walk.links.clone();
        let roots = Roots { layout: layout.clone(), links, seen, dependencies: used };
        self.clock.lap(Phase::Walk);

        let everything = self.options.rebuild || other;
        let reading: Vec<&SourceFile> = match (everything, &self.options.reread) {
            (true, _) | (false, Reread::All) => walk.files.iter().collect(),
            (false, Reread::Files(paths)) => {
                let known = &self.state.stats;
                let is_read = |file: &&SourceFile| {
                    paths.contains(&file.path)
                        || !known.get(&file.path).is_some_and(|stat| stat.vouches_for(file))
                };
                walk.files.iter().filter(is_read).collect()
            }
        };
        let want = if everything { Want::All } else { Want::News };
        let sender = stream.as_ref().map(Stream::sender);
        let mut parsed = match &sender {
            // In a first run, documents are read while files are parsed.
            Some(sender) => {
                let (parsed, documents) = std::thread::scope(|scope| {
                    let documents = scope.spawn(|| self.read_documents(&walk.documents));
                    let parsed = self.parse(&reading, lock, want, Some(sender));
                    (parsed, documents.join())
                });
                let failed = || IndexError::Threads { reason: "the reader failed".into() };
                self.documents = documents.map_err(|_| failed())?;
                parsed?
            }
            None => {
                self.documents = self.read_documents(&walk.documents);
                self.parse(&reading, lock, want, None)?
            }
        };
        self.clock.lap(Phase::Parse);

        let old_issues = match self.state.at {
            Some(at) => state::issues(self.store, at)?,
            None => BTreeMap::new(),
        };
        let mut writer = Writer::new(self.options.at, self.state.at, old_issues, sender)?;
        let namespace =
            state::namespace(self.store)?.unwrap_or_else(|| Namespace::of_project(&layout.name));
        let gone = gone(&self.state.stats, &[&walk.files, &walk.manifests, &walk.documents]);
        let rows = self.stored_rows(&parsed)?;
        let alone = !everything
            && self.options.facts == FactSet::All
            && gone.iter().all(|path| is_document(path))
            && parsed.unreadable.keys().all(|path| !self.state.stats.contains_key(path))
            && self.state.roots.as_ref() == Some(&roots)
            && parsed.facts.values().all(|facts| {
                let item_tree = rows.get(&facts.path).and_then(|row| row.get(ITEM_TREE_HASH));
                item_tree == Some(&ItemTree::from_facts(facts).hash().into())
            });
        let narrow = match self.state.at {
            Some(at) if alone => {
                let _span = tracing::debug_span!("narrow").entered();
                self.progress.begin(Phase::Diff, None);
                let mut resolved = None;
                let mut resolved_state = || {
                    let state = self.resolved_state()?;
                    resolved = Some(Arc::clone(&state));
                    let outside = Arc::clone(
                        state.dependencies(self.sources.folders(), self.options.threads)?,
                    );
                    Ok((state, outside))
                };
                let done =
                    narrow::write(self.store, at, &mut resolved_state, &parsed, &mut writer)?;
                self.resolved = resolved;
                for facts in parsed.facts.values().filter(|_| done) {
                    // The item tree is the stored one, or the refresh would be wide.
                    let row = rows.get(&facts.path);
                    if let Some(Value::Str(item_tree)) = row.and_then(|row| row.get(ITEM_TREE_HASH))
                    {
                        writer.file(facts, item_tree, row)?;
                    }
                }
                done
            }
            _ => false,
        };
        if !narrow {
            self.wide(&walk, &roots, namespace, lock, &mut parsed, &mut writer)?;
        }
        if let Some(state) = &self.resolved {
            state.stored_input().check()?;
        }
        let saving = self.save_names(&roots, &writer);
        for facts in parsed.facts.values() {
            let issues: Vec<&Issue> = facts.issues.iter().collect();
            writer.issues(0, Some(&facts.path), &issues);
        }
        writer.terms(&mut parsed, &gone, &self.state.stats)?;
        let gone_documents = gone.iter().filter(|path| is_document(path));
        self.documents.write(self.store, self.state.at, gone_documents, &mut writer)?;
        walk_issues.extend(parsed.unreadable.values().cloned());
        walk_issues.sort();
        walk_issues.dedup();
        writer.walk_issues(&walk_issues.iter().collect::<Vec<_>>(), same_manifests);
        writer.write_issues()?;
        writer.write_texts(self.store)?;
        self.clock.lap(Phase::Diff);
        let stats =
            self.stats(&walk, &layout.manifests, manifests_ns, &parsed, &gone, &mut writer)?;
        let report =
            self.finish(lock, &walk, &layout.name, namespace, parsed, gone, stats, writer, stream);
        if let Some(saving) = saving {
            // What it could not write is found again when it is needed.
            let _ = saving.join();
        }
        report
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
        parse::parse(&request, stream, lock, self.progress)
    }

    /// Reads documents as the options say.
    fn read_documents(&self, files: &[SourceFile]) -> Documents {
        let scope = match (self.options.rebuild, &self.options.reread) {
            _ if self.options.facts == FactSet::Items => return Documents::default(),
            (true, _) => Scope::Rebuild,
            (false, Reread::All) => Scope::All,
            (false, Reread::Files(_)) => Scope::Suspects,
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
        walk: &Walk,
        roots: &Roots,
        namespace: Namespace,
        lock: &WriteLock<'_>,
        parsed: &mut Parsed,
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
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
        };
        let mut after = None;
        let mut missing = Missing::default();
        for _ in 0..MAX_ROUNDS {
            let _span = tracing::debug_span!("wide").entered();
            self.progress.begin(Phase::Resolve, None);
            let now = wide::after(&work, &before, parsed, after.take())?;
            missing = wide::write(&work, &before, &now, parsed, writer)?;
            self.clock.lap(Phase::Resolve);
            if missing.is_empty() {
                self.resolved = Some(Arc::clone(&now));
                let memory = self.options.memory.as_ref().filter(|memory| memory.is_for_more());
                if let (Some(memory), Some(item_trees)) = (memory, &writer.item_trees) {
                    memory.keep(item_trees.clone(), now);
                }
                return Ok(());
            }
            after = Some(now);
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
        }
        let paths = missing.moved.into_iter().chain(missing.dependents).collect();
        Err(IndexError::Unstable { paths })
    }

    /// Writes the metadata of the files, and returns the number of rows. `manifests`: their hashes,
    /// and a time before they were read.
    fn stats(
        &self,
        walk: &Walk,
        manifests: &BTreeMap<String, asof_model::RawHash>,
        checked_ns: i64,
        parsed: &Parsed,
        gone: &[String],
        writer: &mut Writer,
    ) -> Result<usize, StoreError> {
        let mut rows = 0;
        let of_manifests = walk.manifests.iter().map(|file| {
            let hash = manifests.get(&file.path).map_or(String::new(), |h| h.to_string());
            (file.path.as_str(), FileStat::new(file, hash, checked_ns))
        });
        let stats = parsed.stats.iter().chain(&self.documents.stats);
        let stats = stats.map(|(path, stat)| (path.as_str(), stat.clone()));
        for (path, stat) in stats.chain(of_manifests) {
            let old = self.state.stats.get(path);
            let stands = |old: &FileStat| {
                old.looks_like(&stat) && old.is_settled() && old.raw_hash == stat.raw_hash
            };
            if old.is_some_and(stands) {
                continue;
            }
            writer.batch.put("file_stat", state::stat_row(path, &stat))?;
            rows += 1;
        }
        for path in gone.iter().chain(parsed.unreadable.keys()) {
            if self.state.stats.contains_key(path) {
                writer.batch.remove("file_stat", [path.as_str().into()])?;
                rows += 1;
            }
        }
        Ok(rows)
    }

    #[expect(clippy::too_many_arguments, reason = "the end of a run takes everything that it made")]
    fn finish(
        mut self,
        lock: &WriteLock<'_>,
        walk: &Walk,
        project: &str,
        namespace: Namespace,
        parsed: Parsed,
        gone: Vec<String>,
        stats: usize,
        mut writer: Writer,
        stream: Option<Stream<'_>>,
    ) -> Result<IndexReport, IndexError> {
        if self.options.stopped() {
            return Err(IndexError::Interrupted);
        }
        // Unreadable files must not be stored as missing.
        self.tree.check()?;
        let _span = tracing::debug_span!("write").entered();
        self.progress.begin(Phase::Write, None);
        let first = self.state.at.is_none();
        let versioned = writer.versioned_len();
        let mut report = self.report(walk, &parsed, gone, &writer);
        if versioned > 0 || first {
            let stamp = writer.stamp;
            let cause = if self.options.rebuild { "rebuild" } else { self.options.cause.as_str() };
            if !first {
                writer.changes()?;
            }
            let files = report.added.len() + report.changed.len() + report.removed.len();
            let batch = &mut writer.batch;
            let options = self.options;
            let said = RevisionMeta {
                actor: options.actor.as_deref(),
                message: options.message.as_deref(),
                commit: options.commit.as_deref(),
            };
            let id = revision(batch, namespace, stamp, cause, said, [files, versioned])?;
            if first {
                batch.put("meta", [NAMESPACE.into(), namespace.to_string().into()])?;
                batch.put("meta", ["project".into(), project.into()])?;
                let version = env!("CARGO_PKG_VERSION");
                batch.put("meta", ["tool_version".into(), version.into()])?;
                if options.cause == Cause::Scan
                    && let Some(head) = state::head(&self.tree.place())
                {
                    batch.put("meta", [BASE.into(), head.into()])?;
                }
            }
            report.revision = Some(id);
            report.at = Some(stamp.at);
        }
        drop(parsed);
        if first || self.state.has_other_library() {
            writer.batch.put("meta", [LIBRARY.into(), asof_resolve::names_version().into()])?;
        }
        if versioned > 0 || first || stats > 0 || !writer.batch.is_empty() {
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

    fn report(
        &self,
        walk: &Walk,
        parsed: &Parsed,
        gone: Vec<String>,
        writer: &Writer,
    ) -> IndexReport {
        let mut report = IndexReport {
            at: self.state.at,
            files: walk.files.len(),
            documents: walk.documents.len(),
            parsed: parsed.facts.len(),
            added: self.documents.added.clone(),
            changed: self.documents.changed.clone(),
            removed: gone.into_iter().filter(|p| p.ends_with(".rs") || is_document(p)).collect(),
            issues: writer.issues.len(),
            ..IndexReport::default()
        };
        for (path, facts) in &parsed.facts {
            report.lines += u64::from(facts.lines);
            match self.state.stats.get(path) {
                None => report.added.push(path.clone()),
                Some(old) if old.raw_hash != facts.raw_hash.as_str() => {
                    report.changed.push(path.clone());
                }
                Some(_) => {}
            }
            for item in &facts.items {
                *report.items.entry(item.kind.to_string()).or_default() += 1;
            }
        }
        report.added.sort_unstable();
        report.changed.sort_unstable();
        report.rows.extend((parsed.texts > 0).then(|| ("text".to_owned(), parsed.texts)));
        report
    }
}
