//! Commands that are questions of the shared table: asks one, and prints its answer.

use asof::Graph;
use clap::Args;
use serde::Serialize;
use serde_json::Value as Json;

use super::context::Context;
use super::globals::{Format, Limit};
use super::graph::GraphArgs;
use super::hint::WORDS;
use super::output;
use asof_surface::questions::{Moment, Question, Request};

/// The arguments of a question that lists items.
#[derive(Debug, Args)]
pub struct Ask<R: Request> {
    #[command(flatten)]
    pub request: R,
    #[command(flatten)]
    pub limit: Limit,
}

impl<R: Request> Ask<R> {
    /// Asks, and prints the answer.
    pub fn run<A: Serialize>(
        self,
        context: &Context,
        question: &Question<R, A>,
    ) -> anyhow::Result<()> {
        run(context, question, self.limited())
    }

    /// The request with the limit.
    pub fn limited(mut self) -> R {
        if let Some(limit) = self.request.limit() {
            *limit = self.limit.get();
        }
        self.request
    }
}

/// As [`Ask`], of a question whose answer can be drawn.
#[derive(Debug, Args)]
pub struct AskGraph<R: Request> {
    #[command(flatten)]
    pub ask: Ask<R>,
    #[command(flatten)]
    pub graph: GraphArgs,
}

impl<R: Request> AskGraph<R> {
    /// Asks, and prints or draws the answer.
    pub fn run<A: Serialize>(
        self,
        context: &Context,
        question: &Question<R, A>,
    ) -> anyhow::Result<()>
    where
        for<'a> Graph: From<&'a A>,
    {
        let found = answer(context, question, self.ask.limited())?;
        if self.graph.draw(context, &found)? { Ok(()) } else { print(context, question, &found) }
    }
}

/// Asks, and prints the answer.
pub fn run<R: Request, A: Serialize>(
    context: &Context,
    question: &Question<R, A>,
    request: R,
) -> anyhow::Result<()> {
    print(context, question, &answer(context, question, request)?)
}

/// The answer to a request of the command line.
pub fn answer<R: Request, A>(
    context: &Context,
    question: &Question<R, A>,
    mut request: R,
) -> anyhow::Result<A> {
    request.find_files(&|file| context.file(file));
    let database = if question.of_history { context.database()? } else { context.database_at()? };
    let snapshot = &context.snapshot(&database)?;
    let moment = Moment { database: &database, snapshot, words: &WORDS };
    Ok(question.ask(&moment, request)?)
}

/// Prints an answer: as text or as a table, then what else is worth knowing.
pub fn print<R, A: Serialize>(
    context: &Context,
    question: &Question<R, A>,
    found: &A,
) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        // The short forms are fields that can be asked for, not part of the answer.
        return match context.fields() {
            [] => output::listing(context, found, question.listing),
            _ => output::listing(context, &question.shortened(found)?, question.listing),
        };
    }
    let answer = question.shortened(found)?;
    let nothing = question.nothing.filter(|_| output::items(&answer).is_empty());
    match (question.text, nothing) {
        (Some(text), _) if context.is_prose() => output::print(context, &text(found))?,
        (None, Some(nothing)) if context.is_prose() => {
            output::print(context, &format!("{nothing}\n"))?
        }
        _ => output::rows(context, &answer, question.listing)?,
    }
    notes(context, question, found, &answer)
}

/// Prints what is worth knowing beside an answer, and what it is based on. `answer` is it as JSON.
pub fn notes<R, A>(
    context: &Context,
    question: &Question<R, A>,
    found: &A,
    answer: &Json,
) -> anyhow::Result<()> {
    for note in (question.notes)(found, &WORDS) {
        context.note(&note);
    }
    output::basis(context, answer)
}
