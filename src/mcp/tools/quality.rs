//! Quality of functions.

use asof::Snapshot;
use asof::wire::{DebtMarker, QualityItem, QualityLimits, QualityReport, QualityRequest, Tests};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::target;
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;
use crate::surface::text::quality::{costs, summary};

pub const TOOL: Tool = Tool {
    name: "quality",
    title: "Quality of functions",
    description: "Use to find functions that need work: those with the lowest scores, what costs \
                  them points, and comments that admit technical debt.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<QualityReport>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// Item, module, file or folder
    path: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    exclude_tests: bool,
    /// Only functions below this grade: A+, A, A-, …, D, F
    min_grade: Option<String>,
    /// Only functions above this cyclomatic complexity
    max_complexity: Option<u32>,
    /// Functions and markers; default 10
    limit: Option<usize>,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

const LIMIT: usize = 10;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let request = QualityRequest {
        path: arguments.path,
        kind: arguments.kind.as_deref().map(target::kind).transpose()?,
        tests: if arguments.exclude_tests { Tests::Exclude } else { Tests::Include },
        limits: QualityLimits {
            min_grade: arguments.min_grade,
            max_complexity: arguments.max_complexity,
            ..QualityLimits::default()
        },
        limit: Some(pager.upto(arguments.limit.unwrap_or(LIMIT))),
        ..QualityRequest::default()
    };
    let report = snapshot.quality(&request, None)?;
    pager.list(snapshot.basis(), &report, |report: &QualityReport| {
        let functions = report.answer.items.iter().map(function);
        let markers = report.satd.iter().map(marker);
        let counts = [summary(&report.summary) + "\n"];
        counts.into_iter().chain(functions).chain(markers).collect()
    })
}

fn function(item: &QualityItem) -> String {
    let (grade, score, path) = (&item.tdg_grade, item.tdg_score, &item.path);
    let (file, line, costs) = (&item.file_path, item.line, costs(item));
    format!("{grade} {score:.1}  {path}  {file}:{line}  {costs}\n")
}

fn marker(marker: &DebtMarker) -> String {
    let (file, line) = (&marker.file_path, marker.line);
    format!("{} {file}:{line} in {}: {}\n", marker.severity, marker.path, marker.text)
}
