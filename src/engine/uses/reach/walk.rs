//! Shortest ways through the graph, from the members of sets backwards.

use std::collections::VecDeque;

use super::graph::{Graph, Hit, Step};

/// Which steps a way may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// Certain ones that the configuration has.
    Certain,
    /// All that the configuration has.
    Possible,
    /// Certain ones, under any condition.
    CertainElsewhere,
    /// All.
    PossibleElsewhere,
}

impl Tier {
    pub const ALL: [Self; 4] =
        [Self::Certain, Self::Possible, Self::CertainElsewhere, Self::PossibleElsewhere];

    pub fn is_certain(self) -> bool {
        matches!(self, Self::Certain | Self::CertainElsewhere)
    }

    pub fn allows(self, step: &Step) -> bool {
        let is_here = step.other_condition.is_none();
        match self {
            Self::Certain => step.is_certain && is_here,
            Self::Possible => is_here,
            Self::CertainElsewhere => step.is_certain,
            Self::PossibleElsewhere => true,
        }
    }
}

/// The next step of a shortest way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Hit(usize),
    Edge(usize),
}

/// The next step from each node; none from where no way is.
#[derive(Debug)]
pub(super) struct Ways {
    next: Vec<Option<Next>>,
}

/// The edges into each node: the source, and the number among its edges.
pub(super) struct Incoming(Vec<Vec<(usize, usize)>>);

impl Incoming {
    pub fn new(graph: &Graph) -> Self {
        let mut sources = vec![Vec::new(); graph.nodes.len()];
        for (from, node) in graph.nodes.iter().enumerate() {
            for (at, edge) in node.edges.iter().enumerate() {
                if let Some(sources) = sources.get_mut(edge.to) {
                    sources.push((from, at));
                }
            }
        }
        Self(sources)
    }

    /// The number of steps from each node to the nearest goal; none where there is no way.
    fn distances(
        &self,
        graph: &Graph,
        tier: Tier,
        is_goal: impl Fn(usize) -> bool,
    ) -> Vec<Option<u32>> {
        let goals = 0..graph.nodes.len();
        let mut queue: VecDeque<usize> = goals.filter(|number| is_goal(*number)).collect();
        let mut distance: Vec<Option<u32>> = vec![None; graph.nodes.len()];
        for number in &queue {
            if let Some(known) = distance.get_mut(*number) {
                *known = Some(0);
            }
        }
        while let Some(to) = queue.pop_front() {
            let steps = distance.get(to).copied().flatten().map_or(1, |steps| steps + 1);
            for (from, at) in self.0.get(to).into_iter().flatten() {
                let edge = graph.nodes.get(*from).and_then(|node| node.edges.get(*at));
                if let Some(known @ None) = distance.get_mut(*from)
                    && edge.is_some_and(|edge| tier.allows(&edge.step))
                {
                    *known = Some(steps);
                    queue.push_back(*from);
                }
            }
        }
        distance
    }

    /// Nodes from which a call is not resolved, or leads out of the workspace.
    pub fn open(&self, graph: &Graph) -> Vec<bool> {
        let is_open = |number: usize| {
            graph.nodes.get(number).is_some_and(|node| node.unresolved + node.outside > 0)
        };
        let distances = self.distances(graph, Tier::PossibleElsewhere, is_open);
        distances.into_iter().map(|steps| steps.is_some()).collect()
    }
}

impl Ways {
    /// Finds a shortest way from each node to a set, by the most certain steps, then by path.
    pub fn find(graph: &Graph, incoming: &Incoming, tier: Tier, set: usize) -> Self {
        let hits = |number: usize| {
            graph.nodes.get(number).into_iter().flat_map(|node| node.hits.iter().enumerate())
        };
        let allowed = |hit: &Hit| hit.set == set && tier.allows(&hit.step);
        let is_goal = |number| hits(number).any(|(_, hit)| allowed(hit));
        let distances = incoming.distances(graph, tier, is_goal);
        let steps = |number: usize| distances.get(number).copied().flatten();
        let next = |number: usize| -> Option<Next> {
            if steps(number)? == 0 {
                let own = hits(number).filter(|(_, hit)| allowed(hit));
                let best = own.min_by(|(_, a), (_, b)| {
                    by_certainty(&a.step, &b.step).then_with(|| a.what.cmp(&b.what))
                });
                return best.map(|(at, _)| Next::Hit(at));
            }
            let below = steps(number)?.checked_sub(1)?;
            let path = |to: usize| graph.nodes.get(to).map(|node| node.path.as_str());
            let edges = graph.nodes.get(number)?.edges.iter().enumerate();
            let nearer =
                edges.filter(|(_, edge)| tier.allows(&edge.step) && steps(edge.to) == Some(below));
            let best = nearer.min_by(|(_, a), (_, b)| {
                by_certainty(&a.step, &b.step).then_with(|| path(a.to).cmp(&path(b.to)))
            });
            best.map(|(at, _)| Next::Edge(at))
        };
        Self { next: (0..graph.nodes.len()).map(next).collect() }
    }

    /// Whether there is a way from a node.
    pub fn leads(&self, from: usize) -> bool {
        self.next.get(from).copied().flatten().is_some()
    }

    /// The nodes of the way from a node, each with the step that leaves it.
    pub fn follow(&self, graph: &Graph, from: usize) -> Vec<(usize, Next)> {
        let mut way = Vec::new();
        let mut at = from;
        // Each step is nearer, so a way is no longer than the graph.
        while let Some(next) = self.next.get(at).copied().flatten()
            && way.len() <= graph.nodes.len()
        {
            way.push((at, next));
            match next {
                Next::Hit(_) => break,
                Next::Edge(edge) => match graph.nodes.get(at).and_then(|n| n.edges.get(edge)) {
                    Some(edge) => at = edge.to,
                    None => break,
                },
            }
        }
        way
    }
}

/// The more certain step first.
fn by_certainty(a: &Step, b: &Step) -> std::cmp::Ordering {
    let rank = |step: &Step| (step.is_certain, step.confidence.unwrap_or_default());
    let ((a_sure, a_confidence), (b_sure, b_confidence)) = (rank(a), rank(b));
    b_sure.cmp(&a_sure).then_with(|| b_confidence.total_cmp(&a_confidence))
}

/// All that is after some nodes, these included.
pub(super) fn after(graph: &Graph, starts: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; graph.nodes.len()];
    let mut found: Vec<usize> = Vec::new();
    let mut add = |found: &mut Vec<usize>, number: usize| {
        if let Some(seen @ false) = seen.get_mut(number) {
            *seen = true;
            found.push(number);
        }
    };
    starts.iter().for_each(|number| add(&mut found, *number));
    let mut next = 0;
    while let Some(at) = found.get(next).copied() {
        next += 1;
        let edges = graph.nodes.get(at).into_iter().flat_map(|node| &node.edges);
        edges.for_each(|edge| add(&mut found, edge.to));
    }
    found
}
