//! Answers of earlier searches. The key has every parameter and what the answer was made of: the
//! revision, and the vectors. So an answer that is found is the one that would be computed.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use asof_wire::{DocsHit, Hit, SearchAnswer, SearchDocs, SearchFiles};

/// Answers that are kept.
const MAX_ANSWERS: usize = 256;

/// Bytes of text in all of them.
const MAX_BYTES: usize = 16 << 20;

/// An answer to a search for items, for files, or for items and documentation.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    Items(SearchAnswer),
    Files(SearchFiles),
    Docs(SearchDocs),
}

/// The answers, the ones that were used last at the back.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache(Mutex<Answers>);

#[derive(Debug, Default)]
struct Answers {
    answers: VecDeque<(String, Kept)>,
    bytes: usize,
}

impl AnswerCache {
    pub fn get(&self, key: &str) -> Option<Kept> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.answers.iter().position(|(of, _)| of == key)?;
        let entry = kept.answers.remove(at)?;
        let answer = entry.1.clone();
        kept.answers.push_back(entry);
        Some(answer)
    }

    pub fn put(&self, key: String, answer: Kept) {
        let bytes = size(&key, &answer);
        if bytes > MAX_BYTES / 4 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += bytes;
        kept.answers.push_back((key, answer));
        while kept.answers.len() > MAX_ANSWERS || kept.bytes > MAX_BYTES {
            let Some((key, answer)) = kept.answers.pop_front() else { break };
            kept.bytes -= size(&key, &answer);
        }
    }
}

/// Bytes of an answer, roughly: its texts, and something for each result.
fn size(key: &str, answer: &Kept) -> usize {
    const RESULT: usize = 512;
    let of = |hit: &Hit| {
        let matches: usize = hit.matches.iter().map(|one| one.text.len() + 32).sum();
        let source = hit.source.as_ref().map_or(0, String::len);
        let links = hit.doc_backlinks.as_ref().map_or(0, Vec::len) * RESULT / 4;
        RESULT + hit.doc_comment.len() + hit.signature.len() + source + matches + links
    };
    let results: usize = match answer {
        Kept::Items(answer) => answer.results.iter().map(of).sum(),
        Kept::Files(answer) => answer.results.len() * RESULT,
        Kept::Docs(answer) => answer
            .results
            .iter()
            .map(|hit| match hit {
                DocsHit::Fn(hit) => of(hit),
                DocsHit::Doc(hit) => {
                    let source = hit.source.as_ref().map_or(0, String::len);
                    RESULT + hit.excerpt.len() + source + hit.mentions.len() * RESULT / 4
                }
            })
            .sum(),
    };
    key.len() + results + RESULT
}

#[cfg(test)]
mod tests {
    use super::*;
    use asof_wire::{AnswerSource, Basis, SearchSummary};

    fn answer(query: &str) -> Kept {
        Kept::Items(SearchAnswer {
            query: query.to_owned(),
            basis: Basis::unknown(None, None),
            source: AnswerSource::Now,
            result_count: 0,
            truncated: false,
            total: 0,
            summary: SearchSummary::default(),
            results: Vec::new(),
            cached: false,
            model: None,
            notes: Vec::new(),
            ms: 0.0,
        })
    }

    #[test]
    fn what_was_not_used_for_longest_is_dropped() {
        let cache = AnswerCache::default();
        for n in 0..MAX_ANSWERS {
            cache.put(n.to_string(), answer("q"));
        }
        assert!(cache.get("0").is_some());
        cache.put("new".to_owned(), answer("q"));
        assert!(cache.get("0").is_some() && cache.get("new").is_some());
        assert!(cache.get("1").is_none() && cache.get("2").is_some());
        cache.put("k".repeat(MAX_BYTES / 5), answer("long"));
        cache.put("l".repeat(MAX_BYTES / 2), answer("too long"));
        assert!(cache.get(&"k".repeat(MAX_BYTES / 5)).is_some());
        assert!(cache.get(&"l".repeat(MAX_BYTES / 2)).is_none());
        for n in 0..5 {
            cache.put(n.to_string().repeat(MAX_BYTES / 5), answer("long"));
        }
        assert!(cache.0.lock().unwrap().bytes <= MAX_BYTES);
        assert!(cache.get(&"k".repeat(MAX_BYTES / 5)).is_none());
    }
}
