//! Byte splices of one file: in order, without overlaps, applied in one pass.

use serde::{Deserialize, Serialize};

use super::error::EditError;

/// Bytes of a file and what takes their place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    pub start: u32,
    pub end: u32,
    pub text: String,
    /// Which edit of the request it belongs to.
    pub edit: usize,
}

/// Puts the splices in order and into the text: the new bytes, and where each splice lies in
/// them, in the order of `splices`. Insertions at one place keep the order of the request.
///
/// # Errors
/// [`EditError::BadRange`] for a range that the text does not have or that cuts a character,
/// [`EditError::Overlap`].
pub fn compose(
    file_path: &str,
    text: &str,
    splices: &mut [Splice],
) -> Result<(String, Vec<(u32, u32)>), EditError> {
    splices.sort_by_key(|s| (s.start, s.end, s.edit));
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
            return Err(refuse("it cuts a character of several bytes"));
        }
        out.push_str(text.get(at..start).unwrap_or_default());
        let from = out.len() as u32;
        out.push_str(&splice.text);
        places.push((from, out.len() as u32));
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Ok((out, places))
}
