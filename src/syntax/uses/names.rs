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
    /// Those that the rules of a macro write: other names than the caller's of the same text.
    of_rules: HashMap<(&'a str, u32), Sym>,
    pub texts: Vec<Box<str>>,
    /// Names of the item that is being read, each once.
    pub in_item: Vec<Sym>,
    /// By number, the item in which a name was met last.
    met_in: Vec<u32>,
    item: u32,
}

impl<'a> Names<'a> {
    pub(super) fn number(&mut self, name: &'a str) -> Sym {
        if let Some(&number) = self.numbers.get(name) {
            return self.meet(number);
        }
        let number = self.add(name);
        self.numbers.insert(name, number);
        self.meet(number)
    }

    /// Names that are met from now on are those of the next item.
    pub(super) fn begin_item(&mut self) {
        self.item += 1;
        self.in_item.clear();
    }

    fn meet(&mut self, number: Sym) -> Sym {
        if let Some(last) = self.met_in.get_mut(number.0 as usize)
            && *last != self.item
        {
            *last = self.item;
            self.in_item.push(number);
        }
        number
    }

    /// The number of a name that was written by the rules of this expansion; 0 for the caller.
    pub(super) fn number_of(&mut self, name: &'a str, expansion: u32) -> Sym {
        if expansion == 0 {
            return self.number(name);
        }
        if let Some(&number) = self.of_rules.get(&(name, expansion)) {
            return self.meet(number);
        }
        let number = self.add(name);
        self.of_rules.insert((name, expansion), number);
        self.meet(number)
    }

    fn add(&mut self, name: &str) -> Sym {
        self.texts.push(name.into());
        self.met_in.push(0);
        Sym(self.texts.len() as u32 - 1)
    }

    /// For each name, the expansion whose rules write it.
    pub(super) fn writers(&self) -> Vec<u32> {
        let mut all = vec![0; self.texts.len()];
        for ((_, expansion), &number) in &self.of_rules {
            if let Some(writer) = all.get_mut(number.0 as usize) {
                *writer = *expansion;
            }
        }
        all
    }
}
