//! What a plan found, and whether it is still there when the plan is made anew.

use super::draft::{Resolved, part_of};
use super::target::{Halt, Loaded, stale_item, text_at};
use crate::edit::{Edit, EditError, Expected, Part, PlannedEdit, Splice, StaleTarget};
use crate::engine::database::Snapshot;
use crate::engine::resolve::Item;
use crate::model::Micros;

/// What must still be there: the bytes that go, and the item's own text around them. Where new
/// items are put beside or into another, only that other must be there.
pub(super) fn of(
    item: &Item,
    index: u32,
    loaded: &Loaded,
    splices: &[Splice],
    edit: &Edit,
) -> Expected {
    let slice = |s: &Splice| loaded.text.get(s.start as usize..s.end as usize).unwrap_or_default();
    let own = loaded.facts.items.get(index as usize).and_then(|item| item.text.as_ref());
    let own = own.map(|(_, text)| String::from_utf8_lossy(text).into_owned());
    let by_name = matches!(edit, Edit::Insert { .. });
    Expected {
        id: Some(item.id),
        replaced: splices.iter().map(|s| slice(s).to_owned()).collect(),
        own_text: own.filter(|_| !by_name),
        offset: None,
    }
}

/// Whether the target of an edit is as the earlier plan found it, only elsewhere: true if it is
/// elsewhere, an error if it is not as it was.
pub(super) fn check(
    snapshot: &Snapshot<'_>,
    now: &Resolved,
    before: &PlannedEdit,
    planned_at: Micros,
    edit: &Edit,
) -> Result<bool, Halt> {
    let same = now.expected.id == before.expected.id
        && now.expected.own_text == before.expected.own_text
        && now.expected.replaced == before.expected.replaced;
    if same {
        let start = now.splices.iter().map(|s| s.start).min();
        return Ok(start != before.span_before.map(|span| span.start_byte));
    }
    let reason = match part_of(edit) {
        Part::Whole => "the item has changed since the edit was planned",
        _ => "the part of the item has changed since the edit was planned",
    };
    let stale = match &now.item {
        Some(item) => {
            let old = text_at(snapshot, item, planned_at)?;
            stale_item(snapshot, item, old.as_deref(), reason)
        }
        None => StaleTarget {
            subject: before.canon.clone(),
            file_path: now.file_path.clone(),
            reason: "the bytes have changed since the edit was planned".to_owned(),
            span: None,
            tracking_hash: None,
            file_hash: None,
            diff: String::new(),
        },
    };
    Err(EditError::Stale(Box::new(stale)).into())
}

/// The target of an edit that is found no more.
pub(super) fn gone(before: &PlannedEdit, reason: &str) -> EditError {
    let old = before.expected.replaced.concat();
    EditError::Stale(Box::new(StaleTarget {
        subject: before.canon.clone(),
        file_path: before.file_path.clone(),
        reason: reason.to_owned(),
        span: None,
        tracking_hash: None,
        file_hash: None,
        diff: crate::edit::between(&old, ""),
    }))
}
