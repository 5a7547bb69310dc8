//! `asof search`: items, lines, files and documentation for a question.

use asof_wire::{DocsHit, Hit, Ranked, SearchBy, SearchMode, SearchRequest};
use clap::Args;
use serde::Serialize;
use serde_json::Value as Json;

use super::ask;
use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};
use asof_surface::questions::search::{SEARCH, SEARCH_DOCS, SEARCH_FILES};
use asof_surface::text::search::{details, nothing, section_details, summary};

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
#[command(mut_arg("regex", |regex| regex.conflicts_with("files")))]
#[command(mut_arg("literal", |literal| literal.conflicts_with("files")))]
#[command(mut_arg("include_source", |source| source.conflicts_with("files")))]
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
    #[command(flatten)]
    request: SearchRequest,
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
    /// List at most N results; 0 lists all that were considered
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

impl SearchArgs {
    /// Whether registered projects are searched.
    pub fn is_across_projects(&self) -> bool {
        self.all_projects || !self.project.is_empty()
    }

    /// The request with its limit.
    pub fn request(&self) -> SearchRequest {
        let limit = (self.limit > 0).then_some(self.limit);
        SearchRequest { limit, ..self.request.clone() }
    }
}

pub fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<()> {
    let request = args.request();
    if args.files {
        let found = ask::answer(context, &SEARCH_FILES, request)?;
        let view =
            View { sought: "file", listing: SEARCH_FILES.listing, line: None, summary: None };
        return print(context, args, &found, &view);
    }
    if args.docs {
        let found = ask::answer(context, &SEARCH_DOCS, request)?;
        let view = View {
            sought: "item or section",
            listing: SEARCH_DOCS.listing,
            line: Some(tagged),
            summary: Some(summary(&found.common.summary)),
        };
        return print(context, args, &found, &view);
    }
    let found = ask::answer(context, &SEARCH, request)?;
    let view = View {
        sought: "item",
        listing: SEARCH.listing,
        line: Some(hit),
        summary: Some(summary(&found.common.summary)),
    };
    print(context, args, &found, &view)
}

/// How results are shown.
struct View<T> {
    /// What is not found if there are none.
    sought: &'static str,
    listing: Listing<'static>,
    /// A result in prose; as a row if not given.
    line: Option<fn(&T) -> String>,
    summary: Option<String>,
}

fn print<T: Serialize, C: Serialize>(
    context: &Context,
    args: &SearchArgs,
    found: &Ranked<T, C>,
    view: &View<T>,
) -> anyhow::Result<()> {
    let summary = view.summary.as_ref();
    let answer = match view.line {
        _ if context.is_prose() && found.results.is_empty() => {
            output::print(context, &nothing(&args.request(), view.sought))?;
            Some(listed(found)?)
        }
        Some(line) if context.is_prose() => {
            output::print(context, &found.results.iter().map(line).collect::<String>())?;
            summary.map_or(Ok(()), |text| output::print_whole(&format!("{text}\n")))?;
            Some(listed(found)?)
        }
        _ => {
            let answer = write(context, found, view.listing)?;
            if let Some(text) = summary.filter(|_| context.format() == Format::Markdown) {
                output::print_plain(context, &format!("\n{text}\n"))?;
            }
            answer
        }
    };
    notes(context, args, found.model.as_deref(), &found.notes);
    answer.map_or(Ok(()), |answer| output::basis(context, &answer))
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
        for list in ["items", "why"] {
            let Some(names) = item.get_mut(list) else { continue };
            let texts: Vec<&str> =
                names.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            *names = texts.join(", ").into();
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
    if args.request.mode == SearchMode::Relevance {
        context.note(&match (model, args.request.by) {
            (Some(model), SearchBy::Meaning) => format!("searched by meaning ({model})"),
            (Some(model), _) => format!("searched by words, names and meaning ({model})"),
            (None, _) => "searched by words and names".to_owned(),
        });
    }
    notes.iter().for_each(|note| context.note(note));
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
