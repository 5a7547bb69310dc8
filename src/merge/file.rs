//! The merge of a file.

use std::collections::BTreeMap;

use asof_model::NodeKind;
use asof_syntax::with_large_stack;
use asof_workspace::{Markers, ThreeTexts, merge_text};

use super::container::Sides;
use super::endings::{merged_ending, with_ending, with_lf};
use super::pieces::{Defined, Parsed};

/// How a file was merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergedBy {
    /// By lines, without a conflict: these are the bytes that Git has.
    Lines,
    /// By items: Git has a conflict.
    Items,
    /// It has conflicts, between items.
    ItemConflicts,
    /// It has the conflicts that Git has.
    LineConflicts,
}

/// A side that does not parse, for which items cannot be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unparsed {
    Base,
    Ours,
    Theirs,
}

impl Unparsed {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Base => "the base",
            Self::Ours => "our side",
            Self::Theirs => "their side",
        }
    }
}

/// A merged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMerge {
    pub bytes: Vec<u8>,
    pub by: MergedBy,
    /// Conflicts in it, each between markers.
    pub conflicts: usize,
    /// Why items were not merged.
    pub unparsed: Option<Unparsed>,
    /// Items that both sides add at different places, although no line conflicts.
    pub twice: Vec<Twice>,
}

/// An item that both sides add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twice {
    pub kind: NodeKind,
    pub name: String,
    /// Line of the second one, from 1.
    pub line: u32,
}

impl FileMerge {
    pub fn is_clean(&self) -> bool {
        self.conflicts == 0 && self.twice.is_empty()
    }
}

/// Merges three texts of a Rust file.
pub fn merge_file(texts: ThreeTexts<'_>, markers: &Markers) -> FileMerge {
    let lines = merge_text(texts, markers);
    if lines.is_clean {
        let twice = with_large_stack(|| twice_in(texts, &lines.bytes)).flatten();
        let twice = twice.unwrap_or_default();
        let by = MergedBy::Lines;
        return FileMerge { bytes: lines.bytes, by, conflicts: 0, unparsed: None, twice };
    }
    let conflicts = count(&lines.bytes, markers);
    let of_lines = |unparsed| FileMerge {
        bytes: lines.bytes.clone(),
        by: MergedBy::LineConflicts,
        conflicts,
        unparsed,
        twice: Vec::new(),
    };
    // Whatever happens there, lines are merged.
    match with_large_stack(|| by_items(texts, markers)).unwrap_or(Ok(None)) {
        Err(unparsed) => of_lines(Some(unparsed)),
        Ok(Some((text, left))) if left < conflicts || is_smaller(&text, &lines.bytes, markers) => {
            FileMerge {
                bytes: text.into_bytes(),
                by: if left == 0 { MergedBy::Items } else { MergedBy::ItemConflicts },
                conflicts: left,
                unparsed: None,
                twice: Vec::new(),
            }
        }
        Ok(_) => of_lines(None),
    }
}

/// What both sides add to a text that is merged by lines; none if a text does not parse, or one side is
/// the base.
fn twice_in(texts: ThreeTexts<'_>, merged: &[u8]) -> Option<Vec<Twice>> {
    if [texts.ours, texts.theirs].contains(&merged) {
        return None;
    }
    let read = |bytes| std::str::from_utf8(bytes).ok();
    let (ours, theirs, merged) = (read(texts.ours)?, read(texts.theirs)?, read(merged)?);
    let (ours, theirs) = (Parsed::read(ours)?, Parsed::read(theirs)?);
    Some(added_twice(&Parsed::read(merged)?, &ours, &theirs))
}

/// The merge by items, with the number of its conflicts; none if it cannot be relied on.
fn by_items(texts: ThreeTexts<'_>, markers: &Markers) -> Result<Option<(String, usize)>, Unparsed> {
    let read = |bytes, side| std::str::from_utf8(bytes).map_err(|_| side);
    let sides = [
        read(texts.base, Unparsed::Base)?,
        read(texts.ours, Unparsed::Ours)?,
        read(texts.theirs, Unparsed::Theirs)?,
    ];
    let Some(ending) = merged_ending(sides) else { return Ok(None) };
    let [base, ours, theirs] = sides.map(with_lf);
    let base = Parsed::read(&base).ok_or(Unparsed::Base)?;
    let ours = Parsed::read(&ours).ok_or(Unparsed::Ours)?;
    let theirs = Parsed::read(&theirs).ok_or(Unparsed::Theirs)?;
    let sides = Sides { base: &base, ours: &ours, theirs: &theirs, markers };
    let Some(merged) = sides.file() else { return Ok(None) };
    if merged.conflicts == 0 && !is_whole(&merged.text, &ours, &theirs) {
        return Ok(None);
    }
    Ok(Some((with_ending(&merged.text, ending), merged.conflicts)))
}

/// A merged text with our side in the place of each conflict.
pub fn with_our_side(bytes: &[u8], markers: &Markers) -> Vec<u8> {
    let [begin, base, middle, end] = ["<", "|", "=", ">"].map(|mark| mark.repeat(size(markers)));
    let (mut found, mut is_kept) = (Vec::new(), true);
    let mut is_in = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let begins = |marker: &str| {
            let rest = line.strip_prefix(marker.as_bytes());
            rest.is_some_and(|rest| rest.first().is_none_or(|byte| b" \r\n".contains(byte)))
        };
        if !is_in && begins(&begin) {
            is_in = true;
        } else if is_in && (begins(&base) || begins(&middle)) {
            is_kept = false;
        } else if is_in && begins(&end) {
            (is_in, is_kept) = (false, true);
        } else if is_kept {
            found.extend_from_slice(line);
        }
    }
    found
}

/// Whether a file has a conflict in the markers that Git writes by default.
pub fn has_markers(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.into_iter().any(|line| line.starts_with(b"<<<<<<< "))
}

/// Whether a merged text parses, and defines nothing twice because of the merge.
fn is_whole(text: &str, ours: &Parsed<'_>, theirs: &Parsed<'_>) -> bool {
    Parsed::read(text).is_some_and(|merged| added_twice(&merged, ours, theirs).is_empty())
}

/// What both sides add: more often than either side has it.
fn added_twice(merged: &Parsed<'_>, ours: &Parsed<'_>, theirs: &Parsed<'_>) -> Vec<Twice> {
    let (our, their) = (ours.defined(), theirs.defined());
    let count =
        |side: &BTreeMap<Defined, Vec<u32>>, one: &Defined| side.get(one).map_or(0, Vec::len);
    let merged = merged.defined();
    let twice = merged.iter().filter(|(one, lines)| {
        let most = count(&our, one).max(count(&their, one));
        // Two impls of one head may each have items of their own.
        let is_plain = one.kind != NodeKind::MacroCall && one.kind != NodeKind::ForeignMod;
        is_plain && is_unique(one) && lines.len() > most.max(1)
    });
    twice
        .map(|(one, lines)| Twice {
            kind: one.kind,
            name: one.path.first().cloned().unwrap_or_default(),
            line: lines.last().copied().unwrap_or_default(),
        })
        .collect()
}

/// Whether there can be one such item: of impls, only those of traits.
fn is_unique(one: &Defined) -> bool {
    let name = one.path.first().map_or("", String::as_str);
    match one.kind {
        NodeKind::Impl => name.contains("for"),
        NodeKind::Const => name != "_",
        kind => !kind.is_anonymous(),
    }
}

/// Whether fewer lines are between markers.
fn is_smaller(text: &str, lines: &[u8], markers: &Markers) -> bool {
    marked(text, markers) < marked(&String::from_utf8_lossy(lines), markers)
}

/// Lines between markers.
fn marked(text: &str, markers: &Markers) -> usize {
    let [begin, end] = ["<", ">"].map(|mark| format!("{} ", mark.repeat(size(markers))));
    let mut is_in = false;
    let mut found = 0;
    for line in text.lines() {
        is_in |= line.starts_with(&begin);
        found += usize::from(is_in);
        is_in &= !line.starts_with(&end);
    }
    found
}

fn count(bytes: &[u8], markers: &Markers) -> usize {
    let begin = format!("{} ", "<".repeat(size(markers)));
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter(|line| line.starts_with(&begin)).count().max(1)
}

fn size(markers: &Markers) -> usize {
    markers.size.map_or(7, |size| usize::from(size.get()))
}
