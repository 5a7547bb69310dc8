//! The vectors of a workspace in memory, and their scan.

use super::super::corpus::Corpus;
use super::vectors::Vector;

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

    /// For each item of a corpus, the cosine of the angle between it and a question; 0 if it has no
    /// vector. Every vector is compared.
    pub fn cosines(&self, question: &Vector, corpus: &Corpus) -> Vec<f32> {
        let mut cosines = vec![0.0; corpus.len()];
        for (file, item, vector) in &self.items {
            let slot = corpus.number(*file, *item).and_then(|at| cosines.get_mut(at));
            slot.into_iter().for_each(|slot| *slot = question.cosine(vector));
        }
        cosines
    }
}
