//! `asof index`: creates or refreshes the database, and imports Git history.

use std::path::{Path, PathBuf};
use std::time::Duration;

use asof::{Database, EngineError, Origin, Recreated, When};
use asof_index::{IndexError, Memory, Options};
use asof_model::Micros;
use asof_store::StoreError;
use asof_wire::HistoryReport;
use asof_wire::IndexReport;
use asof_workspace::Selection;
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::index_from::FromArgs;
use super::interrupt;
use super::output;
use super::output::plural;
use super::progress::{Bars, duration, name};
use super::start::{StartArgs, discard};

/// Create the database of a workspace, or bring it up to date with the files
///
/// Only files that changed are read and parsed. The result is one revision, written in one
/// transaction: an interrupted run leaves the previous state.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof index                      the workspace of this folder
  asof index fixtures/reexports   the workspace of another folder
  asof index --history            import all earlier Git commits first
  asof index --history HEAD~5..HEAD --max 500
  asof index --rebuild            parse every file again; a damaged database is set aside
  asof index --from-scratch       even if another worktree of the repository has a database
  asof index --from ../bundles    begin with the nearest bundle of a folder (asof backup bundle)
  asof index --from ../bundles --fallback --verify all")]
pub struct IndexArgs {
    /// Folder of a Cargo workspace, a package, or Rust files; counts from `--root`, if given
    path: Option<PathBuf>,
    /// Parse every file again; a database that cannot be read is renamed and kept
    #[arg(long)]
    rebuild: bool,
    /// Number of parser threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Who runs this; recorded with the revision
    #[arg(long)]
    actor: Option<String>,
    /// Why; recorded with the revision
    #[arg(short, long)]
    message: Option<String>,
    /// Import Git commits along first parents, one revision each: `A..B`, a branch, a tag, a
    /// commit, or HEAD
    #[arg(long, value_name = "RANGE", num_args = 0..=1, default_missing_value = "HEAD")]
    history: Option<String>,
    /// With --history: all commits (the default)
    #[arg(long, requires = "history", conflicts_with_all = ["since", "max"])]
    all: bool,
    /// With --history: not before this date (2024-01-31, UTC), time (RFC 3339) or age (30d)
    #[arg(long, requires = "history", value_name = "DATE", value_parser = day)]
    since: Option<i64>,
    /// With --history: at most the newest N
    #[arg(long, requires = "history", value_name = "N")]
    max: Option<usize>,
    /// Seconds to wait while another process writes
    #[arg(long, value_name = "SECS", default_value_t = 30)]
    wait: u32,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    from: FromArgs,
}

pub fn run(context: &Context, args: &IndexArgs) -> anyhow::Result<()> {
    let root = match &args.path {
        Some(path) => context.under_root(path),
        None => context.noted_root(),
    };
    let options = Options {
        rebuild: args.rebuild,
        threads: args.threads.map(usize::from),
        actor: args.actor.clone(),
        message: args.message.clone(),
        lock_wait: Duration::from_secs(u64::from(args.wait)),
        stop: interrupt::flag(),
        memory: Some(Memory::of_last_run()),
        ..Options::default()
    };
    let bars = Bars::new(context.quiet());
    let from_bundle = args.from.index(context, &root, &options, &bars);
    bars.finish();
    if let Some(report) = from_bundle? {
        return tell(context, &report);
    }
    let opened = if args.rebuild {
        open_to_rebuild(context, &root, options.lock_wait)
            .map(|database| (database, Origin::Existing))
    } else {
        args.start.open(context, &root, &bars)
    };
    bars.finish();
    let (mut database, origin) = opened?;
    if let Some(range) = &args.history {
        let (since, max) = (args.since, args.max);
        let selection = Selection { range: Some(range.clone()), since, max };
        let report = database.import_history(&selection, &options, &bars);
        bars.finish();
        return tell_history(context, &report?);
    }
    let mut report = database.refresh(&options, &bars);
    if args.rebuild
        && let Err(EngineError::Index(IndexError::Store(error @ StoreError::Corrupt { .. })))
        | Err(EngineError::Store(error @ StoreError::Corrupt { .. })) = &report
    {
        // Pages that are sound may have rows that cannot be read.
        drop(database);
        database = set_aside(context, &root, options.lock_wait, error)?;
        report = database.refresh(&options, &bars);
    }
    bars.finish();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            drop(database);
            // Another run would fail in the same way: nobody writes into what is removed.
            if matches!(error, EngineError::Index(IndexError::Workspace(_))) {
                discard(&root, &origin);
            }
            return Err(error.into());
        }
    };
    let copied_from = match origin {
        Origin::Copy { of } => Some(of.display().to_string()),
        Origin::Existing | Origin::Empty { .. } => None,
    };
    tell(context, &IndexReport { copied_from, ..report })
}

/// A day, time or age in seconds since 1970.
fn day(text: &str) -> Result<i64, String> {
    let at = match When::parse(text) {
        Ok(When::At(at)) => Some(at.0),
        Ok(When::Ago(ago)) => Some(Micros::now().0.saturating_sub(ago)),
        _ => asof_wire::age(text).map(|ago| Micros::now().0.saturating_sub(ago)),
    };
    at.map(|at| at.div_euclid(1_000_000)).ok_or_else(|| {
        "give a date (2024-01-31, UTC), a time (RFC 3339) or an age (30d, 6months)".to_owned()
    })
}

fn tell_history(context: &Context, report: &HistoryReport) -> anyhow::Result<()> {
    const SHOWN: usize = 5;
    for problem in report.problems.iter().take(SHOWN) {
        let commit: String = problem.commit.chars().take(10).collect();
        output::warn(context, &format!("commit {commit}: {}", problem.message));
    }
    if let Some(more @ 1..) = report.problems.len().checked_sub(SHOWN) {
        let commits = plural(more, "more commit");
        let text = format!("problems with {commits} (`--format json` lists them)");
        output::warn(context, &text);
    }
    if report.moved > 0 {
        let commits = plural(report.moved, "commit");
        output::warn(
            context,
            &format!(
                "the dates of {commits} are out of order, in the future or invalid; their \
                 revisions follow those of their parents, and `asof log` shows both times"
            ),
        );
    }
    if report.skipped > 0 {
        let commits = plural(report.skipped, "commit");
        output::warn(
            context,
            &format!(
                "{commits} skipped: between existing revisions, so that answers about the past do \
                 not change"
            ),
        );
    }
    if report.below_floor > 0 {
        let commits = plural(report.below_floor, "commit");
        output::warn(
            context,
            &format!(
                "{commits} skipped: older than what `asof gc` keeps; queries about them are refused"
            ),
        );
    }
    if context.format() != Format::Text {
        return output::record(context, report);
    }
    if context.quiet() {
        Ok(())
    } else {
        output::print(context, &format!("{}\n", history_line(report)))
    }
}

/// Summary of an import, in one line.
fn history_line(report: &HistoryReport) -> String {
    let commits = |count: usize| plural(count, "commit");
    let skipped = report.skipped + report.below_floor;
    let mut out = match (report.imported, report.known) {
        (0, 0) => format!("imported none of {}", commits(report.selected)),
        (0, known) => format!("nothing to import: {} imported before", commits(known)),
        (imported, known) => {
            let revisions = plural(report.revisions, "revision");
            let before = if known == 0 { "" } else { &format!(", {known} before") };
            format!("imported {} as {revisions}{before}", commits(imported))
        }
    };
    if skipped > 0 {
        out.push_str(&format!(", {skipped} skipped"));
    }
    format!("{out}; {}", duration(report.ms))
}

fn open_to_rebuild(
    context: &Context,
    root: &Path,
    lock_wait: Duration,
) -> Result<Database, EngineError> {
    let opened = Database::create_or_open(root).and_then(|database| {
        // Opening does not read every page.
        database.verify_pages()?;
        Ok(database)
    });
    match opened {
        Err(EngineError::Store(
            error @ (StoreError::NotADatabase { .. }
            | StoreError::Corrupt { .. }
            | StoreError::SchemaVersion { .. }),
        )) => set_aside(context, root, lock_wait, &error),
        outcome => outcome,
    }
}

/// An empty database in the place of one that cannot be used.
fn set_aside(
    context: &Context,
    root: &Path,
    lock_wait: Duration,
    error: &StoreError,
) -> Result<Database, EngineError> {
    let Recreated { database, old } = Database::recreate(root, lock_wait)?;
    let kept = old.map_or_else(
        || "another process has replaced it".to_owned(),
        |old| format!("it is kept as {}", old.display()),
    );
    output::warn(context, &format!("{error}; {kept}"));
    Ok(database)
}

/// Report of a run.
pub fn tell(context: &Context, report: &IndexReport) -> anyhow::Result<()> {
    if context.format() != Format::Text {
        return output::record(context, report);
    }
    if context.quiet() {
        return Ok(());
    }
    let total: f64 = report.phases.iter().map(|(_, ms)| ms).sum();
    let items: usize = report.items.values().sum();
    let items = if items == 0 { String::new() } else { format!("; {}", plural(items, "item")) };
    let mut out = format!("{}{items}; {}\n", headline(report), duration(total));
    let mut line = |name: &str, text: String| {
        if !text.is_empty() {
            out.push_str(&format!("{name:<8}{text}\n"));
        }
    };
    let counts = |map: &std::collections::BTreeMap<String, usize>| {
        let total: usize = map.values().sum();
        let parts = map.iter().map(|(name, count)| format!("{name} {count}"));
        let parts = parts.collect::<Vec<_>>().join(", ");
        if total == 0 { String::new() } else { format!("{total}: {parts}") }
    };
    if context.is_full() {
        line("items", counts(&report.items));
        line("rows", counts(&report.rows));
        let phases = report.phases.iter().map(|(phase, ms)| format!("{} {ms:.1}", name(*phase)));
        line("time", format!("{total:.1} ms: {}", phases.collect::<Vec<_>>().join(", ")));
    }
    let issues = match report.issues {
        0 => String::new(),
        count => format!("{count} (`asof inspect issues` lists them)"),
    };
    line("issues", issues);
    output::print(context, &out)?;
    let is_first = report.changed.is_empty() && report.removed.is_empty();
    if is_first && report.files > 0 && report.added.len() >= report.files {
        context.note("next: `asof search WORDS`, `asof outline .`, `asof index --history`");
    }
    Ok(())
}

/// Summary of a revision, in one line.
pub fn headline(report: &IndexReport) -> String {
    let files = plural(report.files, "file");
    let revision = match &report.revision {
        Some(revision) => revision.to_string().chars().take(8).collect::<String>(),
        None => return format!("up to date: {files}"),
    };
    let changes = [
        ("added", report.added.len()),
        ("changed", report.changed.len()),
        ("removed", report.removed.len()),
    ];
    let changes: Vec<String> = changes
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let changes = if changes.is_empty() { "no file changed".into() } else { changes.join(", ") };
    format!(
        "revision {revision}: {files}, {changes}; {} parsed, {} lines",
        report.parsed, report.lines
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_reported_in_one_line() {
        let report = HistoryReport { selected: 12, imported: 9, ..HistoryReport::default() };
        let all = HistoryReport { revisions: 8, known: 1, skipped: 2, ms: 83_500.0, ..report };
        assert_eq!(
            history_line(&all),
            "imported 9 commits as 8 revisions, 1 before, 2 skipped; 1 min 24 s"
        );
        let again = HistoryReport { selected: 1, known: 1, ms: 12.3, ..HistoryReport::default() };
        assert_eq!(history_line(&again), "nothing to import: 1 commit imported before; 12 ms");
    }
}
