//! A match of two items: how they belong together, and how that was found.

use asof_model::NodeId;

/// How two items belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchKind {
    /// The old one became the new one, under its name.
    Moved,
    /// The old one became the new one, under another name.
    Renamed,
    /// The new one was made of a part of the old one.
    Split,
    /// The old one went into the new one.
    Merged,
}

impl MatchKind {
    const ALL: [Self; 4] = [Self::Moved, Self::Renamed, Self::Split, Self::Merged];

    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::Split => "split",
            Self::Merged => "merged",
        }
    }

    /// Reads the stored form; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether the new item is the old one.
    pub const fn is_same_item(self) -> bool {
        matches!(self, Self::Moved | Self::Renamed)
    }
}

/// How a match was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The edit that made the revision says so.
    Edit,
    /// The same canonical path.
    Path,
    /// The same tokens but for the name.
    Shape,
    /// Its contents were matched.
    Contents,
    /// The same name in a matched container.
    Container,
    /// The same name of the same type, in the impl of a trait before or after.
    SelfType,
    /// Similar tokens.
    Tokens,
    /// Most of the body is in the other item: a split or merge.
    Body,
}

impl Rule {
    const ALL: [Self; 8] = [
        Self::Edit,
        Self::Path,
        Self::Shape,
        Self::Contents,
        Self::Container,
        Self::SelfType,
        Self::Tokens,
        Self::Body,
    ];

    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Path => "path",
            Self::Shape => "shape",
            Self::Contents => "contents",
            Self::Container => "container",
            Self::SelfType => "self_type",
            Self::Tokens => "tokens",
            Self::Body => "body",
        }
    }

    /// Reads the stored form; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.as_str() == text)
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
