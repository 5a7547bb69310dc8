//! Versions of items and their matches, read from a store for one question, or written with a
//! revision. It knows a store and a moment, no [`Database`](super::Database).

mod matches;
mod versions;

pub(super) use matches::{MatchedIds, commit_matches, find_matches};
pub(super) use versions::{Past, before, fetch, is_followed, item_state, states};
