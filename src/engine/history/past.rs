//! What is asked of the past, and kept while one question is answered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use crate::engine::error::EngineError;
use crate::item_tracking::{
    ItemMatch, ItemMatches, ItemState, MATCH_RULES_VERSION, Matching, Steps, Texts, holds_code,
};
use crate::model::{Micros, NodeId, NodeKind, TextHash};
use crate::query::{self, ItemVersion, Queries, Revision, StateRow};
use crate::store::{Batch, Params, Store, StoreError, Value, WriteLock};
use crate::wire::Event;

/// A text longer than this is refused: no file of that size is parsed.
const MAX_TEXT: usize = 64 << 20;

impl Event {
    /// The revision for what was there already when it was made: neither its author nor its
    /// commit says anything of that.
    pub(super) fn of_start(self) -> Self {
        Self { actor: None, message: None, commit: None, ..self }
    }
}

impl From<Revision> for Event {
    fn from(revision: Revision) -> Self {
        Self {
            id: revision.id,
            at: revision.at.to_string(),
            cause: revision.cause,
            actor: revision.actor,
            message: revision.message,
            commit: revision.commit,
            time: revision.at,
        }
    }
}

/// MatchCache that were told before, by revision. What a revision did never changes.
#[derive(Debug, Default)]
pub(in crate::engine) struct MatchCache(Mutex<BTreeMap<Micros, Arc<ItemMatches>>>);

impl MatchCache {
    /// MatchCache that are kept.
    const MAX: usize = 4_096;

    fn get(&self, at: Micros) -> Option<Arc<ItemMatches>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&at).cloned()
    }

    fn keep(&self, at: Micros, item_matches: &Arc<ItemMatches>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= Self::MAX {
            kept.clear();
        }
        kept.insert(at, Arc::clone(item_matches));
    }
}

/// The past up to one moment.
pub(super) struct Past<'a> {
    store: &'a Store,
    at: Micros,
    /// Time before which versions were dropped, if any were.
    floor: Option<Micros>,
    item_matches: &'a MatchCache,
    versions: BTreeMap<NodeId, Vec<ItemVersion>>,
    texts: BTreeMap<TextHash, Option<String>>,
    events: BTreeMap<Micros, Event>,
    /// Time of the revision with which the history begins, once it was asked for.
    start: Option<Option<Micros>>,
}

impl<'a> Past<'a> {
    pub(super) fn new(
        store: &'a Store,
        at: Micros,
        floor: Option<Micros>,
        item_matches: &'a MatchCache,
    ) -> Self {
        Self {
            store,
            at,
            floor,
            item_matches,
            versions: BTreeMap::new(),
            texts: BTreeMap::new(),
            events: BTreeMap::new(),
            start: None,
        }
    }

    /// Whether the history begins with this revision, and what it holds may be older.
    pub(super) fn is_start(&mut self, at: Micros) -> Result<bool, EngineError> {
        let start = match self.start {
            Some(start) => start,
            None => *self.start.insert(Queries::history_start(self.store)?),
        };
        Ok(start == Some(at))
    }

    pub(super) fn queries(&self) -> Queries<'a> {
        Queries::at(self.store, self.at)
    }

    /// The past up to another moment.
    pub(super) fn queries_at(&self, at: Micros) -> Queries<'a> {
        Queries::at(self.store, at)
    }

    /// Whether a version of this time is the oldest that can be asked about: what was before it
    /// is not known.
    pub(super) fn is_oldest_kept(&self, since: Micros) -> bool {
        self.floor.is_some_and(|floor| since <= floor)
    }

    /// Whether two versions of an item differ in no column, those that are never shown included.
    pub(super) fn same_row(
        &self,
        id: NodeId,
        (one, other): (Micros, Micros),
    ) -> Result<bool, EngineError> {
        let params = Params::new().with("id", id).with("times", Value::list([one, other]));
        let rows = query::run(self.store, "history/unlisted", params)?;
        let mut cells = Vec::new();
        for row in rows.iter() {
            for column in ["generics", "params", "header"] {
                cells.push(row.get::<Value>(column)?);
            }
        }
        let (first, second) = cells.split_at(cells.len() / 2);
        Ok(first == second)
    }

    /// What revisions removed that has a body or list of its own, as it was last; those that
    /// removed none are left out.
    pub(super) fn removed_code(
        &mut self,
        times: &[Micros],
    ) -> Result<BTreeMap<Micros, Vec<ItemState>>, EngineError> {
        if times.is_empty() {
            return Ok(BTreeMap::new());
        }
        let rows = Queries::changes_at(self.store, times)?;
        let ids: Vec<NodeId> = rows.iter().flat_map(|row| &row.removed).copied().collect();
        self.load_versions(&ids)?;
        let mut found: BTreeMap<Micros, Vec<ItemState>> = BTreeMap::new();
        for row in rows {
            let ends = row.removed.iter().filter_map(|id| {
                let versions = self.versions.get(id)?;
                versions.iter().find(|version| version.since == row.at && !version.asserted)
            });
            let ends = ends.cloned().map(ItemState::from).filter(holds_code);
            let ends: Vec<ItemState> = ends.collect();
            if !ends.is_empty() {
                found.insert(row.at, ends);
            }
        }
        Ok(found)
    }

    /// Reads the versions of items at once.
    pub(super) fn load_versions(&mut self, ids: &[NodeId]) -> Result<(), EngineError> {
        let missing: BTreeSet<NodeId> =
            ids.iter().filter(|id| !self.versions.contains_key(id)).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing: Vec<NodeId> = missing.into_iter().collect();
        let rows = self.queries().versions(&missing)?;
        self.versions.extend(missing.into_iter().map(|id| (id, Vec::new())));
        for row in rows {
            self.versions.entry(row.id).or_default().push(row);
        }
        Ok(())
    }

    /// Versions of an item before a time, the newest first.
    pub(super) fn versions(
        &mut self,
        id: NodeId,
        before: Micros,
    ) -> Result<Vec<ItemVersion>, EngineError> {
        self.load_versions(&[id])?;
        let versions = self.versions.get(&id).into_iter().flatten();
        Ok(versions.filter(|version| version.since < before).cloned().collect())
    }

    /// Times of all versions of items that were read.
    pub(super) fn times_of(&self, ids: &[NodeId]) -> Vec<Micros> {
        let versions = ids.iter().filter_map(|id| self.versions.get(id)).flatten();
        versions.map(|version| version.since).collect()
    }

    /// Reads revisions at once.
    pub(super) fn load_events(&mut self, times: &[Micros]) -> Result<(), EngineError> {
        let missing: Vec<Micros> =
            times.iter().filter(|at| !self.events.contains_key(at)).copied().collect();
        for revision in Queries::revisions_at(self.store, &missing)? {
            self.events.insert(revision.at, revision.into());
        }
        Ok(())
    }

    /// The revision of a time.
    pub(super) fn event(&mut self, at: Micros) -> Result<Event, EngineError> {
        self.load_events(&[at])?;
        self.events.get(&at).cloned().ok_or_else(|| EngineError::State {
            what: "revision",
            reason: format!("rows of {at} have none"),
        })
    }

    /// Reads texts at once.
    pub(super) fn load_texts(
        &mut self,
        wanted: impl IntoIterator<Item = TextHash>,
    ) -> Result<(), EngineError> {
        let missing: BTreeSet<TextHash> =
            wanted.into_iter().filter(|hash| !self.texts.contains_key(hash)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing: Vec<TextHash> = missing.into_iter().collect();
        let found = fetch(self.store, &missing)?;
        self.texts.extend(missing.into_iter().map(|hash| (hash, None)));
        self.texts.extend(found.into_iter().map(|(hash, text)| (hash, Some(text))));
        Ok(())
    }

    /// A text that was loaded.
    pub(super) fn text(&self, hash: &TextHash) -> Option<&str> {
        self.texts.get(hash)?.as_deref()
    }

    /// Reads what was judged of revisions when they were written, at once.
    pub(super) fn load_item_matches(&self, times: &[Micros]) -> Result<(), EngineError> {
        let missing = |at: &Micros| self.item_matches.get(*at).is_none();
        let missing: BTreeSet<Micros> = times.iter().copied().filter(missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing: Vec<Micros> = missing.into_iter().collect();
        for row in Queries::item_matches_at(self.store, &missing, MATCH_RULES_VERSION)? {
            // One that cannot be read is judged anew.
            if let Ok(item_matches) = ItemMatches::from_bytes(&row.data) {
                self.item_matches.keep(row.at, &Arc::new(item_matches));
            }
        }
        Ok(())
    }

    /// What became of the items that a revision touched, if it is at hand.
    pub(super) fn known_item_matches(&self, at: Micros) -> Option<Arc<ItemMatches>> {
        self.item_matches.get(at)
    }

    /// What became of the items that a revision touched.
    pub(super) fn item_matches(&self, at: Micros) -> Result<Arc<ItemMatches>, EngineError> {
        self.load_item_matches(&[at])?;
        if let Some(known) = self.item_matches.get(at) {
            return Ok(known);
        }
        let Some(row) = Queries::changes_at(self.store, &[at])?.pop() else {
            // Not kept: the first revision has a row once older commits are imported.
            return Ok(Arc::default());
        };
        let (then, now) = (Queries::at(self.store, before(at)), Queries::at(self.store, at));
        let removed = states(&then, &row.removed)?;
        let added = states(&now, &row.added)?;
        let item_matches = Arc::new(self.judge(&removed, &added, || {
            Ok(pairs(states(&then, &row.changed)?, states(&now, &row.changed)?))
        })?);
        self.item_matches.keep(at, &item_matches);
        Ok(item_matches)
    }

    /// What became of items between two states.
    pub(super) fn judge(
        &self,
        removed: &[ItemState],
        added: &[ItemState],
        changed: impl FnOnce() -> Result<Vec<(ItemState, ItemState)>, EngineError>,
    ) -> Result<ItemMatches, EngineError> {
        let followed = |items: &[ItemState]| -> Vec<ItemState> {
            items.iter().filter(|item| is_followed(item.kind)).cloned().collect()
        };
        let mut read = |hashes: &[TextHash]| fetch(self.store, hashes);
        let mut texts = Texts::new(&mut read);
        ItemMatches::of(&followed(removed), &followed(added), changed, &mut texts)
    }

    /// Which of these items that one step removed are those that a later one added: by the id
    /// of the added one.
    pub(super) fn judge_ends(
        &self,
        removed: &[ItemState],
        added: &[ItemState],
        steps: Steps<'_>,
    ) -> Result<Vec<(NodeId, ItemMatch)>, EngineError> {
        let mut read = |hashes: &[TextHash]| fetch(self.store, hashes);
        let mut texts = Texts::new(&mut read);
        Ok(Matching::across(removed, added, steps, &mut texts)?.origins().collect())
    }

    /// Whether an item is followed across paths.
    pub(super) fn follows(item: &ItemState) -> bool {
        is_followed(item.kind)
    }
}

/// Judges what a revision that was just written did with its items, and keeps that, so that
/// nobody who asks for an item's history waits for it. One that touched more than `most` items
/// is left for who asks.
pub(in crate::engine) fn keep_judgement(
    store: &Store,
    lock: &WriteLock<'_>,
    at: Micros,
    most: usize,
) -> Result<(), EngineError> {
    let touched = Queries::changes_at(store, &[at])?.pop();
    let Some(touched) = touched.map(|row| row.added.len() + row.removed.len()) else {
        return Ok(());
    };
    if touched == 0 || touched > most {
        return Ok(());
    }
    let item_matches = MatchCache::default();
    let item_matches = Past::new(store, at, None, &item_matches).item_matches(at)?;
    let data = item_matches
        .to_bytes()
        .map_err(|error| EngineError::State { what: "item_match", reason: error.to_string() })?;
    let mut batch = Batch::new();
    batch.put("item_match", [at.into(), MATCH_RULES_VERSION.into(), Value::Bytes(data)])?;
    match lock.commit(batch) {
        // The revision is written, and can be judged when somebody asks.
        Err(StoreError::Full { .. }) => Ok(()),
        other => other.map(drop).map_err(EngineError::from),
    }
}

/// The moment before a revision.
pub(super) fn before(at: Micros) -> Micros {
    Micros(at.0.saturating_sub(1))
}

/// Whether an item is followed across paths: `use` declarations and the like come and go with
/// what needs them.
fn is_followed(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Import | NodeKind::ExternCrate | NodeKind::Unknown)
}

/// What items were at a time.
pub(super) fn states(queries: &Queries<'_>, ids: &[NodeId]) -> Result<Vec<ItemState>, EngineError> {
    Ok(queries.states(ids)?.into_iter().map(ItemState::from).collect())
}

/// Old and new of those that are on both sides.
pub(super) fn pairs(old: Vec<ItemState>, new: Vec<ItemState>) -> Vec<(ItemState, ItemState)> {
    let mut new: BTreeMap<NodeId, ItemState> = new.into_iter().map(|i| (i.id, i)).collect();
    old.into_iter().filter_map(|old| new.remove(&old.id).map(|new| (old, new))).collect()
}

/// Texts by their addresses, unpacked and checked.
fn fetch(store: &Store, hashes: &[TextHash]) -> Result<Vec<(TextHash, String)>, EngineError> {
    let broken = |reason: String| EngineError::State { what: "text", reason };
    let mut found = Vec::with_capacity(hashes.len());
    for row in Queries::texts_by_hash(store, hashes)? {
        let bytes = zstd::bulk::decompress(&row.source, MAX_TEXT);
        let bytes = bytes.map_err(|e| broken(e.to_string()))?;
        if TextHash::of(&bytes) != row.hash {
            return Err(broken("a text that is not what its hash says".to_owned()));
        }
        found.push((row.hash, String::from_utf8_lossy(&bytes).into_owned()));
    }
    Ok(found)
}

fn attrs(rows: &[Json]) -> Vec<String> {
    let text = |row: &Json| row.get(1).and_then(Json::as_str).map(str::to_owned);
    rows.iter().filter_map(text).collect()
}

/// The columns that versions and states share.
macro_rules! state_of {
    ($row:ident) => {
        ItemState {
            id: $row.id,
            kind: $row.kind,
            attrs: attrs(&$row.attrs),
            name: $row.name,
            canonical_path: $row.canonical_path,
            module_id: $row.module_id,
            parent_id: $row.parent_id,
            file_path: $row.file_path,
            visibility: $row.visibility,
            signature: $row.signature,
            docs: $row.docs,
            cfg: $row.cfg,
            tracking_hash: $row.tracking_hash,
            shape_hash: $row.shape_hash,
            text_hash: $row.text_hash,
        }
    };
}

impl From<StateRow> for ItemState {
    fn from(row: StateRow) -> Self {
        state_of!(row)
    }
}

impl From<ItemVersion> for ItemState {
    fn from(row: ItemVersion) -> Self {
        state_of!(row)
    }
}
