//! The bytes that splices really change, by comparing tokens: what a replaced item has in common
//! with its new text is unchanged.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::splice::Splice;
use asof_model::{ByteRange, OrNever};
use asof_syntax::lex;

/// The changes of one text.
#[derive(Debug, Default)]
pub struct Changed {
    /// Tokens that are gone.
    gone: Vec<ByteRange>,
    /// Texts that are new, and the bytes of the old text between which they are.
    new: Vec<(ByteRange, String)>,
}

impl Changed {
    /// The changes by these splices of the old text.
    pub fn new(text: &str, splices: &[Splice]) -> Self {
        let mut out = Self::default();
        let deadline = Instant::now() + Duration::from_secs(2);
        for splice in splices {
            out.add(text, splice, deadline);
        }
        out
    }

    fn add(&mut self, text: &str, splice: &Splice, deadline: Instant) {
        let old = text.get(splice.start as usize..splice.end as usize);
        let old = old.or_never("a splice lies in its text");
        let (olds, news) = (tokens(old), tokens(&splice.text));
        let texts = |text: &'_ str, tokens: &[ByteRange]| -> Vec<String> {
            let text = |t: &ByteRange| t.slice(text).or_never("a token lies in its text");
            tokens.iter().map(|token| text(token).to_owned()).collect()
        };
        let (old_texts, new_texts) = (texts(old, &olds), texts(&splice.text, &news));
        let ops =
            capture_diff_slices_deadline(Algorithm::Myers, &old_texts, &new_texts, Some(deadline));
        for op in ops {
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let (gone, new) = (op.old_range(), op.new_range());
            let lost = olds.get(gone.clone()).or_never("tokens that differ are there");
            self.gone.extend(
                lost.iter().map(|t| ByteRange::new(splice.start + t.start, splice.start + t.end)),
            );
            if new.is_empty() {
                continue;
            }
            // With the blanks around: they tell whether it joins what is beside it.
            let end = |tokens: &[ByteRange], at: usize| {
                at.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| token.end)
            };
            let start = |tokens: &[ByteRange], at: usize| tokens.get(at).map(|token| token.start);
            let from = end(&news, new.start).unwrap_or(0) as usize;
            let to = start(&news, new.end).map_or(splice.text.len(), |byte| byte as usize);
            let added =
                splice.text.get(from..to).or_never("new tokens lie in the new text").to_owned();
            let before = end(&olds, gone.start).map_or(splice.start, |byte| splice.start + byte);
            let behind = start(&olds, gone.end).map_or(splice.end, |byte| splice.start + byte);
            self.new.push((ByteRange::new(before, behind), added));
        }
    }

    /// Whether something between these bytes changes. New text beside them counts if it joins the
    /// name there: `a::` before it, `as b` after it.
    pub fn meets(&self, range: ByteRange) -> bool {
        let ByteRange { start, end } = range;
        self.gone.iter().any(|gone| gone.start < end && start < gone.end)
            || self.new.iter().any(|(between, text)| {
                start < between.start && between.end < end
                    || between.end == start && joins_next(text)
                    || between.start == end && joins_last(text)
            })
    }
}

fn tokens(text: &str) -> Vec<ByteRange> {
    lex(text, 0).iter().map(|token| ByteRange::new(token.start, token.end)).collect()
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether a text changes the name directly after it.
fn joins_next(text: &str) -> bool {
    let bare = text.trim_end();
    text.ends_with(is_word) || bare.ends_with("::") || bare.split_whitespace().last() == Some("as")
}

/// Whether a text changes the name directly before it.
fn joins_last(text: &str) -> bool {
    let bare = text.trim_start();
    text.starts_with(is_word)
        || bare.starts_with("::")
        || bare.starts_with(['!', '<'])
        || bare.split_whitespace().next() == Some("as")
}
