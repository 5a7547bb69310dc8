//! What code observes of a type without naming its parts: discriminants, positions, what is derived.

use super::super::group::Group;
use super::places::place;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use asof_model::NodeKind;
use asof_wire::{Doubt, Obligation};

/// A variant or field that nothing names still counts: the variants behind it get other discriminants,
/// the fields of a tuple other positions, derived code reads fields, and a field is dropped and takes
/// room. So each is a place to look at.
pub(super) fn check(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    out: &mut Refactored,
) -> Result<(), Halt> {
    for item in &group.items {
        if !matches!(item.kind, NodeKind::Variant | NodeKind::Field) {
            continue;
        }
        let loaded = files.loaded(snapshot, &item.file_path)?;
        out.look_at.push(place(&item.file_path, &loaded.text, item.name_start, Doubt::Layout));
        out.check(Obligation::Layout, 1);
    }
    Ok(())
}
