//! Texts of files as of a snapshot, kept for the next question about the same moment. A file on disk
//! with the hash of the indexed one is read from there: assembling its text from those of its items
//! takes a hundred times as long.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use globset::Glob;

use super::show;
use crate::cache::{KeptTexts, SourceText};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::RawHash;
use asof_query::Queries;
use asof_syntax::MAX_FILE_BYTES;
use asof_wire::{FileSummary, Item};

impl Snapshot<'_> {
    /// Paths of the files, or of those that a filter names: a path, the end of one by whole parts,
    /// a folder, or a glob pattern.
    pub(crate) fn paths_matching(&self, filter: Option<&str>) -> Result<Vec<String>, EngineError> {
        let files = self.source_files()?;
        let paths: Vec<&String> = files.keys().collect();
        let Some(filter) = filter else { return Ok(paths.into_iter().cloned().collect()) };
        let relative = super::resolve::within(self.database.root.as_deref(), filter);
        let filter = relative.trim_start_matches("./").trim_end_matches('/');
        if files.contains_key(filter) {
            return Ok(vec![filter.to_owned()]);
        }
        let those = |fits: &dyn Fn(&str) -> bool| {
            paths.iter().copied().filter(|path| fits(path)).cloned().collect::<Vec<_>>()
        };
        let found = those(&|path| path.strip_suffix(filter).is_some_and(|p| p.ends_with('/')));
        if !found.is_empty() {
            return Ok(found);
        }
        let folder = format!("{filter}/");
        let found = those(&|path| path.starts_with(&folder));
        if !found.is_empty() {
            return Ok(found);
        }
        let glob = Glob::new(filter).map_err(|error| EngineError::BadRequest {
            what: format!("`{filter}` is not a glob pattern: {}", error.kind()),
            hint: "give a path, a folder, or a pattern such as `src/**/*.rs`".into(),
        })?;
        let glob = glob.compile_matcher();
        let found = those(&|path| glob.is_match(path));
        if !found.is_empty() {
            Ok(found)
        } else {
            Err(EngineError::NotFound {
                what: format!("no indexed file matches `{filter}`"),
                hint: Hint::DescribeFile,
            })
        }
    }

    /// The files with their hashes.
    pub(crate) fn source_files(&self) -> Result<Arc<BTreeMap<String, RawHash>>, EngineError> {
        if let Some(files) = self.kept(|kept| kept.files.clone()) {
            return Ok(files);
        }
        let rows = Queries::at(self.store(), self.at).hashed_files()?;
        let files: BTreeMap<String, RawHash> =
            rows.into_iter().map(|file| (file.path, file.raw_hash)).collect();
        let files = Arc::new(files);
        self.kept(|kept| kept.files = Some(Arc::clone(&files)));
        Ok(files)
    }

    /// What `make` says of the files, asked once for each moment.
    pub(super) fn kept_summaries(
        &self,
        make: impl FnOnce() -> Result<Vec<FileSummary>, EngineError>,
    ) -> Result<Arc<Vec<FileSummary>>, EngineError> {
        if let Some(known) = self.kept(|kept| kept.summaries.clone()) {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        self.kept(|kept| kept.summaries = Some(Arc::clone(&made)));
        Ok(made)
    }

    /// The source of an item: a part of its file, if that is on disk as it was indexed.
    pub(crate) fn item_source(
        &self,
        queries: &Queries<'_>,
        item: &Item,
    ) -> Result<String, EngineError> {
        let path = &item.file_path;
        let kept = self.kept(|kept| kept.texts.get(path).cloned());
        let file = kept.or_else(|| {
            let bytes = self.on_disk(path, item.file_hash)?;
            Some(self.keep(path, bytes, item.file_hash))
        });
        let span = item.span.start_byte as usize..item.span.end_byte as usize;
        let same = file.filter(|file| file.hash == item.file_hash);
        let part = same.as_ref().and_then(|file| file.bytes.get(span));
        match part.and_then(|part| std::str::from_utf8(part).ok()) {
            Some(text) => Ok(text.to_owned()),
            None => show::source(queries, item),
        }
    }

    /// The bytes of a file on disk, if they have this hash.
    fn on_disk(&self, path: &str, indexed: RawHash) -> Option<Vec<u8>> {
        let root = self.database.root()?;
        let bytes = asof_workspace::read_file(root, path, MAX_FILE_BYTES as u64).ok()?;
        (RawHash::hash(&bytes) == indexed).then_some(bytes)
    }

    /// The text of a file.
    pub(crate) fn source_text(&self, path: &str) -> Result<SourceText, EngineError> {
        if let Some(text) = self.kept(|kept| kept.texts.get(path).cloned()) {
            return Ok(text);
        }
        if let Some(indexed) = self.source_files()?.get(path).copied()
            && let Some(bytes) = self.on_disk(path, indexed)
        {
            return Ok(self.keep(path, bytes, indexed));
        }
        let bytes = self.file_bytes(&Queries::at(self.store(), self.at), path)?;
        let hash = RawHash::hash(&bytes);
        Ok(self.keep(path, bytes, hash))
    }

    fn keep(&self, path: &str, bytes: Vec<u8>, hash: RawHash) -> SourceText {
        let text = SourceText { path: path.to_owned(), bytes: Arc::new(bytes), hash };
        self.kept(|kept| kept.keep(text.clone()));
        text
    }

    /// What is kept of this moment; another moment's texts are dropped.
    fn kept<T>(&self, ask: impl FnOnce(&mut KeptTexts) -> T) -> T {
        self.database.sources.at(self.at, ask)
    }
}

/// Path and indexed text of each source file, read once for all questions about a moment; files that
/// are no text are left out.
pub(crate) fn source_texts(
    snapshot: &Snapshot<'_>,
) -> Result<impl Iterator<Item = (String, String)>, EngineError> {
    let paths = snapshot.file_paths()?.into_iter();
    Ok(paths.filter_map(|path| {
        let text = snapshot.source_text(&path).ok()?;
        Some((path, String::from_utf8(text.bytes.to_vec()).ok()?))
    }))
}

/// The text of a file of the workspace.
pub(crate) fn read_text(root: &Path, path: &str) -> Option<String> {
    let bytes = asof_workspace::read_file(root, path, MAX_FILE_BYTES as u64).ok()?;
    String::from_utf8(bytes).ok()
}
