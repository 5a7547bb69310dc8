//! Real changes replayed: from a published version of a crate to the next by edits of items.
//! `cargo run --release --example replay -- OLD_DIR NEW_DIR [OLD_DIR NEW_DIR …]`
//!
//! `--parts-only`: without `find`. `--verbose`: what was not reached. See benches/README.md.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    missing_debug_implementations
)]

mod address;
mod blocks;
mod candidates;
mod derive;
mod play;
mod report;
mod tree;

use std::error::Error;
use std::path::PathBuf;

pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let given = |flag: &str| args.iter().any(|arg| arg == flag);
    let (with_find, verbose) = (!given("--parts-only"), given("--verbose"));
    let dirs: Vec<PathBuf> =
        args.iter().filter(|arg| !arg.starts_with("--")).map(PathBuf::from).collect();
    if dirs.is_empty() || dirs.len() % 2 == 1 {
        return Err("give pairs of folders: the old version, the new one".into());
    }
    let mut all = Vec::new();
    for pair in dirs.chunks(2) {
        let played = play::play(&pair[0], &pair[1], with_find)?;
        report::progress(&played, verbose);
        all.push(played);
    }
    report::tables(&all);
    Ok(())
}
