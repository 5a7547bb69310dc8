//! Queries in CozoScript, each in a process of its own, and what they can read.

use asof_engine::EngineError;
use asof_model::Hint;
use asof_query::{data_source, data_sources};
use asof_wire::{DataSource, DataSources, QueryList, QueryRequest, QueryResult, SourceSummary};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::endpoint::{Ask, Endpoint, Moment};
use asof_surface::problem::Problem;
use asof_surface::queries;
use asof_surface::questions::DependsOn;
use asof_surface::questions::inspect::Nothing;

/// Limits of a query: the defaults of the command line, which the user may raise there.
const MAX_TIME_MS: u64 = 60_000;
const MAX_MEMORY: usize = 512 << 20;
const MAX_ROWS: usize = 10_000;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment("/api/query", "Run a query in CozoScript", query)
            .post()
            .depends_on(DependsOn::More),
        Endpoint::of_database("/api/queries", "Queries that can be run by name", list),
        Endpoint::of_database("/api/schema", "Relations and views that queries read", sources),
        Endpoint::of_database("/api/schema/columns", "Columns of a relation or view", source),
    ]
}

fn query(moment: &Moment<'_>, request: QueryRequest) -> Result<QueryResult, Problem> {
    let too_much = |name: &str, most: u64| {
        let message = format!("`{name}` is more than {most}");
        let hint = Hint::advice("the command `asof query` has higher limits");
        Problem::bad_request(message, hint)
    };
    if request.time_ms > MAX_TIME_MS {
        return Err(too_much("time_ms", MAX_TIME_MS));
    }
    if request.memory_bytes > MAX_MEMORY {
        return Err(too_much("memory_bytes", MAX_MEMORY as u64));
    }
    if request.rows > MAX_ROWS {
        return Err(too_much("rows", MAX_ROWS as u64));
    }
    moment.query(request)
}

fn list(ask: &Ask, _: Nothing) -> Result<QueryList, Problem> {
    let (library, problems) = ask.database.library();
    Ok(queries::list(&library, &problems))
}

fn sources(_: &Ask, _: Nothing) -> Result<DataSources, Problem> {
    let items: Vec<SourceSummary> = data_sources().iter().map(SourceSummary::from).collect();
    Ok(DataSources { total: items.len(), items })
}

#[derive(Debug, Deserialize, JsonSchema)]
struct SourceRequest {
    /// Name of a relation or view.
    name: String,
}

fn source(_: &Ask, request: SourceRequest) -> Result<DataSource, Problem> {
    Ok(data_source(&request.name).map_err(EngineError::from)?)
}
