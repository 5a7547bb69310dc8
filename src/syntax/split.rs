//! Splits token sequences at separators outside brackets and generic arguments.

use super::source::{Source, Toks};

/// Index of the first token from `at` on that `stop` accepts, outside brackets and generic
/// arguments; `end` if there is none.
pub(super) fn find(source: &Source<'_>, toks: Toks, mut stop: impl FnMut(usize) -> bool) -> usize {
    let mut angles = 0usize;
    let mut at = toks.start;
    while at < toks.end {
        if angles == 0 && stop(at) {
            return at;
        }
        if source.is(at, b'<') && !(source.token(at).glued && source.is(at + 1, b'=')) {
            angles += 1;
        } else if source.closes_angle(at) {
            angles = angles.saturating_sub(1);
        }
        at = source.skip(at);
    }
    toks.end
}

/// The parts between commas outside brackets and generic arguments; empty ones left out.
pub(super) fn commas(source: &Source<'_>, toks: Toks) -> Vec<Toks> {
    let mut parts = Vec::new();
    let mut start = toks.start;
    while start < toks.end {
        let end = find(source, start..toks.end, |at| source.is(at, b','));
        if end > start {
            parts.push(start..end);
        }
        start = end + 1;
    }
    parts
}
