//! A state that is near to the newest one of another database: it begins with a copy of the rows
//! there, and only what differs is parsed and resolved.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::distance::{OF_WHICH_ONE_AT_HAND, too_far_from};
use super::error::IndexError;
use super::load_state::resolved_state;
use super::options::{Cause, FactSet, Options, Progress};
use super::refresh::refresh_from;
use super::revision::{RevisionMeta, Stamp, revision};
use super::state::{self, ITEM_TREES, LIBRARY, NAMESPACE, State};
use asof_model::{Micros, Namespace, RevisionId};
use asof_store::{Batch, Newest, Store, Value, WriteLock};
use asof_wire::IndexReport;
use asof_workspace::SourceTree;

/// How long to wait for another writer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
/// Mirrors of NOW that are a function of the files.
pub(super) const MIRRORS: [&str; 4] = ["fingerprint", "reads", "search_terms", "section_terms"];
/// Plain relations of a state beside [`MIRRORS`]: what a refresh compares files with, and contents.
const PLAIN: [&str; 5] =
    ["file_stat", "item_tree", "text", "external_symbol", "external_symbol_by_text"];
/// Keys of `meta` that belong to a state.
const META: [&str; 5] = [NAMESPACE, "project", "tool_version", LIBRARY, ITEM_TREES];

/// What a state is made with.
#[derive(Debug, Clone)]
pub struct NearState<'a> {
    /// The database with the newest state.
    pub newest: &'a Store,
    /// Where a database may be made meanwhile; the caller removes it.
    pub scratch: PathBuf,
}

impl NearState<'_> {
    /// Fills a store in a file that has no revision yet with the files of a tree, at the time of the
    /// options: the same rows as [`refresh_from`] writes. None if the newest state is too far from
    /// these files, or has other names; then the store stays empty.
    ///
    /// # Errors
    /// As [`refresh_from`], and if a store fails.
    pub fn fill(
        &self,
        store: &Store,
        lock: &WriteLock<'_>,
        tree: &dyn SourceTree,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Option<IndexReport>, IndexError> {
        let Some(at) = options.at else { return Ok(None) };
        let Some(before) = at.0.checked_sub(1).map(Micros) else { return Ok(None) };
        if options.facts != FactSet::All {
            return Ok(None);
        }
        let Some(scratch) = self.begin(tree, before, options)? else { return Ok(None) };
        let scratch_lock = scratch.write_lock(PATIENCE)?;
        // Names are not saved for it.
        let for_scratch = Options { cause: Cause::Commit, ..options.clone() };
        let report = refresh_from(&scratch_lock, &scratch, tree, &for_scratch, progress)?;
        drop(scratch_lock);
        let mut batch = Batch::new();
        for key in META {
            if let Some(value) = state::meta(&scratch, key)? {
                batch.put("meta", [key.into(), Value::from(value)])?;
            }
        }
        let said = RevisionMeta {
            actor: options.actor.as_deref(),
            message: options.message.as_deref(),
            commit: options.commit.as_deref(),
        };
        let copy = Copy { from: &scratch, at, cause: options.cause.as_str(), said };
        let id = copy.write(store, lock, &PLAIN, batch)?;
        Ok(Some(IndexReport { revision: Some(id), at: Some(at), ..report }))
    }

    /// Copies the newest state, as that of `before`. None if a refresh from it would take longer than
    /// an index of every file.
    fn begin(
        &self,
        tree: &dyn SourceTree,
        before: Micros,
        options: &Options,
    ) -> Result<Option<Store>, IndexError> {
        let state = State::load(self.newest)?;
        let is_near = || too_far_from(&state, tree, &options.sources(tree), OF_WHICH_ONE_AT_HAND);
        // Why a tree cannot be indexed is said where it is.
        if state.at.is_none() || state.has_other_library() || !matches!(is_near(), Ok(None)) {
            return Ok(None);
        }
        let scratch = Store::create(&self.scratch)?;
        let lock = scratch.write_lock(PATIENCE)?;
        let said = RevisionMeta::default();
        let copy = Copy { from: self.newest, at: before, cause: "copy", said };
        // With its rows, so that they agree whoever writes meanwhile.
        let plain: Vec<&str> = PLAIN.into_iter().chain(["meta"]).collect();
        copy.write(&scratch, &lock, &plain, Batch::new())?;
        drop(lock);
        // Names are resolved once for both; those of another state are of no use to it.
        resolved_state(self.newest, &state, options.memory.as_ref())?;
        Ok(Some(scratch))
    }
}

/// A copy of a newest state, and what its revision says.
struct Copy<'a> {
    from: &'a Store,
    at: Micros,
    cause: &'a str,
    said: RevisionMeta<'a>,
}

impl Copy<'_> {
    /// Writes it into an empty store, with some plain relations and other rows.
    fn write(
        &self,
        to: &Store,
        lock: &WriteLock<'_>,
        plain: &[&str],
        mut batch: Batch,
    ) -> Result<RevisionId, IndexError> {
        let broken = || IndexError::State { what: "database", reason: "it has no file".to_owned() };
        let Copy { from, at, cause, said } = *self;
        let other = from.path().ok_or_else(broken)?;
        let plain: Vec<&str> = MIRRORS.iter().chain(plain).copied().collect();
        let namespace = state::namespace(from)?.unwrap_or_else(|| Namespace::of_project(""));
        let stamp = Stamp::new(Some(at), None)?;
        let newest = Newest { other, since: at, plain: &plain };
        to.take_newest(lock, newest, |facts| {
            let id = revision(&mut batch, namespace, stamp, cause, said, counts(facts))?;
            Ok((batch, id))
        })
    }
}

/// Number of files, and of all facts.
fn counts(facts: &BTreeMap<&'static str, usize>) -> [usize; 2] {
    let files = ["file", "document"].iter().filter_map(|name| facts.get(name)).sum();
    [files, facts.values().sum()]
}
