//! `asof serve` and `asof mcp --http`, driven as clients drive them.
#![cfg(unix)]

mod api;
mod caching;
use crate::support::cli;
pub mod client;
use crate::support::demo;
mod edits;
mod mcp;
mod pages;
mod readers;
use crate::support::repository;
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
