//! Item matches of each revision: rows of `item_match`, written with the revision. A revision
//! without them, because it was large or matched by other rules, is matched here on demand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::versions::{Past, before, fetch, is_followed, pairs, states};
use crate::cache::MatchCache;
use crate::error::EngineError;
use asof_item_tracking::{
    ItemMatch, ItemMatches, ItemState, MATCH_RULES_VERSION, MatchKind, Matching, Rule, Steps, Texts,
};
use asof_model::{Micros, NodeId, TextHash};
use asof_query::{ItemVersion, MatchRow, Queries};
use asof_store::{Batch, Store, StoreError, WriteLock};

/// Old item, new item, and how they are related.
pub(crate) type MatchedIds = (NodeId, NodeId, MatchKind);

impl Past<'_> {
    /// Reads the versions of items under all their earlier ids, with the matches between them:
    /// three queries for any number of items.
    pub(crate) fn load(&mut self, ids: &[NodeId]) -> Result<(), EngineError> {
        let missing = ids.iter().filter(|id| !self.stored.tracked.contains(id)).copied();
        let missing: BTreeSet<NodeId> = missing.collect();
        if missing.is_empty() {
            return Ok(());
        }
        let asked: Vec<NodeId> = missing.iter().copied().collect();
        let rows = self.queries().track(&asked, MATCH_RULES_VERSION)?;
        let mut reached = missing;
        for row in rows {
            let (at, found) = (row.at, item_match(row)?);
            reached.insert(found.new);
            if found.kind.is_same_item() {
                reached.insert(found.old);
            }
            let into = self.stored.into.entry((found.new, at)).or_default();
            if !into.contains(&found) {
                into.push(found);
            }
        }
        let reached: Vec<NodeId> = reached.into_iter().collect();
        self.load_versions(&reached)?;
        let versions = reached.iter().filter_map(|id| self.loaded_versions(*id));
        let times: BTreeSet<Micros> = versions.flat_map(matched_times).collect();
        let times: Vec<Micros> = times.into_iter().collect();
        let unmatched = Queries::unmatched(self.store, &times, MATCH_RULES_VERSION)?;
        self.stored.unmatched.extend(unmatched);
        self.stored.tracked.extend(reached);
        Ok(())
    }

    /// The origin of an item that a revision added, and the items merged into it.
    pub(crate) fn matches_into(
        &mut self,
        new: NodeId,
        at: Micros,
    ) -> Result<Vec<ItemMatch>, EngineError> {
        self.load(&[new])?;
        if self.stored.unmatched.contains(&at) {
            return Ok(self.match_revision(at)?.into_item(new).copied().collect());
        }
        Ok(self.stored.into.get(&(new, at)).cloned().unwrap_or_default())
    }

    /// The successor of an item that a revision removed, if any.
    pub(crate) fn became(
        &mut self,
        old: NodeId,
        at: Micros,
    ) -> Result<Option<ItemMatch>, EngineError> {
        self.load(&[old])?;
        if self.stored.unmatched.contains(&at) {
            let matches = self.match_revision(at)?;
            let whole = |found: &&ItemMatch| found.old == old && found.kind != MatchKind::Split;
            return Ok(matches.iter().find(whole).copied());
        }
        if !self.stored.became.contains_key(&old) {
            let rows = self.queries().became(&[old], MATCH_RULES_VERSION)?.into_iter();
            let rows = rows.map(|row| Ok((row.at, item_match(row)?)));
            let rows = rows.collect::<Result<_, EngineError>>()?;
            self.stored.became.insert(old, rows);
        }
        let rows = self.stored.became.get(&old).into_iter().flatten();
        Ok(rows.filter(|(time, _)| *time == at).map(|(_, found)| *found).next())
    }

    /// The matches of the revisions after one time and up to another. `times` are those that added
    /// or removed items.
    pub(crate) fn matches_between(
        &self,
        from: Micros,
        to: Micros,
        times: &[Micros],
    ) -> Result<BTreeMap<Micros, Vec<MatchedIds>>, EngineError> {
        let mut found: BTreeMap<Micros, Vec<_>> = BTreeMap::new();
        for row in Queries::matches_between(self.store, from, to)? {
            found.entry(row.at).or_default().push((row.old, row.new, kind(&row.kind)?));
        }
        for at in Queries::unmatched(self.store, times, MATCH_RULES_VERSION)? {
            let matches = self.match_revision(at)?;
            found.insert(at, matches.iter().map(|m| (m.old, m.new, m.kind)).collect());
        }
        Ok(found)
    }

    /// Matches the items that a revision added and removed.
    fn match_revision(&self, at: Micros) -> Result<Arc<ItemMatches>, EngineError> {
        if let Some(known) = self.cache.get(at) {
            return Ok(known);
        }
        self.match_at(at, &self.edited_pairs(at)?)
    }

    /// The same, where an edit tells what became of some items: old, new.
    fn match_at(
        &self,
        at: Micros,
        told: &[(NodeId, NodeId)],
    ) -> Result<Arc<ItemMatches>, EngineError> {
        let Some(row) = Queries::changes_at(self.store, &[at])?.pop() else {
            // Everything is new in the first revision.
            return Ok(Arc::default());
        };
        let (then, now) = (Queries::at(self.store, before(at)), Queries::at(self.store, at));
        let followed = |queries: &Queries<'_>, ids: &[NodeId]| -> Result<Vec<_>, EngineError> {
            let mut items = states(queries, ids)?;
            items.retain(|item| is_followed(item.kind));
            Ok(items)
        };
        let (removed, added) = (followed(&then, &row.removed)?, followed(&now, &row.added)?);
        let changed = || Ok(pairs(states(&then, &row.changed)?, states(&now, &row.changed)?));
        let mut read = |hashes: &[TextHash]| fetch(self.store, hashes);
        let texts = &mut Texts::new(&mut read);
        let matches = ItemMatches::with_edited_pairs(&removed, &added, told, changed, texts)?;
        let matches = Arc::new(matches);
        self.cache.insert(at, &matches);
        Ok(matches)
    }

    /// What the edit that made a revision says of its items. It is a fact, whichever version of the
    /// rules has matched the others.
    fn edited_pairs(&self, at: Micros) -> Result<Vec<(NodeId, NodeId)>, EngineError> {
        let rows = Queries::matched_at(self.store, &[at])?.into_iter();
        let told = rows.filter(|row| row.reason == Rule::Edit.as_str());
        Ok(told.map(|row| (row.old, row.new)).collect())
    }

    /// Matches items that earlier steps removed with items that later ones added.
    pub(crate) fn match_across(
        &self,
        removed: &[ItemState],
        added: &[ItemState],
        steps: Steps<'_>,
    ) -> Result<Vec<ItemMatch>, EngineError> {
        let mut read = |hashes: &[TextHash]| fetch(self.store, hashes);
        let mut texts = Texts::new(&mut read);
        Ok(Matching::across(removed, added, steps, &mut texts)?.matches().collect())
    }
}

/// Times of versions with relevant matches: the item was added, was removed, or has another body.
fn matched_times(versions: &[ItemVersion]) -> impl Iterator<Item = Micros> {
    versions.iter().enumerate().filter_map(move |(number, version)| {
        let older = versions.get(number + 1).filter(|older| older.asserted);
        let same = older.is_some_and(|older| {
            older.shape_hash == version.shape_hash || older.text_hash == version.text_hash
        });
        (!version.asserted || !same).then_some(version.since)
    })
}

fn item_match(row: MatchRow) -> Result<ItemMatch, EngineError> {
    let rule = Rule::parse(&row.reason).ok_or_else(|| unknown("reason", &row.reason))?;
    let kind = kind(&row.kind)?;
    Ok(ItemMatch { old: row.old, new: row.new, kind, confidence: row.confidence, rule })
}

fn kind(text: &str) -> Result<MatchKind, EngineError> {
    MatchKind::parse(text).ok_or_else(|| unknown("kind", text))
}

fn unknown(column: &str, text: &str) -> EngineError {
    EngineError::State { what: "item_match", reason: format!("unknown {column} `{text}`") }
}

/// Rows of the matches of the items of a revision, so that later queries need not compute them. `told`:
/// what the edit that made it says, old and new. None for a revision that added and removed no items, or
/// more than `most`: it is matched on demand.
pub(crate) fn find_matches(
    store: &Store,
    at: Micros,
    most: usize,
    told: &[(NodeId, NodeId)],
) -> Result<Option<Batch>, EngineError> {
    let _span = tracing::debug_span!("matches").entered();
    let touched = Queries::changes_at(store, &[at])?.pop();
    let touched = touched.map_or(0, |row| row.added.len() + row.removed.len());
    if touched == 0 || touched > most && told.is_empty() {
        return Ok(None);
    }
    let cache = MatchCache::default();
    let matches = Past::new(store, at, None, &cache).match_at(at, told)?;
    let mut batch = Batch::new();
    batch.put("matched_revision", [at.into(), MATCH_RULES_VERSION.into()])?;
    for found in matches.iter() {
        put(&mut batch, at, found)?;
    }
    Ok(Some(batch))
}

/// Writes such rows.
pub(crate) fn commit_matches(
    lock: &WriteLock<'_>,
    matches: Option<Batch>,
) -> Result<(), EngineError> {
    match matches.map(|batch| lock.commit(batch)) {
        // The revision is written, and can be matched on demand.
        Some(Err(StoreError::Full { .. })) | None => Ok(()),
        Some(written) => Ok(written.map(drop)?),
    }
}

fn put(batch: &mut Batch, at: Micros, found: &ItemMatch) -> Result<(), StoreError> {
    let kind = found.kind.as_str();
    let (old, new) = (found.old.into(), found.new.into());
    let (confidence, reason) = (found.confidence.into(), found.rule.as_str().into());
    batch.put("item_match", [new, at.into(), old, kind.into(), confidence, reason])?;
    let (old, new) = (found.old.into(), found.new.into());
    batch.put("item_match_by_revision", [at.into(), old, new, kind.into()])
}
