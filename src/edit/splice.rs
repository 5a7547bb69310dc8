//! Byte splices of one file: in order, without overlaps, applied in one pass.

use serde::{Deserialize, Serialize};

use super::error::EditError;
use asof_model::ByteRange;

/// Bytes of a file and their replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    pub start: u32,
    pub end: u32,
    pub text: String,
    /// Which edit of the request it belongs to.
    pub edit: usize,
}

/// Relation of a splice to its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Manner {
    /// Removes this item, and blanks around it.
    Removal(ByteRange),
    /// Adds or replaces whole items.
    Item,
    /// Changes a part of one.
    Part,
    /// Belongs to no item.
    Bytes,
}

/// Makes edits of one request compatible if only their blanks overlap: neighbours that are both
/// removed, and items added beside one that is removed; not items added within it. At one position,
/// new items come before a new attribute of the item after them.
///
/// # Errors
/// [`EditError::Overlap`] of a removal that would leave a part of its item.
pub fn settle(
    file_path: &str,
    splices: &mut [Splice],
    manner: impl Fn(usize) -> Manner,
) -> Result<(), EditError> {
    splices.sort_by_key(|s| (s.start, s.end, manner(s.edit)));
    let removed_by = |s: &Splice| match manner(s.edit) {
        Manner::Removal(item) => Some(item),
        _ => None,
    };
    let mut removed: Option<usize> = None;
    for at in 0..splices.len() {
        let (before, rest) = splices.split_at_mut(at);
        let Some(here) = rest.first_mut() else { break };
        let last = removed.and_then(|last| before.get_mut(last));
        if let Some(last) = &last
            && here.start == last.end
            && here.edit != last.edit
            && here.start == here.end
            && let Some(text) = here.text.strip_prefix(',')
        {
            // The comma would have come after the removed member.
            here.text = text.to_owned();
        }
        if let Some(last) = last.filter(|last| here.start < last.end && here.edit != last.edit) {
            let within = |item: ByteRange| item.start < here.start && here.start < item.end;
            let adds = here.start == here.end
                && manner(here.edit) == Manner::Item
                && !removed_by(last).is_some_and(within);
            if removed_by(here).is_some() && last.end <= here.end {
                here.start = last.end;
            } else if adds && removed_by(last).is_some_and(|item| item.end <= here.start) {
                // In place of the removed item: the blanks after it stay, those before it are there.
                last.end = here.start;
                let text = here.text.trim_start_matches([' ', '\t']);
                let text = text.strip_prefix('\r').unwrap_or(text);
                here.text = text.strip_prefix('\n').unwrap_or(text).to_owned();
            } else if adds {
                last.start = here.start;
                if here.text.contains('\n') {
                    let newline = if here.text.contains("\r\n") { "\r\n" } else { "\n" };
                    here.text = format!("{}{newline}", here.text.trim_end());
                }
            }
        }
        if removed_by(here).is_some() {
            removed = Some(at);
        }
    }
    let whole =
        |s: &Splice| removed_by(s).is_none_or(|item| s.start <= item.start && item.end <= s.end);
    match splices.iter().position(|s| !whole(s)) {
        None => Ok(()),
        Some(at) => {
            let cut = splices.get(at).map_or(0, |s| s.edit);
            let beside = [at.wrapping_sub(1), at + 1].map(|at| splices.get(at).map(|s| s.edit));
            let other = beside.into_iter().flatten().find(|edit| *edit != cut).unwrap_or(cut);
            let (first, second) = (cut.min(other), cut.max(other));
            Err(EditError::Overlap { file_path: file_path.to_owned(), first, second })
        }
    }
}

/// Maps a range of the old text to the new one. An insertion at an end of the range belongs to it
/// if it is `mine`. `places` are those of the splices, in their order.
pub(super) fn image(
    range: ByteRange,
    splices: &[Splice],
    places: &[ByteRange],
    mine: impl Fn(&Splice) -> bool,
) -> ByteRange {
    let ByteRange { start, end } = range;
    let both = || splices.iter().zip(places);
    let shifted = |byte: u32, last: Option<(&Splice, &ByteRange)>| match last {
        Some((splice, place)) => place.end + byte.saturating_sub(splice.end),
        None => byte,
    };
    let before = |s: &Splice| s.end <= start && (s.start < start || !mine(s));
    let within = |s: &Splice| s.end <= end && (s.start < end || mine(s));
    let from = shifted(start, both().take_while(|(splice, _)| before(splice)).last());
    let to = shifted(end, both().rfind(|(splice, _)| within(splice)));
    ByteRange::new(from, to)
}

/// Sorts the splices and applies them to the text: the new bytes, and where each splice is in
/// them, in the order of `splices`. Insertions at one place keep the order of the request.
///
/// # Errors
/// [`EditError::BadRange`] for a range that the text does not have or that cuts a character,
/// [`EditError::Overlap`].
pub fn compose(
    file_path: &str,
    text: &str,
    splices: &mut [Splice],
) -> Result<(String, Vec<ByteRange>), EditError> {
    splices.sort_by_key(|s| (s.start, s.end));
    for pair in splices.windows(2) {
        if let [a, b] = pair
            && (b.start < a.end || a.start == b.start && a.end > a.start && b.end > b.start)
        {
            let (first, second) = (a.edit.min(b.edit), a.edit.max(b.edit));
            let file_path = file_path.to_owned();
            return Err(EditError::Overlap { file_path, first, second });
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(splices.len());
    let mut at = 0;
    for splice in splices.iter() {
        let (start, end) = (splice.start as usize, splice.end as usize);
        let refuse = |reason: &str| EditError::BadRange {
            file_path: file_path.to_owned(),
            start_byte: splice.start,
            end_byte: splice.end,
            reason: reason.to_owned(),
        };
        if start > end {
            return Err(refuse("it ends before it starts"));
        }
        if end > text.len() {
            return Err(refuse(&format!("the file has {} bytes", text.len())));
        }
        if !text.is_char_boundary(start) || !text.is_char_boundary(end) {
            return Err(refuse("it splits a multi-byte character"));
        }
        let kept = text.get(at..start);
        out.push_str(kept.ok_or_else(|| EditError::internal("splices are in order"))?);
        let from = out.len() as u32;
        out.push_str(&splice.text);
        places.push(ByteRange::new(from, out.len() as u32));
        at = end;
    }
    let kept = text.get(at..);
    out.push_str(kept.ok_or_else(|| EditError::internal("splices lie in their text"))?);
    Ok((out, places))
}
