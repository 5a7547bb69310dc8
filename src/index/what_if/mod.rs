//! Resolves names as if files had other texts. The new texts are resolved in memory, and the
//! meaning of each use is compared with the stored one. Nothing is written.

mod byte_ranges;
mod clashes;
mod consequences;
mod item_map;
mod moved_text;
mod places;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::dependents;
use super::error::IndexError;
use super::load_state::{resolved_state, with_texts};
use super::resolved_state::ResolvedState;
use super::state::{self, State};
use super::threads::pool;
use asof_model::{FileFacts, RawHash};
use asof_resolve::{Dependencies, OutsideDifference};
use asof_store::Store;
use asof_workspace::SourceFolders;

pub use byte_ranges::{Replaced, ReplacedKind, old_place};
pub use clashes::Clash;
pub use consequences::{Consequences, Difference, Meaning, NewUse, NewUseFault};
use item_map::Mapping;
use places::{Names, Places};
pub use texts::{Carried, Proposed, ProposedFile};

/// Resolves the new texts, and compares every use that they can matter to.
///
/// # Errors
/// [`IndexError::Unstable`] if a file is not as it was indexed.
pub fn what_if(
    store: &Store,
    root: &Path,
    proposed: &Proposed<'_>,
) -> Result<Consequences, IndexError> {
    let state = State::load(store)?;
    let Some(at) = state.at else { return Ok(Consequences::default()) };
    let before = resolved_state(store, &state, proposed.memory)?;
    let folders = SourceFolders::find(root);
    let files: Vec<_> =
        proposed.files.iter().map(|file| (file.path, file.to, file.after)).collect();
    let after = with_texts(&before, &files, proposed.gone, &folders, proposed.memory)?;
    let outside = Arc::clone(before.dependencies(&folders, None)?);
    let others = dependents(store, &before, &after, outside.dependencies(), proposed.files)?;
    let pool = pool(None)?;
    let others = pool.install(|| read(root, &state, &others))?;
    let known = |facts: &FileFacts| proposed.files.iter().any(|file| file.path == facts.path);
    let mut mapping = Mapping::new(before.side(), after.side(), proposed.files, proposed.carried);
    let mut old_facts: BTreeMap<&str, &FileFacts> = BTreeMap::new();
    let mut new_facts: BTreeMap<&str, &FileFacts> = BTreeMap::new();
    for file in proposed.files {
        old_facts.insert(file.path, file.before);
        new_facts.insert(file.to, file.after);
    }
    for facts in others.iter().filter(|facts| !known(facts)) {
        old_facts.insert(&facts.path, facts);
        new_facts.insert(&facts.path, facts);
    }
    let touched: BTreeSet<&str> = old_facts.keys().copied().collect();
    let mut old = Places::default();
    for (source, columns) in state::uses(store, at, &before.side().ids_in(&touched))? {
        old.add(before.side(), &old_facts, source, &columns);
    }
    let rows = after.references(new_facts.values().map(|facts| (*facts, None)), &outside, &pool);
    drop(pool);
    let mut new = Places::default();
    let mut external = BTreeMap::new();
    for (_, rows) in rows {
        for (source, columns) in &rows.uses {
            new.add(after.side(), &new_facts, *source, columns);
        }
        external.extend(rows.external);
    }
    mapping.add_rest(before.side());
    let names = Names { store, before: before.side(), after: after.side(), external: &external };
    let mut found = places::compare(&old, &new, &mapping, proposed.renamed, &names)?;
    found.files = touched.len();
    found.renamed = mapping.renamed();
    found.clashes = clashes::find(after.side(), &mapping, proposed.renamed, outside.dependencies());
    Ok(found)
}

/// Other files whose uses may mean something else.
fn dependents(
    store: &Store,
    before: &Arc<ResolvedState>,
    after: &Arc<ResolvedState>,
    outside: &Dependencies,
    proposed: &[ProposedFile<'_>],
) -> Result<Vec<String>, IndexError> {
    if Arc::ptr_eq(before, after) {
        return Ok(Vec::new());
    }
    let mentions = state::mentions(store)?;
    let reads = state::reads(store)?;
    let stored = dependents::Stored { mentions: &mentions, reads: &reads };
    let (was, is, none) = (before.side(), after.side(), OutsideDifference::default());
    let mut found = dependents::dependents(was, is, outside, &none, &stored)?;
    found.retain(|path, _| {
        !proposed.iter().any(|file| file.path == path) && after.side().item_tree(path).is_some()
    });
    Ok(found.into_keys().collect())
}

/// Reads and parses files as they were indexed.
fn read(root: &Path, state: &State, paths: &[String]) -> Result<Vec<FileFacts>, IndexError> {
    let one = |path: &String| {
        let bytes = asof_workspace::read_file(root, path, asof_syntax::MAX_FILE_BYTES as u64).ok();
        let indexed = state.stats.get(path).map(|stat| stat.raw_hash.as_str());
        match bytes.filter(|bytes| indexed == Some(RawHash::hash(bytes).as_str())) {
            Some(bytes) => Ok(asof_syntax::parse_file(path, &bytes)),
            None => Err(IndexError::Unstable { paths: vec![path.clone()] }),
        }
    };
    paths.par_iter().map(one).collect()
}
