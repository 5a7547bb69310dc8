//! Context for a task.

use asof::Refresh;
use asof_wire::{ContextAnswer, ContextRequest};

use crate::http::endpoint::{Ask, Endpoint};
use crate::surface::problem::Problem;
use crate::surface::questions::search::CODE_CONTEXT;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of_database("/context", "Files that a task is about, with snippets", files)
            .post(),
        Endpoint::of(&CODE_CONTEXT),
    ]
}

fn files(ask: &Ask, request: ContextRequest) -> Result<ContextAnswer, Problem> {
    Ok(ask.database.context(&request, Refresh::IfFree)?)
}
