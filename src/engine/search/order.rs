//! Filters and orders that need more than the text: quality, history, the call graph.

use std::collections::BTreeMap;

use super::corpus::Loaded;
use super::found::Found;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::quality::least_score;
use asof_model::NodeId;
use asof_query::Queries;
use asof_store::Value;
use asof_wire::{RankBy, SearchRequest};

/// The items that pass the filters of quality, in the order that was asked for.
pub(super) fn apply(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    request: &SearchRequest,
    loaded: &Loaded,
    found: Vec<Found>,
) -> Result<Vec<Found>, EngineError> {
    let least = request.min_grade.as_deref().map(least_score).transpose()?;
    let places = found.iter().map(|one| (one.file, one.item));
    let ids = snapshot.ids_of(queries, loaded, places)?;
    let known: Vec<NodeId> = ids.iter().flatten().copied().collect();
    let quality = snapshot.quality_of(&known)?;
    let values = values(snapshot, queries, request.rank_by, &known)?;
    let mut kept = Vec::new();
    for (mut one, id) in found.into_iter().zip(ids) {
        let Some(id) = id else { continue };
        let measured = quality.get(&id);
        let score = measured.and_then(|m| m.tdg_score);
        let complexity = measured.and_then(|m| m.complexity);
        // What has no figure cannot be said to pass.
        if least.is_some_and(|least| score.is_none_or(|score| score < least))
            || request.max_complexity.is_some_and(|most| complexity.is_none_or(|have| have > most))
        {
            continue;
        }
        one.rank_value = match request.rank_by {
            RankBy::Relevance => None,
            RankBy::Grade => score,
            RankBy::Complexity => complexity.map(f64::from),
            RankBy::Loc => measured.map(|m| f64::from(m.loc)),
            RankBy::Pagerank | RankBy::Churn | RankBy::Recency => values.get(&id).copied(),
        };
        kept.push(one);
    }
    if request.rank_by != RankBy::Relevance {
        // Stable: equals stay in the order of relevance; what has no value comes last.
        kept.sort_by(|a, b| {
            let value = |one: &Found| one.rank_value.unwrap_or(f64::NEG_INFINITY);
            value(b).total_cmp(&value(a))
        });
    }
    Ok(kept)
}

/// Values from history or the call graph.
fn values(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    rank_by: RankBy,
    ids: &[NodeId],
) -> Result<BTreeMap<NodeId, f64>, EngineError> {
    match rank_by {
        RankBy::Churn | RankBy::Recency => {
            let value = |row: &asof_query::Churn| match rank_by {
                RankBy::Churn => f64::from(row.versions),
                _ => row.last.0 as f64,
            };
            Ok(queries.churn(ids)?.iter().map(|row| (row.id, value(row))).collect())
        }
        RankBy::Pagerank => {
            let params = snapshot
                .params()
                .with("min_confidence", 0.5)
                .with("limit", Value::Int(i64::from(i32::MAX)));
            let rows = asof_query::run(snapshot.store(), "graph/pagerank", params)?;
            let pair = |row: asof_store::Row<'_>| Ok((row.get("id")?, row.get("score")?));
            rows.iter().map(pair).collect()
        }
        _ => Ok(BTreeMap::new()),
    }
}
