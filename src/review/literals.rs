//! Names in the texts of literals: what a format string captures, and paths in attributes.

use asof_syntax::is_word_part;

/// A piece of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// A name, and its first byte in the file.
    Name(u32, &'t str),
}

/// The pieces of a literal that begins at a byte, by the bytes of the names in it, in order.
pub(super) fn pieces<'t>(text: &'t str, start: u32, names: &[u32]) -> Vec<Piece<'t>> {
    let mut found = Vec::new();
    let mut taken = 0;
    for at in names {
        let from = at.saturating_sub(start) as usize;
        let Some(rest) = text.get(from..) else { continue };
        let len = rest.find(|c| !is_word_part(c)).unwrap_or(rest.len());
        if from < taken || len == 0 {
            continue;
        }
        found.extend(text.get(taken..from).filter(|text| !text.is_empty()).map(Piece::Text));
        found.extend(rest.get(..len).map(|name| Piece::Name(*at, name)));
        taken = from + len;
    }
    found.extend(text.get(taken..).filter(|text| !text.is_empty()).map(Piece::Text));
    found
}
