//! Places in a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A half-open range of bytes in one version of a file, with its lines.
/// Offsets count from the first byte of the file, byte-order mark and shebang included.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub struct Span {
    /// First byte.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
    /// Line of the first byte, from 1.
    pub start_line: u32,
    /// Line of the last byte, from 1.
    pub end_line: u32,
}

impl Span {
    /// Length in bytes.
    pub fn len(&self) -> u32 {
        self.end_byte.saturating_sub(self.start_byte)
    }

    /// Whether it covers no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its bytes, without the lines.
    pub fn bytes(&self) -> ByteRange {
        ByteRange::new(self.start_byte, self.end_byte)
    }

    /// Whether the other span is within this one.
    pub fn contains(&self, other: &Span) -> bool {
        self.start_byte <= other.start_byte && other.end_byte <= self.end_byte
    }

    /// This span counted from the start of the owner's; lines become offsets from 0.
    pub fn relative_to(&self, owner: &Span) -> Span {
        Span {
            start_byte: self.start_byte.saturating_sub(owner.start_byte),
            end_byte: self.end_byte.saturating_sub(owner.start_byte),
            start_line: self.start_line.saturating_sub(owner.start_line),
            end_line: self.end_line.saturating_sub(owner.start_line),
        }
    }
}

/// A half-open range of bytes in one version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteRange {
    /// From the first byte to the one past the last.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether a byte is in it.
    pub fn contains(self, byte: u32) -> bool {
        self.start <= byte && byte < self.end
    }

    /// Whether the other range is within this one.
    pub fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Its bytes of a text; `None` if they are not there or cut a character.
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(self.start as usize..self.end as usize)
    }
}

impl From<std::ops::Range<u32>> for ByteRange {
    fn from(range: std::ops::Range<u32>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// Place of a parameter, generic parameter or attribute inside its item: bytes and lines
/// counted from the item's start.
pub type PartSpan = Span;
