//! Resources: items, files, answers of named queries, and what queries can read.

use asof_model::{ErrorKind, Hint};
use asof_query::data_sources;
use asof_wire::{Answer, QueryRequest, Script, Shown};
use rmcp::model::{CacheScope, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value as Json};

use super::options::untrusted;
use super::page::{Pager, basis_line};
use super::tools::{query, show};
use super::visible;
use super::workspace::{Call, snapshot};
use asof_surface::problem::Problem;

const SCHEMA: &str = "asof://schema";
const NODE: &str = "asof://node/";
const FILE: &str = "asof://file/";
const QUERY: &str = "asof://query/";

/// Text of a resource at most: 4 MiB. Larger ones are read in pages with `show`.
const MAX_TEXT: usize = 4 << 20;

/// The resources that have no parameters.
pub fn list() -> Vec<Resource> {
    vec![
        Resource::new(SCHEMA, "schema")
            .with_title("Relations and views")
            .with_description("What a query can read: relations and views with their columns")
            .with_mime_type("text/plain"),
    ]
}

/// The resources that have parameters.
pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{NODE}{{path}}"), "node")
            .with_title("Source of an item")
            .with_description("Source of the item at a path, such as crate::module::Type")
            .with_mime_type("text/x-rust"),
        ResourceTemplate::new(format!("{FILE}{{+path}}"), "file")
            .with_title("Source of a file")
            .with_description("An indexed file, by its path relative to the root")
            .with_mime_type("text/x-rust"),
        ResourceTemplate::new(format!("{QUERY}{{+name}}{{?params*}}"), "query")
            .with_title("Answer of a named query")
            .with_description("Rows of a named query; its parameters follow `?`")
            .with_mime_type("text/plain"),
    ]
}

/// Reads a resource.
///
/// # Errors
/// A URI that means nothing, and whatever is wrong with what it means.
pub fn read(call: &Call, uri: &str) -> Result<ReadResourceResult, Problem> {
    let (text, mime_type) = if uri == SCHEMA {
        (schema(), "text/plain")
    } else if let Some(path) = uri.strip_prefix(NODE) {
        (source(call, &decoded(path)?)?, "text/x-rust")
    } else if let Some(path) = uri.strip_prefix(FILE) {
        let path = decoded(path)?;
        if !path.ends_with(".rs") {
            let message = format!("`{path}` is no Rust file");
            return Err(Problem::new(ErrorKind::NoMatch, message, Hint::DescribeFile));
        }
        (source(call, &path)?, "text/x-rust")
    } else if let Some(rest) = uri.strip_prefix(QUERY) {
        (rows(call, rest)?, "text/plain")
    } else {
        let hint = format!("resources are {SCHEMA}, {NODE}PATH, {FILE}PATH and {QUERY}NAME");
        let message = format!("no resource `{uri}`");
        return Err(Problem::new(ErrorKind::NoMatch, message, hint));
    };
    if text.len() > MAX_TEXT {
        let message = format!("`{uri}` has {} bytes: more than a resource may have", text.len());
        let hint = Hint::advice("read it in pages with `show`");
        return Err(Problem::new(ErrorKind::Limit, message, hint));
    }
    let contents = ResourceContents::text(text, uri).with_mime_type(mime_type);
    let contents = match uri {
        SCHEMA => contents,
        _ => contents.with_meta(untrusted()),
    };
    // Code changes at any time.
    Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
}

fn source(call: &Call, path: &str) -> Result<String, Problem> {
    let database = call.workspace.database(call)?;
    let snapshot = snapshot(call, &database, None)?;
    let items = show::meant(&snapshot, path)?;
    let answer: Answer<Shown> = snapshot.show(&items)?;
    let texts: Vec<&str> = answer.items.iter().map(|shown| shown.text.as_str()).collect();
    Ok(visible::text(&texts.join("\n\n")).into_owned())
}

fn rows(call: &Call, rest: &str) -> Result<String, Problem> {
    let (name, params) = rest.split_once('?').unwrap_or((rest, ""));
    let mut request = QueryRequest::new(Script::Name(decoded(name)?));
    for pair in params.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        request.params.push((decoded(name)?, Json::String(decoded(value)?)));
    }
    let pager = Pager::new(call, "resource", &Json::Object(Map::new()))?;
    let found = query::ask(call, None, request, &pager)?;
    let more = if found.truncated { "… more rows than these\n" } else { "" };
    let text = format!("{}{more}{}", query::text(&found), basis_line(&found.basis));
    Ok(visible::text(&text).into_owned())
}

/// Every relation and view with its columns.
fn schema() -> String {
    let mut out = String::from(
        "Read a relation as *name{column, …}, as of the moment of the question; a view by \
         position as name[column, …]. Key columns have an asterisk; a query that binds the first \
         of them seeks.\n",
    );
    for source in data_sources() {
        let (kind, name, doc) = (&source.kind, &source.name, &source.doc);
        out.push_str(&format!("\n{kind} {name}: {doc}\n"));
        for column in &source.items {
            let key = if column.key { "*" } else { "" };
            out.push_str(&format!("  {}{key}: {}  {}\n", column.name, column.kind, column.doc));
        }
    }
    out
}

/// A part of a URI without its percent signs.
fn decoded(text: &str) -> Result<String, Problem> {
    let malformed = || {
        let message = format!("`{text}` is not a part of a URI");
        Problem::bad_request(message, "write other characters as %XX")
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
        let (Some(high), Some(low)) = (digit(), digit()) else { return Err(malformed()) };
        bytes.push(u8::try_from(high * 16 + low).map_err(|_| malformed())?);
    }
    String::from_utf8(bytes).map_err(|_| malformed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_uris_are_decoded() {
        let check = |text: &str, plain: Option<&str>| {
            assert_eq!(decoded(text).ok().as_deref(), plain, "{text}");
        };
        check("crate::a::f", Some("crate::a::f"));
        check("%3Ccrate::T%20as%20Debug%3E::fmt", Some("<crate::T as Debug>::fmt"));
        check("a%2", None);
        check("%zz", None);
        check("%ff", None);
    }
}
