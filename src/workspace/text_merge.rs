//! The textual merge of three texts, as Git makes it: the same lines, the same conflicts.

use gix::diff::blob::{Algorithm, InternedInput};
use gix::merge::blob::Resolution;
use gix::merge::blob::builtin_driver::text::{Conflict, ConflictStyle, Labels, Merge};

/// Names of the sides in conflict markers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeLabels {
    pub base: String,
    pub ours: String,
    pub theirs: String,
}

impl Default for MergeLabels {
    fn default() -> Self {
        Self { base: "base".to_owned(), ours: "ours".to_owned(), theirs: "theirs".to_owned() }
    }
}

/// How a conflict is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markers {
    pub labels: MergeLabels,
    /// Characters of a marker; Git's 7 if it is none.
    pub size: Option<std::num::NonZeroU8>,
    /// Whether the text of the base is in them, as with `merge.conflictStyle = zdiff3`.
    pub style: MarkerStyle,
}

/// What markers show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MarkerStyle {
    /// Both sides.
    #[default]
    Sides,
    /// The base, too.
    Base,
}

/// A merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedText {
    pub bytes: Vec<u8>,
    /// Whether it has no conflict.
    pub is_clean: bool,
}

/// Three texts of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreeTexts<'t> {
    pub base: &'t [u8],
    pub ours: &'t [u8],
    pub theirs: &'t [u8],
}

/// Merges three texts by lines, as `git merge` does.
pub fn merge_text(texts: ThreeTexts<'_>, markers: &Markers) -> MergedText {
    let mut input = InternedInput::default();
    let ThreeTexts { base, ours, theirs } = texts;
    // Git's default strategy compares with this algorithm.
    let merge = Merge::new(&mut input, ours, base, theirs, Algorithm::Histogram);
    let labels = Labels {
        ancestor: Some(markers.labels.base.as_str().into()),
        current: Some(markers.labels.ours.as_str().into()),
        other: Some(markers.labels.theirs.as_str().into()),
    };
    let size = match Conflict::default() {
        Conflict::Keep { marker_size, .. } => markers.size.unwrap_or(marker_size),
        _ => markers.size.unwrap_or(std::num::NonZeroU8::MIN),
    };
    let style = match markers.style {
        MarkerStyle::Sides => ConflictStyle::Merge,
        MarkerStyle::Base => ConflictStyle::ZealousDiff3,
    };
    let mut bytes = Vec::new();
    let resolution = merge.run(&mut bytes, labels, Conflict::Keep { style, marker_size: size });
    MergedText { bytes, is_clean: resolution == Resolution::Complete }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
        let (base, ours, theirs) = (base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        let found = merge_text(ThreeTexts { base, ours, theirs }, &Markers::default());
        (String::from_utf8(found.bytes).unwrap(), found.is_clean)
    }

    #[test]
    fn both_changes_are_kept_and_a_conflict_is_marked() {
        let clean = merged("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n");
        assert_eq!(clean, ("A\nb\nc\nD\n".to_owned(), true));
        let (text, is_clean) = merged("a\n", "b\n", "c\n");
        assert_eq!(text, "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
        assert!(!is_clean);
    }
}
