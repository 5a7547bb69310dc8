pub mod ops { pub trait Deref { type Target; fn deref(&self) -> &Self::Target; } }
