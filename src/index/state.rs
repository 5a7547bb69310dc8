//! Stored state: read at the start of a run, and compared at its end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::content::{Columns, Content, Wanted};
use super::dependencies::UsedCrates;
use super::error::IndexError;
use super::reads::FileReads;
use super::stats::FileStat;
use asof_model::{
    ItemTree, MadeItem, Micros, Namespace, NodeId, StoredTree, WorkspaceKind, WorkspaceLayout,
};
use asof_store::{Params, Row, Rows, Store, StoreError, Value};
use asof_workspace::{Git, Walk};

/// Key of `meta`: time of the newest revision.
pub(super) const NEWEST: &str = "newest";

/// Key of `meta`: namespace of the project.
pub(super) const NAMESPACE: &str = "namespace";

/// Key of `meta`: the Git commit that HEAD was at when the first revision was made from files;
/// empty if there was none. Without a row it is not known.
pub(super) const BASE: &str = "base_commit";

/// Key of `meta`: the oldest imported Git commit, where it has no parent.
pub(super) const ROOT: &str = "root_commit";
/// Key of `meta`: number of commits that a running import will have.
pub(super) const SELECTED: &str = "selected_commits";

/// Key of `meta`: hash of all item trees.
pub(super) const ITEM_TREES: &str = "item_trees";

/// Key of `meta`: the standard library and the rules that names were resolved with.
pub(super) const LIBRARY: &str = "library";

/// Key of the row of `item_tree` that holds packages and targets.
pub(super) const LAYOUT_KEY: &str = "";

/// Key of the row of `item_tree` that holds the items that calls of macros make: no file has such a
/// path.
pub(super) const MADE_KEY: &str = "/made";

/// Contents of a frame that are read at once; larger ones are read in parts.
const MAX_FRAME: usize = 64 << 20;

/// Results of the queries at the start of a run.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Time of the newest revision; none in a database that was never written.
    pub at: Option<Micros>,
    pub stats: BTreeMap<String, FileStat>,
    pub roots: Option<Roots>,
    /// Hash of all item trees, as [`item_trees_hash`] gives it.
    pub item_trees: Option<String>,
    /// [`asof_resolve::names_version`] of the tool that resolved its names.
    pub library: Option<String>,
}

/// The commit that HEAD is at; empty where there is no repository or no commit yet, and none
/// if the repository cannot be read: files are indexed anyway.
pub(super) fn head(root: &Path) -> Option<String> {
    let head = match Git::find(root) {
        Ok(Some(git)) => git.head(),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    };
    head.ok().map(Option::unwrap_or_default)
}

impl State {
    /// Time of the newest revision.
    pub fn newest(store: &Store) -> Result<Option<Micros>, IndexError> {
        Ok(meta(store, NEWEST)?.and_then(|text| text.parse().ok()).map(Micros))
    }

    /// Whether a store has the revision and the names that it had. What else is written without a revision
    /// is found again by who looks for it: times of files, layouts, made items.
    pub fn is_newest(&self, store: &Store) -> Result<bool, IndexError> {
        Ok(Self::newest(store)? == self.at && meta(store, LIBRARY)? == self.library)
    }

    pub fn load(store: &Store) -> Result<Self, IndexError> {
        let mut state = Self::load_without_files(store)?;
        let _span = tracing::debug_span!("file_stats").entered();
        for row in asof_query::run(store, "index/file_stats", Params::new())?.iter() {
            let stat = FileStat {
                size: row.get("size")?,
                modified_ns: row.get("modified_ns")?,
                changed_ns: row.get("changed_ns")?,
                inode: row.get::<i64>("inode")?.cast_unsigned(),
                raw_hash: row.get("raw_hash")?,
                checked_ns: row.get("checked_ns")?,
            };
            state.stats.insert(row.get("path")?, stat);
        }
        Ok(state)
    }

    /// For who asks about names: what is known of files is most of the rest.
    pub fn load_without_files(store: &Store) -> Result<Self, IndexError> {
        let _span = tracing::debug_span!("state").entered();
        let at = Self::newest(store)?;
        let found = asof_query::run(store, "index/roots", Params::new())?;
        let packed = found.iter().next().map(|row| row.get::<Vec<u8>>("data")).transpose()?;
        let roots = packed.map(|data| unpack(&data)).transpose()?;
        let (item_trees, library) = (meta(store, ITEM_TREES)?, meta(store, LIBRARY)?);
        Ok(State { at, stats: BTreeMap::new(), roots, item_trees, library })
    }

    /// Whether names were resolved with another standard library or other rules: they may mean something else now,
    /// though no file changed.
    pub fn has_other_library(&self) -> bool {
        self.at.is_some() && self.library.as_deref() != Some(asof_resolve::names_version())
    }

    /// Whether names were resolved with other crates outside of the workspace.
    pub fn has_other_dependencies(&self, dependencies: &UsedCrates) -> bool {
        let old = self.roots.as_ref().map(|roots| &roots.dependencies);
        self.at.is_some() && !old.is_some_and(|old| old.meaning() == dependencies.meaning())
    }

    /// Manifests and root files of targets, as stored: the walk leaves out ignored ones.
    pub fn named_files(&self) -> impl Iterator<Item = &str> {
        let layouts = || self.roots.iter().map(|roots| &roots.layout);
        let targets = layouts().flat_map(|l| &l.packages).flat_map(|package| &package.targets);
        let manifests = layouts().flat_map(|layout| layout.manifests.keys());
        targets.map(|target| target.root.as_str()).chain(manifests.map(String::as_str))
    }
}

/// Packages and targets, and files that are links to others: where module trees begin.
/// While these are unchanged, only a changed item tree can change the meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Roots {
    pub layout: WorkspaceLayout,
    pub links: BTreeMap<String, String>,
    /// [`seen`] of the walk.
    pub seen: String,
    /// Crates outside of the workspace that names are resolved with.
    #[serde(default)]
    pub dependencies: UsedCrates,
}

impl Roots {
    /// What names depend on beside the item trees: versions of packages, and other contents of
    /// manifests, do not matter.
    pub fn meaning(&self) -> impl PartialEq + Serialize {
        let packages = self.layout.packages.iter().map(|p| (p.crates(), &p.dependencies));
        (packages.collect::<Vec<_>>(), &self.links, self.dependencies.meaning())
    }

    /// Whether names mean the same in both, if the item trees are the same.
    pub fn mean_the_same(&self, other: &Roots) -> bool {
        self.meaning() == other.meaning()
    }
}

/// Hash of the result of a walk, without contents. It differs if something was added, removed,
/// hidden or linked, even if no known file changed.
pub(super) fn seen(walk: &Walk) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(text.as_bytes()).update(&[0]);
    };
    walk.files.iter().chain(&walk.manifests).for_each(|file| add(&file.path));
    walk.links.iter().for_each(|(from, to)| [from, to].into_iter().for_each(|path| add(path)));
    for issue in &walk.issues {
        [&issue.file_path, issue.kind.as_str(), &issue.message].into_iter().for_each(&mut add);
    }
    hasher.finalize().to_hex().to_string()
}

impl Default for Roots {
    fn default() -> Self {
        let layout = WorkspaceLayout {
            kind: WorkspaceKind::Folder,
            name: String::new(),
            packages: Vec::new(),
            manifests: BTreeMap::new(),
        };
        Self {
            layout,
            links: BTreeMap::new(),
            seen: String::new(),
            dependencies: UsedCrates::default(),
        }
    }
}

/// Hash of the item trees of all files: of each its path and its own hash, in order.
pub(super) fn item_trees_hash<'f>(item_trees: impl Iterator<Item = (&'f str, &'f str)>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in item_trees.flat_map(|(path, hash)| [path, hash]) {
        hasher.update(text.as_bytes()).update(&[0]);
    }
    hasher.finalize().to_hex().to_string()
}

fn unpack<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, IndexError> {
    let bad = |reason: String| IndexError::State { what: "item_tree", reason };
    let json = decompressed(bytes).map_err(|e| bad(e.to_string()))?;
    serde_json::from_slice(&json).map_err(|e| bad(e.to_string()))
}

/// The contents of a frame. Making a context for each took longer than most contents.
fn decompressed(frame: &[u8]) -> std::io::Result<Vec<u8>> {
    thread_local! {
        static CONTEXT: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let size = zstd::zstd_safe::get_frame_content_size(frame).ok().flatten();
    let Some(size) = size.and_then(|size| usize::try_from(size).ok()).filter(|n| *n <= MAX_FRAME)
    else {
        return zstd::stream::decode_all(frame);
    };
    CONTEXT.with_borrow_mut(|context| {
        let context = match context {
            Some(context) => context,
            None => context.insert(zstd::bulk::Decompressor::new()?),
        };
        context.decompress(frame, size)
    })
}

/// The stored form of an item tree or layout.
pub(super) fn packed<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, IndexError> {
    let bad = |reason: String| IndexError::State { what: "item_tree", reason };
    compressed(&serde_json::to_vec(value).map_err(|e| bad(e.to_string()))?)
}

/// [`packed`] for text that is JSON already.
pub(super) fn compressed(json: &[u8]) -> Result<Vec<u8>, IndexError> {
    let bad = |reason: String| IndexError::State { what: "item_tree", reason };
    zstd::bulk::compress(json, 1).map_err(|e| bad(e.to_string()))
}

/// Item trees of all files.
pub(super) fn item_trees(store: &Store) -> Result<StoredTrees, IndexError> {
    let rows = asof_query::run(store, "index/item_trees", Params::new())?;
    let mut packed = Vec::with_capacity(rows.len());
    let mut made = BTreeMap::new();
    for row in rows.iter() {
        let path: String = row.get("path")?;
        match path.as_str() {
            LAYOUT_KEY => {}
            MADE_KEY => made = unpack(&row.get::<Vec<u8>>("data")?)?,
            _ => packed.push((path, row.get::<Vec<u8>>("data")?)),
        }
    }
    let damage = Damage::default();
    let lazy = |(path, data): (String, Vec<u8>)| {
        let damage = Arc::clone(&damage);
        let read = move || match unpack::<ItemTree>(&data) {
            Ok(tree) => tree,
            Err(error) => {
                let _ = damage.set(error.to_string());
                ItemTree::default()
            }
        };
        (path, Arc::new(StoredTree::lazy(read)))
    };
    let files = packed.into_iter().map(lazy).collect();
    Ok(StoredTrees { files, made, damage })
}

/// Why an item tree could not be read, once one could not.
pub(super) type Damage = Arc<OnceLock<String>>;

/// Item trees of files, each read when it is needed.
pub(super) struct StoredTrees {
    pub files: BTreeMap<String, Arc<StoredTree>>,
    /// The items that calls of macros make in them.
    pub made: BTreeMap<String, Vec<MadeItem>>,
    pub damage: Damage,
}

/// Hashes of the names that each file mentions.
pub(super) fn mentions(store: &Store) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let rows = asof_query::run(store, "index/mentions", Params::new())?;
    rows.iter().map(|row| Ok((row.get("path")?, row.get("names")?))).collect()
}

/// What was read for the items of each file, in stored form.
pub(super) fn reads(store: &Store) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let rows = asof_query::run(store, "index/reads", Params::new())?;
    rows.iter().map(|row| Ok((row.get("path")?, row.get("reads")?))).collect()
}

/// What was read for the items of a file.
pub(super) fn file_reads(store: &Store, path: &str) -> Result<Option<FileReads>, IndexError> {
    let rows = asof_query::run(store, "index/file_reads", Params::new().with("path", path))?;
    let Some(row) = rows.iter().next() else { return Ok(None) };
    FileReads::from_bytes(&row.get::<Vec<u8>>("reads")?).map(Some)
}

/// Current rows of `refs_by_source` by source.
pub(super) fn uses(
    store: &Store,
    at: Micros,
    ids: &[NodeId],
) -> Result<BTreeMap<NodeId, Columns>, StoreError> {
    match ids {
        [] => Ok(BTreeMap::new()),
        ids => by_key(store, "index/refs_by_source", params(at, ids), "source"),
    }
}

/// Current rows of `refs_by_target` of a file, by target.
pub(super) fn used_in(
    store: &Store,
    at: Micros,
    path: &str,
    targets: &[NodeId],
) -> Result<BTreeMap<NodeId, Columns>, StoreError> {
    let params = Params::new().with("at", at).with("file_path", path);
    let params = params.with("targets", Value::list(targets.iter().copied()));
    by_key(store, "index/refs_by_target", params, "target")
}

/// Current rows of `file` by path.
pub(super) fn file_rows(
    store: &Store,
    at: Micros,
    paths: &[String],
) -> Result<BTreeMap<String, Columns>, StoreError> {
    rows_by_path(store, "index/files", at, paths)
}

/// Current rows of `document` by path.
pub(super) fn document_rows(
    store: &Store,
    at: Micros,
    paths: &[String],
) -> Result<BTreeMap<String, Columns>, StoreError> {
    rows_by_path(store, "index/documents", at, paths)
}

fn rows_by_path(
    store: &Store,
    program: &str,
    at: Micros,
    paths: &[String],
) -> Result<BTreeMap<String, Columns>, StoreError> {
    let params =
        Params::new().with("at", at).with("paths", Value::list(paths.iter().map(String::as_str)));
    let rows = asof_query::run(store, program, params)?;
    let mut found = BTreeMap::new();
    for row in rows.iter() {
        found.insert(row.get("path")?, columns(&rows, &row, 1)?);
    }
    Ok(found)
}

/// Current content rows of these nodes.
pub(super) fn content(store: &Store, at: Micros, wanted: &Wanted) -> Result<Content, StoreError> {
    let [rows, layouts] =
        [&wanted.rows, &wanted.layouts].map(|ids| ids.iter().copied().collect::<Vec<NodeId>>());
    let mut content = items(store, at, &rows)?;
    if !rows.is_empty() {
        content.conditions = by_id(store, "index/conditions", params(at, &rows))?;
    }
    if !layouts.is_empty() {
        content.layouts = by_id(store, "index/layouts", params(at, &layouts))?;
    }
    Ok(content)
}

/// Current content rows of these nodes that depend on their texts, without their layout rows.
pub(super) fn items(store: &Store, at: Micros, ids: &[NodeId]) -> Result<Content, StoreError> {
    if ids.is_empty() {
        return Ok(Content::default());
    }
    Ok(Content {
        nodes: by_id(store, "index/nodes", params(at, ids))?,
        modules: by_id(store, "index/modules", params(at, ids))?,
        metrics: by_id(store, "index/metrics", params(at, ids))?,
        ..Content::default()
    })
}

fn params(at: Micros, ids: &[NodeId]) -> Params {
    Params::new().with("at", at).with("ids", Value::list(ids.iter().copied()))
}

fn by_id(
    store: &Store,
    program: &str,
    params: Params,
) -> Result<BTreeMap<NodeId, Columns>, StoreError> {
    by_key(store, program, params, "id")
}

fn by_key(
    store: &Store,
    program: &str,
    params: Params,
    key: &str,
) -> Result<BTreeMap<NodeId, Columns>, StoreError> {
    let rows = asof_query::run(store, program, params)?;
    let mut found = BTreeMap::new();
    for row in rows.iter() {
        found.insert(row.get(key)?, columns(&rows, &row, 1)?);
    }
    Ok(found)
}

/// The columns of a row after the first `skip`.
fn columns(rows: &Rows, row: &Row<'_>, skip: usize) -> Result<Columns, StoreError> {
    rows.headers().iter().skip(skip).map(|name| row.get::<Value>(name)).collect()
}

/// Current issues by key.
pub(super) fn issues(
    store: &Store,
    at: Micros,
) -> Result<BTreeMap<(String, i64), Columns>, StoreError> {
    let rows = asof_query::run(store, "index/issues", Params::new().with("at", at))?;
    let mut found = BTreeMap::new();
    for row in rows.iter() {
        found.insert((row.get("file_path")?, row.get("ordinal")?), columns(&rows, &row, 2)?);
    }
    Ok(found)
}

/// A row of `file_stat`.
pub(super) fn stat_row(path: &str, stat: &FileStat) -> [Value; 7] {
    [
        path.into(),
        stat.size.cast_signed().into(),
        stat.modified_ns.into(),
        stat.changed_ns.into(),
        stat.inode.cast_signed().into(),
        stat.raw_hash.as_str().into(),
        stat.checked_ns.into(),
    ]
}

/// The namespace of the project, as recorded when it was first indexed.
pub(super) fn namespace(store: &Store) -> Result<Option<Namespace>, StoreError> {
    Ok(meta(store, NAMESPACE)?.and_then(|text| text.parse().ok()))
}

/// The Git commit that HEAD was at when the first revision was made from files; empty if there
/// was none, and none where it is not known.
pub fn base_commit(store: &Store) -> Result<Option<String>, IndexError> {
    Ok(meta(store, BASE)?)
}

pub(super) fn meta(store: &Store, key: &str) -> Result<Option<String>, StoreError> {
    let rows = asof_query::run(store, "meta/get", Params::new().with("key", key))?;
    rows.iter().next().map(|row| row.get("value")).transpose()
}
