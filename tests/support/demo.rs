//! The small workspace that servers are tested with.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::tempdir;

/// A small workspace.
pub const LIB: &str = "\
//! Delays.

pub mod retry;

/// Waits.
pub fn wait(n: u32) -> u32 {
    retry::next_delay(n)
}

fn unused() {}
";

pub const RETRY: &str = "\
pub const LIMIT: u32 = 8;

/// The next delay.
pub fn next_delay(n: u32) -> u32 {
    if n > LIMIT { LIMIT } else { n * 2 }
}

pub struct Backoff {
    pub tries: u32,
}

impl Backoff {
    pub fn next(&mut self) -> u32 {
        self.tries += 1;
        next_delay(self.tries)
    }
}
";

pub fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A workspace that is not indexed.
pub fn bare() -> TempDir {
    let folder = tempdir();
    let manifest = "[package]\nname = \"demo\"\nedition = \"2024\"\n";
    write(folder.path(), "Cargo.toml", manifest);
    write(folder.path(), "src/lib.rs", LIB);
    write(folder.path(), "src/retry.rs", RETRY);
    folder
}
