//! The long way: names of the whole workspace are resolved in memory, from the faces as they
//! were and as they are, and what differs is written. Files whose own text did not change, but
//! whose ids or paths did, have to be parsed as well: the caller is told which.

use std::collections::{BTreeMap, BTreeSet};

use super::content::{Columns, Content};
use super::dependents;
use super::error::IndexError;
use super::options::Options;
use super::parse::{Parsed, pool};
use super::side::{Ground, Side};
use super::state::{self, Faces, LAYOUT_KEY, Roots, packed};
use super::tree::FaceMap;
use super::uses::FileRows;
use super::write::{TREE_ISSUES, Writer, known_texts};
use crate::model::{Face, Issue, Micros, Namespace, NodeId};
use crate::store::{Store, Value};

/// What a run hands over.
pub(super) struct Work<'a> {
    pub store: &'a Store,
    /// Time of the newest revision.
    pub at: Option<Micros>,
    pub namespace: Namespace,
    pub options: &'a Options,
    /// Paths of the files there are.
    pub present: &'a BTreeSet<&'a str>,
    pub roots: &'a Roots,
    /// As they were.
    pub old_roots: Option<&'a Roots>,
}

/// Files that have to be parsed, though their texts did not change.
#[derive(Debug, Default)]
pub(super) struct Missing {
    /// The rows of their items change.
    pub moved: BTreeSet<String>,
    /// What they use may be something else now.
    pub dependents: BTreeSet<String>,
}

impl Missing {
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.dependents.is_empty()
    }
}

/// Writes the rows, or tells which files have to be parsed first (and writes nothing).
pub(super) fn write(
    work: &Work<'_>,
    old: &Faces,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<Missing, IndexError> {
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
    let before = Ground::of(work.old_roots.unwrap_or(&nowhere), &old_faces);
    let after = Ground::of(work.roots, &faces);
    let (before, after) = (Side::of(&before), Side::of(&after));

    let missing = missing(work, &before, &after, parsed)?;
    if !missing.is_empty() {
        return Ok(missing);
    }
    uses(work, &before, &after, parsed, writer)?;
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

fn missing<'a>(
    work: &Work<'_>,
    before: &Side<'a>,
    after: &Side<'a>,
    parsed: &Parsed,
) -> Result<Missing, IndexError> {
    let moved = moved_files(before, after, parsed);
    let mentions = match work.at {
        Some(_) => state::mentions(work.store)?,
        None => BTreeMap::new(),
    };
    let mut dependents = BTreeSet::new();
    let known = |path: &&str| parsed.facts.contains_key(*path) || moved.contains(*path);
    if !after.files.iter().all(|(path, _)| known(path)) {
        dependents = dependents::dependents(&dependents::changed(before, after), &mentions);
        dependents.retain(|path| !known(&path.as_str()) && after.face(path).is_some());
    }
    Ok(Missing { moved, dependents })
}

/// Rows of what the parsed files use, and of those that are gone.
fn uses(
    work: &Work<'_>,
    before: &Side<'_>,
    after: &Side<'_>,
    parsed: &Parsed,
    writer: &mut Writer,
) -> Result<(), IndexError> {
    let touched: BTreeSet<&str> = before
        .files
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| parsed.facts.contains_key(*path) || after.face(path).is_none())
        .collect();
    let mut old: BTreeMap<&str, BTreeMap<NodeId, Columns>> = BTreeMap::new();
    if let Some(at) = work.at {
        for (source, columns) in state::uses(work.store, at, &before.ids_in(&touched))? {
            if let Some(path) = before.node(source).and_then(|node| before.path_of(node)) {
                old.entry(path).or_default().insert(source, columns);
            }
        }
    }
    let all = parsed.facts.values().map(|facts| (facts, None));
    let mut new = after.references(all, &pool(work.options)?);
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    for path in paths {
        let old = FileRows::of_stored(old.remove(path).unwrap_or_default());
        let new = new.remove(path).unwrap_or_default();
        writer.uses(path, &old, new)?;
    }
    Ok(())
}

/// Files that were not parsed, though the rows of their items change.
fn moved_files(before: &Side<'_>, after: &Side<'_>, parsed: &Parsed) -> BTreeSet<String> {
    if after.files.iter().all(|(path, _)| parsed.facts.contains_key(*path)) {
        return BTreeSet::new();
    }
    let was = before.shapes();
    after
        .shapes()
        .iter()
        .filter(|(path, shape)| {
            !parsed.facts.contains_key(**path) && was.get(*path) != Some(*shape)
        })
        .map(|(path, _)| (*path).to_owned())
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
        let Some((path, _)) = after.files.get(instance.file) else { continue };
        if let Some(facts) = parsed.facts.get(*path)
            && !parsed.for_uses.contains(*path)
        {
            new.add(&after.input(), &after.assembly, number, facts);
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
    let old = match work.at {
        Some(at) => state::content(work.store, at, &before.ids_in(&touched))?,
        None => Content::default(),
    };
    writer.texts(parsed, &known_texts(old.layouts.values()))?;
    writer.content(&old, new)?;
    Ok(())
}
