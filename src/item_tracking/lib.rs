//! Tracks definitions between two states: which changed and how, which were moved, renamed, split
//! off or merged. Pure functions of the states and their texts, without database or clock. In the
//! database an item is identified by its path; here two paths are matched as one item.

mod agreement;
mod bag;
mod call_sites;
mod class;
mod flow;
mod item_match;
mod item_matches;
mod matching;
mod rounds;
mod similarity;
mod state;
mod texts;

#[cfg(test)]
mod tests;

pub use bag::Bag;
pub use call_sites::CallSites;
pub use class::Comparison;
pub use flow::{Flow, PartialMatch};
pub use item_match::{ItemMatch, MatchKind, Rule};
pub use item_matches::{ItemMatches, MATCH_RULES_VERSION};
pub use matching::{Matching, Pair, Steps};
pub use state::ItemState;
pub use texts::Texts;

pub use asof_model::Class;
