//! Both sides and the merge, with what their names mean.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::alignment::Alignment;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::review::{Identities, Loaded, Side, SideState};
use asof_model::NodeId;
use asof_review::NameUse;
use asof_wire::MergeFrom;
use asof_workspace::SourceTree;

/// One side beside the merge. Ids of the side are in the terms of the merge.
pub(super) struct Beside<'a> {
    pub from: MergeFrom,
    pub side: Side<'a>,
    /// Where files of the side are in the merge, if they have another path there.
    paths: BTreeMap<String, String>,
    aligned: BTreeMap<String, Option<Rc<Aligned>>>,
}

/// A file of a side and of the merge.
pub(super) struct Aligned {
    pub side: Rc<Loaded>,
    pub merged: Rc<Loaded>,
    /// From the side to the merge.
    pub places: Alignment,
    /// From the merge to the side.
    pub back: Alignment,
}

impl Aligned {
    /// The uses of the side at a byte of the merge.
    pub fn side_uses(&self, byte: u32) -> Option<&Vec<NameUse>> {
        self.side.text.uses.get(&self.back.place(byte)?)
    }
}

impl<'a> Beside<'a> {
    pub fn new(
        from: MergeFrom,
        snapshot: &'a Snapshot<'a>,
        identities: &'a Identities,
        merge: &mut Side<'_>,
        tree: &'a dyn SourceTree,
    ) -> Result<Self, EngineError> {
        let side = Side::new(snapshot, identities, SideState::Earlier);
        let mut side = side.with_tree(Some(tree));
        let paths = renamed_files(&mut side, merge)?;
        Ok(Self { from, side, paths, aligned: BTreeMap::new() })
    }

    /// What a file of the merge is called on this side, if it has it.
    fn own_path(&self, path: &str) -> String {
        let own = self.paths.iter().find(|(_, merged)| *merged == path).map(|(own, _)| own.clone());
        own.unwrap_or_else(|| path.to_owned())
    }

    /// Reads what is in files of the merge, at once, and which items of the merge this side has.
    pub fn know_files(
        &mut self,
        merge: &Side<'_>,
        files: &BTreeSet<String>,
    ) -> Result<(), EngineError> {
        let known = self.side.hashes()?;
        let own: Vec<String> = files.iter().map(|path| self.own_path(path)).collect();
        self.side.know_files(own.iter().filter(|path| known.contains_key(*path)))?;
        let ids = merge.ids_in(files).into_iter();
        let ids: Vec<NodeId> = ids.filter_map(|id| self.side.identities.earlier(id)).collect();
        self.side.know(&ids)
    }

    /// A file of the merge with the one of this side; none if the side does not have it.
    pub fn aligned(
        &mut self,
        merge: &mut Side<'_>,
        path: &str,
    ) -> Result<Option<Rc<Aligned>>, EngineError> {
        if let Some(known) = self.aligned.get(path) {
            return Ok(known.clone());
        }
        let own = self.own_path(path);
        let found = if self.side.hashes()?.contains_key(&own) {
            let (side, merged) = (self.side.file(&own)?, merge.file(path)?);
            let places = Alignment::new(&side.text.text, &merged.text.text);
            let back = places.inverse();
            Some(Rc::new(Aligned { side, merged, places, back }))
        } else {
            None
        };
        self.aligned.insert(path.to_owned(), found.clone());
        Ok(found)
    }
}

/// Where the files of a side are in the merge that it does not have: the other side renamed the module
/// or moved it to another file. That is where most of its items are.
fn renamed_files(
    side: &mut Side<'_>,
    merge: &mut Side<'_>,
) -> Result<BTreeMap<String, String>, EngineError> {
    let mut found = BTreeMap::new();
    let (own, merged) = (side.hashes()?, merge.hashes()?);
    for path in own.keys().filter(|path| !merged.contains_key(*path)) {
        let items = side.queries.file_items(path)?.into_iter().map(|row| row.id);
        let modules = side.queries.file_modules(path)?.into_iter().map(|row| row.id);
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for id in modules.chain(items) {
            let Some(id) = side.identities.later(id) else { continue };
            if let Some(item) = merge.item(id)? {
                *places.entry(item.file_path.clone()).or_default() += 1;
            }
        }
        let most = places.into_iter().max_by_key(|(_, count)| *count);
        found.extend(most.map(|(place, _)| (path.clone(), place)));
    }
    Ok(found)
}
