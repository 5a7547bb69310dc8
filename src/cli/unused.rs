//! `asof unused`: items that nothing uses.

use asof_model::ErrorKind;
use asof_wire::UnusedRequest;
use clap::Args;

use super::ask::{self, Ask};
use super::context::Context;
use super::output;
use asof_surface::problem::Problem;
use asof_surface::questions::uses::UNUSED;
use asof_surface::sarif;

/// List items that nothing in the workspace uses
///
/// Listed are those that no use, unresolved name or macro may mean; with `--guesses`, also those
/// that something uncertain may use, and what that is. Left out are entry points, tests, items of
/// trait impls, what macros make, names that derives use (`#[serde(default = "f")]`), names that
/// begin with `_`, items under `#[allow(dead_code)]` (`--allowed` lists them), and what other
/// packages can name (`--public`). A use under any `cfg` counts.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof unused
  asof unused --guesses --kind function
  asof unused src/wire --public --limit 5
  asof unused --check                      exit code 8 if any is certain")]
pub struct UnusedArgs {
    #[command(flatten)]
    ask: Ask<UnusedRequest>,
    /// Fail with exit code 8 if there is an item that certainly nothing uses
    #[arg(long)]
    check: bool,
}

pub fn run(context: &Context, args: UnusedArgs) -> anyhow::Result<()> {
    let found = ask::answer(context, &UNUSED, args.ask.limited())?;
    if context.is_sarif() {
        output::json(context, &sarif::unused(&found))?;
    } else {
        ask::print(context, &UNUSED, &found)?;
    }
    if !args.check || found.certain == 0 {
        return Ok(());
    }
    let items = output::plural(found.certain, "item");
    let hint = "delete them, or mark those that stay with `#[allow(dead_code)]`";
    Err(Problem::new(ErrorKind::Check, format!("nothing uses {items}"), hint).into())
}
