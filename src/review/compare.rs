//! Compares two normal forms.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::normal_form::NormalForm;

/// How long two forms are compared for the smallest difference.
const PATIENCE: Duration = Duration::from_secs(2);

/// Tokens that differ, by their numbers in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// Where two forms differ; nowhere if the code is the same.
pub fn compare(old: &NormalForm, new: &NormalForm) -> Vec<Difference> {
    if old.tokens == new.tokens {
        return Vec::new();
    }
    let deadline = Some(Instant::now() + PATIENCE);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old.tokens, &new.tokens, deadline);
    let differs = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    differs.map(|op| Difference { old: op.old_range(), new: op.new_range() }).collect()
}

/// The earlier text as it would be with the names, paths and blanks of the later one: what is left
/// of a change without the refactorings in it.
pub fn with_later_names(old: &NormalForm, new: &NormalForm, differences: &[Difference]) -> String {
    let mut out = String::new();
    let mut taken = 0;
    for one in differences {
        let (start, end) = new.bytes(&one.new);
        out.push_str(new.text.get(taken..start).unwrap_or_default());
        let (from, to) = old.bytes(&one.old);
        let part = old.text.get(from..to).unwrap_or_default();
        // Where something is put in, blanks are those of the earlier text.
        if one.new.is_empty() && !part.is_empty() {
            out.push_str(old.blank_before(one.old.start));
        }
        out.push_str(part);
        taken = end.max(start);
    }
    out.push_str(new.text.get(taken..).unwrap_or_default());
    out
}
