//! Completes the last word of a question that is still being typed.

use std::collections::BTreeMap;

use super::corpus::{Corpus, is_hidden};
use super::question::Question;
use super::terms::words;
use asof_model::identifier_parts;

/// Shorter beginnings may become anything.
const SHORTEST: usize = 2;

/// Words that one beginning may become.
const MOST: usize = 4;

/// What a word counts that was not typed to its end.
const WEIGHT: f64 = 0.5;

impl Question {
    /// Adds what the last word may become: the words of the corpus's names that begin with it.
    pub fn complete(&mut self, corpus: &Corpus) {
        let last = words(&self.text).last().unwrap_or_default();
        let is_last = !last.is_empty() && self.text.ends_with(last);
        let stem = identifier_parts(last).last().map(|part| part.to_lowercase());
        let Some(stem) = stem.filter(|stem| is_last && stem.chars().count() >= SHORTEST) else {
            return;
        };
        for word in corpus.words_from(&stem) {
            self.add_word(&word, WEIGHT);
        }
    }
}

impl Corpus {
    /// Longer words of names that begin with `stem`, those of the most items first.
    fn words_from(&self, stem: &str) -> Vec<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let items = self.files.iter().flat_map(|file| &file.items);
        for item in items.filter(|item| !is_hidden(item.kind)) {
            for part in identifier_parts(&item.name) {
                let part = part.to_lowercase();
                if part.len() > stem.len() && part.starts_with(stem) {
                    *counts.entry(part).or_default() += 1;
                }
            }
        }
        let mut found: Vec<(String, usize)> = counts.into_iter().collect();
        found.sort_by(|(a, few), (b, many)| many.cmp(few).then_with(|| a.cmp(b)));
        found.into_iter().take(MOST).map(|(word, _)| word).collect()
    }
}
