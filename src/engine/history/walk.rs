//! The versions of an item, newest first, across its earlier ids.

use std::ops::ControlFlow;

use crate::error::EngineError;
use crate::past::{Past, before, item_state};
use asof_item_tracking::{Class, Comparison, ItemState, MatchKind};
use asof_model::{Micros, NodeId, TextHash};
use asof_query::ItemVersion;

/// A version with what happened to the item.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub at: Micros,
    pub state: ItemState,
    /// What changed; empty if that is unknown, because earlier versions were dropped or the history
    /// begins here.
    pub classes: Vec<Class>,
    /// Whether the item existed when the history begins.
    pub present_at_start: bool,
    /// The previous item, if it had another id.
    pub previous: Option<ItemState>,
    /// Similarity to the previous item, 0 to 1.
    pub similarity: Option<f64>,
    /// For a split, the item that it was a part of. For a merge, the items merged into it.
    pub from: Vec<ItemState>,
    /// For a removal, the id of the item that it became or was merged into.
    pub to: Option<NodeId>,
}

/// Handles each version and says whether to continue.
pub(super) type Visit<'v> =
    dyn FnMut(&mut Past<'_>, Step) -> Result<ControlFlow<()>, EngineError> + 'v;

/// Visits the versions of an item up to a time, newest first.
pub(super) fn walk(
    past: &mut Past<'_>,
    start: NodeId,
    until: Micros,
    visit: &mut Visit<'_>,
) -> Result<(), EngineError> {
    let mut id = start;
    let mut end = Micros(until.0.saturating_add(1));
    // Each iteration goes to an earlier time.
    'ids: loop {
        past.load(&[id])?;
        let versions = past.versions(id, end)?;
        load_texts(past, &versions)?;
        for (at, version) in versions.iter().enumerate() {
            let since = version.since;
            let older = versions.get(at + 1);
            if past.is_oldest_kept(since) {
                return if version.asserted {
                    visit(past, step(since, item_state(version.clone()), Vec::new())).map(|_| ())
                } else {
                    Ok(())
                };
            }
            if let Some(older) = older
                && is_repeated(past, older, version)?
            {
                continue;
            }
            let older = older.filter(|older| older.asserted);
            let state = item_state(version.clone());
            if !version.asserted {
                let step = removal(past, since, state)?;
                let flow = visit(past, step)?;
                if flow.is_break() {
                    return Ok(());
                }
                continue;
            }
            if let Some(older) = older {
                let older = item_state(older.clone());
                let flow = visit_change(past, since, &older, state, visit)?;
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

/// Whether a version equals the one before it.
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
    past.same_row(version.id, one, other)
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
    /// More versions than this are loaded one by one.
    const AT_ONCE: usize = 64;
    let mut wanted: Vec<TextHash> = Vec::new();
    for pair in versions.windows(2).take(AT_ONCE) {
        if let [new, old] = pair
            && new.asserted
            && old.asserted
        {
            let (old, new) = (item_state(old.clone()), item_state(new.clone()));
            wanted.extend(Comparison { old: &old, new: &new }.texts());
        }
    }
    past.load_texts(wanted)
}

/// What changed; reads the texts that the comparison needs.
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

fn visit_change(
    past: &mut Past<'_>,
    at: Micros,
    old: &ItemState,
    new: ItemState,
    visit: &mut Visit<'_>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut classes = classes(past, old, &new)?;
    if classes.is_empty() {
        // Something in its head that name resolution reads but no column contains.
        classes.push(Class::Signature);
    }
    let mut from = Vec::new();
    if classes.contains(&Class::Body) {
        from = taken_in(past, at, new.id)?;
        if !from.is_empty() {
            classes.push(Class::MergedIn);
            classes.sort();
        }
    }
    visit(past, Step { from, ..step(at, new, classes) })
}

/// Removed items that a revision merged into this one.
fn taken_in(past: &mut Past<'_>, at: Micros, id: NodeId) -> Result<Vec<ItemState>, EngineError> {
    let matches = past.matches_into(id, at)?;
    let merged = matches.iter().filter(|found| found.kind == MatchKind::Merged);
    let merged: Vec<NodeId> = merged.map(|found| found.old).collect();
    past.load_versions(&merged)?;
    merged.into_iter().filter_map(|gone| last_before(past, gone, at).transpose()).collect()
}

/// The state of an item before a revision, if it existed.
fn last_before(
    past: &mut Past<'_>,
    id: NodeId,
    at: Micros,
) -> Result<Option<ItemState>, EngineError> {
    let last = past.versions(id, at)?.into_iter().next();
    Ok(last.filter(|version| version.asserted).map(item_state))
}

fn removal(past: &mut Past<'_>, at: Micros, state: ItemState) -> Result<Step, EngineError> {
    let mut classes = vec![Class::Removed];
    let became = past.became(state.id, at)?;
    if became.is_some_and(|found| found.kind == MatchKind::Merged) {
        classes.push(Class::MergedIn);
    }
    Ok(Step { to: became.map(|found| found.new), ..step(at, state, classes) })
}

/// The first version of an id: from another id, from a part of another item, or new.
fn arrival(past: &mut Past<'_>, at: Micros, state: ItemState) -> Result<Step, EngineError> {
    let matches = past.matches_into(state.id, at)?;
    let mut step = step(at, state, vec![Class::Added]);
    let origin = matches.iter().find(|found| found.kind.is_same_item());
    let split = matches.iter().find(|found| found.kind == MatchKind::Split);
    if let Some(origin) = origin
        && let Some(previous) = last_before(past, origin.old, at)?
    {
        step.classes = classes(past, &previous, &step.state)?;
        if step.classes.is_empty() {
            // Only its ordinal among items with the same path differs.
            step.classes.push(Class::Moved);
        }
        step.similarity = Some(origin.confidence);
        step.previous = Some(previous);
        let from = taken_in(past, at, step.state.id)?;
        if !from.is_empty() {
            step.classes.push(Class::MergedIn);
            step.classes.sort();
            step.from = from;
        }
    } else if let Some(split) = split {
        step.classes = vec![Class::SplitOff];
        step.similarity = Some(split.confidence);
        let then = past.queries_at(before(at));
        step.from = crate::past::states(&then, &[split.old])?;
    }
    Ok(step)
}
