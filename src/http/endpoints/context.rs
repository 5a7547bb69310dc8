//! Context for a task.

use asof_engine::Refresh;
use asof_wire::{ContextAnswer, ContextRequest};

use crate::endpoint::{Ask, Endpoint};
use asof_surface::problem::Problem;
use asof_surface::questions::search::CODE_CONTEXT;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of_database("/context", "Files that a task is about, with snippets", files)
            .post(),
        Endpoint::from_question(&CODE_CONTEXT),
    ]
}

fn files(ask: &Ask, request: ContextRequest) -> Result<ContextAnswer, Problem> {
    Ok(ask.database.context(&request, Refresh::IfFree)?)
}
