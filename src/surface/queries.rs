//! The list of queries that can be run by name.

use asof::query::{Library, Program, ProgramSource, QueryError};
use asof::wire::{NamedQuery, QueryColumn, QueryList, QueryParam};

/// The queries of a library, with what is wrong with those of the user.
pub fn list(library: &Library, problems: &[QueryError]) -> QueryList {
    let items: Vec<_> = library.list().map(|(program, origin)| entry(program, origin)).collect();
    let problems = problems.iter().map(ToString::to_string).collect();
    QueryList { total: items.len(), items, problems }
}

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
