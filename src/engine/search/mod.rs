//! Search: a question to ranked items or files. `crate::search` finds candidates and their features,
//! `queries/search/` ranks them.

mod across;
mod alike;
mod answer;
mod corpus;
mod dense;
mod documents;
mod embed;
mod filter;
mod found;
mod link_candidates;
mod mentions;
mod neighbours;
mod order;
mod rank;
mod sections;
mod text;

use std::time::Instant;

use super::cache::Weigh;
use super::database::Snapshot;
use super::error::EngineError;
use asof_model::Hint;
use asof_query::Queries;
use asof_search::{Candidates, Question, Weights, diverse};
use asof_wire::{
    FileHit, RankBy, Ranked, SearchAnswer, SearchBy, SearchFiles, SearchMode, SearchRequest,
    Summarized, Unsummarized,
};

pub use across::merge_projects;
use alike::Entries;
use corpus::Loaded;
use dense::Meaning;
pub use embed::EmbedOptions;
use found::{Found, bad_query};
pub(super) use neighbours::{Step, neighbours};

/// Items whose features are looked at; the rest cannot be among the first.
const POOL: usize = 150;

/// How much a result loses that repeats one before it.
const REPETITION: f64 = 0.05;

/// Items beyond the limit that are looked at where some may turn out to be test code, or not of the
/// configuration.
const SPARE: usize = 20;

impl Snapshot<'_> {
    /// Items that answer a question, the best first.
    ///
    /// # Errors
    /// A query that is empty, too long or without a word; a pattern or filter that is not valid; a
    /// failure of the database; a search by meaning alone if the model of the vectors is missing.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
        self.kept_search(request, true)
    }

    /// The same, with an entry for each item.
    pub(super) fn each_result(&self, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
        self.kept_search(request, false)
    }

    fn kept_search(
        &self,
        request: &SearchRequest,
        merge: bool,
    ) -> Result<SearchAnswer, EngineError> {
        let of = if merge { "entries" } else { "items" };
        self.search_cached(request, of, || self.search_items(request, merge))
    }

    /// An answer from the cache, or a new one.
    fn search_cached<T, C>(
        &self,
        request: &SearchRequest,
        of: &'static str,
        search: impl FnOnce() -> Result<Ranked<T, C>, EngineError>,
    ) -> Result<Ranked<T, C>, EngineError>
    where
        T: Weigh + Clone + Send + 'static,
        C: Clone + Send + 'static,
    {
        let started = Instant::now();
        let key = self.cache_key(request, of)?;
        let kept = key.as_ref().and_then(|key| self.database.answers.get::<Ranked<T, C>>(key));
        let mut answer = match kept {
            Some(kept) => Ranked { cached: true, ..kept },
            None => {
                let answer = search()?;
                if let Some(key) = key {
                    self.database.answers.put(key, &answer);
                }
                answer
            }
        };
        answer.basis = self.basis.clone();
        answer.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(answer)
    }

    /// An answer of all that match, made with nothing to note.
    fn ranked<T, C>(&self, request: &SearchRequest, results: Vec<T>, common: C) -> Ranked<T, C> {
        Ranked {
            query: request.query.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            result_count: results.len(),
            truncated: false,
            total: results.len(),
            common,
            results,
            cached: false,
            model: None,
            notes: Vec::new(),
            ms: 0.0,
        }
    }

    /// Files that answer a question, the best first.
    ///
    /// # Errors
    /// See [`Snapshot::search`]; filters of quality, other orders and patterns, which are for items.
    pub fn search_files(&self, request: &SearchRequest) -> Result<SearchFiles, EngineError> {
        self.search_cached(request, "files", || self.rank_files(request))
    }

    /// All that an answer depends on. None for orders by history: an import adds to the past of
    /// the same revision.
    fn cache_key(
        &self,
        request: &SearchRequest,
        of: &'static str,
    ) -> Result<Option<String>, EngineError> {
        if matches!(request.rank_by, RankBy::Churn | RankBy::Recency) {
            return Ok(None);
        }
        let (at, origin, configuration) = (self.at, self.origin, &self.request);
        let dense = self.dense_key()?;
        Ok(Some(format!("{of} {at:?} {origin:?} {configuration} {dense} {request:?}")))
    }

    fn search_items(
        &self,
        request: &SearchRequest,
        merge: bool,
    ) -> Result<SearchAnswer, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let loaded = self.loaded()?;
        let Pool { found, mut total, notes, model } = self.find(&queries, request, &loaded)?;
        let limit = request.limit.unwrap_or(usize::MAX);
        let mut truncated = found.len() < total;
        let spare = request.exclude_tests || self.has_configuration();
        let wanted = limit.saturating_add(if spare { SPARE } else { 1 });
        let chosen: Vec<Found> = if filter::is_late(request) {
            let kept = order::apply(self, &queries, request, &loaded, found)?;
            total = kept.len();
            kept
        } else {
            spread(found, wanted, &loaded)
        };
        // Entries may stand for several results; then there is room for more.
        let mut entries = if merge { Entries::merged() } else { Entries::each() };
        let mut rest = chosen.as_slice();
        while entries.hits.len() <= limit && !rest.is_empty() {
            let (next, after) = rest.split_at(wanted.min(rest.len()));
            self.hits(&queries, request, &loaded, next, &mut entries)?;
            rest = after;
        }
        truncated |= entries.hits.len() > limit || !rest.is_empty();
        let results = self.finished(&queries, request, entries, limit)?;
        let total = total.max(results.len());
        let common = Summarized { summary: answer::summary(&results) };
        let answer = self.ranked(request, results, common);
        Ok(SearchAnswer { truncated, total, model, notes, ..answer })
    }

    fn rank_files(&self, request: &SearchRequest) -> Result<SearchFiles, EngineError> {
        if request.mode != SearchMode::Relevance
            || request.rank_by != RankBy::Relevance
            || filter::is_late(request)
        {
            return Err(EngineError::BadRequest {
                what: "files are ranked by relevance alone".to_owned(),
                hint: Hint::advice("leave out patterns, filters of quality and other orders"),
            });
        }
        let queries = Queries::at(self.store(), self.at);
        let loaded = self.loaded()?;
        let (question, candidates, meaning) = self.candidates(&queries, request, &loaded)?;
        let ranked =
            rank::items(self, &queries, &question, &candidates, &loaded, meaning.how(false))?;
        let files = rank::files(self, &question, &candidates, &ranked, &loaded, request.explain)?;
        let total = files.len();
        let limit = request.limit.unwrap_or(usize::MAX);
        let result = |file: rank::RankedFile| FileHit {
            file_path: file.path,
            relevance_score: answer::rounded(file.score),
            items: file.items,
            why: file.why,
            features: file.features,
        };
        let results: Vec<FileHit> = files.into_iter().take(limit).map(result).collect();
        let truncated = total > results.len();
        let Meaning { notes, model, .. } = meaning;
        let answer = self.ranked(request, results, Unsummarized {});
        Ok(SearchFiles { truncated, total, model, notes, ..answer })
    }

    /// Items in their order, how many match at all, and what limits the answer.
    fn find(
        &self,
        queries: &Queries<'_>,
        request: &SearchRequest,
        loaded: &Loaded,
    ) -> Result<Pool, EngineError> {
        if request.mode != SearchMode::Relevance {
            let (found, total, notes) = text::find(self, queries, request, loaded)?;
            return Ok(Pool { found, total, notes, model: None });
        }
        let (question, candidates, meaning) = self.candidates(queries, request, loaded)?;
        let found = rank::items(
            self,
            queries,
            &question,
            &candidates,
            loaded,
            meaning.how(request.explain),
        )?;
        let Meaning { notes, model, .. } = meaning;
        Ok(Pool { found, total: candidates.matched, notes, model })
    }

    fn candidates(
        &self,
        queries: &Queries<'_>,
        request: &SearchRequest,
        loaded: &Loaded,
    ) -> Result<(Question, Candidates, Meaning), EngineError> {
        let mut question = Question::parse(&request.query).map_err(bad_query)?;
        if request.half_typed && !request.query.ends_with(char::is_whitespace) {
            question.complete(&loaded.corpus);
        }
        let scope = filter::scope(queries, request, loaded)?;
        let meaning = self.meaning(queries, request, &question, loaded)?;
        let pool = request.limit.map_or(POOL, |limit| limit.saturating_mul(2).max(POOL));
        let weights = Weights::default();
        let cosines = meaning.cosines.as_deref();
        let mut found = loaded.corpus.candidates(&question, cosines, &scope, &weights, pool);
        if request.by == SearchBy::Meaning {
            found.by_meaning_alone();
        }
        Ok((question, found, meaning))
    }
}

/// What was found, before filters that look at each item.
#[derive(Default)]
struct Pool {
    /// Items in their order.
    found: Vec<Found>,
    /// How many match at all.
    total: usize,
    notes: Vec<String>,
    model: Option<String>,
}

/// The first results of a ranking, those that repeat others a little later.
fn spread(mut found: Vec<Found>, limit: usize, loaded: &Loaded) -> Vec<Found> {
    let pool = found.len().min(limit.saturating_mul(2));
    let rest = found.split_off(pool);
    let scores: Vec<f64> = found.iter().map(|one| one.score).collect();
    let alike = |a: usize, b: usize| match (found.get(a), found.get(b)) {
        (Some(a), Some(b)) => rank::likeness(a, b, loaded),
        _ => 0.0,
    };
    let order = diverse(&scores, pool, REPETITION, alike);
    let first = order.into_iter().filter_map(|at| found.get(at).cloned());
    first.chain(rest).collect()
}
