//! Quality of functions.

use asof_wire::{DebtMarker, QualityItem, QualityReport};
use serde_json::Value as Json;

use crate::page::Reply;
use crate::tool::{self, Argument, Call, Effect, Offered, Tool, arg, flag};
use asof_surface::problem::Problem;
use asof_surface::questions::quality::{GradesRequest, QUALITY};
use asof_surface::text::quality::{costs, summary};

pub const TOOL: Tool = Tool {
    name: "quality",
    title: "Quality of functions",
    description: "Use to find functions that need work: those with the lowest scores, what costs \
                  them points, and comments that admit technical debt.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<GradesRequest>(ARGUMENTS),
    output: tool::output::<QualityReport>,
    run,
};

const ARGUMENTS: &[Argument] = &[
    arg("path", "Item, module, file or folder"),
    arg("kind", ""),
    flag("exclude_tests", ""),
    arg("min_grade", "Only functions below this grade: A+, A, A-, …, D, F"),
    arg("max_complexity", "Only functions above this cyclomatic complexity"),
    arg("limit", "Functions and markers; default 10"),
];

const LIMIT: u64 = 10;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    let limit = given.get("limit").and_then(Json::as_u64).unwrap_or(LIMIT);
    tool::ask(
        call,
        TOOL.name,
        ARGUMENTS,
        given,
        &QUALITY,
        |request, pager| {
            request.limit = Some(pager.upto(usize::try_from(limit).unwrap_or(usize::MAX)));
        },
        |report: &QualityReport| {
            let functions = report.answer.items.iter().map(function);
            let markers = report.satd.iter().map(marker);
            let counts = [summary(&report.summary) + "\n"];
            counts.into_iter().chain(functions).chain(markers).collect()
        },
    )
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
