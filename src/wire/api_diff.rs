//! Changes of public interfaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answer, Basis};

asof_model::named! {
    /// What a change means for users, by the rules of the Cargo book ("SemVer Compatibility").
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum SemverLevel {
        /// Nothing.
        Patch => "patch",
        /// Code that compiled goes on to compile, apart from rare conflicts of names.
        Minor => "minor",
        /// Code that compiled may no longer do so.
        Major => "major",
    }
}

/// A change of a public interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApiChange {
    /// Public path of the item, or of the member of a type or trait.
    pub path: String,
    /// Kind of the item; `external` if another crate defines it.
    pub kind: String,
    /// The rule that applies, such as `item_removed`.
    pub rule: String,
    /// Its level.
    pub level: SemverLevel,
    /// Why, in a few words.
    pub reason: String,
    /// The item's head before; null if it is new.
    pub old_signature: Option<String>,
    /// The item's head afterwards; null if it is gone.
    pub new_signature: Option<String>,
    /// File of the item afterwards, else before.
    pub file_path: String,
    /// Line of the name there, from 1.
    pub line: Option<u32>,
}

/// The changes of one package's library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackageApi {
    /// Name of the package.
    pub package: String,
    /// Version before; null if the package is new or has none.
    pub old_version: Option<String>,
    /// Version afterwards; null if the package is gone or has none.
    pub new_version: Option<String>,
    /// The highest level of its changes.
    pub required: SemverLevel,
    /// What the step of versions allows; null if the version is the same, lower or unreadable.
    pub allowed: Option<SemverLevel>,
    /// Whether the step of versions is enough for the changes.
    pub sufficient: bool,
    /// The changes, by path.
    pub changes: Vec<ApiChange>,
    /// Number of changes to items with `#[doc(hidden)]`, which are left out.
    #[serde(default)]
    pub hidden_changes: usize,
}

/// The changes of the public interfaces of a workspace between two moments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApiDiff {
    /// Basis of the earlier moment.
    pub from: Basis,
    #[serde(flatten)]
    pub answer: Answer<PackageApi>,
}
