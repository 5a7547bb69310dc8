//! Indexes that must lie in their tables. A wrong one is reported, and leads nowhere: the first node,
//! file or module would be an answer that looks right.

use asof_model::never;

/// Index of nothing: no table has it, so no name is found there and no path leads there.
pub(super) const NOWHERE: u32 = u32::MAX;

/// An index that must be there.
pub(super) trait OrNowhere {
    /// The index. If it is missing, the `invariant` is broken, see [`never!`](asof_model::never), and a
    /// release goes on with [`NOWHERE`].
    fn or_nowhere(self, invariant: &str) -> u32;
}

impl OrNowhere for Option<u32> {
    #[track_caller]
    fn or_nowhere(self, invariant: &str) -> u32 {
        let Some(index) = self else {
            never!("{invariant}");
            return NOWHERE;
        };
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "internal error: an instance has a crate root")]
    fn a_missing_index_ends_a_test() {
        let _ = None.or_nowhere("an instance has a crate root");
    }

    #[test]
    fn an_index_that_is_there_is_returned() {
        assert_eq!(Some(0).or_nowhere("an instance has a crate root"), 0);
    }
}
