//! Finds the tags that match the keywords of an intent.

use super::corpus::Corpus;
use super::intent::Intent;

/// Tags that an answer names.
pub const MAX_TAGS: usize = 10;

/// Shorter words are part of too many others.
const SHORTEST_PART: usize = 4;

/// How much a tag counts that begins with a keyword, or a keyword with it.
const PARTIAL: f64 = 0.5;

/// In a workspace of so many files, a tag that half of them have tells nothing apart.
const FEW: f64 = 10.0;

/// A tag that matches a keyword.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedTag {
    /// The tag.
    pub tag: String,
    /// Whether it is a keyword; else it begins with one, or one with it.
    pub exact: bool,
    /// How much it counts, by rarity.
    pub weight: f64,
    /// Indices of the files that have it, in order.
    pub files: Vec<u32>,
}

impl Corpus {
    /// Tags that match keywords, and that less than half of the files have: exact matches first, then
    /// the most popular; at most [`MAX_TAGS`].
    pub fn matched_tags(&self, intent: &Intent) -> Vec<MatchedTag> {
        let total = self.files().len().max(1) as f64;
        let mut found = Vec::new();
        for (term, tag) in self.tags().iter() {
            let exact = intent.keywords.iter().any(|k| k.word == tag.name || k.term == *term);
            let partial = || intent.keywords.iter().any(|k| begins_with_other(&k.word, &tag.name));
            let is_common = total >= FEW && 2.0 * tag.files.len() as f64 >= total;
            if is_common || !(exact || partial()) {
                continue;
            }
            let rarity = (1.0 + total / tag.files.len().max(1) as f64).ln();
            let weight = if exact { rarity } else { PARTIAL * rarity };
            let (tag, files) = (tag.name.clone(), tag.files.clone());
            found.push(MatchedTag { tag, exact, weight, files });
        }
        found.sort_by(|a, b| {
            let order = |t: &MatchedTag| (!t.exact, std::cmp::Reverse(t.files.len()));
            order(a).cmp(&order(b)).then_with(|| a.tag.cmp(&b.tag))
        });
        found.truncate(MAX_TAGS);
        found
    }
}

fn begins_with_other(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.chars().count() >= SHORTEST_PART && long.starts_with(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_match_at_the_beginning_of_words_alone() {
        assert!(begins_with_other("retry", "retrying"));
        assert!(begins_with_other("retrying", "retry"));
        assert!(!begins_with_other("late", "unrelated"));
        assert!(!begins_with_other("unrelated", "late"));
        assert!(!begins_with_other("net", "network"));
    }
}
