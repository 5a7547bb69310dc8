//! The two states, side by side.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::identities::{Identities, State};
use super::pair::{Pair, reviewed};
use super::side::{Formed, Side};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, RawHash};
use asof_query::Described;
use asof_wire::ReviewedItem;

/// See the module.
pub(super) struct Sides<'a> {
    pub old: Side<'a>,
    pub new: Side<'a>,
    pub identities: &'a Identities,
}

/// Both sides of a pair.
pub(super) struct Both<'p> {
    pub pair: &'p Pair,
    pub old_item: Rc<Described>,
    pub new_item: Rc<Described>,
    pub old: Formed,
    pub new: Formed,
}

impl<'a> Sides<'a> {
    pub fn new(from: &'a Snapshot<'a>, to: &'a Snapshot<'a>, identities: &'a Identities) -> Self {
        Self {
            old: Side::new(from, identities, State::Earlier),
            new: Side::new(to, identities, State::Later),
            identities,
        }
    }

    /// Items whose names mean other items than before, as far as ids say.
    pub fn rebound(&self) -> Result<Vec<NodeId>, EngineError> {
        Ok(self.new.queries.rebound(self.old.at())?)
    }

    /// The files that differ, of the earlier state and of the later one.
    pub fn changed_files(&self) -> Result<[Vec<String>; 2], EngineError> {
        let (old, new) = (self.old.hashes()?, self.new.hashes()?);
        let differ = |of: &BTreeMap<String, RawHash>, other: &BTreeMap<String, RawHash>| {
            let differ = of.iter().filter(|(path, hash)| other.get(*path) != Some(*hash));
            differ.map(|(path, _)| path.clone()).collect()
        };
        Ok([differ(&old, &new), differ(&new, &old)])
    }

    /// A pair in the terms of an answer.
    pub fn reviewed(&mut self, pair: &Pair) -> Result<ReviewedItem, EngineError> {
        let missing = || EngineError::State { what: "item", reason: pair.new.to_string() };
        let now = self.new.item(pair.new)?.ok_or_else(missing)?;
        let was = self.old.item(pair.old)?.ok_or_else(missing)?;
        let was = reviewed(&was, Vec::new());
        let item = reviewed(&now, pair.classes.clone());
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
        Ok(Both {
            pair,
            old_item: self.old.item(pair.old)?.ok_or_else(missing)?,
            new_item: self.new.item(pair.new)?.ok_or_else(missing)?,
            old: self.old.form(pair.old)?.ok_or_else(missing)?,
            new: self.new.form(pair.new)?.ok_or_else(missing)?,
        })
    }
}
