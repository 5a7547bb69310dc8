//! What the engine takes from the crate `graph`: directed graphs as adjacency lists in compressed
//! sparse rows, and PageRank. That crate brings 20 others, among them a `syn` of 2019, and computes
//! PageRank on threads that race, so that its results differ from run to run. Here they do not.

mod csr;
mod page_rank;

/// All names, by the path that the engine imports them from.
pub mod prelude {
    pub use crate::csr::{
        CsrLayout, DirectedCsrGraph, DirectedDegrees, DirectedNeighbors,
        DirectedNeighborsWithValues, Edges, Graph, GraphBuilder, Target,
    };
    pub use crate::page_rank::{PageRankConfig, page_rank};
}
