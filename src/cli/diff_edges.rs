//! `asof diff-edges`: references of ours that differ from those of an imported index.

use std::path::{Path, PathBuf};

use asof::DEFAULT_CERTAINTY;
use asof_wire::{EdgeClass, EdgeDiff, EdgeDiffRequest};
use clap::{Args, ValueEnum};
use serde_json::Value as Json;

use super::context::Context;
use super::globals::{Format, Limit};
use super::import::{MAX_INDEX, left_out, skipped};
use super::input;
use super::output::{self, Listing, plural};
use super::table::Sheet;
use asof_model::ErrorKind;
use asof_surface::problem::Problem;

/// Names the imported index instead of a file.
const IMPORTED: &str = "imported";

/// List the places where our references and an index of another tool differ
///
/// Only places are compared where both know the text. What such indexes cannot say is counted
/// apart: `shared_symbol` (the crates of a package, items of one macro call, and items of function
/// bodies can have one symbol), `undefined_symbol`, `cfg_duplicate` (an index knows one of several
/// items under different `cfg`s), and `stale_target`.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof diff-edges --against scip index.scip
  asof diff-edges --against scip imported --class only_theirs
  asof diff-edges index.scip --path src/wire --limit 0
  asof diff-edges index.scip --format json
  asof diff-edges index.scip --check            exit code 8 if they differ")]
pub struct DiffEdgesArgs {
    /// The form of the index
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    against: Against,
    /// The index: a file, `-` for standard input, or `imported` for what `asof import` has stored
    #[arg(value_name = "INDEX", default_value = IMPORTED, value_hint = clap::ValueHint::FilePath)]
    index: PathBuf,
    /// If indexes of several tools are imported: that of this one
    #[arg(long)]
    tool: Option<String>,
    /// List places of these classes only: only_ours, only_theirs, other_target, further_target, or
    /// those that are counted apart
    #[arg(long, value_delimiter = ',', value_parser = class, value_name = "CLASS")]
    class: Vec<EdgeClass>,
    /// Only this file, or the files of this folder
    #[arg(long)]
    path: Option<String>,
    /// Only our references of at least this confidence, from 0 to 1 [default: 0.5]
    #[arg(long, value_parser = asof_wire::share, value_name = "SHARE")]
    min_confidence: Option<f64>,
    /// Fail with exit code 8 if there is a place of the listed classes
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    limit: Limit,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Against {
    /// A SCIP index
    #[default]
    Scip,
}

fn class(text: &str) -> Result<EdgeClass, String> {
    let all = EdgeClass::ALL.map(EdgeClass::as_str).join(", ");
    EdgeClass::parse(text).ok_or_else(|| format!("unknown class `{text}`; classes are: {all}"))
}

const DIFFERENCE: Listing<'_> = Listing {
    columns: &[
        ("place", "{file_path}:{line}:{column}"),
        ("name", "{name}"),
        ("class", "{class}"),
        ("reason", "{reason}"),
        ("ours", "{our_text}"),
        ("theirs", "{their_text}"),
    ],
    keys: "file_path line column name class reason ours theirs",
};

pub fn run(context: &Context, args: &DiffEdgesArgs) -> anyhow::Result<()> {
    let Against::Scip = args.against;
    let request = EdgeDiffRequest {
        classes: args.class.clone(),
        min_confidence: args.min_confidence.unwrap_or(DEFAULT_CERTAINTY),
        path: args.path.as_deref().map(|path| context.file(path)),
        limit: args.limit.get(),
    };
    let is_imported = args.index == Path::new(IMPORTED);
    if args.tool.is_some() && !is_imported {
        let hint = "leave it out: a file is the index of one tool";
        return Err(Problem::bad_request("`--tool` chooses among imported indexes", hint).into());
    }
    let bytes = if is_imported { None } else { Some(input::read(&args.index, MAX_INDEX)?.1) };
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let found = match bytes {
        Some(bytes) => snapshot.diff_edges(&bytes, &request)?,
        None => snapshot.diff_imported_edges(args.tool.as_deref(), &request)?,
    };
    print(context, &found)?;
    if args.check && found.answer.total > 0 {
        let message = format!("{} differ", plural(found.answer.total, "place"));
        let hint = "`--class` lists and checks some classes only";
        return Err(Problem::new(ErrorKind::Check, message, hint).into());
    }
    Ok(())
}

fn print(context: &Context, found: &EdgeDiff) -> anyhow::Result<()> {
    let mut answer = serde_json::to_value(found)?;
    if context.format() == Format::Json {
        return output::listing(context, &answer, DIFFERENCE);
    }
    if context.fields().is_empty() && context.format() != Format::Csv {
        output::sheet(context, &counts(found))?;
        output::print(context, "\n")?;
    }
    for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        let ours = joined(item, "ours", |one| text(one, "path"));
        let theirs = joined(item, "theirs", |one| match one.pointer("/paths/0") {
            Some(path) => path.as_str().unwrap_or_default().to_owned(),
            None => text(one, "symbol"),
        });
        if let Some(item) = item.as_object_mut() {
            item.insert("our_text".to_owned(), ours.into());
            item.insert("their_text".to_owned(), theirs.into());
        }
    }
    output::listing(context, &answer, DIFFERENCE)?;
    left_out(context, found.left_out);
    skipped(context, &found.skipped);
    Ok(())
}

fn counts(found: &EdgeDiff) -> Sheet {
    let row = |class: &str, reason: &str, places: usize| {
        vec![class.to_owned(), reason.to_owned(), places.to_string()]
    };
    let mut rows = vec![row("agreed", "", found.agreed)];
    rows.extend(
        found.counts.iter().map(|one| row(one.class.as_str(), one.reason.as_str(), one.places)),
    );
    Sheet { headers: ["class", "reason", "places"].map(str::to_owned).into(), rows }
}

fn text(one: &Json, key: &str) -> String {
    one.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn joined(item: &Json, list: &str, each: impl Fn(&Json) -> String) -> String {
    let list = item.get(list).and_then(Json::as_array);
    let mut texts: Vec<String> = list.into_iter().flatten().map(each).collect();
    texts.dedup();
    texts.join(", ")
}
