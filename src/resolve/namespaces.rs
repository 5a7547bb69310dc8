//! Assigns items to namespaces (Rust reference, "Namespaces").

use asof_model::{Header, TreeItem};

/// Namespaces as bits.
pub(super) const TYPES: u8 = 1;
pub(super) const VALUES: u8 = 2;
pub(super) const MACROS: u8 = 4;
pub(super) const ANY: u8 = TYPES | VALUES | MACROS;

/// The namespaces that an item is named in. A struct or variant with named fields has no constructor,
/// and so no name among values (Rust reference, "Namespaces").
pub(super) fn spaces(item: &TreeItem) -> u8 {
    let spaces = item.kind.namespaces().bytes().fold(0, |all, b| {
        all | match b {
            b't' => TYPES,
            b'v' => VALUES,
            b'm' => MACROS,
            _ => 0,
        }
    });
    if item.header == Header::Braced { spaces & !VALUES } else { spaces }
}
