//! `asof mcp`, driven as a client drives it.

use crate::support::cli;
mod client;
use crate::support::demo;
mod edits;
mod pages;
mod protocol;
use crate::support::repository;
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
