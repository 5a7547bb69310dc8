//! The lines of a file that say most about an intent.

use std::collections::BTreeMap;

use crate::search::{Intent, count_tokens};
use crate::wire::{ContextItem, ContextSnippet, Highlight};

/// What the line of the name of a file's best item counts, in keywords.
const NAME: f64 = 3.0;

/// Longer lines are cut.
const LONGEST_LINE: usize = 400;

/// The lines of a file, with the keywords in each.
pub(super) struct Lines<'a> {
    lines: Vec<&'a str>,
    found: BTreeMap<usize, Vec<Highlight>>,
    /// What each line says about the intent.
    values: Vec<f64>,
}

impl<'a> Lines<'a> {
    /// Reads the lines of a text. `names` are the lines of the names of its best items.
    pub fn read(text: &'a str, intent: &Intent, items: &[(ContextItem, u32)]) -> Self {
        let lines: Vec<&str> = text.lines().map(shortened).collect();
        let mut values = vec![0.0; lines.len()];
        let mut found = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            let places = intent.places(line);
            if places.is_empty() {
                continue;
            }
            let mut seen = Vec::new();
            let mut highlights = Vec::new();
            for place in places {
                let Some(keyword) = intent.keywords.get(place.keyword) else { continue };
                if !seen.contains(&place.keyword) {
                    seen.push(place.keyword);
                    if let Some(value) = values.get_mut(at) {
                        *value += keyword.weight;
                    }
                }
                highlights.push(Highlight {
                    term: keyword.word.clone(),
                    line: at as u32 + 1,
                    col: place.column as u32 + 1,
                });
            }
            found.insert(at, highlights);
        }
        for (item, name_line) in items {
            let at = (*name_line as usize).saturating_sub(1);
            if let Some(value) = values.get_mut(at) {
                *value += NAME * item.relevance_score;
            }
        }
        Self { lines, found, values }
    }

    /// The window of so many lines that says most; the first of equals.
    pub fn best(&self, lines: usize) -> Option<ContextSnippet> {
        let size = lines.min(self.lines.len());
        if size == 0 {
            return None;
        }
        let mut sum: f64 = self.values.iter().take(size).sum();
        let (mut start, mut best) = (0, sum);
        for (at, (gone, new)) in self.values.iter().zip(self.values.iter().skip(size)).enumerate() {
            sum += new - gone;
            if sum > best + 1e-9 {
                (start, best) = (at + 1, sum);
            }
        }
        // The lines that say something, in the upper part of the window: what follows a name
        // explains it, what precedes it does not.
        let first = (start..start + size).find(|at| self.values.get(*at).is_some_and(|v| *v > 0.0));
        let start = first.map_or(start, |first| first.saturating_sub(1).max(start));
        let start = start.min(self.lines.len() - size);
        let content: Vec<&str> = self.lines.iter().skip(start).take(size).copied().collect();
        let highlights = self.found.range(start..start + size).flat_map(|(_, found)| found.clone());
        Some(ContextSnippet {
            start_line: start as u32 + 1,
            end_line: (start + size) as u32,
            content: content.join("\n"),
            highlights: highlights.collect(),
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
