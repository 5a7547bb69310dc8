//! The wide refresh: names of the whole workspace are resolved in memory, from the old item trees
//! and from the new ones, and the differences are written. Files whose own text did not change, but
//! whose ids or paths did, have to be parsed as well: they are returned to the caller.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::content::{Columns, Content};
use super::dependents;
use super::error::IndexError;
use super::fingerprints;
use super::options::{FactSet, Options};
use super::parse::Parsed;
use super::resolved_state::ResolvedState;
use super::resolved_workspace::ResolvedWorkspace;
use super::state::{
    self, ITEM_TREES, LAYOUT_KEY, MADE_KEY, Roots, compressed, item_trees_hash, packed,
};
use super::threads::pool;
use super::uses::FileRows;
use super::write::{TREE_ISSUES, Writer, known_texts};
use asof_model::{
    FileFacts, FileUses, Issue, ItemTree, Micros, Namespace, NodeId, RawHash, StoredTree,
};
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

/// The new state, from the files that are parsed. `last` is the result of an earlier call: it, or
/// the old state, is returned if no name can have another meaning.
pub(super) fn after(
    work: &Work<'_>,
    before: &Arc<ResolvedState>,
    parsed: &Parsed,
    last: Option<Arc<ResolvedState>>,
) -> Result<Arc<ResolvedState>, IndexError> {
    let mut files: BTreeMap<String, Arc<StoredTree>> = BTreeMap::new();
    for (path, item_tree) in &before.stored_input().files {
        if work.present.contains(path.as_str())
            && !parsed.unreadable.contains_key(path)
            && !parsed.facts.contains_key(path)
        {
            files.insert(path.clone(), Arc::clone(item_tree));
        }
    }
    let tree = |(path, facts): (&String, &Arc<FileFacts>)| {
        let item_tree = StoredTree::from(ItemTree::from_facts(facts));
        let old = before.stored_input().files.get(path).filter(|old| ***old == item_tree);
        (path.clone(), old.map_or_else(|| Arc::new(item_tree), Arc::clone))
    };
    match parsed.facts.len() {
        0..PARALLEL_FROM => files.extend(parsed.facts.iter().map(tree)),
        _ => {
            let trees = || parsed.facts.par_iter().map(tree).collect::<Vec<_>>();
            files.extend(pool(work.options.threads)?.install(trees));
        }
    }
    let same = |state: &&Arc<ResolvedState>| {
        state.stored_input().files == files && state.stored_input().roots.mean_the_same(work.roots)
    };
    if let Some(state) = last.iter().chain([before]).find(same) {
        return Ok(Arc::clone(state));
    }
    let folders = (work.options.facts == FactSet::All).then_some(work.folders);
    let state = ResolvedState::resolve(work.roots.clone(), files, folders, work.options.threads)?;
    Ok(Arc::new(state))
}

/// Writes the rows, or returns which files have to be parsed first (and writes nothing).
pub(super) fn write(
    work: &Work<'_>,
    before: &ResolvedState,
    after: &ResolvedState,
    parsed: &mut Parsed,
    writer: &mut Writer,
) -> Result<Missing, IndexError> {
    let (old, new) = (before.stored_input(), after.stored_input());
    let (was, is) = (before.side(), after.side());
    let missing = missing(work, was, after, parsed)?;
    if !missing.is_empty() {
        return Ok(missing);
    }
    // On threads that end: the memory of rows that are written meanwhile is of use to the next ones.
    match work.at {
        None => {
            pool(work.options.threads)?.install(|| first_contents(is, parsed, writer))?;
            parsed.forget_contents();
        }
        Some(at) => {
            contents(work, at, was, is, parsed, writer)?;
            writer.add(fingerprints::rows(is, parsed)?);
        }
    }
    writer.pass_on();
    let paths: Vec<String> = old.files.keys().chain(parsed.facts.keys()).cloned().collect();
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
            pool.install(|| rayon::join(|| uses(work, at, was, after, parsed, writer), others))
        }
    };
    used?;
    let (rows, packed_item_trees) = others?;
    writer.pass_on();
    writer.batch.append(rows);
    let mut hashes: BTreeMap<&str, String> = BTreeMap::new();
    for ((path, _), (hash, data)) in fresh.into_iter().zip(packed_item_trees) {
        if let Some(facts) = parsed.facts.get(path) {
            writer.file(facts, hash.as_str(), stored.get(path))?;
        }
        if let Some(data) = data {
            writer.batch.put("item_tree", [path.as_str().into(), Value::Bytes(data)])?;
        }
        hashes.insert(path, hash.to_string());
    }
    for path in old.files.keys().filter(|path| !new.files.contains_key(*path)) {
        writer.batch.remove("item_tree", [path.as_str().into()])?;
        writer.batch.remove("fingerprint", [path.as_str().into()])?;
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
            && new.files.contains_key(path)
        {
            hashes.entry(path).or_insert_with(|| hash.clone());
        }
    }
    let hash = item_trees_hash(hashes.iter().map(|(path, hash)| (*path, hash.as_str())));
    if work.item_trees != Some(hash.as_str()) {
        writer.batch.put("meta", [ITEM_TREES.into(), hash.as_str().into()])?;
    }
    writer.item_trees = Some(hash);
    writer.issues(TREE_ISSUES, None, &is.tree.issues.iter().collect::<Vec<&Issue>>());
    Ok(missing)
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

fn missing(
    work: &Work<'_>,
    before: &ResolvedWorkspace<'_>,
    resolved_state: &ResolvedState,
    parsed: &Parsed,
) -> Result<Missing, IndexError> {
    let after = resolved_state.side();
    if std::ptr::eq(before, after) {
        return Ok(Missing::default());
    }
    let moved = moved_files(before, after, parsed);
    let mentions = match work.at {
        Some(_) => state::mentions(work.store)?,
        None => BTreeMap::new(),
    };
    let mut dependents = BTreeSet::new();
    let known = |path: &&str| parsed.facts.contains_key(*path) || moved.contains(*path);
    if work.options.facts == FactSet::All && !after.files.iter().all(|(path, _)| known(path)) {
        let outside = resolved_state.dependencies(work.folders, work.options.threads)?;
        let users = |targets: &[NodeId]| match work.at {
            Some(at) => state::users(work.store, at, targets),
            None => Ok(BTreeSet::new()),
        };
        let stored = dependents::Stored { mentions: &mentions, users: &users };
        dependents = dependents::dependents(before, after, outside, &stored)?;
        dependents.retain(|path| !known(&path.as_str()) && after.item_tree(path).is_some());
    }
    Ok(Missing { moved, dependents })
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

/// Rows of references of the parsed files, and of removed ones.
fn uses(
    work: &Work<'_>,
    at: Micros,
    before: &ResolvedWorkspace<'_>,
    resolved_state: &ResolvedState,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let after = resolved_state.side();
    let touched: BTreeSet<&str> = before
        .files
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| parsed.facts.contains_key(*path) || after.item_tree(path).is_none())
        .collect();
    if touched.is_empty() && parsed.facts.is_empty() {
        return Ok(());
    }
    let mut old: BTreeMap<&str, BTreeMap<NodeId, Columns>> = BTreeMap::new();
    for (source, columns) in state::uses(work.store, at, &before.ids_in(&touched))? {
        if let Some(path) = before.node(source).and_then(|node| before.path_of(node)) {
            old.entry(path).or_default().insert(source, columns);
        }
    }
    let all = parsed.facts.values().map(|facts| &**facts);
    let outside = resolved_state.dependencies(work.folders, work.options.threads)?;
    let mut new = resolved_state.all_references(all, outside);
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    for path in paths {
        let old = FileRows::of_stored(old.remove(path).unwrap_or_default());
        let new = new.remove(path).unwrap_or_default();
        writer.uses(path, &old, new)?;
    }
    Ok(())
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
            && after.shape(path).is_some()
            && before.shape(path) != after.shape(path)
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
    let instances = after.tree.instances.par_iter().enumerate().with_max_len(1);
    instances.try_for_each(|(number, instance)| {
        let facts = after.files.get(instance.file).and_then(|(path, _)| parsed.facts.get(*path));
        let Some(facts) = facts else { return Ok(()) };
        let mut new = Content::default();
        new.add(&after.input(), &after.assembly, number, &made.with(facts));
        let rows = new.first(at)?;
        writer.lock().unwrap_or_else(PoisonError::into_inner).add(rows);
        Ok(())
    })
}

fn contents(
    work: &Work<'_>,
    at: Micros,
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let mut new = Content::default();
    let made = after.made();
    for (number, instance) in after.tree.instances.iter().enumerate() {
        let Some((path, _)) = after.files.get(instance.file) else { continue };
        if let Some(facts) = parsed.facts.get(*path)
            && !parsed.for_uses.contains(*path)
        {
            new.add(&after.input(), &after.assembly, number, &made.with(facts));
        }
    }
    let touched: BTreeSet<&str> = before
        .files
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| {
            (parsed.facts.contains_key(*path) && !parsed.for_uses.contains(*path))
                || parsed.unreadable.contains_key(*path)
                || !work.present.contains(path)
        })
        .collect();
    let old = state::content(work.store, at, &before.ids_in(&touched))?;
    writer.texts(parsed, &known_texts(old.layouts.values()))?;
    Ok(writer.content(&old, new)?)
}
