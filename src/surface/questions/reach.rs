//! What items reach.

use asof_wire::{ReachRequest, ReachResult};

use super::{Question, Request};
use crate::listing::Listing;
use crate::target::find_place;
use crate::text;

pub const REACH: Question<ReachRequest, ReachResult> = Question::new(
    "/api/reach",
    "Which items reach a set, by a shortest path",
    |moment, request| Ok(moment.snapshot.reach_sets(&request)?),
    REACHING,
)
.pages(50)
.text(text::reach::reach)
.notes(|found, words| text::reach::reach_notes(found, &(words.argument)("guesses")));

/// Columns of items that reach a set.
const REACHING: Listing<'_> = Listing {
    columns: &[
        ("item", "{path}"),
        ("place", "{file_path}:{line}"),
        ("set", "{set}"),
        ("reaches", "{reached}"),
        ("certain", "{certain}"),
    ],
    keys: "id path kind file_path line in_test set reached certain other_condition since unresolved \
           outside steps",
};

impl Request for ReachRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        for from in &mut self.from {
            let mut place = Some(std::mem::take(from));
            find_place(&mut place, file);
            *from = place.unwrap_or_default();
        }
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}
