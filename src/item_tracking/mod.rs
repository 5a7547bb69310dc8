//! What became of definitions between two states: which changed and how, which moved or were
//! renamed, which were split off or merged in. Pure functions of the states and their texts:
//! they ask no database and know no time. Identity in the database is the path; this is the
//! judgement that two paths are one definition.

mod bag;
mod class;
mod flow;
mod item_matches;
mod matching;
mod state;

#[cfg(test)]
mod tests;

pub use bag::Bag;
pub use class::Comparison;
pub use flow::{Flow, PartialMatch, holds_code, may_take_in};
pub use item_matches::{ItemMatch, ItemMatches, MATCH_RULES_VERSION, Texts};
pub use matching::{Matching, Pair, Rule, Steps};
pub use state::ItemState;

pub use crate::model::Class;
