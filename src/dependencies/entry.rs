//! What is known of a package, its files and its dependencies before they are judged.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::Condition;
use asof_wire::DependencyTable;

/// One dependency in one table of a manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// The key as written, by which features name the dependency.
    pub key: String,
    /// The package depended on.
    pub package: String,
    pub table: Option<DependencyTable>,
    pub platform: Option<String>,
    pub requirement: Option<String>,
    pub optional: bool,
    pub default_features: bool,
    pub features: BTreeSet<String>,
    /// Name in code; none if it is not known.
    pub name: Option<String>,
}

/// A package and what its manifest says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    pub entries: Vec<Entry>,
    /// Features as declared, with what they enable.
    pub features: BTreeMap<String, Vec<String>>,
    /// Dependencies that tools shall not report.
    pub ignored: BTreeSet<String>,
}

/// A file of a package, as part of one of its targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeFile {
    pub path: String,
    /// `detached` for a file of no target.
    pub target_kind: String,
    /// Under which its modules are compiled.
    pub condition: Condition,
    pub in_test: bool,
}
