//! `asof api`.

use asof::model::{NodeId, NodeKind};
use asof::wire::ApiItem;
use asof::{Hidden, Members};
use clap::Args;

use super::api_diff::{self, Gate, Level};
use super::context::Context;
use super::failure::{Failure, Kind};
use super::globals::Limit;
use super::output::{self, Listing};
use super::resolve::ItemArgs;

const ITEM: Listing<'_> = Listing {
    columns: &[
        ("path", "{path}"),
        ("kind", "{kind}"),
        ("signature", "{signature}"),
        ("place", "{file_path}:{line}"),
        ("cfg", "{cfg}"),
        ("hidden", "{hidden}"),
        ("re-exported", "{reexported}"),
    ],
    keys: "path kind signature id canonical_path file_path line cfg hidden reexported other_paths",
};

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
    /// Path of a crate or module
    path: Option<String>,
    /// Only modules of this package
    #[arg(long)]
    package: Option<String>,
    /// List public fields, variants, methods and items of traits too
    #[arg(long)]
    members: bool,
    /// Leave out `#[doc(hidden)]` items
    #[arg(long)]
    no_hidden: bool,
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
    #[command(flatten)]
    limit: Limit,
}

pub fn run(context: &Context, args: &ApiArgs) -> anyhow::Result<()> {
    if let Some(range) = &args.diff {
        let gate = match (args.check, args.allow) {
            (false, _) => Gate::Off,
            (true, None) => Gate::Versions,
            (true, Some(level)) => Gate::Level(level.into()),
        };
        let package = args.package.as_deref();
        return api_diff::run(context, range, package, (gate, args.limit.get()));
    }
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let modules = match &args.path {
        None => Vec::new(),
        Some(path) => {
            let item = ItemArgs::new(path, Some(NodeKind::Module), args.package.clone());
            let found = item.resolve(context, &snapshot)?;
            match found.any() {
                Ok(_) => {}
                Err(_)
                    if !ItemArgs::new(path, None, None)
                        .resolve(context, &snapshot)?
                        .items()
                        .is_empty() =>
                {
                    let message = format!("`{path}` is not a module");
                    let hint = format!("`asof outline {path}` shows its members");
                    return Err(Failure::new(Kind::NoMatch, message, hint).into());
                }
                Err(error) => return Err(error.into()),
            }
            let ids: Vec<NodeId> = found.items().iter().map(|item| item.id).collect();
            snapshot.libraries_among(&ids)?
        }
    };
    let members = if args.members { Members::List } else { Members::LeaveOut };
    let hidden = if args.no_hidden { Hidden::LeaveOut } else { Hidden::List };
    let answer = snapshot.api(&modules, members, hidden, args.limit.get())?;
    if !context.is_prose() {
        return output::listing(context, &answer, ITEM);
    }
    output::print(&answer.items.iter().map(line).collect::<String>())?;
    context.note(&output::plural(answer.total, "item"));
    output::basis(context, &serde_json::to_value(&answer)?)
}

fn line(item: &ApiItem) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut marks = String::new();
    if let Some(line) = item.line {
        marks.push_str(&format!("  {}:{line}", item.file_path));
    }
    if item.hidden {
        marks.push_str("  hidden");
    }
    if !item.cfg.is_empty() {
        marks.push_str(&format!("  cfg({})", item.cfg));
    }
    if !item.other_paths.is_empty() {
        marks.push_str(&format!("  also {}", output::some(&item.other_paths)));
    }
    format!("{bold}{}{bold:#}  {}{dim}{marks}{dim:#}\n", item.path, item.signature)
}
