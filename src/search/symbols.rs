//! Scores how well names of items fit the names in a question.

use std::collections::BTreeSet;

use super::corpus::Corpus;
use super::file_terms::Field;
use super::question::{Question, Shape, plain_name};
use super::terms::{term_of, whole};

impl Corpus {
    /// How well each item's name fits a name in the question.
    pub(super) fn symbols(&self, question: &Question) -> Vec<f32> {
        if question.symbols.is_empty() {
            return Vec::new();
        }
        let mut fits = vec![0.0f32; self.items];
        for symbol in &question.symbols {
            let Some((name, around)) = symbol.split_last() else { continue };
            let exact = self.fit_names(name, around, Fit::Contains, &mut fits);
            // A name that is nowhere may be misspelt.
            if !exact && question.shape == Shape::Symbol {
                self.fit_names(name, around, Fit::Similar, &mut fits);
            }
        }
        fits
    }

    /// Whether a name was found as it is.
    fn fit_names(&self, name: &str, around: &[String], fit: Fit, fits: &mut [f32]) -> bool {
        let mut exact = false;
        for (number, (file, base)) in self.files.iter().zip(&self.bases).enumerate() {
            let qualified = self.qualified(number, around);
            for (at, item) in file.items.iter().enumerate() {
                let have = plain_name(&item.name);
                let mut value = fit.score(name, &have);
                if value <= 0.0 {
                    continue;
                }
                exact |= value >= 1.0;
                if !around.is_empty() {
                    let held = qualified
                        .iter()
                        .filter(|set| set.contains(&Some(at as u32)) || set.contains(&None));
                    value *= 0.5 + 0.5 * held.count() as f32 / around.len() as f32;
                }
                if let Some(best) = fits.get_mut(base + at) {
                    *best = best.max(value);
                }
            }
        }
        exact
    }

    /// For each name around a symbol, the items of a file that are in something of that name;
    /// none for all items, if the path has it.
    fn qualified(&self, file: usize, around: &[String]) -> Vec<BTreeSet<Option<u32>>> {
        let Some(file) = self.files.get(file) else { return Vec::new() };
        let of = |name: &String| {
            let mut found = BTreeSet::new();
            for term in [whole(name), term_of(name)] {
                file.postings(term, |posting| {
                    let at = |f: Field| posting.counts.get(f.index()).copied().unwrap_or_default();
                    if at(Field::Container) > 0 || at(Field::Path) > 0 {
                        found.insert(posting.item);
                    }
                });
            }
            found
        };
        around.iter().map(of).collect()
    }
}

/// How names are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// One contains the other.
    Contains,
    /// They differ in a few letters.
    Similar,
}

impl Fit {
    fn score(self, asked: &str, have: &str) -> f32 {
        match self {
            Self::Contains => contains(asked, have),
            Self::Similar => similar(asked, have),
        }
    }
}

/// Shorter names are in too many others.
const SHORTEST_PART: usize = 3;

fn contains(asked: &str, have: &str) -> f32 {
    if asked == have {
        return 1.0;
    }
    if asked.len() < SHORTEST_PART || have.len() <= asked.len() {
        return 0.0;
    }
    let share = asked.len() as f32 / have.len() as f32;
    if have.starts_with(asked) {
        0.3 + 0.5 * share
    } else if have.contains(asked) {
        0.2 + 0.4 * share
    } else {
        0.0
    }
}

fn similar(asked: &str, have: &str) -> f32 {
    let (a, b) = (asked.chars().count(), have.chars().count());
    if a < 4 || a.abs_diff(b) > 1 + a / 5 {
        return 0.0;
    }
    let distance = strsim::osa_distance(asked, have);
    if distance <= 1 + a / 5 { 0.9 * (1.0 - distance as f32 / a.max(b) as f32) } else { 0.0 }
}
