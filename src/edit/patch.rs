//! Patches of a text: hunks of replaced lines with the new ones. Two successive patches can be
//! swapped, so that an edit can be undone below later ones.

use asof_model::OrNever;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// Time limit for comparing texts.
const LIMIT: Duration = Duration::from_secs(2);

/// Bytes that were replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// First byte, in the text before the patch.
    pub at: u64,
    /// Length before.
    pub old: u64,
    /// Length after.
    pub new: u64,
}

/// Everything that a change of one text replaced: in order, without overlaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch(Vec<Hunk>);

/// Two patches replace the same bytes, or insert something at the same position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// Bytes of the text after both patches: what the later one replaced.
    pub ranges: Vec<(u64, u64)>,
}

/// Both patches in the opposite order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swapped {
    /// The later patch, as if the earlier one had not been made.
    pub later: Patch,
    /// The earlier patch, made after the later one.
    pub earlier: Patch,
}

impl Patch {
    /// The patch of these hunks, which are in order and do not overlap.
    pub fn new(hunks: impl IntoIterator<Item = Hunk>) -> Self {
        Self(hunks.into_iter().filter(|hunk| hunk.old > 0 || hunk.new > 0).collect())
    }

    /// The patch from one text to another, found by comparing their lines.
    pub fn between(before: &[u8], after: &[u8]) -> Self {
        let (old, new): (Vec<_>, Vec<_>) = (lines(before), lines(after));
        let (starts, ends) = (offsets(&old), offsets(&new));
        let place = |offsets: &[u64], line: usize| {
            offsets.get(line).copied().or_never("a line that differs has an offset")
        };
        // Past the limit the comparison is coarser, and an overlap is found sooner.
        let limit = Instant::now() + LIMIT;
        let ops = capture_diff_slices_deadline(Algorithm::Patience, &old, &new, Some(limit));
        let hunks = ops.into_iter().filter_map(|op| {
            if let DiffOp::Equal { .. } = op {
                return None;
            }
            let (a, b) = (op.old_range(), op.new_range());
            let (a, b) = (
                place(&starts, a.start)..place(&starts, a.end),
                place(&ends, b.start)..place(&ends, b.end),
            );
            let bytes = |text: &[u8], range: &std::ops::Range<u64>| {
                let bytes = text.get(range.start as usize..range.end as usize);
                bytes.or_never("lines that differ lie in their text").to_vec()
            };
            let (removed, added) = (bytes(before, &a), bytes(after, &b));
            let same = |(x, y): &(&u8, &u8)| x == y;
            let front = removed.iter().zip(&added).take_while(same).count();
            let rest = |bytes: &[u8]| bytes.get(front..).unwrap_or_default().to_vec();
            let (removed, added) = (rest(&removed), rest(&added));
            let back = removed.iter().rev().zip(added.iter().rev()).take_while(same).count();
            Some(Hunk {
                at: a.start + front as u64,
                old: (removed.len() - back) as u64,
                new: (added.len() - back) as u64,
            })
        });
        Self::new(hunks)
    }

    /// Whether it turns one text into the other, leaving everything else unchanged.
    pub fn leads(&self, before: &[u8], after: &[u8]) -> bool {
        let (mut from, mut to) = (0, 0);
        for (hunk, range) in self.0.iter().zip(self.targets()) {
            let kept = before.get(from as usize..hunk.at as usize);
            if kept.is_none() || kept != after.get(to as usize..range.0 as usize) {
                return false;
            }
            (from, to) = (hunk.at + hunk.old, range.1);
        }
        let rest = before.get(from as usize..);
        rest.is_some() && rest == after.get(to as usize..)
    }

    /// The inverse patch.
    pub fn inverse(&self) -> Self {
        let hunks = self.0.iter().zip(self.targets());
        Self(hunks.map(|(h, (at, _))| Hunk { at, old: h.new, new: h.old }).collect())
    }

    /// Where the hunks are in the text after the patch.
    pub fn targets(&self) -> Vec<(u64, u64)> {
        let mut shift = 0i64;
        let mut out = Vec::with_capacity(self.0.len());
        for hunk in &self.0 {
            let at = moved(hunk.at, shift);
            out.push((at, at + hunk.new));
            shift += hunk.new as i64 - hunk.old as i64;
        }
        out
    }

    /// Maps a byte of the text before the patch to the text after it; within a hunk, to its start.
    pub fn carry(&self, byte: u64) -> u64 {
        let before = self.0.iter().zip(self.targets()).take_while(|(hunk, _)| hunk.at <= byte);
        match before.last() {
            Some((hunk, (start, _))) if byte < hunk.at + hunk.old => start,
            Some((hunk, (_, end))) => end + byte - (hunk.at + hunk.old),
            None => byte,
        }
    }

    /// Swaps this patch with a later one.
    ///
    /// # Errors
    /// [`Overlap`] if the result depends on their order.
    pub fn swap(&self, later: &Self) -> Result<Swapped, Overlap> {
        let targets = self.targets();
        let mut moved_later = Vec::with_capacity(later.0.len());
        // How many of the later hunks are before each of the earlier ones.
        let mut before = vec![0usize; self.0.len()];
        let mut ranges = Vec::new();
        for (number, hunk) in later.0.iter().enumerate() {
            let (start, end) = (hunk.at, hunk.at + hunk.old);
            let mut shift = 0i64;
            let mut meets = false;
            for ((own, target), count) in self.0.iter().zip(&targets).zip(&mut before) {
                let same_place = start == end && target.0 == target.1 && start == target.0;
                if same_place || start < target.1 && target.0 < end {
                    meets = true;
                } else if start >= target.1 {
                    shift += own.old as i64 - own.new as i64;
                } else {
                    *count = (*count).max(number + 1);
                }
            }
            if meets {
                ranges.extend(later.targets().get(number));
            }
            moved_later.push(Hunk { at: moved(hunk.at, shift), ..*hunk });
        }
        if !ranges.is_empty() {
            return Err(Overlap { ranges });
        }
        let grown = |count: usize| {
            let passed = moved_later.iter().take(count);
            passed.fold(0, |sum, hunk| sum + hunk.new as i64 - hunk.old as i64)
        };
        let own = self.0.iter().zip(&before);
        let earlier =
            own.map(|(hunk, count)| Hunk { at: moved(hunk.at, grown(*count)), ..*hunk }).collect();
        Ok(Swapped { later: Self(moved_later), earlier: Self(earlier) })
    }

    /// Removes this patch from a text. `original` is the same patch as it was made, from `before`.
    /// `None` if the text does not contain what the patch inserted.
    pub fn taken_from(
        &self,
        text: &[u8],
        original: &Self,
        before: &[u8],
        after: &[u8],
    ) -> Option<Vec<u8>> {
        let part = |bytes: &'_ [u8], (start, end): (u64, u64)| {
            bytes.get(start as usize..end as usize).map(<[u8]>::to_vec)
        };
        let mut out = Vec::with_capacity(text.len());
        let mut from = 0;
        let hunks = original.0.iter().zip(original.targets()).zip(self.targets());
        for ((hunk, made), range) in hunks {
            if part(text, range)? != part(after, made)? {
                return None;
            }
            out.extend(part(text, (from, range.0))?);
            out.extend(part(before, (hunk.at, hunk.at + hunk.old))?);
            from = range.1;
        }
        out.extend(part(text, (from, text.len() as u64))?);
        Some(out)
    }
}

fn moved(byte: u64, shift: i64) -> u64 {
    byte.saturating_add_signed(shift)
}

/// Lines with their line ends.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// First byte of each line, and the end of the last.
fn offsets(lines: &[&[u8]]) -> Vec<u64> {
    let mut at = 0;
    let mut out = vec![0];
    for line in lines {
        at += line.len() as u64;
        out.push(at);
    }
    out
}

/// A change of a text after the edit to undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Id of the edit; `None` for a change by another program.
    pub id: Option<String>,
    /// The edit that it undid.
    pub undoes: Option<String>,
    pub patch: Patch,
}

/// Where an edit and a later change overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The later edit; `None` for a change by another program.
    pub id: Option<String>,
    /// Bytes of the present text.
    pub ranges: Vec<(u64, u64)>,
}

/// The patch of an edit in the text after these steps.
///
/// # Errors
/// [`Conflict`] with the first step that cannot be swapped with the edit.
pub fn carry(edit: &Patch, steps: &[Step]) -> Result<Patch, Conflict> {
    let mut open: Vec<(usize, Patch)> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        open.push((number, step.patch.clone()));
        if let Some(undone) = &step.undoes {
            cancel(&mut open, steps, undone);
        }
    }
    let mut own = edit.clone();
    for (number, patch) in open {
        own = match own.swap(&patch) {
            Ok(swapped) => swapped.earlier,
            Err(overlap) => {
                let behind = || steps.iter().skip(number + 1);
                let now = |byte| behind().fold(byte, |byte, step| step.patch.carry(byte));
                let ranges = overlap.ranges.into_iter().map(|(from, to)| (now(from), now(to)));
                let id = steps.get(number).and_then(|step| step.id.clone());
                return Err(Conflict { id, ranges: ranges.collect() });
            }
        };
    }
    Ok(own)
}

/// Removes an edit and its undo, which is the last of the open steps, from the steps.
fn cancel(open: &mut Vec<(usize, Patch)>, steps: &[Step], undone: &str) {
    let is = |(number, _): &(usize, Patch)| {
        steps.get(*number).is_some_and(|step| step.id.as_deref() == Some(undone))
    };
    let Some(at) = open.iter().rposition(is) else { return };
    let mut rest: Vec<(usize, Patch)> = open.iter().skip(at).cloned().collect();
    let (_, mut patch) = rest.remove(0);
    let Some((_, undo)) = rest.pop() else { return };
    for (_, between) in &mut rest {
        // Its undo was swapped with them, so it can be too.
        let Ok(swapped) = patch.swap(between) else { return };
        (*between, patch) = (swapped.later, swapped.earlier);
    }
    if patch.inverse() == undo {
        open.truncate(at);
        open.extend(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(at: u64, old: u64, new: u64) -> Hunk {
        Hunk { at, old, new }
    }

    #[test]
    fn a_comparison_leads_from_one_text_to_the_other() {
        for (before, after) in [
            ("", ""),
            ("", "a\n"),
            ("a\nb\nc\n", "a\nx b\nc\n"),
            ("a\nb\nc", "b\nc\nd"),
            ("a\r\nb", "\r\nb\n\n"),
            ("aaa\naaa\n", "aaa\naa\n"),
        ] {
            let patch = Patch::between(before.as_bytes(), after.as_bytes());
            assert!(patch.leads(before.as_bytes(), after.as_bytes()), "{before:?} {after:?}");
            assert!(patch.inverse().leads(after.as_bytes(), before.as_bytes()));
        }
    }

    #[test]
    fn separate_patches_can_be_swapped() {
        let (first, second) =
            (Patch::new([hunk(4, 2, 5)]), Patch::new([hunk(1, 1, 3), hunk(9, 2, 0)]));
        let swapped = first.swap(&second).unwrap();
        assert_eq!(swapped.later, Patch::new([hunk(1, 1, 3), hunk(6, 2, 0)]));
        assert_eq!(swapped.earlier, Patch::new([hunk(6, 2, 5)]));
    }

    #[test]
    fn touching_patches_overlap_only_if_their_order_matters() {
        let meets = |a: Hunk, b: Hunk| Patch::new([a]).swap(&Patch::new([b])).is_err();
        assert!(meets(hunk(4, 2, 5), hunk(5, 1, 1)));
        assert!(meets(hunk(4, 2, 5), hunk(6, 0, 1)), "within what was inserted");
        assert!(!meets(hunk(4, 2, 5), hunk(4, 0, 1)), "in front of it");
        assert!(!meets(hunk(4, 2, 5), hunk(9, 0, 1)), "after it");
        assert!(meets(hunk(4, 2, 0), hunk(4, 0, 1)), "in the place of what was removed");
        assert!(meets(hunk(4, 2, 0), hunk(3, 2, 1)), "around it");
        assert!(!meets(hunk(4, 2, 0), hunk(3, 1, 1)), "up to it");
        assert!(!meets(hunk(4, 2, 0), hunk(4, 1, 1)), "from it on");
    }

    #[test]
    fn an_undone_edit_does_not_block_another_undo() {
        let step = |id: &str, undoes: Option<&str>, patch: Patch| Step {
            id: Some(id.to_owned()),
            undoes: undoes.map(str::to_owned),
            patch,
        };
        let first = Patch::new([hunk(4, 2, 5)]);
        let over = Patch::new([hunk(3, 4, 1)]);
        let elsewhere = Patch::new([hunk(0, 0, 2)]);
        let back = over.swap(&elsewhere).unwrap().earlier.inverse();
        let steps = [step("b", None, over), step("c", None, elsewhere), step("u", Some("b"), back)];
        assert_eq!(carry(&first, &steps).unwrap(), Patch::new([hunk(6, 2, 5)]));
        let conflict = carry(&first, &steps[..2]).unwrap_err();
        assert_eq!(conflict, Conflict { id: Some("b".into()), ranges: vec![(5, 6)] });
    }
}
