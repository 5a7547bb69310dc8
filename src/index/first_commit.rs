//! The first commit of a past that leads to a database: most of its files are those of NOW, so it
//! begins with the state at NOW, and only what differs is parsed and resolved.

use std::collections::BTreeMap;

use super::bundle::{MIRRORS, OF_WHICH_ONE_AT_HAND, too_far_from};
use super::error::IndexError;
use super::history::{Imported, commit_options, commit_row, micros};
use super::load_state::resolved_state;
use super::options::{Cause, FactSet, Options, Silent};
use super::refresh::refresh_from;
use super::revision::{RevisionMeta, Stamp, revision};
use super::state::{self, ITEM_TREES, LIBRARY, NAMESPACE, State};
use asof_model::{Micros, Namespace};
use asof_store::{Batch, Newest, Store, Value, WriteLock};
use asof_wire::IndexReport;
use asof_workspace::{Commit, SourceTree};

/// How long to wait for another writer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
/// Plain relations of a state beside [`MIRRORS`]: what a refresh compares files with, and contents.
const PLAIN: [&str; 5] =
    ["file_stat", "item_tree", "text", "external_symbol", "external_symbol_by_text"];
/// Keys of `meta` that belong to a state.
const META: [&str; 5] = [NAMESPACE, "project", "tool_version", LIBRARY, ITEM_TREES];

/// Databases that the first commit is made with.
#[derive(Debug, Clone, Copy)]
pub struct FirstCommit<'a> {
    /// The database whose past is imported.
    pub newest: &'a Store,
    /// An empty one.
    pub scratch: &'a Store,
    /// The past, which has no revision yet.
    pub past: &'a Store,
}

impl FirstCommit<'_> {
    /// Fills the past with the files of a commit, `tree`, at `at`: the same rows as
    /// [`super::import_commit`] writes. None if the state at NOW is too far from them, or has other
    /// names; then the past stays empty.
    ///
    /// # Errors
    /// As [`super::import_commit`].
    pub fn import(
        &self,
        lock: &WriteLock<'_>,
        tree: &dyn SourceTree,
        commit: &Commit,
        at: Micros,
        options: &Options,
    ) -> Result<Option<Imported>, IndexError> {
        let Some(before) = at.0.checked_sub(1).map(Micros) else { return Ok(None) };
        if options.facts != FactSet::All || !self.begin(tree, before, options)? {
            return Ok(None);
        }
        let options = commit_options(commit, at, options);
        let scratch = self.scratch.write_lock(PATIENCE)?;
        let report = refresh_from(&scratch, self.scratch, tree, &options, &Silent)?;
        drop(scratch);
        let path = self.scratch.path().ok_or_else(|| broken("it has no file"))?;
        let state = State::load(self.scratch)?;
        let namespace = namespace(self.scratch, &state)?;
        let stamp = Stamp::new(Some(at), None)?;
        let mut id = None;
        self.past.take_newest(lock, newest(path, at, &plain()), |facts| {
            let mut batch = Batch::new();
            copy_meta(self.scratch, &mut batch)?;
            let said = RevisionMeta {
                actor: Some(&commit.author),
                message: Some(&commit.message),
                commit: Some(&commit.hash),
            };
            let cause = Cause::Commit.as_str();
            id = Some(revision(&mut batch, namespace, stamp, cause, said, counts(facts))?);
            batch.put("git_commit", commit_row(commit, stamp.at, None))?;
            Ok::<_, IndexError>(batch)
        })?;
        Ok(Some(Imported {
            at,
            committed: micros(commit.committed),
            problem: None,
            unreadable: false,
            report: IndexReport { revision: id, at: Some(at), ..report },
        }))
    }

    /// Copies the state at NOW, as that of `before`. False if a refresh from it would take longer
    /// than an index of every file.
    fn begin(
        &self,
        tree: &dyn SourceTree,
        before: Micros,
        options: &Options,
    ) -> Result<bool, IndexError> {
        let Some(path) = self.newest.path() else { return Ok(false) };
        // Nobody writes between the state and its rows.
        let _lock = self.newest.write_lock(PATIENCE)?;
        let state = State::load(self.newest)?;
        let is_near = || too_far_from(&state, tree, &options.sources(tree), OF_WHICH_ONE_AT_HAND);
        // Why a tree cannot be indexed is said by its import.
        if state.at.is_none() || state.has_other_library() || !matches!(is_near(), Ok(None)) {
            return Ok(false);
        }
        let namespace = namespace(self.newest, &state)?;
        let lock = self.scratch.write_lock(PATIENCE)?;
        self.scratch.take_newest(&lock, newest(path, before, &plain()), |facts| {
            let mut batch = Batch::new();
            copy_meta(self.newest, &mut batch)?;
            let (stamp, said) = (Stamp::new(Some(before), None)?, RevisionMeta::default());
            revision(&mut batch, namespace, stamp, "copy", said, counts(facts))?;
            Ok::<_, IndexError>(batch)
        })?;
        // Names are resolved once for both.
        resolved_state(self.newest, &state, options.memory.as_ref())?;
        Ok(true)
    }
}

fn plain() -> Vec<&'static str> {
    MIRRORS.into_iter().chain(PLAIN).collect()
}

fn newest<'a>(other: &'a std::path::Path, since: Micros, plain: &'a [&'a str]) -> Newest<'a> {
    Newest { other, since, plain }
}

fn namespace(store: &Store, state: &State) -> Result<Namespace, IndexError> {
    let name = || state.roots.as_ref().map_or("", |roots| roots.layout.name.as_str());
    Ok(state::namespace(store)?.unwrap_or_else(|| Namespace::of_project(name())))
}

fn copy_meta(from: &Store, batch: &mut Batch) -> Result<(), IndexError> {
    for key in META {
        if let Some(value) = state::meta(from, key)? {
            batch.put("meta", [key.into(), Value::from(value)])?;
        }
    }
    Ok(())
}

/// Number of files, and of all facts.
fn counts(facts: &BTreeMap<&'static str, usize>) -> [usize; 2] {
    let files = ["file", "document"].iter().filter_map(|name| facts.get(name)).sum();
    [files, facts.values().sum()]
}

fn broken(reason: &str) -> IndexError {
    IndexError::State { what: "database", reason: reason.to_owned() }
}
