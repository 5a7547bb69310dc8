//! Finds names as words of a text, in any language.

pub use asof_syntax::is_word_part as is_word;

/// Whether no name goes on before or behind these bytes.
pub fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let behind = text.get(end..).unwrap_or_default();
    !before.ends_with(is_word) && !behind.starts_with(is_word)
}

/// Where a name is a word of its own.
pub fn words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let places = text.match_indices(name).map(|(at, _)| at);
    places.filter(move |at| stands_alone(text, *at, at + name.len()))
}

/// First byte of the path that ends before a byte: names and `::`.
pub fn path_start(text: &str, end: usize) -> usize {
    let before = text.get(..end).unwrap_or_default();
    before.trim_end_matches(|c: char| is_word(c) || c == ':').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_their_own() {
        assert_eq!(words("old older x.old", "old").collect::<Vec<_>>(), [0, 12]);
        assert_eq!(path_start("[a::b::", 7), 1);
    }
}
