//! A cache of true answers to the questions of claims.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use asof_oracle::{Fact, last_name};
use asof_wire::{Item, Symbol};

/// Questions whose true answers are kept.
const MAX_KEPT: usize = 256;

/// The true answers to the last questions, by moment and question: batches have several answers to
/// the same.
#[derive(Debug, Default)]
pub(crate) struct TruthCache(Mutex<BTreeMap<String, Arc<Truth>>>);

impl TruthCache {
    pub fn get(&self, key: &str) -> Option<Arc<Truth>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub fn put(&self, key: String, truth: &Arc<Truth>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(truth));
    }
}

/// The true answer to a question.
#[derive(Debug)]
pub(crate) enum Truth {
    /// For each item that the question may be about.
    Of(Vec<(Option<Subject>, Known)>),
    /// Why there is none.
    None(String),
}

/// The true answer to a question about one item.
#[derive(Debug)]
pub(crate) enum Known {
    /// Entries. The function says why a claimed entry that is not among them may be true.
    List(Vec<Fact>, Doubts),
    /// One piece of code, in its accepted forms; the first is listed.
    Code(Vec<String>),
    /// Where an item is.
    Place {
        file: String,
        /// Line of its name.
        line: u32,
        /// From its documentation or attributes to its name.
        lines: RangeInclusive<u32>,
    },
    YesNo(bool),
    /// The facts do not decide it.
    Unknown(String),
}

/// Why entries that are not among the facts may be true.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// About any entry.
    pub all: Option<String>,
    /// About these names only.
    pub names: BTreeSet<String>,
}

impl Doubts {
    pub fn of_all(reason: impl Into<String>) -> Self {
        Self { all: Some(reason.into()), names: BTreeSet::new() }
    }

    /// Why this entry may be true.
    pub fn about(&self, entry: &str) -> Option<String> {
        let name = last_name(entry);
        let known = || self.names.contains(name).then(|| format!("`{name}` may be one of them"));
        self.all.clone().or_else(known)
    }

    /// Why there may be more entries.
    pub fn any(&self) -> Option<String> {
        let names = || (!self.names.is_empty()).then(|| "there may be more".to_owned());
        self.all.clone().or_else(names)
    }
}

/// What a question is about.
#[derive(Debug, Clone)]
pub(crate) enum Subject {
    Item(Box<Item>),
    /// A name of another crate, or one without a known definition.
    External(Symbol),
}

impl Subject {
    pub fn symbol(&self) -> Symbol {
        match self {
            Self::Item(item) => Symbol::from(item.as_ref()),
            Self::External(symbol) => symbol.clone(),
        }
    }
}
