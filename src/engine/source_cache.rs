//! Texts of files as of a snapshot, kept for the next question about the same moment.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use globset::Glob;

use super::database::Snapshot;
use super::error::EngineError;
use crate::model::{Micros, RawHash};
use crate::query::Queries;
use crate::wire::Hint;

/// Bytes of text that are kept.
const MAX_KEPT: usize = 64 << 20;

/// A file's text.
#[derive(Debug, Clone)]
pub(super) struct SourceText {
    /// Path, relative to the root.
    pub path: String,
    pub bytes: Arc<Vec<u8>>,
    pub hash: RawHash,
}

/// Texts of one moment.
#[derive(Debug, Default)]
pub(super) struct SourceCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    at: Option<Micros>,
    paths: Option<Arc<Vec<String>>>,
    texts: BTreeMap<String, SourceText>,
    bytes: usize,
}

impl Snapshot<'_> {
    /// Paths of the files, or of those that a filter names: a path, the end of one by whole parts,
    /// a folder, or a glob pattern.
    pub(super) fn paths_matching(&self, filter: Option<&str>) -> Result<Vec<String>, EngineError> {
        let paths = self.source_paths()?;
        let Some(filter) = filter else { return Ok(paths.to_vec()) };
        let relative = super::resolve::within(self.database.root.as_deref(), filter);
        let filter = relative.trim_start_matches("./").trim_end_matches('/');
        if let Some(exact) = paths.iter().find(|path| *path == filter) {
            return Ok(vec![exact.clone()]);
        }
        let ends = |path: &&String| path.strip_suffix(filter).is_some_and(|p| p.ends_with('/'));
        let found: Vec<String> = paths.iter().filter(ends).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let folder = format!("{filter}/");
        let found: Vec<String> =
            paths.iter().filter(|path| path.starts_with(&folder)).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let glob = Glob::new(filter).map_err(|error| EngineError::BadRequest {
            what: format!("`{filter}` is not a glob pattern: {}", error.kind()),
            hint: "give a path, a folder, or a pattern such as `src/**/*.rs`".into(),
        })?;
        let glob = glob.compile_matcher();
        let found: Vec<String> = paths.iter().filter(|path| glob.is_match(path)).cloned().collect();
        match found.is_empty() {
            false => Ok(found),
            true => Err(EngineError::NotFound {
                what: format!("no indexed file matches `{filter}`"),
                hint: Hint::DescribeFile,
            }),
        }
    }

    fn source_paths(&self) -> Result<Arc<Vec<String>>, EngineError> {
        if let Some(paths) = self.kept(|kept| kept.paths.clone()) {
            return Ok(paths);
        }
        let paths = Arc::new(Queries::at(self.store(), self.at).search_files_at()?);
        self.kept(|kept| kept.paths = Some(Arc::clone(&paths)));
        Ok(paths)
    }

    /// The text of a file.
    pub(super) fn source_text(&self, path: &str) -> Result<SourceText, EngineError> {
        if let Some(text) = self.kept(|kept| kept.texts.get(path).cloned()) {
            return Ok(text);
        }
        let bytes = self.file_bytes(&Queries::at(self.store(), self.at), path)?;
        let hash = RawHash::of(&bytes);
        let text = SourceText { path: path.to_owned(), bytes: Arc::new(bytes), hash };
        self.kept(|kept| {
            let len = text.bytes.len();
            if kept.bytes + len <= MAX_KEPT {
                kept.bytes += len;
                kept.texts.insert(path.to_owned(), text.clone());
            }
        });
        Ok(text)
    }

    /// What is kept of this moment; another moment's texts are dropped.
    fn kept<T>(&self, ask: impl FnOnce(&mut Kept) -> T) -> T {
        let mut kept = self.database.sources.0.lock().unwrap_or_else(|e| e.into_inner());
        if kept.at != Some(self.at) {
            *kept = Kept { at: Some(self.at), ..Kept::default() };
        }
        ask(&mut kept)
    }
}
