//! The two states, side by side.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::file_rows::read_files;
use super::identities::{Identities, State};
use super::pair::{Pair, reviewed};
use super::side::{Formed, Side};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, RawHash};
use asof_query::ItemFacts;
use asof_wire::ReviewedItem;
use asof_workspace::SourceTree;

/// See the module.
pub(super) struct Sides<'a> {
    pub old: Side<'a>,
    pub new: Side<'a>,
    pub identities: &'a Identities,
}

/// Both sides of a pair.
pub(super) struct Both<'p> {
    pub pair: &'p Pair,
    pub old_item: Rc<ItemFacts>,
    pub new_item: Rc<ItemFacts>,
    /// Whether they begin at other lines of their files.
    pub has_other_line: bool,
    pub old: Formed,
    pub new: Formed,
}

impl<'a> Sides<'a> {
    /// `trees`: the files of both states, the earlier one first.
    pub fn new(
        from: &'a Snapshot<'a>,
        to: &'a Snapshot<'a>,
        identities: &'a Identities,
        trees: Option<[&'a dyn SourceTree; 2]>,
    ) -> Self {
        let [old, new] = trees.map_or([None; 2], |trees| trees.map(Some));
        Self {
            old: Side::new(from, identities, State::Earlier).with_tree(old),
            new: Side::new(to, identities, State::Later).with_tree(new),
            identities,
        }
    }

    /// Items whose names mean other items than before, as far as ids say.
    pub fn rebound(&self) -> Result<Vec<NodeId>, EngineError> {
        Ok(self.new.queries.rebound(self.old.at())?)
    }

    /// The files that differ, of the earlier state and of the later one.
    pub fn changed_files(&mut self) -> Result<[Vec<String>; 2], EngineError> {
        let (old, new) = (self.old.hashes()?, self.new.hashes()?);
        let differ = |of: &BTreeMap<String, RawHash>, other: &BTreeMap<String, RawHash>| {
            let differ = of.iter().filter(|(path, hash)| other.get(*path) != Some(*hash));
            differ.map(|(path, _)| path.clone()).collect()
        };
        Ok([differ(&old, &new), differ(&new, &old)])
    }

    /// Reads what is in files of both states, at once.
    pub fn know_files<'p>(
        &mut self,
        old: impl IntoIterator<Item = &'p String>,
        new: impl IntoIterator<Item = &'p String>,
    ) -> Result<(), EngineError> {
        let (old, new) = (self.old.unread(old), self.new.unread(new));
        let queries = [self.old.queries, self.new.queries];
        let [before, after] = &queries;
        let (old, new) = rayon::join(|| read_files(before, &old), || read_files(after, &new));
        self.old.take(old?)?;
        self.new.take(new?)
    }

    /// A pair in the terms of an answer.
    pub fn reviewed(&mut self, pair: &Pair) -> Result<ReviewedItem, EngineError> {
        let missing = || EngineError::State { what: "item", reason: pair.new.to_string() };
        let now = self.new.item(pair.new)?.ok_or_else(missing)?;
        let was = self.old.item(pair.old)?.ok_or_else(missing)?;
        let (old_line, line) = (self.old.place(&was)?.start_line, self.new.place(&now)?.start_line);
        let was = reviewed(&was, old_line, Vec::new());
        let item = reviewed(&now, line, pair.classes.clone());
        Ok(ReviewedItem {
            previous_path: (was.path != item.path).then_some(was.path),
            previous_file_path: (was.file_path != item.file_path).then_some(was.file_path),
            previous_id: (was.id != item.id).then_some(was.id),
            ..item
        })
    }

    /// Both sides of a pair, with their normal forms.
    pub fn both<'p>(&mut self, pair: &'p Pair) -> Result<Both<'p>, EngineError> {
        let missing = || EngineError::State { what: "item", reason: pair.new.to_string() };
        let old_item = self.old.item(pair.old)?.ok_or_else(missing)?;
        let new_item = self.new.item(pair.new)?.ok_or_else(missing)?;
        Ok(Both {
            pair,
            has_other_line: self.old.place(&old_item)?.start_line
                != self.new.place(&new_item)?.start_line,
            old_item,
            new_item,
            old: self.old.form(pair.old)?.ok_or_else(missing)?,
            new: self.new.form(pair.new)?.ok_or_else(missing)?,
        })
    }
}
