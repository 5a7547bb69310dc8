//! Search by meaning: the texts that a model embeds, stored vectors, and the scan for the nearest.
//! With the cargo feature `dense` it runs models in ONNX format. Without it every model is refused,
//! and the rest works with vectors that somebody else computed. It knows nothing of the database.

mod embedder;
mod error;
mod index;
mod load;
mod model;
mod text;
mod vectors;

#[cfg(feature = "dense")]
mod hub;
#[cfg(feature = "dense")]
mod onnx;

pub use embedder::Embedder;
pub use error::DenseError;
pub use index::DenseIndex;
pub use load::{fetch, load};
pub use model::{MODEL_VARIABLE, Model, ModelFiles, default_folder};
pub use text::{TextToEmbed, is_embedded, texts_to_embed};
pub use vectors::{ContentHash, FileVectors, ItemVector, Vector};
