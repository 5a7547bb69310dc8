//! Fingerprints of everything that depends on an item's text. Two versions of a file with the same
//! item tree differ exactly in the rows of the items whose fingerprints differ.

use asof_resolve::InstanceId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::error::IndexError;
use super::mentions;
use super::parse::Parsed;
use super::resolved_workspace::ResolvedWorkspace;
use asof_model::{FileFacts, HashMap, ItemFacts, Metrics, NodeId, PartSpan, Region};
use asof_store::{Batch, Params, Store, Value};

/// Bytes of each part of a fingerprint.
const WIDTH: usize = 8;

/// Fingerprint of an item, in three parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fingerprint {
    /// Of the columns of its node and its metrics.
    pub row: [u8; WIDTH],
    /// Of the positions of its children.
    pub layout: [u8; WIDTH],
    /// Of its own text.
    pub text: [u8; WIDTH],
}

/// The stored fingerprints of a file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FileFingerprints {
    /// For each module that the file is the body of, the ids of its items.
    pub ids: Vec<Vec<NodeId>>,
    pub fingerprints: Vec<Fingerprint>,
    /// The names that the file mentions: [`super::mentions::Names`], in stored form.
    pub names: Vec<u8>,
}

/// Fingerprints of the items of a file, in their order.
pub(super) fn fingerprints(facts: &FileFacts) -> Vec<Fingerprint> {
    let mut layouts: Vec<Option<blake3::Hasher>> = Vec::new();
    layouts.resize_with(facts.items.len(), || None);
    for item in facts.items.iter().skip(1) {
        let parent = item.parent as usize;
        if let (Some(slot), Some(owner)) = (layouts.get_mut(parent), facts.items.get(parent)) {
            place(slot.get_or_insert_default(), owner, item);
        }
    }
    let mut fingerprints = Vec::with_capacity(facts.items.len());
    for (at, (item, layout)) in facts.items.iter().zip(layouts).enumerate() {
        fingerprints.push(Fingerprint {
            row: row(at, item, conditions_around(facts, item)),
            layout: layout.map_or([0; WIDTH], |hasher| cut(&hasher)),
            text: item.text.as_ref().map_or([0; WIDTH], |(hash, _)| {
                cut(blake3::Hasher::new().update(hash.as_str().as_bytes()))
            }),
        });
    }
    fingerprints
}

fn cut(hasher: &blake3::Hasher) -> [u8; WIDTH] {
    let mut out = [0; WIDTH];
    hasher.finalize_xof().fill(&mut out);
    out
}

fn place(hasher: &mut blake3::Hasher, owner: &ItemFacts, item: &ItemFacts) {
    span(hasher, &item.span.relative_to(&owner.span));
    hasher.update(&item.column_in(owner).to_le_bytes());
    hasher.update(&item.name_start.saturating_sub(item.span.start_byte).to_le_bytes());
    hasher.update(&item.name_line.saturating_sub(item.span.start_line).to_le_bytes());
    match &item.text {
        Some((hash, _)) => hasher.update(hash.as_str().as_bytes()),
        None => hasher.update(b"-"),
    };
    let attrs = item.attrs.iter().map(|a| &a.span);
    let generics = item.generics.iter().map(|g| &g.span);
    for part in attrs.chain(generics).chain(item.params.iter().map(|p| &p.span)) {
        span(hasher, part);
    }
}

fn span(hasher: &mut blake3::Hasher, span: &PartSpan) {
    for n in [span.start_byte, span.end_byte, span.start_line, span.end_line] {
        hasher.update(&n.to_le_bytes());
    }
}

/// The predicates that an item in a body is under by the blocks around it, innermost first: what it
/// uses is under them, although they are no part of its text.
fn conditions_around<'f>(
    facts: &'f FileFacts,
    item: &ItemFacts,
) -> impl Iterator<Item = &'f str> + use<'f> {
    let start = item.span.start_byte;
    let regions = &facts.uses.regions;
    let innermost = item.in_body.then(|| Region::around(regions, start)).flatten();
    let region = |at: usize| regions.get(at);
    std::iter::successors(innermost.and_then(region), move |of| region(of.within? as usize))
        .filter(move |region| region.start < start)
        .map(|region| &*region.cfg)
}

/// Of a file's own module, documentation and attributes are part of the item tree.
fn row<'f>(at: usize, item: &ItemFacts, conditions: impl Iterator<Item = &'f str>) -> [u8; WIDTH] {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(item.tracking_hash.as_str());
    add(item.shape_hash.as_str());
    add(item.text.as_ref().map_or("", |(hash, _)| hash.as_str()));
    conditions.for_each(&mut add);
    if at != 0 {
        add(&item.signature);
        add(&item.docs);
        for attr in &item.attrs {
            add(&attr.text);
        }
        for generic in &item.generics {
            for text in [generic.name.as_str(), generic.kind, &generic.bounds] {
                add(text);
            }
        }
        for param in &item.params {
            add(&param.name);
            add(&param.ty);
        }
    }
    if let Some(metrics) = &item.metrics {
        measured(&mut hasher, metrics);
    }
    cut(&hasher)
}

/// Metrics follow from the text, except that a function does not parse if an item nested in it does
/// not.
fn measured(hasher: &mut blake3::Hasher, metrics: &Metrics) {
    let lines = [metrics.loc, metrics.code_lines, metrics.comment_lines, metrics.parameters];
    let complexity = metrics.complexity.iter();
    let complexity = complexity.flat_map(|c| [c.cyclomatic, c.cognitive, c.nesting]);
    let satd = metrics.satd.iter().flat_map(|satd| [satd.byte, satd.line]);
    for n in lines.into_iter().chain(complexity).chain(satd) {
        hasher.update(&n.to_le_bytes());
    }
    if let Some(complexity) = &metrics.complexity {
        hasher.update(complexity.big_o.as_bytes());
    }
}

impl FileFingerprints {
    /// The stored fingerprints of a file, if there are any.
    pub fn load(store: &Store, path: &str) -> Result<Option<Self>, IndexError> {
        let rows = asof_query::run(store, "index/fingerprint", Params::new().with("path", path))?;
        let Some(row) = rows.iter().next() else { return Ok(None) };
        let bad =
            || IndexError::State { what: "fingerprint", reason: "its length is not valid".into() };
        let Value::List(lists) = row.get::<Value>("ids")? else { return Err(bad()) };
        let mut ids = Vec::with_capacity(lists.len());
        for list in lists {
            let Value::Bytes(bytes) = list else { return Err(bad()) };
            let chunks = bytes.chunks_exact(16);
            let id = |chunk: &[u8]| uuid::Uuid::from_slice(chunk).map(NodeId).map_err(|_| bad());
            ids.push(chunks.map(id).collect::<Result<Vec<_>, _>>()?);
        }
        let bytes: Vec<u8> = row.get("fingerprints")?;
        let piece = |chunk: &[u8], at: usize| -> Option<[u8; WIDTH]> {
            chunk.get(at * WIDTH..(at + 1) * WIDTH)?.try_into().ok()
        };
        let fingerprint = |chunk: &[u8]| {
            Some(Fingerprint {
                row: piece(chunk, 0)?,
                layout: piece(chunk, 1)?,
                text: piece(chunk, 2)?,
            })
        };
        let fingerprints =
            bytes.chunks_exact(3 * WIDTH).map(fingerprint).collect::<Option<Vec<_>>>();
        let names = row.get("names")?;
        Ok(Some(Self { ids, fingerprints: fingerprints.ok_or_else(bad)?, names }))
    }

    /// The stored fingerprints of those of these files that have any. Where one declaration has
    /// several files, they have none.
    pub fn load_all<'f>(
        store: &Store,
        paths: impl IntoIterator<Item = &'f String>,
    ) -> Result<BTreeMap<String, Self>, IndexError> {
        let mut found = BTreeMap::new();
        for path in paths {
            let stored = Self::load(store, path)?;
            if let Some(stored) = stored.filter(|stored| !stored.fingerprints.is_empty()) {
                found.insert(path.clone(), stored);
            }
        }
        Ok(found)
    }

    /// Those of each item, whichever of the modules it is in.
    pub fn by_id(&self) -> HashMap<NodeId, Fingerprint> {
        let fingerprints = || self.fingerprints.iter().copied();
        self.ids.iter().flat_map(|ids| ids.iter().copied().zip(fingerprints())).collect()
    }

    /// The value columns of the stored form.
    pub fn columns(&self) -> [Value; 3] {
        let bytes =
            |ids: &Vec<NodeId>| Value::Bytes(ids.iter().flat_map(|id| *id.0.as_bytes()).collect());
        let fingerprints =
            self.fingerprints.iter().flat_map(|m| [m.row, m.layout, m.text].concat());
        let ids = Value::List(self.ids.iter().map(bytes).collect());
        [ids, Value::Bytes(fingerprints.collect()), Value::Bytes(self.names.clone())]
    }
}

/// The rows of parsed files.
pub(super) fn rows(side: &ResolvedWorkspace<'_>, parsed: &Parsed) -> Result<Batch, IndexError> {
    let mut ids: BTreeMap<&str, Vec<Vec<NodeId>>> = BTreeMap::new();
    // One declaration with several files has several nodes: such a file goes the long way.
    let mut several = BTreeSet::new();
    let varied: BTreeSet<InstanceId> = side.assembly.variants.keys().map(|(of, _)| *of).collect();
    for (number, instance) in side.tree.instances.iter_enumerated() {
        let Some((path, _)) = side.files.get(instance.file) else { continue };
        if !parsed.facts.contains_key(*path) || parsed.for_uses.contains(*path) {
            continue;
        }
        if varied.contains(&number) {
            several.insert(*path);
        }
        let written = parsed.facts.get(*path).map_or(0, |facts| facts.items.len());
        let nodes = side.assembly.nodes.item_nodes(number).iter().take(written);
        let nodes = nodes.filter_map(|n| side.assembly.nodes.get(*n));
        ids.entry(path).or_default().push(nodes.map(|n| n.id).collect());
    }
    let written = parsed.facts.par_iter().filter(|(path, _)| !parsed.for_uses.contains(*path));
    let row = |(path, facts): (&String, &Arc<FileFacts>)| {
        let names = mentions::Names::from_facts(facts).to_bytes();
        let ids = ids.get(path.as_str()).cloned().unwrap_or_default();
        let fingerprints = if several.contains(path.as_str()) {
            FileFingerprints { names, ..FileFingerprints::default() }
        } else {
            FileFingerprints { ids, fingerprints: fingerprints(facts), names }
        };
        let mut batch = Batch::new();
        let path = Value::from(path.as_str());
        batch.put("fingerprint", [path].into_iter().chain(fingerprints.columns()))?;
        Ok(batch)
    };
    let joined = |mut all: Batch, more: Batch| {
        all.append(more);
        Ok(all)
    };
    written.map(row).try_reduce(Batch::new, joined)
}
