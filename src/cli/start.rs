//! Opens the database of a workspace; a new one begins empty, or as a copy of another worktree's.

use std::path::{Path, PathBuf};

use asof::{Database, EngineError, Origin, Progress, StartFrom};
use clap::Args;

use super::context::Context;
use super::output;
use super::terminal;
use asof_surface::workspace::{Index, Workspace, described};

/// How to create a database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct StartArgs {
    /// Parse every file of a workspace without a database, instead of starting from a copy of the
    /// database of another worktree of the Git repository [env: ASOF_FROM_SCRATCH=1]
    #[arg(long)]
    from_scratch: bool,
}

impl StartArgs {
    pub fn start(&self) -> StartFrom {
        // Not read by clap: the default arguments of a server are told from given ones.
        let variable = std::env::var_os("ASOF_FROM_SCRATCH");
        let is_set = variable.is_some_and(|value| !value.is_empty() && value != "0");
        if self.from_scratch || is_set { StartFrom::Nothing } else { StartFrom::OtherWorktree }
    }

    /// Opens or creates the database of a workspace, and says where a new one comes from.
    pub fn open(
        &self,
        context: &Context,
        root: &Path,
        progress: &dyn Progress,
    ) -> Result<(Database, Origin), EngineError> {
        let (database, origin) = Database::create_or_open_from(root, self.start(), progress)?;
        for line in described(&origin) {
            match origin {
                Origin::Empty { .. } => output::warn(context, &line),
                Origin::Existing | Origin::Copy { .. } => context.note(&line),
            }
        }
        Ok((database, origin))
    }

    /// The workspace of a server.
    pub fn workspace(&self, context: &Context, root: PathBuf, index: Index) -> Workspace {
        let tell: fn(&str) = if context.quiet() { |_| {} } else { terminal::write_beside };
        Workspace::new(root, index, self.start(), tell)
    }
}

/// Removes the database that a first run created: a folder that is not a workspace must not look
/// like one afterwards.
pub fn discard(root: &Path, origin: &Origin) {
    let is_unused = match origin {
        Origin::Copy { .. } => true,
        // An earlier run may have been killed in the middle.
        Origin::Existing | Origin::Empty { .. } => Database::open(root)
            .and_then(|database| database.status())
            .is_ok_and(|status| status.revisions == 0),
    };
    let path = Database::path_of(root);
    let (true, Some(folder)) = (is_unused, path.parent()) else { return };
    for suffix in ["", "-wal", "-shm", "-names", ".lock"] {
        let mut file = path.clone().into_os_string();
        file.push(suffix);
        let _ = std::fs::remove_file(file);
    }
    let _ = std::fs::remove_file(folder.join(".gitignore"));
    // Fails if the user keeps anything there, such as queries.
    let _ = std::fs::remove_dir(folder);
}
