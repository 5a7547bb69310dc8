//! Classes of changes between two versions of an item.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

crate::named! {
    /// What changed between two versions of an item. Several may hold of one version.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Class {
        /// It is new.
        Added => "added",
        /// It no longer exists.
        Removed => "removed",
        /// It is in another item, module or file.
        Moved => "moved",
        /// It has another name.
        Renamed => "renamed",
        /// It was a part of another item.
        SplitOff => "split_off",
        /// It absorbed another item, or was merged into one.
        MergedIn => "merged_in",
        /// Its head, without name, visibility and attributes.
        Signature => "signature",
        /// Its visibility.
        Visibility => "visibility",
        /// Its attributes or `cfg`.
        Attributes => "attributes",
        /// Its documentation.
        Documentation => "documentation",
        /// Tokens of its body, value or fields.
        Body => "body",
        /// Only the order of the items that it contains.
        Reordered => "reordered",
        /// Only what it contains: items of a module, impl, trait or function.
        Contents => "contents",
        /// Comments other than documentation.
        Comments => "comments",
        /// Whitespace only.
        Format => "format",
    }
}

impl Class {
    /// Whether the item's head changes.
    pub const fn is_head(self) -> bool {
        matches!(self, Self::Signature | Self::Visibility | Self::Attributes)
    }

    /// Whether no token of the item's own changes.
    pub const fn is_quiet(self) -> bool {
        matches!(self, Self::Reordered | Self::Contents | Self::Comments | Self::Format)
    }
}
