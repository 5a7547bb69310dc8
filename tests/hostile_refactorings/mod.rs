//! Refactorings of programs in which names are not what they look like: whatever is announced as
//! proven leaves what the program does, and taken back, every byte is as it was.
//!
//! A case is drawn from a seed: a kind, a position, an edition, names. What the program does is
//! seen by compiling and running it before and after.
//!
//! `ASOF_HOSTILE=500 cargo test --test suite hostile_refactorings -- --nocapture` tries more, and
//! prints a table; `ASOF_SEED` starts elsewhere, `ASOF_HOSTILE_KIND` tries kinds whose name
//! contains a text, and `ASOF_HOSTILE_KEEP` names a folder that gets the cases by outcome.

mod case;
mod controls;
mod deletions;
mod docs;
mod entries;
mod macros;
mod methods;
mod modules;
mod moves;
mod packages;
mod relative_files;
mod scene;
mod scopes;
mod signatures;
mod spelling;
mod strings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::edits::Rng;
use case::{Case, Outcome, Trial};
use scene::Kind;

/// Cases of a run of the suite.
const SAMPLE: usize = 60;

/// Of the controls, at least this share is proven.
const PROVEN_CONTROLS: f64 = 0.9;

fn traps() -> Vec<Kind> {
    let all = [
        macros::KINDS,
        relative_files::KINDS,
        strings::KINDS,
        deletions::KINDS,
        spelling::KINDS,
        entries::KINDS,
        methods::KINDS,
        docs::KINDS,
        scopes::KINDS,
        modules::KINDS,
        moves::KINDS,
        packages::KINDS,
        signatures::KINDS,
    ];
    all.concat()
}

/// Draws different cases, every third a control; kinds take turns in an order of the seed.
fn draw_cases(count: usize, seed: u64, part: &str) -> Vec<Case> {
    let mut rng = Rng::new(seed);
    let mut groups = [controls::KINDS.to_vec(), traps()];
    for kinds in &mut groups {
        kinds.retain(|kind| kind.name.contains(part));
        for at in 0..kinds.len() {
            let other = at + rng.below(kinds.len() - at);
            kinds.swap(at, other);
        }
    }
    let (mut cases, mut seen) = (Vec::new(), BTreeSet::new());
    let mut turns = [0, 0];
    for turn in 0..8 * count {
        let group = usize::from(turn % 3 != 0);
        let kinds = &groups[group];
        if kinds.is_empty() {
            continue;
        }
        let kind = kinds[turns[group] % kinds.len()];
        turns[group] += 1;
        let case = (kind.draw)(&mut rng).build(kind.name, &mut rng);
        if seen.insert(case.text()) {
            cases.push(case);
        }
        if cases.len() == count {
            break;
        }
    }
    cases
}

/// Tries all, two at a time.
fn try_all(cases: &[Case]) -> Vec<Trial> {
    let next = AtomicUsize::new(0);
    let trials = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(at) else { break };
                    let trial = case.try_out();
                    trials.lock().unwrap().insert(at, trial);
                }
            });
        }
    });
    trials.into_inner().unwrap().into_values().collect()
}

/// A row for each kind, a column for each outcome.
fn tabulate(cases: &[Case], trials: &[Trial]) -> String {
    let mut rows: BTreeMap<(bool, &str), BTreeMap<Outcome, usize>> = BTreeMap::new();
    for (case, trial) in cases.iter().zip(trials) {
        for kind in [case.kind, "ALL"] {
            let row = rows.entry((is_control(case), kind)).or_default();
            *row.entry(trial.outcome).or_default() += 1;
        }
    }
    let mut table = format!("{:<8}{:<56}", "", "kind");
    for title in ["proven", "WRONG", "listed", "wrong", "refused", "FAULTY"] {
        table.push_str(&format!("{title:>8}"));
    }
    for ((control, kind), row) in rows {
        let group = if control { "control" } else { "trap" };
        table.push_str(&format!("\n{group:<8}{kind:<56}"));
        for outcome in Outcome::ALL {
            table.push_str(&format!("{:>8}", row.get(&outcome).copied().unwrap_or_default()));
        }
    }
    table + "\n"
}

fn is_control(case: &Case) -> bool {
    controls::KINDS.iter().any(|kind| kind.name == case.kind)
}

/// What a case was and what came of it.
fn describe(case: &Case, trial: &Trial) -> String {
    let Case { kind, edition, position, .. } = case;
    let Trial { outcome, report } = trial;
    format!("{kind}, edition {edition}, {position}: {outcome:?}\n{report}\n{}\n", case.text())
}

/// Writes a case into a folder, to be run again by hand.
fn keep(folder: &Path, case: &Case, trial: &Trial) {
    case.write(folder);
    let quoted: Vec<String> = case.command.iter().map(|word| format!("'{word}'")).collect();
    fs::write(folder.join("command.sh"), format!("asof {}\n", quoted.join(" "))).unwrap();
    fs::write(folder.join("report.txt"), describe(case, trial)).unwrap();
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_is_proven_leaves_what_the_program_does() {
    let count = number("ASOF_HOSTILE").map_or(SAMPLE, |count| count as usize);
    let part = std::env::var("ASOF_HOSTILE_KIND").unwrap_or_default();
    let cases = draw_cases(count, number("ASOF_SEED").unwrap_or(1), &part);
    assert!(!part.is_empty() || cases.len() == count, "only {} different cases", cases.len());
    let trials = try_all(&cases);
    println!("{}", tabulate(&cases, &trials));
    let folder = std::env::var_os("ASOF_HOSTILE_KEEP").map(PathBuf::from);
    let (mut failures, mut controls, mut proven) = (String::new(), 0, 0);
    for (at, (case, trial)) in cases.iter().zip(&trials).enumerate() {
        let outcome = trial.outcome;
        controls += usize::from(is_control(case));
        proven += usize::from(is_control(case) && outcome == Outcome::Proven);
        if let Some(folder) = &folder {
            keep(&folder.join(format!("{outcome:?}/{}_{at:03}", case.kind)), case, trial);
        }
        let fails = matches!(outcome, Outcome::ProvenAndWrong | Outcome::Faulty);
        if fails {
            failures.push_str(&describe(case, trial));
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(
        proven as f64 >= PROVEN_CONTROLS * controls as f64,
        "of {controls} controls, {proven} are proven"
    );
}
