//! Rows of imported indexes, and their removal: they leave with the texts that they are about.

use std::collections::BTreeSet;

use super::handle::Database;
use crate::error::EngineError;
use asof_model::NodeId;
use asof_query::Queries;
use asof_store::{Batch, Value};

/// Keys of uses in some files of indexes, each given by path, hash and tool.
pub(crate) type FileKey = (String, String, String);

/// The key of a row of `scip_use`.
pub(crate) fn use_key(target: NodeId, path: &str, raw_hash: &str, tool: &str) -> [Value; 4] {
    [target.into(), path.into(), raw_hash.into(), tool.into()]
}

impl Database {
    /// Removes what indexes say of texts that no version of their file has.
    pub(super) fn remove_gone_scip(&self, batch: &mut Batch) -> Result<usize, EngineError> {
        let gone = Queries::scip_gone(&self.store)?;
        let keys: BTreeSet<FileKey> =
            gone.into_iter().map(|row| (row.path, row.raw_hash.to_string(), row.tool)).collect();
        if !keys.is_empty() {
            self.remove_scip(batch, &keys)?;
        }
        Ok(keys.len())
    }

    pub(crate) fn remove_scip(
        &self,
        batch: &mut Batch,
        keys: &BTreeSet<FileKey>,
    ) -> Result<(), EngineError> {
        for (path, raw_hash, tool) in keys {
            let key: [Value; 3] =
                [path.as_str().into(), raw_hash.as_str().into(), tool.as_str().into()];
            batch.remove("scip_file", key)?;
        }
        self.remove_scip_uses(batch, keys)
    }

    pub(crate) fn remove_scip_uses(
        &self,
        batch: &mut Batch,
        keys: &BTreeSet<FileKey>,
    ) -> Result<(), EngineError> {
        for row in Queries::scip_keys(&self.store)? {
            let key = (row.path, row.raw_hash.to_string(), row.tool);
            if keys.contains(&key) {
                let (path, raw_hash, tool) = &key;
                batch.remove("scip_use", use_key(row.target, path, raw_hash, tool))?;
            }
        }
        Ok(())
    }
}
