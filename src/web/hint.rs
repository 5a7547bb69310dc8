//! Hints in the words of the explorer.

use asof_model::{Filter, Hint};
use asof_wire::Caveat;

use asof_surface::hint as server;
use asof_surface::text::alternatives;
use asof_surface::text::uses::{Lacking, caveat};

/// What a reader can do next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Narrow(filters) => {
            format!("several items match: {}", alternatives(filters, narrowed))
        }
        Hint::ListOutline | Hint::OutlineOf(_) | Hint::ListFiles => {
            "look for it under Files".to_owned()
        }
        Hint::DescribeSources(names) => format!("relations and views: {names}"),
        Hint::ListRevisions => "the page Revisions lists the known moments; Git commits, branches \
             and tags are known after `asof index --history` in a shell"
            .to_owned(),
        Hint::ListProposals => "the page Edits lists the proposals".to_owned(),
        Hint::ListQueries => "the page Query lists the queries".to_owned(),
        Hint::DescribeFile => "only indexed Rust files have items".to_owned(),
        Hint::CheaperQuery => "bind more columns, or look at the plan".to_owned(),
        Hint::QueryParameters => "give a value for each parameter".to_owned(),
        Hint::PlanAgain | Hint::DenyProposal => "deny the proposal, and plan it again".to_owned(),
        other => server::words(other),
    }
}

fn narrowed(filter: &Filter) -> String {
    match filter {
        Filter::Kind(kind) => format!("choose the {kind}"),
        Filter::FilePath(file) => format!("choose the one in {file}"),
        Filter::Path(path) => format!("give the whole path `{path}`"),
        Filter::Id(id) => format!("choose {id}"),
    }
}

/// Why a list of uses may be incomplete.
pub fn incomplete(why: &Caveat) -> String {
    let listing = |lacking| match lacking {
        Lacking::Unresolved => "the page Issues lists unresolved names".to_owned(),
        Lacking::Guesses => "they are listed with their confidence".to_owned(),
        Lacking::Other => "the other uses are listed by their kind".to_owned(),
        Lacking::Implementations => "the lineage lists them".to_owned(),
    };
    caveat(why, listing)
}
