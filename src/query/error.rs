//! Errors of queries.

use std::path::PathBuf;

use asof_model::Hint;
use asof_store::StoreError;

/// A query that could not be run.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// A program has an invalid header.
    #[error("{file}:{line}: {message}")]
    Header { file: String, line: usize, message: String },
    /// No program with this name.
    #[error("no query named `{name}`{}", nearest.as_ref().map(|n| format!("; the nearest name is `{n}`")).unwrap_or_default())]
    Unknown { name: String, nearest: Option<String> },
    /// No relation or view with this name.
    #[error("no relation or view named `{name}`")]
    NoSource { name: String, relations: String, views: String },
    /// A parameter that the program does not declare.
    #[error("`{query}` has no parameter `{param}`; it has: {have}")]
    UnknownParam { query: String, param: String, have: String },
    /// A declared parameter without a value.
    #[error("`{query}` needs the parameter `{param}: {kind}`")]
    MissingParam { query: String, param: String, kind: String },
    /// A value that does not have the declared type.
    #[error("`{query}`: `{param}` must be of type {kind}, got `{found}`")]
    ParamType { query: String, param: String, kind: String, found: String },
    /// A program defines a rule with the name of a view that it needs indirectly.
    #[error("the rule `{rule}` has the name of a view that `{needed_by}` uses")]
    Shadowed { rule: String, needed_by: String },
    /// A user's program could not be read.
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The store or the program failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl QueryError {
    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Header { .. } => {
                "a header has `# @name area/name`, `# @doc`, a `# @param name: Type` \
                for each parameter, `# @column name: Type`, and `# @cost seek|bounded|scan`"
                    .into()
            }
            Self::Unknown { .. } => Hint::ListQueries,
            Self::NoSource { relations, views, .. } => {
                format!("relations: {relations}; views: {views}").into()
            }
            Self::UnknownParam { .. } | Self::MissingParam { .. } | Self::ParamType { .. } => {
                Hint::QueryParameters
            }
            Self::Shadowed { rule, .. } => format!("rename your rule `{rule}`").into(),
            Self::Unreadable { .. } => "check the path and its permissions".into(),
            Self::Store(error) => error.hint(),
        }
    }
}
