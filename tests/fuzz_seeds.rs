//! The fuzz targets over their corpora and seeded mutations: what a long run found stays fixed.
//! `ASOF_MUTATIONS=1000 ASOF_SEED=2 cargo test --test suite fuzz_seeds::` is a longer run.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// xorshift64*: the same seed, the same mutations.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % n.max(1)
    }
}

/// Bytes that mean something to most formats.
const MARKS: &[u8] = b"(){}[]<>\"'/*#\n,;:.@0\0\xff";

/// An input made from another: bytes changed, removed, repeated, or taken from a third.
fn mutated(seed: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = seed.to_vec();
    for _ in 0..=rng.below(4) {
        let from = rng.below(out.len() + 1);
        let to = (from + rng.below(16)).min(out.len());
        match rng.below(5) {
            0 => out.iter_mut().skip(from).take(1).for_each(|byte| *byte ^= 1 << rng.below(8)),
            1 => drop(out.drain(from..to)),
            2 => {
                let part = out[from..to].to_vec();
                out.splice(from..from, part);
            }
            3 => {
                let start = rng.below(other.len() + 1);
                let end = (start + rng.below(64)).min(other.len());
                out.splice(from..from, other[start..end].iter().copied());
            }
            _ => out.insert(from, MARKS[rng.below(MARKS.len())]),
        }
    }
    out
}

/// Runs a target; `share` of the mutations asked for.
#[track_caller]
fn check(target: &str, run: fn(&[u8]), share: u64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() > 3, "{target} has no corpus");
    let mut rng = Rng(number("ASOF_SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut inputs = seeds.clone();
    for _ in 0..number("ASOF_MUTATIONS", 20) * share / 10 {
        let (a, b) = (rng.below(seeds.len()), rng.below(seeds.len()));
        inputs.push(mutated(&seeds[a], &seeds[b], &mut rng));
    }
    for input in inputs {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(&input))) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            panic!("{target}: {text}\ninput: {}", input.escape_ascii());
        }
    }
}

#[test]
fn sources() {
    check("sources", targets::sources::run, 40);
}

#[test]
fn manifests() {
    check("manifests", targets::manifests::run, 40);
}

#[test]
fn queries() {
    check("queries", targets::queries::run, 20);
}

#[test]
fn requests() {
    check("requests", targets::requests::run, 20);
}

#[test]
fn backups() {
    check("backups", targets::backups::run, 10);
}

#[test]
fn pages() {
    check("pages", targets::pages::run, 10);
}

#[test]
fn git() {
    check("git", targets::git::run, 2);
}
