//! `search`: items by words, names or text.

use asof_engine::Snapshot;
use asof_wire::{Hit, RankBy, SearchAnswer, SearchMode, SearchRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::target;
use crate::page::{Pager, Reply};
use crate::tool::{self, Call, Effect, Offered, Tool};
use asof_surface::problem::Problem;
use asof_surface::text::search::{details, nothing};

pub const TOOL: Tool = Tool {
    name: "search",
    title: "Search",
    description: "Use first when you do not know the name: items that answer a question, words or \
                  a partial name, best first. Modes regex and literal search the source text by \
                  item.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<SearchAnswer>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    query: String,
    #[serde(default)]
    mode: SearchMode,
    kind: Option<String>,
    /// Glob or folder
    path: Option<String>,
    #[serde(default)]
    exclude_tests: bool,
    #[serde(default)]
    rank_by: RankBy,
    #[serde(default)]
    include_source: bool,
    /// Up to 100; default 10
    limit: Option<usize>,
    /// Moment, as in show
    at: Option<String>,
    configuration: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

const LIMIT: usize = 10;
const MOST: usize = 100;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let kind = arguments.kind.as_deref().map(target::kind).transpose()?;
    let request = SearchRequest {
        query: arguments.query,
        mode: arguments.mode,
        kinds: kind.into_iter().collect(),
        path: arguments.path,
        exclude_tests: arguments.exclude_tests,
        rank_by: arguments.rank_by,
        limit: Some(arguments.limit.unwrap_or(LIMIT).clamp(1, MOST)),
        include_source: arguments.include_source,
        ..SearchRequest::default()
    };
    let found = snapshot.search(&request)?;
    let cut = found.truncated;
    pager.results(snapshot.basis(), &found, |found: &SearchAnswer| {
        let mut out: String = found.results.iter().map(hit).collect();
        if found.total == 0 {
            out.push_str(&nothing(&request, "item"));
        } else if cut {
            out.push_str(&format!("{} items match; raise `limit` for more\n", found.total));
        }
        found.notes.iter().for_each(|note| out.push_str(&format!("{note}\n")));
        out
    })
}

fn hit(hit: &Hit) -> String {
    let path = hit.canonical_path.as_deref().unwrap_or(&hit.function_name);
    let lines = format!("{}-{}", hit.start_line, hit.end_line);
    let (kind, file) = (hit.kind, &hit.file_path);
    format!("{kind} {path} {file}:{lines}\n{}", details(hit))
}
