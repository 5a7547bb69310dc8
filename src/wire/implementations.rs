//! What implements a trait.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;
use super::resolve::Symbol;
use asof_model::NodeId;

/// The implementations of traits in the workspace: direct ones first, then generic, then derived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImplementationsResult {
    /// The traits.
    pub symbols: Vec<Symbol>,
    /// Number of impls without type parameters.
    pub direct: usize,
    /// Number of impls with type parameters.
    pub generic: usize,
    /// Number of types that derive a trait.
    pub derived: usize,
    #[serde(flatten)]
    pub answer: Answer<Implementation>,
}

/// An impl of a trait, or a type that derives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Implementation {
    /// Id of the impl, or of the type with the derive.
    pub id: NodeId,
    /// How the trait is implemented.
    pub impl_kind: ImplKind,
    /// Canonical path of the type; as written if the workspace does not define it.
    pub type_path: String,
    /// Head of the impl, or of the type with the derive.
    pub signature: String,
    /// File of the impl, relative to the root.
    pub file_path: String,
    /// Its line, from 1.
    pub line: u32,
    /// Whether it is test code.
    pub in_test: bool,
    /// Whether a macro call makes it; the place is that of the call.
    pub made: bool,
}

asof_model::named! {
    /// How a type implements a trait.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum ImplKind {
        /// By an impl for it.
        Direct => "direct",
        /// By an impl with type parameters, which may be for types that it does not name.
        Generic => "generic",
        /// By a derive.
        Derived => "derived",
    }
}
