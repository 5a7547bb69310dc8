//! Which crates are read.

use std::collections::BTreeMap;
use std::path::Path;

/// Crates that search is measured with, and their relatives: a name, or the beginning of names.
const MEASURED: &[&str] = &[
    "alacritty*", "axum*", "bat", "bytes", "cargo", "chrono*", "clap*", "comrak", "crossbeam*",
    "delta", "eza", "fd-find", "futures*", "git-delta", "gitui", "globset", "grep*", "h2",
    "hashbrown", "helix*", "http*", "hyper*", "ignore", "image", "indicatif", "itertools", "jiff*",
    "just", "mdbook*", "memchr", "mio", "nextest*", "petgraph", "postgres*", "rand*", "ratatui*",
    "rayon*", "regex*", "reqwest", "ripgrep", "rustfmt*", "rustls*", "serde*", "sqlx*", "starship",
    "tantivy*", "tokei", "tokio*", "toml*", "tonic*", "tracing*", "tui", "warp", "zoxide",
];

/// Crates of generated bindings and data: much text, and few words.
const GENERATED: &[&str] = &[
    "aws-sdk-*", "js-sys", "k8s-openapi", "libc", "linux-raw-sys", "nrf52*", "objc2-*", "stm32*",
    "unicode-*", "web-sys", "winapi*", "windows*", "windows-sys",
];

fn is_one_of(name: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *pattern,
    })
}

/// Whether words are learned from a crate of this name.
fn is_learned_from(name: &str) -> bool {
    !is_one_of(name, MEASURED)
        && !is_one_of(name, GENERATED)
        && !name.ends_with("-sys")
        && !name.ends_with("_sys")
}

/// Numbers of a version, a release after its pre-releases.
type Version = ([u64; 3], bool, String);

/// Name and version of a folder such as `md-5-0.10.6`.
fn split(folder: &str) -> Option<(&str, Version)> {
    folder.match_indices('-').find_map(|(at, _)| {
        let version = folder.get(at + 1..)?;
        let plain = version.split(['-', '+']).next()?;
        let mut numbers = plain.split('.').map(|n| n.parse::<u64>());
        let mut next = || numbers.next()?.ok();
        let three = [next()?, next()?, next()?];
        let is_release = !version.split('+').next()?.contains('-');
        Some((folder.get(..at)?, (three, is_release, version.to_owned())))
    })
}

/// The newest version of each crate below a folder, by name.
pub fn newest(sources: &Path) -> std::io::Result<BTreeMap<String, String>> {
    let mut found: BTreeMap<String, Version> = BTreeMap::new();
    for entry in std::fs::read_dir(sources)? {
        let folder = entry?.file_name();
        let Some((name, version)) = folder.to_str().and_then(split) else { continue };
        if is_learned_from(name) {
            let have = found.entry(name.to_owned()).or_insert_with(|| version.clone());
            if *have < version {
                *have = version;
            }
        }
    }
    Ok(found.into_iter().map(|(name, (_, _, version))| (name, version)).collect())
}

/// Names and versions of a list.
pub fn listed(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &str| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
    lines.filter_map(pair).collect()
}
