//! What items reach: paths of calls from items to a set of functions or places.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;
use super::history::Event;
use super::uses::Tests;
use asof_model::NodeId;

/// What is reached, and from where.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct ReachRequest {
    /// unsafe, panic, indexing, arithmetic, blocking, process, net, fs, or paths: std::env, crate::a::f
    #[arg(value_name = "SET", required = true)]
    #[serde(alias = "set")]
    pub sets: Vec<String>,
    /// Only from these: functions, types, modules, files; without any, from what other crates can
    /// call and from each `main`, for `blocking` from async code
    #[arg(long, value_name = "PATH")]
    pub from: Vec<String>,
    /// Only from items of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Whether paths start in test code.
    #[serde(alias = "exclude_tests")]
    #[command(flatten)]
    pub tests: Tests,
    /// Also items with paths that are only possible: by guesses, by calls through traits, by functions
    /// that are passed as values, by macros
    #[arg(long)]
    pub guesses: bool,
    /// Also since which revision each path is there: the newest of its steps
    #[arg(long)]
    pub dates: bool,
    /// Most items to list; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// Items that reach a set, each with a shortest path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReachResult {
    /// Number of items that paths may start from.
    pub starts: usize,
    /// Number of certain paths, one for each item and set.
    pub certain: usize,
    /// Number of items and sets between which paths are only possible; `guesses` lists them.
    pub possible: usize,
    /// Number of those with a path only under other conditions than the configuration has.
    pub other_conditions: usize,
    /// Number of those without any path where a call on the way is not resolved, or leads to a
    /// dependency, whose code is not read.
    pub open: usize,
    /// Number of calls on all ways that are not resolved: what they call is not known.
    pub unresolved: usize,
    /// Number of calls on all ways that lead to dependencies other than the standard library.
    pub outside: usize,
    /// Files on the ways that do not parse: their operators are not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unparsed: Vec<String>,
    #[serde(flatten)]
    pub answer: Answer<ReachPath>,
}

/// An item with a shortest path to a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReachPath {
    /// Id of the item.
    pub id: NodeId,
    /// Canonical path.
    pub path: String,
    /// Kind of the item; `async_block` for the async blocks of a function that is not async.
    pub kind: String,
    /// File of the item, relative to the root.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// Whether it is test code.
    pub in_test: bool,
    /// The set, as asked for.
    pub set: String,
    /// What is reached: the path of a function, or `unsafe`, `indexing`, `arithmetic`.
    pub reached: String,
    /// Whether every step is a certain use, and what is reached is a member of the set.
    pub certain: bool,
    /// The condition of a step, if the configuration does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
    /// Since when all steps of this path are there, if asked for; null if that is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<ReachSince>,
    /// Number of calls after this item that are not resolved.
    pub unresolved: usize,
    /// Number of calls after this item that lead to dependencies.
    pub outside: usize,
    /// The steps, in order; the last one leads to what is reached.
    pub steps: Vec<ReachStep>,
}

/// Since when a path is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReachSince {
    #[serde(flatten)]
    pub event: Event,
    /// Whether it was there when the history begins: it may be older.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub present_at_start: bool,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReachStep {
    /// Canonical path of the item that has the place.
    pub source: String,
    /// What the place uses: the path of an item or of another crate's, or `unsafe`, `indexing`,
    /// `arithmetic`.
    pub target: String,
    /// Kind of use; `dispatch` from an item of a trait to that of an impl; `text` for what is no name.
    pub how: String,
    /// From 0 to 1; null for a dispatch, which may or may not happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What has to hold for the place to be compiled: a `cfg`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// File of the place; null for a dispatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Its line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}
