//! What is computed of something that states share, and kept with it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::numbers::{Numbers, Renumber};

/// A value that depends on its owner and on something else, which has a key. A clone of the owner may be
/// changed, so it begins without one.
#[derive(Default)]
pub(super) struct Cached(Mutex<Option<Value>>);

struct Value {
    key: u64,
    of_owner: Arc<dyn Any + Send + Sync>,
    renumber: fn(&(dyn Any + Send + Sync), &Numbers) -> Option<Arc<dyn Any + Send + Sync>>,
}

impl Cached {
    /// The value that was kept last, if it was with this key.
    pub fn get<T: Send + Sync + 'static>(&self, key: u64) -> Option<Arc<T>> {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = value.as_ref().filter(|value| value.key == key)?;
        Arc::clone(&value.of_owner).downcast().ok()
    }

    pub fn set<T: Renumber + Send + Sync + 'static>(&self, key: u64, value: Arc<T>) {
        let value = Value { key, of_owner: value, renumber: renumber::<T> };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }
}

fn renumber<T: Renumber + Send + Sync + 'static>(
    value: &(dyn Any + Send + Sync),
    numbers: &Numbers,
) -> Option<Arc<dyn Any + Send + Sync>> {
    let value: &T = value.downcast_ref()?;
    Some(Arc::new(value.renumber(numbers)))
}

impl Renumber for Cached {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = value.as_ref().and_then(|value| {
            let of_owner = (value.renumber)(&*value.of_owner, numbers)?;
            Some(Value { of_owner, ..*value })
        });
        Cached(Mutex::new(value))
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
