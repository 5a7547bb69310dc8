//! Search.

use asof::wire::{SearchAnswer, SearchDocs, SearchFiles, SearchRequest};

use crate::http::endpoint::{Endpoint, Moment};
use crate::surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment("/api/search", "Items that answer a question", items)
            .pages_of("results", 10),
        Endpoint::at_moment("/api/search/files", "Files that answer a question", files)
            .pages_of("results", 10),
        Endpoint::at_moment(
            "/api/search/docs",
            "Items and sections of documentation that answer a question",
            docs,
        )
        .pages_of("results", 10),
    ]
}

fn items(moment: &Moment<'_>, request: SearchRequest) -> Result<SearchAnswer, Problem> {
    Ok(moment.snapshot.search(&request)?)
}

fn docs(moment: &Moment<'_>, request: SearchRequest) -> Result<SearchDocs, Problem> {
    Ok(moment.snapshot.search_docs(&request)?)
}

fn files(moment: &Moment<'_>, request: SearchRequest) -> Result<SearchFiles, Problem> {
    Ok(moment.snapshot.search_files(&request)?)
}
