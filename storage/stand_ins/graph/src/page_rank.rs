//! PageRank by power iteration in place: a node's new score is seen by those behind it in the same
//! round. Source: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", 1999.

use crate::csr::{DirectedDegrees, DirectedNeighbors, Graph};

/// When to stop, and the share of a score that goes along edges.
#[derive(Debug, Clone, Copy)]
pub struct PageRankConfig {
    max_iterations: usize,
    /// The sum of changes in a round below which the scores are final.
    tolerance: f64,
    damping_factor: f32,
}

impl PageRankConfig {
    pub fn new(max_iterations: usize, tolerance: f64, damping_factor: f32) -> Self {
        Self { max_iterations, tolerance, damping_factor }
    }
}

/// Score of each node, number of rounds, and the sum of changes in the last one.
pub fn page_rank<G>(graph: &G, config: PageRankConfig) -> (Vec<f32>, usize, f64)
where
    G: Graph<u32> + DirectedDegrees<u32> + DirectedNeighbors<u32>,
{
    let nodes = graph.node_count();
    let share = |score: f32, node: u32| score / graph.out_degree(node) as f32;
    let first = 1.0 / nodes as f32;
    let base = (1.0 - config.damping_factor) / nodes as f32;
    let mut scores = vec![first; nodes as usize];
    let mut shares: Vec<f32> = (0..nodes).map(|node| share(first, node)).collect();
    let mut round = 0;
    loop {
        let mut change = 0.0;
        for (node, score) in (0..nodes).zip(&mut scores) {
            let incoming: f32 =
                graph.in_neighbors(node).filter_map(|from| shares.get(*from as usize)).sum();
            let new = base + config.damping_factor * incoming;
            change += f64::from((new - *score).abs());
            *score = new;
            if let Some(own) = shares.get_mut(node as usize) {
                *own = share(new, node);
            }
        }
        round += 1;
        if change < config.tolerance || round == config.max_iterations {
            return (scores, round, change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::GraphBuilder;

    #[test]
    fn a_circle_is_even_and_a_target_of_all_is_first() {
        let circle = GraphBuilder::new().edges([(0, 1), (1, 2), (2, 0)]).build();
        let (scores, _, change) = page_rank(&circle, PageRankConfig::new(100, 1e-9, 0.85));
        assert!(scores.iter().all(|score| (score - 1.0 / 3.0).abs() < 1e-6), "{scores:?}");
        assert!(change < 1e-9);
        let star = GraphBuilder::new().edges([(1, 0), (2, 0), (3, 0), (0, 1)]).build();
        let (scores, rounds, _) = page_rank(&star, PageRankConfig::new(7, 0.0, 0.85));
        assert_eq!(rounds, 7);
        assert!(scores[0] > scores[1] && scores[1] > scores[2], "{scores:?}");
    }
}
