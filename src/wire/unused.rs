//! Items that nothing uses.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;
use super::uses::Tests;
use asof_model::{NodeId, NodeKind};

/// Which unused items are listed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct UnusedRequest {
    /// Only this item with its contents, this module, file or folder
    pub path: Option<String>,
    /// Only items of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Only items of this kind: function, struct, macro, …
    #[arg(long)]
    pub kind: Option<NodeKind>,
    /// Whether test code is included.
    #[serde(alias = "exclude_tests")]
    #[command(flatten)]
    pub tests: Tests,
    /// Also items that something uncertain may use, each with what that is
    #[arg(long)]
    pub guesses: bool,
    /// Also items that other packages can name
    #[arg(long)]
    pub public: bool,
    /// Also items under `#[allow(dead_code)]` and the like
    #[arg(long)]
    pub allowed: bool,
    /// Most items to list; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// Items that nothing uses, the certain ones first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnusedItems {
    /// Number of items that certainly nothing in the workspace uses.
    pub certain: usize,
    /// Number of items that something uncertain may use; `guesses` lists them.
    pub uncertain: usize,
    #[serde(flatten)]
    pub answer: Answer<UnusedItem>,
}

/// An item that nothing uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnusedItem {
    /// Id of the item.
    pub id: NodeId,
    /// Canonical path.
    pub path: String,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Its package; null for a file without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// File of the item, relative to the root.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// As written; empty for a private item.
    pub visibility: String,
    /// Whether it is test code.
    pub in_test: bool,
    /// Whether no use, unresolved name or macro may mean it.
    pub certain: bool,
    /// Why it is thought to be unused, or what may use it.
    pub reason: UnusedReason,
}

asof_model::named! {
    /// Why an item is thought to be unused, or what may use it; the certain one first.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum UnusedReason {
        /// Nothing uses or mentions it.
        Unmentioned => "unmentioned",
        /// A file that can name it did not parse.
        Partial => "partial",
        /// Its crate includes files by `include!`.
        IncludedCode => "included_code",
        /// Its file belongs to no target.
        Detached => "detached",
        /// An attribute or a macro call around it may use it.
        Attribute => "attribute",
        /// Its name is used, or mentioned in a macro, where it is not resolved.
        UnresolvedName => "unresolved_name",
        /// Uses that are more likely wrong than right may mean it.
        Guess => "guess",
        /// Other packages can name it.
        Public => "public",
    }
}

impl UnusedReason {
    /// Whether nothing may use the item.
    pub fn is_certain(self) -> bool {
        self == Self::Unmentioned
    }

    /// In words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Unmentioned => "nothing uses or mentions it",
            Self::Partial => "a file that can name it does not parse",
            Self::IncludedCode => "its crate includes files by `include!`",
            Self::Detached => "its file belongs to no target",
            Self::Attribute => "an attribute or a macro call around it may use it",
            Self::UnresolvedName => "its name is used where it is not resolved",
            Self::Guess => "uncertain uses may mean it",
            Self::Public => "other packages can name it",
        }
    }
}
