//! Times of imported commits. Revisions are ordered as in the history, parents before children;
//! dates in commits come from clocks, which may be wrong.
//!
//! As many commits as possible keep their dates without one coming before its parent. A commit
//! whose date does not fit (before its parent's, after its child's, in the future, or impossible)
//! is placed right after its parent. So one wrong date moves one commit, not all later ones. The
//! original date is kept in `git_commit`.

use asof_model::Micros;

/// Microseconds in a second.
const SECOND: i64 = 1_000_000;

/// Range of allowed commit times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Later than this.
    pub after: Option<Micros>,
    /// Not later than this.
    pub until: Micros,
}

/// Strictly increasing times of commits with these dates (seconds since 1970), parents first.
/// They are within the window, unless too many are placed after its start to fit.
pub(crate) fn commit_times(dates: &[i64], window: Window) -> Vec<Micros> {
    let start = window.after.map_or(i64::MIN, |after| after.0);
    let fits = |seconds: i64| {
        let at = seconds.checked_mul(SECOND).map(Micros)?;
        let fits = (Micros::EARLIEST..=Micros::LATEST).contains(&at);
        (fits && at.0 > start && at <= window.until).then_some(at.0)
    };
    let dated: Vec<Option<i64>> = dates.iter().map(|seconds| fits(*seconds)).collect();
    let kept = longest_rise(&dated);
    let mut times = Vec::with_capacity(dates.len());
    let mut last = window.after.map(|after| after.0);
    for (date, kept) in dated.iter().zip(&kept) {
        let date = date.filter(|_| *kept);
        let at = match (date, last) {
            (Some(date), Some(last)) => Some(date.max(last.saturating_add(1))),
            (Some(date), None) => Some(date),
            (None, Some(last)) => Some(last.saturating_add(1)),
            // Right before the first one placed.
            (None, None) => None,
        };
        last = at;
        times.push(at);
    }
    // From the end: a commit without a time is placed before its child, so that none is too late.
    let count = i64::try_from(dates.len()).unwrap_or(i64::MAX);
    let mut end = window.until.0.max(start.saturating_add(count)).saturating_add(1);
    let mut placed: Vec<Micros> = Vec::with_capacity(times.len());
    for at in times.into_iter().rev() {
        end = at.unwrap_or(i64::MAX).min(end.saturating_sub(1));
        placed.push(Micros(end));
    }
    placed.reverse();
    placed
}

/// Whether a commit's time differs from its date by a second or more.
pub(crate) fn is_moved(at: Micros, committed: Micros) -> bool {
    at.0.div_euclid(SECOND) != committed.0.div_euclid(SECOND)
}

/// Which of these are part of a longest non-decreasing subsequence; of several, the one that keeps
/// earlier elements.
fn longest_rise(values: &[Option<i64>]) -> Vec<bool> {
    // From the end, so that of two exclusive elements the earlier one is kept. `tails`: for each
    // length, the start of the best sequence of that length.
    let mut tails: Vec<(i64, usize)> = Vec::new();
    let mut next: Vec<Option<usize>> = vec![None; values.len()];
    for (place, value) in values.iter().enumerate().rev() {
        let Some(value) = *value else { continue };
        let length = tails.partition_point(|(begin, _)| *begin >= value);
        let before = length.checked_sub(1).and_then(|at| tails.get(at));
        if let Some(slot) = next.get_mut(place) {
            *slot = before.map(|(_, place)| *place);
        }
        match tails.get_mut(length) {
            Some(tail) => *tail = (value, place),
            None => tails.push((value, place)),
        }
    }
    let mut kept = vec![false; values.len()];
    let mut at = tails.last().map(|(_, place)| *place);
    while let Some(place) = at {
        if let Some(slot) = kept.get_mut(place) {
            *slot = true;
        }
        at = next.get(place).copied().flatten();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: i64 = 1_700_000_000;

    fn window(after: Option<i64>) -> Window {
        Window {
            after: after.map(|s| Micros(s * SECOND)),
            until: Micros(NOW * SECOND + SECOND - 1),
        }
    }

    #[track_caller]
    fn check(dates: &[i64], after: Option<i64>, expected: &[i64]) {
        let times: Vec<i64> =
            commit_times(dates, window(after)).into_iter().map(|at| at.0).collect();
        assert_eq!(times, expected, "{dates:?}");
    }

    #[test]
    fn dates_in_order_are_kept_and_equal_ones_follow_each_other() {
        check(&[5, 6, 9], None, &[5_000_000, 6_000_000, 9_000_000]);
        check(&[5, 5, 5, 6], None, &[5_000_000, 5_000_001, 5_000_002, 6_000_000]);
        check(&[], None, &[]);
    }

    #[test]
    fn one_wrong_date_moves_one_commit() {
        check(&[5, 900, 6, 7], None, &[5_000_000, 5_000_001, 6_000_000, 7_000_000]);
        check(&[5, 6, 1, 7], None, &[5_000_000, 6_000_000, 6_000_001, 7_000_000]);
        check(&[6, 5], None, &[6_000_000, 6_000_001]);
        // In the future, before 1970, beyond all numbers.
        check(&[5, NOW + 9, 7], None, &[5_000_000, 5_000_001, 7_000_000]);
        check(&[-5, 7, i64::MAX, 8], None, &[6_999_999, 7_000_000, 7_000_001, 8_000_000]);
    }

    #[test]
    fn without_any_date_commits_end_at_the_end_of_the_window() {
        let end = NOW * SECOND + SECOND - 1;
        check(&[-1, NOW + 1, i64::MIN], None, &[end - 2, end - 1, end]);
        check(&[1, 2], Some(9), &[9_000_001, 9_000_002]);
        // The newest revision lies after the clock.
        check(&[1, NOW], Some(NOW + 7), &[(NOW + 7) * SECOND + 1, (NOW + 7) * SECOND + 2]);
    }

    fn date() -> impl Strategy<Value = i64> {
        prop_oneof![
            4 => 0..20i64,
            2 => NOW - 3..NOW + 3,
            1 => prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(-1), Just(7_258_118_400)],
        ]
    }

    proptest! {
        #[test]
        fn times_rise_within_the_window_and_keep_what_they_can(
            dates in prop::collection::vec(date(), 0..12),
            after in prop::option::of(0..12i64),
        ) {
            let window = window(after);
            let times = commit_times(&dates, window);
            prop_assert!(times.is_sorted_by(|a, b| a < b), "{:?}", times);
            prop_assert!(times.iter().all(|at| window.after.is_none_or(|after| *at > after)));
            prop_assert!(times.iter().all(|at| *at <= window.until && at.0 >= -12));
            // As many keep their second as the longest non-decreasing subsequence has elements.
            let fits: Vec<Option<i64>> = dates.iter().map(|s| {
                (0..=NOW).contains(s).then_some(*s).filter(|s| after.is_none_or(|a| *s > a))
            }).collect();
            let mut best = vec![0usize; fits.len()];
            for at in 0..fits.len() {
                if let Some(value) = fits[at] {
                    let before = (0..at).filter(|b| fits[*b].is_some_and(|b| b <= value));
                    best[at] = 1 + before.map(|b| best[b]).max().unwrap_or(0);
                }
            }
            let kept = times.iter().zip(&dates).filter(|(at, date)| at.0.div_euclid(SECOND) == **date);
            prop_assert!(kept.count() >= best.into_iter().max().unwrap_or(0));
        }
    }
}
