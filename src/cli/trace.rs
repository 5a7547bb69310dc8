//! `asof trace`: what filled the context of a model, from a trace.

use std::path::PathBuf;

use asof_model::OrNever;
use asof_wire::{ContextTrace, TraceEvent, TraceKind, TraceSummary};
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::input;
use super::output;
use super::table::Sheet;
use asof_surface::problem::Problem;

/// Largest trace that is read, bytes.
const MAX_TRACE: u64 = 64 << 20;

/// Cells of the bar of a full budget.
const BAR: usize = 20;

/// Show what filled the context of a model, by iteration
///
/// A trace is a JSON object with `token_budget` and `events`, or one event a line. An event has a
/// `kind` (system_prompt, grep_result, llm_query_result, assistant_code, execution_output, final,
/// tool_call, tool_result), `tokens`, and optionally `iteration`, `label` and `timestamp`. The
/// newest 1,000 events are listed; older ones are only counted.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof trace trace.json
  asof trace trace.jsonl --budget 8000
  asof trace trace.json --format json")]
pub struct TraceArgs {
    /// The trace, JSON or JSON lines; `-` is standard input
    file: PathBuf,
    /// Tokens that an iteration may use, instead of the trace's own
    #[arg(long, value_name = "TOKENS")]
    budget: Option<u64>,
}

pub fn run(context: &Context, args: &TraceArgs) -> anyhow::Result<()> {
    let (name, bytes) = input::read(&args.file, MAX_TRACE)?;
    let mut trace = read(&name, &bytes)?;
    trace.token_budget = args.budget.unwrap_or(trace.token_budget);
    let summary = trace.summary();
    match context.format() {
        Format::Text | Format::Markdown => table(context, &summary),
        _ => output::json(context, &summary),
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<ContextTrace, Problem> {
    // A single event is an object as well.
    let is_event = serde_json::from_slice::<TraceEvent>(bytes).is_ok();
    let whole: Result<ContextTrace, _> = serde_json::from_slice(bytes);
    let mut trace = match whole {
        Ok(trace) if !is_event => trace,
        whole => {
            let mut trace = ContextTrace::default();
            for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                let event: TraceEvent = serde_json::from_slice(line).map_err(|error| {
                    let what = match &whole {
                        Err(whole) if number == 1 => whole.to_string(),
                        _ => error.to_string(),
                    };
                    let message = format!("{name} is not a trace: line {number}: {what}");
                    Problem::bad_request(message, "`asof trace --help` describes traces")
                })?;
                trace.push(event);
            }
            trace
        }
    };
    trace.shrink();
    Ok(trace)
}

fn table(context: &Context, summary: &TraceSummary) -> anyhow::Result<()> {
    let headers = ["iteration", "events", "tokens", "budget", "", "most"].map(str::to_owned);
    let rows = summary.iterations.iter().map(|one| {
        let share = one.percent_of_budget;
        let percent = share.map_or_else(String::new, |share| format!("{share:.0} %"));
        let most = one.by_kind.iter().max_by_key(|(_, tokens)| **tokens);
        let most = most.map(|(kind, tokens)| format!("{} {tokens}", name(*kind)));
        vec![
            one.iteration.to_string(),
            one.events.to_string(),
            one.tokens.to_string(),
            percent,
            share.map_or_else(String::new, bar),
            most.unwrap_or_default(),
        ]
    });
    output::sheet(context, &Sheet { headers: headers.to_vec(), rows: rows.collect() })?;
    let dropped = match summary.dropped {
        0 => String::new(),
        n => format!(", {n} older ones not listed"),
    };
    context.note(&format!("{} tokens in {} events{dropped}", summary.tokens, summary.events));
    Ok(())
}

/// A bar of a share of the budget, in percent.
fn bar(share: f64) -> String {
    let filled = ((share / 100.0 * BAR as f64).round().max(0.0) as usize).min(BAR);
    let over = if share > 100.0 { "+" } else { "" };
    format!("{}{}{over}", "█".repeat(filled), "░".repeat(BAR - filled))
}

fn name(kind: TraceKind) -> String {
    let json = serde_json::to_value(kind).or_never("a kind is a text in JSON");
    json.as_str().or_never("a kind is a text in JSON").to_owned()
}
