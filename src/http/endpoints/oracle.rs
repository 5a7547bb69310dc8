//! Claims about code, and syntax queries.

use asof::wire::{AstMatches, AstRequest, CheckedClaim, ClaimRequest};

use crate::http::endpoint::{DependsOn, Endpoint, Moment};
use crate::surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        // A question may name another moment.
        Endpoint::at_moment("/api/verify", "Whether a claimed answer is right", verify)
            .depends_on(DependsOn::More),
        Endpoint::at_moment("/api/ast-query", "Matches of a tree-sitter query", syntax).pages(50),
    ]
}

fn verify(moment: &Moment<'_>, request: ClaimRequest) -> Result<CheckedClaim, Problem> {
    Ok(moment.snapshot.check_claim(&request)?)
}

fn syntax(moment: &Moment<'_>, request: AstRequest) -> Result<AstMatches, Problem> {
    Ok(moment.snapshot.ast_query(&request)?)
}
