//! Calls that changed from one name to another, as evidence of renames: if the code around a call
//! is still there and the called name is not, the new name probably stands for the same item.

use std::collections::{BTreeMap, BTreeSet};

use super::state::ItemState;
use super::texts::Texts;
use asof_syntax::{TokenClass, code_tokens};

/// Names that changed items stopped to mention, with those that they mention instead.
#[derive(Debug, Clone, Default)]
pub struct CallSites {
    /// (old, new) → number of items.
    items: BTreeMap<(String, String), usize>,
}

impl CallSites {
    /// Looks for the names in the texts of the items that a step changed, old and new.
    pub fn compare<E>(
        old: &BTreeSet<&str>,
        new: &BTreeSet<&str>,
        changed: &[(ItemState, ItemState)],
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let differ = |pair: &&(ItemState, ItemState)| pair.0.text_hash != pair.1.text_hash;
        let changed: Vec<_> = changed.iter().filter(differ).collect();
        let hashes = |pair: &&(ItemState, ItemState)| [pair.0.text_hash, pair.1.text_hash];
        texts.load(changed.iter().flat_map(hashes).flatten())?;
        let mut items = BTreeMap::new();
        for (was, is) in changed {
            let text = |item: &ItemState| item.text_hash.and_then(|hash| texts.get(&hash));
            let Some((before, after)) = text(was).zip(text(is)) else { continue };
            let (before, after) = (words(before), words(after));
            let lost = old.iter().filter(|name| before.contains(*name) && !after.contains(*name));
            for lost in lost {
                let gained = new.iter();
                for gained in gained.filter(|n| after.contains(*n) && !before.contains(*n)) {
                    let names = ((*lost).to_owned(), (*gained).to_owned());
                    *items.entry(names).or_default() += 1;
                }
            }
        }
        Ok(Self { items })
    }

    /// Whether calls changed from one name to the other, more often than to or from any other.
    pub fn changed(&self, old: &str, new: &str) -> bool {
        let Some(count) = self.items.get(&(old.to_owned(), new.to_owned())) else { return false };
        let rivals = self.items.iter().filter(|((from, to), _)| (from == old) != (to == new));
        rivals.map(|(_, count)| count).max().is_none_or(|most| most < count)
    }
}

fn words(text: &str) -> BTreeSet<&str> {
    let words = code_tokens(text).into_iter().filter(|token| token.class == TokenClass::Word);
    words.map(|token| token.text).collect()
}
