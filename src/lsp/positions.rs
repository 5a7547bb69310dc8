//! Converts between positions as a client counts them and bytes of a text.

use std::sync::Arc;

use gen_lsp_types::{Position, PositionEncodingKind, Range};
use line_index::{LineCol, LineIndex, TextSize, WideEncoding, WideLineCol};

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// The first one that both know: bytes, if the client counts them.
    pub fn choose(offered: &[PositionEncodingKind]) -> Self {
        let offers = |kind: &PositionEncodingKind| offered.contains(kind);
        match () {
            () if offers(&PositionEncodingKind::UTF8) => Self::Utf8,
            () if offers(&PositionEncodingKind::UTF32) && !offers(&PositionEncodingKind::UTF16) => {
                Self::Utf32
            }
            () => Self::Utf16,
        }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }
}

/// A text with its lines.
#[derive(Debug, Clone)]
pub struct Lines {
    text: Arc<str>,
    index: Arc<LineIndex>,
}

impl Lines {
    pub fn new(text: Arc<str>) -> Self {
        let index = Arc::new(LineIndex::new(&text));
        Self { text, index }
    }

    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The byte at a position; one beyond the end of its line is at that end, one beyond the last
    /// line at the end of the text, one within a character at its beginning.
    pub fn byte(&self, position: Position, encoding: Encoding) -> u32 {
        let len = self.text.len() as u32;
        let Some(line) = self.index.line(position.line) else { return len };
        let (start, end) = (u32::from(line.start()), u32::from(line.end()));
        let line = self.text.get(start as usize..end as usize).unwrap_or_default();
        let line = line.trim_end_matches(['\r', '\n']);
        let mut column = 0;
        for (at, character) in line.char_indices() {
            let next = column
                + match encoding {
                    Encoding::Utf8 => character.len_utf8(),
                    Encoding::Utf16 => character.len_utf16(),
                    Encoding::Utf32 => 1,
                } as u32;
            if next > position.character {
                return start + at as u32;
            }
            column = next;
        }
        start + line.len() as u32
    }

    /// The position of a byte; one within a character counts as its beginning.
    pub fn position(&self, byte: u32, encoding: Encoding) -> Position {
        let mut byte = byte.min(self.text.len() as u32);
        while !self.text.is_char_boundary(byte as usize) {
            byte -= 1;
        }
        let at = self.index.line_col(TextSize::from(byte));
        let wide = match encoding {
            Encoding::Utf8 => None,
            Encoding::Utf16 => self.index.to_wide(WideEncoding::Utf16, at),
            Encoding::Utf32 => self.index.to_wide(WideEncoding::Utf32, at),
        };
        let LineCol { line, col } = at;
        let WideLineCol { line, col } = wide.unwrap_or(WideLineCol { line, col });
        Position { line, character: col }
    }

    pub fn range(&self, start: u32, end: u32, encoding: Encoding) -> Range {
        Range { start: self.position(start, encoding), end: self.position(end, encoding) }
    }

    pub fn bytes(&self, range: Range, encoding: Encoding) -> (u32, u32) {
        let (start, end) = (self.byte(range.start, encoding), self.byte(range.end, encoding));
        (start, end.max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_bytes_are_inverse() {
        let text = "fn ä() {\r\n\t\"😀x\"\r}\n\n";
        let lines = Lines::new(text.into());
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (byte, _) in text.char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
                let position = lines.position(byte as u32, encoding);
                assert_eq!(lines.byte(position, encoding), byte as u32, "{encoding:?} {byte}");
            }
        }
    }

    #[test]
    fn a_character_has_the_width_of_the_encoding() {
        let lines = Lines::new("a😀b".into());
        let column = |encoding| lines.position(5, encoding).character;
        assert_eq!([Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(column), [5, 3, 2]);
    }

    #[test]
    fn what_is_outside_is_at_the_nearest_end() {
        let lines = Lines::new("ab\r\nc".into());
        let byte = |line, character| lines.byte(Position { line, character }, Encoding::Utf16);
        assert_eq!([byte(0, 9), byte(1, 9), byte(7, 0)], [2, 5, 5]);
        let lines = Lines::new("😀".into());
        assert_eq!(lines.byte(Position { line: 0, character: 1 }, Encoding::Utf16), 0);
    }
}
