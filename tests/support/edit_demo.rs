//! The package that the tests of `asof edit` change. Needs `shell` beside it.
#![allow(dead_code, reason = "each test uses its own part")]

use serde_json::{Value as Json, json};

use super::shell::Workspace;

pub const LIB: &str = "\
//! Demo.
pub mod retry;

/// Adds.
#[inline]
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}

pub const LIMIT: u32 = 4;
";

pub const RETRY: &str = "\
pub struct Policy {
    pub base: u64,
    max: u64,
}

impl Policy {
    /// Milliseconds.
    pub fn next_delay(&self, n: u32) -> u64 {
        self.base * u64::from(n)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self { base: 1, max: 2 }
    }
}

pub enum Kind { Fixed, Growing }
";

/// The package, indexed.
pub fn demo() -> Workspace {
    Workspace::with(&[("src/lib.rs", LIB), ("src/retry.rs", RETRY)])
}

/// An edit that replaces an item.
pub fn canonical(path: &str, code: &str) -> Json {
    json!({ "mode": "canonical", "path": path, "code": code })
}
