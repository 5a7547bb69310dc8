//! Operators as places: what they call has no name.

use asof_syntax::{Kind, LexToken, lex};

use super::source::{Name, Source};

/// Characters of operators that call a method.
const OPERATORS: &str = "+-*/%&|^!=<>?";
/// Bytes of the longest operator: `<<=`.
const MAX_OPERATOR: u32 = 3;

impl Source {
    /// The operator around a byte, or before it, if it calls something that is known. Both brackets of
    /// an index are places.
    pub fn operator_at(&self, byte: u32) -> Option<Name> {
        let starts = (byte.saturating_sub(MAX_OPERATOR)..=byte).rev();
        let name = |start: u32| {
            let rest = self.text().get(start as usize..)?;
            let len = if rest.starts_with('[') {
                1
            } else {
                rest.chars().take_while(|c| OPERATORS.contains(*c)).count() as u32
            };
            let end = start + len.min(MAX_OPERATOR);
            (start <= byte && byte <= end && len > 0 && !self.links_at(start).is_empty())
                .then_some(Name { start, end })
        };
        starts.into_iter().find_map(name).or_else(|| {
            let start = opening_bracket(self.text(), byte)?;
            (!self.links_at(start).is_empty()).then_some(Name { start, end: start + 1 })
        })
    }
}

/// First byte of the `[` whose `]` is at a byte, or before it.
fn opening_bracket(text: &str, byte: u32) -> Option<u32> {
    let at = byte as usize;
    if !text.get(..at)?.ends_with(']') && !text.get(at..)?.starts_with(']') {
        return None;
    }
    let tokens = lex(text, 0);
    let is_here = |token: &&LexToken| {
        token.kind == Kind::Close && token.byte == b']' && (token.start..=token.end).contains(&byte)
    };
    let close = tokens.iter().rfind(is_here)?;
    tokens.get(close.mate as usize).filter(|open| open.kind == Kind::Open).map(|open| open.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marked: &str, expected: Option<u32>) {
        let at = marked.find('^').unwrap();
        let text = marked.replacen('^', "", 1);
        assert_eq!(opening_bracket(&text, at as u32), expected, "{marked}");
    }

    #[test]
    fn both_brackets_are_one_place() {
        check("a[0]^ = 1", Some(1));
        check("a[0^] = 1", Some(1));
        check("a[b[0]^ ] = 1", Some(3));
        check("a[b[0]]^ = 1", Some(1));
        check("a[(0)^] = 1", Some(1));
        check("a(0)^", None);
        check("\"[]^\"", None);
    }
}
