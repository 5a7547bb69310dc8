//! Versions, texts and revisions, read once per question.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::cache::MatchCache;
use crate::error::EngineError;
use asof_index::unpack_texts;
use asof_item_tracking::{ItemMatch, ItemState};
use asof_model::{Micros, NodeId, NodeKind, TextHash};
use asof_query::{ItemVersion, Queries};
use asof_store::{Params, Store, Value};
use asof_wire::Event;

/// The stored matches read for one query.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// Ids whose matches were read.
    pub tracked: BTreeSet<NodeId>,
    /// By the new item and the revision.
    pub into: BTreeMap<(NodeId, Micros), Vec<ItemMatch>>,
    /// By the removed item.
    pub became: BTreeMap<NodeId, Vec<(Micros, ItemMatch)>>,
    /// Revisions without rows.
    pub unmatched: BTreeSet<Micros>,
}

/// The past up to one moment.
pub(crate) struct Past<'a> {
    pub(super) store: &'a Store,
    at: Micros,
    /// Time before which versions were dropped, if any were.
    floor: Option<Micros>,
    pub(super) cache: &'a MatchCache,
    pub(super) stored: Stored,
    versions: BTreeMap<NodeId, Vec<ItemVersion>>,
    texts: BTreeMap<TextHash, Option<String>>,
    events: BTreeMap<Micros, Event>,
    /// Time of the first revision of the history, once read.
    start: Option<Option<Micros>>,
}

impl<'a> Past<'a> {
    pub(crate) fn new(
        store: &'a Store,
        at: Micros,
        floor: Option<Micros>,
        cache: &'a MatchCache,
    ) -> Self {
        Self {
            store,
            at,
            floor,
            cache,
            stored: Stored::default(),
            versions: BTreeMap::new(),
            texts: BTreeMap::new(),
            events: BTreeMap::new(),
            start: None,
        }
    }

    /// Whether the history begins with this revision, so that its items may be older.
    pub(crate) fn is_start(&mut self, at: Micros) -> Result<bool, EngineError> {
        let start = match self.start {
            Some(start) => start,
            None => *self.start.insert(Queries::history_start(self.store)?),
        };
        Ok(start == Some(at))
    }

    pub(crate) fn queries(&self) -> Queries<'a> {
        Queries::at(self.store, self.at)
    }

    /// The past up to another moment.
    pub(crate) fn queries_at(&self, at: Micros) -> Queries<'a> {
        Queries::at(self.store, at)
    }

    /// Whether a version of this time is the oldest one kept: the one before it is unknown.
    pub(crate) fn is_oldest_kept(&self, since: Micros) -> bool {
        self.floor.is_some_and(|floor| since <= floor)
    }

    /// Whether two versions of an item are equal in the columns that `ItemVersion` leaves out.
    pub(crate) fn same_row(
        &self,
        id: NodeId,
        one: Micros,
        other: Micros,
    ) -> Result<bool, EngineError> {
        let params = Params::new().with("id", id).with("times", Value::list([one, other]));
        let rows = asof_query::run(self.store, "history/unlisted", params)?;
        let mut cells = Vec::new();
        for row in rows.iter() {
            for column in ["generics", "params", "header"] {
                cells.push(row.get::<Value>(column)?);
            }
        }
        let (first, second) = cells.split_at(cells.len() / 2);
        Ok(first == second)
    }

    /// Reads the versions of items in one query.
    pub(crate) fn load_versions(&mut self, ids: &[NodeId]) -> Result<(), EngineError> {
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

    /// Versions of an item before a time, newest first.
    pub(crate) fn versions(
        &mut self,
        id: NodeId,
        before: Micros,
    ) -> Result<Vec<ItemVersion>, EngineError> {
        self.load_versions(&[id])?;
        let versions = self.versions.get(&id).into_iter().flatten();
        Ok(versions.filter(|version| version.since < before).cloned().collect())
    }

    /// Versions read so far, newest first.
    pub(super) fn loaded_versions(&self, id: NodeId) -> Option<&[ItemVersion]> {
        self.versions.get(&id).map(Vec::as_slice)
    }

    /// Reads revisions in one query.
    pub(crate) fn load_events(&mut self, times: &[Micros]) -> Result<(), EngineError> {
        let missing: Vec<Micros> =
            times.iter().filter(|at| !self.events.contains_key(at)).copied().collect();
        for revision in Queries::revisions_at(self.store, &missing)? {
            self.events.insert(revision.at, revision.into());
        }
        Ok(())
    }

    /// Whether one of the revisions read so far is a Git commit.
    pub(crate) fn has_commits(&self) -> bool {
        self.events.values().any(|event| event.commit.is_some())
    }

    /// The revision of a time.
    pub(crate) fn event(&mut self, at: Micros) -> Result<Event, EngineError> {
        self.load_events(&[at])?;
        self.events.get(&at).cloned().ok_or_else(|| EngineError::State {
            what: "revision",
            reason: format!("there are rows of {at} and no revision"),
        })
    }

    /// Reads texts in one query.
    pub(crate) fn load_texts(
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
    pub(crate) fn text(&self, hash: &TextHash) -> Option<&str> {
        self.texts.get(hash)?.as_deref()
    }

    /// Whether an item is followed across paths.
    pub(crate) fn follows(item: &ItemState) -> bool {
        is_followed(item.kind)
    }
}

/// The moment before a revision.
pub(crate) fn before(at: Micros) -> Micros {
    Micros(at.0.saturating_sub(1))
}

/// Whether an item is followed across paths. `use` declarations and the like are not: they come and
/// go with the code that needs them.
pub(crate) fn is_followed(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Import | NodeKind::ExternCrate | NodeKind::Unknown)
}

/// States of items at a time.
pub(crate) fn states(queries: &Queries<'_>, ids: &[NodeId]) -> Result<Vec<ItemState>, EngineError> {
    Ok(queries.states(ids)?.into_iter().map(item_state).collect())
}

/// Old and new state of the items on both sides.
pub(crate) fn pairs(old: Vec<ItemState>, new: Vec<ItemState>) -> Vec<(ItemState, ItemState)> {
    let mut new: BTreeMap<NodeId, ItemState> = new.into_iter().map(|i| (i.id, i)).collect();
    old.into_iter().filter_map(|old| new.remove(&old.id).map(|new| (old, new))).collect()
}

/// Texts by their hashes, unpacked and verified.
pub(crate) fn fetch(
    store: &Store,
    hashes: &[TextHash],
) -> Result<Vec<(TextHash, String)>, EngineError> {
    let texts = unpack_texts(store, Queries::texts_by_hash(store, hashes)?)?;
    let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    Ok(texts.into_iter().map(|(hash, bytes)| (hash, text(bytes))).collect())
}

fn attrs(rows: &[Json]) -> Vec<String> {
    let text = |row: &Json| row.get(1).and_then(Json::as_str).map(str::to_owned);
    rows.iter().filter_map(text).collect()
}

/// A version of an item, as it is compared with another.
pub(crate) fn item_state(row: ItemVersion) -> ItemState {
    ItemState {
        id: row.id,
        kind: row.kind,
        attrs: attrs(&row.attrs),
        name: row.name,
        canonical_path: row.canonical_path,
        module_id: row.module_id,
        parent_id: row.parent_id,
        file_path: row.file_path,
        visibility: row.visibility,
        signature: row.signature,
        docs: row.docs,
        cfg: row.cfg,
        tracking_hash: row.tracking_hash,
        shape_hash: row.shape_hash,
        text_hash: row.text_hash,
    }
}
