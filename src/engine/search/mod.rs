//! Search: a question to ranked items or files.

mod corpus;
mod filter;
mod rank;

use std::time::Instant;

use super::database::Snapshot;
use super::error::EngineError;
use crate::model::NodeId;
use crate::query::Queries;
use crate::search::{Question, SearchError, Weights, diverse};
use crate::wire::{FileHit, Hit, SearchAnswer, SearchFiles, SearchMode, SearchRequest, Summary};

pub(super) use corpus::CorpusCache;
use corpus::Loaded;
use rank::Ranked;

/// Items whose features are looked at; the rest cannot be among the first.
const POOL: usize = 150;

/// How much a result loses that repeats one before it.
const REPETITION: f64 = 0.05;

impl Snapshot<'_> {
    /// Items that answer a question, the best first.
    ///
    /// # Errors
    /// A query that is empty, too long or without a word; a filter that is not valid; a failure of
    /// the database.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
        let started = Instant::now();
        let question = Question::parse(&request.query).map_err(bad_query)?;
        let queries = Queries::at(self.store(), self.at);
        let loaded = self.loaded(&queries)?;
        let scope = filter::scope(&queries, request, &loaded)?;
        let found =
            loaded.corpus.candidates(&question, &scope, &Weights::default(), POOL);
        let ranked = rank::items(self, &queries, &question, &found, &loaded)?;
        let total = found.matched;
        let limit = request.limit.unwrap_or(usize::MAX);
        let chosen = first(&ranked, limit.saturating_add(1), &loaded);
        let truncated = chosen.len() > limit;
        let chosen: Vec<&Ranked> = chosen.into_iter().take(limit).collect();
        let results = self.hits(&queries, &chosen, request)?;
        Ok(SearchAnswer {
            query: request.query.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            result_count: results.len(),
            truncated,
            total,
            summary: summary(&results),
            results,
            cached: false,
            model: None,
            notes: notes(&loaded),
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// Files that answer a question, the best first.
    ///
    /// # Errors
    /// See [`Snapshot::search`].
    pub fn search_files(&self, request: &SearchRequest) -> Result<SearchFiles, EngineError> {
        let started = Instant::now();
        let question = Question::parse(&request.query).map_err(bad_query)?;
        let queries = Queries::at(self.store(), self.at);
        let loaded = self.loaded(&queries)?;
        let scope = filter::scope(&queries, request, &loaded)?;
        let found =
            loaded.corpus.candidates(&question, &scope, &Weights::default(), POOL);
        let ranked = rank::items(self, &queries, &question, &found, &loaded)?;
        let files = rank::files(self, &question, &found, &ranked, &loaded)?;
        let total = files.len();
        let limit = request.limit.unwrap_or(usize::MAX);
        let mut results = Vec::new();
        for file in files.into_iter().take(limit) {
            results.push(FileHit {
                file_path: file.path,
                relevance_score: file.score,
                items: file.items,
                features: request.explain.then_some(file.features),
            });
        }
        Ok(SearchFiles {
            query: request.query.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            result_count: results.len(),
            truncated: total > results.len(),
            total,
            results,
            cached: false,
            model: None,
            notes: notes(&loaded),
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    fn hits(
        &self,
        queries: &Queries<'_>,
        chosen: &[&Ranked],
        request: &SearchRequest,
    ) -> Result<Vec<Hit>, EngineError> {
        let ids: Vec<NodeId> = chosen.iter().map(|ranked| ranked.id).collect();
        let described = queries.describe(&ids)?;
        let mut hits = Vec::with_capacity(chosen.len());
        for ranked in chosen {
            let Some(d) = described.iter().find(|d| d.id == ranked.id) else { continue };
            let mut hit = Hit {
                id: d.id,
                file_path: d.file_path.clone(),
                function_name: d.name.clone(),
                canonical_path: d.canonical_path.clone(),
                kind: d.kind,
                signature: d.signature.clone(),
                doc_comment: d.docs.clone(),
                start_line: d.start_line,
                end_line: d.end_line,
                line: d.name_line,
                language: "rust",
                tdg_score: None,
                tdg_grade: None,
                complexity: None,
                cognitive: None,
                big_o: None,
                satd_count: None,
                loc: d.end_line.saturating_sub(d.start_line) + 1,
                relevance_score: ranked.score,
                in_test: d.in_test,
                rank_value: None,
                matches: Vec::new(),
                source: None,
                features: request.explain.then(|| ranked.features.clone()),
            };
            if request.include_source {
                let item = super::resolve::Item::from(d.clone());
                hit.source = Some(super::show::source(queries, &item)?);
            }
            hits.push(hit);
        }
        debug_assert!(request.mode == SearchMode::Relevance);
        Ok(hits)
    }
}

/// The first results of a ranking, those that repeat others later.
fn first<'r>(ranked: &'r [Ranked], limit: usize, loaded: &Loaded) -> Vec<&'r Ranked> {
    let pool = ranked.len().min(limit.saturating_mul(3).max(30));
    let pool = ranked.get(..pool).unwrap_or_default();
    let scores: Vec<f64> = pool.iter().map(|ranked| ranked.score).collect();
    let alike = |a: usize, b: usize| match (pool.get(a), pool.get(b)) {
        (Some(a), Some(b)) => rank::likeness(a, b, loaded),
        _ => 0.0,
    };
    let order = diverse(&scores, limit.min(pool.len()), REPETITION, alike);
    let mut chosen: Vec<&Ranked> = order.into_iter().filter_map(|at| pool.get(at)).collect();
    let room = limit.saturating_sub(chosen.len());
    chosen.extend(ranked.iter().skip(pool.len()).take(room));
    chosen
}

fn notes(loaded: &Loaded) -> Vec<String> {
    let mut notes = Vec::new();
    if loaded.past {
        notes.push("the past is searched by words alone".to_owned());
    }
    notes
}

fn summary(hits: &[Hit]) -> Summary {
    let mut summary = Summary { count: hits.len(), ..Summary::default() };
    for grade in hits.iter().filter_map(|hit| hit.tdg_grade.as_ref()) {
        *summary.grades.entry(grade.clone()).or_default() += 1;
    }
    let known: Vec<u32> = hits.iter().filter_map(|hit| hit.complexity).collect();
    if let (Some(min), Some(max)) = (known.iter().min(), known.iter().max()) {
        summary.complexity_range = Some([*min, *max]);
        let sum: u64 = known.iter().map(|n| u64::from(*n)).sum();
        summary.avg_complexity = Some(sum as f64 / known.len() as f64);
    }
    summary.total_satd = hits.iter().filter_map(|hit| hit.satd_count).sum();
    summary
}

fn bad_query(error: SearchError) -> EngineError {
    let hint = match &error {
        SearchError::Empty => "give words, a name or a path",
        SearchError::TooLong { .. } => "search for a few words of it",
        _ => "a word has a letter or digit; `--literal` finds any text",
    };
    EngineError::BadRequest { what: error.to_string(), hint: hint.to_owned() }
}
