//! Reciprocal rank fusion: several rankings of the same ids become one.

use std::collections::BTreeMap;

/// The constant of Cormack, Clarke and Büttcher (2009): how little the first ranks differ.
pub const RRF_K: f64 = 60.0;

/// Ids with `Σ 1 / (k + rank + 1)` over the rankings that have them, rank from 0, as a share of
/// the score of an id that is first in all. Best first, ties by id.
pub fn reciprocal_rank_fusion<T: Ord + Copy>(rankings: &[Vec<T>]) -> Vec<(T, f64)> {
    let mut scores: BTreeMap<T, f64> = BTreeMap::new();
    let used = rankings.iter().filter(|ranking| !ranking.is_empty());
    for ranking in used.clone() {
        for (rank, id) in ranking.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / (RRF_K + rank as f64 + 1.0);
        }
    }
    let best = used.count() as f64 / (RRF_K + 1.0);
    let mut fused: Vec<(T, f64)> = scores.into_iter().map(|(id, s)| (id, s / best)).collect();
    fused.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_rankings_have_comes_first() {
        let fused = reciprocal_rank_fusion(&[vec![1, 2, 3], vec![2, 4], vec![]]);
        let ids: Vec<i32> = fused.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [2, 1, 4, 3]);
        let score = fused.first().map(|(_, score)| *score).unwrap();
        assert!((score - (1.0 / 62.0 + 1.0 / 61.0) / (2.0 / 61.0)).abs() < 1e-12);
        assert_eq!(reciprocal_rank_fusion(&[vec![7]]), [(7, 1.0)]);
        assert!(reciprocal_rank_fusion::<i32>(&[]).is_empty());
    }
}
