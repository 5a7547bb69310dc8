//! States of files that no database has, indexed one after the other for one question.

use std::path::Path;
use std::time::Duration;

use crate::database::{Database, Window, commit_times};
use crate::error::EngineError;
use asof_files::state::Scratch;
use asof_index::{DependencySources, FactSet, Memory, NearState, Options, Progress};
use asof_model::Micros;
use asof_store::Store;
use asof_wire::When;
use asof_workspace::{Commit, SourceTree};

/// A state that is indexed for one question.
pub(crate) struct State<'t> {
    pub tree: &'t dyn SourceTree,
    /// The commit that has exactly these files, if one has.
    pub commit: Option<&'t Commit>,
}

/// Indexes states of the files of a workspace in a database of their own. Returns the moment of each.
pub(crate) fn index_trees(
    root: &Path,
    known: Option<&Database>,
    states: &[State<'_>],
    facts: FactSet,
    progress: &dyn Progress,
) -> Result<(Database, Vec<When>), EngineError> {
    let (store, folder) = question_store(known, facts)?;
    let moments = index_trees_into(&store, root, known, states, facts, progress)?;
    let mut database = Database::from_store(store, None);
    database.folder = folder;
    Ok((database, moments))
}

/// Indexes states one after the other, all with the same sources of dependencies. Returns the moment of
/// each.
pub(super) fn index_trees_into(
    store: &Store,
    root: &Path,
    known: Option<&Database>,
    states: &[State<'_>],
    facts: FactSet,
    progress: &dyn Progress,
) -> Result<Vec<When>, EngineError> {
    let now = Micros::now();
    let date = |state: &State<'_>| match state.commit {
        Some(commit) => commit.committed,
        None => now.0.div_euclid(1_000_000),
    };
    let dates: Vec<i64> = states.iter().map(date).collect();
    let times = commit_times(&dates, Window { after: None, until: now });
    let lock = store.write_lock(Duration::ZERO)?;
    match known {
        Some(known) => asof_index::name_like(&lock, &known.store)?,
        None => asof_index::name_project(&lock, root)?,
    }
    let trees: Vec<&dyn SourceTree> = states.iter().map(|state| state.tree).collect();
    let options = Options {
        facts,
        memory: Some(Memory::with_parsed()),
        dependencies: Some(DependencySources::shared(root, &trees)),
        ..Options::default()
    };
    // The first of them is probably near to NOW.
    let newest = known.map(|known| &known.store).filter(|_| store.path().is_some());
    let folder = newest.and_then(|_| scratch_folder());
    let near = newest.zip(folder.as_ref());
    let mut near =
        near.map(|(newest, folder)| NearState { newest, scratch: folder.join("database") });
    let mut moments = Vec::new();
    for (state, at) in states.iter().zip(times) {
        let (tree, near) = (state.tree, near.take());
        let at = match state.commit {
            Some(commit) => {
                let options = &options;
                Some(asof_index::import_commit(&lock, store, tree, commit, at, options, near)?.at)
            }
            None => {
                let options = Options { at: Some(at), ..options.clone() };
                asof_index::index_from(&lock, store, tree, &options, progress, near)?.at
            }
        };
        // A state without a change has the moment of the one before.
        let before = moments.last().cloned().unwrap_or(When::Newest);
        moments.push(at.map_or(before, When::At));
    }
    drop(lock);
    Ok(moments)
}

/// A store for one question, and its folder: a file where it can begin with the state at NOW.
pub(super) fn question_store(
    known: Option<&Database>,
    facts: FactSet,
) -> Result<(Store, Option<Scratch>), EngineError> {
    let is_of_use =
        facts == FactSet::All && known.is_some_and(|known| known.store.path().is_some());
    match is_of_use.then(scratch_folder).flatten() {
        Some(folder) => Ok((Store::create(&folder.join("database"))?, Some(folder))),
        None => Ok((Store::in_memory()?, None)),
    }
}

/// None where the system has no folder for temporary files that can be written.
fn scratch_folder() -> Option<Scratch> {
    Scratch::new(&std::env::temp_dir(), "create").ok()
}
