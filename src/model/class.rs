//! What can change about an item.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What changed between two versions of an item. Several may hold of one version.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It is new.
    Added,
    /// It no longer exists.
    Removed,
    /// It is in another item, module or file.
    Moved,
    /// It has another name.
    Renamed,
    /// It was a part of another item.
    SplitOff,
    /// It absorbed another item, or was merged into one.
    MergedIn,
    /// Its head, without name, visibility and attributes.
    Signature,
    /// Its visibility.
    Visibility,
    /// Its attributes or `cfg`.
    Attributes,
    /// Its documentation.
    Documentation,
    /// Tokens of its body, value or fields.
    Body,
    /// Only the order of the items that it contains.
    Reordered,
    /// Only what it contains: items of a module, impl, trait or function.
    Contents,
    /// Comments other than documentation.
    Comments,
    /// Whitespace only.
    Format,
}

impl Class {
    /// The printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::SplitOff => "split_off",
            Self::MergedIn => "merged_in",
            Self::Signature => "signature",
            Self::Visibility => "visibility",
            Self::Attributes => "attributes",
            Self::Documentation => "documentation",
            Self::Body => "body",
            Self::Reordered => "reordered",
            Self::Contents => "contents",
            Self::Comments => "comments",
            Self::Format => "format",
        }
    }

    /// Whether the item's head changes.
    pub const fn is_head(self) -> bool {
        matches!(self, Self::Signature | Self::Visibility | Self::Attributes)
    }

    /// Whether no token of the item's own changes.
    pub const fn is_quiet(self) -> bool {
        matches!(self, Self::Reordered | Self::Contents | Self::Comments | Self::Format)
    }
}
