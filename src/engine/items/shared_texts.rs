//! Definitions that have one text.
//!
//! A file that is the body of several modules defines each of its items once for each of them:
//! `mod common;` in two test targets, two `#[path]` declarations of one file, a module's file that is
//! a target, too. These definitions are one item of the text. So what uses one of them uses the item,
//! and nothing uses the item only if nothing uses any of them. `tests/common.rs` has `fn setup`, and
//! `tests/one.rs`, with `mod common;`, calls it: `common::setup`, of the target that Cargo makes of the
//! file, is used as much as `one::common::setup`.
//!
//! Items of equal texts in two files are two items, and so are `cfg` duplicates in one file: each has a
//! text of its own, and may be changed or deleted without the other.

use std::collections::{HashMap, HashSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::Queries;
use asof_wire::Symbol;

/// The definitions of some files that share their text with others.
#[derive(Debug, Default)]
pub(crate) struct SharedTexts {
    files: HashSet<String>,
    /// Each with two definitions or more.
    texts: Vec<Vec<NodeId>>,
    by_id: HashMap<NodeId, usize>,
}

impl SharedTexts {
    /// Adds those of a file.
    ///
    /// # Errors
    /// The database failed.
    pub(crate) fn read(
        &mut self,
        queries: &Queries<'_>,
        file_path: &str,
    ) -> Result<(), EngineError> {
        if !self.files.insert(file_path.to_owned()) {
            return Ok(());
        }
        let modules: Vec<NodeId> =
            queries.file_modules(file_path)?.into_iter().map(|module| module.id).collect();
        if modules.len() < 2 {
            return Ok(());
        }
        let items = queries.file_items(file_path)?;
        let mut texts: HashMap<(u32, u32, NodeKind, &str), Vec<NodeId>> = HashMap::new();
        for item in &items {
            let text = (item.start_byte, item.end_byte, item.kind, item.name.as_str());
            texts.entry(text).or_default().push(item.id);
        }
        // A module's name is not in its file: `mod a;` and `#[path] mod b;` are two items.
        let modules = queries.describe(&modules)?;
        for module in &modules {
            let text = (0, u32::MAX, module.kind, module.name.as_str());
            texts.entry(text).or_default().push(module.id);
        }
        let mut texts: Vec<Vec<NodeId>> = texts.into_values().filter(|ids| ids.len() > 1).collect();
        texts.sort();
        for ids in texts {
            self.by_id.extend(ids.iter().map(|id| (*id, self.texts.len())));
            self.texts.push(ids);
        }
        Ok(())
    }

    /// All definitions with the text of this one, itself among them; none if it has no other.
    pub(crate) fn definitions(&self, id: NodeId) -> &[NodeId] {
        let text = self.by_id.get(&id).and_then(|text| self.texts.get(*text));
        text.map_or(&[], Vec::as_slice)
    }
}

impl Snapshot<'_> {
    /// These symbols, and the other definitions that have the text of one of them.
    ///
    /// # Errors
    /// The database failed.
    pub fn with_same_text(&self, symbols: &[Symbol]) -> Result<Vec<Symbol>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let mut texts = SharedTexts::default();
        let mut known: HashSet<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let mut others = Vec::new();
        for symbol in symbols {
            let Some(file_path) = &symbol.file_path else { continue };
            texts.read(&queries, file_path)?;
            let same = texts.definitions(symbol.id).iter().copied();
            others.extend(same.filter(|id| known.insert(*id)));
        }
        let others = self.items(&others)?;
        Ok(symbols.iter().cloned().chain(others.iter().map(Symbol::from)).collect())
    }
}
