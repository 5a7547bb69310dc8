//! The terms of a snapshot: stored ones at NOW, kept in memory until the next revision; in the past
//! those of files that are the same at NOW, and else from the texts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::super::database::Snapshot;
use super::super::error::EngineError;
use crate::model::{Micros, NodeId, RawHash};
use crate::query::{self, Queries, QueryError, StoredTerms};
use crate::search::{Corpus, FileTerms, SearchError, collect, collect_sections};
use crate::store::{Params, Store, Value};
use crate::syntax;

/// The terms of the newest revision that was searched, and of the last state before it.
#[derive(Debug, Default)]
pub(in crate::engine) struct CorpusCache {
    items: Kept,
    sections: Kept,
    past: Mutex<Option<Past>>,
}

/// Terms are a function of paths and contents: a state with the same files has the same.
#[derive(Debug, Clone)]
struct Past {
    files: Arc<BTreeMap<String, RawHash>>,
    corpus: Arc<Corpus>,
}

type Kept = Mutex<Option<(Micros, Arc<Corpus>)>>;

/// What a search reads.
#[derive(Debug)]
pub(in crate::engine) struct Loaded {
    pub corpus: Arc<Corpus>,
    /// Whether it is of the past: ids are then found by place.
    pub past: bool,
}

impl Snapshot<'_> {
    /// The terms of the items of this snapshot.
    pub(in crate::engine) fn loaded(&self) -> Result<Loaded, EngineError> {
        let kept = &self.database.corpus.items;
        if let Some(corpus) = self.newest_terms(kept, Queries::stored_terms)? {
            return Ok(Loaded { corpus, past: false });
        }
        let wanted = self.source_files()?;
        let past = &self.database.corpus.past;
        let known = past.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if let Some(Past { corpus, .. }) = known.filter(|known| known.files == wanted) {
            return Ok(Loaded { corpus, past: true });
        }
        let mut files = Vec::new();
        let mut stored = self.newest_by_hash()?;
        for (path, hash) in &*wanted {
            let terms = match stored.remove(path) {
                Some((same, terms)) if same == *hash => terms,
                _ => collect(&syntax::parse_file(path, &self.source_text(path)?.bytes)),
            };
            files.push(decode(path, terms)?);
        }
        let corpus = Arc::new(Corpus::new(files));
        let now = Past { files: wanted, corpus: Arc::clone(&corpus) };
        *past.lock().unwrap_or_else(|e| e.into_inner()) = Some(now);
        Ok(Loaded { corpus, past: true })
    }

    /// The terms of the newest revision with the hashes of their files; none if another process
    /// has written in between.
    fn newest_by_hash(&self) -> Result<BTreeMap<String, (RawHash, Vec<u8>)>, EngineError> {
        let Some(at) = self.newest()? else { return Ok(BTreeMap::new()) };
        let mut terms: BTreeMap<String, Vec<u8>> =
            Queries::stored_terms(self.store())?.into_iter().map(|r| (r.path, r.terms)).collect();
        let files = Queries::at(self.store(), at).hashed_files()?;
        if self.newest()? != Some(at) {
            return Ok(BTreeMap::new());
        }
        let both = files.into_iter().filter_map(|file| {
            let terms = terms.remove(&file.path)?;
            Some((file.path, (file.raw_hash, terms)))
        });
        Ok(both.collect())
    }

    /// The terms of the sections of documentation of this snapshot.
    pub(super) fn loaded_sections(&self, queries: &Queries<'_>) -> Result<Loaded, EngineError> {
        let kept = &self.database.corpus.sections;
        if let Some(corpus) = self.newest_terms(kept, Queries::stored_section_terms)? {
            return Ok(Loaded { corpus, past: false });
        }
        let mut paths: Vec<String> = self.source_files()?.keys().cloned().collect();
        paths.extend(queries.documents_at()?);
        paths.sort_unstable();
        let mut files = Vec::new();
        for path in paths {
            if let Some(terms) = collect_sections(&path, &self.sections_of(queries, &path)?) {
                files.push(decode(&path, terms)?);
            }
        }
        Ok(Loaded { corpus: Arc::new(Corpus::new(files)), past: true })
    }

    /// The stored terms, if this is the newest revision.
    fn newest_terms(
        &self,
        kept: &Kept,
        read: fn(&Store) -> Result<Vec<StoredTerms>, QueryError>,
    ) -> Result<Option<Arc<Corpus>>, EngineError> {
        if self.newest()? != Some(self.at) {
            return Ok(None);
        }
        let known = kept.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if let Some((at, corpus)) = known
            && at == self.at
        {
            return Ok(Some(corpus));
        }
        let rows = read(self.store())?;
        // Another process may have written in between.
        if self.newest()? != Some(self.at) {
            return Ok(None);
        }
        let files = rows.into_iter().map(|row| decode(&row.path, row.terms));
        let corpus = Arc::new(Corpus::new(files.collect::<Result<_, _>>()?));
        *kept.lock().unwrap_or_else(|e| e.into_inner()) = Some((self.at, Arc::clone(&corpus)));
        Ok(Some(corpus))
    }

    /// Time of the newest revision.
    pub(in crate::engine) fn newest(&self) -> Result<Option<Micros>, EngineError> {
        let rows = query::run(self.store(), "meta/get", Params::new().with("key", "newest"))?;
        let text: Option<String> = rows.iter().next().map(|r| r.get("value")).transpose()?;
        Ok(text.and_then(|text| text.parse().ok()).map(Micros))
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
        let rows = query::run(self.store(), "search/ids", params)?;
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
