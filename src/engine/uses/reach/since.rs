//! Since when a path is there: since when each of its steps is.

use std::collections::{BTreeSet, HashMap};

use super::Found;
use super::graph::{How, has_qualifier};
use super::walk::Next;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::past::Past;
use asof_model::{Micros, NodeId};
use asof_query::{ItemVersion, Queries};
use asof_syntax::HazardKind;
use asof_wire::ReachSince;

/// What decides since when a step is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A use of the second by the first.
    Use(NodeId, NodeId),
    /// A place in the text of an item; none for its head.
    Text(NodeId, Option<HazardKind>),
}

impl Snapshot<'_> {
    /// Since when all steps of each way are there, up to its present end; none for a way whose past is
    /// not kept.
    pub(super) fn date_ways(
        &self,
        found: &Found,
        ways: &[Vec<(usize, Next)>],
    ) -> Result<Vec<Option<ReachSince>>, EngineError> {
        let parts: Vec<Vec<Part>> = ways.iter().map(|way| parts(found, way)).collect();
        let all: Vec<Part> = parts.iter().flatten().copied().collect();
        let queries = Queries::at(self.store(), self.at);
        let mut past = Past::new(self.store(), self.at, self.floor, &self.database.item_matches);
        let mut since: HashMap<Part, Micros> = HashMap::new();
        date_uses(&queries, &all, &mut since)?;
        date_texts(&queries, &mut past, &all, &mut since)?;
        let start = Queries::history_start(self.store())?;
        let mut dated = Vec::with_capacity(ways.len());
        for parts in parts {
            let times: Option<Vec<Micros>> =
                parts.iter().map(|part| since.get(part).copied()).collect();
            let newest = times.and_then(|times| times.into_iter().max());
            let is_kept = |at: &Micros| self.floor.is_none_or(|floor| *at > floor);
            let Some(at) = newest.filter(is_kept) else {
                dated.push(None);
                continue;
            };
            let event = past.event(at)?;
            let present_at_start = start == Some(at);
            let event = if present_at_start { event.without_author() } else { event };
            dated.push(Some(ReachSince { event, present_at_start }));
        }
        Ok(dated)
    }
}

/// The parts of a way.
fn parts(found: &Found, way: &[(usize, Next)]) -> Vec<Part> {
    let part = |(number, next): &(usize, Next)| {
        let node = found.graph.nodes.get(*number)?;
        Some(match next {
            Next::Hit(at) => {
                let hit = node.hits.get(*at)?;
                match (hit.step.how, hit.what.as_str()) {
                    (How::Text, "unsafe") => Part::Text(node.id, Some(HazardKind::Unsafe)),
                    (How::Text, "indexing") => Part::Text(node.id, Some(HazardKind::Indexing)),
                    (How::Text, "arithmetic") => Part::Text(node.id, Some(HazardKind::Arithmetic)),
                    (How::Text, _) => Part::Text(node.id, None),
                    _ => Part::Use(node.id, hit.target),
                }
            }
            Next::Edge(at) => {
                let edge = node.edges.get(*at)?;
                let to = found.graph.nodes.get(edge.to)?.id;
                match edge.step.how {
                    // An impl names what it implements.
                    How::Dispatch => Part::Use(to, node.id),
                    _ => Part::Use(node.id, to),
                }
            }
        })
    };
    // The dispatch to the trait's own body is no use.
    let is_own = |part: &Part| matches!(part, Part::Use(source, target) if source == target);
    way.iter().filter_map(part).filter(|part| !is_own(part)).collect()
}

fn date_uses(
    queries: &Queries<'_>,
    parts: &[Part],
    since: &mut HashMap<Part, Micros>,
) -> Result<(), EngineError> {
    let uses = parts.iter().filter_map(|part| match part {
        Part::Use(source, target) => Some((*source, *target)),
        Part::Text(..) => None,
    });
    let pairs: BTreeSet<(NodeId, NodeId)> = uses.collect();
    let sources: BTreeSet<NodeId> = pairs.iter().map(|(source, _)| *source).collect();
    let targets: BTreeSet<NodeId> = pairs.iter().map(|(_, target)| *target).collect();
    let (sources, targets): (Vec<NodeId>, Vec<NodeId>) =
        (sources.into_iter().collect(), targets.into_iter().collect());
    let mut versions: HashMap<NodeId, Vec<(Micros, BTreeSet<NodeId>)>> = HashMap::new();
    for row in queries.step_versions(&sources, &targets)? {
        let at = row.since;
        versions.entry(row.source).or_default().push((at, row.targets.into_iter().collect()));
    }
    for (source, target) in pairs {
        let newest_first = versions.get(&source).into_iter().flatten();
        let unbroken = newest_first.take_while(|(_, targets)| targets.contains(&target));
        if let Some((at, _)) = unbroken.last() {
            since.insert(Part::Use(source, target), *at);
        }
    }
    Ok(())
}

fn date_texts(
    queries: &Queries<'_>,
    past: &mut Past<'_>,
    parts: &[Part],
    since: &mut HashMap<Part, Micros>,
) -> Result<(), EngineError> {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(id, kind) => Some((*id, *kind)),
        Part::Use(..) => None,
    });
    let wanted: Vec<(NodeId, Option<HazardKind>)> = texts.collect();
    let ids: BTreeSet<NodeId> = wanted.iter().map(|(id, _)| *id).collect();
    let mut versions: HashMap<NodeId, Vec<ItemVersion>> = HashMap::new();
    for row in queries.versions(&ids.into_iter().collect::<Vec<_>>())? {
        versions.entry(row.id).or_default().push(row);
    }
    past.load_texts(versions.values().flatten().filter_map(|version| version.text_hash))?;
    for (id, kind) in wanted {
        let has = |version: &&ItemVersion| {
            version.asserted
                && match kind {
                    None => has_qualifier(&version.signature, "unsafe"),
                    Some(kind) => {
                        let text = version.text_hash.as_ref().and_then(|hash| past.text(hash));
                        text.is_some_and(|text| has_place(text, kind))
                    }
                }
        };
        let newest_first = versions.get(&id).into_iter().flatten();
        if let Some(oldest) = newest_first.take_while(has).last() {
            since.insert(Part::Text(id, kind), oldest.since);
        }
    }
    Ok(())
}

fn has_place(text: &str, kind: HazardKind) -> bool {
    let hazards = asof_syntax::with_large_stack(|| asof_syntax::hazards(text)).unwrap_or_default();
    hazards.places.iter().any(|place| place.kind == kind)
}
