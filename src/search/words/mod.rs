//! Vectors of words, learned from the code and documentation of published crates by
//! `scripts/word-vectors/train.py`: words that are used for the same have vectors in similar
//! directions, and words that say much have long ones. They are part of the program.
//!
//! ```text
//! magic: asofwv1\n
//! words, numbers of a vector: u32 each
//! weights of the fields, in the order of `Field`: f32 each
//! hashes of the words, sorted: u32 each
//! scale of each vector: the upper half of an f32
//! numbers of each vector: i8 each
//! ```
//!
//! All numbers are little-endian. A vector is its numbers times its scale.

use std::sync::LazyLock;

use super::terms::Term;
use asof_model::OrNever;

/// Numbers of a vector.
pub const DIMENSION: usize = 96;

/// Fields of an item.
const FIELDS: usize = 7;

const MAGIC: &[u8; 8] = b"asofwv1\n";

/// Most words of a table; more are no table.
const MAX_WORDS: usize = 1 << 20;

static SHIPPED: LazyLock<WordVectors> = LazyLock::new(|| {
    WordVectors::read(include_bytes!("vectors.bin")).or_never("the shipped table can be read")
});

/// A table of word vectors.
#[derive(Debug, Default)]
pub struct WordVectors {
    /// How much a word counts in each field, in the order of `Field`.
    pub fields: [f32; FIELDS],
    hashes: &'static [[u8; 4]],
    scales: &'static [[u8; 2]],
    numbers: &'static [[u8; DIMENSION]],
    /// Where the hashes begin that have these upper 12 bits.
    starts: Vec<u32>,
}

/// The vector of a word: its numbers times its scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordVector {
    /// What each number counts.
    pub scale: f32,
    numbers: &'static [u8; DIMENSION],
}

impl WordVector {
    /// The numbers before they are scaled.
    pub fn numbers(&self) -> impl Iterator<Item = i8> {
        self.numbers.iter().map(|byte| byte.cast_signed())
    }
}

/// Upper bits of a hash that the index of the table is by.
const INDEX_BITS: u32 = 12;

impl WordVectors {
    /// The table of the program.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Reads a table; `None` if it is not in this format.
    pub fn read(data: &'static [u8]) -> Option<Self> {
        let rest = data.strip_prefix(MAGIC)?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let (dimension, rest) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        if u32::from_le_bytes(*dimension) as usize != DIMENSION || count > MAX_WORDS {
            return None;
        }
        let (weights, rest) = rest.split_at_checked(4 * FIELDS)?;
        let (hashes, rest) = rest.split_at_checked(4 * count)?;
        let (scales, numbers) = rest.split_at_checked(2 * count)?;
        if numbers.len() != count * DIMENSION {
            return None;
        }
        let mut fields = [0.0; FIELDS];
        for (to, from) in fields.iter_mut().zip(weights.as_chunks::<4>().0) {
            *to = f32::from_le_bytes(*from);
        }
        let (hashes, scales) = (hashes.as_chunks::<4>().0, scales.as_chunks::<2>().0);
        let hash = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let is_sorted = hashes.is_sorted_by(|a, b| hash(a) < hash(b));
        let is_finite = fields.iter().all(|weight| weight.is_finite())
            && scales.iter().all(|bytes| scale(*bytes).is_finite());
        if !is_sorted || !is_finite {
            return None;
        }
        let start = |top: u32| {
            hashes.partition_point(|bytes| hash(bytes) >> (32 - INDEX_BITS) < top) as u32
        };
        let starts = (0..=1 << INDEX_BITS).map(start).collect();
        Some(Self { fields, hashes, scales, numbers: numbers.as_chunks::<DIMENSION>().0, starts })
    }

    /// Count of its words.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The vector of a word, if it is one of the table.
    pub fn vector(&self, term: Term) -> Option<WordVector> {
        let top = (term.0 >> (32 - INDEX_BITS)) as usize;
        let (begin, end) = (*self.starts.get(top)? as usize, *self.starts.get(top + 1)? as usize);
        let near = self.hashes.get(begin..end)?;
        let found = near.binary_search_by_key(&term.0, |bytes| u32::from_le_bytes(*bytes));
        let at = begin + found.ok()?;
        Some(WordVector { scale: scale(*self.scales.get(at)?), numbers: self.numbers.get(at)? })
    }
}

/// A number of which the upper half is stored.
fn scale([low, high]: [u8; 2]) -> f32 {
    f32::from_le_bytes([0, 0, low, high])
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::super::terms::term_of;
    use super::*;

    const DATA: &[u8] = include_bytes!("vectors.bin");

    /// Lines of `scripts/word-vectors/checksums.txt`: BLAKE3 of a file, and its path.
    fn checksums() -> HashMap<&'static str, &'static str> {
        let lines = include_str!("../../../scripts/word-vectors/checksums.txt").lines();
        lines.filter_map(|line| line.split_once("  ")).map(|(hash, path)| (path, hash)).collect()
    }

    #[test]
    fn the_table_and_the_list_of_crates_are_those_of_the_checksums() {
        let sums = checksums();
        let corpus = include_bytes!("../../../scripts/word-vectors/corpus.txt").as_slice();
        for (path, data) in
            [("src/search/words/vectors.bin", DATA), ("scripts/word-vectors/corpus.txt", corpus)]
        {
            assert_eq!(sums.get(path), Some(&blake3::hash(data).to_hex().as_str()), "{path}");
        }
    }

    #[test]
    fn the_table_is_small_and_is_read() {
        let table = WordVectors::read(DATA).unwrap();
        assert!(table.len() > 20_000, "{}", table.len());
        let compressed = zstd::encode_all(DATA, 19).unwrap().len();
        assert!(compressed <= 4_000_000, "{compressed}");
    }

    #[test]
    fn every_word_is_found_and_no_other() {
        let table = WordVectors::shipped();
        for (at, hash) in table.hashes.iter().enumerate() {
            let found = table.vector(Term(u32::from_le_bytes(*hash))).unwrap();
            assert!(std::ptr::eq(found.numbers, &table.numbers[at]));
        }
        let known: HashSet<u32> =
            table.hashes.iter().map(|hash| u32::from_le_bytes(*hash)).collect();
        let others = (0..10_000u32).map(|n| n.wrapping_mul(0x9e37_79b9));
        for term in others.filter(|term| !known.contains(term)) {
            assert_eq!(table.vector(Term(term)), None);
        }
    }

    fn cosine(a: &str, b: &str) -> f32 {
        let of = |word| WordVectors::shipped().vector(term_of(word)).expect(word);
        let dot = |a: WordVector, b: WordVector| -> f32 {
            a.numbers().zip(b.numbers()).map(|(a, b)| f32::from(a) * f32::from(b)).sum()
        };
        let (a, b) = (of(a), of(b));
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    #[test]
    fn words_that_mean_the_same_are_near() {
        for (a, b, other) in [
            ("create", "new", "compress"),
            ("wait", "block", "font"),
            ("delete", "remove", "encrypt"),
            ("length", "size", "tls"),
        ] {
            assert!(cosine(a, b) > cosine(a, other) + 0.1, "{a} {b} {other}");
        }
    }

    #[test]
    fn what_is_cut_off_or_of_another_format_is_refused() {
        for len in (0..DATA.len()).step_by(9_973).chain(0..64).chain([DATA.len() - 1]) {
            assert!(WordVectors::read(&DATA[..len]).is_none(), "{len}");
        }
        assert!(WordVectors::read(b"asofwv2\n").is_none());
        let huge = [MAGIC.as_slice(), &[0xff; 4], &[96, 0, 0, 0], &[0; 28]].concat();
        assert!(WordVectors::read(huge.leak()).is_none());
    }
}
