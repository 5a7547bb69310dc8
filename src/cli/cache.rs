//! `asof cache`: declarations of dependencies, shared by all workspaces of a user.

use asof_index::{CACHE_LIMIT, cache_contents, cache_folder, clear_cache};
use asof_wire::CacheReport;
use clap::{Args, Subcommand};

use super::context::Context;
use super::output;
use asof_surface::problem::Problem;

/// Show or clear the cache of dependencies' declarations
///
/// Indexing reads the declarations of crates that a workspace depends on from where Cargo keeps
/// their sources, once for each version. They are kept in `crates` of $ASOF_CACHE_DIR, else of
/// $XDG_CACHE_HOME/asof, else of ~/.cache/asof.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof cache            where it is, and its size
  asof cache status --format json
  asof cache clear      remove it; the next index reads the sources again")]
pub struct CacheArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Where the cache is, and its size
    Status,
    /// Remove all that is in it
    Clear,
}

pub fn run(context: &Context, args: &CacheArgs) -> anyhow::Result<()> {
    let is_clear = matches!(args.action, Some(Action::Clear));
    let contents = if is_clear { clear_cache() } else { cache_contents() };
    let action = if is_clear { "clear" } else { "read" };
    let contents = contents
        .map_err(|error| Problem::io(action, &cache_folder().unwrap_or_default(), &error))?;
    let left = if is_clear { Default::default() } else { contents.clone() };
    let report = CacheReport {
        folder: cache_folder().map(|folder| folder.display().to_string()),
        crates: left.files,
        bytes: left.bytes,
        limit: CACHE_LIMIT,
        removed: is_clear.then_some(contents.files),
    };
    output::record(context, &report)
}
