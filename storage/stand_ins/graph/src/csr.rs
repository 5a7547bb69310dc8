//! Adjacency lists: all targets in one vector, ordered by source, and where those of a node begin.

use std::marker::PhantomData;

/// The other end of an edge, with the edge's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target<NI, EV> {
    pub target: NI,
    pub value: EV,
}

/// Order of the targets of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CsrLayout {
    /// By target; parallel edges keep their order.
    #[default]
    Sorted,
}

pub trait Graph<NI> {
    /// One more than the highest node of an edge, or the number of node values if that is higher.
    fn node_count(&self) -> NI;
    fn edge_count(&self) -> NI;
}

pub trait DirectedDegrees<NI> {
    fn out_degree(&self, node: NI) -> NI;
    fn in_degree(&self, node: NI) -> NI;
}

pub trait DirectedNeighbors<NI: 'static> {
    fn out_neighbors(&self, node: NI) -> impl ExactSizeIterator<Item = &NI>;
    fn in_neighbors(&self, node: NI) -> impl ExactSizeIterator<Item = &NI>;
}

pub trait DirectedNeighborsWithValues<NI: 'static, EV: 'static> {
    fn out_neighbors_with_values(&self, node: NI) -> std::slice::Iter<'_, Target<NI, EV>>;
    fn in_neighbors_with_values(&self, node: NI) -> std::slice::Iter<'_, Target<NI, EV>>;
}

/// Lists for one direction.
#[derive(Debug, Clone)]
struct Lists<EV> {
    /// Where the targets of each node begin, and the end of the last ones.
    starts: Vec<u32>,
    targets: Vec<Target<u32, EV>>,
}

impl<EV: Copy> Lists<EV> {
    fn from_edges(nodes: usize, mut edges: Vec<(u32, u32, EV)>) -> Self {
        edges.sort_by_key(|(source, target, _)| (*source, *target));
        let mut starts = Vec::with_capacity(nodes + 1);
        let mut next = 0;
        for node in 0..=nodes {
            let before = |(source, ..): &(u32, u32, EV)| (*source as usize) < node;
            next += edges.get(next..).unwrap_or_default().partition_point(before);
            starts.push(next as u32);
        }
        let targets =
            edges.into_iter().map(|(_, target, value)| Target { target, value }).collect();
        Self { starts, targets }
    }

    /// Empty for a node that there is not.
    fn targets(&self, node: u32) -> &[Target<u32, EV>] {
        let at = |node: usize| self.starts.get(node).map(|start| *start as usize);
        let node = node as usize;
        let range = at(node).zip(at(node + 1)).map(|(start, end)| start..end);
        range.and_then(|range| self.targets.get(range)).unwrap_or_default()
    }
}

/// A directed graph whose nodes are numbers from 0. Nodes have no values.
#[derive(Debug, Clone)]
pub struct DirectedCsrGraph<NI, NV = (), EV = ()> {
    out: Lists<EV>,
    into: Lists<EV>,
    nodes: PhantomData<(NI, NV)>,
}

impl<EV: Copy> Graph<u32> for DirectedCsrGraph<u32, (), EV> {
    fn node_count(&self) -> u32 {
        self.out.starts.len().saturating_sub(1) as u32
    }

    fn edge_count(&self) -> u32 {
        self.out.targets.len() as u32
    }
}

impl<EV: Copy> DirectedDegrees<u32> for DirectedCsrGraph<u32, (), EV> {
    fn out_degree(&self, node: u32) -> u32 {
        self.out.targets(node).len() as u32
    }

    fn in_degree(&self, node: u32) -> u32 {
        self.into.targets(node).len() as u32
    }
}

impl<EV: Copy> DirectedNeighbors<u32> for DirectedCsrGraph<u32, (), EV> {
    fn out_neighbors(&self, node: u32) -> impl ExactSizeIterator<Item = &u32> {
        self.out.targets(node).iter().map(|edge| &edge.target)
    }

    fn in_neighbors(&self, node: u32) -> impl ExactSizeIterator<Item = &u32> {
        self.into.targets(node).iter().map(|edge| &edge.target)
    }
}

impl<EV: Copy + 'static> DirectedNeighborsWithValues<u32, EV> for DirectedCsrGraph<u32, (), EV> {
    fn out_neighbors_with_values(&self, node: u32) -> std::slice::Iter<'_, Target<u32, EV>> {
        self.out.targets(node).iter()
    }

    fn in_neighbors_with_values(&self, node: u32) -> std::slice::Iter<'_, Target<u32, EV>> {
        self.into.targets(node).iter()
    }
}

/// Takes edges and makes a graph of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct GraphBuilder;

impl GraphBuilder {
    pub fn new() -> Self {
        Self
    }

    #[must_use]
    pub fn csr_layout(self, _layout: CsrLayout) -> Self {
        self
    }

    pub fn edges(self, edges: impl IntoIterator<Item = (u32, u32)>) -> Edges<()> {
        self.edges_with_values(edges.into_iter().map(|(source, target)| (source, target, ())))
    }

    pub fn edges_with_values<EV>(
        self,
        edges: impl IntoIterator<Item = (u32, u32, EV)>,
    ) -> Edges<EV> {
        Edges { edges: edges.into_iter().collect(), nodes: 0 }
    }
}

/// The edges of a graph to be. There are at most `u32::MAX` of them.
#[derive(Debug, Clone)]
pub struct Edges<EV> {
    edges: Vec<(u32, u32, EV)>,
    nodes: usize,
}

impl<EV: Copy> Edges<EV> {
    /// There are at least as many nodes as values.
    #[must_use]
    pub fn node_values(self, values: impl IntoIterator<Item = ()>) -> Self {
        Self { nodes: values.into_iter().count(), ..self }
    }

    /// A graph without edges has one node, if no number of nodes is given.
    pub fn build(self) -> DirectedCsrGraph<u32, (), EV> {
        let highest = self.edges.iter().map(|(source, target, _)| *source.max(target)).max();
        let nodes = self.nodes.max(highest.unwrap_or_default() as usize + 1);
        let turned = self.edges.iter().map(|&(source, target, value)| (target, source, value));
        let into = Lists::from_edges(nodes, turned.collect());
        DirectedCsrGraph { out: Lists::from_edges(nodes, self.edges), into, nodes: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_sorted_and_both_ways() {
        let edges = [(2, 0, 1.5), (0, 3, 0.5), (0, 1, 2.5), (0, 1, 9.0)];
        let graph = GraphBuilder::new().csr_layout(CsrLayout::Sorted).edges_with_values(edges);
        let graph = graph.build();
        assert_eq!((graph.node_count(), graph.edge_count()), (4, 4));
        let out: Vec<_> =
            graph.out_neighbors_with_values(0).map(|edge| (edge.target, edge.value)).collect();
        assert_eq!(out, [(1, 2.5), (1, 9.0), (3, 0.5)]);
        assert_eq!(graph.in_neighbors(0).collect::<Vec<_>>(), [&2]);
        assert_eq!(graph.in_neighbors_with_values(3).len(), 1);
        assert_eq!((graph.out_degree(0), graph.in_degree(1), graph.out_degree(1)), (3, 2, 0));
        assert_eq!(graph.out_neighbors(9).len(), 0);
    }

    #[test]
    fn nodes_without_edges_count() {
        let none = GraphBuilder::new().edges([]).build();
        assert_eq!((none.node_count(), none.edge_count()), (1, 0));
        let five = GraphBuilder::new().edges([(0, 1)]).node_values(vec![(); 5]).build();
        assert_eq!(five.node_count(), 5);
        assert_eq!(five.out_degree(4), 0);
    }
}
