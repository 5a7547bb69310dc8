//! A cache of search terms: those at NOW, and those of the past state that was searched last.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use asof_model::{Micros, RawHash};
use asof_search::{Corpus, FileTerms};

/// The terms of the newest revision that was searched, and of the last state before it.
#[derive(Debug, Default)]
pub(crate) struct CorpusCache {
    pub items: KeptCorpus,
    pub sections: KeptCorpus,
    pub past: Mutex<Option<SearchedState>>,
}

/// Files and their terms, which are a function of paths and contents.
#[derive(Debug, Clone)]
pub(crate) struct SearchedState {
    pub files: Arc<BTreeMap<String, RawHash>>,
    pub corpus: Arc<Corpus>,
}

impl SearchedState {
    pub fn by_path(self) -> BTreeMap<String, (RawHash, Arc<FileTerms>)> {
        let with_hash = |file: &Arc<FileTerms>| {
            Some((file.path.clone(), (*self.files.get(&file.path)?, Arc::clone(file))))
        };
        self.corpus.files().iter().filter_map(with_hash).collect()
    }
}

/// The terms of a revision.
pub(crate) type KeptCorpus = Mutex<Option<(Micros, Arc<Corpus>)>>;
