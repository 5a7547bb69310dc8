//! Tracks items between two moments by composing the matches of each revision. `history` follows
//! one item back through the same matches, so the two agree.

use std::collections::BTreeMap;

use crate::error::EngineError;
use asof_item_tracking::MatchKind;
use asof_model::{Micros, NodeId};
use asof_query::Changes;

use crate::past::MatchedIds;
use crate::past::Past;

/// An item between two moments, across changes of its id.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// Its id at the earlier moment, if it existed.
    pub first: Option<NodeId>,
    /// Its id at the later moment, if it exists.
    pub last: Option<NodeId>,
    /// The step that added it, of those after the earlier moment.
    pub added: Option<usize>,
    /// The step that removed it.
    pub removed: Option<usize>,
    /// The track that it was split off from.
    part_of: Option<usize>,
    /// The track that it was merged into.
    into: Option<usize>,
}

/// Tracks of all items that the revisions between two moments added or removed, or that took
/// part in a split or merge.
#[derive(Debug, Default)]
pub(super) struct Composition {
    pub tracks: Vec<Track>,
    /// Tracks of items that exist after the last step, by id.
    now: BTreeMap<NodeId, usize>,
    /// Tracks of items that existed before the first step, by their id then.
    then: BTreeMap<NodeId, usize>,
}

impl Composition {
    /// Follows the items through the revisions after one time and up to another, oldest first.
    pub fn compute(
        past: &Past<'_>,
        from: Micros,
        to: Micros,
        steps: &[Changes],
    ) -> Result<Self, EngineError> {
        let telling: Vec<(usize, &Changes)> = steps
            .iter()
            .enumerate()
            .filter(|(_, step)| !step.removed.is_empty() || !step.added.is_empty())
            .collect();
        let times: Vec<Micros> = telling.iter().map(|(_, step)| step.at).collect();
        let matches = past.matches_between(from, to, &times)?;
        let mut composition = Self::default();
        for (number, step) in telling {
            let matches = matches.get(&step.at).map_or(&[][..], Vec::as_slice);
            composition.step(number, step, matches);
        }
        for (id, track) in &composition.now {
            if let Some(track) = composition.tracks.get_mut(*track) {
                track.last = Some(*id);
            }
        }
        Ok(composition)
    }

    /// The item that an item of the earlier moment was merged into, by its id at the later one.
    pub fn merged_into(&self, track: &Track) -> Option<NodeId> {
        let mut into = self.tracks.get(track.into?)?;
        // Each iteration goes to a later step; the count is only a bound.
        for _ in 0..self.tracks.len() {
            match into.last {
                Some(id) => return Some(id),
                None => into = self.tracks.get(into.into?)?,
            }
        }
        None
    }

    /// The item that an item of the later moment was split from, by its id at the earlier one.
    pub fn split_from(&self, track: &Track) -> Option<NodeId> {
        let mut whole = self.tracks.get(track.part_of?)?;
        for _ in 0..self.tracks.len() {
            match whole.first {
                Some(id) => return Some(id),
                None => whole = self.tracks.get(whole.part_of?)?,
            }
        }
        None
    }

    fn step(&mut self, number: usize, step: &Changes, matches: &[MatchedIds]) {
        let of_kind = |wanted: fn(MatchKind) -> bool| {
            matches.iter().filter(move |(_, _, kind)| wanted(*kind))
        };
        let origins = of_kind(MatchKind::is_same_item).map(|(old, new, _)| (*new, *old));
        let origins: BTreeMap<NodeId, NodeId> = origins.collect();
        let splits = of_kind(|kind| kind == MatchKind::Split);
        let merges = of_kind(|kind| kind == MatchKind::Merged).map(|(old, new, _)| (*old, *new));
        let merges: BTreeMap<NodeId, NodeId> = merges.collect();
        let mut ended: BTreeMap<NodeId, usize> = BTreeMap::new();
        for id in &step.removed {
            if let Some(track) = self.track(*id) {
                self.now.remove(id);
                ended.insert(*id, track);
            }
        }
        // Before the added ones are handled: these are ids of the previous state.
        let parts: Vec<(NodeId, Option<usize>)> = splits
            .map(|(whole, part, _)| {
                (*part, ended.get(whole).copied().or_else(|| self.track(*whole)))
            })
            .collect();
        let mut open = ended.clone();
        for id in &step.added {
            let track = origins.get(id).and_then(|origin| open.remove(origin));
            let track = track.unwrap_or_else(|| {
                self.new_track(Track { added: Some(number), ..Track::default() })
            });
            self.now.insert(*id, track);
        }
        for (id, whole) in parts {
            let part = self.now.get(&id).and_then(|track| self.tracks.get_mut(*track));
            if let Some(part) = part.filter(|part| part.added == Some(number)) {
                part.part_of = whole;
            }
        }
        for (id, track) in open {
            let into = merges.get(&id).and_then(|into| self.track(*into));
            if let Some(track) = self.tracks.get_mut(track) {
                track.removed = Some(number);
                track.into = into;
            }
        }
    }

    fn new_track(&mut self, track: Track) -> usize {
        self.tracks.push(track);
        self.tracks.len() - 1
    }

    /// The track of an existing item; one that no step touched exists from the start.
    fn track(&mut self, id: NodeId) -> Option<usize> {
        if let Some(track) = self.now.get(&id) {
            return Some(*track);
        }
        // It existed at the start and was removed since.
        if self.then.contains_key(&id) {
            return None;
        }
        let track = self.new_track(Track { first: Some(id), ..Track::default() });
        self.then.insert(id, track);
        self.now.insert(id, track);
        Some(track)
    }
}
