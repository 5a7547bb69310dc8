//! Reads the sources of published crates, and writes the words of their items: what
//! `scripts/word-vectors/train.py` learns word vectors from.
//!
//! `cargo run --release --example word_pairs -- list SOURCES > scripts/word-vectors/corpus.txt`
//! lists the newest version of each crate below SOURCES, a folder such as
//! `~/.cargo/registry/src/*/`; what search is measured with is left out.
//! `… -- read SOURCES CORPUS.txt OUT` reads the crates of such a list and writes, into the folder
//! OUT, `terms.tsv` (hash, what it is, crates and items that have it, its commonest form) and
//! `items.jsonl` (lines of `terms.tsv` by field, one item a line).
//! `… -- sums FILES` writes checksums, as they are in `scripts/word-vectors/checksums.txt`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

mod corpus;
mod items;
mod output;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["list", sources] => {
            for (name, version) in corpus::newest(Path::new(sources))? {
                println!("{name} {version}");
            }
        }
        ["read", sources, list, out] => {
            let crates = corpus::listed(&std::fs::read_to_string(list)?);
            output::write(Path::new(sources), &crates, Path::new(out))?;
        }
        ["sums", files @ ..] => {
            for file in files {
                println!("{}  {file}", blake3::hash(&std::fs::read(file)?).to_hex());
            }
        }
        _ => return Err("list SOURCES, read SOURCES CORPUS.txt OUT, or sums FILES".into()),
    }
    Ok(())
}
