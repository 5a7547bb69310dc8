//! Compares the files on disk with the indexed ones by their bytes, not by metadata.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use super::current::with_known_targets;
use super::error::IndexError;
use super::stale::size_limit;
use super::state::{self, State};
use super::stats::{FileStat, gone};
use asof_model::{RawHash, SourceFile};
use asof_store::{Batch, Store, StoreError};
use asof_wire::{FileDifference, FileState};
use asof_workspace::{Disk, Walk};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads every file below `root`, and compares its bytes with what was indexed. Returns what
/// differs, by path. The next refresh reads these files, whatever their metadata.
///
/// # Errors
/// The root cannot be walked, or the store fails. A read-only database is not an error: the files
/// are compared, and a refresh would fail anyway.
pub fn verify_files(store: &Store, root: &Path) -> Result<Vec<FileDifference>, IndexError> {
    let state = State::load(store)?;
    let mut found = compare(store, root, &state)?;
    let suspects: BTreeSet<&str> = found.iter().map(|d| d.file_path.as_str()).collect();
    if suspects.iter().any(|path| state.stats.contains_key(*path)) {
        let lock = match store.write_lock(PATIENCE) {
            Ok(lock) => lock,
            Err(StoreError::ReadOnly) => return Ok(found),
            Err(error) => return Err(error.into()),
        };
        // Another process may have brought the database up to date meanwhile.
        let state = State::load(store)?;
        found = compare(store, root, &state)?;
        let mut batch = Batch::new();
        for difference in &found {
            if let Some(stat) = state.stats.get(&difference.file_path) {
                let stat = stat.clone().distrusted();
                batch.put("file_stat", state::stat_row(&difference.file_path, &stat))?;
            }
        }
        lock.commit(batch)?;
    }
    Ok(found)
}

fn compare(store: &Store, root: &Path, state: &State) -> Result<Vec<FileDifference>, IndexError> {
    let tree = &Disk::open(root)?;
    let walk = with_known_targets(&asof_workspace::walk_tree(tree)?, tree, state);
    let Walk { files, manifests, documents, .. } = &walk;
    let all: Vec<&SourceFile> = files.iter().chain(manifests).chain(documents).collect();
    // The hash that a file's rows were made from; manifests have no such row.
    let rows = match state.at {
        Some(at) => {
            let paths = |files: &[SourceFile]| -> Vec<String> {
                files.iter().map(|file| file.path.clone()).collect()
            };
            let mut rows = state::file_rows(store, at, &paths(files))?;
            rows.extend(state::document_rows(store, at, &paths(documents))?);
            rows
        }
        None => Default::default(),
    };
    let one = |file: &&SourceFile| -> Option<FileDifference> {
        let path = file.path.as_str();
        let bytes = asof_workspace::read_file(root, path, size_limit(path));
        let found = bytes.ok().map(|bytes| RawHash::hash(&bytes).to_string());
        let stat = state.stats.get(path).map(|stat| stat.raw_hash.clone());
        let row = rows.get(path).and_then(|row| row.first()).map(|hash| match hash {
            asof_store::Value::Str(hash) => hash.clone(),
            other => format!("{other:?}"),
        });
        let indexed = row.clone().or_else(|| stat.clone());
        let what = match (&stat, &found) {
            (None, None) => return None,
            // A document that could not be read then, either.
            (Some(stat), None) if stat.is_empty() => return None,
            (None, Some(_)) => FileState::New,
            (Some(_), None) => FileState::Unreadable,
            (Some(_), Some(found)) => {
                // A manifest that cannot be used has no stored hash.
                let unknown = state.stats.get(path).is_some_and(FileStat::is_without_hash);
                let same =
                    (unknown || stat.as_ref() == Some(found)) && row.iter().all(|row| row == found);
                if same {
                    return None;
                }
                FileState::Changed
            }
        };
        Some(FileDifference {
            file_path: path.to_owned(),
            state: what,
            indexed_hash: indexed,
            found_hash: found,
        })
    };
    let mut different: Vec<FileDifference> = all.par_iter().filter_map(one).collect();
    for path in gone(&state.stats, &[files, manifests, documents]) {
        let indexed_hash = state.stats.get(&path).map(|stat| stat.raw_hash.clone());
        let state = FileState::Gone;
        different.push(FileDifference { file_path: path, state, indexed_hash, found_hash: None });
    }
    different.sort();
    Ok(different)
}
