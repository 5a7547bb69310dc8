//! The past of items: their versions across moves and renames, what differs between two
//! moments, the log of operations, who changed what last. Rows come from `queries/history`,
//! judgements from `lineage`.

mod blame;
mod compose;
mod diff;
mod ends;
mod fold;
mod log;
mod past;
mod versions;
mod walk;

pub(super) use past::{MatchCache, keep_judgement};
