//! Source of items, assembled from the database where the file on disk is another one.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_index::unpack_texts;
use asof_model::{NodeId, TextHash};
use asof_query::{Queries, StoredText, TextPart};
use asof_wire::{Answer, Item, Shown};

impl Snapshot<'_> {
    /// Source of these items at the snapshot's time, from the file on disk if that has the hash of
    /// the indexed one. Otherwise stored texts are put together; each is verified against its hash.
    pub fn show(&self, items: &[Item]) -> Result<Answer<Shown>, EngineError> {
        let started = Instant::now();
        let queries = Queries::at(self.store(), self.at);
        let mut shown = Vec::with_capacity(items.len());
        for item in items {
            let text = match &item.dependency {
                Some(of) => self.source_in_dependency(of, item)?,
                None => self.item_source(&queries, item)?,
            };
            shown.push(Shown { item: item.clone(), text });
        }
        Ok(self.answer(started, shown, None))
    }
}

impl Snapshot<'_> {
    /// Bytes of a file at the snapshot's time.
    pub(crate) fn file_bytes(
        &self,
        queries: &Queries<'_>,
        path: &str,
    ) -> Result<Vec<u8>, EngineError> {
        let module = queries.file_modules(path)?.into_iter().map(|m| m.id).min();
        let module =
            module.ok_or_else(|| broken(&format!("{path} is not the body of a module")))?;
        let parts = queries.texts(&[module])?;
        let texts = unpack(queries, parts.iter())?;
        assemble(&parts, &texts, module)
    }
}

/// Text of an item. For a field or variant, it is a part of the text of its type.
pub(crate) fn source(queries: &Queries<'_>, item: &Item) -> Result<String, EngineError> {
    let found = sources(queries, &[item.id])?.remove(&item.id);
    found.ok_or_else(|| broken("no text for the item"))
}

/// Texts of items. Those that do not exist at the time of the queries have none.
pub(crate) fn sources(
    queries: &Queries<'_>,
    ids: &[NodeId],
) -> Result<BTreeMap<NodeId, String>, EngineError> {
    let mut parts: BTreeMap<NodeId, Vec<TextPart>> = BTreeMap::new();
    let found = queries.texts(ids)?;
    let texts = unpack(queries, found.iter())?;
    for part in found {
        parts.entry(part.top_id).or_default().push(part);
    }
    let text = |parts: &[TextPart]| -> Result<String, EngineError> {
        let top = parts.iter().find(|part| part.parent_id.is_none());
        let top = top.ok_or_else(|| broken("no text for the item"))?;
        let bytes = assemble(parts, &texts, top.id)?;
        let slice = bytes.get(top.start_byte as usize..top.end_byte as usize);
        let slice = slice.ok_or_else(|| broken("a span past its text"))?;
        String::from_utf8(slice.to_vec()).map_err(|e| broken(&e.to_string()))
    };
    parts.into_iter().map(|(id, parts)| Ok((id, text(&parts)?))).collect()
}

fn broken(reason: &str) -> EngineError {
    EngineError::State { what: "text", reason: reason.to_owned() }
}

/// Puts the texts of children into the holes of their parents, innermost first.
fn assemble(
    parts: &[TextPart],
    texts: &BTreeMap<TextHash, Vec<u8>>,
    top: NodeId,
) -> Result<Vec<u8>, EngineError> {
    let mut children: BTreeMap<NodeId, Vec<&TextPart>> = BTreeMap::new();
    for part in parts.iter().filter(|p| p.text_hash.is_some()) {
        if let Some(parent) = part.parent_id {
            children.entry(parent).or_default().push(part);
        }
    }
    let part = parts.iter().find(|p| p.id == top).ok_or_else(|| broken("no text"))?;
    // The parser bounds the nesting.
    fill(part, texts, &mut children, 0)
}

fn fill(
    part: &TextPart,
    texts: &BTreeMap<TextHash, Vec<u8>>,
    children: &mut BTreeMap<NodeId, Vec<&TextPart>>,
    depth: usize,
) -> Result<Vec<u8>, EngineError> {
    if depth > 4096 {
        return Err(broken("items that contain each other"));
    }
    let own = part.text_hash.and_then(|hash| texts.get(&hash));
    let own = own.ok_or_else(|| broken("a text that is not stored"))?;
    let mut inside = children.remove(&part.id).unwrap_or_default();
    inside.sort_by_key(|p| p.start_byte);
    let mut out = Vec::with_capacity(part.end_byte.saturating_sub(part.start_byte) as usize);
    let mut taken = 0;
    let mut last_start = None;
    for child in inside {
        // Further files of one declaration are in the same place.
        if last_start == Some(child.start_byte) {
            continue;
        }
        last_start = Some(child.start_byte);
        let gap = (child.start_byte as usize).checked_sub(out.len());
        let gap = gap.ok_or_else(|| broken("children that overlap"))?;
        let before = own.get(taken..taken + gap).ok_or_else(|| broken("a hole past the text"))?;
        out.extend_from_slice(before);
        taken += gap;
        out.append(&mut fill(child, texts, children, depth + 1)?);
    }
    out.extend_from_slice(own.get(taken..).ok_or_else(|| broken("a hole past the text"))?);
    Ok(out)
}

/// The texts of parts, by their hashes.
fn unpack<'p>(
    queries: &Queries<'_>,
    parts: impl Iterator<Item = &'p TextPart>,
) -> Result<BTreeMap<TextHash, Vec<u8>>, EngineError> {
    let stored = parts.filter_map(|part| {
        let (hash, source) = (part.text_hash?, part.source.clone()?);
        Some(StoredText { hash, len: 0, base: part.base, steps: 0, source })
    });
    Ok(unpack_texts(queries.store(), stored.collect())?)
}
