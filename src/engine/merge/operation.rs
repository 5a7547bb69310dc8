//! Which commits Git is merging.

use std::collections::BTreeMap;

use super::whole::MergedSides;
use crate::error::EngineError;
use asof_workspace::{Git, MergeBase, MergeLabels, MergeSide};

/// Names that Git gives to the commit that it applies, while there are conflicts.
const APPLIED: [&str; 2] = ["CHERRY_PICK_HEAD", "REBASE_HEAD"];

/// What the names of the sides in conflict markers say of a merge, as Git gives them to a driver.
/// `heads`: hashes of merged commits by these names. None if they do not name commits.
///
/// A merge has the names of both commits and the hash of their ancestor, a commit that is applied
/// (by cherry-pick, rebase or revert) `HASH (SUBJECT)` and `parent of HASH (SUBJECT)`.
pub(super) fn named_by(
    git: &Git,
    labels: &MergeLabels,
    heads: &BTreeMap<String, String>,
) -> Result<Option<MergedSides>, EngineError> {
    // The name of a side is followed by the path that the file has there, if it is another one.
    let bare = |label: &str| label.split(':').next().unwrap_or_default().to_owned();
    let Some(ours) = git.hash_of(&bare(&labels.ours))? else { return Ok(None) };
    let before = |label: &str| label.strip_prefix("parent of ").and_then(hash);
    let picked = before(&labels.base).filter(|one| hash(&labels.theirs).as_ref() == Some(one));
    if let Some(commit) = picked {
        return applied(git, ours, &commit, Direction::Forward);
    }
    let reverted = before(&labels.theirs).filter(|one| hash(&labels.base).as_ref() == Some(one));
    if let Some(commit) = reverted {
        return applied(git, ours, &commit, Direction::Backward);
    }
    let theirs = bare(&labels.theirs);
    let theirs = match heads.get(&theirs) {
        Some(hash) => Some(hash.clone()),
        None => git.hash_of(&theirs)?,
    };
    let base = match bare(&labels.base).as_str() {
        "merged common ancestors" => Some(MergeBase::Common),
        name => match hash(name) {
            Some(hash) => git.hash_of(&hash)?.map(MergeBase::Commit),
            None => None,
        },
    };
    Ok(theirs.zip(base).map(|(theirs, base)| sides(ours, theirs, base)))
}

/// The merge that is going on in a work tree, or that HEAD is.
pub(super) fn in_progress(git: &Git) -> Result<Option<MergedSides>, EngineError> {
    let Some(head) = git.head()? else { return Ok(None) };
    if let Some(theirs) = git.hash_of("MERGE_HEAD")? {
        return Ok(Some(sides(head, theirs, MergeBase::Common)));
    }
    if let Some(commit) = git.hash_of("REVERT_HEAD")? {
        return applied(git, head, &commit, Direction::Backward);
    }
    for name in APPLIED {
        if let Some(commit) = git.hash_of(name)? {
            return applied(git, head, &commit, Direction::Forward);
        }
    }
    match git.commit_with_parents(&head)?.1.as_slice() {
        [ours, theirs] => Ok(Some(sides(ours.clone(), theirs.clone(), MergeBase::Common))),
        _ => Ok(None),
    }
}

/// Which way the change of a commit is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// The change of a commit, applied to another one; none if the commit has not one parent.
fn applied(
    git: &Git,
    ours: String,
    commit: &str,
    direction: Direction,
) -> Result<Option<MergedSides>, EngineError> {
    let Some(commit) = git.hash_of(commit)? else { return Ok(None) };
    let parents = git.commit_with_parents(&commit)?.1;
    let [parent] = parents.as_slice() else { return Ok(None) };
    let parent = parent.clone();
    Ok(Some(match direction {
        Direction::Forward => sides(ours, commit, MergeBase::Commit(parent)),
        Direction::Backward => sides(ours, parent, MergeBase::Commit(commit)),
    }))
}

fn sides(ours: String, theirs: String, base: MergeBase) -> MergedSides {
    let side = |commit: String, label: &str| MergeSide {
        commit,
        label: label.to_owned(),
        ..MergeSide::default()
    };
    MergedSides { ours: side(ours, "ours"), theirs: side(theirs, "theirs"), base }
}

/// The hash that a name begins with.
fn hash(name: &str) -> Option<String> {
    let word = name.split([' ', ':']).next()?;
    let is_hash = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| word.to_owned())
}
