//! `asof impact`: what a change of an item may affect.

use clap::Args;

use super::ask::{self, Ask};
use super::change_impact::{self, TestFilter};
use super::context::Context;
use super::graph::GraphArgs;
use super::hint::WORDS;
use asof_surface::problem::Problem;
use asof_surface::questions::uses::{IMPACT, ImpactRequest};

/// List what a change to an item may affect, or what a difference affects and which tests to run
///
/// For an item, lists everything that uses it, directly or through others. The score is the product
/// of the confidences on the path, halved with each further step. Test code comes last. Uses of what is
/// in the item, such as the fields of a struct, are uses of it, and the items of its impls are affected.
/// `--tests` prints the tests that a change of it may affect.
///
/// With `--diff` or `--proposal`, lists the items that differ and everything that may run them, however uncertain,
/// and the tests among them. Where that cannot be known (build scripts, procedural macros, data
/// files), it says to run all tests, and why. Nothing has to be imported.
#[derive(Debug, Args)]
#[command(
    mut_arg("path", |path| path
        .required(false)
        .default_value("")
        .hide_default_value(true)
        .conflicts_with_all(["diff", "proposal"])),
    override_usage = "asof impact [OPTIONS] <PATH>\n       asof impact [OPTIONS] --diff <T1..T2>\n       asof impact [OPTIONS] --proposal <ID>",
    after_help = "Examples, in the repository of asof itself:
  asof impact asof_store::Batch
  asof impact asof::When::parse --depth 2 --exclude-tests
  asof impact asof::When::parse --format json --limit 20
  asof impact asof::When::parse --tests cargo    # which tests may run it
  asof impact --diff HEAD                  # of what is not committed yet
  asof impact --diff HEAD~1..HEAD
  asof impact --diff HEAD --tests cargo    # commands that run the affected tests"
)]
pub struct ImpactArgs {
    #[command(flatten)]
    ask: Ask<ImpactRequest>,
    /// The differences between two moments or commits, T1..T2, or from T1 to the files on disk
    #[arg(long, value_name = "T1..T2", conflicts_with = "proposal", allow_hyphen_values = true)]
    diff: Option<String>,
    /// A planned edit, by the id of its proposal
    #[arg(long, value_name = "ID")]
    proposal: Option<String>,
    /// Print only a filter for the tests that the change of the item, or the difference, may affect
    #[arg(long, value_enum, conflicts_with = "graph", value_name = "RUNNER")]
    tests: Option<TestFilter>,
    #[command(flatten)]
    graph: GraphArgs,
}

pub fn run(context: &Context, args: ImpactArgs) -> anyhow::Result<()> {
    let request = args.ask.limited();
    match (&args.diff, &args.proposal) {
        (Some(range), _) => {
            return change_impact::run(context, range, args.tests, request.uses.limit);
        }
        (None, Some(id)) => {
            return change_impact::run_proposal(context, id, args.tests, request.uses.limit);
        }
        (None, None) if request.subject.target.item.path.is_empty() => {
            let hint = "name an item, or two moments with `--diff T1..T2`";
            return Err(Problem::bad_request("what should the impact be of?", hint).into());
        }
        (None, None) => {}
    }
    if let Some(filter) = args.tests {
        let mut request = request;
        request.subject.target.find_files(&|file| context.file(file));
        let database = context.database_at()?;
        let snapshot = context.snapshot(&database)?;
        let symbols = request.subject.symbols(&snapshot, &WORDS)?;
        return change_impact::print_tests(context, &snapshot.tests_of_change(&symbols)?, filter);
    }
    let found = ask::answer(context, &IMPACT, request)?;
    if args.graph.draw(context, &found.lineage)? {
        Ok(())
    } else {
        ask::print(context, &IMPACT, &found)
    }
}
