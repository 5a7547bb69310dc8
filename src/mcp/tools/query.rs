//! Queries in CozoScript, each in a process of its own.

use asof_model::Hint;
use asof_wire::{NamedQuery, QueryList, QueryRequest, QueryResult, Script};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::page::{self, Pager, Reply};
use crate::tool::{self, Call, Effect, Offered, Tool};
use crate::workspace::snapshot;
use asof_surface::problem::Problem;
use asof_surface::queries;
use asof_surface::worker;

pub const TOOL: Tool = Tool {
    name: "query",
    title: "Query the code facts",
    description: "Use for questions that no other tool answers: a read-only CozoScript (Datalog) \
                  over the code facts, or a named query. Relations: resource asof://schema. \
                  Without `script` and `name`: lists the named queries.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<Answered>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// ?[name] := *package{name}
    script: Option<String>,
    /// Named query; a folder such as graph/ describes its queries
    name: Option<String>,
    #[serde(default)]
    params: Map<String, Json>,
    /// The plan instead of the answer
    #[serde(default)]
    explain: bool,
    /// Up to 60; default 10
    timeout_s: Option<u32>,
    /// Moment, as in show
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

/// What the tool answers.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is only described")]
enum Answered {
    Rows(QueryResult),
    /// Without `script` and `name`.
    Queries(QueryList),
}

/// Seconds that a query may take at most.
const MAX_SECONDS: u32 = 60;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    let pager = Pager::new(call, TOOL.name, &given)?;
    let arguments: Arguments = tool::arguments(given)?;
    let script = match (arguments.script, arguments.name) {
        (Some(script), None) => Script::Text(script),
        (None, Some(folder)) if folder.ends_with('/') => return list(call, &folder),
        (None, Some(name)) => Script::Name(name),
        (None, None) => return list(call, ""),
        (Some(_), Some(_)) => {
            let message = "`script` and `name` are both given";
            let hint = Hint::advice("leave one of them out");
            return Err(Problem::bad_request(message, hint));
        }
    };
    let mut request = QueryRequest::new(script);
    request.params = arguments.params.into_iter().collect();
    request.explain = arguments.explain;
    request.rows = pager.limit();
    if let Some(seconds) = arguments.timeout_s {
        request.time_ms = u64::from(seconds.clamp(1, MAX_SECONDS)) * 1_000;
    }
    let found = ask(call, arguments.at.as_deref(), request, &pager)?;
    pager.list(&found.basis, &found, text)
}

/// Runs a query in a process of its own, which ends when the client cancels the request.
pub fn ask(
    call: &Call,
    at: Option<&str>,
    request: QueryRequest,
    pager: &Pager,
) -> Result<QueryResult, Problem> {
    let database = call.workspace.database(call)?;
    let snapshot = snapshot(call, &database, at)?;
    pager.check(snapshot.basis())?;
    worker::query(&database, &snapshot, request, &call.stop)
}

/// Columns and rows, with tabs between.
pub fn text(found: &QueryResult) -> String {
    let cell = |value: &Json| match value {
        Json::String(text) if !text.contains(['\n', '\t']) => text.clone(),
        other => other.to_string(),
    };
    let mut out = format!("{}\n", found.headers.join("\t"));
    for row in &found.items {
        let cells: Vec<String> = row.iter().map(cell).collect();
        out.push_str(&format!("{}\n", cells.join("\t")));
    }
    if found.items.is_empty() {
        out.push_str("no rows\n");
    }
    out
}

/// All queries in short, or those of a folder with what they answer.
fn list(call: &Call, folder: &str) -> Result<Reply, Problem> {
    let database = call.workspace.database(call)?;
    let (library, problems) = database.library();
    let list = queries::beginning(queries::list(&library, &problems), folder);
    page::whole(&list, |list| {
        let line =
            |query: &NamedQuery| format!("{}({})  {}\n", query.name, query.signature, query.doc);
        let queries = match folder {
            "" => queries::brief(list),
            _ => list.items.iter().map(line).collect(),
        };
        let problems = list.problems.iter().map(|problem| format!("{problem}\n"));
        [queries].into_iter().chain(problems).collect()
    })
}
