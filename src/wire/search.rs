//! Requests and answers of searches.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::doc_link::DocLink;
use super::envelope::{AnswerSource, Basis};
use asof_model::{NodeId, NodeKind};

/// How the query is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// As a question: words, names or paths.
    #[default]
    Relevance,
    /// As a regular expression over source text.
    Regex,
    /// As text to find in the source, letter by letter.
    Literal,
}

impl Args for SearchMode {
    fn augment_args(command: clap::Command) -> clap::Command {
        let flag = |name, help: &'static str| {
            Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
        };
        command
            .arg(
                flag(
                    "regex",
                    "Read the query as a regular expression over the lines of the source",
                )
                .conflicts_with("literal"),
            )
            .arg(flag("literal", "Find the query letter by letter in the lines of the source"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SearchMode {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(match (matches.get_flag("regex"), matches.get_flag("literal")) {
            (true, _) => Self::Regex,
            (_, true) => Self::Literal,
            _ => Self::Relevance,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What results are ordered by.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum RankBy {
    /// How well they answer the question.
    #[default]
    Relevance,
    /// Quality, the best first.
    Grade,
    /// Cyclomatic complexity, the highest first.
    Complexity,
    /// Lines, the most first.
    Loc,
    /// PageRank in the call graph, the highest first.
    Pagerank,
    /// Number of versions, the most first.
    Churn,
    /// Time of the last change, the newest first.
    Recency,
}

/// What a question is compared with.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum SearchBy {
    /// With words, names and, if it is more than a name, what they mean.
    #[default]
    Both,
    /// With words and names.
    Words,
    /// With what words mean: the vectors of a model if items were embedded, else those of words.
    Meaning,
}

/// A search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct SearchRequest {
    /// Words, a question, a name or a path; a pattern in the modes regex and literal
    pub query: String,
    /// How it is read.
    #[command(flatten)]
    pub mode: SearchMode,
    /// What to compare the query with
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    #[arg(conflicts_with_all = ["regex", "literal"])]
    pub by: SearchBy,
    /// Only items of these kinds, with commas between
    #[arg(long = "kind", value_delimiter = ',', value_name = "KIND")]
    pub kinds: Vec<NodeKind>,
    /// Only files that match this glob pattern, or lie below this folder
    #[arg(long, value_name = "GLOB")]
    pub path: Option<String>,
    /// Only files of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Leave out test code
    #[arg(long)]
    pub exclude_tests: bool,
    /// Only functions with at least this grade: A+, A, A-, B+, …, D, F
    #[arg(long, value_name = "GRADE")]
    pub min_grade: Option<String>,
    /// Only functions with at most this cyclomatic complexity
    #[arg(long, value_name = "N")]
    pub max_complexity: Option<u32>,
    /// Order of the results
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    pub rank_by: RankBy,
    /// Most results; all that were considered if null.
    #[arg(skip)]
    pub limit: Option<usize>,
    /// Show the source of each item
    #[arg(long)]
    pub include_source: bool,
    /// Show the features of each result that it was ranked by
    #[arg(long)]
    pub explain: bool,
    /// Whether the last word may still be typed: then words of names that begin with it count, too.
    #[arg(skip)]
    pub half_typed: bool,
}

/// An item that answers a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Id of the item.
    pub id: NodeId,
    /// File, relative to the root.
    pub file_path: String,
    /// Name of the item, whatever its kind.
    pub function_name: String,
    /// Canonical path; null for items without one.
    pub canonical_path: Option<String>,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Signature in one line.
    pub signature: String,
    /// Documentation.
    pub doc_comment: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Line of the name, from 1.
    pub line: u32,
    /// Always `rust`.
    pub language: String,
    /// Quality from 0 to 100, higher is better.
    pub tdg_score: Option<f64>,
    /// Grade, from `A+` to `F`.
    pub tdg_grade: Option<String>,
    /// Cyclomatic complexity.
    pub complexity: Option<u32>,
    /// Cognitive complexity.
    pub cognitive: Option<u32>,
    /// Estimate of the time complexity.
    pub big_o: Option<String>,
    /// Markers of technical debt, such as TODO.
    pub satd_count: u32,
    /// Lines of code.
    pub loc: u32,
    /// From 0 to 1, of this search.
    pub relevance_score: f64,
    /// Why it is listed, the strongest reason first: `name`, `docs`, `place` (what is around it),
    /// `code`, `meaning`, or `calls X` and `called by X` for an item X that answers better.
    pub why: Vec<String>,
    /// Whether it is test code.
    pub in_test: bool,
    /// Its presence condition, if the configuration does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
    /// What `rank_by` orders by, unless that is relevance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_value: Option<f64>,
    /// Other results that say the same, which this one stands for: the same item of a trait in other
    /// impls, or another definition of the item under other conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Alike>,
    /// Matching lines, in a search for text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<LineMatch>,
    /// Source, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Features and their values, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<serde_json::Value>,
    /// Sections of documentation that mention it or are beside its file, if documentation is
    /// searched too: those that mention it first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_backlinks: Option<Vec<DocLink>>,
}

/// A result that another one stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alike {
    /// Canonical path; the name for items without one.
    pub path: String,
    /// File, relative to the root.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// Its presence condition, if the configuration does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
}

/// A match in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineMatch {
    /// Line, from 1.
    pub line: u32,
    /// Column of the match's first byte, from 1, in bytes.
    pub column: u32,
    /// The line, cut to 200 characters.
    pub text: String,
}

/// A file that answers a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileHit {
    /// File, relative to the root.
    pub file_path: String,
    /// From 0 to 1, of this search.
    pub relevance_score: f64,
    /// Canonical paths of its best items, or their names.
    pub items: Vec<String>,
    /// Why it is listed, the strongest reason first: `name` (words of its path), `code` (words in
    /// it), `items` (those named), `meaning`.
    pub why: Vec<String>,
    /// Features and their values, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<serde_json::Value>,
}

/// Number of results by grade.
pub type Grades = BTreeMap<String, usize>;

/// What the results have in common.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchSummary {
    /// Results by grade; empty if no quality is known of them.
    pub grades: Grades,
    /// Mean cyclomatic complexity of the results that have one.
    pub avg_complexity: Option<f64>,
    /// Markers of technical debt in all of them.
    pub total_satd: u32,
    /// Smallest and largest cyclomatic complexity.
    pub complexity_range: Option<[u32; 2]>,
    /// Number of results that the summary is of.
    pub count: usize,
}

/// The results of a search, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Search{T}")]
pub struct Ranked<T, C = Summarized> {
    /// As it was asked.
    pub query: String,
    /// Revision and time that the answer is of.
    pub basis: Basis,
    /// Where the answer comes from.
    pub source: AnswerSource,
    /// Number of results listed.
    pub result_count: usize,
    /// Whether there are more results than listed.
    pub truncated: bool,
    /// Number of results that match at all.
    pub total: usize,
    /// What the results have in common, if they have grades.
    #[serde(flatten)]
    pub common: C,
    /// Results, the best first; if a configuration was chosen, what it does not have comes last.
    pub results: Vec<T>,
    /// Whether the answer was kept from an earlier search of the same.
    pub cached: bool,
    /// What meaning was compared by: `word vectors`, or a model; null if it was not.
    pub model: Option<String>,
    /// What could not be taken into account.
    pub notes: Vec<String>,
    /// Wall time of the answer, milliseconds.
    pub ms: f64,
}

/// What results have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summarized {
    /// What the items among the results have in common.
    pub summary: SearchSummary,
}

/// Nothing is said of what results have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unsummarized {}

/// The items that answer a search.
pub type SearchAnswer = Ranked<Hit>;

/// The files that answer a search.
pub type SearchFiles = Ranked<FileHit, Unsummarized>;

/// What embedding items came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedReport {
    /// Name of the model.
    pub model: String,
    /// Hash of the model's files.
    pub model_hash: String,
    /// Numbers of a vector.
    pub dimension: usize,
    /// Items that have a vector now.
    pub items: usize,
    /// Items that were embedded; the vectors of the others were there.
    pub embedded: usize,
    /// Files that had changed since, or were new.
    pub files: usize,
    /// Wall time, milliseconds.
    pub ms: f64,
}
