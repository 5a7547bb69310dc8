//! The past: versions of items, differences, operations.

use asof::wire::{
    Blame, Diff, DiffRequest, History, HistoryRequest, Log, LogRequest, Merges, Spans, When,
};
use asof::{Refresh, Silent};
use schemars::JsonSchema;
use serde::Deserialize;

use super::target::Target;
use crate::http::endpoint::{DependsOn, Endpoint, Moment};
use crate::surface::problem::Problem;
use crate::surface::target::is_file;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment(
            "/api/history",
            "Versions of an item, across moves and renames",
            history,
        )
        .pages(50),
        Endpoint::at_moment("/api/diff", "Items that differ between two moments", diff)
            .pages(50)
            .depends_on(DependsOn::Moments(&["from"])),
        Endpoint::at_moment("/api/log", "Operations, newest first", log)
            .pages(50)
            .depends_on(DependsOn::Moments(&["since", "after", "until"])),
        Endpoint::at_moment("/api/blame", "The last change of each item of a file or item", blame)
            .pages(50)
            .depends_on(DependsOn::More),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
struct VersionsRequest {
    #[serde(flatten)]
    target: Target,
    /// Whether each version has its lines.
    #[serde(default)]
    spans: Spans,
    /// Whether merges are followed to the commits of their branches.
    #[serde(default)]
    merges: Merges,
    limit: Option<usize>,
}

fn history(moment: &Moment<'_>, request: VersionsRequest) -> Result<History, Problem> {
    let VersionsRequest { target: Target { item, id }, spans, merges, limit } = request;
    let request = HistoryRequest { item, id, limit, spans, merges };
    Ok(moment.snapshot.history(&request)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct BetweenRequest {
    /// The earlier moment; `at` is the later one.
    from: When,
    #[serde(flatten)]
    diff: DiffRequest,
}

fn diff(moment: &Moment<'_>, request: BetweenRequest) -> Result<Diff, Problem> {
    let (database, later) = (&moment.ask.database, moment.at);
    Ok(database.diff_between((&request.from, later), Refresh::Skip, &request.diff, &Silent)?)
}

fn log(moment: &Moment<'_>, request: LogRequest) -> Result<Log, Problem> {
    Ok(moment.snapshot.log(&request)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct BlameRequest {
    #[serde(flatten)]
    target: Target,
    /// Whether merges are followed to the commits of their branches.
    #[serde(default)]
    merges: Merges,
}

fn blame(moment: &Moment<'_>, request: BlameRequest) -> Result<Blame, Problem> {
    let BlameRequest { target, merges } = request;
    let snapshot = &moment.snapshot;
    let path = &target.item.path;
    match is_file(path) {
        true => Ok(snapshot.blame_file(path, merges)?),
        false => Ok(snapshot.blame_item(path, target.resolve(snapshot)?.one()?, merges)?),
    }
}
