//! Paths as answers have them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::graph::{Graph, How, Role, Step};
use super::texts::first_lines;
use super::walk::{Next, after};
use super::{Found, Start};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{Condition, NodeId};
use asof_query::Queries;
use asof_wire::{ReachPath, ReachRequest, ReachStep};

impl Snapshot<'_> {
    /// The ways from these starts, with their steps.
    pub(super) fn describe_paths(
        &self,
        request: &ReachRequest,
        found: &Found,
        listed: &[Start],
    ) -> Result<Vec<ReachPath>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let graph = &found.graph;
        let follow = |start: &Start| {
            let ways = found.ways.get(start.set).and_then(|ways| ways.get(start.tier));
            ways.map_or_else(Vec::new, |ways| ways.follow(graph, start.number))
        };
        let ways: Vec<Vec<(usize, Next)>> = listed.iter().map(follow).collect();
        let numbers = ways.iter().flatten().map(|(number, _)| *number);
        let numbers: BTreeSet<usize> = numbers.chain(listed.iter().map(|one| one.number)).collect();
        let ids: BTreeSet<NodeId> =
            numbers.iter().filter_map(|number| graph.nodes.get(*number)).map(|n| n.id).collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let lines = first_lines(&queries, &ids)?;
        let conditions = queries.conditions_of_items(&ids, &[])?;
        let conditions: BTreeMap<NodeId, String> =
            conditions.into_iter().map(|row| (row.id, row.condition)).collect();
        let known = Known { graph, lines: &lines, conditions: &conditions };
        let since =
            if request.dates { self.date_ways(found, &ways)? } else { vec![None; ways.len()] };
        let mut items = Vec::with_capacity(listed.len());
        for ((start, way), since) in listed.iter().zip(ways).zip(since) {
            let Some(node) = graph.nodes.get(start.number) else { continue };
            let Some(item) = &node.item else { continue };
            let behind = after(graph, &[start.number]);
            let behind = || behind.iter().filter_map(|number| graph.nodes.get(*number));
            let steps: Vec<(ReachStep, &Step)> =
                way.iter().filter_map(|(number, next)| known.step(*number, *next)).collect();
            let hit = way.last().and_then(|(number, next)| known.member(*number, *next));
            let Some(reached) = hit else { continue };
            items.push(ReachPath {
                id: node.id,
                path: node.path.clone(),
                kind: if node.role == Role::AsyncBlocks {
                    "async_block".to_owned()
                } else {
                    item.kind.as_str().to_owned()
                },
                file_path: item.file_path.clone(),
                line: lines.get(&node.id).map_or(1, |(_, name)| *name),
                in_test: item.in_test,
                set: request.sets.get(start.set).cloned().unwrap_or_default(),
                reached: reached.to_owned(),
                certain: start.tier.is_certain(),
                other_condition: steps.iter().find_map(|(_, step)| step.other_condition.clone()),
                since,
                unresolved: behind().map(|node| node.unresolved).sum(),
                outside: behind().map(|node| node.outside).sum(),
                steps: steps.into_iter().map(|(step, _)| step).collect(),
            });
        }
        Ok(items)
    }
}

/// What the steps of paths are described with.
struct Known<'a> {
    graph: &'a Graph,
    /// First line and line of the name of each item.
    lines: &'a HashMap<NodeId, (u32, u32)>,
    /// Presence conditions.
    conditions: &'a BTreeMap<NodeId, String>,
}

impl<'a> Known<'a> {
    fn step(&self, number: usize, next: Next) -> Option<(ReachStep, &'a Step)> {
        let node = self.graph.nodes.get(number)?;
        let (step, target) = match next {
            Next::Hit(at) => node.hits.get(at).map(|hit| (&hit.step, hit.what.clone()))?,
            Next::Edge(at) => {
                let edge = node.edges.get(at)?;
                (&edge.step, self.graph.nodes.get(edge.to)?.path.clone())
            }
        };
        let (first, name) = self.lines.get(&node.id).copied().unwrap_or((1, 1));
        let of_use = step.places.first().map(|(_, down)| first + down);
        let is_head = step.how == How::Text;
        let line = step.line.or(of_use).or(is_head.then_some(name));
        let own = self.conditions.get(&node.id).map(|text| Condition::parse(text));
        let beside = step.condition.as_deref().map(Condition::parse);
        let condition = match (own, beside) {
            (Some(own), Some(beside)) => Some(own.and(&beside).to_string()),
            (one, other) => one.or(other).map(|condition| condition.to_string()),
        };
        let file_path = node.item.as_ref().map(|item| item.file_path.clone());
        let described = ReachStep {
            source: node.path.clone(),
            target,
            how: step.how.as_str().to_owned(),
            confidence: step.confidence,
            condition,
            file_path: file_path.filter(|_| line.is_some()),
            line,
        };
        Some((described, step))
    }

    /// The member of the set that a way ends in.
    fn member(&self, number: usize, next: Next) -> Option<&'a str> {
        let Next::Hit(at) = next else { return None };
        Some(self.graph.nodes.get(number)?.hits.get(at)?.what.as_str())
    }
}
