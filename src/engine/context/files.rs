//! Ranks the files that an intent is about.

use std::collections::BTreeMap;
use std::time::Instant;

use super::snippet::Lines;
use super::{DAY, bad_intent};
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::NodeKind;
use asof_query::{FileChanges, Queries};
use asof_search::{Intent, MatchedTag, TOKENIZER};
use asof_store::{Params, Value};
use asof_wire::{
    ContextAggregate, ContextAnswer, ContextFile, ContextItem, ContextMetadata, ContextRanking,
    ContextRequest, ContextScore, Hit, SearchRequest, TokenCount, When,
};

/// Files whose features are looked at.
const POOL: usize = 60;

/// Items that are looked at to name those of the files.
const ITEMS: usize = 100;

/// Items that a file names.
const ITEMS_OF_FILE: usize = 5;

/// More files than anyone reads.
const MAX_LIMIT: usize = 1_000;

/// More lines than a snippet has.
const MAX_LINES: u32 = 1_000;

/// What is known of a file before it is ranked.
struct Candidate {
    path: String,
    relevance: f64,
    coverage: f64,
    affinity: f64,
    tags: Vec<String>,
    changes: FileChanges,
}

/// A file with its rank.
struct Ranked {
    candidate: Candidate,
    confidence: f64,
    score: ContextScore,
}

impl Database {
    /// The files that an intent is about, at the moment that the request names.
    ///
    /// # Errors
    /// See [`Snapshot::context`]; a moment that the database does not have.
    pub fn context(
        &self,
        request: &ContextRequest,
        refresh: Refresh,
    ) -> Result<ContextAnswer, EngineError> {
        let when = request.at.as_deref().map_or(Ok(When::Now), When::parse)?;
        self.snapshot(&when, refresh)?.context(request)
    }
}

impl Snapshot<'_> {
    /// The files that an intent is about, the best first, each with the lines that say most. The
    /// same request to the same revision is answered from memory.
    ///
    /// # Errors
    /// An intent that is empty, too long or without a keyword; a threshold that is not between 0
    /// and 1; a failure of the database.
    pub fn context(&self, request: &ContextRequest) -> Result<ContextAnswer, EngineError> {
        let started = Instant::now();
        check(request)?;
        let intent = Intent::parse(&request.intent).map_err(bad_intent)?;
        let kept = if request.skip_cache {
            None
        } else {
            self.database.contexts.get(request, (self.at, &self.request))
        };
        let mut answer = match kept {
            Some(mut kept) => {
                kept.aggregate.cached = true;
                kept
            }
            None => {
                let answer = self.find_context(request, &intent)?;
                let basis = (self.at, &self.request);
                self.database.contexts.keep(request, basis, answer.clone());
                answer
            }
        };
        answer.basis = self.basis.clone();
        answer.source = self.origin;
        answer.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(answer)
    }

    fn find_context(
        &self,
        request: &ContextRequest,
        intent: &Intent,
    ) -> Result<ContextAnswer, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let loaded = self.loaded()?;
        let tags = loaded.corpus.matched_tags(intent);
        let search = SearchRequest {
            query: intent.question.clone(),
            limit: Some(POOL.max(request.limit.saturating_mul(4))),
            ..SearchRequest::default()
        };
        let found = self.search_files(&search)?;
        let weights = loaded.corpus.keyword_weights(intent);
        let coverage = loaded.corpus.coverage(intent, &weights);
        let numbers: BTreeMap<&str, u32> =
            loaded.corpus.files().iter().map(|f| f.path.as_str()).zip(0u32..).collect();
        let start = Queries::unknown_until(self.store())?.map_or(0, |at| at.0);
        let mut relevance: BTreeMap<&str, f64> = found
            .results
            .iter()
            .map(|file| (file.file_path.as_str(), file.relevance_score))
            .collect();
        // Dependencies and attributes are no words of a search.
        let exact = tags.iter().filter(|tag| tag.exact);
        for number in exact.flat_map(|tag| tag.files.iter().take(POOL)) {
            if let Some(file) = loaded.corpus.files().get(*number as usize) {
                relevance.entry(file.path.as_str()).or_insert(0.0);
            }
        }
        let paths: Vec<&str> = relevance.keys().copied().collect();
        let mut changes: BTreeMap<String, FileChanges> = queries
            .file_changes(&paths, start)?
            .into_iter()
            .map(|row| (row.path.clone(), row))
            .collect();
        let all: f64 = tags.iter().map(|tag| tag.weight).sum();
        let mut candidates = Vec::new();
        for (path, relevance) in relevance {
            let Some(number) = numbers.get(path) else { continue };
            let Some(changes) = changes.remove(path) else { continue };
            let has = |tag: &&MatchedTag| tag.files.binary_search(number).is_ok();
            let held: Vec<&MatchedTag> = tags.iter().filter(has).collect();
            let weight: f64 = held.iter().map(|tag| tag.weight).sum();
            candidates.push(Candidate {
                path: path.to_owned(),
                relevance,
                coverage: coverage.get(*number as usize).copied().unwrap_or_default(),
                affinity: if all > 0.0 { weight / all } else { 0.0 },
                tags: held.iter().map(|tag| tag.tag.clone()).collect(),
                changes,
            });
        }
        let history = candidates.iter().any(|one| one.changes.changes > 0);
        let mut ranked = self.rank_context(candidates, !tags.is_empty())?;
        ranked.retain(|one| one.confidence >= request.threshold);
        let total = ranked.len();
        ranked.truncate(request.limit);
        let (files, tokens, cut) =
            self.describe_files(&queries, request, intent, &weights, ranked)?;
        let mut notes = found.notes.clone();
        if !history {
            notes.push(
                "no change of these files is known: recency and frequency are 0 until files \
                 change or a history is imported"
                    .to_owned(),
            );
        }
        if cut > 0 {
            notes.push(format!("{cut} of the snippets did not fit in the budget"));
        }
        let sum: f64 = files.iter().map(|file| file.confidence).sum();
        Ok(ContextAnswer {
            intent: request.intent.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            keywords: intent.keywords.iter().map(|keyword| keyword.word.clone()).collect(),
            ranking: if tags.is_empty() {
                ContextRanking::TextAndRecency
            } else {
                ContextRanking::Tags
            },
            example: self.analogy(&queries, &request.intent)?.map(|analogy| analogy.example()),
            tags_matched: tags.into_iter().map(|tag| tag.tag).collect(),
            aggregate: ContextAggregate {
                total_matches: total,
                returned: files.len(),
                avg_confidence: if files.is_empty() {
                    0.0
                } else {
                    rounded(sum / files.len() as f64)
                },
                cached: false,
            },
            tokens: request.token_budget.map(|budget| TokenCount {
                budget,
                used: tokens,
                tokenizer: TOKENIZER.to_owned(),
            }),
            files,
            notes,
            ms: 0.0,
        })
    }

    /// Files in the order of `queries/context/rank.cozo`.
    fn rank_context(
        &self,
        candidates: Vec<Candidate>,
        has_tags: bool,
    ) -> Result<Vec<Ranked>, EngineError> {
        let row = |(number, one): (usize, &Candidate)| {
            let days = (self.at.0.saturating_sub(one.changes.last.0)).max(0) as f64 / DAY;
            Value::List(vec![
                Value::Int(number as i64),
                one.relevance.into(),
                one.coverage.into(),
                one.affinity.into(),
                if one.changes.changes > 0 { days.into() } else { Value::Null },
                Value::Int(i64::from(one.changes.changes)),
            ])
        };
        let rows = candidates.iter().enumerate().map(row).collect();
        let params = Params::new().with("files", Value::List(rows)).with("has_tags", has_tags);
        let rows = asof_query::run(self.store(), "context/rank", params)?;
        let mut candidates: BTreeMap<usize, Candidate> =
            candidates.into_iter().enumerate().collect();
        let mut ranked = Vec::new();
        for row in rows.iter() {
            let number: usize = row.get("number")?;
            let Some(candidate) = candidates.remove(&number) else { continue };
            let share = |name: &str| -> Result<f64, EngineError> {
                Ok(rounded(row.get::<f64>(name)?.clamp(0.0, 1.0)))
            };
            ranked.push(Ranked {
                confidence: share("confidence")?,
                score: ContextScore {
                    composite: share("composite")?,
                    relevance: candidate.relevance,
                    coverage: rounded(candidate.coverage),
                    recency: share("recency")?,
                    frequency: share("frequency")?,
                    tag_affinity: rounded(candidate.affinity),
                },
                candidate,
            });
        }
        Ok(ranked)
    }

    /// The files with items and snippets, the tokens of the snippets if there is a budget, and how
    /// many snippets did not fit.
    fn describe_files(
        &self,
        queries: &Queries<'_>,
        request: &ContextRequest,
        intent: &Intent,
        weights: &[f64],
        ranked: Vec<Ranked>,
    ) -> Result<(Vec<ContextFile>, usize, usize), EngineError> {
        let mut items =
            if ranked.is_empty() { BTreeMap::new() } else { self.items_by_file(intent)? };
        let (mut used, mut cut) = (0, 0);
        let mut files = Vec::with_capacity(ranked.len());
        for Ranked { candidate, confidence, score } in ranked {
            let items = items.remove(&candidate.path).unwrap_or_default();
            let mut snippet = None;
            if request.snippet_lines > 0 {
                let bytes = self.file_bytes(queries, &candidate.path)?;
                let text = String::from_utf8_lossy(&bytes);
                let lines = Lines::read(&text, intent, weights, &items);
                let wanted = request.snippet_lines as usize;
                snippet = match request.token_budget {
                    None => lines.best(wanted),
                    Some(budget) => {
                        let fitting = lines.within(wanted, budget.saturating_sub(used));
                        cut += usize::from(fitting.is_none());
                        fitting.map(|(snippet, tokens)| {
                            used += tokens;
                            snippet
                        })
                    }
                };
            }
            files.push(ContextFile {
                confidence,
                score,
                tags: candidate.tags,
                snippet,
                items: items.into_iter().map(|(item, _)| item).collect(),
                metadata: ContextMetadata {
                    language: "rust".to_owned(),
                    last_modified: Some(candidate.changes.last.to_string()),
                    size: u64::from(candidate.changes.len),
                },
                path: candidate.path,
            });
        }
        Ok((files, used, cut))
    }

    /// The items that answer best, by file, with the lines of their names.
    fn items_by_file(
        &self,
        intent: &Intent,
    ) -> Result<BTreeMap<String, Vec<(ContextItem, u32)>>, EngineError> {
        let request = SearchRequest {
            query: intent.question.clone(),
            limit: Some(ITEMS),
            ..SearchRequest::default()
        };
        let mut found: BTreeMap<String, Vec<(ContextItem, u32)>> = BTreeMap::new();
        let found_items = self.each_result(&request)?.results;
        // A module says no more than its file and its items.
        for hit in found_items.into_iter().filter(|hit| hit.kind != NodeKind::Module) {
            let line = hit.line;
            found.entry(hit.file_path.clone()).or_default().push((item(hit), line));
        }
        for list in found.values_mut() {
            // The best are taken, whether the configuration has them or not, and keep their order.
            let mut scores: Vec<f64> = list.iter().map(|(item, _)| item.relevance_score).collect();
            scores.sort_by(|a, b| b.total_cmp(a));
            let least = scores.get(ITEMS_OF_FILE - 1).copied().unwrap_or_default();
            list.retain(|(item, _)| item.relevance_score >= least);
            list.truncate(ITEMS_OF_FILE);
        }
        Ok(found)
    }
}

fn item(hit: Hit) -> ContextItem {
    ContextItem {
        id: hit.id,
        path: hit.canonical_path.unwrap_or(hit.function_name),
        kind: hit.kind,
        signature: hit.signature,
        start_line: hit.start_line,
        end_line: hit.end_line,
        relevance_score: hit.relevance_score,
        other_condition: hit.other_condition,
    }
}

fn check(request: &ContextRequest) -> Result<(), EngineError> {
    let refuse =
        |what: String, hint: &str| Err(EngineError::BadRequest { what, hint: Hint::advice(hint) });
    if !(0.0..=1.0).contains(&request.threshold) {
        return refuse(
            format!("the threshold must be between 0 and 1, got {}", request.threshold),
            "0 lists every file that matches; the default is 0.3",
        );
    }
    if request.limit == 0 || request.limit > MAX_LIMIT {
        return refuse(
            format!("the limit must be between 1 and {MAX_LIMIT}, got {}", request.limit),
            "the default is 5 files",
        );
    }
    if request.snippet_lines > MAX_LINES {
        return refuse(
            format!("a snippet has at most {MAX_LINES} lines, got {}", request.snippet_lines),
            "the default is 10 lines",
        );
    }
    Ok(())
}

/// A value in four digits: more say nothing.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
