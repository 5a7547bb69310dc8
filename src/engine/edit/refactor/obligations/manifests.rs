//! Manifests of the workspace, and folders.

use std::collections::BTreeSet;

use crate::database::Snapshot;
use crate::edit::target::Halt;
use crate::error::EngineError;
use asof_query::Queries;

/// The manifests of the workspace.
pub(super) fn manifests(snapshot: &Snapshot<'_>) -> Result<BTreeSet<String>, Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let crates = queries.crates().map_err(EngineError::from)?;
    Ok(crates
        .into_iter()
        .map(|krate| krate.manifest_path)
        .filter(|path| !path.is_empty())
        .collect())
}
