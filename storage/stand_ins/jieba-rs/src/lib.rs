//! What the engine takes from the crate `jieba-rs`, without its dictionary of Chinese words.
//!
//! The engine uses it in one tokenizer of its full-text indexes, and `asof` makes no such index.
//! Without words, each character is a token by itself, as `jieba-rs` has it for unknown ones.

/// Splits texts into tokens.
#[derive(Debug, Default, Clone)]
pub struct Jieba;

impl Jieba {
    pub fn new() -> Self {
        Self
    }

    pub fn empty() -> Self {
        Self
    }

    /// Runs of ASCII letters and digits, and each other character.
    pub fn cut<'t>(&self, text: &'t str, _guess_words: bool) -> Vec<&'t str> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let len = match rest.find(|c: char| !c.is_ascii_alphanumeric()) {
                Some(0) => first.len_utf8(),
                Some(len) => len,
                None => rest.len(),
            };
            let (token, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
            tokens.push(token);
            rest = behind;
        }
        tokens
    }

    pub fn cut_all<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.cut(text, false)
    }

    pub fn cut_for_search<'t>(&self, text: &'t str, guess_words: bool) -> Vec<&'t str> {
        self.cut(text, guess_words)
    }
}

#[cfg(test)]
mod tests {
    use super::Jieba;

    #[test]
    fn unknown_characters_are_tokens() {
        let tokens = Jieba::new().cut("ab1 数据,x", true);
        assert_eq!(tokens, ["ab1", " ", "数", "据", ",", "x"]);
        assert!(Jieba::empty().cut_all("").is_empty());
    }
}
