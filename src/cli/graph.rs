//! `--graph`: draws an answer as DOT, Mermaid or SVG.

use asof::Graph;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::context::Context;
use super::output;
use asof_surface::problem::Problem;

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
            return Err(Problem::bad_request(
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
