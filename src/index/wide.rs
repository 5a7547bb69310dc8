//! The long way: names of the whole workspace are resolved in memory, from the faces as they
//! were and as they are, and what differs is written. Files whose own text did not change, but
//! whose ids or paths did, have to be parsed as well: the caller is told which.

use std::collections::{BTreeMap, BTreeSet};

use super::content::Content;
use super::error::IndexError;
use super::marks::{self, Marks};
use super::names::Names;
use super::parse::Parsed;
use super::state::{self, Faces, LAYOUT_KEY, Roots, packed};
use super::tree::{self, FaceMap, Tree};
use super::write::{TREE_ISSUES, Writer, known_texts};
use crate::model::{Face, Issue, Micros, Namespace, NodeId, WorkspaceLayout};
use crate::resolve::{Assembly, Input, assemble};
use crate::store::{Store, Value};

/// One side of the comparison.
struct Side<'a> {
    layout: &'a WorkspaceLayout,
    files: Vec<(&'a str, &'a Face)>,
    tree: Tree,
    assembly: Assembly,
}

impl<'a> Side<'a> {
    fn of(roots: &'a Roots, faces: &FaceMap<'a>) -> Self {
        let tree = tree::build(&roots.layout, faces, &roots.links);
        let files: Vec<_> = faces.iter().map(|(path, face)| (*path, *face)).collect();
        let mut side = Side { layout: &roots.layout, files, tree, assembly: Assembly::default() };
        side.assembly = assemble(side.input());
        side
    }

    fn input(&self) -> Input<'_> {
        Input {
            packages: &self.layout.packages,
            crates: &self.tree.crates,
            files: &self.files,
            instances: &self.tree.instances,
            repeats: &self.tree.repeats,
        }
    }

    fn names(&self) -> Names<'_> {
        let paths: Vec<&str> = self.files.iter().map(|(path, _)| *path).collect();
        let tree = &self.tree;
        Names::of(&self.assembly, &self.layout.packages, &tree.crates, &tree.instances, &paths)
    }

    /// For each file, a hash of all that its content rows hold and its text does not tell.
    fn shapes(&self) -> BTreeMap<&str, blake3::Hash> {
        let mut hashers: BTreeMap<&str, blake3::Hasher> = BTreeMap::new();
        for (number, instance) in self.tree.instances.iter().enumerate() {
            let Some((path, face)) = self.files.get(instance.file) else { continue };
            let hasher = hashers.entry(path).or_default();
            for at in 0..face.items.len() as u32 {
                let Some(node) = self.assembly.node_of(number, at) else { continue };
                hasher.update(node.id.0.as_bytes());
                hasher.update(node.path.as_bytes());
                for above in [node.parent, Some(node.module)] {
                    let above = above.and_then(|n| self.assembly.nodes.get(n as usize));
                    hasher.update(above.map_or(&[0; 16], |n| n.id.0.as_bytes()));
                }
                let here = (node.instance, node.item) == (number as u32, at);
                hasher.update(&[u8::from(here)]);
                for twin in self.assembly.variants.get(&(number as u32, at)).into_iter().flatten() {
                    let twin = self.assembly.nodes.get(*twin as usize);
                    hasher.update(twin.map_or(&[1; 16], |n| n.id.0.as_bytes()));
                }
                if at == 0
                    && let Some((by, item)) = node.declared_in
                    && let Some(file) = self.tree.instances.get(by as usize)
                    && let Some(item) =
                        self.files.get(file.file).and_then(|(_, f)| f.items.get(item as usize))
                {
                    hasher.update(&serde_json::to_vec(item).unwrap_or_default());
                }
            }
        }
        hashers.into_iter().map(|(path, hasher)| (path, hasher.finalize())).collect()
    }

    /// Writes the marks of parsed files.
    fn write_marks(&self, parsed: &Parsed, writer: &mut Writer) -> Result<(), IndexError> {
        let mut ids: BTreeMap<&str, Vec<Vec<NodeId>>> = BTreeMap::new();
        // One declaration with several files has several nodes: such a file goes the long way.
        let mut several = BTreeSet::new();
        for (number, instance) in self.tree.instances.iter().enumerate() {
            let Some((path, _)) = self.files.get(instance.file) else { continue };
            if !parsed.facts.contains_key(*path) {
                continue;
            }
            if self.assembly.variants.keys().any(|(of, _)| *of as usize == number) {
                several.insert(*path);
            }
            let nodes = self.assembly.index.get(number).into_iter().flatten();
            let nodes = nodes.filter_map(|n| self.assembly.nodes.get(*n as usize));
            ids.entry(path).or_default().push(nodes.map(|n| n.id).collect());
        }
        for (path, facts) in &parsed.facts {
            let ids = ids.remove(path.as_str()).unwrap_or_default();
            let marks = match several.contains(path.as_str()) {
                true => Marks::default(),
                false => Marks { ids, marks: marks::of(facts) },
            };
            let path = Value::from(path.as_str());
            writer.batch.put("mark", [path].into_iter().chain(marks.columns()))?;
        }
        Ok(())
    }

    /// Ids of the nodes whose bodies lie in these files.
    fn ids_in(&self, files: &BTreeSet<&str>) -> Vec<NodeId> {
        let of_file = |instance: u32| {
            let instance = self.tree.instances.get(instance as usize)?;
            self.files.get(instance.file).map(|(path, _)| *path)
        };
        self.assembly
            .nodes
            .iter()
            .filter(|node| of_file(node.instance).is_some_and(|path| files.contains(path)))
            .map(|node| node.id)
            .collect()
    }
}

/// What a run hands over.
pub(super) struct Work<'a> {
    pub store: &'a Store,
    /// Time of the newest revision.
    pub at: Option<Micros>,
    pub namespace: Namespace,
    /// Paths of the files there are.
    pub present: &'a BTreeSet<&'a str>,
    pub roots: &'a Roots,
    /// As they were.
    pub old_roots: Option<&'a Roots>,
}

/// Writes the rows, or tells which files have to be parsed first (and writes nothing).
pub(super) fn write(
    work: &Work<'_>,
    old: &Faces,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<BTreeSet<String>, IndexError> {
    let fresh: BTreeMap<&str, Face> =
        parsed.facts.iter().map(|(path, facts)| (path.as_str(), Face::of(facts))).collect();
    let mut faces: FaceMap<'_> = fresh.iter().map(|(path, face)| (*path, face)).collect();
    for (path, face) in &old.files {
        let path = path.as_str();
        if work.present.contains(path) && !parsed.unreadable.contains_key(path) {
            faces.entry(path).or_insert(face);
        }
    }
    let old_faces: FaceMap<'_> =
        old.files.iter().map(|(path, face)| (path.as_str(), face)).collect();
    let nowhere = Roots::default();
    let before = Side::of(work.old_roots.unwrap_or(&nowhere), &old_faces);
    let after = Side::of(work.roots, &faces);

    let missing = moved_files(&before, &after, parsed);
    if !missing.is_empty() {
        return Ok(missing);
    }
    contents(work, &before, &after, parsed, writer)?;
    after.names().write(&before.names(), work.namespace, writer.at, &mut writer.batch)?;

    let paths: Vec<String> = old.files.keys().chain(parsed.facts.keys()).cloned().collect();
    let stored = match work.at {
        Some(at) => state::file_rows(work.store, at, &paths)?,
        None => BTreeMap::new(),
    };
    for (path, face) in &fresh {
        if let Some(facts) = parsed.facts.get(*path) {
            writer.file(facts, face.hash().as_str(), stored.get(*path))?;
        }
        if old.files.get(*path) != Some(face) {
            writer.batch.put("face", [(*path).into(), Value::Bytes(packed(&face.items)?)])?;
        }
    }
    after.write_marks(parsed, writer)?;
    for path in old.files.keys().filter(|path| !faces.contains_key(path.as_str())) {
        writer.batch.remove("face", [path.as_str().into()])?;
        writer.batch.remove("mark", [path.as_str().into()])?;
        writer.forget_issues(path);
        if let Some(values) = stored.get(path) {
            let values = values.iter().cloned();
            writer.batch.retract("file", writer.at, [path.as_str().into()], values)?;
        }
    }
    if work.old_roots != Some(work.roots) {
        writer.batch.put("face", [LAYOUT_KEY.into(), Value::Bytes(packed(work.roots)?)])?;
    }
    writer.issues(TREE_ISSUES, None, &after.tree.issues.iter().collect::<Vec<&Issue>>());
    Ok(missing)
}

/// Files that were not parsed, though the rows of their items change.
fn moved_files(before: &Side<'_>, after: &Side<'_>, parsed: &Parsed) -> BTreeSet<String> {
    if after.files.iter().all(|(path, _)| parsed.facts.contains_key(*path)) {
        return BTreeSet::new();
    }
    let was = before.shapes();
    after
        .shapes()
        .into_iter()
        .filter(|(path, shape)| !parsed.facts.contains_key(*path) && was.get(path) != Some(shape))
        .map(|(path, _)| path.to_owned())
        .collect()
}

fn contents(
    work: &Work<'_>,
    before: &Side<'_>,
    after: &Side<'_>,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let mut new = Content::default();
    for (number, instance) in after.tree.instances.iter().enumerate() {
        let facts = after.files.get(instance.file).and_then(|(path, _)| parsed.facts.get(*path));
        if let Some(facts) = facts {
            new.add(&after.input(), &after.assembly, number, facts);
        }
    }
    let touched: BTreeSet<&str> = before
        .files
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| {
            parsed.facts.contains_key(*path)
                || parsed.unreadable.contains_key(*path)
                || !work.present.contains(path)
        })
        .collect();
    let old = match work.at {
        Some(at) => state::content(work.store, at, &before.ids_in(&touched))?,
        None => Content::default(),
    };
    writer.texts(parsed, &known_texts(old.layouts.values()))?;
    writer.content(&old, new)?;
    Ok(())
}
