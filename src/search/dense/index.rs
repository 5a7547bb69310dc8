//! The vectors of a workspace in memory, and the scan for the nearest.

use super::vectors::Vector;

/// An item that is near a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Index of the file in the corpus.
    pub file: usize,
    /// Index in [`crate::search::FileTerms::items`].
    pub item: usize,
    /// Cosine of the angle between the item and the question.
    pub cosine: f32,
}

/// The vectors of all items that have one.
#[derive(Debug, Clone, Default)]
pub struct DenseIndex {
    items: Vec<(usize, usize, Vector)>,
}

impl DenseIndex {
    /// An index of items: file and item in the corpus, and the vector.
    pub fn new(items: Vec<(usize, usize, Vector)>) -> Self {
        Self { items }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The nearest of the items that are allowed, the nearest first. Every vector is compared.
    pub fn nearest(
        &self,
        question: &Vector,
        limit: usize,
        allowed: impl Fn(usize, usize) -> bool,
    ) -> Vec<Near> {
        let mut found: Vec<Near> = self
            .items
            .iter()
            .filter(|(file, item, _)| allowed(*file, *item))
            .map(|(file, item, vector)| Near {
                file: *file,
                item: *item,
                cosine: question.cosine(vector),
            })
            .collect();
        let order = |a: &Near, b: &Near| {
            b.cosine.total_cmp(&a.cosine).then((a.file, a.item).cmp(&(b.file, b.item)))
        };
        if found.len() > limit && limit > 0 {
            found.select_nth_unstable_by(limit - 1, order);
            found.truncate(limit);
        }
        found.sort_by(order);
        found.truncate(limit);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_that_are_allowed_come_first() {
        let vector = |x: f32, y: f32| Vector::of(&[x, y]).unwrap();
        let index = DenseIndex::new(vec![
            (0, 0, vector(0.0, 1.0)),
            (0, 1, vector(1.0, 0.1)),
            (1, 0, vector(1.0, 0.0)),
            (1, 1, vector(1.0, 0.0)),
        ]);
        let places = |limit, file| {
            let found = index.nearest(&vector(1.0, 0.0), limit, |f, _| file == f || file == 9);
            found.iter().map(|near| (near.file, near.item)).collect::<Vec<_>>()
        };
        assert_eq!(places(9, 9), [(1, 0), (1, 1), (0, 1), (0, 0)]);
        assert_eq!(places(1, 9), [(1, 0)]);
        assert_eq!(places(9, 0), [(0, 1), (0, 0)]);
        assert_eq!(places(0, 9), []);
    }
}
