//! `asof export tables`: facts as Parquet tables for other engines.

use std::path::PathBuf;

use asof::TablesRequest;
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::output;

/// Export facts as tables with intervals of time, for engines such as DuckDB and Spark
///
/// The folder holds one folder of Parquet files for each table, partitioned by project. Many
/// projects may be exported to one folder, also side by side. What an earlier export has written is
/// kept; files that it does not need any more stay where they are. Readers trust only what the
/// newest row of the table `export` lists. docs/tables.md describes the tables.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof export tables --out tables
  asof export tables --out lake --delta --source https://example.com/demo.git")]
pub struct ExportTablesArgs {
    /// Folder of the tables
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    out: PathBuf,
    /// Write the logs of Delta Lake, too; on by itself in a folder that has them
    #[arg(long)]
    delta: bool,
    /// Name of the project in the tables [default: that of the workspace]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where the project's packages come from, such as the address of its repository: part of every
    /// symbol [default: `project:` and its name]
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
}

pub fn run(context: &Context, args: &ExportTablesArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let report = snapshot.export_tables(&TablesRequest {
        folder: &args.out,
        project: args.name.as_deref(),
        source: args.source.as_deref(),
        delta: args.delta,
    })?;
    match context.format() {
        Format::Json => return output::json(context, &report),
        Format::Text if context.quiet() => return Ok(()),
        _ => {}
    }
    let columns = &[
        ("table", "{table}"),
        ("rows", "{rows}"),
        ("files", "{files}"),
        ("bytes", "{bytes}"),
        ("new bytes", "{new_bytes}"),
    ];
    let listing = serde_json::json!({ "items": report.tables, "basis": report.basis });
    output::rows(context, &listing, columns)?;
    if report.from_scratch {
        output::warn(context, "the past changed since the last export: all files are new");
    }
    context.note(&if report.unchanged {
        format!("{}: nothing new since export {}", report.project, report.sequence)
    } else {
        format!(
            "{}: export {}, {} rows, {} bytes, {} of them new",
            report.project, report.sequence, report.rows, report.bytes, report.new_bytes
        )
    });
    Ok(())
}
