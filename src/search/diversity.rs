//! Maximal marginal relevance: results that say something new before those that repeat.

/// The first `limit` of a ranking, chosen one by one: `(1 - penalty) × score - penalty × similarity`
/// to the nearest one chosen before. `scores` fall, and both lie between 0 and 1. Gives indices.
pub fn diverse(
    scores: &[f64],
    limit: usize,
    penalty: f64,
    similarity: impl Fn(usize, usize) -> f64,
) -> Vec<usize> {
    let mut left: Vec<(usize, f64)> = (0..scores.len()).map(|at| (at, 0.0)).collect();
    let mut chosen = Vec::new();
    while chosen.len() < limit {
        let value = |(at, nearest): &(usize, f64)| {
            (1.0 - penalty) * scores.get(*at).copied().unwrap_or_default() - penalty * nearest
        };
        // The first of equals, so that order is total.
        let best =
            left.iter().enumerate().rev().max_by(|(_, a), (_, b)| value(a).total_cmp(&value(b)));
        let Some((place, _)) = best else { break };
        let (picked, _) = left.remove(place);
        chosen.push(picked);
        for (at, nearest) in &mut left {
            *nearest = nearest.max(similarity(picked, *at));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_come_later() {
        let scores = [1.0, 0.95, 0.9, 0.2];
        let twins = |a: usize, b: usize| if a.max(b) == 1 { 1.0 } else { 0.0 };
        assert_eq!(diverse(&scores, 4, 0.3, twins), [0, 2, 1, 3]);
        assert_eq!(diverse(&scores, 2, 0.0, twins), [0, 1]);
        assert!(diverse(&[], 3, 0.3, twins).is_empty());
        assert_eq!(diverse(&[0.5, 0.5, 0.5], 3, 0.3, |_, _| 0.0), [0, 1, 2]);
    }
}
