//! `asof verify`: checks claims about code.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use asof_files::plain::Links;
use asof_wire::{ClaimRequest, ClaimStatistics};
use clap::Args;
use indicatif::ProgressBar;

use super::ask;
use super::context::Context;
use super::globals::Format;
use super::interrupt;
use super::output::{self, plural};
use asof_model::ErrorKind;
use asof_surface::problem::Problem;
use asof_surface::questions::search::VERIFY;
use asof_surface::text::claims::verdict;

/// Malformed lines that text lists.
const LISTED: usize = 20;

/// Check a claimed answer to a question about the code
///
/// Questions for text (`find all lines containing "x"`, `count …`) are checked by a text search,
/// questions about items (`signature of f`, `who calls f`, `fields of T`, `does f call g`, `when did
/// f last change`) by queries. Explanations cannot be checked. An answer is refuted only by facts
/// that are sure; docs/oracle.md lists the questions and the verdicts.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof verify --query 'return type of asof::When::parse' --answer 'Result<When, UnreadableMoment>'
  asof verify --query 'who calls asof_wire::moment::unreadable?' --answer '`asof::When::parse`'
  asof verify --query 'count \"fn \"' --answer 2 --file src/main.rs --format json
  asof verify --query 'is asof::When used?' --answer yes --at -1h
  asof verify --batch traces.jsonl --out golden.jsonl --failed failed.jsonl")]
pub struct VerifyArgs {
    /// The question
    #[arg(
        long,
        allow_hyphen_values = true,
        required_unless_present = "batch",
        conflicts_with = "batch"
    )]
    query: Option<String>,
    /// The claimed answer
    #[arg(
        long,
        allow_hyphen_values = true,
        required_unless_present = "batch",
        conflicts_with = "batch"
    )]
    answer: Option<String>,
    /// Only this file: a path, the end of one, or a glob pattern
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    file: Option<String>,
    /// The item that the question is about
    #[arg(long, value_name = "PATH", conflicts_with = "batch")]
    path: Option<String>,
    /// Exit with code 1 unless the answer is right and complete
    #[arg(long, conflicts_with = "batch")]
    exit_code: bool,
    /// Check traces: one JSON object a line with `query` and `answer`, and optionally `source_path`,
    /// `path` and `at`; `-` is standard input
    #[arg(long, value_name = "JSONL")]
    batch: Option<PathBuf>,
    /// Write the right ones to this file
    #[arg(long, value_name = "JSONL", requires = "batch")]
    out: Option<PathBuf>,
    /// Write the others to this file, with their verdicts
    #[arg(long, value_name = "JSONL", requires = "batch")]
    failed: Option<PathBuf>,
}

pub fn run(context: &Context, args: &VerifyArgs) -> anyhow::Result<()> {
    match (&args.batch, &args.query, &args.answer) {
        (Some(batch), ..) => many(context, args, batch),
        (None, Some(query), Some(answer)) => verify_claim(context, args, query, answer),
        _ => Err(Problem::bad_request("a question and an answer are needed", "give both").into()),
    }
}

fn verify_claim(
    context: &Context,
    args: &VerifyArgs,
    query: &str,
    answer: &str,
) -> anyhow::Result<()> {
    let claim = ClaimRequest {
        query: query.to_owned(),
        answer: answer.to_owned(),
        file_path: args.file.clone(),
        path: args.path.clone(),
    };
    let checked = ask::answer(context, &VERIFY, claim)?;
    match context.format() {
        Format::Text | Format::Markdown => {
            output::print(context, &verdict(&checked))?;
            output::basis(context, &serde_json::to_value(&checked)?)?;
        }
        _ => output::record(context, &checked)?,
    }
    if args.exit_code && !checked.golden {
        let message = format!("the answer is not confirmed: {}", checked.verdict.name());
        return Err(Problem::new(ErrorKind::NoMatch, message, "").into());
    }
    Ok(())
}

fn many(context: &Context, args: &VerifyArgs, batch: &Path) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let from: Box<dyn Read> = if batch.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(
            asof_files::plain::open(batch, Links::Follow)
                .map_err(|error| Problem::io("read", batch, &io::Error::from(error)))?,
        )
    };
    let golden = Out::new(args.out.as_deref())?;
    let failed = Out::new(args.failed.as_deref())?;
    let bar = if context.quiet() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    bar.enable_steady_tick(Duration::from_millis(200));
    let stop = interrupt::flag();
    let statistics = snapshot.check_claims(
        &mut BufReader::with_capacity(1 << 20, from),
        &mut golden.writer()?,
        &mut failed.writer()?,
        &mut |lines| {
            bar.set_message(plural(usize::try_from(lines).unwrap_or(usize::MAX), "claim"));
            !stop.load(Ordering::Relaxed)
        },
    );
    bar.finish_and_clear();
    let statistics = statistics?;
    golden.keep()?;
    failed.keep()?;
    match context.format() {
        Format::Text | Format::Markdown => output::print(context, &counts(&statistics))?,
        _ => output::record(context, &statistics)?,
    }
    if stop.load(Ordering::Relaxed) {
        let message = "interrupted; what was checked so far is written";
        return Err(
            Problem::new(ErrorKind::Interrupted, message, "run it again for the rest").into()
        );
    }
    Ok(())
}

fn counts(statistics: &ClaimStatistics) -> String {
    let rate = 100.0 * statistics.golden_rate;
    let total = usize::try_from(statistics.total).unwrap_or(usize::MAX);
    let mut out =
        format!("{}: {} golden ({rate:.1} %)\n", plural(total, "claim"), statistics.golden);
    for (verdict, n) in &statistics.by_verdict {
        out.push_str(&format!("  {verdict}  {n}\n"));
    }
    if statistics.malformed > 0 {
        let lines = usize::try_from(statistics.malformed).unwrap_or(usize::MAX);
        out.push_str(&format!("{} skipped:\n", plural(lines, "malformed line")));
        for line in statistics.malformed_lines.iter().take(LISTED) {
            out.push_str(&format!("  line {}: {}\n", line.line, line.problem));
        }
    }
    out
}

/// A file that appears at its path when it is complete.
struct Out<'a>(Option<(&'a Path, tempfile::NamedTempFile)>);

impl<'a> Out<'a> {
    fn new(path: Option<&'a Path>) -> Result<Self, Problem> {
        let Some(path) = path else { return Ok(Self(None)) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
        let file = file.map_err(|error| Problem::io("write", path, &error))?;
        Ok(Self(Some((path, file))))
    }

    fn writer(&self) -> Result<Box<dyn Write>, Problem> {
        Ok(match &self.0 {
            None => Box::new(io::sink()),
            Some((path, file)) => {
                let file = file.reopen().map_err(|error| Problem::io("write", path, &error))?;
                Box::new(BufWriter::new(file))
            }
        })
    }

    fn keep(self) -> Result<(), Problem> {
        let Some((path, file)) = self.0 else { return Ok(()) };
        let kept = file.persist(path);
        kept.map(drop).map_err(|error| Problem::io("write", path, &error.error))
    }
}
