//! The list of queries that can be run by name.

use asof_query::{Library, Program, ProgramSource, QueryError};
use asof_wire::{NamedQuery, QueryColumn, QueryList, QueryParam};

/// The queries of a library, with what is wrong with those of the user.
pub fn list(library: &Library, problems: &[QueryError]) -> QueryList {
    let items: Vec<_> = library.list().map(|(program, origin)| entry(program, origin)).collect();
    let problems = problems.iter().map(ToString::to_string).collect();
    QueryList { total: items.len(), items, problems }
}

/// The queries with their parameters in one line each, by folder: what all take, `at`, is left out.
/// Documentation is a request away.
pub fn brief(list: &QueryList) -> String {
    let mut out = String::new();
    let mut last = "";
    for query in &list.items {
        let (folder, name) = query.name.split_once('/').unwrap_or(("", &query.name));
        if folder != last {
            out.push_str(&format!("{folder}/\n"));
            last = folder;
        }
        let params: Vec<&str> =
            query.params.iter().map(|p| p.name.as_str()).filter(|name| *name != "at").collect();
        out.push_str(&format!("  {name}({})\n", params.join(", ")));
    }
    out
}

/// Only the queries whose name begins with a text.
pub fn beginning(mut list: QueryList, start: &str) -> QueryList {
    list.items.retain(|query| query.name.starts_with(start));
    list.total = list.items.len();
    list
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
