//! A cache of search answers, by their parameters. The key has every parameter and what the answer
//! was made of: the revision, and the vectors. So an answer that is found is the one that would be
//! computed.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use asof_wire::{DocsHit, FileHit, Hit, Ranked};

/// Answers that are kept.
const MAX_ANSWERS: usize = 256;

/// Bytes of text in all of them.
const MAX_BYTES: usize = 16 << 20;

/// The answers, the ones that were used last at the back.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache(Mutex<Answers>);

#[derive(Debug, Default)]
struct Answers {
    answers: VecDeque<Kept>,
    bytes: usize,
}

#[derive(Debug)]
struct Kept {
    key: String,
    bytes: usize,
    answer: Box<dyn Any + Send>,
}

impl AnswerCache {
    pub fn get<A: Any + Clone>(&self, key: &str) -> Option<A> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.answers.iter().position(|kept| kept.key == key)?;
        let entry = kept.answers.remove(at)?;
        let answer = entry.answer.downcast_ref().cloned();
        kept.answers.push_back(entry);
        answer
    }

    pub fn put<T, C>(&self, key: String, answer: &Ranked<T, C>)
    where
        T: Weigh + Clone + Send + 'static,
        C: Clone + Send + 'static,
    {
        let bytes = key.len() + answer.results.iter().map(Weigh::bytes).sum::<usize>() + RESULT;
        if bytes > MAX_BYTES / 4 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += bytes;
        kept.answers.push_back(Kept { key, bytes, answer: Box::new(answer.clone()) });
        while kept.answers.len() > MAX_ANSWERS || kept.bytes > MAX_BYTES {
            let Some(oldest) = kept.answers.pop_front() else { break };
            kept.bytes -= oldest.bytes;
        }
    }
}

/// Bytes of a result beside its texts.
const RESULT: usize = 512;

/// A result, roughly in bytes: its texts, and something for the rest.
pub(crate) trait Weigh {
    fn bytes(&self) -> usize;
}

impl Weigh for Hit {
    fn bytes(&self) -> usize {
        let matches: usize = self.matches.iter().map(|one| one.text.len() + 32).sum();
        let source = self.source.as_ref().map_or(0, String::len);
        let links = self.doc_backlinks.as_ref().map_or(0, Vec::len) * RESULT / 4;
        RESULT + self.doc_comment.len() + self.signature.len() + source + matches + links
    }
}

impl Weigh for FileHit {
    fn bytes(&self) -> usize {
        RESULT
    }
}

impl Weigh for DocsHit {
    fn bytes(&self) -> usize {
        match self {
            Self::Fn(hit) => hit.bytes(),
            Self::Doc(hit) => {
                let source = hit.source.as_ref().map_or(0, String::len);
                RESULT + hit.excerpt.len() + source + hit.mentions.len() * RESULT / 4
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asof_wire::{AnswerSource, Basis, SearchAnswer, SearchSummary, Summarized};

    fn answer(query: &str) -> SearchAnswer {
        SearchAnswer {
            query: query.to_owned(),
            basis: Basis::unknown(None, None),
            source: AnswerSource::Now,
            result_count: 0,
            truncated: false,
            total: 0,
            common: Summarized { summary: SearchSummary::default() },
            results: Vec::new(),
            cached: false,
            model: None,
            notes: Vec::new(),
            ms: 0.0,
        }
    }

    #[test]
    fn what_was_not_used_for_longest_is_dropped() {
        let cache = AnswerCache::default();
        for n in 0..MAX_ANSWERS {
            cache.put(n.to_string(), &answer("q"));
        }
        assert!(cache.get::<SearchAnswer>("0").is_some());
        cache.put("new".to_owned(), &answer("q"));
        assert!(
            cache.get::<SearchAnswer>("0").is_some() && cache.get::<SearchAnswer>("new").is_some()
        );
        assert!(
            cache.get::<SearchAnswer>("1").is_none() && cache.get::<SearchAnswer>("2").is_some()
        );
        cache.put("k".repeat(MAX_BYTES / 5), &answer("long"));
        cache.put("l".repeat(MAX_BYTES / 2), &answer("too long"));
        assert!(cache.get::<SearchAnswer>(&"k".repeat(MAX_BYTES / 5)).is_some());
        assert!(cache.get::<SearchAnswer>(&"l".repeat(MAX_BYTES / 2)).is_none());
        for n in 0..5 {
            cache.put(n.to_string().repeat(MAX_BYTES / 5), &answer("long"));
        }
        assert!(cache.0.lock().unwrap().bytes <= MAX_BYTES);
        assert!(cache.get::<SearchAnswer>(&"k".repeat(MAX_BYTES / 5)).is_none());
    }
}
