//! Chooses how much of each item fits in a number of tokens: whole items first, then outlines, then
//! names.

use super::Candidate;
use crate::error::EngineError;
use asof_search::tokens_within;
use asof_wire::{CodeForm, Item};

/// Share of the budget that is for whole items and excerpts; the rest is for outlines and names.
const SOURCES: f64 = 0.85;

/// Share of the budget that one item may take, unless it is the first.
const LARGEST: f64 = 0.4;

/// Share of the budget that the excerpt of a larger item may take.
const EXCERPT: f64 = 0.1;

/// Share of the budget up to which outlines are added; what is left is for names.
const OUTLINES: f64 = 0.96;

/// Larger items that have an excerpt: the first ones.
const EXCERPTS: usize = 4;

/// A text with its tokens.
pub(super) struct Counted {
    pub text: String,
    pub tokens: usize,
}

/// How much of an item is listed.
pub(super) enum Chosen {
    Listed(CodeForm, Counted),
    /// It is part of an item whose source is listed.
    Inside,
    Nothing,
}

/// What gives the texts of items.
pub(super) struct Texts<'a> {
    /// The whole source.
    pub source: &'a dyn Fn(&Item) -> Result<String, EngineError>,
    /// The lines of a source that say most, in so many tokens.
    pub excerpt: &'a dyn Fn(&str, usize) -> Option<String>,
}

/// Chooses how much of each candidate fits, the best first: whole items up to a share of the budget,
/// and excerpts of the first ones that are too large; then the signatures of the others; then their
/// names.
pub(super) fn fit(
    texts: &Texts<'_>,
    candidates: &[Candidate],
    budget: usize,
) -> Result<Vec<Chosen>, EngineError> {
    let part = |share: f64| (budget as f64 * share) as usize;
    let mut left = budget;
    let mut chosen: Vec<Chosen> = candidates.iter().map(|_| Chosen::Nothing).collect();
    let mut excerpts = 0;
    let mut tight = false;
    for (at, candidate) in candidates.iter().enumerate() {
        if !matches!(chosen.get(at), Some(Chosen::Nothing)) {
            continue;
        }
        let text = (texts.source)(&candidate.item)?;
        let reserve = if tight { budget - part(SOURCES) } else { 0 };
        let room = left.saturating_sub(reserve);
        let largest = if at == 0 { part(SOURCES) } else { part(LARGEST) };
        let mut form = CodeForm::Source;
        let mut counted = source(candidate, &text, room.min(largest.max(1)));
        if counted.is_none() {
            tight = true;
            let room = left.saturating_sub(budget - part(SOURCES)).min(part(EXCERPT));
            if excerpts < EXCERPTS && room > 0 {
                form = CodeForm::Excerpt;
                counted = excerpt(texts, candidate, &text, room);
                excerpts += usize::from(counted.is_some());
            }
        }
        let Some(counted) = counted else { continue };
        left = left.saturating_sub(counted.tokens);
        if form == CodeForm::Source {
            left += drop_inside(&mut chosen, candidates, &candidate.item);
        }
        if let Some(slot) = chosen.get_mut(at) {
            *slot = Chosen::Listed(form, counted);
        }
    }
    for (form, most) in [(CodeForm::Signature, OUTLINES), (CodeForm::Name, 1.0)] {
        for (slot, candidate) in chosen.iter_mut().zip(candidates) {
            let room = left.saturating_sub(budget - part(most));
            let counted = match (&slot, form) {
                (Chosen::Nothing, CodeForm::Signature) => signature(candidate, room),
                (Chosen::Nothing, _) => counted(head(candidate), room),
                _ => None,
            };
            if let Some(counted) = counted {
                left -= counted.tokens;
                *slot = Chosen::Listed(form, counted);
            }
        }
    }
    Ok(chosen)
}

/// Drops what is part of an item whose source is listed; gives the tokens that this saves.
fn drop_inside(chosen: &mut [Chosen], candidates: &[Candidate], outer: &Item) -> usize {
    let mut saved = 0;
    for (slot, candidate) in chosen.iter_mut().zip(candidates) {
        let item = &candidate.item;
        let inside = item.id != outer.id
            && item.file_path == outer.file_path
            && item.span.start_byte >= outer.span.start_byte
            && item.span.end_byte <= outer.span.end_byte;
        if inside {
            if let Chosen::Listed(_, counted) = slot {
                saved += counted.tokens;
            }
            *slot = Chosen::Inside;
        }
    }
    saved
}

pub(super) fn name(item: &Item) -> &str {
    item.path.as_deref().unwrap_or(&item.name)
}

fn head(Candidate { item, other, why, .. }: &Candidate) -> String {
    let span = &item.span;
    let other = other.as_ref().map_or(String::new(), |condition| format!(" under {condition}"));
    let (first, last) = (span.start_line, span.end_line);
    let why = if why.is_empty() { String::new() } else { format!("  [{why}]") };
    format!("// {} {}:{first}-{last}{other}{why}\n", name(item), item.file_path)
}

/// The whole source of an item, if it has at most so many tokens.
fn source(candidate: &Candidate, source: &str, most: usize) -> Option<Counted> {
    let source = source.trim_end();
    let mut text = head(candidate);
    // An item begins after the indentation of its first line; its last line has the same.
    if let Some((_, last)) = source.rsplit_once('\n') {
        text.push_str(last.get(..last.len() - last.trim_start().len()).unwrap_or_default());
    }
    text.push_str(source);
    text.push('\n');
    counted(text, most)
}

/// The signature of an item and the first line of its documentation.
fn signature(candidate: &Candidate, most: usize) -> Option<Counted> {
    let (item, mut text) = (&candidate.item, head(candidate));
    if let Some(line) = item.docs.lines().map(str::trim).find(|line| !line.is_empty()) {
        text.push_str(&format!("/// {line}\n"));
    }
    text.push_str(&item.signature);
    text.push('\n');
    counted(text, most)
}

/// The lines of an item that say most, for one that is too large.
fn excerpt(texts: &Texts<'_>, candidate: &Candidate, source: &str, most: usize) -> Option<Counted> {
    let mut text = head(candidate);
    text.push_str(&candidate.item.signature);
    text.push_str("\n// …\n");
    let used = tokens_within(&text, most)?;
    let lines = (texts.excerpt)(source, most.saturating_sub(used + 8))?;
    text.push_str(&lines);
    text.push_str("\n// …\n");
    counted(text, most)
}

fn counted(text: String, most: usize) -> Option<Counted> {
    let tokens = tokens_within(&text, most)?;
    Some(Counted { text, tokens })
}
