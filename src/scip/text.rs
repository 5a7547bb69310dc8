//! Converts places in a text between bytes and the characters that an index counts in.

use super::Place;

/// Bytes of operators that call a method.
const OPERATORS: &[u8] = b"+-*/%&|^<>=!";

/// What an index counts within a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// It does not say. Where all of them agree, the place is known.
    Unknown,
    Utf8,
    Utf16,
    Utf32,
}

/// Why a place of an index has no offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unplaced {
    /// Behind the end of its line, or within a character: the text is another.
    NotInText,
    /// Behind a character that encodings count differently, and the index does not say how it does.
    Undecidable,
}

/// What a text has at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named<'t> {
    /// A whole name, without its `r#`.
    Name(&'t str),
    /// A part of a name: the place is that of another text.
    Part,
    /// An operator, several tokens, or nothing.
    Other,
}

/// A file's text with the starts of its lines.
#[derive(Debug)]
pub struct Text<'t> {
    bytes: &'t [u8],
    lines: Vec<u32>,
}

impl<'t> Text<'t> {
    /// A text of at most 4 GB.
    pub fn new(bytes: &'t [u8]) -> Self {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        Self { bytes, lines }
    }

    /// Line and column of an offset, both from 0.
    pub fn place(&self, offset: u32) -> [u32; 2] {
        let line = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or_default();
        [line as u32, offset - start]
    }

    /// The offset of a line and column; the column is not checked.
    pub fn offset(&self, line: u32, column: u32) -> u32 {
        self.lines.get(line as usize).map_or(0, |start| start + column)
    }

    /// The offset of a place of an index.
    ///
    /// # Errors
    /// The text has no such place, or what the index counts is not known and matters here.
    pub fn decode(&self, [line, column]: [u32; 2], encoding: Encoding) -> Result<u32, Unplaced> {
        let start = *self.lines.get(line as usize).ok_or(Unplaced::NotInText)?;
        let end =
            self.lines.get(line as usize + 1).map_or(self.bytes.len() as u32, |next| next - 1);
        let text = self.bytes.get(start as usize..end as usize).ok_or(Unplaced::NotInText)?;
        let column = column as usize;
        if text.get(..column).is_some_and(<[u8]>::is_ascii) {
            return Ok(start + column as u32);
        }
        let text = std::str::from_utf8(text).map_err(|_| Unplaced::NotInText)?;
        let within = match encoding {
            Encoding::Unknown if column <= text.len() => return Err(Unplaced::Undecidable),
            Encoding::Unknown => None,
            Encoding::Utf8 => text.is_char_boundary(column).then_some(column),
            Encoding::Utf16 => offset_of(text, column, char::len_utf16),
            Encoding::Utf32 => offset_of(text, column, |_| 1),
        };
        Ok(start + within.ok_or(Unplaced::NotInText)? as u32)
    }

    /// The place of the name that begins here, its `r#` included, or of the operator.
    pub fn name(&self, at: u32) -> Place {
        let at = self.raw_start(at);
        let rest = self.bytes.get(at as usize..).unwrap_or_default();
        let raw = if rest.starts_with(b"r#") { 2 } else { 0 };
        let len = rest.get(raw..).unwrap_or_default().iter().take_while(|b| is_part(**b)).count();
        let len = match len {
            0 if rest.starts_with(b"[") => 1,
            0 => rest.iter().take(3).take_while(|byte| OPERATORS.contains(byte)).count(),
            len => raw + len,
        };
        Place { start: self.place(at), end: self.place(at + len as u32) }
    }

    /// The name that begins at an offset, without `r#`; empty if none does.
    pub fn word(&self, at: u32) -> &'t str {
        let rest = self.bytes.get(at as usize..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| is_part(**byte)).count();
        rest.get(..len).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default()
    }

    /// Where a name at this offset begins, its `r#` included.
    pub fn raw_start(&self, at: u32) -> u32 {
        let is_raw = at >= 2 && self.bytes.get(at as usize - 2..at as usize) == Some(b"r#");
        if is_raw { at - 2 } else { at }
    }

    /// What is between two offsets.
    pub fn named(&self, start: u32, end: u32) -> Named<'t> {
        let Some(text) = self.bytes.get(start as usize..end as usize) else { return Named::Other };
        let text = text.strip_prefix(b"r#").unwrap_or(text);
        let Some(text) = std::str::from_utf8(text).ok().filter(|text| !text.is_empty()) else {
            return Named::Other;
        };
        if !text.bytes().all(is_part) {
            return Named::Other;
        }
        let at = |offset: Option<u32>| offset.and_then(|at| self.bytes.get(at as usize));
        let around = [at(start.checked_sub(1)), at(Some(end))];
        if around.into_iter().flatten().any(|byte| is_part(*byte)) {
            Named::Part
        } else {
            Named::Name(text)
        }
    }
}

/// Whether a byte is one of a name.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}

/// The offset in bytes of a column that counts other units.
fn offset_of(text: &str, column: usize, units: impl Fn(char) -> usize) -> Option<usize> {
    let mut counted = 0;
    for (at, c) in text.char_indices() {
        match counted.cmp(&column) {
            std::cmp::Ordering::Equal => return Some(at),
            // Within a character.
            std::cmp::Ordering::Greater => return None,
            std::cmp::Ordering::Less => counted += units(c),
        }
    }
    (counted == column).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_what_the_index_counts() {
        let text = "ab\né𝄞z\r\n";
        let text = Text::new(text.as_bytes());
        let check = |line, column, expected: [Option<u32>; 4]| {
            let all = [Encoding::Unknown, Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
            let found = all.map(|encoding| text.decode([line, column], encoding).ok());
            assert_eq!(found, expected, "{line}:{column}");
        };
        check(0, 2, [Some(2); 4]);
        check(1, 0, [Some(3); 4]);
        check(1, 1, [None, None, Some(5), Some(5)]);
        check(1, 2, [None, Some(5), None, Some(9)]);
        check(1, 3, [None, None, Some(9), Some(10)]);
        check(1, 6, [None, Some(9), None, None]);
        // Behind the end of a line, and of the text.
        check(0, 3, [None; 4]);
        check(2, 0, [Some(12); 4]);
        check(3, 0, [None; 4]);
        check(u32::MAX, u32::MAX, [None; 4]);
        let unknown = |column| text.decode([1, column], Encoding::Unknown);
        assert_eq!(unknown(2), Err(Unplaced::Undecidable));
        assert_eq!(unknown(9), Err(Unplaced::NotInText));
    }

    #[test]
    fn a_name_is_whole_or_the_text_is_another() {
        let source = "r#fn(ab + é)";
        let text = Text::new(source.as_bytes());
        for (part, expected) in [
            ("r#fn", Named::Name("fn")),
            ("ab", Named::Name("ab")),
            ("b", Named::Part),
            ("f", Named::Part),
            ("é", Named::Name("é")),
            ("+", Named::Other),
            ("ab +", Named::Other),
            ("", Named::Other),
        ] {
            let start = source.find(part).unwrap() as u32;
            assert_eq!(text.named(start, start + part.len() as u32), expected, "{part}");
        }
        assert_eq!(text.raw_start(2), 0);
        assert_eq!(text.name(2), Place { start: [0, 0], end: [0, 4] });
    }
}
