//! Rows of references: `refs_by_source` by source, its mirror `refs_by_target` by target and file,
//! and external symbols.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::content::Columns;
use crate::model::{Condition, Micros, NodeId, RefTarget, Reference};
use crate::store::{Batch, StoreError, Value};

/// Rows of one file's items.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FileRows {
    /// By source.
    pub uses: BTreeMap<NodeId, Columns>,
    /// By target.
    pub used_in: BTreeMap<NodeId, Columns>,
    /// Names of targets that are not nodes, and whether they are known to belong to other crates.
    pub external: BTreeMap<NodeId, (String, bool)>,
}

impl FileRows {
    /// Rows of what the items of one file use. The order of the references does not matter.
    pub fn of(references: &[Reference]) -> Self {
        type How<'a> = (NodeId, &'static str, &'a str, u8, Option<&'a str>);
        let mut rows = Self::default();
        let mut uses: BTreeMap<NodeId, BTreeMap<How<'_>, BTreeSet<[u32; 3]>>> = BTreeMap::new();
        for one in references {
            let target = one.target.id();
            let condition = one.condition.as_deref();
            let how = (target, one.kind.as_str(), one.provenance, one.confidence, condition);
            let occurrences =
                one.occurrences.iter().map(|place| [place.offset, place.line, place.column]);
            uses.entry(one.source).or_default().entry(how).or_default().extend(occurrences);
            let external = match &one.target {
                RefTarget::Node(_) => continue,
                RefTarget::External(path) => (path.clone(), true),
                RefTarget::Unknown(text) => (text.clone(), false),
            };
            rows.external.entry(target).or_insert(external);
        }
        for (source, list) in uses {
            let list = list.into_iter().map(|(how, occurrences)| {
                let (target, kind, provenance, confidence, condition) = how;
                // JSON takes a third of the bytes of the engine's own encoding.
                let how = (kind, provenance, confidence, occurrences.len(), flat(occurrences));
                let mut how = serde_json::to_value(how).unwrap_or_default();
                if let (Some(condition), Some(parts)) = (condition, how.as_array_mut()) {
                    parts.push(condition.into());
                }
                Value::List(vec![target.into(), Value::Json(how)])
            });
            rows.uses.insert(source, vec![Value::List(list.collect())]);
        }
        rows.used_in = mirror(&rows.uses);
        rows
    }

    /// Copies from the stored rows of the mirror what items other than the changed ones use.
    pub fn keep_others(&mut self, stored: &BTreeMap<NodeId, Columns>, changed: &BTreeSet<NodeId>) {
        for (target, columns) in stored {
            let own = self.used_in.remove(target);
            let others = list(columns)
                .iter()
                .filter(|entry| user(entry).is_some_and(|(source, _)| !changed.contains(&source)));
            let mut entries: Vec<Value> = others.cloned().collect();
            entries.extend(own.iter().flat_map(list).cloned());
            entries.sort_by(|a, b| user(a).cmp(&user(b)));
            if !entries.is_empty() {
                self.used_in.insert(*target, vec![Value::List(entries)]);
            }
        }
    }

    /// The stored rows of a file's sources, with the mirror that they give.
    pub fn of_stored(uses: BTreeMap<NodeId, Columns>) -> Self {
        let used_in = mirror(&uses);
        Self { uses, used_in, external: BTreeMap::new() }
    }
}

fn flat(occurrences: BTreeSet<[u32; 3]>) -> Vec<u32> {
    occurrences.into_iter().flatten().collect()
}

/// Rows of `refs_by_target` that belong to all rows of `refs_by_source` of a file.
fn mirror(uses: &BTreeMap<NodeId, Columns>) -> BTreeMap<NodeId, Columns> {
    type Users<'a> = BTreeMap<(NodeId, &'a str), (i64, Vec<Option<&'a str>>)>;
    let mut users: BTreeMap<NodeId, Users<'_>> = BTreeMap::new();
    for (source, columns) in uses {
        for (target, kind, confidence, condition) in entries(columns) {
            let user = users.entry(target).or_default().entry((*source, kind)).or_default();
            user.0 = confidence.max(user.0);
            user.1.push(condition);
        }
    }
    users
        .into_iter()
        .map(|(target, list)| {
            let list = list.into_iter().map(|((source, kind), (confidence, conditions))| {
                let mut user: Vec<Value> = vec![source.into(), kind.into(), confidence.into()];
                user.extend(either(&conditions).map(Value::from));
                Value::List(user)
            });
            (target, vec![Value::List(list.collect())])
        })
        .collect()
}

/// The condition under which one of several uses holds; none if that is always.
fn either(conditions: &[Option<&str>]) -> Option<String> {
    let all: Option<BTreeSet<&str>> = conditions.iter().copied().collect();
    let any = all?.into_iter().map(Condition::of).reduce(|a, b| a.or(&b))?;
    (!any.is_always()).then(|| any.to_string())
}

/// The list that a row consists of.
fn list(columns: &Columns) -> &[Value] {
    match columns.first() {
        Some(Value::List(list)) => list,
        _ => &[],
    }
}

/// Source and kind of an entry of the mirror: entries are sorted by them.
fn user(entry: &Value) -> Option<(NodeId, &str)> {
    match entry {
        Value::List(parts) => match parts.as_slice() {
            [Value::Uuid(source), Value::Str(kind), ..] => Some((NodeId(*source), kind)),
            _ => None,
        },
        _ => None,
    }
}

/// Target, kind, confidence and condition of each use in a row of `refs_by_source`.
fn entries(columns: &Columns) -> impl Iterator<Item = (NodeId, &str, i64, Option<&str>)> {
    list(columns).iter().filter_map(|entry| match entry {
        Value::List(parts) => match parts.as_slice() {
            [Value::Uuid(target), Value::Json(how)] => {
                let kind = how.get(0).and_then(Json::as_str)?;
                let confidence = how.get(2).and_then(Json::as_i64)?;
                Some((NodeId(*target), kind, confidence, how.get(5).and_then(Json::as_str)))
            }
            _ => None,
        },
        _ => None,
    })
}

/// Targets that rows of `refs_by_source` name.
pub(super) fn targets<'a>(rows: impl IntoIterator<Item = &'a Columns>) -> BTreeSet<NodeId> {
    rows.into_iter().flat_map(entries).map(|(target, ..)| target).collect()
}

/// Writes the differences between old and new rows, file by file.
#[derive(Debug, Default)]
pub(super) struct UsesWriter {
    /// Names that are in the batch.
    named: BTreeSet<NodeId>,
}

impl UsesWriter {
    /// Writes the rows of files that have none yet, as [`UsesWriter::write`] does one by one.
    pub fn write_first(
        &mut self,
        batch: &mut Batch,
        at: Micros,
        files: BTreeMap<&str, FileRows>,
    ) -> Result<(), StoreError> {
        let mut by_target: Vec<([Value; 2], Columns)> = Vec::new();
        let mut by_source: Vec<([Value; 1], Columns)> = Vec::new();
        for (path, rows) in files {
            for (target, external) in rows.external {
                self.name(batch, target, &external)?;
            }
            let by_path = |(target, values): (NodeId, Columns)| {
                ([Value::from(target), Value::from(path)], values)
            };
            by_target.extend(rows.used_in.into_iter().map(by_path));
            by_source.extend(rows.uses.into_iter().map(|(id, values)| ([id.into()], values)));
        }
        batch.assert_all("refs_by_target", at, by_target)?;
        batch.assert_all("refs_by_source", at, by_source)
    }

    /// Writes the name of a target that is no node, once.
    fn name(
        &mut self,
        batch: &mut Batch,
        target: NodeId,
        (text, external): &(String, bool),
    ) -> Result<(), StoreError> {
        if self.named.insert(target) {
            let text = text.as_str();
            batch.put("external_symbol", [target.into(), text.into(), (*external).into()])?;
            batch.put("external_symbol_by_text", [text.into(), target.into()])?;
        }
        Ok(())
    }

    /// Writes the differences of one file.
    pub fn write(
        &mut self,
        batch: &mut Batch,
        at: Micros,
        path: &str,
        old: &FileRows,
        new: FileRows,
    ) -> Result<(), StoreError> {
        // A retraction needs no values: the previous version has them.
        let nothing = || [Value::List(Vec::new())];
        for target in old.used_in.keys().filter(|t| !new.used_in.contains_key(t)) {
            batch.retract("refs_by_target", at, [(*target).into(), path.into()], nothing())?;
        }
        for (target, values) in new.used_in {
            let before = old.used_in.get(&target);
            if before == Some(&values) {
                continue;
            }
            // A target that was used here before has its name already.
            if before.is_none()
                && let Some(external) = new.external.get(&target)
            {
                self.name(batch, target, external)?;
            }
            batch.assert("refs_by_target", at, [target.into(), path.into()], values)?;
        }
        for source in old.uses.keys().filter(|s| !new.uses.contains_key(s)) {
            batch.retract("refs_by_source", at, [(*source).into()], nothing())?;
        }
        for (source, values) in new.uses {
            if old.uses.get(&source) != Some(&values) {
                batch.assert("refs_by_source", at, [source.into()], values)?;
            }
        }
        Ok(())
    }
}
