//! Packs texts for the store and unpacks them. A new one is whole. The one that it replaces, of an
//! earlier version of the same item or document, becomes a difference from it: versions of a
//! function differ in a few lines, those of a changelog in an entry, and texts took a quarter of a
//! full history of fd.
//!
//! Differences make chains, from old to new. A row counts how many lead to it, and a text that
//! [`MAX_STEPS`] lead to stays whole. A text is found by its hash, so a damaged chain is an error.

use std::collections::{BTreeMap, BTreeSet};

use zstd::bulk::{Compressor, Decompressor};

use super::error::IndexError;
use super::parse::{Packed, ZSTD_LEVEL, pack, text_columns, text_row};
use asof_model::TextHash;
use asof_query::StoredText;
use asof_store::{Batch, Params, Store, StoreError, Value};

/// Longer texts are refused: files of that size are not parsed.
const MAX_TEXT: usize = 64 << 20;
/// Differences that may lead to a text that is one itself. Longer chains come only from texts that
/// are written again.
const MAX_STEPS: u32 = 16;
/// A shorter frame stays as it is.
const FROM: usize = 96;

/// Puts texts into a batch, and those of which each is replaced by another as differences. A text
/// that is already stored in another form is put as it is given.
pub(super) fn write(
    store: &Store,
    texts: BTreeMap<TextHash, Packed>,
    replaced: BTreeMap<TextHash, TextHash>,
    batch: &mut Batch,
) -> Result<(), IndexError> {
    let whole = |(hash, len, source): Packed| {
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        StoredText { hash, len, base: None, steps: 0, source }
    };
    let mut rows: BTreeMap<TextHash, StoredText> =
        texts.into_iter().map(|(hash, text)| (hash, whole(text))).collect();
    let mut changed: BTreeSet<TextHash> = rows.keys().copied().collect();
    // A text that is also a new one stays whole. So a base never becomes a difference here, and no
    // chain leads back to where it began.
    let new: BTreeSet<TextHash> = replaced.values().copied().collect();
    let pairs: Vec<(TextHash, TextHash)> = replaced
        .into_iter()
        .filter(|(old, _)| !new.contains(old) && !rows.contains_key(old))
        .collect();
    let wanted: BTreeSet<TextHash> = pairs
        .iter()
        .flat_map(|(old, new)| [*old, *new])
        .filter(|hash| !rows.contains_key(hash))
        .collect();
    let wanted: Vec<TextHash> = wanted.into_iter().collect();
    for row in stored_texts(store, &wanted)? {
        rows.insert(row.hash, row);
    }
    for (old, new) in pairs {
        let Some((difference, steps)) = differing(&rows, old, new)? else { continue };
        if let Some(row) = rows.get_mut(&old) {
            (row.base, row.source) = (Some(new), difference);
        }
        if let Some(row) = rows.get_mut(&new) {
            row.steps = row.steps.max(steps);
        }
        changed.extend([old, new]);
    }
    for row in rows.into_values().filter(|row| changed.contains(&row.hash)) {
        batch.put("text", columns(row))?;
    }
    Ok(())
}

/// A text as a difference, and how many lead to its base then; `None` if it stays as it is.
fn differing(
    rows: &BTreeMap<TextHash, StoredText>,
    old: TextHash,
    new: TextHash,
) -> Result<Option<(Vec<u8>, u32)>, IndexError> {
    let (Some(old), Some(new)) = (rows.get(&old), rows.get(&new)) else { return Ok(None) };
    let steps = old.steps.saturating_add(1);
    if old.base.is_some() || new.base.is_some() || steps > MAX_STEPS || old.source.len() < FROM {
        return Ok(None);
    }
    let (text, base) = (decompress(old, None)?, decompress(new, None)?);
    let made = Compressor::with_dictionary(ZSTD_LEVEL, &base)
        .and_then(|mut compressor| compressor.compress(&text));
    // A document may begin as a dictionary of zstd does, and then it cannot be one.
    let made = made.ok().filter(|made| made.len() < old.source.len() / 4 * 3);
    Ok(made.map(|made| (made, steps)))
}

fn columns(row: StoredText) -> [Value; 5] {
    text_columns(row.hash, row.len.into(), row.base, row.steps, row.source)
}

/// Stored texts, each compared with its hash, by their hashes.
///
/// # Errors
/// One does not have its hash, or is a difference from one that is not stored.
pub fn unpack_texts(
    store: &Store,
    rows: Vec<StoredText>,
) -> Result<BTreeMap<TextHash, Vec<u8>>, IndexError> {
    let wanted: Vec<TextHash> = rows.iter().map(|row| row.hash).collect();
    let mut stored: BTreeMap<TextHash, StoredText> =
        rows.into_iter().map(|row| (row.hash, row)).collect();
    loop {
        let bases = stored.values().filter_map(|row| row.base);
        let missing: BTreeSet<TextHash> = bases.filter(|base| !stored.contains_key(base)).collect();
        if missing.is_empty() {
            break;
        }
        let missing: Vec<TextHash> = missing.into_iter().collect();
        let found = stored_texts(store, &missing)?;
        if found.len() < missing.len() {
            return Err(broken("one that another differs from is missing"));
        }
        stored.extend(found.into_iter().map(|row| (row.hash, row)));
    }
    let mut texts: BTreeMap<TextHash, Vec<u8>> = BTreeMap::new();
    for hash in &wanted {
        let mut chain: Vec<&StoredText> = Vec::new();
        let mut next = Some(*hash);
        while let Some(hash) = next.filter(|hash| !texts.contains_key(hash)) {
            let row = stored.get(&hash).ok_or_else(|| broken("one is missing"))?;
            if chain.len() > stored.len() {
                return Err(broken("one differs from itself"));
            }
            chain.push(row);
            next = row.base;
        }
        for row in chain.into_iter().rev() {
            let base = row.base.and_then(|base| texts.get(&base));
            let text = decompress(row, base.map(Vec::as_slice))?;
            texts.insert(row.hash, text);
        }
    }
    let wanted: BTreeSet<TextHash> = wanted.into_iter().collect();
    texts.retain(|hash, _| wanted.contains(hash));
    Ok(texts)
}

/// Puts stored texts that are differences into a batch as whole ones.
///
/// # Errors
/// As [`unpack_texts`], or a batch cannot have them.
pub fn make_whole(store: &Store, hashes: &[TextHash], batch: &mut Batch) -> Result<(), IndexError> {
    let rows = stored_texts(store, hashes)?;
    let steps: BTreeMap<TextHash, u32> = rows.iter().map(|row| (row.hash, row.steps)).collect();
    for (hash, text) in unpack_texts(store, rows)? {
        let (hash, len, source) = pack(hash, &text)?;
        let steps = steps.get(&hash).copied().ok_or_else(|| IndexError::State {
            what: "text",
            reason: format!("its hash is {hash}, and no row has that"),
        })?;
        batch.put("text", text_columns(hash, len as i64, None, steps, source))?;
    }
    Ok(())
}

/// Puts stored texts into the batch of another store, in the form in which a first index has them.
///
/// # Errors
/// As [`unpack_texts`], one is not stored, or a batch cannot have them.
pub(super) fn copy(
    store: &Store,
    hashes: &[TextHash],
    batch: &mut Batch,
) -> Result<(), IndexError> {
    let rows = stored_texts(store, hashes)?;
    if rows.len() != hashes.len() {
        return Err(broken("one is missing"));
    }
    let (whole, differing): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.base.is_none());
    for row in whole {
        batch.put("text", columns(StoredText { steps: 0, ..row }))?;
    }
    for (hash, text) in unpack_texts(store, differing)? {
        batch.put("text", text_row(pack(hash, &text)?))?;
    }
    Ok(())
}

fn stored_texts(store: &Store, hashes: &[TextHash]) -> Result<Vec<StoredText>, StoreError> {
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    let params = Params::new().with("hashes", Value::list(hashes.iter().copied()));
    asof_query::run(store, "history/texts", params)?.decode()
}

/// `base`: of a difference.
fn decompress(row: &StoredText, base: Option<&[u8]>) -> Result<Vec<u8>, IndexError> {
    let text = match base {
        None => zstd::bulk::decompress(&row.source, MAX_TEXT),
        Some(base) => Decompressor::with_dictionary(base)
            .and_then(|mut decompressor| decompressor.decompress(&row.source, MAX_TEXT)),
    };
    let text = text.map_err(|error| broken(&error.to_string()))?;
    if TextHash::hash(&text) == row.hash {
        Ok(text)
    } else {
        Err(broken("one does not have its hash"))
    }
}

fn broken(reason: &str) -> IndexError {
    IndexError::State { what: "text", reason: reason.to_owned() }
}
