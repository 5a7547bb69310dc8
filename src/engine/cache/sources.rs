//! A cache of the texts of files at one moment.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use asof_model::{Micros, RawHash};
use asof_wire::FileSummary;

/// Bytes of text that are kept.
const MAX_KEPT: usize = 64 << 20;

/// A file's text.
#[derive(Debug, Clone)]
pub(crate) struct SourceText {
    /// Path, relative to the root.
    pub path: String,
    pub bytes: Arc<Vec<u8>>,
    pub hash: RawHash,
}

/// Texts of one moment.
#[derive(Debug, Default)]
pub(crate) struct SourceCache(Mutex<KeptTexts>);

#[derive(Debug, Default)]
pub(crate) struct KeptTexts {
    at: Option<Micros>,
    pub files: Option<Arc<BTreeMap<String, RawHash>>>,
    pub summaries: Option<Arc<Vec<FileSummary>>>,
    pub texts: BTreeMap<String, SourceText>,
    bytes: usize,
}

impl SourceCache {
    /// What is kept of a moment; another moment's texts are dropped.
    pub fn at<T>(&self, at: Micros, ask: impl FnOnce(&mut KeptTexts) -> T) -> T {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.at != Some(at) {
            *kept = KeptTexts { at: Some(at), ..KeptTexts::default() };
        }
        ask(&mut kept)
    }
}

impl KeptTexts {
    /// Keeps a text, if there is room.
    pub fn keep(&mut self, text: SourceText) {
        let len = text.bytes.len();
        if self.bytes + len <= MAX_KEPT {
            self.bytes += len;
            self.texts.insert(text.path.clone(), text);
        }
    }
}
