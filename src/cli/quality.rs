//! `asof quality`: grades of functions, technical debt, and changes of both.

use asof_model::ErrorKind;
use asof_wire::{
    QualityChange, QualityChanges, QualityFigures, QualityItem, QualityLimits, QualityReport,
    QualitySummary,
};
use clap::Args;

use super::ask;
use super::context::Context;
use super::globals::Format;
use super::output;
use super::table::Sheet;
use super::terminal;
use asof_surface::problem::Problem;
use asof_surface::questions::Request;
use asof_surface::questions::quality::{GradesRequest, QUALITY};
use asof_surface::text::quality::{costs, summary};

/// Grade functions, and list the worst, technical debt and what became worse
///
/// Each function has a score from 0 to 100, made of cyclomatic and cognitive complexity, length,
/// nesting, parameters and technical debt that its comments admit. docs/quality.md defines the
/// metrics. With a limit (--min-grade, --max-…), only functions beyond one of them are listed.
/// `--format sarif` lists all of these and all debt as SARIF 2.1.0; limits have defaults there.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof quality
  asof quality asof::wire --worst 5
  asof quality src --exclude-tests --max-complexity 15
  asof quality --since -1h
  asof quality --min-grade F --check       exit code 8 if a function is beyond a limit
  asof quality --format sarif")]
pub struct QualityArgs {
    #[command(flatten)]
    request: GradesRequest,
    /// List the N functions with the lowest scores, and as many markers and changes; 0 lists all
    #[arg(short = 'n', long, visible_alias = "limit", value_name = "N", default_value_t = 10)]
    worst: usize,
    /// Fail with exit code 8 if a function is beyond a limit
    #[arg(long)]
    check: bool,
}

pub fn run(context: &Context, args: QualityArgs) -> anyhow::Result<()> {
    let mut request = args.request;
    if args.check && request.limits == QualityLimits::default() {
        let hint = "give one: `--min-grade`, `--max-complexity`, …";
        return Err(Problem::bad_request("`--check` needs a limit", hint).into());
    }
    request.limit = (args.worst > 0).then_some(args.worst);
    if context.is_sarif() {
        if request.since.is_some() {
            let hint = "compare the reports of two moments: their fingerprints stay the same";
            return Err(
                Problem::bad_request("`--since` cannot be combined with SARIF", hint).into()
            );
        }
        request.find_files(&|file| context.file(file));
        let database = context.database_at()?;
        let snapshot = context.snapshot(&database)?;
        return output::json(context, &snapshot.quality_sarif(&request.into())?);
    }
    let report = ask::answer(context, &QUALITY, request)?;
    match context.format() {
        Format::Text | Format::Markdown if context.fields().is_empty() => {
            output::print(context, &prose(context.format(), &report))?;
            output::basis(context, &serde_json::to_value(&report)?)?;
        }
        _ => output::listing(context, &report, QUALITY.listing)?,
    }
    if !args.check || report.answer.total == 0 {
        return Ok(());
    }
    let functions = output::plural(report.answer.total, "function");
    let hint = "make them simpler, or raise the limit";
    Err(Problem::new(ErrorKind::Check, format!("{functions} beyond a limit"), hint).into())
}

/// The report as text or Markdown.
fn prose(format: Format, report: &QualityReport) -> String {
    let mut out = Sections { format, out: String::new() };
    out.line(&summary(&report.summary));
    out.table("Grades", &["grade", "functions", ""], grades(&report.summary));
    let items = &report.answer.items;
    let headers = ["grade", "score", "path", "place", "costs", "time"];
    out.table("Lowest scores", &headers, items.iter().map(item).collect());
    let debt = report.satd.iter().map(|debt| {
        let place = format!("{}:{}", debt.file_path, debt.line);
        vec![debt.severity.clone(), debt.text.clone(), place, debt.path.clone()]
    });
    out.table("Technical debt", &["severity", "comment", "place", "item"], debt.collect());
    let shown = report.satd.len();
    if report.summary.total_satd > shown {
        out.line(&format!("… {} more", report.summary.total_satd - shown));
    }
    if let Some(changes) = &report.changes {
        changed(&mut out, changes);
    }
    out.out
}

fn changed(out: &mut Sections, changes: &QualityChanges) {
    let at = changes.from.at.as_deref().unwrap_or("the beginning");
    out.heading(&format!("Since {at}"));
    out.line(&format!(
        "{} worse, {} better, {} new, {} gone; then: {}",
        changes.worse_total,
        changes.better_total,
        changes.added_total,
        changes.removed_total,
        summary(&changes.summary),
    ));
    let headers = ["score", "grade", "complexity", "path", "file"];
    for (title, list) in
        [("Worse", &changes.worse), ("Better", &changes.better), ("New", &changes.added)]
    {
        out.table(title, &headers, list.iter().map(change).collect());
    }
}

/// Parts of a report, in the form of text or Markdown.
struct Sections {
    format: Format,
    out: String,
}

impl Sections {
    fn heading(&mut self, title: &str) {
        let bold = anstyle::Style::new().bold();
        self.out.push_str(&match self.format {
            Format::Markdown => format!("\n### {title}\n\n"),
            _ => format!("\n{bold}{title}{bold:#}\n"),
        });
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A table with a title; nothing if it has no rows.
    fn table(&mut self, title: &str, headers: &[&str], rows: Vec<Vec<String>>) {
        if rows.is_empty() {
            return;
        }
        self.heading(title);
        let sheet = Sheet { headers: headers.iter().map(|h| (*h).to_owned()).collect(), rows };
        self.out.push_str(&match self.format {
            Format::Markdown => sheet.markdown(),
            _ => sheet.text(terminal::width()),
        });
    }
}

/// Grades with a bar for the share of each.
fn grades(summary: &QualitySummary) -> Vec<Vec<String>> {
    const WIDTH: usize = 40;
    let row = |count: &asof_wire::GradeCount| {
        let share = (count.functions * WIDTH).div_ceil(summary.functions.max(1));
        vec![count.grade.clone(), count.functions.to_string(), "█".repeat(share)]
    };
    summary.grades.iter().map(row).collect()
}

fn item(item: &QualityItem) -> Vec<String> {
    vec![
        item.tdg_grade.clone(),
        format!("{:.1}", item.tdg_score),
        item.path.clone(),
        format!("{}:{}", item.file_path, item.line),
        costs(item),
        item.big_o.clone(),
    ]
}

fn change(change: &QualityChange) -> Vec<String> {
    let both = |of: &dyn Fn(&QualityFigures) -> Option<String>| {
        let side = |side: &Option<QualityFigures>| side.as_ref().and_then(of);
        match (side(&change.before), side(&change.after)) {
            (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
            (before, after) => after.or(before).unwrap_or_default(),
        }
    };
    let path = match &change.previous_path {
        Some(before) => format!("{before} → {}", change.path),
        None => change.path.clone(),
    };
    vec![
        both(&|figures| figures.tdg_score.map(|score| format!("{score:.1}"))),
        both(&|figures| figures.tdg_grade.clone()),
        both(&|figures| figures.complexity.map(|n| n.to_string())),
        path,
        change.file_path.clone(),
    ]
}
