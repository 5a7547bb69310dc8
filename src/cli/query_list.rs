//! `asof query --list`: the queries that can be run by name.

use asof::engine::EngineError;
use asof::query::{Library, Program, ProgramSource};
use asof::store::StoreError;
use serde_json::json;

use super::args::Format;
use super::context::Context;
use super::output::{self, Listing};

pub fn run(context: &Context) -> anyhow::Result<()> {
    let (library, problems) = match context.database() {
        Ok(database) => database.library(),
        // The shipped ones are there without a database, too.
        Err(EngineError::Store(StoreError::Missing { .. })) => (Library::shipped(), Vec::new()),
        Err(error) => return Err(error.into()),
    };
    for problem in &problems {
        output::warn(context, &problem.to_string());
    }
    let items: Vec<_> = library.list().map(|(program, origin)| entry(program, origin)).collect();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let answer = json!({ "total": items.len(), "items": items, "problems": problems });
    match context.format() {
        Format::Json => output::listing(context, &answer, QUERY),
        _ => output::rows(context, &answer, QUERY),
    }
}

const QUERY: Listing<'_> = Listing {
    columns: &[
        ("name", "{name}"),
        ("cost", "{cost}"),
        ("source", "{source}"),
        ("parameters", "{signature}"),
        ("doc", "{doc}"),
    ],
    keys: "name doc cost source params columns signature",
};

fn entry(program: &Program, origin: ProgramSource) -> serde_json::Value {
    let params: Vec<_> = program
        .params
        .iter()
        .map(|p| json!({ "name": p.name, "type": p.kind.to_string(), "doc": p.doc }))
        .collect();
    let columns: Vec<_> =
        program.columns.iter().map(|c| json!({ "name": c.name, "type": c.kind })).collect();
    let signature: Vec<_> =
        program.params.iter().map(|p| format!("{}: {}", p.name, p.kind)).collect();
    let source = match origin {
        ProgramSource::Shipped => "shipped",
        ProgramSource::User => "user",
    };
    json!({
        "name": program.name,
        "doc": program.doc,
        "cost": program.cost.as_str(),
        "source": source,
        "params": params,
        "columns": columns,
        "signature": signature.join(", "),
    })
}
