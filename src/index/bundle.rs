//! The index of a commit in a form that depends on the commit alone: one revision, at the time of
//! the commit, with the rows that an index of its files has. Two databases of the same files may
//! differ in when they were made, in what was there before, in how texts are stored, in metadata of
//! files and in the name of their folder; what is written here differs in none of it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use rayon::prelude::*;

use super::content::Columns;
use super::current::{has_same_walk, walk_tree, with_known_targets};
use super::dependencies::DependencySources;
use super::error::IndexError;
use super::history::{commit_row, micros};
use super::near_state::MIRRORS;
use super::options::{Cause, Options, Progress, Reread};
use super::refresh::refresh;
use super::revision::{RevisionMeta, Stamp, revision};
use super::stale::size_limit;
use super::state::{self, ITEM_TREES, LAYOUT_KEY, LIBRARY, NAMESPACE, Roots, State, packed};
use super::stats::FileStat;
use super::texts;
use super::threads::pool;
use super::write::known_texts;
use asof_model::{Micros, Namespace, NodeId, RawHash, TextHash, WorkspaceKind, WorkspaceLayout};
use asof_store::{Batch, Relation, Row, Store, Value, WriteLock};
use asof_workspace::{Commit, Disk, SourceTree};

/// Name of a Cargo workspace without a root package: that of its folder differs between machines.
pub const PROJECT: &str = "workspace";

/// Texts that are copied at once.
const TEXTS: usize = 4096;
/// Files of a sample.
const SAMPLE: usize = 16;
/// A check begins again this many times if files change meanwhile.
const ROUNDS: usize = 3;
/// How long to wait for another writer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Fills an empty store with the newest state of another one, as the revision of a commit that has
/// these files.
///
/// # Errors
/// The other store has no revision, or one of them fails. What is written then is of no use.
pub fn write_bundle(from: &Store, commit: &Commit, to: &Store) -> Result<(), IndexError> {
    let state = State::load(from)?;
    let (Some(now), Some(roots)) = (state.at, state.roots) else {
        return Err(broken("it has no revision yet"));
    };
    let at = micros(commit.committed).clamped();
    let lock = to.write_lock(PATIENCE)?;
    let facts = write_facts(from, now, at, to, &lock)?;
    copy_texts(from, &facts.texts, &lock)?;
    let mut batch = Batch::new();
    copy_names(from, &facts.targets, &mut batch)?;
    let roots = with_name(roots, PROJECT);
    let layout = roots.layout.clone();
    write_trees(from, &roots, &mut batch)?;
    for name in MIRRORS {
        for row in rows(from, name)? {
            batch.put(name, row)?;
        }
    }
    for (path, stat) in state.stats {
        // Every file is compared by its hash, whatever it looks like.
        let stat = FileStat { modified_ns: 0, changed_ns: 0, inode: 0, checked_ns: 1, ..stat };
        batch.put("file_stat", state::stat_row(&path, &stat))?;
    }
    let namespace = state::namespace(from)?.unwrap_or_else(|| Namespace::of_project(&layout.name));
    let meta = [
        (NAMESPACE, Some(namespace.to_string())),
        ("project", Some(layout.name)),
        ("tool_version", Some(env!("CARGO_PKG_VERSION").to_owned())),
        (LIBRARY, state.library),
        (ITEM_TREES, state.item_trees),
    ];
    for (key, value) in meta.into_iter().filter_map(|(key, value)| Some((key, value?))) {
        batch.put("meta", [key.into(), value.into()])?;
    }
    let stamp = Stamp::new(Some(at), None)?;
    let said = RevisionMeta {
        actor: Some(&commit.author),
        message: Some(&commit.message),
        commit: Some(&commit.hash),
    };
    let counts = [facts.files, facts.rows];
    revision(&mut batch, namespace, stamp, Cause::Commit.as_str(), said, counts)?;
    batch.put("git_commit", commit_row(commit, stamp.at, None))?;
    lock.commit(batch)?;
    Ok(())
}

/// What the facts of a state lead to.
#[derive(Default)]
struct Facts {
    files: usize,
    rows: usize,
    texts: BTreeSet<TextHash>,
    /// Targets of references.
    targets: HashSet<NodeId>,
}

/// Writes the facts of one moment, as facts since `at`.
fn write_facts(
    from: &Store,
    now: Micros,
    at: Micros,
    to: &Store,
    lock: &WriteLock<'_>,
) -> Result<Facts, IndexError> {
    debug_assert!(State::newest(to)?.is_none(), "it is empty");
    let mut facts = Facts::default();
    for relation in Relation::all().filter(|relation| relation.versioned) {
        let rows = from.rows_at(relation.name, now)?;
        facts.rows += rows.len();
        let mut batch = Batch::new();
        for row in rows.iter() {
            let mut key = values(&row, relation)?;
            let rest = key.split_off(relation.key.len());
            match relation.name {
                "file" | "document" => {
                    facts.files += 1;
                    let hash: String = row.get("text_hash")?;
                    facts.texts.extend(hash.parse::<TextHash>());
                }
                "layout" => facts.texts.extend(known_texts([&rest])),
                "refs_by_target" => {
                    if let Some(Value::Uuid(target)) = key.first() {
                        facts.targets.insert(NodeId(*target));
                    }
                }
                _ => {}
            }
            batch.assert(relation.name, at, key, rest)?;
        }
        lock.commit(batch)?;
    }
    Ok(facts)
}

fn copy_texts(
    from: &Store,
    hashes: &BTreeSet<TextHash>,
    lock: &WriteLock<'_>,
) -> Result<(), IndexError> {
    let hashes: Vec<TextHash> = hashes.iter().copied().collect();
    for hashes in hashes.chunks(TEXTS) {
        let mut batch = Batch::new();
        texts::copy(from, hashes, &mut batch)?;
        lock.commit(batch)?;
    }
    Ok(())
}

/// Names of targets that are no nodes: those that the state uses, of all that were ever used.
fn copy_names(
    from: &Store,
    targets: &HashSet<NodeId>,
    batch: &mut Batch,
) -> Result<(), IndexError> {
    for row in rows(from, "external_symbol")? {
        let [Value::Uuid(id), text, _] = row.as_slice() else { continue };
        if targets.contains(&NodeId(*id)) {
            batch.put("external_symbol_by_text", [text.clone(), Value::Uuid(*id)])?;
            batch.put("external_symbol", row)?;
        }
    }
    Ok(())
}

fn write_trees(from: &Store, roots: &Roots, batch: &mut Batch) -> Result<(), IndexError> {
    for row in rows(from, "item_tree")? {
        if row.first() != Some(&LAYOUT_KEY.into()) {
            batch.put("item_tree", row)?;
        }
    }
    Ok(batch.put("item_tree", [LAYOUT_KEY.into(), Value::Bytes(packed(roots)?)])?)
}

/// The same with this name, where a project has that of its folder.
fn with_name(roots: Roots, name: &str) -> Roots {
    let Roots { layout, .. } = roots;
    let name = if has_name_of_folder(&layout) { name.to_owned() } else { layout.name.clone() };
    Roots { layout: WorkspaceLayout { name, ..layout }, ..roots }
}

/// A folder without a manifest is not meant: its package has the name of the folder, too.
fn has_name_of_folder(layout: &WorkspaceLayout) -> bool {
    let has_root = layout.packages.iter().any(|package| package.manifest_path == "Cargo.toml");
    layout.kind == WorkspaceKind::Workspace && !has_root
}

/// Adapts a copy of a bundle to the root where it will be: the project gets the name that it has
/// there.
///
/// # Errors
/// It is no state of files.
pub fn begin_from_bundle(copy: &Store, root: &Path) -> Result<(), IndexError> {
    let Some(roots) = State::load(copy)?.roots else {
        return Err(broken("it has no packages"));
    };
    let Some(name) = Disk::open(root)?.name() else { return Ok(()) };
    let roots = with_name(roots, &name);
    let lock = copy.write_lock(PATIENCE)?;
    let mut batch = Batch::new();
    batch.put("meta", ["project".into(), roots.layout.name.as_str().into()])?;
    batch.put("item_tree", [LAYOUT_KEY.into(), Value::Bytes(packed(&roots)?)])?;
    lock.commit(batch)?;
    Ok(())
}

/// The namespace that the index of a commit has, by its files: `tree`, of which the root is called
/// [`PROJECT`].
///
/// # Errors
/// The tree is damaged or not a workspace.
pub fn bundle_namespace(tree: &dyn SourceTree) -> Result<Namespace, IndexError> {
    let (layout, _) = asof_workspace::layout_of(tree, &walk_tree(tree)?)?;
    Ok(Namespace::of_project(&layout.name))
}

/// Whether the ids of a store are those of this namespace.
///
/// # Errors
/// The store fails.
pub fn has_namespace(store: &Store, namespace: Namespace) -> Result<bool, IndexError> {
    Ok(state::namespace(store)? == Some(namespace))
}

/// Whether a store has the rows of a bundle of these files: it was made of them, and is of this
/// namespace.
///
/// # Errors
/// The tree is damaged, or the store fails.
pub fn has_files_of(
    store: &Store,
    tree: &dyn SourceTree,
    namespace: Namespace,
    sources: &DependencySources,
) -> Result<bool, IndexError> {
    if !has_namespace(store, namespace)? {
        return Ok(false);
    }
    let state = State::load(store)?;
    let walk = walk_tree(tree)?;
    let known = with_known_targets(&walk, tree, &state);
    let lists = [&known.files, &known.manifests, &known.documents];
    let files: Vec<&str> = lists.into_iter().flatten().map(|file| file.path.as_str()).collect();
    if !has_same_walk(&state, tree, sources, &walk) || files.len() != state.stats.len() {
        return Ok(false);
    }
    let is_same = |path: &&str| {
        let stored = state.stats.get(*path).map(|stat| stat.raw_hash.as_str());
        let bytes = tree.bytes(path, size_limit(path)).ok();
        bytes.is_some_and(|bytes| stored == Some(RawHash::hash(&bytes).as_str()))
    };
    let are_same = pool(None)?.install(|| files.par_iter().all(is_same));
    tree.check()?;
    Ok(are_same)
}

/// Which rows are compared with those that the files give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowCheck<'s> {
    /// Those of a sample of the files, which the seed decides.
    Sample { seed: &'s str },
    /// Those of all files.
    All,
}

/// What a check of rows found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedRows {
    /// Number of files that were parsed and resolved again.
    pub files: usize,
    /// Whether they have the stored rows.
    pub are_same: bool,
}

/// Parses and resolves files again, and compares their rows with the stored ones, which are
/// corrected if they differ. The store is up to date with the files below the root.
///
/// # Errors
/// As [`refresh`], and files that keep changing.
pub fn check_rows(
    store: &Store,
    root: &Path,
    check: RowCheck<'_>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<CheckedRows, IndexError> {
    let mut changed = BTreeSet::new();
    for _ in 0..ROUNDS {
        let options = match check {
            RowCheck::All => Options { rebuild: true, ..options.clone() },
            RowCheck::Sample { seed } => {
                Options { reread: Reread::Rows(sample(store, seed)?), ..options.clone() }
            }
        };
        let report = refresh(store, root, &options, progress)?;
        changed = [report.added, report.changed, report.removed].into_iter().flatten().collect();
        if changed.is_empty() {
            let are_same = report.revision.is_none() && !report.rows.contains_key("item_tree");
            return Ok(CheckedRows { files: report.parsed, are_same });
        }
    }
    Err(IndexError::Unstable { paths: changed.into_iter().collect() })
}

/// Files that a seed chooses: every file is as likely as another.
fn sample(store: &Store, seed: &str) -> Result<BTreeSet<String>, IndexError> {
    let paths = State::load(store)?.stats.into_keys();
    let is_rust = |path: &String| path.ends_with(".rs");
    let place = |path: String| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(seed.as_bytes()).update(&[0]).update(path.as_bytes());
        (*hasher.finalize().as_bytes(), path)
    };
    let ordered: BTreeMap<[u8; 32], String> = paths.filter(is_rust).map(place).collect();
    Ok(ordered.into_values().take(SAMPLE).collect())
}

/// The rows of a plain relation.
fn rows(store: &Store, name: &str) -> Result<Vec<Columns>, IndexError> {
    let relation = Relation::find(name).ok_or_else(|| broken("a relation is missing"))?;
    store.versions(relation)?.iter().map(|row| values(&row, relation)).collect()
}

/// The columns of a row in the order of its relation.
fn values(row: &Row<'_>, relation: &Relation) -> Result<Columns, IndexError> {
    let columns = relation.key.iter().chain(&relation.values);
    Ok(columns.map(|column| row.get::<Value>(column.name)).collect::<Result<_, _>>()?)
}

fn broken(reason: &str) -> IndexError {
    IndexError::State { what: "database", reason: reason.to_owned() }
}
