//! `asof impact --diff`: what a difference affects, and which tests to run.

use asof::{Database, When};
use asof_model::Hint;
use asof_wire::{AffectedTests, ChangeImpact};
use clap::ValueEnum;

use super::between::files_at;
use super::context::Context;
use super::output::{self, Listing, plural};
use super::progress::Bars;
use asof_surface::test_filter;
use asof_surface::text;

/// What `--tests` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TestFilter {
    /// Commands of `cargo test`, one a line
    Cargo,
    /// An expression for `cargo nextest run --filterset`
    Nextest,
}

const AFFECTED: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("kind", "{item/kind}"),
        ("how", "{how}"),
        ("file", "{file_path}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file_path classes how via in_test",
};

/// Prints what a range affects, or only a filter for its tests.
pub fn run(
    context: &Context,
    range: &str,
    filter: Option<TestFilter>,
    limit: Option<usize>,
) -> anyhow::Result<()> {
    let (from, to) = match When::parse_range(range) {
        Some(both) => both?,
        None => (When::parse(range)?, context.when()?),
    };
    let bars = Bars::new(context.quiet());
    let found = match context.database() {
        Ok(database) => database.impact_between(&from, &to, context.refreshes(), limit, &bars),
        Err(error) if error.hint() == Hint::Index => {
            let (earlier, later) = (files_at(&from)?, files_at(&to)?);
            Database::change_impact_files(&context.root(), None, &earlier, &later, limit, &bars)
        }
        Err(error) => return Err(error.into()),
    };
    bars.finish();
    print(context, &found?, filter, limit)
}

/// The same for a proposal.
pub fn run_proposal(
    context: &Context,
    id: &str,
    filter: Option<TestFilter>,
    limit: Option<usize>,
) -> anyhow::Result<()> {
    let database = context.database()?;
    let bars = Bars::new(context.quiet());
    let found = database.proposal_impact(id, limit, &bars);
    bars.finish();
    print(context, &found?, filter, limit)
}

fn print(
    context: &Context,
    found: &ChangeImpact,
    filter: Option<TestFilter>,
    limit: Option<usize>,
) -> anyhow::Result<()> {
    match filter {
        Some(filter) => print_tests(context, &found.tests, filter),
        None if context.is_prose() => {
            output::print(context, &text::change_impact::change_impact(found, limit))?;
            context.note(&format!("{} affected", plural(found.answer.total, "item")));
            output::basis(context, &serde_json::to_value(&found.answer)?)
        }
        None => output::listing(context, found, AFFECTED),
    }
}

/// Prints only a filter for tests.
pub fn print_tests(
    context: &Context,
    tests: &AffectedTests,
    filter: TestFilter,
) -> anyhow::Result<()> {
    let lines = match filter {
        TestFilter::Cargo => test_filter::cargo(tests),
        TestFilter::Nextest => vec![test_filter::nextest(tests)],
    };
    for line in lines {
        output::print_whole(&format!("{line}\n"))?;
    }
    for reason in &tests.run_everything {
        output::warn(context, &format!("all tests: {}: {}", reason.what, reason.reason));
    }
    Ok(())
}
