//! Numbers for the texts of names.

use std::sync::Arc;

use super::super::types::Name;
use asof_model::HashMap;

/// So many times the names of a layer are those of the next at least.
const GROWTH: usize = 4;

/// Texts with consecutive numbers.
#[derive(Debug, Default)]
pub(super) struct NameTable {
    /// Number of the first one.
    first: usize,
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, Name>,
}

impl NameTable {
    pub fn new(first: usize, texts: Vec<Arc<str>>) -> Self {
        let numbers = texts.iter().cloned().zip((first..).map(Name::new)).collect();
        NameTable { first, texts, numbers }
    }

    /// The number of the next name.
    pub fn end(&self) -> usize {
        self.first + self.texts.len()
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    pub fn text(&self, name: Name) -> Option<&str> {
        self.texts.get(name.index().checked_sub(self.first)?).map(|text| &**text)
    }

    /// The number of a text, a new one if it has none.
    pub fn number(&mut self, text: &str) -> Name {
        if let Some(number) = self.find(text) {
            return number;
        }
        let number = Name::new(self.end());
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

/// The names of a workspace's states, after those of other crates. Each state adds those that are new, and
/// shares the others.
#[derive(Debug, Clone, Default)]
pub(super) struct NameLayers(Vec<Arc<NameTable>>);

impl NameLayers {
    /// One layer with these names.
    pub fn new(first: usize, texts: Vec<Arc<str>>) -> Self {
        NameLayers(vec![Arc::new(NameTable::new(first, texts))])
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.0.iter().find_map(|layer| layer.find(text))
    }

    pub fn text(&self, name: Name) -> Option<&str> {
        self.0.iter().find_map(|layer| layer.text(name))
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|layer| &layer.texts).map(|text| &**text)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds new names. Small layers are joined, so that there are few.
    fn add(&mut self, new: NameTable) {
        if new.texts.is_empty() {
            return;
        }
        let mut new = new;
        while let Some(below) = self.0.pop_if(|below| below.texts.len() < GROWTH * new.texts.len())
        {
            let texts = below.texts.iter().chain(&new.texts).cloned().collect();
            new = NameTable::new(below.first, texts);
        }
        self.0.push(Arc::new(new));
    }
}

/// Gives names to the files of a state.
pub(super) struct NewNames<'n> {
    outside: &'n NameTable,
    known: &'n mut NameLayers,
    new: NameTable,
}

impl<'n> NewNames<'n> {
    /// `outside`: the names of other crates.
    pub fn new(outside: &'n NameTable, known: &'n mut NameLayers) -> Self {
        let end = known.0.last().map_or(outside.end(), |last| last.end());
        NewNames { outside, known, new: NameTable::new(end, Vec::new()) }
    }

    pub fn number(&mut self, text: &str) -> Name {
        let known = self.outside.find(text).or_else(|| self.known.find(text));
        known.unwrap_or_else(|| self.new.number(text))
    }

    pub fn numbers(&mut self, texts: &[Box<str>]) -> Vec<Name> {
        texts.iter().map(|text| self.number(text)).collect()
    }

    /// All names, with the new ones.
    pub fn finish(self) -> NameLayers {
        self.known.add(self.new);
        self.known.clone()
    }
}
