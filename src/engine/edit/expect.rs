//! Records what a plan found, and checks that it is still there when the request is planned again.

use super::edit_target::{Resolved, part_of};
use super::target::{Halt, Loaded, stale_item, text_at};
use crate::database::Snapshot;
use asof_edit::{Edit, EditError, Expected, ItemEdit, Part, PlannedEdit, Splice, StaleTarget};
use asof_model::{Micros, OrNever, Span};
use asof_wire::Item;

/// What must still exist: the bytes to replace, and the item's own text around them. For an
/// insertion, only the anchor must exist.
pub(super) fn expected(
    item: &Item,
    index: u32,
    loaded: &Loaded,
    splices: &[Splice],
    edit: ItemEdit<'_>,
) -> Expected {
    let slice = |s: &Splice| {
        let text = loaded.text.get(s.start as usize..s.end as usize);
        text.or_never("a splice of an item lies in its file")
    };
    let bytes = |span: Span| loaded.text.get(span.start_byte as usize..span.end_byte as usize);
    let own = loaded.facts.items.get(index as usize).and_then(|facts| match &facts.text {
        Some((_, text)) => Some(String::from_utf8_lossy(text).into_owned()),
        // Fields and variants.
        None => bytes(facts.span).map(str::to_owned),
    });
    // Documentation and attributes are compared alone, since those of a changed item are its own.
    let part = match edit {
        ItemEdit::Canonical(edit) => edit.part,
        _ => Part::Whole,
    };
    let is_beside =
        matches!(edit, ItemEdit::Insert(_)) || matches!(part, Part::Docs | Part::Attributes);
    Expected {
        id: Some(item.id),
        replaced: match edit {
            // White space and the comma around it are removed too, and may change meanwhile.
            ItemEdit::Delete(_) => {
                vec![bytes(item.span).or_never("an item lies in its file").to_owned()]
            }
            _ => splices.iter().map(|s| slice(s).to_owned()).collect(),
        },
        own_text: own.filter(|_| !is_beside),
        start: Some(item.span.start_byte),
    }
}

/// Whether the target of an edit has moved since the earlier plan; an error if it has changed.
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
        let start = now.change.splices.iter().map(|s| s.start).min();
        // The white space that goes with a deleted item depends on the other edits.
        let elsewhere = !matches!(edit, Edit::Delete(_))
            && start != before.span_before.map(|span| span.start_byte);
        return Ok(elsewhere || now.expected.start != before.expected.start);
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
            subject: before.path.clone(),
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

/// The target of an edit that is no longer found.
pub(super) fn gone(before: &PlannedEdit, reason: &str) -> EditError {
    let old = before.expected.replaced.concat();
    EditError::Stale(Box::new(StaleTarget {
        subject: before.path.clone(),
        file_path: before.file_path.clone(),
        reason: reason.to_owned(),
        span: None,
        tracking_hash: None,
        file_hash: None,
        diff: asof_edit::between(&old, ""),
    }))
}
