//! `status`: the state of the database.

use asof_wire::Status;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::page::{self, Reply, basis_line};
use crate::tool::{self, Call, Effect, Offered, Tool};
use asof_surface::problem::Problem;

pub const TOOL: Tool = Tool {
    name: "status",
    title: "State of the database",
    description: "Use to check what the database holds: root, revisions, files, definitions, \
                  issues (what could not be read or parsed).",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<Status>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    let Arguments {} = tool::arguments(given)?;
    let database = call.workspace.database(call)?;
    page::whole(&database.status()?, |status: &Status| {
        let root = status.root.as_deref().unwrap_or_default();
        format!(
            "{root}\nrevisions {}, files {}, definitions {}, issues {}, database {} bytes\n{}",
            status.revisions,
            status.files,
            status.definitions,
            status.issues,
            status.bytes,
            basis_line(&status.basis)
        )
    })
}
