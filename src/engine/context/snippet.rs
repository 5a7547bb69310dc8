//! The lines of a file that say most about an intent.

use std::collections::{BTreeMap, BTreeSet};

use asof_search::{Intent, Place, count_tokens};
use asof_wire::{ContextItem, ContextSnippet, Highlight};

/// How much more a further occurrence of a keyword in a window says.
const REPEATED: f64 = 0.05;

/// Longer lines are cut.
const LONGEST_LINE: usize = 400;

/// The lines of a file, with the keywords in each.
pub(super) struct Lines<'a> {
    lines: Vec<&'a str>,
    /// By line, from 0.
    found: BTreeMap<usize, Vec<(usize, Highlight)>>,
    /// What the line of an item's name says, by line.
    names: BTreeMap<usize, f64>,
    /// What each keyword counts.
    weights: &'a [f64],
}

impl<'a> Lines<'a> {
    /// Reads the lines of a text. The line of the name of one of its best items, given with each,
    /// says as much as a share of all keywords.
    pub fn read(
        text: &'a str,
        intent: &Intent,
        weights: &'a [f64],
        items: &[(ContextItem, u32)],
    ) -> Self {
        let lines: Vec<&str> = text.lines().map(shortened).collect();
        let mut found = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            let highlight = |place: Place| {
                let term = intent.keywords.get(place.keyword)?.word.clone();
                let (line, col) = (at as u32 + 1, place.column as u32 + 1);
                Some((place.keyword, Highlight { term, line, col }))
            };
            let places: Vec<_> = intent.places(line).into_iter().filter_map(highlight).collect();
            if !places.is_empty() {
                found.insert(at, places);
            }
        }
        let all: f64 = weights.iter().sum();
        let name = |(item, line): &(ContextItem, u32)| {
            ((*line as usize).saturating_sub(1), item.relevance_score * all)
        };
        Self { lines, found, names: items.iter().map(name).collect(), weights }
    }

    /// What a window says: each keyword once, a little for its repetitions, and the names in it.
    fn value(&self, start: usize, size: usize) -> f64 {
        let mut seen = vec![0u32; self.weights.len()];
        let places = self.found.range(start..start + size).flat_map(|(_, places)| places);
        for (keyword, _) in places {
            if let Some(count) = seen.get_mut(*keyword) {
                *count += 1;
            }
        }
        let words = seen.iter().zip(self.weights).filter(|(count, _)| **count > 0);
        let words: f64 =
            words.map(|(count, weight)| weight * (1.0 + REPEATED * f64::from(count - 1))).sum();
        words + self.names.range(start..start + size).map(|(_, value)| value).sum::<f64>()
    }

    /// The window of so many lines that says most; the first of equals.
    pub fn best(&self, lines: usize) -> Option<ContextSnippet> {
        let size = lines.min(self.lines.len());
        if size == 0 {
            return None;
        }
        let last = self.lines.len() - size;
        // A window that says something begins just above a line that does: what follows a name
        // explains it, what precedes it does not.
        let starts = self.found.keys().chain(self.names.keys());
        let starts: BTreeSet<usize> = starts.map(|at| at.saturating_sub(1).min(last)).collect();
        let mut best = (0.0, 0);
        for start in starts {
            let value = self.value(start, size);
            if value > best.0 + 1e-9 {
                best = (value, start);
            }
        }
        let start = best.1;
        let content: Vec<&str> = self.lines.iter().skip(start).take(size).copied().collect();
        let places = self.found.range(start..start + size).flat_map(|(_, places)| places);
        Some(ContextSnippet {
            start_line: start as u32 + 1,
            end_line: (start + size) as u32,
            content: content.join("\n"),
            highlights: places.map(|(_, highlight)| highlight.clone()).collect(),
        })
    }

    /// The largest window up to so many lines whose text has at most so many tokens, and how many
    /// it has.
    pub fn within(&self, lines: usize, tokens: usize) -> Option<(ContextSnippet, usize)> {
        let mut lines = lines;
        while lines > 0 {
            let snippet = self.best(lines)?;
            let used = count_tokens(&snippet.content);
            if used <= tokens {
                return Some((snippet, used));
            }
            lines /= 2;
        }
        None
    }
}

fn shortened(line: &str) -> &str {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => line.get(..end).unwrap_or(line),
        None => line,
    }
}
