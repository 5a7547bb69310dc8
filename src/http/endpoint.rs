//! The type of an endpoint: method, path, schemas, function. Router and OpenAPI document come from
//! the same table of them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use asof_engine::{Database, Refresh, Snapshot};
use asof_model::Hint;
use asof_wire::When;
use asof_wire::{QueryRequest, QueryResult};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::hint::WORDS;
use asof_surface::problem::Problem;
use asof_surface::questions::{self, DependsOn, Pages, Question, Request};
use asof_surface::worker;

/// The method of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The request is the query string.
    Get,
    /// The request is a JSON object in the body.
    Post,
}

/// What an endpoint does to the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// It keeps or rejects a proposal, or writes source files: only with `--allow-edits`.
    Edits,
}

/// Items of a page at most.
pub const MAX_LIMIT: usize = 1_000;

/// A request, apart from its parameters.
#[derive(Debug)]
pub struct Ask {
    pub database: Arc<Database>,
    /// Set when nobody waits for the answer any more.
    pub stop: Arc<AtomicBool>,
    /// Who makes edits.
    pub actor: String,
}

/// A request about a moment.
#[derive(Debug)]
pub struct Moment<'a> {
    pub ask: &'a Ask,
    /// The moment as the request says it.
    pub at: &'a When,
    pub snapshot: Snapshot<'a>,
}

type AtMoment = dyn Fn(&Moment<'_>, Json) -> Result<Json, Problem> + Send + Sync;
type OfDatabase = dyn Fn(&Ask, Json) -> Result<Json, Problem> + Send + Sync;

/// What answers.
#[derive(Clone)]
pub enum Run {
    /// From a snapshot: the request may say `at`.
    AtMoment(Arc<AtMoment>),
    OfDatabase(Arc<OfDatabase>),
}

/// An endpoint.
#[derive(Clone)]
pub struct Endpoint {
    pub method: Method,
    pub path: &'static str,
    /// In one line, as in `asof --help`.
    pub summary: &'static str,
    pub effect: Effect,
    pub pages: Option<Pages>,
    pub depends_on: DependsOn,
    /// Whether it is about the history of the database.
    pub of_history: bool,
    /// Schema of the parameters.
    pub request: fn(&mut SchemaGenerator) -> Schema,
    /// Schema of the answer.
    pub answer: fn(&mut SchemaGenerator) -> Schema,
    pub run: Run,
}

impl Endpoint {
    fn new<A: JsonSchema, T: JsonSchema>(
        path: &'static str,
        summary: &'static str,
        run: Run,
    ) -> Self {
        Self {
            method: Method::Get,
            path,
            summary,
            effect: Effect::Reads,
            pages: None,
            depends_on: DependsOn::Moments(&[]),
            of_history: false,
            request: SchemaGenerator::subschema_for::<A>,
            answer: SchemaGenerator::subschema_for::<T>,
            run,
        }
    }

    /// An endpoint that reads a snapshot.
    pub fn at_moment<A, T>(
        path: &'static str,
        summary: &'static str,
        run: fn(&Moment<'_>, A) -> Result<T, Problem>,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        T: Serialize + JsonSchema + 'static,
    {
        let run = move |moment: &Moment<'_>, given| json(run(moment, read(given)?)?);
        Self::new::<A, T>(path, summary, Run::AtMoment(Arc::new(run)))
    }

    /// The endpoint of a question.
    pub fn from_question<R, A>(question: &'static Question<R, A>) -> Self
    where
        R: Request + 'static,
        A: Serialize + JsonSchema + 'static,
    {
        let run = |moment: &Moment<'_>, given| {
            let (database, snapshot) = (&*moment.ask.database, &moment.snapshot);
            let moment = questions::Moment { database, snapshot, words: &WORDS };
            json(question.ask(&moment, read(given)?)?)
        };
        Self {
            pages: question.pages,
            depends_on: question.depends_on,
            of_history: question.of_history,
            ..Self::new::<R, A>(question.endpoint, question.summary, Run::AtMoment(Arc::new(run)))
        }
    }

    /// An endpoint about the database as it is.
    pub fn of_database<A, T>(
        path: &'static str,
        summary: &'static str,
        run: fn(&Ask, A) -> Result<T, Problem>,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        T: Serialize + JsonSchema + 'static,
    {
        let run = move |ask: &Ask, given| json(run(ask, read(given)?)?);
        let endpoint = Self::new::<A, T>(path, summary, Run::OfDatabase(Arc::new(run)));
        Self { depends_on: DependsOn::More, ..endpoint }
    }

    /// The request is in the body.
    pub fn post(self) -> Self {
        Self { method: Method::Post, ..self }
    }

    pub fn edits(self) -> Self {
        Self { effect: Effect::Edits, ..self.post() }
    }

    /// `items` are given in pages of this many.
    pub fn pages(self, default: usize) -> Self {
        self.pages_of("items", default)
    }

    pub fn pages_of(self, list: &'static str, default: usize) -> Self {
        Self { pages: Some(Pages { list, default }), ..self }
    }

    pub fn depends_on(self, depends_on: DependsOn) -> Self {
        Self { depends_on, ..self }
    }

    /// Whether the request may say `at`.
    pub fn is_about_a_moment(&self) -> bool {
        matches!(self.run, Run::AtMoment(_))
    }
}

fn json(answer: impl Serialize) -> Result<Json, Problem> {
    serde_json::to_value(answer).map_err(Problem::internal)
}

fn read<A: DeserializeOwned>(given: Json) -> Result<A, Problem> {
    serde_json::from_value(given).map_err(|error| {
        let message = format!("the request cannot be read: {error}");
        let hint = Hint::advice("`/openapi.json` has the schema of each request");
        Problem::bad_request(message, hint)
    })
}

impl Moment<'_> {
    /// Runs a query in a process of its own, which ends when nobody waits any more.
    pub fn query(&self, request: QueryRequest) -> Result<QueryResult, Problem> {
        // A database in memory has no file that another process could read.
        self.ask.database.imported(self.at)?.map_or_else(
            || self.ask.database.snapshot(self.at, Refresh::Skip).map(drop),
            |_| Ok(()),
        )?;
        worker::query(&self.ask.database, &self.snapshot, request, &self.ask.stop)
    }
}
