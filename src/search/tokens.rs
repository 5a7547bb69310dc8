//! Estimates how many tokens a language model makes of a text.
//!
//! A tokenizer cuts a text into words, numbers, signs and blanks first, and most pieces that code
//! has are one token. What an estimate cannot know is how a rare word is divided; letters beyond
//! the fifth stand for it. A vocabulary would know, for 50 MB, and only that of one model.

/// What counts the tokens of an answer.
pub const TOKENIZER: &str = "estimate";

/// A token, in the unit that pieces are weighed in.
const TOKEN: usize = 20;

/// A letter that makes a word longer than five.
const FURTHER_LETTER: usize = 3;

/// A byte of a letter beyond its first: letters outside ASCII are seldom in one token.
const FURTHER_BYTE: usize = 7;

/// A sign beyond the third in a row.
const FURTHER_SIGN: usize = 10;

/// A sign right before a word: it is often part of the word's token, as in `.len` and `_id`.
const SIGN_BEFORE_WORD: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Word,
    Number,
    Blanks,
    Signs,
}

impl Piece {
    fn with(character: char) -> Self {
        if character.is_alphabetic() {
            Self::Word
        } else if character.is_numeric() {
            Self::Number
        } else if character.is_whitespace() {
            Self::Blanks
        } else {
            Self::Signs
        }
    }
}

/// Estimates how many tokens a text has.
pub fn count_tokens(text: &str) -> usize {
    let (mut weight, mut before, mut rest) = (0, None, text);
    while let Some(first) = rest.chars().next() {
        let piece = Piece::with(first);
        let end = rest.find(|c| Piece::with(c) != piece).unwrap_or(rest.len());
        let Some((run, after)) = rest.split_at_checked(end) else { break };
        let length = run.chars().count();
        weight += match piece {
            Piece::Word => {
                let bytes = (run.len() - length) * FURTHER_BYTE;
                TOKEN + length.saturating_sub(5) * FURTHER_LETTER + bytes
            }
            Piece::Number => length.div_ceil(3) * TOKEN,
            Piece::Signs if length == 1 && after.starts_with(char::is_alphabetic) => {
                SIGN_BEFORE_WORD
            }
            Piece::Signs => TOKEN + length.saturating_sub(3) * FURTHER_SIGN,
            Piece::Blanks => {
                // A line break belongs to the signs before it, a blank to the word or the signs
                // behind it.
                let indent = run.rsplit_once('\n').map_or(run, |(_, indent)| indent);
                let is_break = indent.len() < run.len() && before != Some(Piece::Signs);
                let part_of_next = usize::from(!after.starts_with(char::is_numeric));
                let is_indent = indent.chars().nth(part_of_next).is_some();
                (usize::from(is_break) + usize::from(is_indent)) * TOKEN
            }
        };
        (before, rest) = (Some(piece), after);
    }
    weight.div_ceil(TOKEN)
}

/// The estimated tokens of a text, if there are at most so many.
pub fn tokens_within(text: &str, limit: usize) -> Option<usize> {
    Some(count_tokens(text)).filter(|tokens| *tokens <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_piece_has_its_weight() {
        let cases = [
            ("", 0),
            ("hello world", 2),
            // 1 + 5 · 0.15
            ("identifier", 2),
            // Eight pieces of one token, and `println` with 1.3.
            ("fn main() { println!(\"x\"); }", 10),
            ("1234567", 3),
            ("a\nb", 3),
            (";\n", 1),
            (";\n\n    a", 3),
            // 1 + 0.35 + 1
            ("a.b", 3),
            ("a 1", 3),
            ("================", 8),
            ("你好", 3),
        ];
        let found = cases.map(|(text, _)| (text, count_tokens(text)));
        assert_eq!(found, cases);
    }

    /// Counts of `cl100k_base`, the vocabulary of GPT-4, for code of several kinds.
    #[test]
    fn estimates_are_close_to_a_vocabulary() {
        let code = "pub fn tokens_within(text: &str, limit: usize) -> Option<usize> {\n    \
                    if text.len() / LONGEST_TOKEN > limit {\n        return None;\n    }\n    \
                    Some(count_tokens(text)).filter(|tokens| *tokens <= limit)\n}\n";
        let prose = "Whole items, the best first, up to 85 % of the budget if not all fit; one \
                     item takes at most 40 % of it, unless it is the first. An item inside \
                     another one whose source is printed is not repeated.";
        let json = "{\"path\":\"store::backup::restore\",\"kind\":\"fn\",\"line\":120,\"tokens\":\
                    {\"budget\":4000,\"used\":3981}}";
        let numbers = "const BUCKETS: [f64; 9] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 30.0, \
                       75.0];";
        for (text, counted) in [(code, 52.0), (prose, 50.0), (json, 29.0), (numbers, 58.0)] {
            let estimated = count_tokens(text);
            let error = (estimated as f64 / counted - 1.0_f64).abs();
            assert!(error < 0.1, "{text}: {estimated} for {counted}");
        }
    }

    #[test]
    fn a_limit_is_kept() {
        assert_eq!(tokens_within("hello world", 2), Some(2));
        assert_eq!(tokens_within("hello world", 1), None);
        assert_eq!(tokens_within(&"x ".repeat(100_000), 100), None);
    }
}
