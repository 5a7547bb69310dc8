//! The part of a search that compares the question with the vectors of items: those of a model, if
//! items were embedded, else those of their words.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::corpus::Loaded;
use super::rank::How;
use crate::cache::Vectors;
use crate::database::{Database, Snapshot};
use crate::error::EngineError;
use asof_index::IndexError;
use asof_query::{Queries, StoredVectors};
use asof_search::dense::{
    self, DenseError, DenseIndex, Embedder, FileVectors, Model, TextToEmbed, Vector, is_embedded,
    texts_to_embed,
};
use asof_search::{Corpus, Direction, Question, Shape};
use asof_store::{Params, Store};
use asof_wire::{SearchBy, SearchRequest};

/// Key of `meta`: the model of the stored vectors.
pub(super) const MODEL: &str = "vectors";

/// What an answer calls the vectors of words.
const WORD_VECTORS: &str = "word vectors";

/// Files that were saved since they were embedded and whose vectors a search still looks for: each
/// is parsed for it.
const MAX_PARSED: usize = 64;

/// What the vectors say of a question.
#[derive(Debug, Default)]
pub(super) struct Meaning {
    /// For each item of the corpus, how near it is; none if no vectors were compared.
    pub cosines: Option<Vec<f32>>,
    /// The model; none if no vectors were compared.
    pub model: Option<String>,
    /// Whether the vectors are those of words.
    pub by_words: bool,
    /// What limits the answer.
    pub notes: Vec<String>,
}

impl Meaning {
    /// How items are ranked by it.
    pub fn how(&self, explain: bool) -> How {
        How { by_words: self.by_words, explain }
    }

    /// By the vectors of words, which every corpus has.
    pub fn of_words(question: &Question, corpus: &Corpus) -> Self {
        let direction = Direction::of_question(question);
        let cosines = direction.map(|direction| corpus.cosines(&direction));
        let model = cosines.as_ref().map(|_| WORD_VECTORS.to_owned());
        Self { cosines, model, by_words: true, notes: Vec::new() }
    }
}

/// What is stored of the model: itself, and a number that each change of the vectors raises.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct StoredModel {
    #[serde(flatten)]
    pub model: Model,
    pub change: u64,
}

impl Database {
    /// Uses this embedder instead of the model in a folder.
    #[doc(hidden)]
    pub fn use_embedder(&self, embedder: Box<dyn Embedder>) {
        *lock(&self.dense.embedder) = Some((PathBuf::new(), embedder));
    }
}

impl Snapshot<'_> {
    /// How near items are to a question by meaning. If the vectors of a model cannot be compared,
    /// those of words are, and the answer says why; a request that wants nothing else fails.
    pub(super) fn meaning(
        &self,
        queries: &Queries<'_>,
        request: &SearchRequest,
        question: &Question,
        loaded: &Loaded,
    ) -> Result<Meaning, EngineError> {
        let is_for_words = question.shape == Shape::Symbol && request.by == SearchBy::Both;
        if request.by == SearchBy::Words || is_for_words {
            return Ok(Meaning::default());
        }
        let corpus = &loaded.corpus;
        let of_words = || Meaning::of_words(question, corpus);
        let Some(stored) = stored_model(self.store())? else { return Ok(of_words()) };
        if loaded.past {
            let notes = vec![format!("the past has no vectors of {}", stored.model.name)];
            return Ok(Meaning { notes, ..of_words() });
        }
        let vectors = self.vectors(queries, &stored, loaded)?;
        let vector = match self.question_vector(&question.text, &stored.model) {
            Ok(vector) => vector,
            Err(error) if request.by == SearchBy::Meaning => return Err(error.into()),
            Err(error) => {
                let notes = vec![format!("meaning is that of word vectors: {error}")];
                return Ok(Meaning { notes, ..of_words() });
            }
        };
        let cosines = Some(vectors.index.cosines(&vector, corpus));
        let mut notes = Vec::new();
        if vectors.missing > 0 {
            let all = vectors.missing + vectors.index.len();
            notes.push(format!(
                "{} of {all} items have no vector yet, and are searched by words only",
                vectors.missing
            ));
        }
        Ok(Meaning { cosines, model: Some(stored.model.name), by_words: false, notes })
    }

    /// What the vectors of this database depend on, for the key of an answer.
    pub(super) fn dense_key(&self) -> Result<String, EngineError> {
        let stored = stored_model(self.store())?;
        let loaded = lock(&self.database.dense.embedder);
        let loaded = loaded.as_ref().map(|(_, embedder)| embedder.hash().to_owned());
        Ok(format!("{stored:?} {loaded:?}"))
    }

    fn question_vector(&self, text: &str, model: &Model) -> Result<Vector, DenseError> {
        let mut slot = lock(&self.database.dense.embedder);
        let (folder, embedder) = match &mut *slot {
            Some(loaded) => loaded,
            None => {
                let folder = dense::default_folder().unwrap_or_default();
                let loaded = dense::load(&folder)?;
                slot.insert((folder, loaded))
            }
        };
        if embedder.hash() != model.hash {
            let found = Model {
                name: embedder.name().to_owned(),
                hash: embedder.hash().to_owned(),
                dimension: model.dimension,
            };
            let error = DenseError::OtherModel {
                stored: model.to_string(),
                found: found.to_string(),
                folder: folder.clone(),
            };
            // Another model may be put into the folder.
            *slot = None;
            return Err(error);
        }
        let found = embedder.embed(&[text])?.pop().unwrap_or_default();
        vector_of(&found, model.dimension)
    }

    /// The vectors of this revision, kept in memory until they change.
    fn vectors(
        &self,
        queries: &Queries<'_>,
        stored: &StoredModel,
        loaded: &Loaded,
    ) -> Result<Arc<Vectors>, EngineError> {
        let key = format!("{stored:?}");
        if let Some((at, of, kept)) = &*lock(&self.database.dense.index)
            && (*at, of) == (self.at, &key)
        {
            return Ok(Arc::clone(kept));
        }
        let rows = queries.stored_vectors()?;
        let corpus = Arc::clone(&loaded.corpus);
        let dimension = stored.model.dimension;
        let vectors = Arc::new(self.index(queries, rows, &corpus, dimension)?);
        *lock(&self.database.dense.index) = Some((self.at, key, Arc::clone(&vectors)));
        Ok(vectors)
    }

    fn index(
        &self,
        queries: &Queries<'_>,
        rows: Vec<StoredVectors>,
        corpus: &Corpus,
        dimension: usize,
    ) -> Result<Vectors, EngineError> {
        let mut by_path: BTreeMap<String, StoredVectors> =
            rows.into_iter().map(|row| (row.path.clone(), row)).collect();
        let (mut items, mut missing, mut parsed) = (Vec::new(), 0, 0);
        for (number, file) in corpus.files().iter().enumerate() {
            let wanted = file.items.iter().filter(|item| is_embedded(&file.path, item)).count();
            let before = items.len();
            if let Some(row) = by_path.remove(&file.path) {
                let is_same = row.current.as_deref() == Some(row.raw_hash.as_str());
                let mut stored = decode(&row, dimension)?;
                if !is_same && parsed < MAX_PARSED {
                    parsed += 1;
                    let bytes = self.file_bytes(queries, &file.path)?;
                    stored = carried(stored, texts_of(&file.path, &bytes)?);
                } else if !is_same {
                    stored = FileVectors::default();
                }
                for one in stored.0 {
                    if let Ok(at) = file.items.binary_search_by_key(&one.item, |item| item.item) {
                        items.push((number, at, one.vector));
                    }
                }
            }
            missing += wanted.saturating_sub(items.len() - before);
        }
        Ok(Vectors { index: DenseIndex::new(items), missing })
    }
}

/// The vectors of the items of a file whose text is as it was embedded, by their present index.
fn carried(stored: FileVectors, texts: Vec<TextToEmbed>) -> FileVectors {
    let mut by_hash: BTreeMap<_, _> = stored.0.into_iter().map(|one| (one.hash, one)).collect();
    let found = texts.into_iter().filter_map(|text| {
        let mut one = by_hash.remove(&text.hash)?;
        one.item = text.item;
        Some(one)
    });
    FileVectors(found.collect())
}

/// The texts of a file, parsed where deep nesting cannot overflow the stack.
pub(super) fn texts_of(path: &str, bytes: &[u8]) -> Result<Vec<TextToEmbed>, EngineError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(asof_syntax::STACK_BYTES);
        let work = || texts_to_embed(&asof_syntax::parse_file(path, bytes));
        let running = thread.spawn_scoped(scope, work);
        let running = running.map_err(|e| IndexError::Threads { reason: e.to_string() })?;
        let failed = |_| IndexError::Threads { reason: "the parser failed".to_owned() };
        Ok(running.join().map_err(failed)?)
    })
}

pub(super) fn decode(row: &StoredVectors, dimension: usize) -> Result<FileVectors, EngineError> {
    FileVectors::decode(&row.vectors, dimension).ok_or_else(|| EngineError::State {
        what: "vectors",
        reason: format!("those of {} are not {dimension} numbers for each item", row.path),
    })
}

/// The model of the stored vectors, if there are any.
pub(super) fn stored_model(store: &Store) -> Result<Option<StoredModel>, EngineError> {
    let rows = asof_query::run(store, "meta/get", Params::new().with("key", MODEL))?;
    let text: Option<String> = rows.iter().next().map(|row| row.get("value")).transpose()?;
    let read = |text: String| {
        serde_json::from_str(&text)
            .map_err(|error| EngineError::State { what: "model", reason: error.to_string() })
    };
    text.map(read).transpose()
}

/// A vector that has the dimension of the stored ones.
pub(super) fn vector_of(numbers: &[f32], dimension: usize) -> Result<Vector, DenseError> {
    if numbers.len() != dimension {
        return Err(DenseError::Dimension { expected: dimension, found: numbers.len() });
    }
    Vector::from_numbers(numbers).ok_or_else(|| DenseError::Run("it gave no direction".to_owned()))
}

pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
