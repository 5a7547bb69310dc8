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
