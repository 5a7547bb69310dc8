//! Editions of crates.

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::NodeId;
use asof_query::Queries;

/// Whether a crate has an edition before 2021.
fn is_before_2021(snapshot: &Snapshot<'_>, root: NodeId) -> Result<bool, EngineError> {
    let crates = Queries::at(snapshot.store(), snapshot.at).crates()?;
    let krate = crates.iter().find(|krate| krate.root_id == root);
    Ok(krate.is_some_and(|krate| matches!(krate.edition.as_str(), "2015" | "2018")))
}

/// Whether a file is compiled in an edition before 2021.
pub(super) fn is_file_before_2021(
    snapshot: &Snapshot<'_>,
    file_path: &str,
) -> Result<bool, EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let modules: Vec<NodeId> =
        queries.file_modules(file_path)?.iter().map(|module| module.id).collect();
    for module in queries.describe(&modules)? {
        if is_before_2021(snapshot, module.root_id)? {
            return Ok(true);
        }
    }
    Ok(false)
}
