//! Names of a refresh's phases in progress reports of servers.

use asof_wire::Phase;

/// A phase in words.
pub fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Walk => "looking for files",
        Phase::Parse => "parsing",
        Phase::Resolve => "resolving names",
        Phase::Diff => "comparing with the database",
        Phase::Write => "writing the database",
        Phase::History => "importing commits",
        Phase::Embed => "embedding items",
        Phase::Copy => "copying a database",
        Phase::Verify => "comparing rows with files",
    }
}
