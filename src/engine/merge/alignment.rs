//! Where the bytes of a side are in the merge.

use std::collections::BTreeMap;

use asof_syntax::{Kind, lex};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Pairs of tokens that are compared: some thousand on each side.
const MAX_COMPARED: usize = 16 << 20;

/// Parts of two texts that are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Alignment {
    /// By the first byte in the old text: the bytes, and the first one in the new text.
    same: BTreeMap<u32, (u32, u32)>,
}

impl Alignment {
    /// Compares two texts by lines, and the lines that differ by tokens.
    pub fn new(old: &str, new: &str) -> Self {
        let mut found = Self::default();
        if old == new {
            found.add(0, old.len(), 0);
            return found;
        }
        let [before, after] =
            [old, new].map(|text| -> Vec<&str> { text.split_inclusive('\n').collect() });
        let [old_starts, new_starts] = [&before, &after].map(|lines| starts(lines));
        for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
            let place = |starts: &[usize], line: usize| starts.get(line).copied().unwrap_or(0);
            let (old_range, new_range) = (op.old_range(), op.new_range());
            let from = place(&old_starts, old_range.start);
            let to = place(&new_starts, new_range.start);
            let from_end = place(&old_starts, old_range.end);
            let to_end = place(&new_starts, new_range.end);
            match op {
                DiffOp::Equal { .. } => found.add(from, from_end - from, to),
                DiffOp::Replace { .. } => {
                    let (old, new) = (Part::new(old, from, from_end), Part::new(new, to, to_end));
                    found.add_tokens(&old, &new);
                }
                DiffOp::Insert { .. } | DiffOp::Delete { .. } => {}
            }
        }
        found
    }

    fn add(&mut self, from: usize, len: usize, to: usize) {
        if len > 0 {
            self.same.insert(from as u32, (len as u32, to as u32));
        }
    }

    fn add_tokens(&mut self, old: &Part<'_>, new: &Part<'_>) {
        let tokens = |text: &str| -> Vec<(u32, u32)> {
            let tokens = lex(text, 0).into_iter().filter(|token| token.kind != Kind::End);
            tokens.map(|token| (token.start, token.end)).collect()
        };
        let (before, after) = (tokens(old.text), tokens(new.text));
        // Of parts as long as this one, lines say enough.
        if before.len().saturating_mul(after.len()) > MAX_COMPARED {
            return;
        }
        let words = |text: &'_ str, tokens: &[(u32, u32)]| -> Vec<String> {
            let word = |(start, end): &(u32, u32)| {
                text.get(*start as usize..*end as usize).unwrap_or_default().to_owned()
            };
            tokens.iter().map(word).collect()
        };
        let (left, right) = (words(old.text, &before), words(new.text, &after));
        for op in capture_diff_slices(Algorithm::Myers, &left, &right) {
            let DiffOp::Equal { old_index, new_index, len } = op else { continue };
            for n in 0..len {
                if let (Some(a), Some(b)) = (before.get(old_index + n), after.get(new_index + n)) {
                    let len = (a.1 - a.0) as usize;
                    self.add(old.start + a.0 as usize, len, new.start + b.0 as usize);
                }
            }
        }
    }

    /// Where a byte of the old text is in the new one.
    pub fn place(&self, byte: u32) -> Option<u32> {
        let (start, (len, to)) = self.same.range(..=byte).next_back()?;
        (byte - start < *len).then(|| to + (byte - start))
    }

    /// The bytes of the new text that the old one has, too.
    pub fn inverse(&self) -> Self {
        let same = self.same.iter().map(|(from, (len, to))| (*to, (*len, *from))).collect();
        Self { same }
    }
}

/// A part of a text.
struct Part<'t> {
    text: &'t str,
    /// Its first byte in the text.
    start: usize,
}

impl<'t> Part<'t> {
    fn new(text: &'t str, start: usize, end: usize) -> Self {
        Self { text: text.get(start..end).unwrap_or_default(), start }
    }
}

fn starts(lines: &[&str]) -> Vec<usize> {
    let mut found = vec![0];
    let mut at = 0;
    for line in lines {
        at += line.len();
        found.push(at);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tokens_have_places() {
        let (old, new) = ("a\nuse x::{b, c};\nd\n", "n\na\nuse x::{b, e, c};\nd\n");
        let found = Alignment::new(old, new);
        assert_eq!(found.place(0), Some(2));
        let c = old.find("c}").unwrap() as u32;
        assert_eq!(found.place(c), Some(new.find("c}").unwrap() as u32));
        assert_eq!(found.inverse().place(0), None);
    }
}
