//! The model and the vectors of searches by meaning.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use asof_model::Micros;
use asof_search::dense::{DenseIndex, Embedder};

/// The model and the vectors that searches use.
#[derive(Default)]
pub(crate) struct DenseState {
    /// The loaded model, and its folder.
    pub embedder: Mutex<Option<(PathBuf, Box<dyn Embedder>)>>,
    /// The vectors of a revision, and when they were stored.
    pub index: Mutex<Option<(Micros, String, Arc<Vectors>)>>,
}

impl fmt::Debug for DenseState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DenseState").finish_non_exhaustive()
    }
}

/// The vectors of a revision.
#[derive(Debug)]
pub(crate) struct Vectors {
    pub index: DenseIndex,
    /// Items that should have a vector and have none.
    pub missing: usize,
}
