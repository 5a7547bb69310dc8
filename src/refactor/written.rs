//! How a use of an item is written at a place, and its text after the change.

use std::collections::BTreeSet;

use super::name::NewName;
use super::words::stands_alone;
use asof_model::{FieldUse, FileUses};
use asof_syntax::Scan;

/// What the name at a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A field of a literal or pattern, or behind a dot.
    Field,
    /// Among tokens that only a macro understands: what looks like the short form of a field may be none.
    Token,
    /// Anything else.
    Other,
}

/// Bytes of a text and what they become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    pub start: u32,
    pub end: u32,
    pub text: String,
    /// Whether the name is within a literal.
    pub in_literal: bool,
}

/// Rewrites places of one text.
#[allow(missing_debug_implementations)]
pub struct Writer<'a> {
    text: &'a str,
    pub(super) scan: Scan<'a>,
    /// Where a field's name is its value too.
    shorthands: BTreeSet<u32>,
    /// Where another name or value follows a field's name.
    fields: BTreeSet<u32>,
}

impl<'a> Writer<'a> {
    pub fn new(text: &'a str, uses: &FileUses) -> Self {
        let at = |field: &FieldUse| field.at;
        let (shorthands, fields): (Vec<_>, Vec<_>) =
            uses.fields.iter().partition(|field| field.shorthand);
        let (shorthands, fields) =
            (shorthands.into_iter().map(at).collect(), fields.into_iter().map(at).collect());
        Self { text, scan: Scan::new(text), shorthands, fields }
    }

    /// What becomes of the name at a byte; none if another name is written there.
    pub fn rewrite(&self, byte: u32, old: &str, new: &NewName, role: Role) -> Option<Rewritten> {
        let (token, name) = self.scan.word_at(byte)?;
        if name != old {
            // Within the text of a literal, which ends with a quote, or of a comment, which may end with
            // the name: `/// [it]: crate::old`.
            let end = byte + old.len() as u32;
            let is_comment = self.scan_text(&token).starts_with('/');
            let last = if is_comment { token.end } else { token.end.saturating_sub(1) };
            let inside = token.start < byte && end <= last;
            let is_name = self.text.get(byte as usize..end as usize) == Some(old);
            return (inside && is_name && stands_alone(self.text, byte as usize, end as usize))
                .then(|| Rewritten {
                    start: byte,
                    end,
                    text: new.written.clone(),
                    in_literal: true,
                });
        }
        let is_shorthand = [byte, token.start].iter().any(|at| self.shorthands.contains(at));
        if !is_shorthand || role == Role::Token {
            let text = new.written.clone();
            let (start, end) = (token.start, token.end);
            return Some(match self.becomes_shorthand(start, new, role) {
                Some((start, end, text)) => Rewritten { start, end, text, in_literal: false },
                None => Rewritten { start, end, text, in_literal: false },
            });
        }
        // `S { ref mut a }` binds `a` by the words in front of it.
        let start = self.scan.binding_at(token.start);
        let bound = self.text.get(start as usize..token.start as usize).unwrap_or_default();
        let own = self.text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let text = match role {
            Role::Field => format!("{}: {bound}{own}", new.written),
            Role::Token | Role::Other => format!("{own}: {bound}{}", new.written),
        };
        Some(Rewritten { start, end: token.end, text, in_literal: false })
    }

    fn scan_text(&self, token: &std::ops::Range<u32>) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    /// The path up to the name at a byte of a literal, if the literal is a path and nothing else.
    pub fn path_in_literal(&self, byte: u32, name: &str) -> Option<String> {
        let (token, _) = self.scan.word_at(byte)?;
        let text = self.text.get(token.start as usize..token.end as usize)?;
        let inside = text.strip_prefix('"')?.strip_suffix('"')?;
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let end = (byte + name.len() as u32 - token.start) as usize;
        inside.chars().all(is_path).then(|| text.get(1..end).map(str::to_owned)).flatten()
    }

    /// What becomes of the last name of an import, so that it is imported under both names; none
    /// for other names of the path, and for one that is imported under another name anyway.
    pub fn kept(&self, at: u32, new: &NewName) -> Option<String> {
        let (token, own) = self.scan.word_at(at)?;
        let behind = self.scan.token_behind(token.end);
        let ends = behind.is_none_or(|(_, byte)| matches!(byte, b',' | b'}' | b';'));
        let before = self.scan.token_before(token.start).map(|(_, byte)| byte);
        let new = &new.written;
        ends.then(|| match before {
            Some(b'{' | b',') => format!("{new}, {new} as {own}"),
            _ => format!("{{{new}, {new} as {own}}}"),
        })
    }

    /// A field whose value then has its name: bytes and text of the shorthand.
    fn becomes_shorthand(&self, at: u32, new: &NewName, role: Role) -> Option<(u32, u32, String)> {
        let field = match role {
            Role::Token => return None,
            Role::Field => self.fields.get(&at).copied()?,
            Role::Other => {
                let before = self.scan.binding_at(at);
                let colon = self.scan.token_before(before).filter(|(_, byte)| *byte == b':')?.0;
                let name = self.scan.token_before(colon.start)?.0;
                self.fields.get(&name.start).copied()?
            }
        };
        let (name, own) = self.scan.word_at(field)?;
        let (colon, byte) = self.scan.token_behind(name.end)?;
        let (first, _) = self.scan.token_behind(colon.end).filter(|_| byte == b':')?;
        let value_at = self.scan.bound_at(first.start);
        let (value, said) = self.scan.word_at(value_at)?;
        let (_, behind) = self.scan.token_behind(value.end)?;
        let both = match role {
            Role::Field => said == new.bare,
            Role::Token | Role::Other => value.start == at && own == new.bare,
        };
        let between = self.text.get(name.end as usize..first.start as usize)?;
        let words = self.text.get(first.start as usize..value.start as usize)?;
        let plain = !between.contains('/') && !words.contains('/');
        let ends = matches!(behind, b',' | b'}');
        let text = format!("{words}{}", new.written);
        (both && plain && ends).then_some((name.start, value.end, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, place: &str, role: Role, expected: Option<&str>) {
        let facts = asof_syntax::parse_file_isolated("lib.rs", text.as_bytes());
        let byte = text.find(place).unwrap() + place.len() - place.trim_start_matches('>').len();
        let new = NewName::parse("new").unwrap();
        let writer = Writer::new(text, &facts.uses);
        let old = "old";
        let byte = byte + text.get(byte..).unwrap().find(old).unwrap();
        let found = writer.rewrite(byte as u32, old, &new, role).map(|found| {
            let (start, end) = (found.start as usize, found.end as usize);
            let mut out = text.to_owned();
            out.replace_range(start..end, &found.text);
            out
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn names_are_written_as_their_place_needs() {
        let field = Role::Field;
        check("fn f() { old() }", "old", Role::Other, Some("fn f() { new() }"));
        check("fn f() { r#old() }", "r#", Role::Other, Some("fn f() { new() }"));
        check("fn f() { S { old } }", "old", field, Some("fn f() { S { new: old } }"));
        check("fn f() { S { old } }", "old", Role::Other, Some("fn f() { S { old: new } }"));
        check("fn f() { S { old: 1 } }", "old", field, Some("fn f() { S { new: 1 } }"));
        check(
            "fn f(S { ref mut old, .. }: S) {}",
            "old",
            field,
            Some("fn f(S { new: ref mut old, .. }: S) {}"),
        );
        check(
            "fn f() { print!(\"{old:?}\") }",
            "{old",
            Role::Other,
            Some("fn f() { print!(\"{new:?}\") }"),
        );
        check("fn f() { print!(\"{older}\") }", "{old", Role::Other, None);
        check("fn f() { older() }", "old", Role::Other, None);
        check("/// [a]: b::old\nfn f() {}", "b::", Role::Other, Some("/// [a]: b::new\nfn f() {}"));
        check("fn f() { S { old: new, a } }", "old", field, Some("fn f() { S { new, a } }"));
        check("fn f() { S { old: new() } }", "old", field, Some("fn f() { S { new: new() } }"));
        check("fn f() { S { new: old } }", "old", Role::Other, Some("fn f() { S { new } }"));
        check(
            "fn f() { S { new: old.a } }",
            "old",
            Role::Other,
            Some("fn f() { S { new: new.a } }"),
        );
        check("fn f(S { old: ref new }: S) {}", "old", field, Some("fn f(S { ref new }: S) {}"));
    }
}
