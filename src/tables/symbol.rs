//! Global symbols: keys that are equal in every checkout and version.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::error::TablesError;
use asof_model::NodeId;
use asof_scip::{Suffix, descriptors, part};

/// What a symbol is derived from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub source: Arc<str>,
    pub package: Arc<str>,
    /// Id of the definition, or the text of an external name.
    pub id: Arc<str>,
}

impl Symbol {
    /// The key: the first 64 bits of BLAKE3 of the parts, each ended by a zero byte.
    pub fn key(&self) -> i64 {
        let mut hasher = blake3::Hasher::new();
        for part in [&self.source, &self.package, &self.id] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        let mut first = [0; 8];
        hasher.finalize_xof().fill(&mut first);
        i64::from_le_bytes(first)
    }
}

/// The symbols of a project: keys by id, each checked against all others.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    source: Arc<str>,
    by_id: HashMap<NodeId, i64>,
    by_key: HashMap<i64, Symbol>,
}

impl Symbols {
    pub fn new(source: &str) -> Self {
        Self { source: source.into(), ..Self::default() }
    }

    /// The source of the project's own packages.
    pub fn source(&self) -> Arc<str> {
        Arc::clone(&self.source)
    }

    /// Adds a symbol for an id.
    ///
    /// # Errors
    /// Another symbol has its key.
    pub fn add(&mut self, id: NodeId, symbol: Symbol) -> Result<i64, TablesError> {
        let key = symbol.key();
        match self.by_key.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(symbol);
            }
            Entry::Occupied(there) if *there.get() != symbol => {
                let named = |s: &Symbol| format!("{} {} {}", s.source, s.package, s.id);
                return Err(TablesError::Collision {
                    key,
                    one: named(there.get()),
                    other: named(&symbol),
                });
            }
            Entry::Occupied(_) => {}
        }
        self.by_id.insert(id, key);
        Ok(key)
    }

    /// The key of an id.
    pub fn get(&self, id: NodeId) -> Option<i64> {
        self.by_id.get(&id).copied()
    }

    /// The key of an id that the database refers to.
    ///
    /// # Errors
    /// No definition and no external symbol has this id.
    pub fn need(&self, id: NodeId) -> Result<i64, TablesError> {
        self.get(id).ok_or_else(|| TablesError::Fact {
            what: "reference",
            reason: format!("no definition and no external symbol has the id {id}"),
        })
    }

    /// Parts by key.
    pub fn of_key(&self, key: i64) -> Option<&Symbol> {
        self.by_key.get(&key)
    }
}

/// A symbol's text: scheme, manager, package, version (none), and descriptors as SCIP writes them.
/// `source` takes the place of the manager. What is above an item is not known to be a type.
pub(super) fn text(source: &str, package: &str, kind: &str, path: &str) -> String {
    let descriptors = descriptors(path, Suffix::of_kind(kind), |_| Suffix::Namespace, &[]);
    format!("asof {} {} . {descriptors}", part(source), part(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_depend_on_every_part_and_nothing_else() {
        let symbol = |source: &str, package: &str, id: &str| Symbol {
            source: source.into(),
            package: package.into(),
            id: id.into(),
        };
        let one = symbol("s", "p", "x").key();
        assert_eq!(one, symbol("s", "p", "x").key());
        for other in [symbol("sp", "", "x"), symbol("s", "px", ""), symbol("s", "p", "y")] {
            assert_ne!(one, other.key(), "{other:?}");
        }
        // The form on disk: a change of it makes every exported key wrong.
        assert_eq!(one, -5_239_806_461_752_678_882);
    }

    #[test]
    fn texts_are_scips() {
        for (kind, path, expected) in [
            ("function", "fd::walk::scan", "fd/walk/scan()."),
            ("struct", "fd::Config", "fd/Config#"),
            ("module", "fd", "fd/"),
            ("macro", "fd::print", "fd/print!"),
            ("method", "<fd::A as fd::B<fd::C>>::run", "`<fd::A as fd::B<fd::C>>`/run()."),
            ("method", "<F as Fn() -> u::V>::run", "`<F as Fn() -> u::V>`/run()."),
            ("field", "a::S::0", "a/S/0."),
        ] {
            assert_eq!(
                text("project:fd", "fd find", kind, path),
                format!("asof project:fd fd  find . {expected}")
            );
        }
        assert_eq!(text("", "", "external", "std::fs"), "asof . . . std/fs.");
    }

    #[test]
    fn a_collision_is_an_error() {
        let mut symbols = Symbols::new("s");
        let id = NodeId::of_external("a");
        let symbol = Symbol { source: "s".into(), package: "p".into(), id: "a".into() };
        let key = symbols.add(id, symbol.clone()).unwrap();
        assert_eq!(symbols.add(id, symbol.clone()).unwrap(), key);
        symbols.by_key.insert(key, Symbol { id: "b".into(), ..symbol.clone() });
        assert!(matches!(symbols.add(id, symbol), Err(TablesError::Collision { .. })));
    }
}
