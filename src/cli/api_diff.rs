//! `asof api --diff`: changes of public interfaces, and whether versions allow them.

use asof::Database;
use asof_wire::{ApiDiff, PackageApi, SemverLevel, When};
use clap::ValueEnum;

use super::between::{End, between};
use super::context::Context;
use super::output::{self, Listing};
use asof_model::ErrorKind;
use asof_surface::problem::Problem;
use asof_surface::sarif;
use asof_surface::text;

/// A level of `--allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    Patch,
    Minor,
    Major,
}

impl From<Level> for SemverLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Patch => Self::Patch,
            Level::Minor => Self::Minor,
            Level::Major => Self::Major,
        }
    }
}

/// What `--check` accepts.
#[derive(Debug, Clone, Copy)]
pub enum Gate {
    /// Everything.
    Off,
    /// What the versions of the packages allow.
    Versions,
    /// Changes up to a level, whatever the versions.
    Level(SemverLevel),
}

const PACKAGE: Listing<'_> = Listing {
    columns: &[
        ("package", "{package}"),
        ("from", "{old_version}"),
        ("to", "{new_version}"),
        ("required", "{required}"),
        ("allowed", "{allowed}"),
        ("enough", "{sufficient}"),
    ],
    keys: "package old_version new_version required allowed sufficient changes",
};

/// Prints how the public interfaces differ between two moments: `A..B`, or `A` and the files on
/// disk.
pub fn run(
    context: &Context,
    range: &str,
    package: Option<&str>,
    gate: Gate,
    limit: Option<usize>,
) -> anyhow::Result<()> {
    let (from, to) = match When::parse_range(range) {
        Some(both) => both?,
        None => (When::parse(range)?, context.when()?),
    };
    let found: ApiDiff = between(
        context,
        &from,
        &End::Moment(to),
        |earlier, later| later.api_diff(earlier, package),
        |root, known, earlier, later, bars| {
            Database::api_diff_files(root, known, earlier, later, package, bars)
        },
    )?;
    if context.is_sarif() {
        output::json(context, &sarif::api(&found))?;
    } else if context.is_prose() {
        output::print(context, &text::api::diff(&found, limit))?;
        let most = found.answer.items.iter().map(|package| package.changes.len()).max();
        if limit.zip(most).is_some_and(|(limit, most)| most > limit) {
            context.note("`--limit 0` shows all");
        }
        output::basis(context, &serde_json::to_value(&found)?)?;
    } else {
        output::listing(context, &found, PACKAGE)?;
    }
    let breaks = |package: &&PackageApi| match gate {
        Gate::Off => false,
        Gate::Versions => !package.sufficient,
        Gate::Level(level) => package.required > level,
    };
    let broken: Vec<String> = found
        .answer
        .items
        .iter()
        .filter(breaks)
        .map(|package| format!("{} ({})", package.package, package.required.as_str()))
        .collect();
    if broken.is_empty() {
        return Ok(());
    }
    let (what, hint) = match gate {
        Gate::Level(level) => {
            (format!("changes above `{}`", level.as_str()), "undo them, or allow a higher level")
        }
        _ => (
            "changes that the version of the package does not allow".to_owned(),
            "raise the version in its manifest, or undo them",
        ),
    };
    let message = format!("{what}: {}", broken.join(", "));
    Err(Problem::new(ErrorKind::Check, message, hint).into())
}
