//! From an item backwards, version by version, across the ids that it had.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::past::{Past, before};
use crate::engine::error::EngineError;
use crate::item_tracking::{Class, Comparison, ItemState, may_take_in};
use crate::model::{Micros, NodeId, TextHash};
use crate::query::ItemVersion;

/// A version as it is met on the way.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub at: Micros,
    pub state: ItemState,
    /// What happened; nothing where the versions before were dropped, or the history begins, so
    /// that nobody knows.
    pub classes: Vec<Class>,
    /// Whether it was there when the history begins.
    pub present_at_start: bool,
    /// What it was before, where it had another id.
    pub previous: Option<ItemState>,
    /// Likeness to that, 0 to 1.
    pub similarity: Option<f64>,
    /// Of a split: what it was a part of. Of a merge: what it took in.
    pub from: Vec<ItemState>,
    /// Of a removal: the id of what it became or went into.
    pub to: Option<NodeId>,
}

/// What is done with each version, and whether to go on.
pub(super) type Visit<'v> =
    dyn FnMut(&mut Past<'_>, Step) -> Result<ControlFlow<()>, EngineError> + 'v;

/// Visits the versions of an item up to a time, the newest first.
pub(super) fn walk(
    past: &mut Past<'_>,
    start: NodeId,
    until: Micros,
    visit: &mut Visit<'_>,
) -> Result<(), EngineError> {
    let mut id = start;
    let mut end = Micros(until.0.saturating_add(1));
    // Every turn goes to an earlier time.
    'ids: loop {
        let versions = past.versions(id, end)?;
        load_texts(past, &versions)?;
        let takings = takings(past, &versions)?;
        for (at, version) in versions.iter().enumerate() {
            let since = version.since;
            let older = versions.get(at + 1);
            if past.is_oldest_kept(since) {
                return match version.asserted {
                    true => {
                        visit(past, step(since, version.clone().into(), Vec::new())).map(|_| ())
                    }
                    false => Ok(()),
                };
            }
            if let Some(older) = older
                && is_repeated(past, older, version)?
            {
                continue;
            }
            let older = older.filter(|older| older.asserted);
            let state = ItemState::from(version.clone());
            if !version.asserted {
                let flow = visit(past, removal(past, since, state)?)?;
                if flow.is_break() {
                    return Ok(());
                }
                continue;
            }
            if let Some(older) = older {
                let older = ItemState::from(older.clone());
                let takes = takings.contains(&since);
                let flow = visit_change(past, since, &older, state, takes, visit)?;
                if flow.is_break() {
                    return Ok(());
                }
                continue;
            }
            if past.is_start(since)? {
                let step = Step { present_at_start: true, ..step(since, state, Vec::new()) };
                return visit(past, step).map(|_| ());
            }
            let step = arrival(past, since, state)?;
            let origin = step.previous.as_ref().map(|previous| previous.id);
            if visit(past, step)?.is_break() {
                return Ok(());
            }
            if let Some(origin) = origin {
                (id, end) = (origin, since);
                continue 'ids;
            }
        }
        return Ok(());
    }
}

/// Whether a version says just what the one before it said.
fn is_repeated(
    past: &Past<'_>,
    older: &ItemVersion,
    version: &ItemVersion,
) -> Result<bool, EngineError> {
    let (one, other) = (older.since, version.since);
    if version.tracking_hash != older.tracking_hash
        || *version != (ItemVersion { since: other, ..older.clone() })
    {
        return Ok(false);
    }
    past.same_row(version.id, (one, other))
}

fn step(at: Micros, state: ItemState, classes: Vec<Class>) -> Step {
    Step {
        at,
        state,
        classes,
        present_at_start: false,
        previous: None,
        similarity: None,
        from: Vec::new(),
        to: None,
    }
}

fn load_texts(past: &mut Past<'_>, versions: &[ItemVersion]) -> Result<(), EngineError> {
    /// More versions than this are loaded as they are met.
    const AT_ONCE: usize = 64;
    let mut wanted: Vec<TextHash> = Vec::new();
    for pair in versions.windows(2).take(AT_ONCE) {
        if let [new, old] = pair
            && new.asserted
            && old.asserted
        {
            let (old, new) = (ItemState::from(old.clone()), ItemState::from(new.clone()));
            wanted.extend(Comparison { old: &old, new: &new }.texts());
        }
    }
    past.load_texts(wanted)
}

/// What changed, with the texts that it takes to tell.
pub(super) fn classes(
    past: &mut Past<'_>,
    old: &ItemState,
    new: &ItemState,
) -> Result<Vec<Class>, EngineError> {
    let comparison = Comparison { old, new };
    past.load_texts(comparison.texts())?;
    let past = &*past;
    Ok(comparison.classes(&|hash| past.text(hash)))
}

/// Revisions at which the item may have taken in another: those that removed an item most of
/// which this one gained. A few questions for the whole past, where judging each revision
/// takes milliseconds.
fn takings(past: &mut Past<'_>, versions: &[ItemVersion]) -> Result<BTreeSet<Micros>, EngineError> {
    let pairs = versions.windows(2).filter_map(|pair| match pair {
        [new, old] if new.asserted && old.asserted => {
            let texts = new.text_hash.zip(old.text_hash).filter(|(new, old)| new != old)?;
            (new.shape_hash != old.shape_hash).then_some((new.since, (new, texts)))
        }
        _ => None,
    });
    let pairs: BTreeMap<Micros, _> = pairs.collect();
    let times: Vec<Micros> = pairs.keys().copied().collect();
    past.load_item_matches(&times)?;
    let mut found = BTreeSet::new();
    let mut times = Vec::new();
    for (at, (version, _)) in &pairs {
        match past.known_item_matches(*at) {
            Some(known) if known.merges.values().any(|into| into.other == version.id) => {
                found.insert(*at);
            }
            Some(_) => {}
            None => times.push(*at),
        }
    }
    let gone = past.removed_code(&times)?;
    let mut wanted: Vec<TextHash> = gone.values().flatten().filter_map(|i| i.text_hash).collect();
    for (at, (_, (new, old))) in &pairs {
        if gone.contains_key(at) {
            wanted.extend([*new, *old]);
        }
    }
    past.load_texts(wanted)?;
    let past = &*past;
    let takes = |(at, items): (&Micros, &Vec<ItemState>)| -> Option<Micros> {
        let (version, (new, old)) = pairs.get(at)?;
        let [new, old] =
            [past.text(new)?, past.text(old)?].map(|text| (text, version.name.as_str()));
        let into = |item: &ItemState| {
            let text = item.text_hash.and_then(|hash| past.text(&hash));
            text.is_some_and(|text| may_take_in(old, new, (text, item)))
        };
        items.iter().any(into).then_some(*at)
    };
    found.extend(gone.iter().filter_map(takes));
    Ok(found)
}

fn visit_change(
    past: &mut Past<'_>,
    at: Micros,
    old: &ItemState,
    new: ItemState,
    takes: bool,
    visit: &mut Visit<'_>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut classes = classes(past, old, &new)?;
    if classes.is_empty() {
        // What resolution reads of its head, and no column tells.
        classes.push(Class::Signature);
    }
    let mut from = Vec::new();
    if takes && classes.contains(&Class::Body) {
        from = taken_in(past, at, new.id)?;
        if !from.is_empty() {
            classes.push(Class::MergedIn);
            classes.sort();
        }
    }
    visit(past, Step { from, ..step(at, new, classes) })
}

/// Removed items that went into this one.
fn taken_in(past: &mut Past<'_>, at: Micros, id: NodeId) -> Result<Vec<ItemState>, EngineError> {
    let item_matches = past.item_matches(at)?;
    let merged = item_matches.merges.iter().filter(|(_, stream)| stream.other == id);
    let merged: Vec<NodeId> = merged.map(|(gone, _)| *gone).collect();
    past.load_versions(&merged)?;
    merged.into_iter().filter_map(|gone| last_before(past, gone, at).transpose()).collect()
}

/// What an item was before a revision, if it was there.
fn last_before(
    past: &mut Past<'_>,
    id: NodeId,
    at: Micros,
) -> Result<Option<ItemState>, EngineError> {
    let last = past.versions(id, at)?.into_iter().next();
    Ok(last.filter(|version| version.asserted).map(ItemState::from))
}

fn removal(past: &Past<'_>, at: Micros, state: ItemState) -> Result<Step, EngineError> {
    let item_matches = past.item_matches(at)?;
    let (mut classes, mut to) = (vec![Class::Removed], None);
    if let Some(fate) = item_matches.fates.get(&state.id) {
        to = Some(*fate);
    } else if let Some(stream) = item_matches.merges.get(&state.id) {
        to = Some(stream.other);
        classes.push(Class::MergedIn);
    }
    Ok(Step { to, ..step(at, state, classes) })
}

/// The first version of an id: from another id, from a part of another item, or new.
fn arrival(past: &mut Past<'_>, at: Micros, state: ItemState) -> Result<Step, EngineError> {
    let item_matches = past.item_matches(at)?;
    let mut step = step(at, state, vec![Class::Added]);
    if let Some(origin) = item_matches.origins.get(&step.state.id)
        && let Some(previous) = last_before(past, origin.from, at)?
    {
        step.classes = classes(past, &previous, &step.state)?;
        if step.classes.is_empty() {
            // Only its place among its like is another: an ordinal.
            step.classes.push(Class::Moved);
        }
        step.similarity = Some(origin.similarity);
        step.previous = Some(previous);
        let from = taken_in(past, at, step.state.id)?;
        if !from.is_empty() {
            step.classes.push(Class::MergedIn);
            step.classes.sort();
            step.from = from;
        }
    } else if let Some(stream) = item_matches.splits.get(&step.state.id) {
        step.classes = vec![Class::SplitOff];
        step.similarity = Some(stream.share);
        let then = past.queries_at(before(at));
        step.from = super::past::states(&then, &[stream.other])?;
    }
    Ok(step)
}
