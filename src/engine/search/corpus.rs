//! Loads the search terms of a snapshot: stored ones at NOW, kept in memory until the next
//! revision; in the past those of files that are the same at NOW or in the state that was searched
//! last, and else from the texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cache::{KeptCorpus, SearchedState};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{Micros, NodeId, RawHash};
use asof_query::{Queries, QueryError, StoredTerms};
use asof_search::{Corpus, FileTerms, SearchError, collect, collect_sections};
use asof_store::{Params, Store, Value};

/// What a search reads.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub corpus: Arc<Corpus>,
    /// Whether it is of the past: ids are then found by place.
    pub past: bool,
}

impl Snapshot<'_> {
    /// The terms of the items of this snapshot.
    pub(crate) fn loaded(&self) -> Result<Loaded, EngineError> {
        let kept = &self.database.corpus.items;
        if let Some(corpus) = self.terms_at(self.at, kept, Queries::stored_terms)? {
            return Ok(Loaded { corpus, past: false });
        }
        let wanted = self.source_files()?;
        let past = &self.database.corpus.past;
        let known = past.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if let Some(same) = known.as_ref().filter(|known| known.files == wanted) {
            return Ok(Loaded { corpus: Arc::clone(&same.corpus), past: true });
        }
        let mut shared = known.map(|known| known.by_path()).unwrap_or_default();
        let is_missing = |(path, hash): (&String, &RawHash)| {
            shared.get(path).is_none_or(|(same, _)| same != hash)
        };
        if wanted.iter().any(is_missing)
            && let Some(newest) = self.newest_state()?
        {
            for (path, (hash, terms)) in newest.by_path() {
                if wanted.get(&path) == Some(&hash) {
                    shared.insert(path, (hash, terms));
                }
            }
        }
        let mut files = Vec::new();
        for (path, hash) in &*wanted {
            files.push(match shared.remove(path) {
                Some((same, terms)) if same == *hash => terms,
                _ => {
                    let facts = asof_syntax::parse_file(path, &self.source_text(path)?.bytes);
                    Arc::new(decode(path, collect(&facts))?)
                }
            });
        }
        let corpus = Arc::new(Corpus::new(files));
        let now = SearchedState { files: wanted, corpus: Arc::clone(&corpus) };
        *past.lock().unwrap_or_else(|e| e.into_inner()) = Some(now);
        Ok(Loaded { corpus, past: true })
    }

    /// The newest revision; none if another process has written in between.
    fn newest_state(&self) -> Result<Option<SearchedState>, EngineError> {
        let Some(at) = self.newest()? else { return Ok(None) };
        let kept = &self.database.corpus.items;
        let Some(corpus) = self.terms_at(at, kept, Queries::stored_terms)? else {
            return Ok(None);
        };
        let files = Queries::at(self.store(), at).hashed_files()?;
        if self.newest()? != Some(at) {
            return Ok(None);
        }
        let files = files.into_iter().map(|file| (file.path, file.raw_hash)).collect();
        Ok(Some(SearchedState { files: Arc::new(files), corpus }))
    }

    /// The terms of the sections of documentation of this snapshot.
    pub(super) fn loaded_sections(&self, queries: &Queries<'_>) -> Result<Loaded, EngineError> {
        let kept = &self.database.corpus.sections;
        if let Some(corpus) = self.terms_at(self.at, kept, Queries::stored_section_terms)? {
            return Ok(Loaded { corpus, past: false });
        }
        let mut paths: Vec<String> = self.source_files()?.keys().cloned().collect();
        paths.extend(queries.documents_at()?);
        paths.sort_unstable();
        let mut files = Vec::new();
        for path in paths {
            if let Some(terms) = collect_sections(&path, &self.sections_of(queries, &path)?) {
                files.push(Arc::new(decode(&path, terms)?));
            }
        }
        Ok(Loaded { corpus: Arc::new(Corpus::new(files)), past: true })
    }

    /// The stored terms, if this moment is the newest revision.
    fn terms_at(
        &self,
        at: Micros,
        kept: &KeptCorpus,
        read: fn(&Store) -> Result<Vec<StoredTerms>, QueryError>,
    ) -> Result<Option<Arc<Corpus>>, EngineError> {
        if self.newest()? != Some(at) {
            return Ok(None);
        }
        let known = kept.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if let Some((known, corpus)) = known
            && known == at
        {
            return Ok(Some(corpus));
        }
        let rows = read(self.store())?;
        // Another process may have written in between.
        if self.newest()? != Some(at) {
            return Ok(None);
        }
        let files = rows.into_iter().map(|row| decode(&row.path, row.terms).map(Arc::new));
        let corpus = Arc::new(Corpus::new(files.collect::<Result<_, _>>()?));
        *kept.lock().unwrap_or_else(|e| e.into_inner()) = Some((at, Arc::clone(&corpus)));
        Ok(Some(corpus))
    }

    /// Ids of the items of files, by path; the index of an id is that of the item in the file's
    /// facts.
    pub(super) fn ids(
        &self,
        queries: &Queries<'_>,
        paths: &[&str],
        loaded: &Loaded,
    ) -> Result<BTreeMap<String, Vec<NodeId>>, EngineError> {
        let mut found = BTreeMap::new();
        if loaded.past {
            // In the order of the text, parents first: the order of facts.
            for row in queries.file_ids(paths)? {
                let ids: &mut Vec<NodeId> = found.entry(row.path).or_default();
                // Of several modules with one body, the first stands for all.
                if !row.is_module || ids.is_empty() {
                    ids.push(row.id);
                }
            }
            return Ok(found);
        }
        let params = Params::new().with("paths", Value::list(paths.iter().copied()));
        let rows = asof_query::run(self.store(), "search/ids", params)?;
        for row in rows.iter() {
            let path: String = row.get("path")?;
            let Value::List(lists) = row.get::<Value>("ids")? else { continue };
            let Some(Value::Bytes(bytes)) = lists.first() else { continue };
            let ids = bytes.chunks_exact(16).filter_map(|id| uuid::Uuid::from_slice(id).ok());
            found.insert(path, ids.map(NodeId).collect());
        }
        Ok(found)
    }
}

fn decode(path: &str, terms: Vec<u8>) -> Result<FileTerms, EngineError> {
    FileTerms::decode(path, terms).ok_or_else(|| {
        let damaged = SearchError::Damaged {
            path: path.to_owned(),
            reason: "they are not in the format of this version",
        };
        EngineError::State { what: "search terms", reason: damaged.to_string() }
    })
}
