//! `asof affected`: the packages and targets that a difference can reach.

use asof::{Database, When};
use asof_model::Hint;
use asof_wire::{AffectedPackages, AffectedRequest};
use clap::Args;

use super::between::files_at;
use super::context::Context;
use super::output::{self, Listing};
use super::progress::Bars;
use asof_surface::package_filter;
use asof_surface::text::affected::{Reasons, affected, reason_lines};

/// List the packages and targets that a change can reach: what to build and test
///
/// A package is selected if its build or its tests can see a difference. Manifests, the lock file,
/// toolchains, build scripts, procedural macros and files that no crate has concern whole packages and
/// what depends on them; so does what other crates can see of a library. Any other change of an
/// item concerns the targets that can reach it, however uncertain. What cannot be told selects.
/// `A...B` compares B with the commit where it left A, as CI does for a branch.
///
/// `--packages` and `--tests` print arguments for Cargo. If nothing is affected, they print nothing
/// and end with 0: without arguments, Cargo would test everything. Commits need not be imported.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof affected HEAD~1..HEAD
  asof affected HEAD~1..HEAD --packages    -p a -p b, for `cargo test` and `cargo nextest run`
  asof affected HEAD~1..HEAD --tests       the arguments of one `cargo test` on each line
  asof affected HEAD~1..HEAD --nextest     an expression for `cargo nextest run -E`
  asof affected HEAD~1..HEAD --explain     why each is selected
  asof affected HEAD                       of what is not committed yet")]
pub struct AffectedArgs {
    /// Two commits as A..B, or A to compare with the files on disk; A...B compares B with the commit
    /// where it left A
    #[arg(value_name = "A..B", default_value = "HEAD", allow_hyphen_values = true)]
    range: String,
    /// Print only the packages, as arguments of Cargo and nextest
    #[arg(long = "packages", conflicts_with = "only_tests")]
    only_packages: bool,
    /// Print only the targets, as arguments of `cargo test`, one call a line
    #[arg(long = "tests")]
    only_tests: bool,
    /// Print an expression for `cargo nextest run -E`: the targets, or the packages with `--packages`
    #[arg(long)]
    nextest: bool,
    /// Say why each package or target is selected; on standard error beside arguments
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    request: AffectedRequest,
}

const PACKAGES: Listing<'_> = Listing {
    columns: &[
        ("package", "{package}"),
        ("manifest", "{manifest_path}"),
        ("whole", "{is_whole}"),
        ("targets", "{targets}"),
    ],
    keys: "package spec manifest_path is_whole reasons targets",
};

pub fn run(context: &Context, args: &AffectedArgs) -> anyhow::Result<()> {
    let (from, to) = moments(context, &args.range)?;
    let bars = Bars::new(context.quiet());
    let found = match context.database() {
        Ok(database) => {
            database.affected_between(&from, &to, context.refreshes(), &args.request, &bars)
        }
        Err(error) if error.hint() == Hint::Index => {
            let (earlier, later) = (files_at(&from)?, files_at(&to)?);
            let root = context.root();
            Database::affected_files(&root, None, &earlier, &later, &args.request, &bars)
        }
        Err(error) => return Err(error.into()),
    };
    bars.finish();
    print(context, args, &found?)
}

/// The two moments that a range names.
fn moments(context: &Context, range: &str) -> anyhow::Result<(When, When)> {
    match When::parse_range(range) {
        Some(both) => Ok(both?),
        None => Ok((When::parse(range)?, context.when()?)),
    }
}

fn print(context: &Context, args: &AffectedArgs, found: &AffectedPackages) -> anyhow::Result<()> {
    let packages = &found.answer.items;
    let lines = if args.nextest && args.only_packages {
        vec![package_filter::nextest_packages(packages)]
    } else if args.nextest {
        vec![package_filter::nextest_tests(packages)]
    } else if args.only_packages {
        package_filter::cargo_packages(packages).into_iter().collect()
    } else if args.only_tests {
        package_filter::cargo_tests(packages)
    } else if context.is_prose() {
        let reasons = if args.explain { Reasons::Show } else { Reasons::Hide };
        output::print(context, &affected(found, reasons))?;
        return output::basis(context, &serde_json::to_value(&found.answer)?);
    } else {
        return output::listing(context, found, PACKAGES);
    };
    for line in &lines {
        output::print_whole(&format!("{line}\n"))?;
    }
    if packages.is_empty() {
        context.note("no package is affected");
    }
    if args.explain {
        for package in packages {
            for line in reason_lines(package) {
                context.note(&format!("{}: {line}", package.package));
            }
        }
    }
    Ok(())
}
