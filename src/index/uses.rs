//! Rows of references: `refs_by_source` by source, its mirror `refs_by_target` by target and file,
//! and external symbols.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::content::Columns;
use super::error::IndexError;
use super::reads::FileReads;
use asof_model::{Condition, Micros, NodeId, Occurrence, RefTarget, Reference};
use asof_store::{Batch, StoreError, Value};

/// Names of targets that are not nodes, and whether they are known to belong to other crates.
pub(super) type ExternalNames = BTreeMap<NodeId, (String, bool)>;

/// Rows of one file's items.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FileRows {
    /// By source.
    pub uses: BTreeMap<NodeId, Columns>,
    /// By target.
    pub used_in: BTreeMap<NodeId, Columns>,
    pub external: ExternalNames,
    /// What was read for its items, if that is to be written.
    pub reads: Option<FileReads>,
}

impl FileRows {
    /// Rows of what the items of one file use. The order of the references does not matter.
    pub fn new(references: &[Reference], reads: FileReads) -> Self {
        let mut rows = Self { reads: Some(reads), ..Self::default() };
        let mut all: Vec<(NodeId, How<'_>, &Reference)> = Vec::with_capacity(references.len());
        for one in references {
            let target = one.target.id();
            all.push((one.source, How::new(target, one), one));
            let external = match &one.target {
                RefTarget::Node(_) => continue,
                RefTarget::External(path) => (path, true),
                RefTarget::Unknown(text) => (text, false),
            };
            let named = || (external.0.clone(), external.1);
            rows.external.entry(target).or_insert_with(named);
        }
        all.sort_unstable_by_key(|(source, how, _)| (*source, *how));
        for of_source in all.chunk_by(|a, b| a.0 == b.0) {
            let Some((source, ..)) = of_source.first() else { continue };
            let alike = of_source.chunk_by(|a, b| a.1 == b.1);
            let list = alike.filter_map(|alike| {
                let (_, how, one) = alike.first()?;
                let places = match alike {
                    [_] => flat(&one.occurrences),
                    several => flat(several.iter().flat_map(|(.., one)| &one.occurrences)),
                };
                Some(Value::List(vec![how.target.into(), Value::Json(how.stored(places))]))
            });
            rows.uses.insert(*source, vec![Value::List(list.collect())]);
        }
        let uses = all.iter().map(|(source, how, _)| Use {
            target: how.target,
            source: *source,
            kind: how.kind,
            confidence: i64::from(how.confidence),
            condition: how.condition,
        });
        rows.used_in = mirror(uses.collect());
        rows
    }

    /// The rows of a file that has none yet, except the names of targets.
    pub fn first(self, path: &str, at: Micros) -> Result<(Batch, ExternalNames), IndexError> {
        let mut batch = Batch::new();
        put_reads(&mut batch, path, self.reads.as_ref())?;
        for (target, values) in self.used_in {
            batch.assert("refs_by_target", at, [target.into(), path.into()], values)?;
        }
        for (source, values) in self.uses {
            batch.assert("refs_by_source", at, [source.into()], values)?;
        }
        Ok((batch, self.external))
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

    /// Targets whose rows of the mirror are not the same in both.
    pub fn differing_targets(&self, other: &Self) -> Vec<NodeId> {
        let all = self.used_in.keys().chain(other.used_in.keys()).copied();
        let all: BTreeSet<NodeId> = all.collect();
        let differs = |target: &NodeId| self.used_in.get(target) != other.used_in.get(target);
        all.into_iter().filter(differs).collect()
    }

    /// Without the rows of the mirror of other targets.
    pub fn only_targets(&mut self, targets: &[NodeId]) {
        self.used_in.retain(|target, _| targets.binary_search(target).is_ok());
    }

    /// The stored rows of a file's sources, with the mirror that they give.
    pub fn of_stored(uses: BTreeMap<NodeId, Columns>) -> Self {
        let all = uses.iter().flat_map(|(source, columns)| {
            entries(columns).map(|(target, kind, confidence, condition)| Use {
                target,
                source: *source,
                kind,
                confidence,
                condition,
            })
        });
        let used_in = mirror(all.collect());
        Self { uses, used_in, ..Self::default() }
    }
}

/// A target, and how an item uses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct How<'r> {
    target: NodeId,
    kind: &'static str,
    provenance: &'static str,
    confidence: u8,
    condition: Option<&'r str>,
}

impl<'r> How<'r> {
    fn new(target: NodeId, one: &'r Reference) -> Self {
        Self {
            target,
            kind: one.kind.as_str(),
            provenance: one.provenance,
            confidence: one.confidence,
            condition: one.condition.as_deref(),
        }
    }

    /// As it is stored, with the places of its occurrences. JSON takes a third of the bytes of the
    /// engine's own encoding.
    fn stored(self, places: Vec<Json>) -> Json {
        let count = places.len() / 3;
        let mut parts: Vec<Json> = Vec::with_capacity(6);
        parts.extend([self.kind.into(), self.provenance.into(), self.confidence.into()]);
        parts.extend([count.into(), Json::Array(places)]);
        parts.extend(self.condition.map(Json::from));
        Json::Array(parts)
    }
}

/// Three numbers for each occurrence, sorted and without duplicates.
fn flat<'o>(occurrences: impl IntoIterator<Item = &'o Occurrence>) -> Vec<Json> {
    let places = occurrences.into_iter().map(|place| [place.offset, place.line, place.column]);
    let mut places: Vec<[u32; 3]> = places.collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().flatten().map(Json::from).collect()
}

/// A use, as the mirror has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use<'u> {
    target: NodeId,
    source: NodeId,
    kind: &'u str,
    /// In percent.
    confidence: i64,
    condition: Option<&'u str>,
}

/// Rows of `refs_by_target` of all uses in a file.
fn mirror(mut uses: Vec<Use<'_>>) -> BTreeMap<NodeId, Columns> {
    uses.sort_unstable();
    let rows = uses.chunk_by(|a, b| a.target == b.target).filter_map(|of_target| {
        let target = of_target.first()?.target;
        let alike = of_target.chunk_by(|a, b| (a.source, a.kind) == (b.source, b.kind));
        let list = alike.filter_map(|alike| {
            // The best confidence comes last.
            let best = alike.last()?;
            let mut user: Vec<Value> =
                vec![best.source.into(), best.kind.into(), best.confidence.into()];
            user.extend(either(alike.iter().map(|one| one.condition)).map(Value::from));
            Some(Value::List(user))
        });
        Some((target, vec![Value::List(list.collect())]))
    });
    rows.collect()
}

/// The condition under which one of several uses holds; none if that is always.
fn either<'c>(conditions: impl Iterator<Item = Option<&'c str>>) -> Option<String> {
    let mut all: BTreeSet<&str> = conditions.collect::<Option<_>>()?;
    if all.len() == 1 {
        return all.pop_first().filter(|one| !one.is_empty()).map(str::to_owned);
    }
    let any = all.into_iter().map(Condition::parse).reduce(|a, b| a.or(&b))?;
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

fn put_reads(batch: &mut Batch, path: &str, reads: Option<&FileReads>) -> Result<(), IndexError> {
    if let Some(reads) = reads {
        batch.put("reads", [path.into(), Value::Bytes(reads.to_bytes()?)])?;
    }
    Ok(())
}

/// Writes the differences between old and new rows, file by file.
#[derive(Debug, Default)]
pub(super) struct UsesWriter {
    /// Names that are in the batch.
    named: BTreeSet<NodeId>,
}

impl UsesWriter {
    /// Writes the names of targets that are no nodes, each once.
    pub fn name_all(&mut self, batch: &mut Batch, names: ExternalNames) -> Result<(), StoreError> {
        names
            .iter()
            .try_for_each(|(target, (text, external))| self.name(batch, *target, text, *external))
    }

    /// Writes the name of a target that is no node, once.
    fn name(
        &mut self,
        batch: &mut Batch,
        target: NodeId,
        text: &str,
        external: bool,
    ) -> Result<(), StoreError> {
        if self.named.insert(target) {
            batch.put("external_symbol", [target.into(), text.into(), external.into()])?;
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
    ) -> Result<(), IndexError> {
        put_reads(batch, path, new.reads.as_ref())?;
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
                && let Some((text, external)) = new.external.get(&target)
            {
                self.name(batch, target, text, *external)?;
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
