//! Context for a task.

use asof::Refresh;
use asof::wire::{CodeContext, CodeContextRequest, ContextAnswer, ContextRequest};

use crate::http::endpoint::{Ask, DependsOn, Endpoint, Moment};
use crate::surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of_database("/context", "Files that a task is about, with snippets", files)
            .post(),
        // How recently items changed depends on the clock.
        Endpoint::at_moment("/api/context/code", "Code up to a number of tokens", code)
            .depends_on(DependsOn::More),
    ]
}

fn files(ask: &Ask, request: ContextRequest) -> Result<ContextAnswer, Problem> {
    Ok(ask.database.context(&request, Refresh::IfFree)?)
}

fn code(moment: &Moment<'_>, request: CodeContextRequest) -> Result<CodeContext, Problem> {
    Ok(moment.snapshot.code_context(&request)?)
}
