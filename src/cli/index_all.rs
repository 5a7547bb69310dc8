//! `asof project index-all`: indexes all workspaces of a folder or a list.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use asof::Reach;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::globals::Format;
use super::registry::registry;
use super::{input, interrupt, output};
use asof_model::{ErrorKind, OrNever};
use asof_surface::problem::Problem;

/// Index many workspaces, and export them as tables
///
/// Each is indexed and exported by processes of its own, so that one that fails does not stop the
/// others. A second run continues: what is indexed and exported is only brought up to date, and
/// with `--done` what an earlier run finished is left out. Failures are listed at the end.
#[derive(Debug, Args)]
pub struct IndexAllArgs {
    /// Folder with workspaces in and below it, or a file with a workspace on each line: its folder
    /// or, before it and a tab, a name
    #[arg(value_name = "DIR|LIST", value_hint = clap::ValueHint::AnyPath)]
    place: PathBuf,
    /// Work on N workspaces at once [default: one per core]
    #[arg(long, short, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Import the newest N Git commits of each, 0 for none
    #[arg(long, value_name = "N", default_value_t = 0)]
    history: u32,
    /// Export each to this folder of tables, as `asof export tables --out DIR` does
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    tables: Option<PathBuf>,
    /// Write the logs of Delta Lake, too
    #[arg(long, requires = "tables")]
    delta: bool,
    /// Keep in this file what is finished, and leave out what it lists
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    done: Option<PathBuf>,
}

/// What became of a workspace: a line of the file of `--done`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Outcome {
    project: String,
    root: PathBuf,
    ok: bool,
    /// Last lines of what the process that failed printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    ms: u64,
}

pub fn run(context: &Context, args: &IndexAllArgs) -> anyhow::Result<()> {
    let (all, notes) = found(&args.place)?;
    notes.iter().for_each(|note| output::warn(context, note));
    let before = args.done.as_deref().map(finished).transpose()?.unwrap_or_default();
    let total = all.len();
    let queue: VecDeque<(String, PathBuf)> = all
        .into_iter()
        .filter(|(name, root)| !before.contains(&(name.clone(), root.clone())))
        .collect();
    let left_out = total - queue.len();
    let mut log = None;
    if let Some(path) = &args.done {
        let file = OpenOptions::new().create(true).append(true).open(path);
        log = Some(file.map_err(|error| Problem::io("write", path, &error))?);
    }
    let own = std::env::current_exe().map_err(|error| {
        let hint = "run `asof` by its path";
        Problem::new(ErrorKind::Failure, format!("cannot find this program: {error}"), hint)
    })?;
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok());
    let jobs = jobs.map_or(1, usize::from).min(queue.len().max(1));
    let stop = interrupt::flag();
    let (queue, outcomes, log) = (Mutex::new(queue), Mutex::new(Vec::new()), Mutex::new(log));
    let unwritten = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((name, root)) = next else { break };
                    let outcome = index_project(&own, name, root, args);
                    if stop.load(Ordering::Relaxed) && !outcome.ok {
                        break;
                    }
                    let mark = if outcome.ok { "done" } else { "failed" };
                    context.note(&format!("{mark} {} ({} ms)", outcome.project, outcome.ms));
                    if let Some(log) = log.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                        let mut line =
                            serde_json::to_string(&outcome).or_never("an outcome is plain data");
                        line.push('\n');
                        if log.write_all(line.as_bytes()).is_err() {
                            unwritten.store(true, Ordering::Relaxed);
                        }
                    }
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by(|a, b| a.root.cmp(&b.root));
    let failed: Vec<Outcome> = outcomes.iter().filter(|outcome| !outcome.ok).cloned().collect();
    if unwritten.load(Ordering::Relaxed) {
        output::warn(context, "the file of `--done` could not be written");
    }
    report(context, &outcomes, &failed, total, left_out)?;
    if stop.load(Ordering::Relaxed) {
        let hint = "run the same command again to continue";
        return Err(Problem::new(ErrorKind::Interrupted, "interrupted", hint).into());
    }
    if !failed.is_empty() {
        let message = format!("{} of {total} workspaces failed", failed.len());
        let hint = "correct what is listed, and run the same command again";
        return Err(Problem::new(ErrorKind::Failure, message, hint).into());
    }
    Ok(())
}

fn report(
    context: &Context,
    outcomes: &[Outcome],
    failed: &[Outcome],
    total: usize,
    left_out: usize,
) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        let answer = serde_json::json!({
            "total": total, "finished_before": left_out, "done": outcomes.len() - failed.len(),
            "failed": failed, "items": outcomes,
        });
        return output::json(context, &answer);
    }
    let listing = serde_json::json!({ "items": failed });
    if !failed.is_empty() {
        let columns = &[("project", "{project}"), ("root", "{root}"), ("error", "{error}")];
        output::rows(context, &listing, columns)?;
    }
    let done = outcomes.len() - failed.len();
    let rest = match left_out {
        0 => String::new(),
        _ => format!(", {left_out} finished before"),
    };
    context.note(&format!("{total} workspaces: {done} done, {} failed{rest}", failed.len()));
    Ok(())
}

/// Bytes of a list of workspaces.
const MAX_LIST: u64 = 64 << 20;

/// Roots of workspaces with their names.
type Named = Vec<(String, PathBuf)>;

/// The workspaces in a folder or a list, with what could not be read.
fn found(place: &Path) -> anyhow::Result<(Named, Vec<String>)> {
    if place.is_dir() {
        let list = registry()?.discover(place, Reach::default())?;
        let mut notes = list.notes;
        if list.truncated {
            notes.push("the search ended at a limit; there may be more".to_owned());
        }
        let items = list.items.into_iter().map(|item| (item.name, PathBuf::from(item.root)));
        return Ok((items.collect(), notes));
    }
    let (name, bytes) = input::read(place, MAX_LIST)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Problem::bad_request(format!("{name} is not UTF-8"), "give a folder, or a list of folders")
    })?;
    let mut items: BTreeMap<String, PathBuf> = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (name, root) = match line.split_once('\t') {
            Some((name, root)) => (name.trim().to_owned(), PathBuf::from(root.trim())),
            None => {
                let root = PathBuf::from(line);
                let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
                (name.unwrap_or_default(), root)
            }
        };
        if let Some(other) = items.insert(name.clone(), root) {
            let message = format!("two workspaces are named `{name}`; one is {}", other.display());
            return Err(
                Problem::bad_request(message, "put a name and a tab before the folder").into()
            );
        }
    }
    Ok((items.into_iter().collect(), Vec::new()))
}

/// What earlier runs finished.
fn finished(path: &Path) -> anyhow::Result<BTreeSet<(String, PathBuf)>> {
    if !path.try_exists()? {
        return Ok(BTreeSet::new());
    }
    let (_, bytes) = input::read(path, MAX_LIST)?;
    let mut done = BTreeSet::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        // The last line of a run that was killed may be cut off.
        let Ok(outcome) = serde_json::from_slice::<Outcome>(line) else { continue };
        if outcome.ok {
            done.insert((outcome.project, outcome.root));
        }
    }
    Ok(done)
}

/// Indexes and exports one workspace.
fn index_project(own: &Path, project: String, root: PathBuf, args: &IndexAllArgs) -> Outcome {
    let started = Instant::now();
    let mut index = Command::new(own);
    index.arg("index").arg(&root).arg("--quiet");
    if args.history > 0 && root.join(".git").exists() {
        index.args(["--history", "--max"]).arg(args.history.to_string());
    }
    let mut error = failure_of(index);
    if let (None, Some(folder)) = (&error, &args.tables) {
        let mut export = Command::new(own);
        export.args(["export", "tables", "--no-refresh", "--quiet", "--out"]).arg(folder);
        export.arg("--name").arg(&project).arg("--root").arg(&root);
        if args.delta {
            export.arg("--delta");
        }
        error = failure_of(export);
    }
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Outcome { project, root, ok: error.is_none(), error, ms }
}

/// Runs a process to its end. The message if it fails.
fn failure_of(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
            let last = lines.get(lines.len().saturating_sub(3)..).unwrap_or_default().join("; ");
            Some(if last.is_empty() { output.status.to_string() } else { last })
        }
        Err(error) => Some(error.to_string()),
    }
}
