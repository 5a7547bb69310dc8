//! `affected_tests`: the tests that a change affects.

use asof_engine::Refresh;
use asof_wire::ChangeImpact;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::page::{Pager, Reply};
use crate::tool::{self, Call, Effect, Offered, Tool};
use crate::workspace::{refresh, when};
use asof_surface::problem::Problem;
use asof_surface::test_filter;
use asof_surface::text::change_impact::change_impact;

pub const TOOL: Tool = Tool {
    name: "affected_tests",
    title: "Tests to run after a change",
    description: "Use after a change to see what it affects and which tests to run, with the \
                  commands; e.g. from HEAD for what is not committed. Says when all tests have \
                  to run, and why.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<ChangeImpact>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// Earlier moment, see `at` of show; a commit need not be imported
    from: String,
    /// Later moment; default NOW
    to: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

/// Tests that the text lists.
const TESTS: usize = 50;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    let pager = Pager::new(call, TOOL.name, &given)?;
    let arguments: Arguments = tool::arguments(given)?;
    let database = call.workspace.database(call)?;
    let (from, to) = (when(Some(&arguments.from))?, when(arguments.to.as_deref())?);
    refresh(call, &database, &to)?;
    let limit = Some(pager.limit());
    let found = database.impact_between(&from, &to, Refresh::IfFree, limit, &call.notifier)?;
    pager.list(&found.answer.basis.clone(), &found, |found: &ChangeImpact| {
        let commands = test_filter::cargo(&found.tests).join("\n");
        format!("{}\n{commands}\n", change_impact(found, Some(TESTS)))
    })
}
