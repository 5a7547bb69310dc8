//! `asof serve` and `asof mcp --http`, driven as clients drive them.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod api;
mod caching;
#[path = "../support/cli.rs"]
mod cli;
mod client;
#[path = "../support/demo.rs"]
mod demo;
mod edits;
mod mcp;
mod pages;
mod readers;
#[path = "../support/repository.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod repository;
mod security;

use asof::{Database, IndexOptions, Silent};
use tempfile::TempDir;

use demo::{LIB, bare, write};

/// An indexed workspace, and the id of its revision.
pub fn indexed() -> (TempDir, String) {
    let folder = bare();
    let database = Database::create_or_open(folder.path()).unwrap();
    let report = database.refresh(&IndexOptions::default(), &Silent).unwrap();
    (folder, report.revision.unwrap().to_string())
}
