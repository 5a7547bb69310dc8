//! Ranks candidates as items and files, by the programs of `queries/search/`.

use std::collections::BTreeMap;

use super::corpus::Loaded;
use super::found::Found;
use super::link_candidates::{Link, links};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_query::Queries;
use asof_search::{
    Candidate, Candidates, FileScore, Flags, Question, Shape, is_aside_path, reciprocal_rank_fusion,
};
use asof_store::{Params, Rows, Value};

/// Items of a file that are shown with it.
const SHOWN: usize = 3;

/// A file that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RankedFile {
    pub path: String,
    pub score: f64,
    pub items: Vec<String>,
    pub features: Option<serde_json::Value>,
    pub why: Vec<String>,
}

/// How items are ranked.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// Whether meaning is that of words, not that of a model.
    pub by_words: bool,
    /// Whether features are wanted.
    pub explain: bool,
}

/// Items, the best first.
pub(super) fn items(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    question: &Question,
    candidates: &Candidates,
    loaded: &Loaded,
    how: How,
) -> Result<Vec<Found>, EngineError> {
    let fused = fused(candidates);
    let links = match question.shape {
        Shape::Words => links(snapshot, queries, loaded, &candidates.items)?,
        Shape::Symbol => Vec::new(),
    };
    let mut rows = Vec::new();
    for (number, one) in candidates.items.iter().enumerate() {
        let Some((_, item)) = loaded.corpus.item(one.file, one.item) else { continue };
        rows.push(Value::List(vec![
            Value::Int(number as i64),
            item.kind.into(),
            one.is_aside.into(),
            item.flags.has(Flags::TRAIT_IMPL).into(),
            item.flags.has(Flags::PUBLIC).into(),
            item.flags.has(Flags::IN_BODY).into(),
            one.lexical.into(),
            one.name.into(),
            one.name_fit.into(),
            one.place.into(),
            one.symbol.into(),
            one.file_score.into(),
            one.file_meaning.into(),
            one.meaning.into(),
            fused.get(&number).copied().unwrap_or_default().into(),
            links.get(number).map_or(0.0, |link| link.used).into(),
            links.get(number).map_or(0.0, |link| link.uses).into(),
        ]));
    }
    let has_meaning = candidates.items.iter().any(|one| one.meaning > 0.0);
    let params = Params::new()
        .with("candidates", Value::List(rows))
        .with("has_meaning", has_meaning)
        .with("by_words", how.by_words)
        .with("explain", how.explain)
        .with("of_tests", question.is_of_tests());
    let rows = ranked(snapshot, "search/rank", params, question)?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows.iter() {
        let number: usize = row.get("number")?;
        let Some(one) = candidates.items.get(number) else { continue };
        found.push(Found {
            file: one.file,
            item: one.item,
            score: row.get("score")?,
            features: row.get("features")?,
            why: why_item(one, links.get(number)),
            matches: Vec::new(),
            rank_value: None,
        });
    }
    Ok(found)
}

/// The rankings by words and by vectors, fused: shares of the highest possible, by the number of
/// the candidate.
fn fused(candidates: &Candidates) -> BTreeMap<usize, f64> {
    let ranking = |score: &dyn Fn(&Candidate) -> f64| {
        let mut scored: Vec<(usize, f64)> =
            candidates.items.iter().map(score).enumerate().collect();
        scored.retain(|(_, score)| *score > 0.0);
        // Stable: equals stay in the order of candidates.
        scored.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        scored.into_iter().map(|(number, _)| number).collect::<Vec<_>>()
    };
    let rankings = [ranking(&|one| one.lexical + one.symbol), ranking(&|one| one.meaning)];
    reciprocal_rank_fusion(&rankings).into_iter().collect()
}

/// How much an item repeats another, from 0 to 1.
pub(super) fn likeness(a: &Found, b: &Found, loaded: &Loaded) -> f64 {
    let item = |one: &Found| loaded.corpus.files().get(one.file)?.items.get(one.item);
    let (Some(one), Some(other)) = (item(a), item(b)) else { return 0.0 };
    match (one.name == other.name, a.file == b.file) {
        (true, true) => 1.0,
        (true, false) => 0.5,
        (false, true) => 0.3,
        (false, false) => 0.0,
    }
}

/// Files, the best first.
pub(super) fn files(
    snapshot: &Snapshot<'_>,
    question: &Question,
    candidates: &Candidates,
    found: &[Found],
    loaded: &Loaded,
    explain: bool,
) -> Result<Vec<RankedFile>, EngineError> {
    let mut best: BTreeMap<usize, Vec<&Found>> = BTreeMap::new();
    for one in found {
        best.entry(one.file).or_default().push(one);
    }
    let mut rows = Vec::new();
    for (number, file) in candidates.files.iter().enumerate() {
        let Some(terms) = loaded.corpus.files().get(file.file) else { continue };
        let items = best.get(&file.file).map(Vec::as_slice).unwrap_or_default();
        let score = |at: usize| items.get(at).map_or(0.0, |one| one.score);
        rows.push(Value::List(vec![
            Value::Int(number as i64),
            is_aside_path(&terms.path).into(),
            terms.only_collects().into(),
            file.lexical.into(),
            file.path.into(),
            file.stem_fit.into(),
            file.meaning.into(),
            file.nearest.into(),
            score(0).into(),
            score(1).into(),
            score(2).into(),
        ]));
    }
    let params = Params::new()
        .with("files", Value::List(rows))
        .with("explain", explain)
        .with("of_tests", question.is_of_tests());
    let rows = ranked(snapshot, "search/rank_files", params, question)?;
    let mut files = Vec::with_capacity(rows.len());
    for row in rows.iter() {
        let number: usize = row.get("number")?;
        let Some(file) = candidates.files.get(number) else { continue };
        let Some(terms) = loaded.corpus.files().get(file.file) else { continue };
        let items = best.get(&file.file).map(Vec::as_slice).unwrap_or_default();
        let names = items.iter().filter_map(|one| terms.items.get(one.item));
        files.push(RankedFile {
            path: terms.path.clone(),
            score: row.get("score")?,
            items: names.take(SHOWN).map(|item| item.name.clone()).collect(),
            features: row.get("features")?,
            why: why_file(file, items.first().map_or(0.0, |one| one.score)),
        });
    }
    Ok(files)
}

/// A reason says nothing beside one that says this much more.
const WEAK: f64 = 0.34;

/// The reasons that say most, the strongest first.
fn strongest(mut reasons: Vec<(&str, f64)>) -> Vec<String> {
    reasons.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let most = reasons.first().map_or(0.0, |(_, value)| *value);
    let says = |(_, value): &&(&str, f64)| *value > 0.0 && *value >= WEAK * most;
    reasons.iter().filter(says).map(|(reason, _)| (*reason).to_owned()).collect()
}

fn why_item(one: &Candidate, link: Option<&Link>) -> Vec<String> {
    let linked = link.and_then(|link| Some((link.why.as_deref()?, link.used.max(link.uses))));
    let mut reasons = vec![
        ("name", (2.0 * one.symbol).max(one.name * (1.0 + one.name_fit))),
        ("docs", one.docs),
        ("place", 0.5 * one.place),
        ("code", 0.4 * one.lexical),
        ("meaning", if one.is_near { 1.5 * one.meaning } else { 0.0 }),
    ];
    reasons.extend(linked.map(|(why, value)| (why, 0.5 * value)));
    strongest(reasons)
}

fn why_file(file: &FileScore, best: f64) -> Vec<String> {
    strongest(vec![
        ("name", file.path.max(file.stem_fit)),
        ("code", 0.6 * file.lexical),
        ("items", best),
        ("meaning", file.meaning.max(file.nearest)),
    ])
}

/// Runs a program that ranks.
pub(super) fn ranked(
    snapshot: &Snapshot<'_>,
    program: &str,
    params: Params,
    question: &Question,
) -> Result<Rows, EngineError> {
    let params = params.with("is_symbol", question.shape == Shape::Symbol);
    Ok(asof_query::run(snapshot.store(), program, params)?)
}
