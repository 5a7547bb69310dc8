//! Projects: workspaces registered by name, and searches across them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Basis;
use super::error::ErrorReport;
use super::search::{Hit, SearchSummary};

/// A workspace with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Project {
    /// Its name.
    pub name: String,
    /// Its root: an absolute path.
    pub root: String,
}

/// Projects by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectList {
    /// The projects.
    pub items: Vec<Project>,
    /// Number of them.
    pub total: usize,
    /// Whether a limit ended a search for workspaces.
    pub truncated: bool,
    /// What could not be read.
    pub notes: Vec<String>,
}

/// An item of a project that answers a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectHit {
    /// Name of the project.
    pub project: String,
    /// Place among the results of its project, from 1.
    pub rank: usize,
    /// What the list is ordered by, from 0 to 1.
    pub rrf: f64,
    /// The item.
    #[serde(flatten)]
    pub hit: Hit,
}

/// What a project contributed to a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectAnswer {
    /// The project.
    #[serde(flatten)]
    pub project: Project,
    /// Revision and time that its results are of; null if it failed.
    pub basis: Option<Basis>,
    /// Number of its results in the list.
    pub result_count: usize,
    /// Number of its items that match at all.
    pub total: usize,
    /// What meaning was compared by: `word vectors`, or a model; null if it was not.
    pub model: Option<String>,
    /// What could not be taken into account.
    pub notes: Vec<String>,
    /// Why it gave no answer; null if it did.
    pub error: Option<ErrorReport>,
    /// Wall time, milliseconds.
    pub ms: f64,
}

/// The answer to a search across projects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchProjects {
    /// As it was asked.
    pub query: String,
    /// Number of results listed.
    pub result_count: usize,
    /// Whether there are more results than listed.
    pub truncated: bool,
    /// Number of items that match at all.
    pub total: usize,
    /// What the results have in common.
    pub summary: SearchSummary,
    /// Results, the best first.
    pub results: Vec<ProjectHit>,
    /// The projects that were searched, by name, with those that failed.
    pub projects: Vec<ProjectAnswer>,
    /// Wall time of the answer, milliseconds.
    pub ms: f64,
}
