//! Loads the model of a folder, if this program has a runtime for models.

use std::path::Path;

use super::embedder::Embedder;
use super::error::DenseError;

/// Loads the model of a folder.
///
/// # Errors
/// The folder, the model or ONNX Runtime cannot be loaded, or this program has no runtime.
#[cfg(feature = "dense")]
pub fn load(folder: &Path) -> Result<Box<dyn Embedder>, DenseError> {
    super::onnx::load(folder)
}

/// Fetches the default model from the Hugging Face Hub into a folder, unless there is one already.
///
/// # Errors
/// The hub cannot be reached, the folder cannot be written, or this program has no runtime.
#[cfg(feature = "dense")]
pub fn fetch(folder: &Path) -> Result<(), DenseError> {
    super::hub::fetch(folder)
}

/// Fetches the default model.
///
/// # Errors
/// This program has no runtime.
#[cfg(not(feature = "dense"))]
pub fn fetch(_folder: &Path) -> Result<(), DenseError> {
    Err(DenseError::NotBuilt)
}

/// Loads the model of a folder.
///
/// # Errors
/// This program has no runtime.
#[cfg(not(feature = "dense"))]
pub fn load(_folder: &Path) -> Result<Box<dyn Embedder>, DenseError> {
    Err(DenseError::NotBuilt)
}
