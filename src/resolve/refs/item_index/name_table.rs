//! Numbers for the texts of names.

use std::borrow::Borrow;
use std::hash::Hash;

use super::super::types::Name;
use asof_model::HashMap;

/// Texts with consecutive numbers.
#[derive(Debug)]
pub(super) struct NameTable<T> {
    /// Number of the first one.
    first: usize,
    texts: Vec<T>,
    numbers: HashMap<T, Name>,
}

impl<T: Borrow<str> + Eq + Hash + Clone> NameTable<T> {
    pub fn new(first: usize, texts: Vec<T>) -> Self {
        let numbers = texts.iter().cloned().zip((first..).map(Name::new)).collect();
        NameTable { first, texts, numbers }
    }

    pub fn reserve(&mut self, count: usize) {
        self.texts.reserve(count);
        self.numbers.reserve(count);
    }

    /// The number of the next name.
    pub fn end(&self) -> usize {
        self.first + self.texts.len()
    }

    pub fn texts(&self) -> &[T] {
        &self.texts
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    pub fn text(&self, name: Name) -> Option<&T> {
        self.texts.get(name.index().wrapping_sub(self.first))
    }

    /// The number of a text: another table's, or a new one.
    pub fn number<'t>(&mut self, text: &'t str, known: impl FnOnce(&str) -> Option<Name>) -> Name
    where
        T: From<&'t str>,
    {
        if let Some(number) = self.find(text) {
            return number;
        }
        let known = known(text);
        let number = known.unwrap_or(Name::new(self.end()));
        let text = T::from(text);
        if known.is_none() {
            self.texts.push(text.clone());
        }
        self.numbers.insert(text, number);
        number
    }
}
