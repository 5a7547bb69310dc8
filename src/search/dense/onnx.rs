//! Models in ONNX format, run by ONNX Runtime.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastembed::{
    InitOptionsUserDefined, Pooling, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel,
};
use ort::environment::Environment;

use super::embedder::Embedder;
use super::error::DenseError;
use super::model::ModelFiles;

/// Tokens of a text that are read; what comes later is left out. Small models are trained on 128.
const MAX_TOKENS: usize = 128;

/// Threads that embed, each with a session of its own.
const MAX_SESSIONS: usize = 8;

/// The environment variable with the library of ONNX Runtime.
const LIBRARY_VARIABLE: &str = "ORT_DYLIB_PATH";

/// What a tokenizer without settings of its own gets.
const SETTINGS: [&[u8]; 3] = [b"{}", b"{}", br#"{"model_max_length": 512, "pad_token": "[PAD]"}"#];

/// Loads the model of a folder.
pub(super) fn load(folder: &Path) -> Result<Box<dyn Embedder>, DenseError> {
    let files = ModelFiles::read(folder)?;
    let environment = environment(&files.folder)?;
    let first = session(&files, &environment)?;
    Ok(Box::new(Onnx { files, environment, sessions: vec![first] }))
}

/// A model. The vector of a text depends on the texts in the same run, if the model is quantised:
/// so each run has one text, and several sessions use the cores.
struct Onnx {
    files: ModelFiles,
    environment: Environment,
    sessions: Vec<TextEmbedding>,
}

impl Embedder for Onnx {
    fn name(&self) -> &str {
        &self.files.name
    }

    fn hash(&self) -> &str {
        &self.files.hash
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vec<f32>>, DenseError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = cores.min(MAX_SESSIONS).min(texts.len().div_ceil(4)).max(1);
        while self.sessions.len() < wanted {
            self.sessions.push(session(&self.files, &self.environment)?);
        }
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(texts.len()));
        let work = |session: &mut TextEmbedding| -> Result<(), DenseError> {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(text) = texts.get(at) else { return Ok(()) };
                let vector = embed_text(session, text)?;
                done.lock().unwrap_or_else(|e| e.into_inner()).push((at, vector));
            }
        };
        match self.sessions.get_mut(..wanted) {
            Some([session]) => work(session)?,
            sessions => std::thread::scope(|scope| {
                let running: Vec<_> = sessions
                    .into_iter()
                    .flatten()
                    .map(|session| scope.spawn(|| work(session)))
                    .collect();
                let failed = |_| DenseError::Run("a thread panicked".to_owned());
                running.into_iter().try_for_each(|thread| thread.join().map_err(failed)?)
            })?,
        }
        let mut vectors = done.into_inner().unwrap_or_else(|e| e.into_inner());
        vectors.sort_by_key(|(at, _)| *at);
        Ok(vectors.into_iter().map(|(_, vector)| vector).collect())
    }
}

fn embed_text(session: &mut TextEmbedding, text: &str) -> Result<Vec<f32>, DenseError> {
    let failed = |error: fastembed::Error| DenseError::Run(error.to_string());
    let mut vectors = session.embed([text], None).map_err(failed)?;
    vectors.pop().ok_or_else(|| DenseError::Run("it gave no vector".to_owned()))
}

fn session(files: &ModelFiles, environment: &Environment) -> Result<TextEmbedding, DenseError> {
    let [config_file, special_tokens_map_file, tokenizer_config_file] = {
        let mut given = files.settings.clone().into_iter();
        SETTINGS.map(|default| given.next().flatten().unwrap_or_else(|| default.to_vec()))
    };
    let tokenizer_files = TokenizerFiles {
        tokenizer_file: files.tokenizer.clone(),
        config_file,
        special_tokens_map_file,
        tokenizer_config_file,
    };
    let model = UserDefinedEmbeddingModel::new(files.onnx.clone(), tokenizer_files)
        .with_pooling(Pooling::Mean);
    let options = InitOptionsUserDefined::new()
        .with_environment(environment.clone())
        .with_max_length(MAX_TOKENS)
        .with_intra_threads(1);
    TextEmbedding::try_new_from_user_defined(model, options).map_err(|error| DenseError::Corrupt {
        folder: files.folder.clone(),
        reason: error.to_string(),
    })
}

/// ONNX Runtime, loaded once in a process.
fn environment(folder: &Path) -> Result<Environment, DenseError> {
    static LOADED: Mutex<Option<Environment>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(environment) = &*loaded {
        return Ok(environment.clone());
    }
    let library = library(folder);
    let failed = |reason: String| DenseError::Runtime { library: library.clone(), reason };
    let builder = ort::init_from(&library).map_err(|error| failed(error.to_string()))?;
    let environment = builder.build().map_err(|error| failed(error.to_string()))?;
    Ok(loaded.insert(environment).clone())
}

/// The library of ONNX Runtime: of the environment, else in the model's folder, else of the system.
fn library(folder: &Path) -> PathBuf {
    if let Some(given) = std::env::var_os(LIBRARY_VARIABLE).filter(|value| !value.is_empty()) {
        return given.into();
    }
    let system =
        format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let beside = folder.join(&system);
    if beside.exists() { beside } else { system.into() }
}
