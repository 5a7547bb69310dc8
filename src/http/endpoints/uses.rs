//! Who uses an item, and what it uses.

use asof::wire::{
    CallsResult, ChangeImpact, DEFAULT_DEPTH, Direction, ImpactResult, LineageRequest,
    LineageResult, PathRequest, PathResult, ResolveRequest, UseRequest, WhereUsedResult,
};
use asof::{Refresh, Silent, When};
use schemars::JsonSchema;
use serde::Deserialize;

use super::target::Target;
use crate::http::endpoint::{Ask, Endpoint, Moment};
use crate::http::hint;
use crate::surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment("/api/refs", "Places that use an item", refs).pages(50),
        Endpoint::at_moment("/api/callers", "What calls an item", callers).pages(50),
        Endpoint::at_moment("/api/callees", "What an item calls", callees).pages(50),
        Endpoint::at_moment("/api/path", "How one item reaches another", path).pages(1),
        Endpoint::at_moment(
            "/api/lineage",
            "What depends on an item, or what it depends on, transitively",
            lineage,
        )
        .pages(50),
        Endpoint::at_moment("/api/impact", "What a change of an item may affect", impact).pages(50),
        Endpoint::of_database(
            "/api/impact/diff",
            "What a difference affects, and which tests to run",
            change_impact,
        )
        .pages(50),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
struct RefsRequest {
    #[serde(flatten)]
    target: Target,
    /// Of all matches instead of an error if there are several.
    #[serde(default)]
    all: bool,
    /// Unresolved uses of the bare name instead; they may or may not mean this item.
    #[serde(default)]
    unresolved: bool,
    #[serde(flatten)]
    uses: UseRequest,
}

fn refs(moment: &Moment<'_>, request: RefsRequest) -> Result<WhereUsedResult, Problem> {
    let snapshot = &moment.snapshot;
    let symbols = request.target.symbols(snapshot, request.all)?;
    let mut found = match request.unresolved {
        true => snapshot.unresolved_uses(&symbols, &request.uses)?,
        false => snapshot.where_used(&symbols, &request.uses)?,
    };
    hint::explain(&mut found.certainty);
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct CallsRequest {
    #[serde(flatten)]
    target: Target,
    /// Of all matches instead of an error if there are several.
    #[serde(default)]
    all: bool,
    /// Calls to follow at most.
    #[serde(default = "one")]
    depth: u32,
    #[serde(flatten)]
    uses: UseRequest,
}

fn one() -> u32 {
    1
}

fn callers(moment: &Moment<'_>, request: CallsRequest) -> Result<CallsResult, Problem> {
    calls(moment, &request, Direction::Callers)
}

fn callees(moment: &Moment<'_>, request: CallsRequest) -> Result<CallsResult, Problem> {
    calls(moment, &request, Direction::Callees)
}

fn calls(
    moment: &Moment<'_>,
    request: &CallsRequest,
    direction: Direction,
) -> Result<CallsResult, Problem> {
    let snapshot = &moment.snapshot;
    let symbols = request.target.symbols(snapshot, request.all)?;
    let mut found = snapshot.calls(&symbols, direction, request.depth, &request.uses)?;
    if let Some(known) = &mut found.certainty {
        hint::explain(known);
    }
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct PathsRequest {
    /// Path of the item to start from.
    from: String,
    /// Path of the item to reach, possibly of another crate: `std::fs::read`.
    to: String,
    #[serde(flatten)]
    paths: PathRequest,
}

fn path(moment: &Moment<'_>, request: PathsRequest) -> Result<PathResult, Problem> {
    let snapshot = &moment.snapshot;
    let from = snapshot.symbols(&ResolveRequest::new(&request.from))?;
    let to = snapshot.symbols(&ResolveRequest::new(&request.to))?;
    Ok(snapshot.use_paths(&from, &to, &request.paths)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct TransitiveRequest {
    #[serde(flatten)]
    target: Target,
    /// Of all matches instead of an error if there are several.
    #[serde(default)]
    all: bool,
    /// Direction; `downstream` without it.
    direction: Option<Direction>,
    /// Steps to follow at most.
    #[serde(default = "every_step")]
    depth: u32,
    /// Uses to follow from each item at most, the most certain first; all without it.
    breadth: Option<usize>,
    #[serde(flatten)]
    uses: UseRequest,
}

fn every_step() -> u32 {
    DEFAULT_DEPTH
}

fn lineage(moment: &Moment<'_>, request: TransitiveRequest) -> Result<LineageResult, Problem> {
    let snapshot = &moment.snapshot;
    let symbols = request.target.symbols(snapshot, request.all)?;
    let lineage = LineageRequest {
        direction: request.direction.unwrap_or(Direction::Downstream),
        depth: request.depth,
        breadth: request.breadth,
        uses: request.uses,
    };
    let mut found = snapshot.lineage(&symbols, &lineage)?;
    if let Some(known) = &mut found.certainty {
        hint::explain(known);
    }
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ImpactRequest {
    #[serde(flatten)]
    target: Target,
    /// Of all matches instead of an error if there are several.
    #[serde(default)]
    all: bool,
    /// Steps to follow at most.
    #[serde(default = "eight")]
    depth: u32,
    #[serde(flatten)]
    uses: UseRequest,
}

fn eight() -> u32 {
    8
}

fn impact(moment: &Moment<'_>, request: ImpactRequest) -> Result<ImpactResult, Problem> {
    let snapshot = &moment.snapshot;
    let symbols = request.target.symbols(snapshot, request.all)?;
    let mut found = snapshot.impact(&symbols, request.depth, &request.uses)?;
    if let Some(known) = &mut found.lineage.certainty {
        hint::explain(known);
    }
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ChangeRequest {
    /// The earlier moment.
    from: When,
    /// The later moment.
    #[serde(default)]
    to: When,
    /// Maximum number of items; all if null.
    limit: Option<usize>,
}

fn change_impact(ask: &Ask, request: ChangeRequest) -> Result<ChangeImpact, Problem> {
    let ChangeRequest { from, to, limit } = request;
    Ok(ask.database.impact_between((&from, &to), Refresh::IfFree, limit, &Silent)?)
}
