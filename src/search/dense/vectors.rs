//! Stored vectors: one row for each file, with the content hash and the vector of each item, so
//! that a save keeps the vectors of what it did not change. Vectors have length 1 and are stored
//! in bytes: each number as a share of the largest, in 127 steps.
//!
//! ```text
//! version: u8 = 1
//! dimension: u16 little-endian
//! items: [index in the file's facts: u32 little-endian, content hash: 16 bytes,
//!         scale: f32 little-endian, numbers: i8 each]
//! ```

/// Version of the format.
const VERSION: u8 = 1;

/// Bytes of an item before its numbers.
const HEAD: usize = 4 + 16 + 4;

/// Hash of a text that was embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// The hash of a text, made by a version of this program.
    pub fn hash(version: &str, text: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(version.as_bytes()).update(&[0]).update(text.as_bytes());
        let mut short = [0; 16];
        short.iter_mut().zip(hasher.finalize().as_bytes()).for_each(|(to, from)| *to = *from);
        Self(short)
    }
}

/// A vector of length 1, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    scale: f32,
    numbers: Vec<i8>,
}

impl Vector {
    /// Scales a vector to length 1. `None` if it has no direction.
    pub fn from_numbers(numbers: &[f32]) -> Option<Self> {
        let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
        let largest = numbers.iter().map(|x| x.abs()).fold(0.0, f32::max);
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        let step = largest / 127.0;
        let numbers: Vec<i8> = numbers.iter().map(|x| (x / step).round() as i8).collect();
        // By the rounded numbers, so that its length is 1 exactly.
        let rounded: i64 = numbers.iter().map(|n| i64::from(*n) * i64::from(*n)).sum();
        Some(Self { scale: 1.0 / (rounded as f32).sqrt(), numbers })
    }

    /// Count of its numbers.
    pub fn dimension(&self) -> usize {
        self.numbers.len()
    }

    /// Cosine of the angle between two vectors.
    pub fn cosine(&self, other: &Self) -> f32 {
        let sum: i32 = self
            .numbers
            .iter()
            .zip(&other.numbers)
            .map(|(a, b)| i32::from(*a) * i32::from(*b))
            .sum();
        sum as f32 * self.scale * other.scale
    }
}

/// The vector of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemVector {
    /// Index in the file's facts.
    pub item: u32,
    /// Hash of the text that was embedded.
    pub hash: ContentHash,
    /// Its vector.
    pub vector: Vector,
}

/// The vectors of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileVectors(pub Vec<ItemVector>);

impl FileVectors {
    /// As they are stored.
    pub fn encode(&self, dimension: usize) -> Vec<u8> {
        let mut out = vec![VERSION];
        out.extend((dimension as u16).to_le_bytes());
        for one in &self.0 {
            out.extend(one.item.to_le_bytes());
            out.extend(one.hash.0);
            out.extend(one.vector.scale.to_le_bytes());
            out.extend(one.vector.numbers.iter().map(|n| *n as u8));
        }
        out
    }

    /// Reads stored vectors. `None` if they are not in this format, or of another dimension.
    pub fn decode(bytes: &[u8], dimension: usize) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let (stored, items) = rest.split_first_chunk::<2>()?;
        let same = usize::from(u16::from_le_bytes(*stored)) == dimension;
        if *version != VERSION || !same || !items.len().is_multiple_of(HEAD + dimension) {
            return None;
        }
        let read = |bytes: &[u8]| {
            let (item, rest) = bytes.split_first_chunk::<4>()?;
            let (hash, rest) = rest.split_first_chunk::<16>()?;
            let (scale, numbers) = rest.split_first_chunk::<4>()?;
            let scale = f32::from_le_bytes(*scale);
            let vector = Vector { scale, numbers: numbers.iter().map(|n| *n as i8).collect() };
            Some(ItemVector { item: u32::from_le_bytes(*item), hash: ContentHash(*hash), vector })
        };
        items.chunks_exact(HEAD + dimension).map(read).collect::<Option<_>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(numbers: &[f32]) -> Vector {
        Vector::from_numbers(numbers).unwrap()
    }

    #[test]
    fn vectors_survive_their_stored_form() {
        let item = |item, numbers: &[f32]| ItemVector {
            item,
            hash: ContentHash::hash("1", &item.to_string()),
            vector: vector(numbers),
        };
        let file = FileVectors(vec![item(3, &[0.6, -0.8, 0.0]), item(70_000, &[5.0, 5.0, 5.0])]);
        let stored = file.encode(3);
        assert_eq!(FileVectors::decode(&stored, 3).as_ref(), Some(&file));
        // Another dimension, a cut row and another version are not read as something else.
        assert_eq!(FileVectors::decode(&stored, 4), None);
        assert_eq!(FileVectors::decode(stored.get(..stored.len() - 1).unwrap(), 3), None);
        assert_eq!(FileVectors::decode(&[9, 3, 0], 3), None);
        assert_eq!(FileVectors::decode(&[], 3), None);
    }

    #[test]
    fn the_cosine_is_that_of_the_numbers() {
        let (a, b) = (vector(&[1.0, 2.0, -3.0, 0.5]), vector(&[2.0, -1.0, 0.25, 4.0]));
        assert!((a.cosine(&a) - 1.0).abs() < 1e-5);
        assert!((a.cosine(&b) - 1.25 / (14.25f32.sqrt() * 21.0625f32.sqrt())).abs() < 0.01);
        assert_eq!(Vector::from_numbers(&[0.0, 0.0]), None);
        assert_eq!(Vector::from_numbers(&[f32::NAN]), None);
    }
}
