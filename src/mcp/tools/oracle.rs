//! Claims about code, and syntax queries.

use asof_engine::Snapshot;
use asof_wire::{AstMatches, AstRequest, CheckedClaim, ClaimRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::page::{self, Pager, Reply, basis_line};
use crate::tool::{self, Argument, Call, Effect, Offered, Tool, arg, required};
use asof_surface::problem::Problem;
use asof_surface::questions::syntax;
use asof_surface::text::claims::verdict;

pub const VERIFY: Tool = Tool {
    name: "verify",
    title: "Check a claim",
    description: "Use to check what you believe about the code before you rely on it: a question \
                  (`who calls X`, `signature of X`, `find all lines containing \"x\"`) with your \
                  answer. Says what is wrong or missing, and until when it was true.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Claim>,
    output: tool::output::<CheckedClaim>,
    run: run_verify,
};

pub const AST_QUERY: Tool = Tool {
    name: "ast_query",
    title: "Match syntax trees",
    description: "Use to find code by its syntax: a tree-sitter query, or `functions`, `structs`, \
                  `enums`, `impls`, `errors`, over files or one item.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<AstRequest>(SYNTAX),
    output: tool::output::<AstMatches>,
    run: |call, given| tool::answer(call, AST_QUERY.name, SYNTAX, given, &syntax::AST_QUERY),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the snapshot reads one")]
struct Claim {
    /// The question
    query: String,
    /// The claimed answer
    answer: String,
    /// Only this file
    file_path: Option<String>,
    /// The item that the question is about
    path: Option<String>,
    /// Moment, as in show
    at: Option<String>,
}

const SYNTAX: &[Argument] = &[
    required("query", "S-expressions with captures, or the name of a shipped query"),
    arg("files", "Files, folders or glob patterns; all files if empty"),
    arg("path", "Only this item"),
];

fn run_verify(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, VERIFY.name, given, check)
}

fn check(claim: Claim, snapshot: &Snapshot<'_>, _: &Pager) -> Result<Reply, Problem> {
    let Claim { query, answer, file_path, path, at: _ } = claim;
    let checked = snapshot.check_claim(&ClaimRequest { query, answer, file_path, path })?;
    page::whole(&checked, |checked: &CheckedClaim| {
        format!("{}{}", verdict(checked), basis_line(&checked.basis))
    })
}
