//! Other worktrees of a repository.

use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::git::Git;
use super::git_files;

impl Git {
    /// The folders of the other worktrees that correspond to this root: the main worktree first,
    /// then the linked ones by name. Those that do not exist are left out.
    ///
    /// Empty unless the repository itself lists this worktree: a `.git` file that came with an
    /// archive can name any repository.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub fn other_worktrees(&self) -> Result<Vec<PathBuf>, WorkspaceError> {
        let failed = |error: &dyn std::fmt::Display| self.bad("its worktrees", error);
        let main = self.repository.main_repo().map_err(|error| failed(&error))?;
        let mut tops: Vec<PathBuf> = main.workdir().and_then(real).into_iter().collect();
        for linked in self.repository.worktrees().map_err(|error| failed(&error))? {
            // Git keeps the entry of a worktree that was removed by hand.
            let Ok(named) = git_files::pointer(&linked.git_dir().join("gitdir")) else { continue };
            let dot_git = linked.git_dir().join(named.trim());
            tops.extend(dot_git.parent().and_then(real));
        }
        if !tops.contains(&self.top) {
            return Ok(Vec::new());
        }
        tops.retain(|top| *top != self.top);
        // A link in the place of the root would lead elsewhere.
        let roots = tops.into_iter().map(|top| match self.prefix.as_str() {
            "" => top,
            prefix => top.join(prefix),
        });
        Ok(roots.filter(|root| real(root).as_ref() == Some(root)).collect())
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}
