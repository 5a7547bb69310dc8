//! Context for a task: the files that an intent is about (`files`), and code up to a number of
//! tokens (`code`). Both ask the search for candidates and history for changes; the rules that rank
//! them are in `queries/context/`.

mod cache;
mod code;
mod files;
mod snippet;

pub(super) use cache::ContextCache;

use super::error::EngineError;
use crate::search::SearchError;
use crate::wire::Hint;

/// Microseconds of a day.
const DAY: f64 = 86_400e6;

fn bad_intent(error: SearchError) -> EngineError {
    let hint = match &error {
        SearchError::Empty => "say in words what the task is",
        SearchError::TooLong { .. } => "a few sentences are enough",
        _ => "name what the task is about: a feature, a file, an item",
    };
    let what = match error {
        SearchError::Empty => "the intent is empty".to_owned(),
        SearchError::TooLong { len, limit } => {
            format!("the intent has {len} bytes; the limit is {limit}")
        }
        SearchError::NoWords(text) => format!("`{text}` contains no keyword"),
        damaged @ SearchError::Damaged { .. } => damaged.to_string(),
    };
    EngineError::BadRequest { what, hint: Hint::advice(hint) }
}
