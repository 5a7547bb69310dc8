//! What each fuzz target does with its input. `fuzz_targets/` gives it what libFuzzer makes up,
//! `tests/fuzz_seeds.rs` the corpus and a few mutations of it. A target panics where a promise of
//! SECURITY.md is broken, and returns otherwise, whatever the input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a broken promise ends the run"
)]

pub mod backups;
pub mod git;
pub mod manifests;
pub mod pages;
pub mod queries;
pub mod requests;
pub mod sources;
mod world;
