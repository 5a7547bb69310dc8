//! Shared by `refs`, `lineage`, `impact` and others: the item, the filter of uses, the graph.

use asof::model::{NodeKind, RefKind, UnknownRefKind};
use asof::wire::{
    Certainty, Guesses, Implementations, Resolution, ResolveRequest, Snippets, Symbol, Tests,
    UseRequest,
};
use asof::{EngineError, Graph, Snapshot};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::context::Context;
use super::failure::Failure;
use super::globals::Limit;
use super::hint;
use super::output;
use crate::surface::target::{Matches, Target, Words};
use crate::surface::text::uses::{FEW, guesses_left_out, implementations_left_out, unresolved};

/// The item that a question is about.
#[derive(Debug, Args)]
pub struct SymbolArgs {
    /// Path of the item: crate::a::f, package::Type::method, src/a.rs:42, std::fs::read,
    /// `std::fs::*`, .len
    pub path: String,
    /// Only items of this kind: function, struct, method, …
    #[arg(long, value_parser = super::resolve::kind, value_name = "KIND")]
    pub item_kind: Option<NodeKind>,
    /// Only items in this file
    #[arg(long)]
    pub file: Option<String>,
    /// Only items of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Only the item with this id, or whose id starts with it
    #[arg(long)]
    pub id: Option<String>,
    /// Answer for all matches instead of failing when there are several
    #[arg(long)]
    pub all: bool,
}

impl SymbolArgs {
    /// The items at the path; several only with `--all`, or if the path ends in `*`.
    pub fn symbols(
        &self,
        context: &Context,
        snapshot: &Snapshot<'_>,
    ) -> Result<Vec<Symbol>, EngineError> {
        let request = ResolveRequest {
            kind: self.item_kind,
            package: self.package.clone(),
            ..context.item(&self.path, self.file.as_deref())
        };
        let target = Target { request, id: self.id.clone() };
        target.symbols(snapshot, Matches::all(self.all), &WORDS)
    }
}

const WORDS: Words = Words {
    wrong_id: "leave `--id` out to list the matches",
    candidate: Resolution::line,
    choose: |filter| match filter {
        Some(filter) => {
            let filter = hint::option(filter).replace("--kind", "--item-kind");
            format!("add {filter}, or `--all` for all of them")
        }
        None => "add `--all` for all of them".to_owned(),
    },
};

/// Filter of uses.
#[derive(Debug, Args)]
pub struct UseArgs {
    /// Only uses of these kinds: call, method_call, value, field, pattern, type, bound, path,
    /// use, macro, attribute, overrides, mention, implicit (an operator, `[]`, `for`, `.await`)
    #[arg(long, value_delimiter = ',', value_parser = use_kind, value_name = "KIND")]
    pub kind: Vec<RefKind>,
    /// Only uses with at least this confidence, from 0 to 1
    #[arg(long, value_parser = confidence, value_name = "SHARE")]
    pub min_confidence: Option<f64>,
    /// Include test code (the default)
    #[arg(long, overrides_with = "exclude_tests")]
    pub include_tests: bool,
    /// Leave out test code: #[test], #[cfg(test)] and tests/
    #[arg(long, overrides_with = "include_tests")]
    pub exclude_tests: bool,
    /// Show the source lines around each result
    #[arg(long)]
    pub snippets: bool,
    #[command(flatten)]
    pub limit: Limit,
}

/// Parses a kind of use.
pub fn use_kind(text: &str) -> Result<RefKind, String> {
    text.parse().map_err(|error: UnknownRefKind| error.to_string())
}

/// Parses a confidence: `0.9` or `90%`.
pub fn confidence(text: &str) -> Result<f64, String> {
    let bad = || format!("`{text}` is not a number from 0 to 1");
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    share.ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(bad)
}

impl UseArgs {
    pub fn request(&self) -> UseRequest {
        UseRequest {
            use_kinds: self.kind.clone(),
            min_confidence: self.min_confidence.unwrap_or_default(),
            tests: if self.exclude_tests { Tests::Exclude } else { Tests::Include },
            snippets: if self.snippets { Snippets::Lines } else { Snippets::None },
            limit: self.limit.get(),
            ..UseRequest::default()
        }
    }

    /// Guesses are listed if requested by a flag or by a confidence.
    pub fn request_with_guesses(&self, asked_for: bool) -> UseRequest {
        let guesses = match asked_for || self.min_confidence.is_some() {
            true => Guesses::Show,
            false => Guesses::LeaveOut,
        };
        UseRequest { guesses, ..self.request() }
    }
}

/// A graph instead of a listing.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// Draw a graph instead of a listing: Graphviz, Mermaid or SVG
    #[arg(long, value_enum, value_name = "FORM")]
    pub graph: Option<Picture>,
}

/// Format of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    Dot,
    Mermaid,
    Svg,
}

impl GraphArgs {
    /// Prints the graph of an answer, if requested.
    pub fn draw<'a, A: Serialize>(&self, context: &Context, answer: &'a A) -> anyhow::Result<bool>
    where
        Graph: From<&'a A>,
    {
        let Some(picture) = self.graph else { return Ok(false) };
        if !context.is_prose() {
            return Err(Failure::usage(
                "`--graph` cannot be combined with `--format` or `--fields`",
                "leave one of them out",
            )
            .into());
        }
        let graph = Graph::from(answer);
        output::print_whole(&match picture {
            Picture::Dot => graph.dot(),
            Picture::Mermaid => graph.mermaid(),
            Picture::Svg => graph.svg(),
        })?;
        output::basis(context, &serde_json::to_value(answer)?)?;
        Ok(true)
    }
}

/// Part of a note about guesses and uses of implementations that are not listed.
pub fn left_out(guesses: usize, known: Option<&Certainty>) -> String {
    let guesses = guesses_left_out(guesses, "--guesses");
    let of_impls = |known| implementations_left_out(known, "--implementations");
    format!("{guesses}{}", known.map_or_else(String::new, of_impls))
}

/// Of a flag `--implementations`.
pub fn implementations(show: bool) -> Implementations {
    if show { Implementations::Show } else { Implementations::LeaveOut }
}

/// Notes whether a short answer is complete.
pub fn certainty(context: &Context, known: &Certainty, total: usize) {
    if total > FEW {
        return;
    }
    let hint = known.hint.as_deref().unwrap_or_default();
    match (known.unresolved_uses, total) {
        (0, 0) if known.proven => context.note("no use in the workspace (proven)"),
        (0, 0) => context.note(&format!("not proven: {hint}")),
        (0, _) => {}
        (n, _) => context.note(&format!("{}: {hint}", unresolved(n))),
    }
}
