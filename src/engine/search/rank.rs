//! Candidates to ranked items and files, by the programs of `queries/search/`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::database::Snapshot;
use super::super::error::EngineError;
use super::corpus::Loaded;
use crate::model::NodeId;
use crate::query::{self, Queries};
use crate::search::{Candidate, Candidates, Question, Shape};
use crate::store::{Params, Value};

/// An item with its score.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    pub id: NodeId,
    pub score: f64,
    pub features: serde_json::Value,
    pub candidate: Candidate,
}

/// A file with its score.
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
    queries: &Queries<'_>,
    question: &Question,
    found: &Candidates,
    loaded: &Loaded,
) -> Result<Vec<Ranked>, EngineError> {
    let paths: BTreeSet<&str> = found
        .items
        .iter()
        .filter_map(|candidate| loaded.corpus.item(candidate))
        .map(|(file, _)| file.path.as_str())
        .collect();
    let paths: Vec<&str> = paths.into_iter().collect();
    let ids = snapshot.ids(queries, &paths, loaded)?;
    let mut by_id: HashMap<NodeId, &Candidate> = HashMap::new();
    let mut rows = Vec::new();
    for candidate in &found.items {
        let Some((file, item)) = loaded.corpus.item(candidate) else { continue };
        let id = ids.get(&file.path).and_then(|ids| ids.get(item.item as usize));
        let Some(id) = id else { continue };
        if by_id.insert(*id, candidate).is_some() {
            continue;
        }
        rows.push(Value::List(vec![
            (*id).into(),
            candidate.lexical.into(),
            candidate.coverage.into(),
            candidate.name.into(),
            candidate.name_fit.into(),
            candidate.place.into(),
            candidate.symbol.into(),
            candidate.file_score.into(),
            i64::from(item.flags.0).into(),
        ]));
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let params = Params::new()
        .with("candidates", Value::List(rows))
        .with("symbol_query", question.shape == Shape::Symbol)
        .with("at", snapshot.at);
    let rows = query::run(snapshot.store(), "search/rank", params)?;
    let mut ranked = Vec::with_capacity(rows.len());
    for row in rows.iter() {
        let id: NodeId = row.get("id")?;
        if let Some(candidate) = by_id.get(&id) {
            ranked.push(Ranked {
                id,
                score: row.get("score")?,
                features: row.get("features")?,
                candidate: (*candidate).clone(),
            });
        }
    }
    Ok(ranked)
}

/// How much an item repeats another, from 0 to 1.
pub(super) fn likeness(a: &Ranked, b: &Ranked, loaded: &Loaded) -> f64 {
    let (Some((_, one)), Some((_, other))) =
        (loaded.corpus.item(&a.candidate), loaded.corpus.item(&b.candidate))
    else {
        return 0.0;
    };
    let same_file = a.candidate.file == b.candidate.file;
    match (one.name == other.name, same_file) {
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
    found: &Candidates,
    ranked: &[Ranked],
    loaded: &Loaded,
) -> Result<Vec<RankedFile>, EngineError> {
    let _ = (snapshot, question);
    let mut best: BTreeMap<usize, Vec<&Ranked>> = BTreeMap::new();
    for item in ranked {
        best.entry(item.candidate.file).or_default().push(item);
    }
    let mut files = Vec::new();
    for file in &found.files {
        let Some(terms) = loaded.corpus.files().get(file.file) else { continue };
        let items = best.get(&file.file).map(Vec::as_slice).unwrap_or_default();
        let top = items.first().map_or(0.0, |item| item.score);
        let score = file.lexical + top;
        let names = items.iter().take(3).filter_map(|item| loaded.corpus.item(&item.candidate));
        files.push(RankedFile {
            path: terms.path.clone(),
            score,
            items: names.map(|(_, item)| item.name.clone()).collect(),
            features: serde_json::json!({ "lexical": file.lexical, "top": top }),
        });
    }
    files.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    Ok(files)
}
