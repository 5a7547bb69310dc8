//! Turns states at moments into rows with intervals of validity.

use std::collections::{HashMap, HashSet};

use super::cell::{Cell, Row};

/// End of an interval that has not ended.
pub const OPEN: i64 = i64::MAX;

/// A set of rows over time. A row that is in consecutive states is one interval.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    /// First moment of each row that holds.
    holding: HashMap<Row, i64>,
}

impl Tracker {
    /// The set from this moment on. Moments must rise. Rows that have ended go to `out`.
    pub fn set(&mut self, at: i64, rows: impl IntoIterator<Item = Row>, out: &mut Vec<Row>) {
        let rows: HashSet<Row> = rows.into_iter().collect();
        self.holding.retain(|row, from| {
            let holds = rows.contains(row);
            if !holds && *from < at {
                out.push(ended(row, *from, at));
            }
            holds
        });
        for row in rows {
            self.holding.entry(row).or_insert(at);
        }
    }

    /// The rows that still hold go to `out`.
    pub fn finish(self, out: &mut Vec<Row>) {
        out.extend(self.holding.iter().map(|(row, from)| ended(row, *from, OPEN)));
    }
}

fn ended(row: &Row, from: i64, to: i64) -> Row {
    let mut row = row.clone();
    row.extend([Cell::Long(from), Cell::Long(to)]);
    row
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_rows_of_a_moment_are_the_set_of_that_moment(
            states in prop::collection::vec(prop::collection::hash_set(0_i64..6, 0..6), 1..12),
        ) {
            let mut tracker = Tracker::default();
            let mut rows = Vec::new();
            for (at, state) in states.iter().enumerate() {
                tracker.set(10 * at as i64, state.iter().map(|n| vec![Cell::Long(*n)]), &mut rows);
            }
            tracker.finish(&mut rows);
            let numbers: Vec<[i64; 3]> = rows
                .iter()
                .map(|row| [0, 1, 2].map(|at| row[at].as_long().unwrap()))
                .collect();
            for (at, state) in states.iter().enumerate() {
                for moment in [10 * at as i64, 10 * at as i64 + 9] {
                    let found: Vec<i64> = numbers
                        .iter()
                        .filter(|[_, from, to]| *from <= moment && moment < *to)
                        .map(|[n, ..]| *n)
                        .collect();
                    prop_assert_eq!(found.len(), state.len());
                    prop_assert!(found.iter().all(|n| state.contains(n)));
                }
            }
            // One interval cannot continue another of the same row.
            for [n, _, to] in &numbers {
                prop_assert!(!numbers.iter().any(|[m, from, _]| n == m && from == to));
            }
        }
    }
}
