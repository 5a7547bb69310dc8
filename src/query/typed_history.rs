//! What histories ask: versions, what revisions touched, texts by their addresses.

use serde_json::Value as Json;

use super::error::QueryError;
use super::typed::{Queries, Revision, rows};
use crate::model::{Micros, NodeId, NodeKind, ShapeHash, TextHash, TrackingHash};
use crate::store::{FromRow, Row, Store, StoreError, Value};

rows! {
    /// An item from a time on: asserted, or there no more.
    ItemVersion {
        id: NodeId,
        since: Micros,
        asserted: bool,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        module_id: NodeId,
        parent_id: Option<NodeId>,
        file_path: String,
        visibility: String,
        signature: String,
        docs: String,
        cfg: String,
        tracking_hash: TrackingHash,
        shape_hash: ShapeHash,
        attrs: Vec<Json>,
        text_hash: Option<TextHash>,
    }

    /// An item at a time.
    StateRow {
        id: NodeId,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        module_id: NodeId,
        parent_id: Option<NodeId>,
        file_path: String,
        visibility: String,
        signature: String,
        docs: String,
        cfg: String,
        tracking_hash: TrackingHash,
        shape_hash: ShapeHash,
        attrs: Vec<Json>,
        text_hash: Option<TextHash>,
    }

    /// What a revision touched.
    Changes {
        at: Micros,
        added: Vec<NodeId>,
        removed: Vec<NodeId>,
        changed: Vec<NodeId>,
    }

    /// What was judged of a revision; packed.
    StoredItemMatches {
        at: Micros,
        data: Vec<u8>,
    }

    /// A text; `source` is compressed.
    StoredText {
        hash: TextHash,
        source: Vec<u8>,
    }

    /// An item that had a path at some time.
    PastItem {
        id: NodeId,
        last: Micros,
        present: bool,
    }

    /// An item that had a name at some time.
    PastName {
        id: NodeId,
        last: Micros,
        present: bool,
        canonical_path: Option<String>,
    }

    /// A time.
    Moment {
        since: Micros,
    }
}

/// What a log is to hold.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    /// Not before.
    pub since: Option<Micros>,
    /// Not after.
    pub until: Option<Micros>,
    pub actor: Option<String>,
    pub cause: Option<String>,
}

fn times(times: &[Micros]) -> Value {
    Value::list(times.iter().copied())
}

impl Queries<'_> {
    /// Every version of items up to the time, the newest first.
    pub fn versions(&self, ids: &[NodeId]) -> Result<Vec<ItemVersion>, QueryError> {
        self.ask("history/versions", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// What items were at the time.
    pub fn states(&self, ids: &[NodeId]) -> Result<Vec<StateRow>, QueryError> {
        match ids {
            [] => Ok(Vec::new()),
            ids => self.ask("history/states", &[("ids", Value::list(ids.iter().copied()))]),
        }
    }

    /// What the revisions after one time and up to another touched, the oldest first.
    pub fn changes_between(
        store: &Store,
        from: Micros,
        to: Micros,
    ) -> Result<Vec<Changes>, QueryError> {
        let queries = Queries::at(store, to);
        queries.ask("history/changes", &[("from", from.into()), ("to", to.into())])
    }

    /// What revisions touched.
    pub fn changes_at(store: &Store, at: &[Micros]) -> Result<Vec<Changes>, QueryError> {
        Queries::at(store, Micros(0)).ask("history/changes_at", &[("times", times(at))])
    }

    /// What was judged of revisions by the rules of a version, by their times.
    pub fn item_matches_at(
        store: &Store,
        at: &[Micros],
        rules: i64,
    ) -> Result<Vec<StoredItemMatches>, QueryError> {
        let params = [("times", times(at)), ("rules", rules.into())];
        Queries::at(store, Micros(0)).ask("history/item_matches_at", &params)
    }

    /// Revisions by their times, the newest first.
    pub fn revisions_at(store: &Store, at: &[Micros]) -> Result<Vec<Revision>, QueryError> {
        match at {
            [] => Ok(Vec::new()),
            at => {
                Queries::at(store, Micros(0)).ask("history/revisions_at", &[("times", times(at))])
            }
        }
    }

    /// Texts by their addresses.
    pub fn texts_by_hash(
        store: &Store,
        hashes: &[TextHash],
    ) -> Result<Vec<StoredText>, QueryError> {
        let hashes = Value::list(hashes.iter().copied());
        Queries::at(store, Micros(0)).ask("history/texts", &[("hashes", hashes)])
    }

    /// Items that ever had this canonical path, the newest first.
    pub fn ever_at_path(&self, path: &str) -> Result<Vec<PastItem>, QueryError> {
        self.ask("history/at_path", &[("path", path.into())])
    }

    /// Items that ever had this name, the newest first.
    pub fn ever_of_name(&self, name: &str) -> Result<Vec<PastName>, QueryError> {
        self.ask("history/at_name", &[("name", name.into())])
    }

    /// Times at which files between two paths changed, the newest first.
    pub fn file_times(&self, from: &str, to: &str) -> Result<Vec<Micros>, QueryError> {
        let rows: Vec<Moment> =
            self.ask("history/of_files", &[("from", from.into()), ("to", to.into())])?;
        Ok(rows.into_iter().map(|row| row.since).collect())
    }

    /// Revisions, the newest first.
    pub fn log(&self, filter: &LogFilter, limit: i64) -> Result<Vec<Revision>, QueryError> {
        let given = [
            ("since", filter.since.unwrap_or(Micros(i64::MIN)).into()),
            ("until", filter.until.unwrap_or(Micros(i64::MAX)).min(self.time()).into()),
            ("actor", filter.actor.as_deref().into()),
            ("cause", filter.cause.as_deref().into()),
            ("limit", limit.into()),
        ];
        self.ask("history/log", &given)
    }
}
