//! The type of a tool: name, arguments, effect, function.

use std::sync::Arc;

use asof_engine::Snapshot;
use rmcp::model::{JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::hint::WORDS;
use super::options::Structured;
use super::page::{Paged, Pager, Reply};
use super::schema;
pub use super::schema::{Argument, arg, flag, number, required};
pub use super::workspace::Call;
use super::workspace::snapshot;
use asof_surface::problem::Problem;
use asof_surface::questions::{Moment, Question, Request};

/// What a tool does to the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It reads.
    Reads,
    /// It keeps a proposal; no source file changes.
    Proposes,
    /// It writes source files.
    Writes,
}

/// When a tool is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    Always,
    /// With `--all-tools`.
    OnRequest,
}

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    /// For people, in lists of tools.
    pub title: &'static str,
    /// When to use it, then what it answers.
    pub description: &'static str,
    pub effect: Effect,
    pub offered: Offered,
    /// Schema of the arguments.
    pub input: fn() -> JsonObject,
    /// Schema of the structured answer.
    pub output: fn() -> JsonObject,
    pub run: fn(&Call, Json) -> Result<Reply, Problem>,
}

impl Tool {
    /// Whether it is offered only with `--allow-edits`.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }

    /// The tool as clients see it.
    pub fn describe(&self, structured: Structured) -> rmcp::model::Tool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::Reads)
            .destructive(self.effect == Effect::Writes)
            .idempotent(self.effect == Effect::Reads)
            .open_world(false);
        let tool = rmcp::model::Tool::new(self.name, self.description, (self.input)())
            .with_annotations(annotations);
        match structured {
            Structured::With => tool.with_raw_output_schema(Arc::new((self.output)())),
            Structured::Without => tool,
        }
    }
}

/// The configuration, of tools whose answers are about uses.
pub const CONFIGURATION: Argument = arg(
    "configuration",
    "As of Cargo: --all-features, --features a,b, --target T, --cfg F; or --any-cfg",
);

/// The arguments of every tool that gives pages.
const PAGING: [Argument; 3] =
    [arg("at", "Moment, as in show"), arg("cursor", ""), number("max_tokens", "")];

/// Schema of the arguments that a tool takes from a request, and of those for pages.
pub fn arguments_of<R: JsonSchema>(given: &[Argument]) -> JsonObject {
    schema::chosen::<R>(given.iter().chain(&PAGING))
}

/// Answers a call with a page of the answer to a question, as the question writes it.
pub fn answer<R: Request, A: Serialize + DeserializeOwned>(
    call: &Call,
    tool: &str,
    taken: &[Argument],
    given: Json,
    question: &Question<R, A>,
) -> Result<Reply, Problem> {
    ask(call, tool, taken, given, question, |_, _| {}, |found| text(question, found))
}

/// The same, of a request that `adjust` completes, and with a text of the tool's own.
pub fn ask<R: Request, A: Serialize + DeserializeOwned>(
    call: &Call,
    tool: &str,
    taken: &[Argument],
    given: Json,
    question: &Question<R, A>,
    adjust: impl FnOnce(&mut R, &Pager),
    text: impl Fn(&A) -> String,
) -> Result<Reply, Problem> {
    let pager = Pager::new(call, tool, &given)?;
    let mut own = match given {
        Json::Object(own) => own,
        _ => JsonObject::new(),
    };
    let mut take = |name: &str| own.remove(name);
    let at = take("at").as_ref().and_then(Json::as_str).map(str::to_owned);
    let under = take("configuration");
    take("cursor");
    take("max_tokens");
    if let Some(name) = own.keys().find(|name| taken.iter().all(|arg| arg.name != name.as_str())) {
        let known: Vec<&str> = taken.iter().chain(&PAGING).map(|arg| arg.name).collect();
        let message = format!("unknown argument `{name}`");
        let hint = format!("the arguments are: {}", known.join(", "));
        return Err(Problem::bad_request(message, hint));
    }
    let mut request: R = arguments(Json::Object(own))?;
    if let Some(limit) = request.limit() {
        *limit = Some(pager.limit());
    }
    adjust(&mut request, &pager);
    let database = if question.of_history {
        call.workspace.database(call)?
    } else {
        call.workspace.database_at(call, at.as_deref())?
    };
    let under = under.as_ref().and_then(Json::as_str).unwrap_or_default();
    let under = under.parse().map_err(asof_engine::EngineError::from)?;
    let snapshot = snapshot(call, &database, at.as_deref())?.under(under)?;
    let moment = Moment { database: &database, snapshot: &snapshot, words: &WORDS };
    let found = question.ask(&moment, request)?;
    pager.list(snapshot.basis(), &found, text)
}

/// An answer as text, with what else is worth knowing of it.
pub fn text<R, A>(question: &Question<R, A>, found: &A) -> String {
    let body = question.text.map(|text| text(found)).unwrap_or_default();
    format!("{body}{}", notes(question, found))
}

/// What else is worth knowing of an answer, a line each.
pub fn notes<R, A>(question: &Question<R, A>, found: &A) -> String {
    (question.notes)(found, &WORDS).iter().map(|note| format!("{note}\n")).collect()
}

/// Schema of arguments.
pub fn input<A: JsonSchema>() -> JsonObject {
    schema::input::<A>()
}

/// Schema of a structured answer.
pub fn output<T: JsonSchema>() -> JsonObject {
    schema::output::<Paged<T>>()
}

/// Answers a call with a page: reads the arguments, and opens the database at their `at`, under their
/// `configuration`.
pub fn page<A: DeserializeOwned>(
    call: &Call,
    tool: &str,
    given: Json,
    answer: impl FnOnce(A, &Snapshot<'_>, &Pager) -> Result<Reply, Problem>,
) -> Result<Reply, Problem> {
    let pager = Pager::new(call, tool, &given)?;
    let at = given.get("at").and_then(Json::as_str).map(str::to_owned);
    let under = given.get("configuration").and_then(Json::as_str).unwrap_or_default();
    let under = under.parse().map_err(asof_engine::EngineError::from)?;
    let arguments = arguments(given)?;
    let database = call.workspace.database_at(call, at.as_deref())?;
    answer(arguments, &snapshot(call, &database, at.as_deref())?.under(under)?, &pager)
}

/// Reads the arguments of a call.
pub fn arguments<A: DeserializeOwned>(given: Json) -> Result<A, Problem> {
    serde_json::from_value(given).map_err(|error| {
        let message = format!("the arguments cannot be read: {error}");
        Problem::bad_request(message, "see the tool's inputSchema")
    })
}
