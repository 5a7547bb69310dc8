//! Items that a task needs beside those that answer it: what they call and what calls them, the
//! types in their signatures, their tests, and what commits changed whose messages resemble the
//! task.

use std::collections::BTreeMap;

use super::Because;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::search::{Step, neighbours};
use asof_model::NodeId;
use asof_query::Queries;
use asof_search::similar_texts;
use asof_store::Value;

/// Answers whose neighbours are looked at.
const SEEDS: usize = 12;

/// Commits that resemble the task.
const COMMITS: usize = 5;

/// More items in a commit say that it is not about one thing.
const MAX_CHANGED: usize = 40;

/// Least share of the task's words, by rarity, that a message has.
const RESEMBLES: f64 = 0.3;

/// Share of the score of an answer that goes to its neighbours.
const LINKED: f64 = 0.3;

/// What a commit says that resembles the task in every word, beside the best answer.
const CHANGED: f64 = 0.8;

/// Characters of a commit's message that a reason names.
const MESSAGE: usize = 60;

/// An answer with its score and name.
pub(super) struct Seed {
    pub id: NodeId,
    pub score: f64,
    pub name: String,
}

/// Items beside the answers, with the best reason for each.
pub(super) fn related(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    task: &str,
    seeds: &[Seed],
) -> Result<BTreeMap<NodeId, Because>, EngineError> {
    let mut found = BTreeMap::new();
    let seeds: BTreeMap<NodeId, &Seed> =
        seeds.iter().take(SEEDS).map(|seed| (seed.id, seed)).collect();
    let ids: Vec<NodeId> = seeds.keys().copied().collect();
    for (seed, other, step) in neighbours(queries, &ids)? {
        let Some(seed) = seeds.get(&seed) else { continue };
        let why = match step {
            Step::CalledBy => "called by",
            Step::TypeIn => "type in",
            Step::Uses => "uses",
        };
        let known: &mut Because = found.entry(other).or_default();
        let score = LINKED * seed.score;
        if score > known.score {
            *known = Because { score, why: format!("{why} {}", seed.name), is_example: false };
        }
    }
    for (share, message, id) in resembling(snapshot, task)? {
        let why = format!("changed in: {message}");
        let known = found.entry(id).or_default();
        let score = known.score.max(CHANGED * share);
        *known = Because { score, why, is_example: true };
    }
    Ok(found)
}

/// Items that commits changed whose messages resemble a task, with how much they do.
fn resembling(
    snapshot: &Snapshot<'_>,
    task: &str,
) -> Result<Vec<(f64, String, NodeId)>, EngineError> {
    let rows = asof_query::run(snapshot.store(), "context/messages", snapshot.params())?;
    let mut commits: Vec<(i64, String)> = Vec::new();
    for row in rows.iter() {
        let message: String = row.get("message")?;
        let subject = message.lines().next().unwrap_or_default();
        commits.push((row.get("since")?, subject.chars().take(MESSAGE).collect()));
    }
    let texts: Vec<&str> = commits.iter().map(|(_, subject)| subject.as_str()).collect();
    let mut near: BTreeMap<i64, (f64, &str)> = BTreeMap::new();
    for (at, share) in similar_texts(task, &texts).into_iter().take(COMMITS) {
        if let Some((since, subject)) = commits.get(at).filter(|_| share >= RESEMBLES) {
            near.insert(*since, (share, subject.as_str()));
        }
    }
    if near.is_empty() {
        return Ok(Vec::new());
    }
    let revisions = near.keys().map(|since| Value::Int(*since)).collect();
    let params = snapshot.params().with("revisions", Value::List(revisions));
    let rows = asof_query::run(snapshot.store(), "context/touched", params)?;
    let mut by_commit: BTreeMap<i64, Vec<NodeId>> = BTreeMap::new();
    for row in rows.iter() {
        by_commit.entry(row.get("since")?).or_default().push(row.get("id")?);
    }
    let mut found = Vec::new();
    for (since, ids) in by_commit.into_iter().filter(|(_, ids)| ids.len() <= MAX_CHANGED) {
        let Some((share, subject)) = near.get(&since) else { continue };
        found.extend(ids.into_iter().map(|id| (*share, (*subject).to_owned(), id)));
    }
    Ok(found)
}
