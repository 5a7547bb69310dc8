//! `asof diff`.

use asof::model::NodeKind;
use asof::wire::{Detail, Diff, DiffRequest, Guesses, Hint, Patch};
use asof::{Database, FilesAt, Refresh, When};
use clap::Args;
use serde_json::Value as Json;

use super::context::Context;
use super::failure::Failure;
use super::globals::{DEFAULT_LIMIT, Format, Limit};
use super::history_listing;
use super::output::{self, Listing};
use super::paint;
use super::progress::Bars;

/// List the items that differ between two moments, and how
///
/// Commits need not be imported, and no database is needed for them: two commits, or a commit and
/// the files on disk, are then compared in memory.
///
/// Only with `--all`: containers where only nested items changed, fields added or removed with
/// their type, items moved with their container, and `use` declarations.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof diff -1h NOW
  asof diff HEAD~1
  asof diff v1.0..v1.1 crate::config
  asof diff 2024-06-01 NOW
  asof diff 2024-06-01T10:00:00Z NOW src/lib.rs --patch
  asof diff -1d NOW --kind function --format json")]
pub struct DiffArgs {
    /// The earlier moment, or both as T1..T2: a time (RFC 3339), a date (2026-11-01, UTC), an
    /// age (-10min, -2w, '2 weeks ago'), a revision id, or a Git commit, branch or tag
    #[arg(value_name = "T1", allow_hyphen_values = true)]
    from: String,
    /// The later moment [default: that of --at, else NOW]
    #[arg(value_name = "T2", allow_hyphen_values = true)]
    to: Option<String>,
    /// Only this item, module, file or folder
    path: Option<String>,
    /// Only items of this kind: function, struct, method, …
    #[arg(long, value_parser = super::resolve::kind)]
    kind: Option<NodeKind>,
    /// List at most N items; 0 lists all [default: 50, with --patch 20]
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<usize>,
    /// List every item that differs
    #[arg(long)]
    all: bool,
    /// Print the unified diff of each item's text
    #[arg(long)]
    patch: bool,
    /// Also match removed and added items that share less than half of their tokens
    #[arg(long)]
    guesses: bool,
}

const ITEM: Listing<'_> = Listing {
    columns: &[
        ("what", "{what}"),
        ("kind", "{kind}"),
        ("path", "{path}"),
        ("file", "{file_path}"),
        ("note", "{note}"),
    ],
    keys: "classes kind path previous_path other file_path previous_file_path id \
           previous_id matched similarity signature previous_signature tracking_hash \
           previous_tracking_hash patch",
};

/// Default limit with `--patch`, where each item prints its text.
const PATCHES: usize = 20;

pub fn run(context: &Context, args: &DiffArgs) -> anyhow::Result<()> {
    let Ends { from, to, path } = Ends::of(args)?;
    let to = match (to, context.is_at()) {
        (Some(_), true) => {
            let hint = "leave one of them out";
            return Err(Failure::usage("T2 and --at are both the later moment", hint).into());
        }
        (Some(to), false) => to,
        (None, _) => context.when()?,
    };
    let path = path.map(|path| match path.contains("::") {
        true => path.to_owned(),
        false => context.file(path),
    });
    let default = if args.patch { PATCHES } else { DEFAULT_LIMIT };
    let request = DiffRequest {
        path,
        kind: args.kind,
        limit: Limit { limit: args.limit.unwrap_or(default) }.get(),
        detail: if args.all { Detail::All } else { Detail::Folded },
        patch: if args.patch { Patch::Unified } else { Patch::Without },
        guesses: if args.guesses { Guesses::Show } else { Guesses::LeaveOut },
    };
    let diff = diff(context, (&from, &to), &request)?;
    let is_prose = matches!(context.format(), Format::Text | Format::Markdown);
    if args.patch && is_prose && context.fields().is_empty() {
        return patches(context, &diff);
    }
    history_listing::listing(context, &diff, ITEM)?;
    if context.format() != Format::Csv && context.format() != Format::Json {
        context.note(&summary(&diff)?);
    }
    Ok(())
}

/// The differences between two moments: from the database if it has both, else from the files of the
/// commits and those on disk.
fn diff(
    context: &Context,
    (from, to): (&When, &When),
    request: &DiffRequest,
) -> anyhow::Result<Diff> {
    let database = match context.database() {
        Ok(database) => Some(database),
        Err(error) if error.hint() == Hint::Index => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(database) = &database
        && let (Some(from), Some(to)) = (database.imported(from)?, database.imported(to)?)
    {
        let to = database.snapshot(&to, context.refreshes())?;
        // The earlier moment comes second: NOW is brought up to date once.
        let from = database.snapshot(&from, Refresh::Skip)?;
        return Ok(to.diff(&from, request)?);
    }
    let files = |when: &When| {
        FilesAt::of(when).ok_or_else(|| {
            let what = format!("`{when}` is a moment of a database, and there is none");
            Failure::usage(what, "name commits, or create a database with `asof index`")
        })
    };
    let root = context.root();
    let bars = Bars::new(context.quiet());
    let compared =
        Database::compare_files(&root, database.as_ref(), (&files(from)?, &files(to)?), &bars);
    bars.finish();
    let compared = compared?;
    let to = compared.database.snapshot(&compared.later, Refresh::Skip)?;
    let from = compared.database.snapshot(&compared.earlier, Refresh::Skip)?;
    Ok(to.diff(&from, request)?)
}

/// The parsed arguments: `T1 [T2] [PATH]` or `T1..T2 [PATH]`.
struct Ends<'a> {
    from: When,
    to: Option<When>,
    path: Option<&'a str>,
}

impl<'a> Ends<'a> {
    fn of(args: &'a DiffArgs) -> anyhow::Result<Self> {
        let Some(both) = When::parse_range(&args.from) else {
            let to = args.to.as_deref().map(When::parse).transpose()?;
            return Ok(Self { from: When::parse(&args.from)?, to, path: args.path.as_deref() });
        };
        let (from, to) = both?;
        if args.path.is_some() {
            let what = format!("too many arguments: `{}` already names both moments", args.from);
            return Err(Failure::usage(what, "the forms are `T1 T2 PATH` and `T1..T2 PATH`").into());
        }
        Ok(Self { from, to: Some(to), path: args.to.as_deref() })
    }
}

fn summary(diff: &Diff) -> anyhow::Result<String> {
    let counts = serde_json::to_value(&diff.summary)?;
    let counts = counts.as_object().into_iter().flatten();
    let parts: Vec<String> = counts.map(|(class, n)| format!("{n} {class}")).collect();
    let folded = match diff.folded {
        0 => String::new(),
        n => format!("; {n} more with `--all`"),
    };
    let guesses = match diff.guesses_left_out {
        0 => String::new(),
        n => format!("; {n} pairs are less than half alike (`--guesses` matches them)"),
    };
    Ok(match parts.is_empty() {
        true => format!("no items differ{folded}"),
        false => format!("{} items: {}{folded}{guesses}", diff.answer.total, parts.join(", ")),
    })
}

fn patches(context: &Context, diff: &Diff) -> anyhow::Result<()> {
    let markdown = context.format() == Format::Markdown;
    for item in &diff.answer.items {
        let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
        let was = item.previous_path.as_ref().map_or(String::new(), |p| format!(" (was {p})"));
        let head = format!("{} {}{was}: {}", item.kind, item.path, classes.join(", "));
        let patch = item.patch.as_deref().unwrap_or_default();
        if markdown {
            let fence = output::fence(patch);
            output::print(&format!("`{head}`\n\n{fence}diff\n{patch}{fence}\n\n"))?;
        } else {
            let dim = anstyle::Style::new().dimmed();
            output::print(&format!("{dim}# {head}{dim:#}\n"))?;
            output::print_painted(patch, paint::diff)?;
        }
    }
    let answer: Json = serde_json::to_value(diff)?;
    output::basis(context, &answer)?;
    context.note(&summary(diff)?);
    Ok(())
}
