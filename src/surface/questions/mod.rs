//! The questions, each defined once: what is asked, what answers, and how an answer looks as a
//! table and as text. Command line, HTTP and MCP offer them from here; each adds its own words.

pub mod dependencies;
pub mod inspect;
pub mod items;
pub mod past;
pub mod quality;
pub mod reach;
pub mod search;
pub mod syntax;
pub mod uses;

use asof_engine::{Database, Snapshot};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::listing::Listing;
use super::problem::Problem;
use super::words::Words;

/// A question about the code at a moment.
#[derive(Debug)]
pub struct Question<R, A> {
    /// Its endpoint.
    pub endpoint: &'static str,
    /// In one line, for lists of endpoints.
    pub summary: &'static str,
    pub pages: Option<Pages>,
    pub depends_on: DependsOn,
    pub answer: fn(&Moment<'_, '_>, R) -> Result<A, Problem>,
    /// Columns and fields of the items of an answer.
    pub listing: Listing<'static>,
    /// Whether it is about the history, which the files of a commit that is not imported do not have.
    pub of_history: bool,
    /// Adds short forms to the items of an answer, for columns and text.
    pub shorten: Option<fn(&mut Json)>,
    /// An answer for people, where a table is not enough.
    pub text: Option<fn(&A) -> String>,
    /// What to say where the table would be empty.
    pub nothing: Option<&'static str>,
    /// What else is worth knowing of an answer, a line each.
    pub notes: fn(&A, &Words) -> Vec<String>,
}

/// What is asked: arguments of a command, parameters of an endpoint, arguments of a tool.
pub trait Request: clap::Args + DeserializeOwned + JsonSchema {
    /// Gives the files in it as the library takes them.
    fn find_files(&mut self, _file: &dyn Fn(&str) -> String) {}

    /// How many items are listed at most, if the question has a limit.
    fn limit(&mut self) -> Option<&mut Option<usize>> {
        None
    }
}

/// A moment to ask about.
#[derive(Debug)]
pub struct Moment<'a, 'd> {
    pub database: &'a Database,
    pub snapshot: &'a Snapshot<'d>,
    pub words: &'static Words,
}

/// What the answer to the same request depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependsOn {
    /// The moment of `at`, and that of each of these parameters.
    Moments(&'static [&'static str]),
    /// The clock, or state beside the revisions.
    More,
}

/// A list in the answer that is given in pages.
#[derive(Debug, Clone, Copy)]
pub struct Pages {
    /// Name of the list.
    pub list: &'static str,
    /// Items of a page unless the request says otherwise.
    pub default: usize,
}

impl<R, A> Question<R, A> {
    /// A question whose answer depends on nothing but the moment, and is listed as a table.
    pub const fn new(
        endpoint: &'static str,
        summary: &'static str,
        answer: fn(&Moment<'_, '_>, R) -> Result<A, Problem>,
        listing: Listing<'static>,
    ) -> Self {
        Self {
            endpoint,
            summary,
            pages: None,
            depends_on: DependsOn::Moments(&[]),
            answer,
            listing,
            of_history: false,
            shorten: None,
            text: None,
            nothing: None,
            notes: |_, _| Vec::new(),
        }
    }

    /// `items` are given in pages of this many.
    pub const fn pages(self, default: usize) -> Self {
        self.pages_of("items", default)
    }

    pub const fn pages_of(self, list: &'static str, default: usize) -> Self {
        Self { pages: Some(Pages { list, default }), ..self }
    }

    pub const fn depends_on(self, depends_on: DependsOn) -> Self {
        Self { depends_on, ..self }
    }

    pub const fn of_history(self) -> Self {
        Self { of_history: true, ..self }
    }

    pub const fn text(self, text: fn(&A) -> String) -> Self {
        Self { text: Some(text), ..self }
    }

    pub const fn nothing(self, nothing: &'static str) -> Self {
        Self { nothing: Some(nothing), ..self }
    }

    pub const fn notes(self, notes: fn(&A, &Words) -> Vec<String>) -> Self {
        Self { notes, ..self }
    }

    pub const fn shorten(self, shorten: fn(&mut Json)) -> Self {
        Self { shorten: Some(shorten), ..self }
    }
}

impl<R, A> Question<R, A> {
    /// Answers a request.
    ///
    /// # Errors
    /// No such item, a bad request, or a failure of the database.
    pub fn ask(&self, moment: &Moment<'_, '_>, request: R) -> Result<A, Problem> {
        let _span = tracing::debug_span!("question", endpoint = self.endpoint).entered();
        (self.answer)(moment, request)
    }
}

impl<R, A: Serialize> Question<R, A> {
    /// An answer as JSON, its items with their short forms.
    ///
    /// # Errors
    /// A value that JSON cannot have.
    pub fn shortened(&self, answer: &A) -> Result<Json, serde_json::Error> {
        let mut answer = serde_json::to_value(answer)?;
        if let Some(shorten) = self.shorten {
            shorten(&mut answer);
        }
        Ok(answer)
    }
}
