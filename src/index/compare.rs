//! Compares the files of two trees without a store. Files with the same bytes on both sides are not
//! parsed beyond their item trees, and those only once: ids and paths may depend on any of them.
//! The items are those that the rows of a refresh from one tree to the other would be about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::content::{Head, Owned, id_of, owned};
use super::current::full_layout;
use super::error::IndexError;
use super::resolved_state::ResolvedState;
use super::resolved_workspace::{MadeItems, ResolvedWorkspace, StoredInput};
use super::state::Roots;
use super::threads::pool;
use asof_item_tracking::ItemState;
use asof_model::{FileFacts, ItemTree, NodeId, Span, StoredTree, TextHash};
use asof_resolve::CrateMaps;
use asof_workspace::{SourceTree, Walk, WorkspaceError, content_id_of, read_from};

/// One of two trees: what is in the files that differ, or whose items have other ids or paths.
#[derive(Debug, Default)]
pub struct ComparedTree {
    pub items: BTreeMap<NodeId, ItemState>,
    /// Every Rust file of the tree, sorted.
    pub files: Vec<String>,
    spans: BTreeMap<NodeId, Span>,
    sources: BTreeMap<String, Arc<Vec<u8>>>,
}

impl ComparedTree {
    /// The text of an item, as it is in its file.
    pub fn source(&self, id: NodeId) -> Option<String> {
        let (item, span) = (self.items.get(&id)?, self.spans.get(&id)?);
        let bytes = self.sources.get(&item.file_path)?;
        let text = bytes.get(span.start_byte as usize..span.end_byte as usize)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

/// Two trees, the earlier one first.
#[derive(Debug)]
pub struct ComparedTrees {
    pub earlier: ComparedTree,
    pub later: ComparedTree,
    /// Texts of the items, by their hashes.
    pub texts: BTreeMap<TextHash, String>,
}

/// A parsed file with its bytes.
type File = (Arc<FileFacts>, Arc<Vec<u8>>);

/// Compares two trees.
///
/// # Errors
/// A root manifest that cannot be used, or an object of a repository that cannot be read.
pub fn compare_trees(trees: [&dyn SourceTree; 2]) -> Result<ComparedTrees, IndexError> {
    let pool = pool(None)?;
    let [old, new] = trees.map(Side::walk);
    let (mut old, mut new) = (old?, new?);
    let read = pool.install(|| read_all(&old, &new));
    for (path, found) in read {
        match found {
            Found::Same(item_tree) => {
                let item_tree = Arc::new(item_tree);
                old.item_trees.insert(path.clone(), Arc::clone(&item_tree));
                new.item_trees.insert(path, item_tree);
            }
            Found::Different(before, after) => {
                let before = before.map(|file| old.add(&path, file, None));
                if let Some(file) = after {
                    new.add(&path, file, before);
                }
            }
        }
    }
    for tree in trees {
        tree.check()?;
    }
    let (before, after) = pool.install(|| resolved(&mut old, &mut new));
    if !Arc::ptr_eq(&before, &after) {
        let moved: Vec<&String> = new
            .item_trees
            .keys()
            .filter(|path| !new.parsed.contains_key(*path) && !old.parsed.contains_key(*path))
            .filter(|path| !before.side().has_same_shape(after.side(), path))
            .collect();
        let parse = |path: &&String| Some(((*path).clone(), parse(new.tree, path)?));
        let moved: Vec<(String, File)> =
            pool.install(|| moved.par_iter().filter_map(parse).collect());
        old.parsed.extend(moved.iter().cloned());
        new.parsed.extend(moved);
    }
    let mut texts = BTreeMap::new();
    for (facts, _) in old.parsed.values().chain(new.parsed.values()) {
        for (hash, text) in facts.items.iter().filter_map(|item| item.text.as_ref()) {
            texts.entry(*hash).or_insert_with(|| String::from_utf8_lossy(text).into_owned());
        }
    }
    let (mut earlier, mut later) = (old.compared(before.side()), new.compared(after.side()));
    earlier.items.retain(|id, item| match later.items.get(id) {
        Some(same) if same == item => later.items.remove(id).is_none(),
        _ => true,
    });
    Ok(ComparedTrees { earlier, later, texts })
}

/// One of the trees while it is read.
struct Side<'t> {
    tree: &'t dyn SourceTree,
    walk: Walk,
    roots: Roots,
    item_trees: BTreeMap<String, Arc<StoredTree>>,
    parsed: BTreeMap<String, File>,
}

impl<'t> Side<'t> {
    fn walk(tree: &'t dyn SourceTree) -> Result<Self, IndexError> {
        let mut walk = asof_workspace::walk_tree(tree)?;
        let layout = match full_layout(tree, &mut walk) {
            Ok((layout, _)) => layout,
            // A tree without a Rust file has no items.
            Err(IndexError::Workspace(WorkspaceError::Empty { .. })) => Roots::default().layout,
            Err(error) => return Err(error),
        };
        let roots = Roots { layout, links: walk.links.clone(), ..Roots::default() };
        Ok(Side { tree, walk, roots, item_trees: BTreeMap::new(), parsed: BTreeMap::new() })
    }

    /// Adds a parsed file. `other`: its item tree on the other side.
    fn add(&mut self, path: &str, file: File, other: Option<Arc<StoredTree>>) -> Arc<StoredTree> {
        let item_tree = StoredTree::from(ItemTree::from_facts(&file.0));
        let item_tree =
            other.filter(|other| **other == item_tree).unwrap_or_else(|| Arc::new(item_tree));
        self.item_trees.insert(path.to_owned(), Arc::clone(&item_tree));
        self.parsed.insert(path.to_owned(), file);
        item_tree
    }

    fn input(&mut self) -> StoredInput {
        let (roots, files) = (std::mem::take(&mut self.roots), self.item_trees.clone());
        let (made, tree) = MadeItems::expand(&roots, &files, None, None, None);
        StoredInput { roots, files, made, tree, ..StoredInput::default() }
    }

    fn compared(self, side: &ResolvedWorkspace<'_>) -> ComparedTree {
        let mut compared = ComparedTree::default();
        for (number, instance) in side.tree.instances.iter_enumerated() {
            let Some((path, _)) = side.files.get(instance.file) else { continue };
            let Some((facts, _)) = self.parsed.get(*path) else { continue };
            let facts = side.made().with(facts);
            for owned in owned(&side.input(), &side.assembly, number, &facts) {
                compared.spans.insert(owned.node.id, owned.item.span);
                let item = item(&side.assembly, &owned, &facts.path);
                compared.items.insert(item.id, item);
            }
        }
        let sources = self.parsed.into_iter().map(|(path, (_, bytes))| (path, bytes));
        compared.sources = sources.collect();
        compared.files = self.walk.files.into_iter().map(|file| file.path).collect();
        compared
    }
}

fn item(assembly: &CrateMaps, owned: &Owned<'_>, file_path: &str) -> ItemState {
    let Owned { node, item, declaration } = owned;
    let head = Head::new(node, item, *declaration);
    ItemState {
        id: node.id,
        kind: node.kind,
        name: node.name.clone(),
        canonical_path: (!node.path.is_empty()).then(|| node.path.clone()),
        module_id: id_of(assembly, Some(node.module)).unwrap_or(node.id),
        parent_id: id_of(assembly, node.parent),
        file_path: file_path.to_owned(),
        visibility: head.visibility.to_owned(),
        signature: head.signature,
        docs: head.docs,
        cfg: head.cfg,
        tracking_hash: item.tracking_hash,
        shape_hash: item.shape_hash,
        attrs: head.attrs.into_iter().map(str::to_owned).collect(),
        text_hash: item.text.as_ref().map(|(hash, _)| *hash),
    }
}

/// Both states with their names resolved; one state if no name can have another meaning.
fn resolved(old: &mut Side<'_>, new: &mut Side<'_>) -> (Arc<ResolvedState>, Arc<ResolvedState>) {
    let same = old.roots.mean_the_same(&new.roots) && old.item_trees == new.item_trees;
    let (before, after) = (old.input(), new.input());
    let state = |input| Arc::new(ResolvedState::new(input, None, None));
    if same {
        let state = state(after);
        return (Arc::clone(&state), state);
    }
    rayon::join(|| state(before), || state(after))
}

/// A path of both trees, or of one.
enum Found {
    Same(StoredTree),
    Different(Option<File>, Option<File>),
}

/// Reads every Rust file once, those that differ from both trees. Unreadable files are left out.
fn read_all(old: &Side<'_>, new: &Side<'_>) -> Vec<(String, Found)> {
    let paths = |side: &Side<'_>| -> BTreeSet<String> {
        side.walk.files.iter().map(|file| file.path.clone()).collect()
    };
    let (before, after) = (paths(old), paths(new));
    let all: Vec<&String> = before.union(&after).collect();
    let found = all.into_par_iter().filter_map(|path| {
        let found = match (before.contains(path), after.contains(path)) {
            (true, true) => both(old.tree, new.tree, path)?,
            (true, false) => Found::Different(Some(parse(old.tree, path)?), None),
            _ => Found::Different(None, Some(parse(new.tree, path)?)),
        };
        Some((path.clone(), found))
    });
    found.collect()
}

fn both(old: &dyn SourceTree, new: &dyn SourceTree, path: &str) -> Option<Found> {
    let [before, after] = [old, new].map(|tree| content_id_of(tree, path));
    let same = before.is_some() && before == after;
    let after_bytes = bytes(new, path);
    let before_bytes = if same { None } else { bytes(old, path) };
    if same || after_bytes.is_some() && before_bytes == after_bytes {
        return Some(Found::Same(asof_syntax::parse_item_tree(path, &after_bytes?).into()));
    }
    let file = |bytes: Option<Vec<u8>>| bytes.map(|bytes| parsed(path, bytes));
    Some(Found::Different(file(before_bytes), file(after_bytes)))
}

fn bytes(tree: &dyn SourceTree, path: &str) -> Option<Vec<u8>> {
    read_from(tree, path, asof_syntax::MAX_FILE_BYTES as u64).ok()
}

fn parse(tree: &dyn SourceTree, path: &str) -> Option<File> {
    bytes(tree, path).map(|bytes| parsed(path, bytes))
}

fn parsed(path: &str, bytes: Vec<u8>) -> File {
    (Arc::new(asof_syntax::parse_file(path, &bytes)), Arc::new(bytes))
}
