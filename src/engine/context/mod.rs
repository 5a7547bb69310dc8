//! Context for a task: the files that an intent is about (`files`), and code up to a number of
//! tokens (`code`). Both ask the search for candidates and history for changes; the rules that rank
//! them are in `queries/context/`.

mod analogy;
mod code;
mod files;
mod fill;
mod neighbours;
mod nouns;
mod snippet;

use super::error::EngineError;
use asof_model::Hint;
use asof_search::SearchError;
use asof_wire::Item;

/// An item that may be listed.
struct Candidate {
    item: Item,
    score: f64,
    /// Its condition, if the configuration does not have it.
    other: Option<String>,
    /// Why it may be listed.
    why: String,
}

/// What an item is worth to a task, and why.
#[derive(Debug, Clone, Default, PartialEq)]
struct Because {
    score: f64,
    why: String,
    /// Whether it shows a change of the same kind, which is told beside other reasons.
    is_example: bool,
}

/// Microseconds of a day.
const DAY: f64 = 86_400e6;

fn bad_intent(error: SearchError) -> EngineError {
    let hint = match &error {
        SearchError::Empty => "say in words what the task is",
        SearchError::TooLong { .. } => "a few sentences are enough",
        _ => "name what the task is about: a feature, a file, an item",
    };
    let what = match error {
        SearchError::Empty => "the intent is empty".to_owned(),
        SearchError::TooLong { len, limit } => {
            format!("the intent has {len} bytes; the limit is {limit}")
        }
        SearchError::NoWords(text) => format!("`{text}` contains no keyword"),
        damaged @ SearchError::Damaged { .. } => damaged.to_string(),
    };
    EngineError::BadRequest { what, hint: Hint::advice(hint) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use asof_store::{Params, Store, Value};

    /// Composite and confidence of files: relevance, coverage, tag affinity, days, changes.
    fn ranked(
        store: &Store,
        has_tags: bool,
        files: &[([f64; 3], Option<f64>, i64)],
    ) -> Vec<[f64; 2]> {
        let row = |(number, (shares, days, changes)): (usize, &([f64; 3], Option<f64>, i64))| {
            let days = days.map_or(Value::Null, Value::from);
            let shares = shares.iter().map(|share| Value::from(*share));
            let ends = [days, Value::Int(*changes)];
            Value::List([Value::Int(number as i64)].into_iter().chain(shares).chain(ends).collect())
        };
        let rows = files.iter().enumerate().map(row).collect();
        let params = Params::new().with("files", Value::List(rows)).with("has_tags", has_tags);
        let rows = asof_query::run(store, "context/rank", params).unwrap();
        let mut found = vec![[0.0; 2]; files.len()];
        for row in rows.iter() {
            let number: usize = row.get("number").unwrap();
            found[number] = [row.get("composite").unwrap(), row.get("confidence").unwrap()];
        }
        found
    }

    #[test]
    fn more_evidence_never_lowers_confidence() {
        let store = Store::in_memory().unwrap();
        let share = 0.0..=1.0f64;
        let days = proptest::option::of(0.0..4_000.0f64);
        let file = ([share.clone(), share.clone(), share], days, 0..1_000i64);
        proptest!(ProptestConfig::with_cases(64), |(
            (shares, days, changes) in file, has_tags: bool, which in 0..5usize, by in 0.0..1.0f64,
        )| {
            let mut more = (shares, days, changes);
            match which {
                3 => more.1 = days.map(|days| days * (1.0 - by)),
                4 => more.2 += (by * 10.0) as i64,
                share => more.0[share] += (1.0 - shares[share]) * by,
            }
            let found = ranked(&store, has_tags, &[(shares, days, changes), more]);
            for (less, more) in found[0].iter().zip(found[1]) {
                prop_assert!(*less >= 0.0 && more <= 1.0 + 1e-9, "{found:?}");
                prop_assert!(more >= *less - 1e-9, "{found:?}");
            }
        });
    }

    #[test]
    fn history_alone_says_nothing() {
        let store = Store::in_memory().unwrap();
        let found = ranked(&store, true, &[([0.0; 3], Some(0.0), 100), ([1.0; 3], None, 0)]);
        assert_eq!([found[0][1], found[1][1]], [0.0, 0.9]);
    }
}
