//! Numbers that must be those of something. A wrong one is reported, and leads nowhere: the first node,
//! file or module would be an answer that looks right.

use asof_model::never;

use super::ids::{Def, FileId};

/// Number of nothing: no table has it, so no name is found there and no path leads there.
pub(super) const NOWHERE: Def = Def::from_raw_unchecked(u32::MAX);

/// A number of which one is that of nothing.
pub(super) trait Number {
    const NOWHERE: Self;
}

impl Number for Def {
    const NOWHERE: Self = NOWHERE;
}

impl Number for FileId {
    const NOWHERE: Self = FileId::from_raw_unchecked(u32::MAX);
}

/// An item of a file.
impl Number for u32 {
    const NOWHERE: Self = u32::MAX;
}

/// A number that must be there.
pub(super) trait OrNowhere<N> {
    /// The number. If it is missing, the `invariant` is broken, see [`never!`](asof_model::never), and a
    /// release goes on with that of nothing.
    fn or_nowhere(self, invariant: &str) -> N;
}

impl<N: Number> OrNowhere<N> for Option<N> {
    #[track_caller]
    fn or_nowhere(self, invariant: &str) -> N {
        let Some(number) = self else {
            never!("{invariant}");
            return N::NOWHERE;
        };
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "internal error: an instance has a crate root")]
    fn a_missing_number_ends_a_test() {
        let _ = None::<Def>.or_nowhere("an instance has a crate root");
    }

    #[test]
    fn a_number_that_is_there_is_returned() {
        assert_eq!(Some(Def::new(0)).or_nowhere("an instance has a crate root"), Def::new(0));
    }
}
