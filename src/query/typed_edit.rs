//! What edits ask: proposals, and earlier versions that an edit was made for.

use super::error::QueryError;
use super::typed::{Described, Queries, rows};
use crate::model::{Micros, NodeId, NodeKind, RawHash, RevisionId, TrackingHash};
use crate::store::{FromRow, Row, Store, StoreError, Value};

rows! {
    /// A stored proposal; `plan` is compressed.
    ProposalRow {
        id: String,
        status: String,
        created: Micros,
        decided: Option<Micros>,
        actor: Option<String>,
        reason: Option<String>,
        basis: Option<RevisionId>,
        basis_at: Micros,
        revision: Option<RevisionId>,
        request: String,
        plan: Vec<u8>,
    }

    /// Where a module in a file of its own is declared.
    DeclaredAt {
        id: NodeId,
        file_path: String,
        start_byte: u32,
        end_byte: u32,
        start_line: u32,
        end_line: u32,
    }

    /// The start of a version.
    Since {
        since: Micros,
    }

    /// A restore.
    Restored {
        at: Micros,
    }
}

impl Queries<'_> {
    /// Proposals whose id begins so, the newest first, whatever the time.
    pub fn proposals_starting(store: &Store, prefix: &str) -> Result<Vec<ProposalRow>, QueryError> {
        Queries::at(store, Micros(0)).ask("edit/proposals", &[("prefix", prefix.into())])
    }

    /// Items of a kind directly in containers, by file and place.
    pub fn nameless(&self, ids: &[NodeId], kind: NodeKind) -> Result<Vec<Described>, QueryError> {
        let given = [("ids", Value::list(ids.iter().copied())), ("kind", kind.into())];
        self.ask("edit/nameless", &given)
    }

    /// Where modules in files of their own are declared.
    pub fn declared_at(&self, ids: &[NodeId]) -> Result<Vec<DeclaredAt>, QueryError> {
        self.ask("resolve/declared_at", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Times from which on a file had these bytes, the newest first.
    pub fn file_versions(&self, path: &str, hash: &RawHash) -> Result<Vec<Micros>, QueryError> {
        let given = [("file_path", path.into()), ("raw_hash", hash.as_str().into())];
        let rows: Vec<Since> = self.ask("edit/file_versions", &given)?;
        Ok(rows.into_iter().map(|row| row.since).collect())
    }

    /// Times from which on an item had this hash, the newest first.
    pub fn node_versions(
        &self,
        id: NodeId,
        hash: &TrackingHash,
    ) -> Result<Vec<Micros>, QueryError> {
        let given = [("id", id.into()), ("tracking_hash", hash.as_str().into())];
        let rows: Vec<Since> = self.ask("edit/node_versions", &given)?;
        Ok(rows.into_iter().map(|row| row.since).collect())
    }

    /// Restores of the database after a time.
    pub fn restored_after(store: &Store, after: Micros) -> Result<Vec<Micros>, QueryError> {
        let queries = Queries::at(store, Micros(0));
        let rows: Vec<Restored> = queries.ask("edit/restored_after", &[("after", after.into())])?;
        Ok(rows.into_iter().map(|row| row.at).collect())
    }
}
