//! `asof context`: files and code for a task.

use asof_wire::{CodeContext, CodeContextRequest, ContextAnswer, ContextRequest};
use clap::Args;
use serde_json::Value as Json;

use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};
use asof_surface::problem::Problem;
use asof_surface::questions::search::CODE_CONTEXT;
use asof_surface::text;

const FILE: Listing<'_> = Listing {
    columns: &[
        ("score", "{score.composite}"),
        ("path", "{path}"),
        ("confidence", "{confidence}"),
        ("recency", "{score.recency}"),
        ("frequency", "{score.frequency}"),
        ("tag_affinity", "{score.tag_affinity}"),
        ("modified", "{metadata.last_modified}"),
    ],
    keys: "path confidence score tags snippet items metadata",
};

/// As many files as a request may ask for.
const ALL: usize = 1_000;

/// Find the code that a task needs: files for an intent, or code up to a number of tokens
///
/// With an intent, it lists files with the confidence that the task is about them, and the lines
/// that say most. Text, tags (words of paths and names, dependencies, attributes) and the history
/// of changes rank them. With `--token-budget` alone, it prints as much code as fits: the items
/// that answer `--hint`, or without a hint those that changed recently or are used most.
/// docs/context.md defines the ranking.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof context 'carry an edit over after a move'
  asof context 'parse a moment' --limit 3 --snippet-lines 20
  asof context 'parse a moment' --threshold 0 --format json
  asof context --token-budget 4000 --hint 'how is a moment parsed'
  asof context --token-budget 2000         what changed recently, and central items")]
pub struct ContextArgs {
    /// The task in words
    #[arg(required_unless_present = "token_budget")]
    intent: Option<String>,
    /// Most tokens of the snippets; without an intent, of the code to print
    #[arg(long, value_name = "N")]
    token_budget: Option<usize>,
    /// What the code is needed for: words, a question or a name
    #[arg(long, value_name = "WORDS", conflicts_with = "intent", requires = "token_budget")]
    hint: Option<String>,
    /// Leave out test code
    #[arg(long, conflicts_with = "intent")]
    exclude_tests: bool,
    /// List at most N files; 0 lists all that are sure enough
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5)]
    limit: usize,
    /// Most lines of a snippet; 0 shows none
    #[arg(long, value_name = "N", default_value_t = 10)]
    snippet_lines: u32,
    /// Least confidence of a file, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    threshold: f64,
}

pub fn run(context: &Context, args: &ContextArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    match (&args.intent, args.token_budget) {
        (Some(intent), token_budget) => {
            let request = ContextRequest {
                intent: intent.clone(),
                limit: if args.limit == 0 { ALL } else { args.limit },
                snippet_lines: args.snippet_lines,
                threshold: args.threshold,
                token_budget,
                ..ContextRequest::default()
            };
            files(context, &snapshot.context(&request)?, args.threshold)
        }
        (None, Some(token_budget)) => {
            let (hint, exclude_tests) = (args.hint.clone(), args.exclude_tests);
            let request = CodeContextRequest { token_budget, hint, exclude_tests };
            code(context, &snapshot.code_context(&request)?)
        }
        (None, None) => {
            let hint = "for example `asof context 'fix the login'`";
            Err(Problem::bad_request("an intent or `--token-budget` is needed", hint).into())
        }
    }
}

fn files(context: &Context, answer: &ContextAnswer, threshold: f64) -> anyhow::Result<()> {
    let json = context.format() == Format::Json;
    if json && context.fields().is_empty() && !context.is_json_lines() {
        return output::json(context, answer);
    }
    let mut listed = serde_json::to_value(answer)?;
    if let Some(fields) = listed.as_object_mut() {
        let files = fields.remove("files").unwrap_or(Json::Array(Vec::new()));
        fields.insert("items".to_owned(), files);
        let cut = answer.aggregate.total_matches > answer.aggregate.returned;
        fields.insert("truncated".to_owned(), cut.into());
        fields.insert("total".to_owned(), answer.aggregate.total_matches.into());
    }
    if json {
        return output::listing(context, &listed, FILE);
    }
    if context.is_prose() {
        output::print(context, &text::context::context(answer, threshold))?;
    } else {
        output::rows(context, &listed, FILE)?;
    }
    answer.notes.iter().for_each(|note| context.note(note));
    output::basis(context, &listed)
}

fn code(context: &Context, answer: &CodeContext) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        return output::listing(context, answer, CODE_CONTEXT.listing);
    }
    if context.is_prose() {
        output::print(context, &text::context::code(answer))?;
    } else {
        output::rows(context, &serde_json::to_value(answer)?, CODE_CONTEXT.listing)?;
        if let Some(line) = text::context::left_out(answer) {
            context.note(&line);
        }
    }
    answer.notes.iter().for_each(|note| context.note(note));
    output::basis(context, &serde_json::to_value(answer)?)
}
