//! Code for a hint, up to a number of tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::analogy::Analogy;
use super::fill::{Chosen, Texts, fit, name};
use super::neighbours::{Seed, related};
use super::snippet::Lines;
use super::{Because, Candidate, DAY, bad_intent};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::{Micros, NodeId, NodeKind};
use asof_query::Queries;
use asof_search::{Intent, TOKENIZER, diverse};
use asof_store::Value;
use asof_wire::{
    CodeContext, CodeContextRequest, CodeForm, CodeItem, CodeLeftOut, ExampleRole, Item,
    SearchRequest, TokenCount,
};

/// Items that are considered.
const POOL: usize = 80;

/// Items that are considered with what is linked to them.
const MOST: usize = 140;

/// Share of a link's score that an item gets which answers, too.
const AGAIN: f64 = 0.5;

/// Most lines of an excerpt.
const EXCERPT_LINES: usize = 40;

/// More tokens than a request may ask for.
const MAX_BUDGET: usize = 1_000_000;

/// How much an item loses that repeats one before it.
const REPETITION: f64 = 0.1;

/// Paths of items that are named as left out.
const NEXT: usize = 5;

/// Days that count as recent.
const RECENT: f64 = 90.0;

impl Snapshot<'_> {
    /// As much code as fits in a number of tokens, the best first: for a hint what answers it,
    /// without one what changed recently and what much of the workspace uses. Whole items come
    /// first, then signatures, then names.
    ///
    /// # Errors
    /// A budget of 0 or far beyond any model's; a hint without a keyword; a failure of the
    /// database.
    pub fn code_context(&self, request: &CodeContextRequest) -> Result<CodeContext, EngineError> {
        let started = Instant::now();
        if request.token_budget == 0 || request.token_budget > MAX_BUDGET {
            let budget = request.token_budget;
            return Err(EngineError::BadRequest {
                what: format!("the token budget must be between 1 and {MAX_BUDGET}, got {budget}"),
                hint: Hint::advice("4000 tokens hold about 30 functions"),
            });
        }
        let queries = Queries::at(self.store(), self.at);
        let intent = request.hint.as_deref().map(Intent::parse).transpose().map_err(bad_intent)?;
        let (candidates, notes) = match request.hint.as_deref().zip(intent.as_ref()) {
            Some((hint, intent)) => self.answers(&queries, request, hint, intent)?,
            None => (self.central(&queries)?, Vec::new()),
        };
        let analogy = match &request.hint {
            Some(hint) => self.analogy(&queries, hint)?,
            None => None,
        };
        let first =
            analogy.iter().flat_map(|analogy| analogy.parts.iter().map(|(_, item)| item.id));
        let first: BTreeSet<NodeId> = first.collect();
        let rest = candidates.into_iter().filter(|one| !first.contains(&one.item.id)).collect();
        let mut candidates = match &analogy {
            Some(analogy) => self.shown_by(analogy, request)?,
            None => Vec::new(),
        };
        candidates.extend(spread(rest));
        if self.has_configuration() {
            candidates.sort_by_key(|one| one.other.is_some());
        }
        let texts = Texts {
            source: &|item: &Item| self.item_source(&queries, item),
            excerpt: &|source: &str, tokens: usize| {
                let intent = intent.as_ref()?;
                let weights = vec![1.0; intent.keywords.len()];
                let lines = Lines::read(source, intent, &weights, &[]);
                Some(lines.within(EXCERPT_LINES, tokens)?.0.content)
            },
        };
        let chosen = fit(&texts, &candidates, request.token_budget)?;
        let mut items = Vec::new();
        let mut left_out = CodeLeftOut::default();
        for (candidate, form) in candidates.iter().zip(chosen) {
            let item = &candidate.item;
            let (form, counted) = match form {
                Chosen::Listed(form, counted) => {
                    left_out.bodies += usize::from(form != CodeForm::Source);
                    (form, counted)
                }
                Chosen::Inside => continue,
                Chosen::Nothing => {
                    left_out.items += 1;
                    if left_out.next.len() < NEXT {
                        left_out.next.push(name(item).to_owned());
                    }
                    continue;
                }
            };
            items.push(CodeItem {
                id: item.id,
                path: name(item).to_owned(),
                kind: item.kind,
                file_path: item.file_path.clone(),
                start_line: item.span.start_line,
                end_line: item.span.end_line,
                form,
                text: counted.text,
                tokens: counted.tokens,
                relevance_score: candidate.score,
                why: candidate.why.clone(),
                other_condition: candidate.other.clone(),
            });
        }
        Ok(CodeContext {
            hint: request.hint.clone(),
            example: analogy.map(|analogy| analogy.example()),
            basis: self.basis.clone(),
            source: self.origin,
            tokens: TokenCount {
                budget: request.token_budget,
                used: items.iter().map(|item| item.tokens).sum(),
                tokenizer: TOKENIZER.to_owned(),
            },
            items,
            left_out,
            notes,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// The items of an example, as those that come first.
    fn shown_by(
        &self,
        analogy: &Analogy,
        request: &CodeContextRequest,
    ) -> Result<Vec<Candidate>, EngineError> {
        let is_wanted = |role: &ExampleRole| !(request.exclude_tests && *role == ExampleRole::Test);
        let parts = analogy.parts.iter().filter(|(role, _)| is_wanted(role));
        let parts: Vec<&(ExampleRole, Item)> = parts.collect();
        let ids: Vec<NodeId> = parts.iter().map(|(_, item)| item.id).collect();
        let others = self.other_items(&ids)?;
        let candidate = |((role, item), other): (&(ExampleRole, Item), Option<String>)| Candidate {
            item: item.clone(),
            score: 1.0,
            other,
            why: analogy.reason(*role),
        };
        Ok(parts.into_iter().zip(others).map(candidate).collect())
    }

    /// Items that answer a hint.
    fn answers(
        &self,
        queries: &Queries<'_>,
        request: &CodeContextRequest,
        hint: &str,
        intent: &Intent,
    ) -> Result<(Vec<Candidate>, Vec<String>), EngineError> {
        let search = SearchRequest {
            query: intent.question.clone(),
            limit: Some(POOL),
            exclude_tests: request.exclude_tests,
            ..SearchRequest::default()
        };
        let found = self.each_result(&search)?;
        let best = found.results.first().map_or(1.0, |hit| hit.relevance_score).max(0.01);
        let mut scores: BTreeMap<NodeId, Because> = BTreeMap::new();
        let mut seeds = Vec::new();
        for hit in found.results.iter().filter(|hit| is_listed(hit.kind)) {
            let score = hit.relevance_score / best;
            if !hit.in_test {
                seeds.push(Seed { id: hit.id, score, name: hit.function_name.clone() });
            }
            scores.insert(hit.id, Because { score, why: hit.why.join(", "), ..Because::default() });
        }
        for (id, because) in related(self, queries, hint, &seeds)? {
            let known = scores.entry(id).or_default();
            // What is linked to an answer and answers itself is worth more than either.
            known.score += because.score * if known.why.is_empty() { 1.0 } else { AGAIN };
            if known.why.is_empty() {
                known.why = because.why;
            } else if because.is_example {
                known.why = format!("{}, {}", known.why, because.why);
            }
        }
        let mut scores: Vec<(NodeId, Because)> = scores.into_iter().collect();
        scores.sort_by(|(a, x), (b, y)| y.score.total_cmp(&x.score).then(a.cmp(b)));
        let most = scores.first().map_or(1.0, |(_, one)| one.score).max(0.01) / best.min(1.0);
        scores.iter_mut().for_each(|(_, one)| one.score /= most);
        scores.truncate(MOST);
        let mut candidates = self.described(queries, &scores)?;
        candidates.retain(|one| is_listed(one.item.kind));
        Ok((candidates, found.notes))
    }

    /// Items that changed recently, and items that much of the workspace uses.
    fn central(&self, queries: &Queries<'_>) -> Result<Vec<Candidate>, EngineError> {
        let since = self.at.0.saturating_sub((RECENT * DAY) as i64);
        let recent = queries.recent_items(Micros(since))?;
        let row = |row: asof_query::RecentItem| {
            let days = self.at.0.saturating_sub(row.last.0) as f64 / DAY;
            Value::List(vec![row.id.into(), days.into()])
        };
        let recent: Vec<Value> = recent.into_iter().take(POOL).map(row).collect();
        let params = self
            .params()
            .with("recent", Value::List(recent))
            .with("limit", Value::Int(POOL as i64));
        let rows = asof_query::run(self.store(), "context/central", params)?;
        let pair = |row: asof_store::Row<'_>| {
            Ok((row.get("id")?, Because { score: row.get("value")?, ..Because::default() }))
        };
        let scores: Vec<(NodeId, Because)> =
            rows.iter().map(pair).collect::<Result<_, EngineError>>()?;
        self.described(queries, &scores)
    }

    fn described(
        &self,
        queries: &Queries<'_>,
        scores: &[(NodeId, Because)],
    ) -> Result<Vec<Candidate>, EngineError> {
        let ids: Vec<NodeId> = scores.iter().map(|(id, _)| *id).collect();
        let mut items: BTreeMap<NodeId, Item> =
            queries.describe(&ids)?.into_iter().map(|d| (d.id, d.into())).collect();
        let others = self.other_items(&ids)?;
        let of = |((id, because), other): (&(NodeId, Because), Option<String>)| {
            let item = items.remove(id)?;
            let score = (because.score * 1e4).round() / 1e4;
            Some(Candidate { item, score, other, why: because.why.clone() })
        };
        Ok(scores.iter().zip(others).filter_map(of).collect())
    }
}

/// Modules are as large as files, and fields and variants are part of their type.
fn is_listed(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Module | NodeKind::Field | NodeKind::Variant)
}

/// The candidates, those that repeat others a little later.
fn spread(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let scores: Vec<f64> = candidates.iter().map(|one| one.score).collect();
    let alike = |a: usize, b: usize| match (candidates.get(a), candidates.get(b)) {
        (Some(a), Some(b)) => likeness(&a.item, &b.item),
        _ => 0.0,
    };
    let order = diverse(&scores, candidates.len(), REPETITION, alike);
    let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| candidates.get_mut(at)?.take()).collect()
}

/// How much an item says that another says, too: the share of the words of their signatures that
/// they have in common, and more for the same name or file.
fn likeness(a: &Item, b: &Item) -> f64 {
    let words = |item: &Item| -> BTreeSet<String> {
        let text = item.signature.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        text.filter(|word| word.len() > 1).map(str::to_owned).collect()
    };
    let (one, other) = (words(a), words(b));
    let all = one.union(&other).count().max(1) as f64;
    let common = one.intersection(&other).count() as f64 / all;
    let same_name = if a.name == b.name { 0.3 } else { 0.0 };
    let same_file = if a.file_path == b.file_path { 0.2 } else { 0.0 };
    0.5 * common + same_name + same_file
}
