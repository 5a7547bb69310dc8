//! `asof query`: the user's scripts, each in its own process.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use asof::When;
use asof_wire::{QueryRequest, Script};
use clap::Args;
use serde_json::Value as Json;

use super::context::Context;
use super::fields;
use super::globals::Format;
use super::output;
use super::query_list;
use super::query_schema;
use super::table::Sheet;
use asof_surface::problem::Problem;
use asof_surface::worker::{self, Task};

/// Longest script that is read, bytes.
const MAX_SCRIPT: u64 = 4 << 20;

/// Run a query in CozoScript, or a stored query by name
///
/// Scripts are read-only. `*relation{column}` reads a stored relation as of `--at`. `@ "v1.0"`
/// after the columns reads it at another moment, in any form that `--at` takes; `@ ALL` reads
/// every version. `view[a, b, _]`, without `*` and with all columns in order, reads a view;
/// `--schema` lists relations and views with their columns. Each script runs in its own process, with limits on time and memory.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof query '?[name] := *package{name}'
  asof query '?[path] := *file{path}, not *file{path @ \"HEAD~5\"}'
  asof query '?[count(at)] := *node{id, at @ ALL}'
  asof query '?[path, count(by)] := callers[id, by, _], *node{id, path}'
  asof query --list
  asof query --list graph/
  asof query --schema node
  asof query --name resolve/by_name --param name=Database
  asof query -f slow.cozo --explain
  echo '?[a] <- [[1], [2]]' | asof query -f - --format csv")]
pub struct QueryArgs {
    /// The script; `-` for standard input
    #[arg(conflicts_with_all = ["file", "name", "list", "schema"])]
    text: Option<String>,
    /// File with the script; `-` for standard input
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["name", "list", "schema"])]
    file: Option<PathBuf>,
    /// Name of a shipped query, or of one in `.asof/queries`
    #[arg(long, conflicts_with_all = ["list", "schema"])]
    name: Option<String>,
    /// Value of a parameter, as text or JSON; repeatable
    #[arg(short, long, value_name = "K=V", value_parser = param)]
    param: Vec<(String, String)>,
    /// List the queries that can be run by name; with what they answer, those whose name begins
    /// with START
    #[arg(long, value_name = "START", num_args = 0..=1, default_missing_value = "")]
    list: Option<String>,
    /// List relations and views, or describe the columns of one
    #[arg(long, value_name = "RELATION", num_args = 0..=1, default_missing_value = "",
          conflicts_with = "list")]
    schema: Option<String>,
    /// Show the plan instead of the answer
    #[arg(long)]
    explain: bool,
    /// Time limit in seconds
    #[arg(long, value_name = "SECS", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// Memory limit in MiB
    #[arg(long, value_name = "MB", default_value_t = 512,
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Return at most N rows; 0 returns all
    #[arg(short = 'n', long, visible_alias = "rows", value_name = "N", default_value_t = 1000)]
    limit: usize,
}

fn param(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected name=value".to_owned()),
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected a number of seconds, above 0 and at most 86400".to_owned()),
    }
}

pub fn run(context: &Context, args: &QueryArgs) -> anyhow::Result<()> {
    if let Some(start) = &args.list {
        return query_list::run(context, start);
    }
    if let Some(name) = &args.schema {
        return query_schema::run(context, name);
    }
    let script = script(args)?;
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let basis = serde_json::to_value(snapshot.basis())?;
    // The worker answers at the same revision.
    let at = match (snapshot.basis().revision, context.when()?) {
        (Some(revision), _) => When::Revision(revision),
        (None, when) => when,
    };
    let named = matches!(script, Script::Name(_));
    let request = QueryRequest {
        script,
        params: args.param.iter().map(|(name, text)| (name.clone(), value(text, named))).collect(),
        explain: args.explain,
        time_ms: (args.timeout * 1e3) as u64,
        memory_bytes: (args.memory as usize) << 20,
        rows: if args.limit == 0 { usize::MAX } else { args.limit },
    };
    let revision = match at {
        When::Revision(id) => Some(id),
        _ => None,
    };
    let task = Task::new(&database, revision, request)?;
    drop(database);
    // Ctrl-C ends this process, and the other one with it.
    let mut answer = worker::ask(&task, &AtomicBool::new(false))?;
    if let Some(object) = answer.as_object_mut() {
        object.insert("basis".to_owned(), basis);
        let now = context.when()? == When::Now;
        object.insert("source".to_owned(), if now { "NOW".into() } else { "AS_OF".into() });
    }
    tell(context, answer)
}

fn script(args: &QueryArgs) -> Result<Script, Problem> {
    // `-` is standard input wherever a script is expected.
    let (text, file) = match &args.text {
        Some(text) if text == "-" => (None, Some(PathBuf::from(text))),
        text => (text.as_ref(), args.file.clone()),
    };
    let text = match (text, &file, &args.name) {
        (_, _, Some(name)) => return Ok(Script::Name(name.clone())),
        (Some(text), _, _) => text.to_owned(),
        (_, Some(file), _) => {
            let (_, bytes) = super::input::read(file, MAX_SCRIPT)?;
            String::from_utf8(bytes).map_err(|_| {
                let hint = "a script must be UTF-8 text; see `asof query --help`";
                Problem::bad_request(format!("{} is not UTF-8", file.display()), hint)
            })?
        }
        _ => {
            let hint = "give a script, `-f FILE`, or `--name NAME`; `--list` lists the names";
            return Err(Problem::bad_request("no query was given", hint));
        }
    };
    Ok(Script::Text(text))
}

/// A value from the command line. A named query declares the types of its parameters and parses
/// text accordingly; a script does not, so its parameters are JSON where they parse as JSON.
fn value(text: &str, named: bool) -> Json {
    match serde_json::from_str(text) {
        Ok(value) if !named => value,
        _ => Json::String(text.to_owned()),
    }
}

fn tell(context: &Context, mut answer: Json) -> anyhow::Result<()> {
    if !context.fields().is_empty() {
        select(context.fields(), &mut answer)?;
    }
    if context.format() == Format::Json {
        return output::json_answer(context, answer);
    }
    let list =
        |name: &str| answer.get(name).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let cell = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Null => "null".to_owned(),
        other => other.to_string(),
    };
    let rows = list("items").iter().filter_map(Json::as_array);
    let sheet = Sheet {
        headers: list("headers").iter().map(cell).collect(),
        rows: rows.map(|row| row.iter().map(cell).collect()).collect(),
    };
    output::sheet(context, &sheet)?;
    output::basis(context, &answer)
}

/// Keeps only these columns of the rows.
fn select(names: &[String], answer: &mut Json) -> Result<(), Problem> {
    let headers = answer.get("headers").and_then(Json::as_array).cloned().unwrap_or_default();
    let headers: Vec<&str> = headers.iter().filter_map(Json::as_str).collect();
    let place = |name: &String| {
        let place = headers.iter().position(|header| header == name);
        place.ok_or_else(|| fields::unknown(name, &headers))
    };
    let places = names.iter().map(place).collect::<Result<Vec<usize>, Problem>>()?;
    for row in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        *row = places.iter().filter_map(|place| row.get(place)).cloned().collect();
    }
    if let Some(headers) = answer.get_mut("headers") {
        *headers = names.iter().cloned().collect();
    }
    Ok(())
}
