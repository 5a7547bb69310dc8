//! Errors of models and vectors.

use std::path::PathBuf;

/// Why a model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DenseError {
    /// This program cannot run models.
    #[error("this program was built without the feature `dense`, which runs embedding models")]
    NotBuilt,
    /// No folder was given, and there is none at the default place.
    #[error("no embedding model in {}", folder.display())]
    NoModel {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The model cannot be fetched.
    #[error("the model {repository} cannot be fetched from the Hugging Face Hub: {reason}")]
    Download {
        /// The repository of the hub.
        repository: &'static str,
        /// Why not.
        reason: String,
    },
    /// A file of the folder is missing or cannot be read.
    #[error("the model lacks {}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why it was not read.
        reason: String,
    },
    /// A file of the folder is not what it should be.
    #[error("the model in {} cannot be loaded: {reason}", folder.display())]
    Corrupt {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// ONNX Runtime is missing, or not the right one.
    #[error("ONNX Runtime cannot be loaded from {}: {reason}", library.display())]
    Runtime {
        /// The library that was tried.
        library: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The model gave something else than one vector of its dimension for each text.
    #[error("the model gave {found} numbers for a text; the stored vectors have {expected}")]
    Dimension {
        /// Numbers of a vector of this index.
        expected: usize,
        /// Numbers that came.
        found: usize,
    },
    /// The model failed on a text.
    #[error("the model failed: {0}")]
    Run(String),
    /// The vectors are of another model.
    #[error("the vectors are of the model {stored}, and {} has {found}", folder.display())]
    OtherModel {
        /// Name and hash of the model of the vectors.
        stored: String,
        /// Those of the model that was found.
        found: String,
        /// Its folder.
        folder: PathBuf,
    },
}
