//! Candidates to ranked items and files, by the programs of `queries/search/`.

use std::collections::BTreeMap;

use super::corpus::Loaded;
use super::found::Found;
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::query;
use crate::search::{
    Candidate, Candidates, Flags, Question, Shape, is_aside_path, reciprocal_rank_fusion,
};
use crate::store::{Params, Rows, Value};

/// Items of a file that are shown with it.
const SHOWN: usize = 3;

/// A file that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RankedFile {
    pub path: String,
    pub score: f64,
    pub items: Vec<String>,
    pub features: serde_json::Value,
}

/// Items, the best first.
pub(super) fn items(
    snapshot: &Snapshot<'_>,
    question: &Question,
    candidates: &Candidates,
    loaded: &Loaded,
) -> Result<Vec<Found>, EngineError> {
    let fused = fused(candidates);
    let mut rows = Vec::new();
    for (number, one) in candidates.items.iter().enumerate() {
        let Some((_, item)) = loaded.corpus.item(one) else { continue };
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
            one.dense.into(),
            fused.get(&number).copied().unwrap_or_default().into(),
        ]));
    }
    let has_dense = candidates.items.iter().any(|one| one.dense > 0.0);
    let params = Params::new().with("candidates", Value::List(rows)).with("has_dense", has_dense);
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
    let rankings = [ranking(&|one| one.lexical + one.symbol), ranking(&|one| one.dense)];
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
            score(0).into(),
            score(1).into(),
            score(2).into(),
        ]));
    }
    let params = Params::new().with("files", Value::List(rows));
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
        });
    }
    Ok(files)
}

/// Runs a program that ranks.
pub(super) fn ranked(
    snapshot: &Snapshot<'_>,
    program: &str,
    params: Params,
    question: &Question,
) -> Result<Rows, EngineError> {
    let params = params.with("is_symbol", question.shape == Shape::Symbol);
    Ok(query::run(snapshot.store(), program, params)?)
}
