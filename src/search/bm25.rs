//! BM25F over the fields of items, and BM25 over whole files. Sums over postings are the inner loop
//! of a search, and are computed here; `queries/search/rank.cozo` says how they are combined.

use super::corpus::Corpus;
use super::file_terms::Field;
use super::terms::Term;

/// Weights of the fields, and how much a long field counts less.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// By field.
    pub field: [f64; 7],
    /// By field: 0, the length does not matter; 1, counts are divided by it.
    pub length: [f64; 7],
    /// How soon a further occurrence adds nothing.
    pub saturation: f64,
    /// The same for whole files.
    pub file_length: f64,
    /// The same for whole files.
    pub file_saturation: f64,
    /// By field, for whole files.
    pub file_field: [f64; 7],
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            //      name  container path sig  docs body comments
            field: [6.0, 3.0, 2.0, 1.5, 2.0, 1.0, 0.75],
            length: [0.3, 0.75, 0.3, 0.5, 0.5, 0.75, 0.6],
            saturation: 1.4,
            file_length: 0.4,
            file_saturation: 3.0,
            file_field: [3.0, 1.0, 8.0, 1.0, 1.5, 0.5, 1.0],
        }
    }
}

/// Sums over the postings of an item.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    pub lexical: f32,
    pub name: f32,
    pub name_words: f32,
    pub place: f32,
    pub docs: f32,
}

/// Sums over the postings of a file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileSums {
    pub lexical: f64,
    pub path: f64,
}

impl Corpus {
    /// Adds the scores of a term. Gives its rarity (inverse document frequency).
    pub(super) fn add(
        &self,
        term: Term,
        weight: f64,
        weights: &Weights,
        items: &mut [Sums],
        files: &mut [FileSums],
    ) -> f64 {
        let mut postings = Vec::new();
        let (mut frequency, mut in_files) = (0usize, 0usize);
        for (number, file) in self.files.iter().enumerate() {
            let before = postings.len();
            file.postings(term, |posting| {
                frequency += usize::from(posting.item.is_some());
                postings.push((number, posting));
            });
            in_files += usize::from(postings.len() > before);
        }
        let idf = |n: usize, all: usize| {
            (1.0 + (all as f64 - n as f64 + 0.5).max(0.5) / (n as f64 + 0.5)).ln()
        };
        let rarity = idf(frequency, self.items);
        let file_rarity = idf(in_files, self.files.len());
        let mut tally = 0.0;
        let mut last: Option<usize> = None;
        let mut in_path: (usize, f64) = (usize::MAX, 0.0);
        for (number, posting) in &postings {
            if last != Some(*number) {
                if let Some(last) = last {
                    self.finish(last, weight * file_rarity, tally, weights, files);
                }
                (last, tally) = (Some(*number), 0.0);
            }
            let count = |field: Field| {
                f64::from(posting.counts.get(field.index()).copied().unwrap_or_default())
            };
            for (n, w) in posting.counts.iter().zip(weights.file_field) {
                tally += w * f64::from(*n);
            }
            let Some(item) = posting.item else {
                in_path = (*number, count(Field::Path));
                if let Some(sums) = files.get_mut(*number) {
                    sums.path += weight * rarity;
                }
                continue;
            };
            let (Some(base), Some(file)) = (self.bases.get(*number), self.files.get(*number))
            else {
                continue;
            };
            let Some(described) = file.items.get(item as usize) else { continue };
            let mut frequency = 0.0;
            for field in Field::ALL {
                let f = field.index();
                let n = match field {
                    Field::Path if in_path.0 == *number => in_path.1,
                    field => count(field),
                };
                if n > 0.0 {
                    let [w, b, mean, length] = [
                        weights.field.get(f).copied().unwrap_or_default(),
                        weights.length.get(f).copied().unwrap_or_default(),
                        self.means.get(f).copied().unwrap_or(1.0),
                        f64::from(described.lengths.get(f).copied().unwrap_or_default()),
                    ];
                    frequency += w * n / (1.0 - b + b * length / mean);
                }
            }
            let score = weight * rarity * frequency / (weights.saturation + frequency);
            if let Some(sums) = items.get_mut(base + item as usize) {
                sums.lexical += score as f32;
                if count(Field::Name) > 0.0 {
                    sums.name_words += 1.0;
                    sums.name += (weight * rarity) as f32;
                } else if count(Field::Container) > 0.0 {
                    sums.place += (weight * rarity) as f32;
                }
                if count(Field::Docs) > 0.0 {
                    sums.docs += (weight * rarity) as f32;
                }
            }
        }
        if let Some(last) = last {
            self.finish(last, weight * file_rarity, tally, weights, files);
        }
        rarity
    }

    /// Adds the score of a term to its file.
    fn finish(
        &self,
        file: usize,
        rarity: f64,
        tally: f64,
        weights: &Weights,
        files: &mut [FileSums],
    ) {
        let length = self.files.get(file).map_or(0, |f| f.items.len()) as f64;
        let mean = self.items as f64 / self.files.len().max(1) as f64;
        let b = weights.file_length;
        let frequency = tally / (1.0 - b + b * length / mean);
        if let Some(sums) = files.get_mut(file) {
            sums.lexical += rarity * frequency / (weights.file_saturation + frequency);
        }
    }
}
