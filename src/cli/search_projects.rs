//! `asof search --project` and `--all-projects`: one search of several projects.

use std::path::Path;
use std::time::Instant;

use asof::{Database, merge_projects};
use asof_wire::{ErrorReport, ProjectHit, SearchAnswer, SearchRequest};

use super::context::Context;
use super::failure::explain;
use super::globals::Format;
use super::hint;
use super::output::{self, Listing};
use super::registry::registry;
use super::search::{SearchArgs, hit, write};
use asof_model::ErrorKind;
use asof_surface::problem::Problem;
use asof_surface::text::search::{nothing, summary};

const HIT: Listing<'_> = Listing {
    columns: &[
        ("project", "{project}"),
        ("score", "{relevance_score}"),
        ("kind", "{kind}"),
        ("path", "{canonical_path}"),
        ("place", "{file_path}:{line}"),
        ("grade", "{tdg_grade}"),
    ],
    keys: "project rank rrf id file_path function_name canonical_path kind signature doc_comment \
           start_line end_line line language tdg_score tdg_grade complexity cognitive big_o \
           satd_count loc relevance_score in_test rank_value matches source features",
};

pub fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    if context.has_root() {
        let message = "projects are searched at their own roots";
        return Err(Problem::bad_request(message, "leave out `-C`").into());
    }
    let registry = registry()?;
    let projects =
        if args.all_projects { registry.list()? } else { registry.named(&args.project)? };
    if projects.is_empty() {
        let hint = "`asof project add DIR` registers one";
        return Err(Problem::new(ErrorKind::NoMatch, "no project is registered", hint).into());
    }
    let request = args.request();
    let mut answers = Vec::new();
    for project in projects {
        let answer = answer(context, Path::new(&project.root), &request)
            .map_err(|error| report(explain(error), &project.root));
        answers.push((project, answer));
    }
    if answers.iter().all(|(_, answer)| answer.is_err())
        && let Some((project, Err(mut error))) = answers.pop()
    {
        error.message = format!("no project gave an answer; `{}`: {}", project.name, error.message);
        return Err(Problem::from(error).into());
    }
    let mut found = merge_projects(&request, answers);
    found.ms = started.elapsed().as_secs_f64() * 1e3;
    if context.is_prose() {
        let text: String = found.results.iter().map(tagged).collect();
        output::print(
            context,
            &match found.results.as_slice() {
                [] => nothing(&request, "item of these projects"),
                _ => format!("{text}{}\n", summary(&found.summary)),
            },
        )?;
        output::rest(context, &serde_json::to_value(&found)?)?;
    } else if let Some(answer) = write(context, &found, HIT)? {
        if context.format() == Format::Markdown {
            output::print_plain(context, &format!("\n{}\n", summary(&found.summary)))?;
        }
        output::rest(context, &answer)?;
    }
    for told in &found.projects {
        let name = &told.project.name;
        match &told.error {
            Some(error) => {
                let hint = if error.hint.is_empty() { "" } else { &format!(" ({})", error.hint) };
                output::warn(context, &format!("project `{name}`: {}{hint}", error.message));
            }
            None => told.notes.iter().for_each(|note| context.note(&format!("{name}: {note}"))),
        }
    }
    Ok(())
}

fn answer(context: &Context, root: &Path, request: &SearchRequest) -> anyhow::Result<SearchAnswer> {
    let database = Database::open(root)?;
    Ok(context.snapshot(&database)?.search(request)?)
}

/// An error of a project: its hint is about commands in the root of the project.
fn report(problem: Problem, root: &str) -> ErrorReport {
    let mut report = problem.report(hint::words);
    if report.hint.contains("asof ") {
        report.hint = format!("in {root}: {}", report.hint);
    }
    report
}

fn tagged(found: &ProjectHit) -> String {
    format!("[{}] {}", found.project, hit(&found.hit))
}
