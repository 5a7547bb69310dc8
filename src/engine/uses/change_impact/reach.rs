//! Everything that a change may affect, step by step: `queries/impact/affected.cozo` answers one step
//! for all items of a depth, so that the cost grows with what is affected.

use std::collections::BTreeSet;

use asof_model::{Micros, NodeId};
use asof_query::{AffectedRow, Queries, QueryError};

/// An item with the step by which it was reached first.
pub(super) struct Reached {
    pub id: NodeId,
    pub depth: u32,
    pub via: NodeId,
    pub how: String,
}

/// What changed items and those that only `from` has may affect, and the changed ones themselves; in
/// the order of depths.
pub(super) fn reached(
    queries: &Queries<'_>,
    seeds: &[NodeId],
    gone: &[NodeId],
    from: Micros,
) -> Result<Vec<Reached>, QueryError> {
    if seeds.is_empty() && gone.is_empty() {
        return Ok(Vec::new());
    }
    let mut seen: BTreeSet<NodeId> = seeds.iter().copied().collect();
    let seed = |id: &NodeId| Reached { id: *id, depth: 0, via: *id, how: "changed".to_owned() };
    let mut found: Vec<Reached> = seen.iter().map(seed).collect();
    let sees = queries.sees()?;
    let mut last: Vec<NodeId> = seen.iter().copied().collect();
    for depth in 1.. {
        let changed = depth == 1;
        let mut steps = if changed && !gone.is_empty() {
            queries.affected_by_gone(gone, from)?
        } else {
            Vec::new()
        };
        if !last.is_empty() {
            steps.extend(queries.affected(&last, changed, &sees)?);
        }
        last.clear();
        for AffectedRow { id, via, how, .. } in steps {
            if seen.insert(id) {
                last.push(id);
                found.push(Reached { id, depth, via, how });
            }
        }
        if last.is_empty() {
            break;
        }
    }
    Ok(found)
}
