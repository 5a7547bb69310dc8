//! What became of definitions between two states: which changed and how, which were moved,
//! renamed, split off or merged. Pure functions of the states and their texts, without database
//! or clock. In the database an item is identified by its path; here two paths are matched as one
//! item.

mod agreement;
mod bag;
mod call_sites;
mod class;
mod flow;
mod item_matches;
mod matching;
mod similarity;
mod state;

#[cfg(test)]
mod tests;

pub use bag::Bag;
pub use call_sites::CallSites;
pub use class::Comparison;
pub use flow::{Flow, PartialMatch};
pub use item_matches::{ItemMatch, ItemMatches, MATCH_RULES_VERSION, MatchKind, Texts};
pub use matching::{Matching, Pair, Rule, Steps};
pub use state::ItemState;

pub use crate::model::Class;
