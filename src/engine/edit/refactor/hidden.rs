//! Uses that may mean a member of the same name instead of one that they cannot see: a private method or
//! field does not hide those of traits, or of what a type dereferences to, from other modules.

use std::collections::BTreeMap;

use super::group::Group;
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::model::{NodeId, NodeKind, RefKind};
use crate::query::{Described, Queries, UseFilter, UseRow};

/// Uses of private members of a name from outside of their modules.
pub(super) fn uses(
    snapshot: &Snapshot<'_>,
    group: &Group,
    name: &str,
) -> Result<Vec<UseRow>, EngineError> {
    let is_member = |kind| matches!(kind, NodeKind::Method | NodeKind::Field);
    if !group.items.iter().any(|item| is_member(item.kind)) {
        return Ok(Vec::new());
    }
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let ids: Vec<NodeId> = queries.by_name(name)?.into_iter().map(|hit| hit.id).collect();
    let mut others = queries.describe(&ids)?;
    others.retain(|one| is_member(one.kind) && one.visibility.is_empty());
    // Only types have private members.
    let parents: Vec<NodeId> = others.iter().filter_map(|one| one.parent_id).collect();
    let parents = queries.describe(&parents)?;
    others.retain(|one| {
        let parent = parents.iter().find(|parent| Some(parent.id) == one.parent_id);
        let of_trait = one.canonical_path.as_deref().is_some_and(|path| path.contains(" as "));
        match parent.map(|parent| parent.kind) {
            Some(NodeKind::Impl) => !of_trait,
            Some(NodeKind::Struct | NodeKind::Union) => true,
            _ => false,
        }
    });
    let by_id: BTreeMap<NodeId, &Described> = others.iter().map(|one| (one.id, one)).collect();
    if by_id.is_empty() {
        return Ok(Vec::new());
    }
    let kinds = vec![RefKind::MethodCall, RefKind::Call, RefKind::Value, RefKind::Field];
    let filter = UseFilter { kinds, min_confidence: 0.0 };
    let ids: Vec<NodeId> = by_id.keys().copied().collect();
    let rows = queries.where_used(&ids, &filter)?;
    let sources: Vec<NodeId> = rows.iter().map(|row| row.source).collect();
    let sources = queries.describe(&sources)?;
    let place: BTreeMap<NodeId, (NodeId, &[String])> =
        sources.iter().map(|one| (one.id, (one.root_id, one.module_path.as_slice()))).collect();
    let sees = |row: &UseRow| {
        let (Some(here), Some(there)) = (place.get(&row.source), by_id.get(&row.target)) else {
            return true;
        };
        here.0 == there.root_id && here.1.starts_with(&there.module_path)
    };
    Ok(rows.into_iter().filter(|row| !sees(row)).collect())
}
