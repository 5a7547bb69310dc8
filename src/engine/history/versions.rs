//! The versions of an item.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use super::branch::Branches;
use super::walk::{Step, walk};
use crate::canonical::CanonicalPath;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::past::Past;
use asof_item_tracking::Class;
use asof_model::{ErrorKind, Hint};
use asof_model::{Micros, NodeId, NodeKind};
use asof_query::Queries;
use asof_wire::{
    History, HistoryRequest, Item, MatchError, Merges, ResolveRequest, Spans, Version,
};

/// Names that an item is followed through.
const MAX_NAMES: usize = 16;

/// Maximum number of commits of a merged branch that a version lists.
const MAX_BRANCH_COMMITS: usize = 100;

impl Snapshot<'_> {
    /// The versions of an item up to the snapshot's time, newest first, across moves and renames. A
    /// path without an item is looked up in the past.
    ///
    /// # Errors
    /// No match now or in the past, several matches, or the store failed.
    pub fn history(&self, request: &HistoryRequest) -> Result<History, EngineError> {
        self.need_history()?;
        let started = Instant::now();
        let (id, present) = self.now_or_ever(request)?;
        let mut past = self.past();
        let mut steps: Vec<Step> = Vec::new();
        // To the end, whatever the limit, because the answer contains their number.
        walk(&mut past, id, self.at, &mut |_, step| {
            steps.push(step);
            Ok(ControlFlow::Continue(()))
        })?;
        let total = steps.len();
        steps.truncate(request.limit.unwrap_or(total));
        past.load_events(&steps.iter().map(|step| step.at).collect::<Vec<_>>())?;
        let mut git = match request.merges {
            Merges::Follow if past.has_commits() => Branches::load(self)?,
            _ => None,
        };
        let mut versions = Vec::with_capacity(steps.len());
        for step in steps {
            let event = past.event(step.at)?;
            let mut branch_commits = Vec::new();
            if let (Some(git), Some(commit), false) =
                (&mut git, &event.commit, step.present_at_start)
            {
                branch_commits = git.changes(commit, &step.state, MAX_BRANCH_COMMITS)?;
            }
            let version = version(&mut past, step, request.spans)?;
            versions.push(Version { branch_commits, ..version });
        }
        let mut answer = self.answer(started, versions, None);
        answer.total = total;
        answer.truncated = total > answer.items.len();
        let dropped_before = self.dropped_before(answer.items.iter().map(|v| &v.classes));
        let query = request.item.path.clone();
        let merges_not_followed = git.and_then(Branches::problem);
        Ok(History { query, present, dropped_before, merges_not_followed, answer })
    }

    pub(super) fn past(&self) -> Past<'_> {
        Past::new(self.store(), self.at, self.floor, &self.database.item_matches)
    }

    /// The floor, if the changes of a version are unknown.
    pub(super) fn dropped_before<'c>(
        &self,
        mut classes: impl Iterator<Item = &'c Vec<Class>>,
    ) -> Option<String> {
        classes.any(Vec::is_empty).then(|| self.floor.map(|floor| floor.to_string())).flatten()
    }

    /// The present path of an item that is gone from a path: where it was moved to, what it was
    /// renamed to, or merged into. `None` if there is no such item.
    pub(crate) fn path_now(&self, path: &str) -> Result<Option<String>, EngineError> {
        let mut path = path.to_owned();
        for _ in 0..MAX_NAMES {
            let item = ResolveRequest::new(&path);
            let request = HistoryRequest { item, limit: Some(1), ..HistoryRequest::default() };
            let history = match self.history(&request) {
                Ok(history) => history,
                Err(error) => match error.kind() {
                    ErrorKind::NoMatch | ErrorKind::Ambiguous | ErrorKind::BadRequest => {
                        return Ok(None);
                    }
                    _ => return Err(error),
                },
            };
            if history.present {
                return Ok(history.answer.items.into_iter().next().map(|version| version.path));
            }
            match history.answer.items.into_iter().next().and_then(|version| version.to) {
                Some(next) => path = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The item at the snapshot's time, else the last one before.
    pub(super) fn now_or_ever(
        &self,
        request: &HistoryRequest,
    ) -> Result<(NodeId, bool), EngineError> {
        if let Some(id) = self.canonical(request)? {
            return Ok((id, true));
        }
        let mut found = self.resolve(&request.item)?;
        if let Some(id) = &request.id {
            let id = id.to_ascii_lowercase();
            found.answer.items.retain(|item| item.id.to_string().starts_with(&id));
        }
        let error = match found.unique() {
            Ok(item) => return Ok((item.id, true)),
            Err(error @ MatchError::NotFound { .. }) => error,
            Err(error) => return Err(error.into()),
        };
        let mut ever = self.ever(request)?;
        let last = ever.first().map(|(_, last)| *last);
        ever.retain(|(_, at)| Some(*at) == last);
        match ever.as_slice() {
            [] => Err(error.into()),
            [(id, _)] => Ok((*id, false)),
            many => Err(EngineError::Ambiguous {
                what: format!("`{}` meant {} definitions", request.item.path, many.len()),
                hint: Hint::NarrowById,
                candidates: many.iter().map(|(id, last)| format!("{id} until {last}")).collect(),
            }),
        }
    }

    /// The item with exactly this canonical path, if it is unique: one query, where resolving a
    /// path takes several. Modules are left to resolution, since a `use` may give their path a
    /// second meaning, unless the request has the whole id.
    fn canonical(&self, request: &HistoryRequest) -> Result<Option<NodeId>, EngineError> {
        let item = &request.item;
        if item.file_path.is_some() || item.package.is_some() {
            return Ok(None);
        }
        let mut hits = Queries::at(self.store(), self.at).by_path(&item.path)?;
        let named = hits.iter().find(|hit| request.id.as_deref() == Some(&hit.id.to_string()));
        if let Some(hit) = named.filter(|hit| item.kind.is_none_or(|kind| kind == hit.kind)) {
            return Ok(Some(hit.id));
        }
        if hits.iter().any(|hit| matches!(hit.kind, NodeKind::Module | NodeKind::ExternCrate)) {
            return Ok(None);
        }
        hits.retain(|hit| item.kind.is_none_or(|kind| kind == hit.kind));
        if let Some(id) = &request.id {
            let id = id.to_ascii_lowercase();
            hits.retain(|hit| hit.id.to_string().starts_with(&id));
        }
        Ok(match hits.as_slice() {
            [hit] => Some(hit.id),
            _ => None,
        })
    }

    /// Items that once had this path, with the time of their removal, latest first.
    fn ever(&self, request: &HistoryRequest) -> Result<Vec<(NodeId, Micros)>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let path = CanonicalPath::parse(&request.item.path)?;
        let mut paths = BTreeSet::from([request.item.path.clone(), path.to_string()]);
        if path.self_type.is_none()
            && let Some((first, rest)) = path.segments.split_first()
        {
            let crates = match first.as_str() {
                "crate" => queries.crates()?.into_iter().map(|c| c.crate_name).collect(),
                first => vec![first.replace('-', "_")],
            };
            paths.extend(crates.into_iter().map(|c| [&[c], rest].concat().join("::")));
        }
        // Items removed before the oldest kept revision are left out.
        let kept = |last: Micros| self.floor.is_none_or(|floor| last > floor);
        let mut found: Vec<(NodeId, Micros)> = Vec::new();
        for path in &paths {
            let items = queries.ever_at_path(path)?.into_iter();
            found.extend(items.filter(|i| i.present || kept(i.last)).map(|i| (i.id, i.last)));
        }
        if found.is_empty()
            && let Some(name) = path.name()
        {
            let ending = format!("::{}", path.segments.join("::"));
            let ends = |path: &Option<String>| path.as_ref().is_some_and(|p| p.ends_with(&ending));
            let named = queries.ever_of_name(name)?.into_iter();
            let named = named.filter(|i| i.present || kept(i.last));
            found.extend(named.filter(|i| ends(&i.canonical_path)).map(|i| (i.id, i.last)));
        }
        self.narrow(request, &mut found)?;
        found.sort_by_key(|(id, last)| (std::cmp::Reverse(*last), *id));
        found.dedup();
        Ok(found)
    }

    /// Keeps those that match the filters in their last version.
    fn narrow(
        &self,
        request: &HistoryRequest,
        found: &mut Vec<(NodeId, Micros)>,
    ) -> Result<(), EngineError> {
        let ids: Vec<NodeId> = found.iter().map(|(id, _)| *id).collect();
        let mut past = self.past();
        past.load_versions(&ids)?;
        let mut kept = BTreeSet::new();
        for id in ids {
            let versions = past.versions(id, Micros(i64::MAX))?;
            let Some(last) = versions.first() else { continue };
            let kind = request.item.kind.is_none_or(|kind| kind == last.kind);
            let file = request.item.file_path.as_ref().is_none_or(|f| f.ends_with(&last.file_path));
            let named = request.id.as_ref().is_none_or(|text| id.to_string().starts_with(text));
            if kind && file && named {
                kept.insert(id);
            }
        }
        found.retain(|(id, _)| kept.contains(id));
        Ok(())
    }
}

fn version(past: &mut Past<'_>, step: Step, spans: Spans) -> Result<Version, EngineError> {
    let event = past.event(step.at)?;
    let removed = step.classes.contains(&Class::Removed);
    let span = match spans {
        Spans::With if !removed => {
            let described = past.queries_at(step.at).describe(&[step.state.id])?;
            described.into_iter().next().map(|d| Item::from(d).span)
        }
        _ => None,
    };
    let to = match step.to {
        Some(id) => {
            let state = crate::past::states(&past.queries_at(step.at), &[id])?.pop();
            state.map(|state| state.label().to_owned())
        }
        None => None,
    };
    let path = step.state.label().to_owned();
    let previous_path = step.previous.map(|state| state.label().to_owned());
    Ok(Version {
        event: if step.present_at_start { event.without_author() } else { event },
        present_at_start: step.present_at_start,
        branch_commits: Vec::new(),
        classes: step.classes,
        id: step.state.id,
        kind: step.state.kind,
        previous_path: previous_path.filter(|previous| *previous != path),
        path,
        from: step.from.iter().map(|state| state.label().to_owned()).collect(),
        to,
        file_path: step.state.file_path,
        span,
        signature: step.state.signature,
        tracking_hash: step.state.tracking_hash,
        similarity: step.similarity,
    })
}
