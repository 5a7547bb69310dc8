//! A model: a folder with `model.onnx` and `tokenizer.json`, and what is stored of it with the
//! vectors.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::DenseError;
use asof_files::plain::Links;

/// The environment variable with the folder of the model.
pub const MODEL_VARIABLE: &str = "ASOF_MODEL";

/// Bytes of a model.
const MAX_MODEL: u64 = 2 << 30;

/// Bytes of any other file of the folder.
const MAX_FILE: u64 = 64 << 20;

/// Which model made vectors. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// Name of its folder.
    pub name: String,
    /// Hash of its files.
    pub hash: String,
    /// Numbers of a vector.
    pub dimension: usize,
}

impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name, self.hash.get(..8).unwrap_or(&self.hash))
    }
}

/// The folder of the model if none is named: that of the environment, else `asof/model` in the
/// user's data folder. Never a folder of the workspace, which may come from anybody.
pub fn default_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || set("HOME").map(|home| home.join(".local/share"));
    set(MODEL_VARIABLE)
        .or_else(|| set("XDG_DATA_HOME").or_else(home).map(|data| data.join("asof/model")))
}

/// The files of a model.
#[derive(Clone)]
pub struct ModelFiles {
    /// Its folder.
    pub folder: PathBuf,
    /// Name of the folder.
    pub name: String,
    /// Hash of the model and its tokenizer.
    pub hash: String,
    /// The model in ONNX format.
    pub onnx: Vec<u8>,
    /// `tokenizer.json`.
    pub tokenizer: Vec<u8>,
    /// `config.json`, `special_tokens_map.json` and `tokenizer_config.json`, where they exist.
    pub settings: [Option<Vec<u8>>; 3],
}

impl std::fmt::Debug for ModelFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelFiles").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl ModelFiles {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// There is no such folder, a file is missing, or it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, DenseError> {
        let folder = std::fs::canonicalize(folder)
            .ok()
            .filter(|folder| folder.is_dir())
            .ok_or_else(|| DenseError::NoModel { folder: folder.to_owned() })?;
        let read = |name: &str, most: u64| {
            let file = folder.join(name);
            asof_files::plain::read(&file, most, Links::Follow)
                .map_err(|error| DenseError::File { file, reason: error.to_string() })
        };
        let onnx = read("model.onnx", MAX_MODEL)?;
        let tokenizer = read("tokenizer.json", MAX_FILE)?;
        let optional = |name: &str| {
            if folder.join(name).exists() { read(name, MAX_FILE).map(Some) } else { Ok(None) }
        };
        let settings = [
            optional("config.json")?,
            optional("special_tokens_map.json")?,
            optional("tokenizer_config.json")?,
        ];
        let mut hasher = blake3::Hasher::new();
        for part in [Some(&onnx), Some(&tokenizer)]
            .into_iter()
            .chain(settings.each_ref().map(Option::as_ref))
        {
            hasher.update(blake3::hash(part.map_or(&[], Vec::as_slice)).as_bytes());
        }
        let hash = hasher.finalize().to_hex().as_str().chars().take(32).collect();
        let name = folder.file_name().map_or("model".into(), |name| name.to_string_lossy());
        Ok(Self { name: name.into_owned(), hash, onnx, tokenizer, settings, folder })
    }
}
