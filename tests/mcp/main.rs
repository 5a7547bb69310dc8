//! `asof mcp`, driven as a client drives it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

#[path = "../support/cli.rs"]
mod cli;
mod client;
#[path = "../support/demo.rs"]
mod demo;
mod edits;
mod pages;
mod protocol;
#[path = "../support/repository.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod repository;
mod setup;
mod tools;
mod trace;

use std::path::Path;

use asof::{Database, IndexOptions, Silent};
use tempfile::TempDir;

use demo::{RETRY, bare, write};

pub fn index(root: &Path) {
    let database = Database::create_or_open(root).unwrap();
    database.refresh(&IndexOptions::default(), &Silent).unwrap();
}

pub fn indexed() -> TempDir {
    let folder = bare();
    index(folder.path());
    folder
}
