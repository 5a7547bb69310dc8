//! Vectors of items and questions without a model: weighted sums of the vectors of their words
//! (`words`). They lie in similar directions if they are about the same, whatever their words.

use super::question::Question;
use super::terms::{Term, Text, each_term};
use super::words::{DIMENSION, WordVectors};

/// A direction, as it is stored: the largest number is 127 or -127.
pub(super) type Vector = [i8; DIMENSION];

/// A sum of vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Direction([f32; DIMENSION]);

impl Default for Direction {
    fn default() -> Self {
        Self([0.0; DIMENSION])
    }
}

impl Direction {
    /// The direction of a text with these terms, and how often each is in each field.
    pub(super) fn of_terms<'a>(terms: impl IntoIterator<Item = (&'a Term, &'a [u16; 7])>) -> Self {
        let table = WordVectors::shipped();
        let mut sum = Self::default();
        for (term, counts) in terms {
            let weights = counts.iter().zip(table.fields).filter(|(n, _)| **n > 0);
            let weight: f32 = weights.map(|(n, weight)| weight * f32::from(*n).ln_1p()).sum();
            sum.add_word(table, *term, weight);
        }
        sum
    }

    /// The direction of a question; none if no word of it has a vector.
    pub fn of_question(question: &Question) -> Option<Self> {
        let table = WordVectors::shipped();
        let mut sum = Self::default();
        each_term(&question.text, Text::Prose, |term, _| sum.add_word(table, term, 1.0));
        sum.unit()
    }

    fn add_word(&mut self, table: &WordVectors, term: Term, weight: f32) {
        if let Some(word) = table.vector(term) {
            let weight = weight * word.scale;
            let numbers = self.0.iter_mut().zip(word.numbers());
            numbers.for_each(|(sum, number)| *sum += weight * f32::from(number));
        }
    }

    /// The sum of both.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(sum, number)| *sum += number);
        self
    }

    /// Of length 1; none if it has no direction.
    pub(super) fn unit(mut self) -> Option<Self> {
        let length = self.0.iter().map(|x| x * x).sum::<f32>().sqrt();
        let has_direction = length.is_finite() && length > 0.0;
        has_direction.then(|| {
            self.0.iter_mut().for_each(|x| *x /= length);
            self
        })
    }

    /// As it is stored; none if it has no direction.
    pub(super) fn stored(&self) -> Option<Vector> {
        let largest = self.0.iter().map(|x| x.abs()).fold(0.0, f32::max);
        let mut out = [0; DIMENSION];
        for (to, from) in out.iter_mut().zip(self.0) {
            *to = (from / largest * 127.0).round() as i8;
        }
        (largest.is_finite() && largest > 0.0).then_some(out)
    }
}

/// The cosine of the angle between two stored directions.
pub(super) fn cosine(asked: &Vector, stored: &[u8]) -> f32 {
    let (mut dot, mut one, mut other) = (0i32, 0i32, 0i32);
    for (a, b) in asked.iter().zip(stored) {
        let (a, b) = (i32::from(*a), i32::from(b.cast_signed()));
        dot += a * b;
        one += a * a;
        other += b * b;
    }
    let lengths = (one.max(1) as f32).sqrt() * (other.max(1) as f32).sqrt();
    dot as f32 / lengths
}

#[cfg(test)]
mod tests {
    use super::super::collect::collect;
    use super::super::corpus::Corpus;
    use super::super::file_terms::FileTerms;
    use super::*;

    fn cosines(source: &str, question: &str) -> Vec<(String, f32)> {
        let facts = asof_syntax::parse_file("src/net.rs", source.as_bytes());
        let file = FileTerms::decode("src/net.rs", collect(&facts)).unwrap();
        let names: Vec<String> = file.items.iter().map(|item| item.name.clone()).collect();
        let corpus = Corpus::new(vec![file.into()]);
        let question = Question::parse(question).unwrap();
        let cosines = corpus.cosines(&Direction::of_question(&question).unwrap());
        names.into_iter().zip(cosines).collect()
    }

    #[test]
    fn what_means_the_same_is_near_without_a_common_word() {
        let source = "
/// Deletes entries that nobody needs.
pub fn purge() {}
pub fn render_glyph(font: u8) {}
pub struct Wide { width: u8 }
#[cfg(test)] mod tests { fn purge_all() {} }
";
        let found = cosines(source, "remove unused items");
        let of = |name: &str| found.iter().find(|(have, _)| have == name).unwrap().1;
        assert!(of("purge") > of("render_glyph") + 0.1, "{found:?}");
        // The file is all of its items. Fields and test code have no vector.
        assert!(of("net") > 0.0 && of("width") == 0.0 && of("purge_all") == 0.0, "{found:?}");
    }

    #[test]
    fn words_that_are_not_in_the_table_have_no_direction() {
        let question = Question::parse("xqzzv wqqkj").unwrap();
        assert_eq!(Direction::of_question(&question), None);
    }
}
