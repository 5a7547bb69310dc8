//! `asof query --list`: the queries that can be run by name.

use asof::EngineError;
use asof::query::{Library, Program, ProgramSource};
use asof::store::StoreError;
use asof::wire::{NamedQuery, QueryColumn, QueryList, QueryParam};

use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};

pub fn run(context: &Context) -> anyhow::Result<()> {
    let (library, problems) = match context.database() {
        Ok(database) => database.library(),
        // The shipped ones exist without a database, too.
        Err(EngineError::Store(StoreError::Missing { .. })) => (Library::shipped(), Vec::new()),
        Err(error) => return Err(error.into()),
    };
    for problem in &problems {
        output::warn(context, &problem.to_string());
    }
    let items: Vec<_> = library.list().map(|(program, origin)| entry(program, origin)).collect();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let answer = QueryList { total: items.len(), items, problems };
    match context.format() {
        Format::Json => output::listing(context, &answer, QUERY),
        _ => output::rows(context, &serde_json::to_value(&answer)?, QUERY),
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

fn entry(program: &Program, origin: ProgramSource) -> NamedQuery {
    let params = program.params.iter().map(|p| QueryParam {
        name: p.name.clone(),
        kind: p.kind.to_string(),
        doc: p.doc.clone(),
    });
    let columns = program.columns.iter();
    let columns = columns.map(|c| QueryColumn { name: c.name.clone(), kind: c.kind.clone() });
    let signature: Vec<_> =
        program.params.iter().map(|p| format!("{}: {}", p.name, p.kind)).collect();
    let source = match origin {
        ProgramSource::Shipped => "shipped",
        ProgramSource::User => "user",
    };
    NamedQuery {
        name: program.name.clone(),
        doc: program.doc.clone(),
        cost: program.cost.as_str().to_owned(),
        source: source.to_owned(),
        params: params.collect(),
        columns: columns.collect(),
        signature: signature.join(", "),
    }
}
