//! A match of two items: its kind, and the rule that found it.

use asof_model::NodeId;

asof_model::named! {
    /// How two items belong together.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum MatchKind {
        /// The old one became the new one, under its name.
        Moved => "moved",
        /// The old one became the new one, under another name.
        Renamed => "renamed",
        /// The new one was made of a part of the old one.
        Split => "split",
        /// The old one went into the new one.
        Merged => "merged",
    }
}

impl MatchKind {
    /// Whether the new item is the old one.
    pub const fn is_same_item(self) -> bool {
        matches!(self, Self::Moved | Self::Renamed)
    }
}

asof_model::named! {
    /// How a match was found.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Rule {
        /// The edit that made the revision says so.
        Edit => "edit",
        /// The same canonical path.
        Path => "path",
        /// The same tokens but for the name.
        Shape => "shape",
        /// Its contents were matched.
        Contents => "contents",
        /// The same name in a matched container.
        Container => "container",
        /// The same name of the same type, in the impl of a trait before or after.
        SelfType => "self_type",
        /// Similar tokens.
        Tokens => "tokens",
        /// Most of the body is in the other item: a split or merge.
        Body => "body",
    }
}

/// What an added item was before, or a part of which other item it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ItemMatch {
    pub old: NodeId,
    pub new: NodeId,
    pub kind: MatchKind,
    /// Similarity of the tokens; of a split or merge, the share of the smaller body that is in
    /// the other. 0 to 1.
    pub confidence: f64,
    pub rule: Rule,
}
