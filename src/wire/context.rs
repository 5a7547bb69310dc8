//! Context for a task: the files that an intent is about, and code up to a number of tokens.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::{AnswerSource, Basis};
use asof_model::{NodeId, NodeKind};

/// A task, for which the files that it is about are wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContextRequest {
    /// The task in words: `fix the auth bug in login`.
    pub intent: String,
    /// Most files.
    pub limit: usize,
    /// Most lines of a snippet; none are shown if 0.
    pub snippet_lines: u32,
    /// Least confidence of a file, from 0 to 1.
    pub threshold: f64,
    /// Most tokens of all snippets together; no limit if null.
    pub token_budget: Option<usize>,
    /// Whether the answer is computed again, even if it is known from the same request.
    pub skip_cache: bool,
    /// The moment that the answer is of, such as `-1h`, a revision or a tag; NOW if null. Servers
    /// and [`Database::context`](crate::Database::context) read it; a snapshot has its own moment.
    pub at: Option<String>,
}

impl Default for ContextRequest {
    fn default() -> Self {
        Self {
            intent: String::new(),
            limit: 5,
            snippet_lines: 10,
            threshold: 0.3,
            token_budget: None,
            skip_cache: false,
            at: None,
        }
    }
}

impl ContextRequest {
    /// An intent with the default limits.
    pub fn new(intent: &str) -> Self {
        Self { intent: intent.to_owned(), ..Self::default() }
    }
}

/// The values that a file is ranked by, each from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextScore {
    /// What files are ordered by: a weighted sum of the others.
    pub composite: f64,
    /// How well the file answers a search for the keywords.
    pub relevance: f64,
    /// Share of the keywords that the file has, by rarity.
    pub coverage: f64,
    /// How recently it changed; 0 if no change is known.
    pub recency: f64,
    /// How often it changed; 0 if no change is known.
    pub frequency: f64,
    /// Share of the matched tags that the file has, by rarity.
    pub tag_affinity: f64,
}

/// A place where a keyword occurs in a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Highlight {
    /// The keyword.
    pub term: String,
    /// Line, from 1.
    pub line: u32,
    /// Column of its first byte, from 1, in bytes.
    pub col: u32,
}

/// The lines of a file that say most about an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextSnippet {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The lines, as in the file.
    pub content: String,
    /// Where the keywords occur in them.
    pub highlights: Vec<Highlight>,
}

/// An item of a file that an intent is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextItem {
    /// Id of the item.
    pub id: NodeId,
    /// Canonical path; the name for items without one.
    pub path: String,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Signature in one line.
    pub signature: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// How well it answers a search for the keywords, from 0 to 1.
    pub relevance_score: f64,
    /// Its presence condition, if the configuration does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
}

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextMetadata {
    /// Always `rust`.
    pub language: String,
    /// Time of the revision or commit that the file's text is of, RFC 3339.
    pub last_modified: Option<String>,
    /// Bytes.
    pub size: u64,
}

/// A file that an intent is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextFile {
    /// File, relative to the root.
    pub path: String,
    /// How sure it is that the intent is about this file, from 0 to 1.
    pub confidence: f64,
    /// The values that it is ranked by.
    pub score: ContextScore,
    /// Matched tags that it has.
    pub tags: Vec<String>,
    /// Its lines that say most about the intent; null if none were wanted or fitted in the budget.
    pub snippet: Option<ContextSnippet>,
    /// Its items that answer best.
    pub items: Vec<ContextItem>,
    /// What is known of the file.
    pub metadata: ContextMetadata,
}

/// The files as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextAggregate {
    /// Files with at least the wanted confidence.
    pub total_matches: usize,
    /// Files listed.
    pub returned: usize,
    /// Mean confidence of the listed files; 0 without any.
    pub avg_confidence: f64,
    /// Whether the answer was kept from the same request to the same revision.
    pub cached: bool,
}

/// What an item shows of how one more of a kind is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExampleRole {
    /// It lists what there is of the kind.
    Registry,
    /// It is one of the kind, or makes a type one.
    Member,
    /// It says what all of the kind have: the trait.
    Kind,
    /// It tests that one.
    Test,
    /// It reads the value of that one.
    Reader,
}

/// An item of an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExampleItem {
    /// What it shows.
    pub role: ExampleRole,
    /// Id of the item.
    pub id: NodeId,
    /// Canonical path; the name for items without one.
    pub path: String,
    /// Kind of the item.
    pub kind: NodeKind,
    /// File, relative to the root.
    pub file_path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Signature in one line.
    pub signature: String,
}

/// What a task can follow that asks for one more of a kind: where the kind is listed, one of it as a
/// whole, and where the value of that one is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// Path of the trait, enum or struct whose implementing types, variants or fields are of the kind.
    pub path: String,
    /// Whether it is a trait, an enum or a struct.
    pub kind: NodeKind,
    /// How many there are.
    pub members: usize,
    /// The items, in the order in which they are worth reading.
    pub items: Vec<ExampleItem>,
}

/// How many tokens a text has, and who counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenCount {
    /// Most tokens.
    pub budget: usize,
    /// Tokens of what is listed.
    pub used: usize,
    /// Who counts them: `estimate` estimates them from words, numbers, signs and blanks. Models
    /// differ by some percent.
    pub tokenizer: String,
}

/// What ranks the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextRanking {
    /// Text, tags, recency and frequency of change.
    Tags,
    /// Text, recency and frequency of change: no tag of the workspace matches a keyword.
    TextAndRecency,
}

/// The files that an intent is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextAnswer {
    /// As it was asked.
    pub intent: String,
    /// Revision and time that the answer is of.
    pub basis: Basis,
    /// Where the answer comes from.
    pub source: AnswerSource,
    /// The words of the intent that are looked for, identifiers whole and split.
    pub keywords: Vec<String>,
    /// Tags of the workspace that match keywords: exact matches first, then the most popular; at
    /// most 10.
    pub tags_matched: Vec<String>,
    /// What ranks the files.
    pub ranking: ContextRanking,
    /// If the intent asks for one more of a kind that the workspace has: what shows how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
    /// Files, the best first.
    pub files: Vec<ContextFile>,
    /// The files as a whole.
    pub aggregate: ContextAggregate,
    /// Tokens of the snippets, if there is a budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenCount>,
    /// What could not be taken into account.
    pub notes: Vec<String>,
    /// Wall time of the answer, milliseconds.
    pub ms: f64,
}

/// A request for as much code as fits in a number of tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields)]
pub struct CodeContextRequest {
    /// Most tokens of all items together
    #[arg(long, value_name = "N")]
    pub token_budget: usize,
    /// What the code is needed for: words, a question or a name; without it, what changed recently
    /// and what much of the workspace depends on
    #[serde(default)]
    #[arg(long, value_name = "WORDS")]
    pub hint: Option<String>,
    /// Leave out test code
    #[serde(default)]
    #[arg(long)]
    pub exclude_tests: bool,
}

/// How much of an item is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeForm {
    /// The whole source, with documentation and attributes.
    Source,
    /// The signature, and the lines that say most, of an item that is too large.
    Excerpt,
    /// The signature, and the first line of the documentation.
    Signature,
    /// Path and place alone.
    Name,
}

/// An item with as much of its code as fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CodeItem {
    /// Id of the item.
    pub id: NodeId,
    /// Canonical path; the name for items without one.
    pub path: String,
    /// Kind of the item.
    pub kind: NodeKind,
    /// File, relative to the root.
    pub file_path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// How much of it is listed.
    pub form: CodeForm,
    /// A line comment with path and place, then the code; ends with a line break.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: usize,
    /// From 0 to 1: how well it answers the hint, or how recent and central it is.
    pub relevance_score: f64,
    /// Why it is listed: the reasons of a search, or how it is linked to an item that answers, such
    /// as `called by X`, `type in X`, `uses X` or `changed in: MESSAGE`; empty without a hint.
    pub why: String,
    /// Its presence condition, if the configuration does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
}

/// What did not fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeLeftOut {
    /// Items of which only a part, the signature or the name is listed.
    pub bodies: usize,
    /// Items that were considered and are not listed at all.
    pub items: usize,
    /// Paths of the best of those, in order.
    pub next: Vec<String>,
}

/// Code for a hint, up to a number of tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CodeContext {
    /// As it was asked.
    pub hint: Option<String>,
    /// If the hint asks for one more of a kind that the workspace has: what shows how. Its items come
    /// first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
    /// Revision and time that the answer is of.
    pub basis: Basis,
    /// Where the answer comes from.
    pub source: AnswerSource,
    /// Tokens of the items: the sum of `tokens` of each.
    pub tokens: TokenCount,
    /// Items, the best first, those that repeat others later; if a configuration was chosen, what it
    /// does not have comes last.
    pub items: Vec<CodeItem>,
    /// What did not fit.
    pub left_out: CodeLeftOut,
    /// What could not be taken into account.
    pub notes: Vec<String>,
    /// Wall time of the answer, milliseconds.
    pub ms: f64,
}
