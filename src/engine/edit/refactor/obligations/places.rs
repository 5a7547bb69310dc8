//! Places to look at that no rule rewrites.

use asof_edit::line_of;
use asof_wire::{Doubt, PlaceToLookAt};

/// The place at a byte of a file.
pub(in super::super) fn place(
    file_path: &str,
    text: &str,
    byte: u32,
    reason: Doubt,
) -> PlaceToLookAt {
    PlaceToLookAt {
        file_path: file_path.to_owned(),
        line: line_of(text, byte),
        byte,
        reason,
        confidence: 0.0,
        rewritten: false,
    }
}
