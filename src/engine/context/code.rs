//! Code for a hint, up to a number of tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::{DAY, bad_intent};
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::model::{Micros, NodeId, NodeKind};
use crate::query::{self, Queries};
use crate::search::{Intent, TOKENIZER, diverse, tokens_within};
use crate::store::Value;
use crate::wire::{
    CodeContext, CodeContextRequest, CodeForm, CodeItem, CodeLeftOut, Hint, Item, SearchRequest,
    TokenCount,
};

/// Items that are considered.
const POOL: usize = 80;

/// More tokens than a request may ask for.
const MAX_BUDGET: usize = 1_000_000;

/// How much an item loses that repeats one before it.
const REPETITION: f64 = 0.15;

/// Share of a tight budget that is for signatures: one in so many.
const SIGNATURES: usize = 3;

/// Paths of items that are named as left out.
const NEXT: usize = 5;

/// Days that count as recent.
const RECENT: f64 = 90.0;

/// An item that may be listed.
struct Candidate {
    item: Item,
    score: f64,
    /// Its condition, if the configuration does not have it.
    other: Option<String>,
}

/// A text with its tokens.
struct Counted {
    text: String,
    tokens: usize,
}

impl Snapshot<'_> {
    /// As much code as fits in a number of tokens, the best first: for a hint what answers it,
    /// without one what changed recently and what much of the workspace uses. If not all sources
    /// fit, signatures come before bodies.
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
        let (candidates, notes) = match &request.hint {
            Some(hint) => self.answers(&queries, request, hint)?,
            None => (self.central(&queries)?, Vec::new()),
        };
        let mut candidates = spread(candidates);
        if self.has_configuration() {
            candidates.sort_by_key(|one| one.other.is_some());
        }
        let sources = |item: &Item| self.item_source(&queries, item);
        let chosen = fit(&sources, &candidates, request.token_budget)?;
        let mut items = Vec::new();
        let mut left_out = CodeLeftOut::default();
        for (candidate, form) in candidates.iter().zip(chosen) {
            let item = &candidate.item;
            let (form, counted) = match form {
                Chosen::Source(counted) => (CodeForm::Source, counted),
                Chosen::Signature(counted) => {
                    left_out.bodies += 1;
                    (CodeForm::Signature, counted)
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
                other_condition: candidate.other.clone(),
            });
        }
        Ok(CodeContext {
            hint: request.hint.clone(),
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

    /// Items that answer a hint.
    fn answers(
        &self,
        queries: &Queries<'_>,
        request: &CodeContextRequest,
        hint: &str,
    ) -> Result<(Vec<Candidate>, Vec<String>), EngineError> {
        let intent = Intent::parse(hint).map_err(bad_intent)?;
        let search = SearchRequest {
            query: intent.question,
            limit: Some(POOL),
            exclude_tests: request.exclude_tests,
            ..SearchRequest::default()
        };
        let found = self.search(&search)?;
        let scores: Vec<(NodeId, f64)> = found
            .results
            .iter()
            .filter(|hit| is_listed(hit.kind))
            .map(|hit| (hit.id, hit.relevance_score))
            .collect();
        Ok((self.described(queries, &scores)?, found.notes))
    }

    /// Items that changed recently, and items that much of the workspace uses.
    fn central(&self, queries: &Queries<'_>) -> Result<Vec<Candidate>, EngineError> {
        let since = self.at.0.saturating_sub((RECENT * DAY) as i64);
        let recent = queries.recent_items(Micros(since))?;
        let row = |row: crate::query::RecentItem| {
            let days = self.at.0.saturating_sub(row.last.0) as f64 / DAY;
            Value::List(vec![row.id.into(), days.into()])
        };
        let recent: Vec<Value> = recent.into_iter().take(POOL).map(row).collect();
        let params = self
            .params()
            .with("recent", Value::List(recent))
            .with("limit", Value::Int(POOL as i64));
        let rows = query::run(self.store(), "context/central", params)?;
        let pair = |row: crate::store::Row<'_>| Ok((row.get("id")?, row.get("value")?));
        let scores: Vec<(NodeId, f64)> =
            rows.iter().map(pair).collect::<Result<_, EngineError>>()?;
        self.described(queries, &scores)
    }

    fn described(
        &self,
        queries: &Queries<'_>,
        scores: &[(NodeId, f64)],
    ) -> Result<Vec<Candidate>, EngineError> {
        let ids: Vec<NodeId> = scores.iter().map(|(id, _)| *id).collect();
        let mut items: BTreeMap<NodeId, Item> =
            queries.describe(&ids)?.into_iter().map(|d| (d.id, d.into())).collect();
        let others = self.other_items(&ids)?;
        let of = |((id, score), other): (&(NodeId, f64), Option<String>)| {
            let item = items.remove(id)?;
            Some(Candidate { item, score: (score * 1e4).round() / 1e4, other })
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

/// How much of an item is listed.
enum Chosen {
    Source(Counted),
    Signature(Counted),
    /// It is part of an item whose source is listed.
    Inside,
    Nothing,
}

/// Chooses how much of each candidate fits. If the sources of all fit, they are listed. Otherwise
/// signatures of the best come first, up to a share of the budget; then sources replace signatures,
/// the best first, up to the rest of it; what is left is for further signatures.
fn fit(
    read: &dyn Fn(&Item) -> Result<String, EngineError>,
    candidates: &[Candidate],
    budget: usize,
) -> Result<Vec<Chosen>, EngineError> {
    let mut left = budget;
    let mut chosen: Vec<Chosen> = candidates.iter().map(|_| Chosen::Nothing).collect();
    let mut sources = BTreeMap::new();
    let mut all = true;
    for (at, candidate) in candidates.iter().enumerate() {
        match source(candidate, &read(&candidate.item)?, budget) {
            Some(counted) => {
                sources.insert(at, counted);
            }
            None => all = false,
        }
    }
    let tight = !all || sources.values().map(|counted| counted.tokens).sum::<usize>() > budget;
    let sign = |chosen: &mut Vec<Chosen>, left: &mut usize, most: usize| {
        for (slot, candidate) in chosen.iter_mut().zip(candidates) {
            if !matches!(slot, Chosen::Nothing) {
                continue;
            }
            let room = left.saturating_sub(budget - most);
            let Some(counted) = signature(candidate, room) else { continue };
            *left -= counted.tokens;
            *slot = Chosen::Signature(counted);
        }
    };
    if tight {
        sign(&mut chosen, &mut left, budget / SIGNATURES);
    }
    let mut for_sources = if tight { budget - budget / SIGNATURES } else { budget };
    for (at, candidate) in candidates.iter().enumerate() {
        let Some(slot) = chosen.get_mut(at) else { continue };
        let spent = match slot {
            Chosen::Signature(counted) => counted.tokens,
            Chosen::Nothing => 0,
            Chosen::Inside | Chosen::Source(_) => continue,
        };
        let room = for_sources.min(left + spent);
        let fits = sources.get(&at).is_some_and(|counted| counted.tokens <= room);
        if fits && let Some(counted) = sources.remove(&at) {
            left = left + spent - counted.tokens;
            for_sources -= counted.tokens;
            *slot = Chosen::Source(counted);
            left += drop_inside(&mut chosen, candidates, &candidate.item);
        }
    }
    if tight {
        sign(&mut chosen, &mut left, budget);
    }
    Ok(chosen)
}

/// Drops what is part of an item whose source is listed; gives the tokens that this saves.
fn drop_inside(chosen: &mut [Chosen], candidates: &[Candidate], outer: &Item) -> usize {
    let mut saved = 0;
    for (slot, candidate) in chosen.iter_mut().zip(candidates) {
        let item = &candidate.item;
        let inside = item.id != outer.id
            && item.file_path == outer.file_path
            && item.span.start_byte >= outer.span.start_byte
            && item.span.end_byte <= outer.span.end_byte;
        if inside {
            saved += match slot {
                Chosen::Source(counted) | Chosen::Signature(counted) => counted.tokens,
                Chosen::Inside | Chosen::Nothing => 0,
            };
            *slot = Chosen::Inside;
        }
    }
    saved
}

fn name(item: &Item) -> &str {
    item.path.as_deref().unwrap_or(&item.name)
}

fn head(Candidate { item, other, .. }: &Candidate) -> String {
    let span = &item.span;
    let other = other.as_ref().map_or(String::new(), |condition| format!(" under {condition}"));
    let (first, last) = (span.start_line, span.end_line);
    format!("// {} {}:{first}-{last}{other}\n", name(item), item.file_path)
}

/// The whole source of an item, if it has at most so many tokens.
fn source(candidate: &Candidate, source: &str, most: usize) -> Option<Counted> {
    let source = source.trim_end();
    let mut text = head(candidate);
    // An item begins after the indentation of its first line; its last line has the same.
    if let Some((_, last)) = source.rsplit_once('\n') {
        text.push_str(last.get(..last.len() - last.trim_start().len()).unwrap_or_default());
    }
    text.push_str(source);
    text.push('\n');
    counted(text, most)
}

/// The signature of an item and the first line of its documentation.
fn signature(candidate: &Candidate, most: usize) -> Option<Counted> {
    let (item, mut text) = (&candidate.item, head(candidate));
    if let Some(line) = item.docs.lines().map(str::trim).find(|line| !line.is_empty()) {
        text.push_str(&format!("/// {line}\n"));
    }
    text.push_str(&item.signature);
    text.push('\n');
    counted(text, most)
}

fn counted(text: String, most: usize) -> Option<Counted> {
    let tokens = tokens_within(&text, most)?;
    Some(Counted { text, tokens })
}
