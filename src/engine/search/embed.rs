//! Embeds items: finds texts without a vector, and stores what the model makes of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::dense::{MODEL, StoredModel, decode, lock, stored_model, texts_of, vector_of};
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use asof_index::{IndexError, Progress};
use asof_model::RawHash;
use asof_query::Queries;
use asof_search::dense::{
    self, ContentHash, DenseError, Embedder, FileVectors, ItemVector, Model, TextToEmbed, Vector,
};
use asof_store::{Batch, Value, WriteLock};
use asof_wire::{EmbedReport, Phase, When};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Texts that are embedded before the vectors are stored. What is stored survives a killed process.
const BATCH: usize = 64;

/// How items are embedded.
#[derive(Debug, Clone, Default)]
pub struct EmbedOptions {
    /// Folder of the model; `None` for the default one.
    pub model: Option<PathBuf>,
    /// Whether a model is fetched from the Hugging Face Hub if the folder has none.
    pub download: bool,
    /// Set by the caller to stop; what is done by then stays.
    pub stop: Arc<AtomicBool>,
}

/// A file with items that have no vector.
struct ToEmbed {
    path: String,
    raw_hash: RawHash,
    texts: Vec<TextToEmbed>,
}

/// What lacks vectors, and the vectors that stay.
struct Pending {
    files: Vec<ToEmbed>,
    /// Texts without a vector.
    texts: BTreeMap<ContentHash, String>,
    vectors: HashMap<ContentHash, Vector>,
    /// Files with stored vectors that are not indexed any more.
    gone: Vec<String>,
    /// Items that will have a vector.
    items: usize,
}

impl Pending {
    fn find(snapshot: &Snapshot<'_>, model: &Model) -> Result<Self, EngineError> {
        let queries = Queries::at(&snapshot.database.store, snapshot.at);
        let mut vectors: HashMap<ContentHash, Vector> = HashMap::new();
        let mut current = BTreeSet::new();
        let (mut gone, mut items) = (Vec::new(), 0);
        for row in queries.stored_vectors()? {
            let stored = decode(&row, model.dimension)?;
            match row.current {
                None => gone.push(row.path),
                Some(current_hash) if current_hash == row.raw_hash.as_str() => {
                    items += stored.0.len();
                    current.insert(row.path);
                }
                Some(_) => {}
            }
            vectors.extend(stored.0.into_iter().map(|one| (one.hash, one.vector)));
        }
        let mut files = Vec::new();
        for file in queries.hashed_files()? {
            if !current.contains(&file.path) {
                let bytes = snapshot.file_bytes(&queries, &file.path)?;
                let texts = texts_of(&file.path, &bytes)?;
                files.push(ToEmbed { path: file.path, raw_hash: file.raw_hash, texts });
            }
        }
        items += files.iter().map(|file| file.texts.len()).sum::<usize>();
        let texts = files
            .iter_mut()
            .flat_map(|file| &mut file.texts)
            .filter(|text| !vectors.contains_key(&text.hash))
            .map(|text| (text.hash, std::mem::take(&mut text.text)))
            .collect();
        Ok(Self { files, texts, vectors, gone, items })
    }
}

impl Database {
    /// Makes the vectors of all items that have none, or one of another text. If the given model is
    /// another one than before, all vectors are made anew.
    ///
    /// # Errors
    /// The model cannot be fetched or loaded, or fails, no model is given and the default one is not that of the
    /// stored vectors, another process is writing, or the database failed.
    /// [`IndexError::Interrupted`] if the caller stopped it: finished files are stored.
    pub fn embed(
        &self,
        options: &EmbedOptions,
        progress: &dyn Progress,
    ) -> Result<EmbedReport, EngineError> {
        let started = Instant::now();
        let mut slot = lock(&self.dense.embedder);
        let folder = options.model.clone().or_else(dense::default_folder).unwrap_or_default();
        let is_given = slot.as_ref().is_some_and(|(of, _)| of.as_os_str().is_empty());
        let (_, embedder) = match &mut *slot {
            Some(loaded) if is_given => loaded,
            slot => {
                if options.download {
                    dense::fetch(&folder)?;
                }
                slot.insert((folder.clone(), dense::load(&folder)?))
            }
        };
        let model = self.choose_model(embedder.as_mut(), folder, options)?;
        let snapshot = self.snapshot(&When::Now, Refresh::First)?;
        let Pending { files, texts, mut vectors, gone, items } = Pending::find(&snapshot, &model)?;
        progress.begin(Phase::Embed, Some(texts.len() as u64));
        let mut embedded = 0;
        let mut waiting: Vec<&ToEmbed> = Vec::new();
        let mut new = 0;
        for file in &files {
            let wanted: BTreeMap<ContentHash, &str> = file
                .texts
                .iter()
                .filter(|text| !vectors.contains_key(&text.hash))
                .filter_map(|text| Some((text.hash, texts.get(&text.hash)?.as_str())))
                .collect();
            let wanted: Vec<(ContentHash, &str)> = wanted.into_iter().collect();
            for part in wanted.chunks(BATCH) {
                if options.stop.load(Ordering::Relaxed) {
                    self.store_files(&waiting, &vectors, &model)?;
                    return Err(IndexError::Interrupted.into());
                }
                let words: Vec<&str> = part.iter().map(|(_, text)| *text).collect();
                let made = embedder.embed(&words)?;
                for ((hash, _), vector) in part.iter().zip(&made) {
                    vectors.insert(*hash, vector_of(vector, model.dimension)?);
                    progress.step();
                }
                new += part.len();
                embedded += part.len();
            }
            waiting.push(file);
            if new >= BATCH {
                self.store_files(&waiting, &vectors, &model)?;
                waiting.clear();
                new = 0;
            }
        }
        self.store_files(&waiting, &vectors, &model)?;
        self.remove_files(gone, &model)?;
        Ok(EmbedReport {
            dimension: model.dimension,
            model: model.name,
            model_hash: model.hash,
            files: files.len(),
            items,
            embedded,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// The model that makes the vectors, noted in the store. Without a given one, it must be that of
    /// the stored vectors.
    fn choose_model(
        &self,
        embedder: &mut dyn Embedder,
        folder: PathBuf,
        options: &EmbedOptions,
    ) -> Result<Model, EngineError> {
        let dimension = embedder.embed(&["dimension"])?.pop().map_or(0, |vector| vector.len());
        let model =
            Model { name: embedder.name().to_owned(), hash: embedder.hash().to_owned(), dimension };
        if !(1..=usize::from(u16::MAX)).contains(&dimension) {
            return Err(DenseError::Run(format!("its vectors have {dimension} numbers")).into());
        }
        if let Some(stored) = stored_model(&self.store)?
            && (stored.model.hash != model.hash && options.model.is_none())
        {
            let (stored, found) = (stored.model.to_string(), model.to_string());
            return Err(DenseError::OtherModel { stored, found, folder }.into());
        }
        self.keep_model(&model)?;
        Ok(model)
    }

    /// Whether items of this database were embedded.
    ///
    /// # Errors
    /// The database failed.
    pub fn has_vectors(&self) -> Result<bool, EngineError> {
        Ok(stored_model(&self.store)?.is_some())
    }

    /// Stores which model the vectors are of. Those of another one are removed.
    fn keep_model(&self, model: &Model) -> Result<(), EngineError> {
        let write = self.lock_to_write(PATIENCE)?;
        let stored = stored_model(&self.store)?;
        if stored.as_ref().is_some_and(|stored| stored.model == *model) {
            return Ok(());
        }
        let mut batch = Batch::new();
        for row in Queries::at(&self.store, asof_model::Micros(i64::MAX)).stored_vectors()? {
            batch.remove("item_vectors", [row.path.into()])?;
        }
        let change = stored.map_or(0, |stored| stored.change) + 1;
        put_model(&mut batch, &StoredModel { model: model.clone(), change })?;
        write.commit(batch)?;
        Ok(())
    }

    fn store_files(
        &self,
        files: &[&ToEmbed],
        known: &HashMap<ContentHash, Vector>,
        model: &Model,
    ) -> Result<(), EngineError> {
        if files.is_empty() {
            return Ok(());
        }
        let mut batch = Batch::new();
        for file in files {
            let items = file.texts.iter().filter_map(|text| {
                let vector = known.get(&text.hash)?.clone();
                Some(ItemVector { item: text.item, hash: text.hash, vector })
            });
            let vectors = FileVectors(items.collect()).encode(model.dimension);
            let row =
                [file.path.as_str().into(), file.raw_hash.as_str().into(), Value::Bytes(vectors)];
            batch.put("item_vectors", row)?;
        }
        self.commit_vectors(batch, model)
    }

    fn remove_files(&self, paths: Vec<String>, model: &Model) -> Result<(), EngineError> {
        if paths.is_empty() {
            return Ok(());
        }
        let mut batch = Batch::new();
        for path in paths {
            batch.remove("item_vectors", [path.into()])?;
        }
        self.commit_vectors(batch, model)
    }

    fn commit_vectors(&self, mut batch: Batch, model: &Model) -> Result<(), EngineError> {
        let write: WriteLock<'_> = self.store.write_lock(PATIENCE)?;
        let stored = stored_model(&self.store)?;
        // Another process may embed with another model: vectors of two are never mixed.
        match stored {
            Some(mut stored) if stored.model == *model => {
                stored.change += 1;
                put_model(&mut batch, &stored)?;
            }
            _ => return Err(IndexError::Interrupted.into()),
        }
        write.commit(batch)?;
        Ok(())
    }
}

fn put_model(batch: &mut Batch, model: &StoredModel) -> Result<(), EngineError> {
    let text = serde_json::to_string(model)
        .map_err(|error| EngineError::State { what: "model", reason: error.to_string() })?;
    Ok(batch.put("meta", [MODEL.into(), text.into()])?)
}
