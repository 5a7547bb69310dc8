//! The state at NOW after any sequence of edits equals that of a new index, row by row.
//!
//! `ASOF_SEQUENCES=1000 cargo test --test incremental` runs more; `ASOF_SEED` begins elsewhere.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};

use asof::index::IndexError;
use asof::store::Store;
use support::edits::{Rng, edit};
use support::{
    Copy, Dump, FIXTURES, differences, differences_from_fresh, dump, index, try_index, was_wide,
};

/// Steps of a sequence; each is one run of the indexer after one edit or some.
const STEPS: usize = 6;

#[derive(Default)]
struct Paths {
    wide: AtomicUsize,
    narrow: AtomicUsize,
    none: AtomicUsize,
    refused: AtomicUsize,
}

/// Applies the steps (a seed each) to a copy of a fixture; what differs after the last, with
/// the edits so far, if anything does.
fn run(fixture: &str, steps: &[u64], paths: &Paths) -> Result<(), (usize, String)> {
    let mut copy = Copy::of_fixture(fixture);
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    let mut before = dump(&store);
    let mut told = String::new();
    for (number, seed) in steps.iter().enumerate() {
        let mut rng = Rng::new(*seed);
        for _ in 0..1 + rng.below(5) / 3 {
            told.push_str(&format!("{number}: {}\n", edit(&mut copy, &mut rng)));
        }
        let report = match try_index(&store, &copy.root) {
            Ok(report) => report,
            Err(error) => {
                paths.refused.fetch_add(1, Ordering::Relaxed);
                match refused(&store, &copy, &before, &error) {
                    found if found.is_empty() => continue,
                    found => return Err((number, format!("{told}{found}"))),
                }
            }
        };
        let path = match (report.revision, was_wide(&report)) {
            (None, _) => &paths.none,
            (_, true) => &paths.wide,
            (_, false) => &paths.narrow,
        };
        path.fetch_add(1, Ordering::Relaxed);
        let found = differences_from_fresh(&store, &copy.root);
        if !found.is_empty() {
            return Err((number, format!("{told}{found}")));
        }
        before = dump(&store);
        if let Some(revision) = index(&store, &copy.root).revision {
            return Err((number, format!("{told}{revision} though nothing changed\n")));
        }
    }
    Ok(())
}

/// What is wrong with a refusal: the last good state has to stay, and a new index has to be
/// refused for the same reason (a root manifest that does not parse).
fn refused(store: &Store, copy: &Copy, before: &Dump, error: &IndexError) -> String {
    let mut found = differences(before, &dump(store));
    let new = try_index(&Store::in_memory().unwrap(), &copy.root).map(|_| ());
    match new {
        Err(new) if new.to_string() == error.to_string() => {}
        new => found.push_str(&format!("{error}, but of a new index {new:?}\n")),
    }
    found
}

/// The fewest steps that still fail.
fn shrink(fixture: &str, steps: &[u64], failed: (usize, String)) -> String {
    let mut steps = steps[..=failed.0].to_vec();
    let mut message = failed.1;
    let mut at = 0;
    while at < steps.len() {
        let mut fewer = steps.clone();
        fewer.remove(at);
        match run(fixture, &fewer, &Paths::default()) {
            Err((last, found)) => {
                fewer.truncate(last + 1);
                (steps, message) = (fewer, found);
            }
            Ok(()) => at += 1,
        }
    }
    message.chars().take(6_000).collect()
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn incremental_equals_fresh() {
    let count = number("ASOF_SEQUENCES", 40);
    let first = number("ASOF_SEED", 0);
    let paths = Paths::default();
    let mut failures = Vec::new();
    for sequence in first..first + count {
        let fixture = FIXTURES[sequence as usize % FIXTURES.len()];
        let steps: Vec<u64> = (0..STEPS as u64).map(|n| sequence * 1_000 + n).collect();
        if let Err(failed) = run(fixture, &steps, &paths) {
            let message = shrink(fixture, &steps, failed);
            failures.push(format!("sequence {sequence} of {fixture}:\n{message}"));
            if failures.len() >= 8 {
                break;
            }
        }
    }
    println!(
        "{count} sequences: {} runs wide, {} narrow, {} without a revision, {} refused, {} failures",
        paths.wide.into_inner(),
        paths.narrow.into_inner(),
        paths.none.into_inner(),
        paths.refused.into_inner(),
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
