//! The trait of models that embed texts.

use super::error::DenseError;

/// Makes vectors of texts. The vector of a text does not depend on the texts beside it.
pub trait Embedder: Send {
    /// Name of the model.
    fn name(&self) -> &str;

    /// Hash of the model's files.
    fn hash(&self) -> &str;

    /// A vector for each text.
    ///
    /// # Errors
    /// The model failed.
    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vec<f32>>, DenseError>;
}
