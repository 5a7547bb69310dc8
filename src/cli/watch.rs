//! `asof watch`: refreshes the database when files change.

use std::path::PathBuf;

use asof_index::Memory;
use asof_wire::IndexReport;
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::index;
use super::interrupt;
use super::output;
use super::start::StartArgs;
use asof_surface::watch::{self, Event, Watched};
use asof_surface::workspace::Index;

/// Keep the database up to date while files change, until Ctrl-C
///
/// Prints one line per revision. Changes in `.asof`, `.git` and folders with a CACHEDIR.TAG are
/// ignored. If the database is replaced or removed, it is reopened or created again; if the
/// folder itself is removed, the command ends with an error.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof watch
  asof watch fixtures/reexports --format json")]
pub struct WatchArgs {
    /// Folder of a Cargo workspace, a package, or Rust files
    path: Option<PathBuf>,
    #[command(flatten)]
    start: StartArgs,
}

pub fn run(context: &Context, args: &WatchArgs) -> anyhow::Result<()> {
    let root = args.path.clone().unwrap_or_else(|| context.noted_root());
    let workspace = args.start.workspace(context, root, Index::IfMissing);
    let memory = || Some(Memory::with_parsed());
    let watched = Watched { workspace: &workspace, stop: interrupt::flag(), memory };
    watch::watch(&watched, &mut |event| match event {
        Event::Started { root, report } => {
            tell(context, report, true)?;
            context.note(&format!("watching {}; Ctrl-C stops", root.display()));
            Ok(())
        }
        Event::Updated(report) => tell(context, report, false),
        Event::Warning(text) => {
            output::warn_again(context, text);
            Ok(())
        }
    })
}

fn tell(context: &Context, report: &IndexReport, first: bool) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        return output::print_plain(context, &format!("{}\n", serde_json::to_string(report)?));
    }
    let total: f64 = report.phases.iter().map(|(_, ms)| ms).sum();
    let mut names = report.added.clone();
    names.extend(report.changed.iter().chain(&report.removed).cloned());
    let line = index::headline(report);
    output::print(
        context,
        &if names.is_empty() || first {
            format!("{line}; {total:.1} ms\n")
        } else {
            format!("{line}; {total:.1} ms: {}\n", output::some(&names))
        },
    )
}
