//! `asof api`: the public interface of a crate or module.

use clap::Args;

use super::api_diff::{self, Gate, Level};
use super::ask::Ask;
use super::context::Context;
use asof_surface::problem::Problem;
use asof_surface::questions::items::{API, ApiRequest};

/// List the public interface of a crate or module, re-exports included
///
/// Lists everything that users of the crate can name, each item once, by its shortest public path,
/// with the place of its definition. Globs are followed; items of other crates are marked
/// `external`. Without a path, lists all libraries of the workspace.
///
/// With `--diff`, shows what changed between two moments and what that means for users, by the
/// semver rules of the Cargo book. Commits need not be imported. Auto traits, `dyn` compatibility
/// and type inference are not judged: that takes a build.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof api
  asof api asof::model
  asof api asof::wire --members --format json
  asof api --diff HEAD~3..HEAD           changes and their semver levels
  asof api --diff HEAD~1 --check         fail unless the versions allow the changes")]
pub struct ApiArgs {
    #[command(flatten)]
    ask: Ask<ApiRequest>,
    /// Show the changes between two moments, T1..T2, or between T1 and the files on disk
    #[arg(long, value_name = "T1..T2", allow_hyphen_values = true,
          conflicts_with_all = ["path", "members", "no_hidden"])]
    diff: Option<String>,
    /// With --diff: exit with 8 if the version of a package does not allow its changes
    #[arg(long, requires = "diff")]
    check: bool,
    /// With --check: accept changes up to this level, whatever the versions
    #[arg(long, requires = "check", value_name = "LEVEL")]
    allow: Option<Level>,
}

pub fn run(context: &Context, args: ApiArgs) -> anyhow::Result<()> {
    let Some(range) = &args.diff else {
        if context.is_sarif() {
            let what = "an interface has no findings; its differences do";
            return Err(Problem::bad_request(what, "name two moments with `--diff`").into());
        }
        return args.ask.run(context, &API);
    };
    let gate = match (args.check, args.allow) {
        (false, _) => Gate::Off,
        (true, None) => Gate::Versions,
        (true, Some(level)) => Gate::Level(level.into()),
    };
    let request = args.ask.limited();
    api_diff::run(context, range, request.package.as_deref(), gate, request.limit)
}
