//! Neighbours of items in the graph of references, one step along certain ones.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::EngineError;
use asof_model::{NodeId, RefKind};
use asof_query::Queries;

/// More users say that it is a helper, not that they do the same.
const MAX_USERS: usize = 40;

/// Uses that are less sure are not followed.
const SURE: f64 = 0.5;

/// How an item is linked to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The other calls it.
    CalledBy,
    /// It is a type or trait that the other names.
    TypeIn,
    /// It uses the other, in any way.
    Uses,
}

/// What items use and what uses them: the item, its neighbour, and how that is linked to it.
pub(crate) fn neighbours(
    queries: &Queries<'_>,
    ids: &[NodeId],
) -> Result<Vec<(NodeId, NodeId, Step)>, EngineError> {
    let mut found = Vec::new();
    for row in queries.uses_of(ids)? {
        for one in row.refs.iter().filter(|one| one.confidence >= SURE) {
            let link = match one.kind {
                RefKind::Call | RefKind::MethodCall | RefKind::Macro => Step::CalledBy,
                RefKind::Type | RefKind::Bound => Step::TypeIn,
                _ => continue,
            };
            found.push((row.source, one.target, link));
        }
    }
    let mut users: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
    for row in queries.users_of(ids)? {
        users.entry(row.target).or_default().insert(row.source);
    }
    for (target, sources) in users.into_iter().filter(|(_, sources)| sources.len() <= MAX_USERS) {
        found.extend(sources.into_iter().map(|source| (target, source, Step::Uses)));
    }
    Ok(found)
}
