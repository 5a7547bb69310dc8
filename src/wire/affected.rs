//! The packages and targets that a difference can reach: what has to be built and tested.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answer, Basis};
use clap::Args;

/// A question about the packages that a difference can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct AffectedRequest {
    /// Only these packages; repeatable
    #[arg(short = 'p', long = "package", value_name = "NAME")]
    pub packages: Vec<String>,
    /// Maximum number of packages; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// Why a package or a target is selected.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SelectionReason {
    /// The file, the item, or the package that it depends on.
    pub what: String,
    /// In a few words.
    pub reason: String,
}

/// A target that a difference can reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedTarget {
    /// `lib`, `proc_macro`, `bin`, `test`, `example`, `bench`, or `doc` for documentation tests.
    pub kind: String,
    /// Name in the manifest.
    pub name: String,
    /// Whether `cargo test` runs or builds it unless told otherwise: not for benchmarks, nor with
    /// `test = false`.
    pub is_tested: bool,
    /// Whether Cargo refuses to run it by name without certain features.
    pub needs_features: bool,
    /// Why it is selected; null if the whole package is.
    pub reason: Option<SelectionReason>,
}

/// A package that a difference can reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedPackage {
    /// Name of the package.
    pub package: String,
    /// What Cargo's `-p` takes: the name, with a version where the lock file has several of it.
    pub spec: String,
    /// Its manifest, relative to the root.
    pub manifest_path: String,
    /// Whether all of its targets are selected.
    pub is_whole: bool,
    /// Why the whole package is selected; empty if only some targets are.
    pub reasons: Vec<SelectionReason>,
    /// The targets that are selected.
    pub targets: Vec<AffectedTarget>,
}

/// The packages that a difference between two moments can reach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedPackages {
    /// The earlier moment; `basis` is the later one.
    pub from: Basis,
    /// Number of packages of the workspace.
    pub packages: usize,
    /// Number of selected targets that `cargo test` runs, documentation tests included.
    pub selected_targets: usize,
    /// Number of targets of the workspace that it runs.
    pub targets: usize,
    /// Files that differ and are taken for documentation or settings of tools, which no package
    /// mentions.
    pub ignored_files: Vec<String>,
    /// The packages, by name.
    #[serde(flatten)]
    pub answer: Answer<AffectedPackage>,
}
