//! Interns the names of one file.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use asof_model::Sym;

/// A hasher for the short names of one text: a collision only costs time, and the length of a text
/// is bounded.
#[derive(Default)]
pub(super) struct NameHasher(u64);

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            let mixed = self.0.rotate_left(5) ^ u64::from_le_bytes(word);
            self.0 = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

/// The table of names while it is built.
#[derive(Default)]
pub(super) struct Names<'a> {
    numbers: HashMap<&'a str, Sym, BuildHasherDefault<NameHasher>>,
    pub texts: Vec<Box<str>>,
}

impl<'a> Names<'a> {
    pub(super) fn number(&mut self, name: &'a str) -> Sym {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.texts.len() as Sym;
        self.texts.push(name.into());
        self.numbers.insert(name, number);
        number
    }
}
