//! Fetching a model from the Hugging Face Hub.

use std::path::Path;

use hf_hub::api::sync::{ApiBuilder, ApiError};

use super::error::DenseError;

/// all-MiniLM-L6-v2 in ONNX format.
const REPOSITORY: &str = "Qdrant/all-MiniLM-L6-v2-onnx";

/// The model comes last: a folder that has it is complete.
const FILES: [&str; 5] = [
    "config.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "tokenizer.json",
    "model.onnx",
];

/// Fetches the default model into a folder, unless there is a model already. The environment
/// variable `HF_ENDPOINT` names another hub.
pub(super) fn fetch(folder: &Path) -> Result<(), DenseError> {
    if folder.join("model.onnx").exists() {
        return Ok(());
    }
    let failed = |reason: String| DenseError::Download { repository: REPOSITORY, reason };
    let on_disk = |error: std::io::Error| failed(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(on_disk)?;
    let cache = tempfile::tempdir_in(folder).map_err(on_disk)?;
    let from_hub = |error: ApiError| failed(error.to_string());
    let api = ApiBuilder::from_env()
        .with_cache_dir(cache.path().to_owned())
        .with_progress(false)
        .with_token(None)
        .build()
        .map_err(from_hub)?;
    let repository = api.model(REPOSITORY.to_owned());
    for name in FILES {
        let fetched = repository.get(name).map_err(from_hub)?;
        let whole = cache.path().join(name);
        std::fs::copy(fetched, &whole).map_err(on_disk)?;
        std::fs::rename(whole, folder.join(name)).map_err(on_disk)?;
    }
    Ok(())
}
