//! The words of an interface: how it names commands, options, tools and arguments.

use asof_model::{Filter, Hint};
use asof_wire::{Certainty, Item, Symbol};

use super::text::uses::{Lacking, caveat};

#[derive(Debug)]
pub struct Words {
    pub hint: fn(&Hint) -> String,
    /// What to do if no match has the id.
    pub wrong_id: &'static str,
    /// A match in a line.
    pub candidate: fn(&Item) -> String,
    /// How to choose one of several matches, each by its filter, or all.
    pub choose: fn(&[Filter]) -> String,
    /// How to list what a list of uses lacks.
    pub lists: fn(&[Symbol], Lacking) -> String,
    /// How an argument of this name is written.
    pub argument: fn(&str) -> String,
}

impl Words {
    /// Says why a list of uses may be incomplete, and how to see more.
    pub fn explain(&self, known: &mut Certainty, symbols: &[Symbol]) {
        let lists = |lacking| (self.lists)(symbols, lacking);
        known.hint = known.caveat.as_ref().map(|why| caveat(why, lists));
    }
}
