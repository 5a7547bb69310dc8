//! A side of a merge: a commit, or the files of a worktree.

use std::collections::BTreeSet;
use std::path::Path;

use crate::database::{alike, repository};
use crate::error::EngineError;
use asof_model::Hint;
use asof_syntax::MAX_FILE_BYTES;
use asof_workspace::{
    Commits, Disk, EditedFiles, Git, MergeSide, SourceTree, WhichFiles, changed_files, walk_tree,
};

/// The largest file that is merged, bytes.
pub(super) const MAX_BYTES: u64 = 256 << 20;

/// The side that a name means: a commit, or else the folder of a worktree.
pub(super) fn named_side(git: &Git, root: &Path, name: &str) -> Result<MergeSide, EngineError> {
    if let Some(commit) = git.hash_of(name)? {
        return Ok(MergeSide { commit, edited: EditedFiles::new(), label: name.to_owned() });
    }
    let folder = root.join(name);
    let worktrees = git.other_worktrees()?;
    let real = std::fs::canonicalize(&folder).ok();
    if let Some(worktree) = worktrees.iter().find(|one| real.as_ref() == Some(*one)) {
        let mut side = disk_side(worktree)?;
        name.clone_into(&mut side.label);
        return Ok(side);
    }
    if real.is_some() {
        return Err(EngineError::BadRequest {
            what: format!("{} is no other worktree of this repository", folder.display()),
            hint: "`git worktree list` lists them; give a branch of another repository after \
                   `git fetch`"
                .into(),
        });
    }
    let alike = alike(name, git.refs()?.into_iter().map(|one| one.name).collect());
    Err(EngineError::NoRevision {
        text: name.to_owned(),
        reason: "no Git commit, branch or tag, and no other worktree has this name".to_owned(),
        hint: if alike.is_empty() { Hint::ListRevisions } else { Hint::DidYouMean(alike) },
    })
}

/// The files on disk, as they differ from HEAD.
pub(super) fn disk_side(root: &Path) -> Result<MergeSide, EngineError> {
    let git = repository(root)?;
    let Some(commit) = git.head()? else {
        return Err(EngineError::BadRequest {
            what: format!("{} has no commit", root.display()),
            hint: "commit something first".into(),
        });
    };
    let commits = Commits::new(&git, root)?;
    let tree = commits.tree(&commit)?;
    let disk = Disk::open(root)?;
    let edited = edited(&tree, &disk)?;
    Ok(MergeSide { commit, edited, label: root.display().to_string() })
}

/// The files that differ from those of a commit.
pub(super) fn edited(
    commit: &dyn SourceTree,
    disk: &dyn SourceTree,
) -> Result<EditedFiles, EngineError> {
    let mut paths: BTreeSet<String> = changed_files(commit, disk, WhichFiles::Others).paths;
    for tree in [commit, disk] {
        let walk = walk_tree(tree)?;
        paths.extend(walk.files.into_iter().map(|file| file.path));
    }
    let mut found = EditedFiles::new();
    for path in paths {
        let cap = if path.ends_with(".rs") { MAX_FILE_BYTES as u64 } else { MAX_BYTES };
        let bytes =
            |tree: &dyn SourceTree| tree.look(&path).and_then(|_| tree.bytes(&path, cap).ok());
        let (before, after) = (bytes(commit), bytes(disk));
        if before != after {
            found.insert(path, after);
        }
    }
    commit.check()?;
    Ok(found)
}
