//! What macro calls among items expand to, kept from one state to the next: parsing an expansion takes
//! longer than finding it, and most calls stay as they are.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asof_model::{MadeItem, NodeKind};
use asof_resolve::read_expansion;

/// Items of an expansion, with their parents among them.
type Items = Vec<(Option<u32>, MadeItem)>;

/// Hash of an expansion, and what its call is in.
type Key = (blake3::Hash, NodeKind);

/// Expansions of the present state and of the one before, by their texts.
#[derive(Default)]
pub(super) struct Expansions(Mutex<[HashMap<Key, Arc<Items>>; 2]>);

impl Expansions {
    fn kept(&self) -> MutexGuard<'_, [HashMap<Key, Arc<Items>>; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins another state: what the last one did not have is dropped.
    pub fn begin_state(&self) {
        let [present, before] = &mut *self.kept();
        *before = std::mem::take(present);
    }

    /// The items in what a call expands to, within an item of a kind.
    pub fn read(&self, text: &str, within: NodeKind) -> Items {
        let key = (blake3::hash(text.as_bytes()), within);
        let known = {
            let [present, before] = &mut *self.kept();
            present.get(&key).cloned().or_else(|| before.remove(&key))
        };
        let items = known.unwrap_or_else(|| Arc::new(read_expansion(text, within)));
        let [present, _] = &mut *self.kept();
        present.insert(key, Arc::clone(&items));
        items.to_vec()
    }
}

impl fmt::Debug for Expansions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [present, before] = &*self.kept();
        f.debug_tuple("Expansions").field(&present.len()).field(&before.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expansion_is_kept_as_long_as_states_have_it() {
        let expansions = Expansions::default();
        let text = "fn f() {} struct S;";
        let made = expansions.read(text, NodeKind::Module);
        assert_eq!(made, read_expansion(text, NodeKind::Module));
        let count = || expansions.kept().each_ref().map(HashMap::len);
        assert_eq!(count(), [1, 0]);
        // Within an impl, the same text means something else.
        expansions.read(text, NodeKind::Impl);
        expansions.begin_state();
        assert_eq!(count(), [0, 2]);
        assert_eq!(expansions.read(text, NodeKind::Module), made);
        assert_eq!(count(), [1, 1]);
        expansions.begin_state();
        assert_eq!(count(), [0, 1]);
    }
}
