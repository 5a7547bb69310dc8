//! Indexes in the form of SCIP: writes one of a workspace, imports those of other tools, and tells
//! where they disagree with our references. It never takes their word for an answer of its own.

mod compare;
mod diff;
mod export;
mod import;
mod ours;
mod theirs;

use crate::model::NodeId;
use crate::store::Value;

/// The key of a row of `scip_use`.
fn use_key(target: NodeId, path: &str, raw_hash: &str, tool: &str) -> [Value; 4] {
    [target.into(), path.into(), raw_hash.into(), tool.into()]
}

/// Keys of uses in some files of indexes, each given by path, hash and tool.
type FileKey = (String, String, String);
