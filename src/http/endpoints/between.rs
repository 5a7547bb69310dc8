//! What differs between two moments, and the state of the database.

use asof_engine::Refresh;
use asof_index::Silent;
use asof_wire::{
    AffectedPackages, AffectedRequest, ApiDiff, ChangeImpact, Diff, DiffRequest, MergePrediction,
    MergeRequest, ReachRequest, ReachResult, Review, ReviewRequest, Status, When,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::endpoint::{Ask, Endpoint, Moment};
use asof_surface::problem::Problem;
use asof_surface::questions::DependsOn;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment("/api/diff", "Items that differ between two moments", diff)
            .pages(50)
            .depends_on(DependsOn::Moments(&["from"])),
        Endpoint::of_database(
            "/api/impact/diff",
            "What a difference affects, and which tests to run",
            change_impact,
        )
        .pages(50),
        Endpoint::of_database(
            "/api/interface/diff",
            "How public interfaces differ, and whether versions allow it",
            api_diff,
        ),
        Endpoint::of_database(
            "/api/affected",
            "Which packages and targets a difference can reach",
            affected,
        )
        .pages(50),
        Endpoint::of_database(
            "/api/reach/new",
            "Which items reach a set at one moment and did not at an earlier one",
            new_reach,
        )
        .pages(50),
        Endpoint::of_database(
            "/api/review",
            "Which changed items are proven to be the same code, and which are left to read",
            review,
        ),
        Endpoint::of_database(
            "/api/merge",
            "What merging a branch or another worktree would be",
            merge,
        ),
        Endpoint::of_database("/api/status", "State of the database", status),
    ]
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
    Ok(database.diff_between(&request.from, later, Refresh::Skip, &request.diff, &Silent)?)
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
    Ok(ask.database.impact_between(&from, &to, Refresh::IfFree, limit, &Silent)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct InterfaceRequest {
    /// The earlier moment.
    from: When,
    /// The later moment.
    #[serde(default)]
    to: When,
    /// Only the library of this package.
    package: Option<String>,
}

fn api_diff(ask: &Ask, request: InterfaceRequest) -> Result<ApiDiff, Problem> {
    let InterfaceRequest { from, to, package } = request;
    let (refresh, package) = (Refresh::IfFree, package.as_deref());
    Ok(ask.database.api_diff_between(&from, &to, refresh, package, &Silent)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ReachedRequest {
    /// The earlier commit.
    from: When,
    /// The later commit, or NOW for the files on disk.
    #[serde(default)]
    to: When,
    #[serde(flatten)]
    request: AffectedRequest,
}

fn affected(ask: &Ask, request: ReachedRequest) -> Result<AffectedPackages, Problem> {
    let ReachedRequest { from, to, request } = request;
    Ok(ask.database.affected_between(&from, &to, Refresh::IfFree, &request, &Silent)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct NewReachRequest {
    /// The earlier moment.
    earlier: When,
    /// The later moment.
    #[serde(default)]
    later: When,
    #[serde(flatten)]
    request: ReachRequest,
}

fn new_reach(ask: &Ask, request: NewReachRequest) -> Result<ReachResult, Problem> {
    let NewReachRequest { earlier, later, request } = request;
    let refresh = Refresh::IfFree;
    Ok(ask.database.new_reach_between(&earlier, &later, refresh, &request, &Silent)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ReviewedRequest {
    /// The earlier moment.
    from: When,
    /// The later moment.
    #[serde(default)]
    to: When,
    #[serde(flatten)]
    review: ReviewRequest,
}

fn review(ask: &Ask, request: ReviewedRequest) -> Result<Review, Problem> {
    let ReviewedRequest { from, to, review } = request;
    Ok(ask.database.review_between(&from, &to, Refresh::IfFree, &review, &Silent)?)
}

fn merge(ask: &Ask, request: MergeRequest) -> Result<MergePrediction, Problem> {
    Ok(ask.database.merge_prediction(&request, &Silent)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct StatusRequest {
    /// State as of this moment.
    #[serde(default)]
    at: When,
}

fn status(ask: &Ask, request: StatusRequest) -> Result<Status, Problem> {
    Ok(ask.database.status_at(&request.at)?)
}
