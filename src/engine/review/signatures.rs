//! What became of the parameters of a function that is proven, as changes of its signature.

use std::collections::BTreeSet;

use super::pair::Pair;
use super::parameters::{NewLists, is_of_trait, written_head};
use super::sides::Sides;
use crate::error::EngineError;
use asof_refactor::Head;
use asof_wire::SignatureChange;

/// The changes, in the order in which they apply. None where a command would not make them: impls of
/// a trait change together, and a pattern has no name.
pub(super) fn signature_changes(
    sides: &mut Sides<'_>,
    lists: &NewLists,
    pair: &Pair,
) -> Result<Vec<SignatureChange>, EngineError> {
    if let Some(changes) = lists.changes(pair.new) {
        return Ok(changes);
    }
    let both = sides.both(pair)?;
    if is_of_trait(&mut sides.new, &both.new_item)? {
        return Ok(Vec::new());
    }
    let heads = both.old.file.zip(both.new.file).and_then(|(old, new)| {
        Some((written_head(&old, pair.old)?, written_head(&new, pair.new)?))
    });
    Ok(heads.and_then(|(old, new)| renames(&old, &new)).unwrap_or_default())
}

/// Parameters with other names. None if names change places: which one is renamed first decides then.
fn renames(old: &Head, new: &Head) -> Option<Vec<SignatureChange>> {
    let names = |head: &Head| -> Option<Vec<String>> {
        head.params.iter().map(|param| param.name.clone()).collect()
    };
    let (before, after) = (names(old)?, names(new)?);
    if before.len() != after.len() {
        return None;
    }
    let taken: BTreeSet<&String> = before.iter().collect();
    let differ: Vec<(&String, &String)> =
        before.iter().zip(&after).filter(|(was, is)| was != is).collect();
    let is_free = differ.iter().all(|(_, is)| !taken.contains(is));
    let rename = |(from, to): (&String, &String)| SignatureChange::Rename {
        from: from.clone(),
        to: to.clone(),
    };
    is_free.then(|| differ.into_iter().map(rename).collect())
}
