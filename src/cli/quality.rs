//! `asof quality`.

use asof::model::NodeKind;
use asof::syntax::GRADES;
use asof::wire::{
    QualityChange, QualityChanges, QualityFigures, QualityItem, QualityLimits, QualityReport,
    QualityRequest, QualitySummary, Tests,
};
use asof::{Refresh, When};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::context::Context;
use super::failure::Failure;
use super::globals::Format;
use super::output::{self, Listing};
use super::table::Sheet;
use super::terminal;
use crate::surface::text::quality::{costs, summary};

const ITEM: Listing<'_> = Listing {
    columns: &[
        ("grade", "{tdg_grade}"),
        ("score", "{tdg_score}"),
        ("path", "{path}"),
        ("place", "{file_path}:{line}"),
        ("complexity", "{complexity}"),
        ("cognitive", "{cognitive}"),
        ("nesting", "{nesting}"),
        ("lines", "{code_lines}"),
        ("parameters", "{parameters}"),
        ("debt", "{satd_count}"),
        ("time", "{big_o}"),
        ("kind", "{kind}"),
    ],
    keys: "id path kind file_path line end_line in_test tdg_score tdg_grade complexity cognitive \
           nesting parameters loc code_lines comment_lines big_o big_o_reason satd_count components",
};

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
  asof quality --format sarif")]
pub struct QualityArgs {
    /// Only this item with its contents, this module, file or folder
    path: Option<String>,
    /// Also list what became worse and better since a moment, given as for --at
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    since: Option<String>,
    /// List the N functions with the lowest scores, and as many markers and changes; 0 lists all
    #[arg(short = 'n', long, visible_alias = "limit", value_name = "N", default_value_t = 10)]
    worst: usize,
    /// Only items of this kind: function or method
    #[arg(long, value_parser = super::resolve::kind)]
    kind: Option<NodeKind>,
    /// Only files of this package
    #[arg(long)]
    package: Option<String>,
    /// Leave out test code
    #[arg(long)]
    exclude_tests: bool,
    /// List functions with a lower grade than this
    #[arg(long, value_name = "GRADE", value_parser = grade_parser())]
    min_grade: Option<String>,
    /// List functions with a higher cyclomatic complexity
    #[arg(long, value_name = "N")]
    max_complexity: Option<u32>,
    /// List functions with a higher cognitive complexity
    #[arg(long, value_name = "N")]
    max_cognitive: Option<u32>,
    /// List functions with more lines of code
    #[arg(long, value_name = "N")]
    max_lines: Option<u32>,
    /// List functions with deeper nesting
    #[arg(long, value_name = "N")]
    max_nesting: Option<u32>,
    /// List functions with more parameters
    #[arg(long, value_name = "N")]
    max_parameters: Option<u32>,
}

pub fn run(context: &Context, args: &QualityArgs) -> anyhow::Result<()> {
    let request = request(context, args);
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    if context.is_sarif() {
        if args.since.is_some() {
            let hint = "compare the reports of two moments: their fingerprints stay the same";
            return Err(Failure::usage("`--since` cannot be combined with SARIF", hint).into());
        }
        return output::json(context, &snapshot.quality_sarif(&request)?);
    }
    let since = args.since.as_deref().map(When::parse).transpose()?;
    // The earlier moment comes second: NOW is brought up to date once.
    let since = since.map(|when| database.snapshot(&when, Refresh::Skip)).transpose()?;
    let report = snapshot.quality(&request, since.as_ref())?;
    match context.format() {
        Format::Text | Format::Markdown if context.fields().is_empty() => {
            output::print(&prose(context.format(), &report))?;
            output::basis(context, &serde_json::to_value(&report)?)
        }
        _ => output::listing(context, &report, ITEM),
    }
}

fn request(context: &Context, args: &QualityArgs) -> QualityRequest {
    let path = args.path.as_ref().map(|path| match path.contains("::") {
        true => path.clone(),
        false => context.file(path),
    });
    QualityRequest {
        path,
        package: args.package.clone(),
        kind: args.kind,
        tests: if args.exclude_tests { Tests::Exclude } else { Tests::Include },
        limits: QualityLimits {
            min_grade: args.min_grade.clone(),
            max_complexity: args.max_complexity,
            max_cognitive: args.max_cognitive,
            max_lines: args.max_lines,
            max_nesting: args.max_nesting,
            max_parameters: args.max_parameters,
        },
        limit: (args.worst > 0).then_some(args.worst),
    }
}

fn grade_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(GRADES.iter().map(|(grade, _)| *grade))
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
    let row = |count: &asof::wire::GradeCount| {
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
