//! Tests whether a name is written in a range of a file, or begins an import.

use crate::edit::target::Loaded;
use asof_model::{ByteRange, NodeKind};
use asof_refactor::words;
use asof_syntax::Scan;

/// Whether a name is written within a range of a file: outside of imports at the top of modules, and
/// of some of its parts.
pub(super) fn is_mentioned(
    loaded: &Loaded,
    scan: &Scan<'_>,
    name: &str,
    around: ByteRange,
    gone: &[ByteRange],
) -> bool {
    let text = loaded.text.as_str();
    let imports: Vec<ByteRange> = loaded
        .facts
        .items
        .iter()
        .filter(|item| item.kind == NodeKind::Import && !item.in_body)
        .map(|item| item.span.bytes())
        .collect();
    let within = |ranges: &[ByteRange], at: u32| ranges.iter().any(|one| one.contains(at));
    words(text, name).any(|at| {
        let start = at as u32;
        if !around.contains(start) || within(gone, start) {
            return false;
        }
        if within(&imports, start) {
            // An import through it.
            imports.iter().any(|one| one.contains(start) && begins_path(text, scan, start))
        } else {
            true
        }
    })
}

/// Whether an import begins with the name at a byte, and goes on.
fn begins_path(text: &str, scan: &Scan<'_>, start: u32) -> bool {
    let Some((token, _)) = scan.word_at(start) else { return false };
    let before = scan.token_before(token.start).map(|(range, _)| range);
    let first = before.and_then(|range| text.get(range.start as usize..range.end as usize));
    let behind = text.get(token.end as usize..).unwrap_or_default().trim_start();
    first == Some("use") && behind.starts_with("::")
}

pub(super) fn has_word(text: &str, name: &str) -> bool {
    words(text, name).next().is_some()
}
