//! `asof search`.

use asof::model::NodeKind;
use asof::wire::{
    DocsHit, Hit, RankBy, SearchAnswer, SearchBy, SearchDocs, SearchMode, SearchRequest,
};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value as Json;

use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};
use crate::surface::text::search::{details, nothing, section_details, summary};

const ITEM: Listing<'_> = Listing {
    columns: &[
        ("score", "{relevance_score}"),
        ("kind", "{kind}"),
        ("path", "{canonical_path}"),
        ("place", "{file_path}:{line}"),
        ("grade", "{tdg_grade}"),
        ("complexity", "{complexity}"),
        ("signature", "{signature}"),
    ],
    keys: "id file_path function_name canonical_path kind signature doc_comment start_line \
           end_line line language tdg_score tdg_grade complexity cognitive big_o satd_count loc \
           relevance_score in_test rank_value matches source features",
};

const FILE: Listing<'_> = Listing {
    columns: &[("score", "{relevance_score}"), ("file", "{file_path}"), ("items", "{items}")],
    keys: "file_path relevance_score items features",
};

const WITH_DOCS: Listing<'_> = Listing {
    columns: &[
        ("tag", "{tag}"),
        ("score", "{relevance_score}"),
        ("kind", "{kind}"),
        ("path", "{path}"),
        ("place", "{file_path}:{line}"),
        ("grade", "{tdg_grade}"),
    ],
    keys: "tag file_path heading level start_line end_line language excerpt mentions id \
           function_name canonical_path kind signature doc_comment line tdg_score tdg_grade \
           complexity cognitive big_o satd_count loc relevance_score in_test source features \
           doc_backlinks path",
};

/// Width of the bar of a score.
const BAR: usize = 10;

/// Search for items by words, a question, or a name, the best first
///
/// Names, containers, paths, signatures, documentation, bodies and comments are searched; `JoinSet`
/// and `join_set` are the words `join` and `set`, too. A name or path (`Router::route`) finds its
/// definition first, even if it is partial or misspelt. Questions are compared with the vectors of
/// items, too, if `asof embed` made some. With --docs, sections of Markdown files and of the
/// documentation of modules are in the same list, marked `[doc]`. docs/search.md defines the
/// ranking.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof search 'how is a moment parsed'
  asof search Database::open
  asof search moment --kind function --exclude-tests
  asof search 'write several files' --files
  asof search 'how is a moment parsed' --docs
  asof search parse --rank-by complexity --limit 5
  asof search 'fn \\w+_range' --regex
  asof search 'text.parse::<Timestamp>(' --literal --format json")]
pub struct SearchArgs {
    /// Words, a question, a name or a path; a pattern with --regex or --literal
    query: String,
    /// What to compare the query with
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    #[arg(conflicts_with_all = ["regex", "literal"])]
    by: By,
    /// Search documentation, too: Markdown files and the documentation of modules
    #[arg(long)]
    #[arg(conflicts_with_all = ["files", "regex", "literal", "min_grade", "max_complexity"])]
    docs: bool,
    /// Search this project instead, see `asof project`; repeat it for more
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "docs"])]
    pub project: Vec<String>,
    /// Search all registered projects
    #[arg(long, conflicts_with_all = ["files", "docs", "project"])]
    pub all_projects: bool,
    /// List files instead of items
    #[arg(long)]
    files: bool,
    /// Only items of these kinds, with commas between
    #[arg(long, value_parser = super::resolve::kind, value_delimiter = ',', value_name = "KIND")]
    kind: Vec<NodeKind>,
    /// Only files that match this glob pattern, or lie below this folder
    #[arg(long, value_name = "GLOB")]
    path: Option<String>,
    /// Only files of this package
    #[arg(long)]
    package: Option<String>,
    /// Leave out test code
    #[arg(long)]
    exclude_tests: bool,
    /// Only functions with at least this grade: A+, A, A-, B+, …, D, F
    #[arg(long, value_name = "GRADE")]
    min_grade: Option<String>,
    /// Only functions with at most this cyclomatic complexity
    #[arg(long, value_name = "N")]
    max_complexity: Option<u32>,
    /// Order of the results
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    rank_by: Order,
    /// Read the query as a regular expression over the lines of the source
    #[arg(long, conflicts_with_all = ["literal", "files"])]
    regex: bool,
    /// Find the query letter by letter in the lines of the source
    #[arg(long, conflicts_with = "files")]
    literal: bool,
    /// Show the source of each item
    #[arg(long, conflicts_with = "files")]
    include_source: bool,
    /// Show the features of each result that it was ranked by
    #[arg(long)]
    explain: bool,
    /// List at most N results; 0 lists all that were considered
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

/// `--by`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum By {
    /// Words and names, and vectors if there are any
    #[default]
    Both,
    /// Words and names
    Words,
    /// Vectors
    Meaning,
}

impl From<By> for SearchBy {
    fn from(by: By) -> Self {
        match by {
            By::Both => Self::Both,
            By::Words => Self::Words,
            By::Meaning => Self::Meaning,
        }
    }
}

/// `--rank-by`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Order {
    /// How well they answer
    #[default]
    Relevance,
    /// Grade, best first
    Grade,
    /// Cyclomatic complexity, highest first
    Complexity,
    /// Lines, most first
    Loc,
    /// PageRank in the call graph, highest first
    Pagerank,
    /// Number of versions, most first
    Churn,
    /// Time of the last change, newest first
    Recency,
}

impl From<Order> for RankBy {
    fn from(order: Order) -> Self {
        match order {
            Order::Relevance => Self::Relevance,
            Order::Grade => Self::Grade,
            Order::Complexity => Self::Complexity,
            Order::Loc => Self::Loc,
            Order::Pagerank => Self::Pagerank,
            Order::Churn => Self::Churn,
            Order::Recency => Self::Recency,
        }
    }
}

impl SearchArgs {
    /// Whether registered projects are searched.
    pub fn is_across_projects(&self) -> bool {
        self.all_projects || !self.project.is_empty()
    }

    pub fn request(&self) -> SearchRequest {
        let mode = match (self.regex, self.literal) {
            (true, _) => SearchMode::Regex,
            (_, true) => SearchMode::Literal,
            _ => SearchMode::Relevance,
        };
        SearchRequest {
            query: self.query.clone(),
            mode,
            by: self.by.into(),
            kinds: self.kind.clone(),
            path: self.path.clone(),
            package: self.package.clone(),
            exclude_tests: self.exclude_tests,
            min_grade: self.min_grade.clone(),
            max_complexity: self.max_complexity,
            rank_by: self.rank_by.into(),
            limit: (self.limit > 0).then_some(self.limit),
            include_source: self.include_source,
            explain: self.explain,
            half_typed: false,
        }
    }
}

pub fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let request = args.request();
    if args.files {
        let found = snapshot.search_files(&request)?;
        if found.results.is_empty() && context.is_prose() {
            output::print(&nothing(&request, "file"))?;
            notes(context, args, found.model.as_deref(), &found.notes);
            return output::basis(context, &listed(&found)?);
        }
        let answer = write(context, &found, FILE)?;
        notes(context, args, found.model.as_deref(), &found.notes);
        return rests_on(context, answer);
    }
    if args.docs {
        return with_docs(context, args, &request, &snapshot.search_docs(&request)?);
    }
    let found = snapshot.search(&request)?;
    if context.is_prose() {
        output::print(&text(&found, &request))?;
        if !found.results.is_empty() {
            output::print_whole(&format!("{}\n", summary(&found.summary)))?;
        }
        notes(context, args, found.model.as_deref(), &found.notes);
        return output::basis(context, &listed(&found)?);
    }
    let answer = write(context, &found, ITEM)?;
    if context.format() == Format::Markdown {
        output::print_plain(&format!("\n{}\n", summary(&found.summary)))?;
    }
    notes(context, args, found.model.as_deref(), &found.notes);
    rests_on(context, answer)
}

fn with_docs(
    context: &Context,
    args: &SearchArgs,
    request: &SearchRequest,
    found: &SearchDocs,
) -> anyhow::Result<()> {
    if context.is_prose() {
        let text: String = found.results.iter().map(tagged).collect();
        if text.is_empty() {
            output::print(&nothing(request, "item or section"))?;
        } else {
            output::print(&text)?;
            output::print_whole(&format!("{}\n", summary(&found.summary)))?;
        }
        notes(context, args, found.model.as_deref(), &found.notes);
        return output::basis(context, &listed(found)?);
    }
    let answer = write(context, found, WITH_DOCS)?;
    if context.format() == Format::Markdown {
        output::print_plain(&format!("\n{}\n", summary(&found.summary)))?;
    }
    notes(context, args, found.model.as_deref(), &found.notes);
    rests_on(context, answer)
}

/// Writes an answer whose items are `results`; gives what it rests on, if that is not written yet.
pub fn write(
    context: &Context,
    found: &impl Serialize,
    listing: Listing<'_>,
) -> anyhow::Result<Option<Json>> {
    if context.format() == Format::Json && context.fields().is_empty() && !context.is_json_lines() {
        output::json(context, found)?;
        return Ok(None);
    }
    let answer = listed(found)?;
    if context.format() == Format::Json {
        output::listing(context, &answer, listing)?;
        return Ok(None);
    }
    output::rows(context, &joined(answer.clone()), listing)?;
    Ok(Some(answer))
}

fn rests_on(context: &Context, answer: Option<Json>) -> anyhow::Result<()> {
    answer.map_or(Ok(()), |answer| output::basis(context, &answer))
}

/// An answer with its results under the name that listings have.
fn listed(found: &impl Serialize) -> anyhow::Result<Json> {
    let mut answer = serde_json::to_value(found)?;
    if let Some(fields) = answer.as_object_mut()
        && let Some(results) = fields.remove("results")
    {
        fields.insert("items".to_owned(), results);
    }
    Ok(answer)
}

/// An answer whose lists of names are texts, for cells.
fn joined(mut answer: Json) -> Json {
    for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(names) = item.get_mut("items") {
            let list: Vec<&str> =
                names.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            *names = list.join(", ").into();
        }
        let Some(fields) = item.as_object_mut().filter(|fields| fields.contains_key("tag")) else {
            continue;
        };
        // An item's path and line, and what is most like them of a section.
        let headings = fields.get("heading").and_then(Json::as_array).map(|headings| {
            let texts: Vec<&str> = headings.iter().filter_map(Json::as_str).collect();
            Json::from(texts.join(" > "))
        });
        let path = headings.or_else(|| fields.get("canonical_path").cloned());
        fields.insert("path".to_owned(), path.unwrap_or_default());
        if let (None, Some(line)) = (fields.get("line"), fields.get("start_line").cloned()) {
            fields.insert("line".to_owned(), line);
        }
    }
    answer
}

fn notes(context: &Context, args: &SearchArgs, model: Option<&str>, notes: &[String]) {
    if context.format() == Format::Json {
        return;
    }
    if !(args.regex || args.literal) {
        context.note(&match (model, args.by) {
            (Some(model), By::Meaning) => format!("searched by vectors of {model}"),
            (Some(model), _) => format!("searched by words, names and vectors of {model}"),
            (None, _) => "searched by words and names, without a model".to_owned(),
        });
    }
    notes.iter().for_each(|note| context.note(note));
}

fn text(found: &SearchAnswer, request: &SearchRequest) -> String {
    if found.results.is_empty() {
        return nothing(request, "item");
    }
    found.results.iter().map(hit).collect()
}

fn bar(score: f64) -> String {
    let full = (score.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full.min(BAR)))
}

/// An item or section, with its tag.
fn tagged(found: &DocsHit) -> String {
    match found {
        DocsHit::Fn(item) => format!("[fn]  {}", hit(item)),
        DocsHit::Doc(section) => {
            let bold = anstyle::Style::new().bold();
            let dim = anstyle::Style::new().dimmed();
            let heading = match section.heading.as_slice() {
                [] => section.file_path.clone(),
                headings => headings.join(" > "),
            };
            format!(
                "[doc] {} {:.2}  {bold}{heading}{bold:#}  {dim}{}:{}{dim:#}\n{}",
                bar(section.relevance_score),
                section.relevance_score,
                section.file_path,
                section.start_line,
                section_details(section)
            )
        }
    }
}

pub fn hit(hit: &Hit) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let bar = bar(hit.relevance_score);
    let path = hit.canonical_path.as_deref().unwrap_or(&hit.function_name);
    let grade = hit.tdg_grade.as_ref().map_or(String::new(), |grade| format!("  {grade}"));
    let mut out = format!(
        "{bar} {:.2}  {} {bold}{path}{bold:#}  {dim}{}:{}{dim:#}{grade}\n",
        hit.relevance_score, hit.kind, hit.file_path, hit.line
    );
    out.push_str(&details(hit));
    out
}
