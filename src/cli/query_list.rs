//! `asof query --list`: the queries that can be run by name.

use asof::EngineError;
use asof_query::Library;
use asof_store::StoreError;

use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};
use asof_surface::queries;

pub fn run(context: &Context, start: &str) -> anyhow::Result<()> {
    let (library, problems) = match context.database() {
        Ok(database) => database.library(),
        // The shipped ones exist without a database, too.
        Err(EngineError::Store(StoreError::Missing { .. })) => (Library::shipped(), Vec::new()),
        Err(error) => return Err(error.into()),
    };
    for problem in &problems {
        output::warn(context, &problem.to_string());
    }
    let answer = queries::beginning(queries::list(&library, &problems), start);
    match context.format() {
        Format::Text if start.is_empty() && context.fields().is_empty() => {
            output::print(context, &queries::brief(&answer))
        }
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
