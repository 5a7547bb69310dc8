//! Resolution of a path, as typed rows.

use super::error::QueryError;
use super::queries::Queries;
use super::rows::Described;
use asof_model::NodeKind;
use asof_store::{FromRow, Row, StoreError, Value};

/// Input of `resolve/path`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathQuery {
    /// Segments joined by `::`; of `<Type as Trait>::item` those of the type.
    pub path: String,
    pub kind: Option<NodeKind>,
    /// Relative to the root, or the end of that.
    pub file: Option<String>,
    pub package: Option<String>,
    pub in_impl: Option<InImpl>,
    pub prefixes: Prefixes,
}

/// The parts of `<Type as Trait>::item` beside the path of the type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InImpl {
    /// Empty for the impl itself.
    pub item: String,
    pub of_trait: Option<String>,
    /// Of the type, as paths of impls may have it.
    pub spellings: Vec<String>,
}

/// Whether a path without a match returns the matches of its longest prefix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Prefixes {
    #[default]
    LeaveOut,
    Include,
}

/// A definition that a path resolves to.
#[derive(Debug, Clone, PartialEq)]
pub struct PathMatch {
    /// `strict`, `relaxed` or `prefix`.
    pub mode: String,
    pub rank: u32,
    pub segments_matched: u32,
    pub definition: Described,
}

impl PathMatch {
    /// The match of a canonical path.
    pub fn canonical(path: &str, definition: Described) -> Self {
        let segments_matched = path.split("::").count() as u32;
        Self { mode: "strict".to_owned(), rank: 0, segments_matched, definition }
    }

    /// The match of the end of a canonical path.
    pub fn end(path: &str, definition: Described) -> Self {
        Self { mode: "relaxed".to_owned(), rank: 2, ..Self::canonical(path, definition) }
    }
}

impl FromRow for PathMatch {
    fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            mode: row.get("mode")?,
            rank: row.get("rank")?,
            segments_matched: row.get("segments_matched")?,
            definition: Described::from_row(row)?,
        })
    }
}

impl Queries<'_> {
    /// The definitions that a path resolves to, best first.
    pub fn path(&self, query: &PathQuery) -> Result<Vec<PathMatch>, QueryError> {
        let PathQuery { path, kind, file, package, in_impl, prefixes } = query;
        let spellings = in_impl.iter().flat_map(|i| i.spellings.iter().map(String::as_str));
        let given = [
            ("path", path.as_str().into()),
            ("kind", (*kind).into()),
            ("file", file.as_deref().into()),
            ("package", package.as_deref().into()),
            ("item", in_impl.as_ref().map(|i| i.item.as_str()).into()),
            ("of_trait", in_impl.as_ref().and_then(|i| i.of_trait.as_deref()).into()),
            ("spellings", Value::list(spellings)),
            ("prefixes", (*prefixes == Prefixes::Include).into()),
        ];
        self.ask("resolve/path", &given)
    }
}
