//! The wide refresh: names of the whole workspace are resolved in memory, from the old item trees
//! and from the new ones, and the differences are written. Files whose own text did not change, but
//! whose ids or paths did, have to be parsed as well: they are returned to the caller.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::changed_contents::ContentChange;
use super::changed_uses::Change;
use super::content::Content;
use super::dependents;
use super::error::IndexError;
use super::fingerprints::{self, FileFingerprints};
use super::memory::Memory;
use super::mentions::{Mentions, Names};
use super::noticing::Noticed;
use super::options::{FactSet, Options};
use super::parse::Parsed;
use super::resolved_state::ResolvedState;
use super::resolved_workspace::{ResolvedWorkspace, StoredInput};
use super::state::{
    self, ITEM_TREES, LAYOUT_KEY, MADE_KEY, Roots, compressed, item_trees_hash, packed,
};
use super::threads::pool;
use super::write::{TREE_ISSUES, Writer};
use asof_model::{FileFacts, FileUses, Issue, ItemTree, Micros, Namespace, RawHash, StoredTree};
use asof_resolve::{InstanceId, OutsideDifference};
use asof_store::{Batch, Store, Value};
use asof_workspace::SourceFolders;

/// From so many files on, item trees are made on several threads.
const PARALLEL_FROM: usize = 64;

/// Index of the item tree's hash among the columns of `file`.
pub(super) const ITEM_TREE_HASH: usize = 2;

/// Input of a wide refresh.
pub(super) struct Work<'a> {
    pub store: &'a Store,
    /// Time of the newest revision.
    pub at: Option<Micros>,
    pub namespace: Namespace,
    pub options: &'a Options,
    pub folders: &'a SourceFolders,
    /// Paths of the existing files.
    pub present: &'a BTreeSet<&'a str>,
    pub roots: &'a Roots,
    /// The old packages and targets.
    pub old_roots: Option<&'a Roots>,
    /// Hash of the old item trees.
    pub item_trees: Option<&'a str>,
    /// Whether stored rows are to be made again whatever differs.
    pub everything: bool,
    /// Whether every use may mean something else.
    pub other_dependencies: bool,
}

/// Files that have to be parsed, though their texts did not change.
#[derive(Debug, Default)]
pub(super) struct Missing {
    /// The rows of their items change.
    pub moved: BTreeSet<String>,
    /// Their references may have changed.
    pub dependents: BTreeSet<String>,
}

impl Missing {
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.dependents.is_empty()
    }
}

/// How a new state differs from the old one.
#[derive(Debug, Default)]
pub(super) struct Concerned {
    /// Files whose texts are as before, though the rows of their items change.
    moved: BTreeSet<String>,
    /// By which names the items of files can notice what differs; none if that was not asked for.
    noticed: Option<BTreeMap<String, Noticed>>,
    /// What was read for the items of each file, in stored form; empty if that was not asked for.
    reads: BTreeMap<String, Vec<u8>>,
}

impl Concerned {
    /// Those of the files that are not parsed yet.
    pub fn missing(&self, parsed: &Parsed) -> Missing {
        let is_new = |path: &&String| !parsed.facts.contains_key(*path);
        let moved: BTreeSet<String> = self.moved.iter().filter(is_new).cloned().collect();
        let noticed = self.noticed.iter().flat_map(BTreeMap::keys);
        let dependents = noticed.filter(|path| is_new(path) && !moved.contains(*path));
        Missing { dependents: dependents.cloned().collect(), moved }
    }
}

/// The item trees of the state after another one: those of the parsed files, and of the others that are
/// still present. A tree that is the same is shared.
///
/// # Errors
/// No threads can be had.
pub(super) fn item_trees(
    before: &StoredInput,
    parsed: &Parsed,
    is_present: impl Fn(&str) -> bool,
    threads: Option<usize>,
) -> Result<BTreeMap<String, Arc<StoredTree>>, IndexError> {
    let mut files: BTreeMap<String, Arc<StoredTree>> = BTreeMap::new();
    for (path, item_tree) in &before.files {
        if is_present(path)
            && !parsed.unreadable.contains_key(path)
            && !parsed.facts.contains_key(path)
        {
            files.insert(path.clone(), Arc::clone(item_tree));
        }
    }
    let tree = |(path, facts): (&String, &Arc<FileFacts>)| {
        let item_tree = StoredTree::from(ItemTree::from_facts(facts));
        let old = before.files.get(path).filter(|old| ***old == item_tree);
        (path.clone(), old.map_or_else(|| Arc::new(item_tree), Arc::clone))
    };
    match parsed.facts.len() {
        0..PARALLEL_FROM => files.extend(parsed.facts.iter().map(tree)),
        _ => {
            let trees = || parsed.facts.par_iter().map(tree).collect::<Vec<_>>();
            files.extend(pool(threads)?.install(trees));
        }
    }
    Ok(files)
}

/// The new state, from the files that are parsed. `last` is the result of an earlier call: it, or
/// the old state, is returned if no name can have another meaning.
pub(super) fn after(
    work: &Work<'_>,
    before: &Arc<ResolvedState>,
    parsed: &Parsed,
    last: Option<&Arc<ResolvedState>>,
) -> Result<Arc<ResolvedState>, IndexError> {
    let is_present = |path: &str| work.present.contains(path);
    let files = item_trees(before.stored_input(), parsed, is_present, work.options.threads)?;
    let same = |state: &&Arc<ResolvedState>| {
        state.stored_input().files == files && state.stored_input().roots.mean_the_same(work.roots)
    };
    let (threads, memory) = (work.options.threads, work.options.memory.as_ref());
    let expected = memory.and_then(Memory::expected);
    if let Some(state) = last.into_iter().chain([before]).chain(&expected).find(same) {
        return Ok(Arc::clone(state));
    }
    let folders = (work.options.facts == FactSet::All).then_some(work.folders);
    let kept = memory.and_then(Memory::expansions);
    let (roots, before) = (work.roots.clone(), Some(&**before));
    let state = Arc::new(ResolvedState::resolve(roots, files, folders, threads, kept, before)?);
    if let Some(folders) = folders {
        state.prepare_beside(folders, threads)?;
    }
    Ok(state)
}

/// Writes the rows. No file may be [`Concerned::missing`].
pub(super) fn write(
    work: &Work<'_>,
    before: &ResolvedState,
    after: &ResolvedState,
    concerned: &Concerned,
    parsed: &mut Parsed,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let (old, new) = (before.stored_input(), after.stored_input());
    let (was, is) = (before.side(), after.side());
    let mut known = BTreeMap::new();
    // On threads that end: the memory of rows that are written meanwhile is of use to the next ones.
    match work.at {
        None => {
            pool(work.options.threads)?.install(|| first_contents(is, parsed, writer))?;
            parsed.forget_contents();
        }
        Some(at) => {
            let is_changed = |path: &&String| !parsed.for_uses.contains(*path);
            if !work.everything {
                let changed = parsed.facts.keys().filter(is_changed);
                known = FileFingerprints::load_all(work.store, changed)?;
            }
            let paths = was.files.iter().map(|(path, _)| *path);
            let is_gone =
                |path: &&str| parsed.unreadable.contains_key(*path) || !work.present.contains(path);
            let gone = paths.filter(is_gone).collect();
            let (store, fingerprints) = (work.store, &known);
            let change = ContentChange { store, at, before: was, after: is, fingerprints };
            change.write(parsed, &gone, writer)?;
            writer.add(fingerprints::rows(is, parsed)?);
        }
    }
    writer.pass_on();
    // Of the others, the hashes of the item trees are known, or have to be read.
    let is_read = |(path, tree): &(&String, &Arc<StoredTree>)| {
        tree.hash().is_none() || !new.files.contains_key(*path)
    };
    let read = old.files.iter().filter(is_read).map(|(path, _)| path);
    let paths: Vec<String> = read.chain(parsed.facts.keys()).cloned().collect();
    let stored = match work.at {
        Some(at) => state::file_rows(work.store, at, &paths)?,
        None => BTreeMap::new(),
    };
    let at = writer.at;
    let fresh: Vec<(&String, &Arc<StoredTree>)> =
        new.files.iter().filter(|(path, _)| parsed.facts.contains_key(*path)).collect();
    // What does not depend on references is made beside them.
    let pool = pool(work.options.threads)?;
    let others = || change_rows(work, was, is, &fresh, &old.files, at);
    let (used, others) = match (work.at, work.options.facts) {
        (_, FactSet::Items) => (Ok(()), pool.install(others)),
        (None, FactSet::All) => {
            let files = parsed.take_uses();
            pool.install(|| rayon::join(|| first_uses(work, after, files, writer), others))
        }
        (Some(at), FactSet::All) => {
            let parsed = &*parsed;
            let noticed = concerned.noticed.as_ref().filter(|_| !work.everything);
            let (store, fingerprints) = (work.store, &known);
            let reads = &concerned.reads;
            let change = Change { store, at, before: was, after, noticed, reads, fingerprints };
            let outside = after.dependencies(work.folders, work.options.threads)?;
            pool.install(|| rayon::join(|| change.write(parsed, outside, writer), others))
        }
    };
    used?;
    let (rows, packed_item_trees) = others?;
    writer.pass_on();
    writer.batch.append(rows);
    for ((path, tree), (hash, data)) in fresh.into_iter().zip(packed_item_trees) {
        if let Some(facts) = parsed.facts.get(path) {
            writer.file(facts, hash.as_str(), stored.get(path))?;
        }
        if let Some(data) = data {
            writer.batch.put("item_tree", [path.as_str().into(), Value::Bytes(data)])?;
        }
        tree.set_hash(hash);
    }
    for path in old.files.keys().filter(|path| !new.files.contains_key(*path)) {
        writer.batch.remove("item_tree", [path.as_str().into()])?;
        writer.batch.remove("fingerprint", [path.as_str().into()])?;
        writer.batch.remove("reads", [path.as_str().into()])?;
        writer.remove_issues(path);
        if let Some(values) = stored.get(path) {
            let values = values.iter().cloned();
            writer.batch.retract("file", writer.at, [path.as_str().into()], values)?;
        }
    }
    let (was_made, made) = (old.made.by_file(), new.made.by_file());
    if was_made != made {
        if made.is_empty() {
            writer.batch.remove("item_tree", [MADE_KEY.into()])?
        } else {
            let value = Value::Bytes(packed(made)?);
            writer.batch.put("item_tree", [MADE_KEY.into(), value])?;
        }
    }
    if work.old_roots != Some(work.roots) {
        writer.batch.put("item_tree", [LAYOUT_KEY.into(), Value::Bytes(packed(work.roots)?)])?;
    }
    for (path, columns) in &stored {
        if let Some(Value::Str(hash)) = columns.get(ITEM_TREE_HASH)
            && let Some(tree) = new.files.get(path).filter(|tree| tree.hash().is_none())
            && let Ok(hash) = hash.parse()
        {
            tree.set_hash(hash);
        }
    }
    let hashes = new.files.iter().filter_map(|(path, tree)| Some((path.as_str(), tree.hash()?)));
    let hash = item_trees_hash(hashes.map(|(path, hash)| (path, hash.as_str())));
    if work.item_trees != Some(hash.as_str()) {
        writer.batch.put("meta", [ITEM_TREES.into(), hash.as_str().into()])?;
    }
    writer.item_trees = Some(hash);
    let issues: Vec<&Issue> = is.tree.issues.iter().chain(&new.made.issues).collect();
    writer.issues(TREE_ISSUES, None, &issues);
    Ok(())
}

/// Hash of an item tree, and its stored form if that is new.
type PackedTree = (RawHash, Option<Vec<u8>>);

/// Rows of names and crates, and the packed item trees of parsed files.
fn change_rows(
    work: &Work<'_>,
    was: &ResolvedWorkspace<'_>,
    is: &ResolvedWorkspace<'_>,
    fresh: &[(&String, &Arc<StoredTree>)],
    old: &BTreeMap<String, Arc<StoredTree>>,
    at: Micros,
) -> Result<(Batch, Vec<PackedTree>), IndexError> {
    let _span = tracing::debug_span!("name_rows").entered();
    let mut rows = Batch::new();
    let none = Roots::default();
    let old_packages = &work.old_roots.unwrap_or(&none).layout.packages;
    let names = is.names(&work.roots.layout.packages);
    names.write(&was.names(old_packages), work.namespace, at, &mut rows)?;
    let dependencies = &work.roots.dependencies;
    let old_dependencies = &work.old_roots.unwrap_or(&none).dependencies;
    dependencies.write(old_dependencies, at, &mut rows)?;
    let pack = |(path, item_tree): &(&String, &Arc<StoredTree>)| {
        let bytes = item_tree.to_bytes();
        let is_new = old.get(*path) != Some(*item_tree);
        let data = is_new.then(|| compressed(&bytes)).transpose()?;
        Ok((RawHash::hash(&bytes), data))
    };
    let packed = fresh.par_iter().with_max_len(1).map(pack).collect::<Result<_, IndexError>>()?;
    Ok((rows, packed))
}

/// How a new state differs from the old one.
pub(super) fn concerned(
    work: &Work<'_>,
    before_state: &ResolvedState,
    resolved_state: &ResolvedState,
    parsed: &Parsed,
) -> Result<Concerned, IndexError> {
    let (before, after) = (before_state.side(), resolved_state.side());
    if std::ptr::eq(before, after) {
        return Ok(Concerned::default());
    }
    let moved = moved_files(before, after, parsed);
    let other_crates = if work.other_dependencies {
        let Some(other_crates) = other_crates(work, before_state, resolved_state)? else {
            let all = after.files.iter().map(|(path, _)| ((*path).to_owned(), Noticed::Anything));
            return Ok(Concerned { moved, noticed: Some(all.collect()), ..Concerned::default() });
        };
        other_crates
    } else {
        OutsideDifference::default()
    };
    let (mut noticed, mut reads) = (None, BTreeMap::new());
    let known = |path: &&str| parsed.facts.contains_key(*path) || moved.contains(*path);
    let is_wanted = work.options.facts == FactSet::All;
    if is_wanted && !after.files.iter().all(|(path, _)| known(path)) {
        let outside = resolved_state.dependencies(work.folders, work.options.threads)?;
        let mentions = mentions(work, parsed)?;
        if work.at.is_some() {
            reads = state::reads(work.store)?;
        }
        let stored = dependents::Stored { mentions: &mentions, reads: &reads };
        let mut found =
            dependents::dependents(before, after, outside.dependencies(), &other_crates, &stored)?;
        found.retain(|path, _| after.item_tree(path).is_some());
        noticed = Some(found);
    }
    Ok(Concerned { moved, noticed, reads })
}

/// How the crates outside of two states differ; none if names cannot tell, or if the earlier ones cannot
/// be read any more.
fn other_crates(
    work: &Work<'_>,
    before: &ResolvedState,
    after: &ResolvedState,
) -> Result<Option<OutsideDifference>, IndexError> {
    if work.options.facts != FactSet::All {
        return Ok(None);
    }
    let _span = tracing::debug_span!("other_crates").entered();
    let threads = work.options.threads;
    let now = after.dependencies(work.folders, threads)?;
    let then = match before.dependencies(work.folders, threads) {
        Ok(then) => then,
        Err(IndexError::Dependency { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(OutsideDifference::new(then.dependencies(), now.dependencies()))
}

/// The names that files mention: the stored ones, and those of changed texts.
fn mentions(work: &Work<'_>, parsed: &Parsed) -> Result<Mentions, IndexError> {
    let mut mentions = match work.at {
        Some(_) => state::mentions(work.store)?,
        None => Mentions::new(),
    };
    for (path, facts) in parsed.facts.iter().filter(|(path, _)| !parsed.for_uses.contains(*path)) {
        // A new file has none, and is in the reach of everything.
        if let Some(stored) = mentions.get_mut(path) {
            let mut names = Names::from_facts(facts);
            names.add_stored(stored);
            *stored = names.to_bytes();
        }
    }
    Ok(mentions)
}

/// Rows of references where there are none yet.
fn first_uses(
    work: &Work<'_>,
    resolved_state: &ResolvedState,
    files: Vec<(&str, Cow<'_, FileUses>)>,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    if files.is_empty() {
        return Ok(());
    }
    let outside = resolved_state.dependencies(work.folders, work.options.threads)?;
    let at = writer.at;
    let writer = Mutex::new(writer);
    resolved_state.each_references(files, outside, |path, new| {
        let (rows, names) = new.first(path, at)?;
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(writer.first_uses(rows, names)?)
    })
}

/// Files that were not parsed, though the rows of their items change.
fn moved_files(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    parsed: &Parsed,
) -> BTreeSet<String> {
    if after.files.iter().all(|(path, _)| parsed.facts.contains_key(*path)) {
        return BTreeSet::new();
    }
    let moved = |path: &&str| {
        !parsed.facts.contains_key(*path)
            && !after.instances(path).is_empty()
            && !before.has_same_shape(after, path)
    };
    after.files.iter().map(|(path, _)| *path).filter(moved).map(str::to_owned).collect()
}

/// Rows of contents where there are none yet, and fingerprints. Needs the threads of a pool.
fn first_contents(
    after: &ResolvedWorkspace<'_>,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    writer.texts(parsed, &BTreeSet::new())?;
    writer.add(fingerprints::rows(after, parsed)?);
    let (made, at) = (after.made(), writer.at);
    let writer = Mutex::new(writer);
    let instances = after.tree.instances.as_raw_slice().par_iter().enumerate().with_max_len(1);
    instances.try_for_each(|(number, instance)| {
        let facts = after.files.get(instance.file).and_then(|(path, _)| parsed.facts.get(*path));
        let Some(facts) = facts else { return Ok(()) };
        let mut new = Content::default();
        let number = InstanceId::new(number);
        new.add(&after.input(), &after.assembly, number, &made.with(facts), None);
        let rows = new.first(at)?;
        writer.lock().unwrap_or_else(PoisonError::into_inner).add(rows);
        Ok(())
    })
}
