//! Versions of the rows of a relation.

use std::collections::BTreeMap;

use super::error::TablesError;
use asof_store::{Relation, Row, Store, StoreError, VERSION_HOLDS, VERSION_TIME};

/// By key, what each version says from its moment on; none where the row was retracted.
pub(super) type Versions<K, T> = BTreeMap<K, Vec<(i64, Option<T>)>>;

/// The moments of which versions are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Versions before it hold from it on.
    pub floor: i64,
    /// The last moment.
    pub at: i64,
}

/// Every version of a relation up to a moment, by key and time.
pub(super) fn versions<K: Ord, T>(
    store: &Store,
    relation: &str,
    span: Span,
    key: impl Fn(&Row<'_>) -> Result<K, StoreError>,
    value: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Versions<K, T>, TablesError> {
    let relation = Relation::find(relation).ok_or_else(|| TablesError::Fact {
        what: "relation",
        reason: format!("there is no relation `{relation}`"),
    })?;
    let mut found: Versions<K, T> = BTreeMap::new();
    for row in store.versions(relation)?.iter() {
        let time: i64 = row.get(VERSION_TIME)?;
        if time > span.at {
            continue;
        }
        let holds: bool = row.get(VERSION_HOLDS)?;
        let value = if holds { Some(value(&row)?) } else { None };
        found.entry(key(&row)?).or_default().push((time, value));
    }
    for of_key in found.values_mut() {
        of_key.sort_by_key(|(time, _)| *time);
        // Of those up to the floor, the last one is the state there.
        let before = of_key.partition_point(|(time, _)| *time <= span.floor);
        of_key.drain(..before.saturating_sub(1));
        if let Some((time, _)) = of_key.first_mut() {
            *time = (*time).max(span.floor);
        }
    }
    Ok(found)
}

/// What holds at a moment; of what begins later, the first.
pub(super) fn near<T>(versions: &[(i64, Option<T>)], at: i64) -> Option<&T> {
    let until = versions.partition_point(|(time, _)| *time <= at);
    let (before, after) = versions.split_at(until);
    let before = before.iter().rev().find_map(|(_, value)| value.as_ref());
    before.or_else(|| after.iter().find_map(|(_, value)| value.as_ref()))
}
