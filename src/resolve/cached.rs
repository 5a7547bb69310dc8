//! What is computed of something that states share, and kept with it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A value that depends on its owner and on something else, which has a key. A clone of the owner may be
/// changed, so it begins without one.
#[derive(Default)]
pub(super) struct Cached(Mutex<Option<Value>>);

struct Value {
    key: u64,
    of_owner: Arc<dyn Any + Send + Sync>,
}

impl Cached {
    /// The value that was kept last, if it was with this key.
    pub fn get<T: Send + Sync + 'static>(&self, key: u64) -> Option<Arc<T>> {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = value.as_ref().filter(|value| value.key == key)?;
        Arc::clone(&value.of_owner).downcast().ok()
    }

    pub fn set<T: Send + Sync + 'static>(&self, key: u64, value: Arc<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Value { key, of_owner: value });
    }
}

impl Clone for Cached {
    fn clone(&self) -> Self {
        Cached::default()
    }
}

impl PartialEq for Cached {
    /// What is computed is no part of its owner.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cached {}

impl fmt::Debug for Cached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cached")
    }
}
