//! Differences between two moments.
//!
//! The states at both ends are compared, so that a change that was reverted is no difference.
//! `changes` lists the items to compare. They are matched by composing the matches of the revisions
//! in between, as in `history`. Only items that one revision removed and a later one added again
//! are matched by their two ends; such a match is marked.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::compose::Composition;
use super::difference::{Difference, differences, end_line};
use super::expansions::Side;
use super::macro_calls::MacroCalls;
use super::readded_items::{End, Ends, Pair, match_ends};
use super::scope::{Scope, bare};
use super::selected::Selected;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::sources;
use crate::past::{Past, states};
use asof_item_tracking::{Comparison, ItemState};
use asof_model::{Micros, NodeId};
use asof_query::Queries;
use asof_wire::{Diff, DiffRequest, Guesses, Matched, Patch, ResolveRequest};

/// An item that has another id than before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Followed {
    pub old: NodeId,
    pub new: NodeId,
}

/// A difference with all items that were followed to another id.
pub(crate) struct FollowedDiff {
    pub diff: Diff,
    pub followed: Vec<Followed>,
}

/// What was found of all items.
struct Compared {
    found: Vec<Difference>,
    guesses_left_out: usize,
    followed: Vec<Followed>,
}

impl Snapshot<'_> {
    /// The differences between an earlier snapshot and this one, by path.
    ///
    /// # Errors
    /// `from` is later or of another database, the path names nothing at either moment, or the
    /// store failed.
    pub fn diff(&self, from: &Snapshot<'_>, request: &DiffRequest) -> Result<Diff, EngineError> {
        Ok(self.followed_diff(from, request)?.diff)
    }

    /// [`Self::diff`], with the items whose ids differ, whatever else does.
    pub(crate) fn followed_diff(
        &self,
        from: &Snapshot<'_>,
        request: &DiffRequest,
    ) -> Result<FollowedDiff, EngineError> {
        let started = Instant::now();
        if from.at > self.at {
            return Err(EngineError::BadRequest {
                what: format!("{} is later than {}", from.at, self.at),
                hint: "give the earlier moment first".into(),
            });
        }
        let mut past = self.past();
        let Compared { found, guesses_left_out, followed } =
            self.differences(&mut past, from.at, request.guesses)?;
        let scope = request.path.as_ref().map(|path| self.scope(from, path)).transpose()?;
        let selected = Selected::new(found, request, scope.as_ref(), |side, ids| {
            let at = match side {
                Side::Earlier => from.at,
                Side::Later => self.at,
            };
            states(&Queries::at(self.store(), at), ids)
        })?;
        let mut items = Vec::new();
        let texts = match request.patch {
            Patch::Unified => {
                let shown = || selected.shown(request);
                let old = shown().filter_map(Difference::earlier).map(|item| item.id).collect();
                let new = shown().filter_map(Difference::later).map(|item| item.id).collect();
                Some((self.texts_at(from.at, old)?, self.texts_at(self.at, new)?))
            }
            Patch::Without => None,
        };
        for difference in selected.shown(request) {
            let other = match difference.other {
                Some(id) => {
                    let at = if difference.later().is_some() { from.at } else { self.at };
                    states(&Queries::at(self.store(), at), &[id])?.pop()
                }
                None => None,
            };
            let patch = texts.as_ref().map(|(old, new)| {
                let text = |texts: &BTreeMap<NodeId, String>, item: Option<&ItemState>| {
                    let text = item.map(|item| texts.get(&item.id).cloned().unwrap_or_default());
                    text.map(|mut text| {
                        end_line(&mut text);
                        text
                    })
                };
                let (old, new) = (text(old, difference.earlier()), text(new, difference.later()));
                difference.unified(&old.unwrap_or_default(), &new.unwrap_or_default())
            });
            items.push(difference.entry(other.as_ref().map(ItemState::label), patch));
        }
        let mut answer = self.answer(started, items, request.limit);
        answer.total = selected.found.len();
        let Selected { summary, folded, imports, .. } = selected;
        let from = from.basis.clone();
        let diff = Diff { from, summary, folded, imports, guesses_left_out, answer };
        Ok(FollowedDiff { diff, followed })
    }

    fn differences(
        &self,
        past: &mut Past<'_>,
        from: Micros,
        guesses: Guesses,
    ) -> Result<Compared, EngineError> {
        let steps = Queries::changes_between(self.store(), from, self.at)?;
        let ids: BTreeSet<NodeId> = steps
            .iter()
            .flat_map(|s| s.added.iter().chain(&s.removed).chain(&s.changed))
            .copied()
            .collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let by_id = |items: Vec<ItemState>| -> BTreeMap<NodeId, ItemState> {
            items.into_iter().map(|item| (item.id, item)).collect()
        };
        let mut old = by_id(states(&past.queries_at(from), &ids)?);
        let mut new = by_id(states(&past.queries(), &ids)?);
        let composed = Composition::compute(past, from, self.at, &steps)?;
        let mut pairs = Vec::new();
        let (mut gone, mut come) = (Ends::new(), Ends::new());
        for track in &composed.tracks {
            let was = track.first.and_then(|id| old.remove(&id));
            let is = track.last.and_then(|id| new.remove(&id));
            match (was, is) {
                (Some(was), Some(is)) => {
                    let matched = (was.id != is.id).then_some(Matched::Revisions);
                    pairs.push(Pair::new(was, is, matched));
                }
                (Some(item), None) => {
                    let other = composed.merged_into(track);
                    let step = track.removed.unwrap_or_default();
                    gone.insert(item.id, End { item, step, other });
                }
                (None, Some(item)) => {
                    let other = composed.split_from(track);
                    let step = track.added.unwrap_or_default();
                    come.insert(item.id, End { item, step, other });
                }
                (None, None) => {}
            }
        }
        // Items that no revision added or removed.
        for (id, was) in old {
            if let Some(is) = new.remove(&id) {
                pairs.push(Pair::new(was, is, None));
            }
        }
        pairs.retain(|pair| pair.old != pair.new || pair.matched.is_some());
        let left_out = match_ends(past, &mut pairs, &mut gone, &mut come, guesses)?;
        let calls = MacroCalls::take(&mut pairs, &mut gone, &mut come);
        past.load_texts(calls.texts())?;
        calls.pair(&mut pairs, &mut gone, &mut come, &|hash| past.text(hash));
        let wanted =
            pairs.iter().flat_map(|pair| Comparison { old: &pair.old, new: &pair.new }.texts());
        past.load_texts(wanted.collect::<Vec<_>>())?;
        let past = &*past;
        let followed = pairs.iter().filter(|pair| pair.old.id != pair.new.id);
        let followed = followed.map(|pair| Followed { old: pair.old.id, new: pair.new.id });
        let followed = followed.collect();
        let found = differences(pairs, gone, come, &|hash| past.text(hash));
        Ok(Compared { found, guesses_left_out: left_out, followed })
    }

    /// Texts of items at a time.
    fn texts_at(
        &self,
        at: Micros,
        ids: Vec<NodeId>,
    ) -> Result<BTreeMap<NodeId, String>, EngineError> {
        if ids.is_empty() {
            Ok(BTreeMap::new())
        } else {
            sources(&Queries::at(self.store(), at), &ids)
        }
    }
}

impl Snapshot<'_> {
    /// A path as it is at either moment.
    pub(crate) fn scope(&self, from: &Snapshot<'_>, path: &str) -> Result<Scope, EngineError> {
        let file = self.relative(path);
        for snapshot in [self, from] {
            let queries = Queries::at(self.store(), snapshot.at);
            if queries.file(&file)?.is_some() {
                return Ok(Scope::of_file(file));
            }
            if !path.contains("::") {
                let folder = format!("{file}/");
                let files = queries.file_sizes()?;
                if files.iter().any(|file| file.file_path.starts_with(&folder)) {
                    return Ok(Scope::of_file(folder));
                }
            }
        }
        let mut paths = BTreeSet::new();
        let mut last = None;
        for snapshot in [self, from] {
            let found = snapshot.resolve(&ResolveRequest::new(path))?;
            let items = found.items().iter();
            paths.extend(items.filter_map(|item| item.path.as_deref()).map(bare));
            last.get_or_insert(found);
        }
        match last {
            Some(found) if paths.is_empty() => match found.unique() {
                Err(error) => Err(error.into()),
                Ok(item) => Ok(Scope::of_file(item.file_path.clone())),
            },
            _ => Ok(Scope { paths, file: None }),
        }
    }
}
