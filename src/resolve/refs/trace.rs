//! Logs why names resolved as they did, for `ASOF_LOG=asof_resolve=trace`. Nothing of it is
//! computed unless someone listens.

use tracing::{Level, enabled, trace};

use super::super::Node;
use super::item_index::ItemIndex;
use super::paths::{ResolvedName, Target};
use asof_model::{Condition, FileUses};

/// A name that became a reference, with the rule that found its target.
pub(super) fn resolved(
    world: &ItemIndex<'_>,
    (uses, name): (&FileUses, &ResolvedName),
    source: &Node,
    condition: Option<&Condition>,
) {
    if !enabled!(Level::TRACE) {
        return;
    }
    trace!(
        at = place(uses, name.at),
        kind = name.kind.as_str(),
        target = target(world, &name.target),
        rule = name.rule.as_str(),
        confidence = name.rule.confidence(name.several as usize),
        candidates = name.several,
        condition = condition.map(tracing::field::display),
        within = source.path,
        "resolved",
    );
}

/// A name that is no reference: no build has both ends of it.
pub(super) fn left_out(
    world: &ItemIndex<'_>,
    (uses, name): (&FileUses, &ResolvedName),
    condition: &Condition,
) {
    if !enabled!(Level::TRACE) {
        return;
    }
    trace!(
        at = place(uses, name.at),
        kind = name.kind.as_str(),
        target = target(world, &name.target),
        rule = name.rule.as_str(),
        %condition,
        "left out: no build has both the use and its target",
    );
}

/// Line and column, from 1.
fn place(uses: &FileUses, at: u32) -> String {
    let line = uses.lines.partition_point(|first| *first <= at);
    let first = line.checked_sub(1).and_then(|line| uses.lines.get(line)).copied().unwrap_or(0);
    format!("{line}:{}", at.saturating_sub(first) + 1)
}

fn target(world: &ItemIndex<'_>, target: &Target) -> String {
    match target {
        Target::Def(def) if world.is_library(*def) => world.library_name(*def),
        Target::Def(def) => world.node(*def).map_or_else(String::new, |node| node.path.clone()),
        Target::External(path) => path.to_string(),
        Target::Unknown(text) => format!("?{text}"),
    }
}
