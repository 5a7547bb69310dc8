//! Names of a text that are not in Normalization Form C, in which identifiers are compared.

use super::lexer::{Kind, lex};
use asof_model::normalize_identifier;

/// First bytes of words, and the words in that form, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct NormalNames(Vec<(u32, String)>);

impl NormalNames {
    pub const NONE: &'static Self = &Self(Vec::new());

    pub fn read(text: &str) -> Self {
        // Nearly every text is in that form as a whole.
        if matches!(normalize_identifier(text), std::borrow::Cow::Borrowed(_)) {
            return Self::default();
        }
        let words = lex(text, 0).into_iter().filter(|token| token.kind == Kind::Word);
        let names = words.filter_map(|token| {
            let word = text.get(token.start as usize..token.end as usize)?;
            match normalize_identifier(word) {
                std::borrow::Cow::Owned(name) => Some((token.start, name)),
                std::borrow::Cow::Borrowed(_) => None,
            }
        });
        Self(names.collect())
    }

    /// The name of the word at a byte, if it is written in another form.
    #[inline]
    pub fn get(&self, start: u32) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        let at = self.0.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.0.get(at).map(|(_, name)| name.as_str())
    }
}
