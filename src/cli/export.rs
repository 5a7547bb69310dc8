//! `asof export`: definitions and references as lines of JSON, SCIP indexes, and tables.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use asof::{DEFAULT_CERTAINTY, EngineError, ExportKind};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::Value as Json;

use super::context::Context;
use super::export_tables;
use super::output;
use asof_surface::problem::Problem;

/// Export facts in bulk: one JSON object per line, a SCIP index, or tables
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples, in the repository of asof itself:
  asof export --what defs > defs.jsonl
  asof export --what refs --min-confidence 0.9 > refs.jsonl
  asof export --what rows --at 2026-11-22T10:00:00Z --out rows.jsonl
  asof export --what scip --out index.scip
  asof export tables --out tables"
)]
pub struct ExportArgs {
    #[command(subcommand)]
    command: Option<ExportCommand>,
    /// What to export: definitions, modules with their files, the rows of every relation, places
    /// of use by definition, pairs of caller and callee, or a SCIP index, for other tools of code
    /// intelligence
    #[arg(long, value_enum, default_value_t)]
    what: What,
    /// For refs, calls and scip: only those with at least this confidence, from 0 to 1 [default: 0.5]
    #[arg(long, value_parser = asof_wire::share, value_name = "SHARE")]
    min_confidence: Option<f64>,
    /// File to write instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum ExportCommand {
    Tables(export_tables::ExportTablesArgs),
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum What {
    #[default]
    Defs,
    Modules,
    Rows,
    Refs,
    Calls,
    Scip,
}

pub fn run(context: &Context, args: &ExportArgs) -> anyhow::Result<()> {
    if let Some(ExportCommand::Tables(args)) = &args.command {
        return export_tables::run(context, args);
    }
    let min_confidence = args.min_confidence.unwrap_or(DEFAULT_CERTAINTY);
    let what = match args.what {
        What::Defs => Some(ExportKind::Defs),
        What::Modules => Some(ExportKind::Modules),
        What::Rows => Some(ExportKind::Rows),
        What::Refs => Some(ExportKind::Refs { min_confidence }),
        What::Calls => Some(ExportKind::Calls { min_confidence }),
        What::Scip => None,
    };
    if what.is_none() && args.out.is_none() && io::stdout().is_terminal() {
        return Err(
            Problem::bad_request("a SCIP index is binary", "name a file with `--out`").into()
        );
    }
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let mut out = destination(args)?;
    let mut failed = None;
    let mut put = |bytes: &[u8]| {
        out.write_all(bytes).map_err(|error| {
            failed = Some(error);
            // Ends the export; the actual error is reported below.
            EngineError::State { what: "line", reason: "it was not written".to_owned() }
        })
    };
    let mut line = Vec::new();
    let (written, unit) = match what {
        Some(what) => {
            let mut put_line = |given: Json| {
                line.clear();
                // A value of JSON can always be written.
                let _ = serde_json::to_writer(&mut line, &given);
                line.push(b'\n');
                put(&line)
            };
            (snapshot.export(what, &mut put_line), "lines")
        }
        None => (snapshot.export_scip(min_confidence, &mut put), "files"),
    };
    let failed = failed.or_else(|| written.is_ok().then(|| out.flush().err()).flatten());
    if let Some(error) = failed {
        return Err(match &args.out {
            Some(path) => Problem::io("write", path, &error).into(),
            None => error.into(),
        });
    }
    let count = written?;
    context.note(&format!("{count} {unit}"));
    output::basis(
        context,
        &serde_json::json!({
            "basis": snapshot.basis(),
            "source": if context.when()? == asof::When::Now { "NOW" } else { "AS_OF" },
        }),
    )
}

/// Where the export goes.
fn destination(args: &ExportArgs) -> anyhow::Result<BufWriter<Box<dyn Write>>> {
    Ok(BufWriter::new(match &args.out {
        None => Box::new(io::stdout()),
        Some(path) => {
            Box::new(File::create(path).map_err(|error| Problem::io("create", path, &error))?)
        }
    }))
}
