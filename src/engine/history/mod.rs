//! The history of items: their versions across moves and renames, what differs between two
//! moments, the log of operations, who changed what last. Rows come from `queries/history`,
//! matches from `item_tracking`.

mod blame;
mod compose;
mod diff;
mod ends;
mod fold;
mod log;
mod matches;
mod past;
mod versions;
mod walk;

pub use blame::{Blame, Blamed};
pub use diff::{Detail, Diff, DiffItem, DiffRequest, Patch};
pub use ends::{Guesses, Matched};
pub use log::{Log, LogRequest, Operation};
pub use past::Event;
pub use versions::{History, HistoryRequest, Spans, Version};

pub(super) use matches::{MatchCache, store_matches};
