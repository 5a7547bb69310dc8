//! What a tool is.

use std::sync::Arc;

use asof::Snapshot;
use asof::wire::{ErrorKind, Hint};
use rmcp::model::{JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::options::Structured;
use super::page::{Paged, Pager, Reply};
use super::schema;
pub use super::workspace::Call;
use super::workspace::snapshot;
use crate::surface::problem::Problem;

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
#[derive(Clone, Copy)]
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

/// Schema of arguments.
pub fn input<A: JsonSchema>() -> JsonObject {
    schema::input::<A>()
}

/// Schema of a structured answer.
pub fn output<T: JsonSchema>() -> JsonObject {
    schema::output::<Paged<T>>()
}

/// Answers a call with a page: reads the arguments, and opens the database at their `at`.
pub fn page<A: DeserializeOwned>(
    call: &Call,
    tool: &str,
    given: Json,
    answer: impl FnOnce(A, &Snapshot<'_>, &Pager) -> Result<Reply, Problem>,
) -> Result<Reply, Problem> {
    let pager = Pager::new(call, tool, &given)?;
    let at = given.get("at").and_then(Json::as_str).map(str::to_owned);
    let arguments = arguments(given)?;
    let database = call.workspace.database_at(call, at.as_deref())?;
    answer(arguments, &snapshot(call, &database, at.as_deref())?, &pager)
}

/// Reads the arguments of a call.
pub fn arguments<A: DeserializeOwned>(given: Json) -> Result<A, Problem> {
    serde_json::from_value(given).map_err(|error| {
        let message = format!("the arguments cannot be read: {error}");
        Problem::new(ErrorKind::BadRequest, message, Hint::advice("see the tool's inputSchema"))
    })
}
