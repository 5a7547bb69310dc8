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

use super::cache::Kept;
use super::database::Snapshot;
use super::error::EngineError;
use asof_model::Hint;
use asof_query::Queries;
use asof_search::{Candidates, Question, Weights, diverse};
use asof_wire::{FileHit, RankBy, SearchAnswer, SearchBy, SearchFiles, SearchMode, SearchRequest};

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
        let started = Instant::now();
        let key = self.cache_key(request, if merge { "entries" } else { "items" })?;
        let kept = key.as_ref().and_then(|key| self.database.answers.get(key));
        let mut answer = match kept {
            Some(Kept::Items(kept)) => SearchAnswer { cached: true, ..kept },
            _ => {
                let answer = self.search_items(request, merge)?;
                if let Some(key) = key {
                    self.database.answers.put(key, Kept::Items(answer.clone()));
                }
                answer
            }
        };
        // The files may differ from the revision in another way than before.
        answer.basis = self.basis.clone();
        answer.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(answer)
    }

    /// Files that answer a question, the best first.
    ///
    /// # Errors
    /// See [`Snapshot::search`]; filters of quality, other orders and patterns, which are for items.
    pub fn search_files(&self, request: &SearchRequest) -> Result<SearchFiles, EngineError> {
        let started = Instant::now();
        let key = self.cache_key(request, "files")?;
        let kept = key.as_ref().and_then(|key| self.database.answers.get(key));
        let mut answer = match kept {
            Some(Kept::Files(kept)) => SearchFiles { cached: true, ..kept },
            _ => {
                let answer = self.rank_files(request)?;
                if let Some(key) = key {
                    self.database.answers.put(key, Kept::Files(answer.clone()));
                }
                answer
            }
        };
        answer.basis = self.basis.clone();
        answer.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(answer)
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
        Ok(SearchAnswer {
            query: request.query.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            result_count: results.len(),
            truncated,
            total: total.max(results.len()),
            summary: answer::summary(&results),
            results,
            cached: false,
            model,
            notes,
            ms: 0.0,
        })
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
        Ok(SearchFiles {
            query: request.query.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            result_count: results.len(),
            truncated: total > results.len(),
            total,
            results,
            cached: false,
            model: meaning.model,
            notes: meaning.notes,
            ms: 0.0,
        })
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
