//! Number of tokens that a language model makes of a text.

use std::sync::LazyLock;

use tiktoken::CoreBpe;

/// The encoding that counts tokens: GPT-4's. Tokenizers of other models are not public or much
/// larger; their counts of code differ by some percent.
pub const TOKENIZER: &str = "cl100k_base";

/// No token of the encoding is longer.
const LONGEST_TOKEN: usize = 128;

/// Reading the vocabulary takes some 100 ms, once for a process.
static ENCODING: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::cl100k_base);

/// Tokens of a text, by [`TOKENIZER`].
pub fn count_tokens(text: &str) -> usize {
    ENCODING.count(text)
}

/// Tokens of a text, if there are at most so many. Texts that are far too long are not counted.
pub fn tokens_within(text: &str, limit: usize) -> Option<usize> {
    if text.len() / LONGEST_TOKEN > limit {
        return None;
    }
    Some(count_tokens(text)).filter(|tokens| *tokens <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_encoding() {
        // As `tiktoken-rs` counts them.
        assert_eq!(count_tokens("fn main() { println!(\"hello\"); }"), 9);
        assert_eq!(count_tokens(""), 0);
        assert_eq!(tokens_within("hello world", 2), Some(2));
        assert_eq!(tokens_within("hello world", 1), None);
        assert_eq!(tokens_within(&"x ".repeat(100_000), 100), None);
    }
}
