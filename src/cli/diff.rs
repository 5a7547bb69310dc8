//! `asof diff`.

use asof::engine::{Detail, Diff, DiffRequest, Guesses, Patch, Refresh, When};
use asof::model::NodeKind;
use clap::Args;
use serde_json::Value as Json;

use super::context::Context;
use super::failure::Failure;
use super::globals::Format;
use super::history_listing;
use super::output::{self, Column};

/// List the items that differ between two moments, and how
///
/// Containers of which only the contents changed, fields that came or went with their type,
/// what moved along with its container, and `use` declarations are left out; `--all` lists them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof diff -1h NOW
  asof diff v1.0..v1.1 crate::config
  asof diff 2024-06-01 NOW
  asof diff 2024-06-01T10:00:00Z NOW src/lib.rs --patch
  asof diff -1d NOW --kind function --format json")]
pub struct DiffArgs {
    /// The earlier moment, or both as T1..T2: a time (RFC 3339), a date (2026-11-01, UTC), an
    /// age (-10min, -2w, '2 weeks ago'), a revision id, or a git commit, branch or tag
    #[arg(value_name = "T1", allow_hyphen_values = true)]
    from: String,
    /// The later moment [default: that of --at, else NOW]
    #[arg(value_name = "T2", allow_hyphen_values = true)]
    to: Option<String>,
    /// Only this item, module, file or folder
    path: Option<String>,
    /// Only this kind: function, struct, method, …
    #[arg(long, value_parser = super::resolve::kind)]
    kind: Option<NodeKind>,
    /// Most items to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Every item that differs
    #[arg(long)]
    all: bool,
    /// Print the unified diff of each item's text
    #[arg(long)]
    patch: bool,
    /// List as one item also what was removed and added again, if the two share less than half
    /// of their tokens
    #[arg(long)]
    guesses: bool,
}

const ITEM: &[Column] = &[
    ("what", "{what}"),
    ("kind", "{kind}"),
    ("path", "{path}"),
    ("file", "{file_path}"),
    ("note", "{note}"),
];

pub fn run(context: &Context, args: &DiffArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let Ends { from, to, path } = Ends::of(args)?;
    let to = match (to, context.is_at()) {
        (Some(_), true) => {
            let hint = "leave one of them out";
            return Err(Failure::usage("both T2 and --at name the later moment", hint).into());
        }
        (Some(to), false) => to,
        (None, _) => context.when()?,
    };
    let to = database.snapshot(&to, context.refreshes())?;
    // The earlier moment is asked for behind: bringing NOW up to date twice says nothing new.
    let from = database.snapshot(&from, Refresh::Skip)?;
    let path = path.map(|path| match path.contains("::") {
        true => path.to_owned(),
        false => context.file(path),
    });
    let request = DiffRequest {
        path,
        kind: args.kind,
        limit: (args.limit > 0).then_some(args.limit),
        detail: if args.all { Detail::All } else { Detail::Folded },
        patch: if args.patch { Patch::Unified } else { Patch::Without },
        guesses: if args.guesses { Guesses::Show } else { Guesses::LeaveOut },
    };
    let diff = to.diff(&from, &request)?;
    if args.patch && matches!(context.format(), Format::Text | Format::Markdown) {
        return patches(context, &diff);
    }
    history_listing::listing(context, &diff, ITEM)?;
    if context.format() != Format::Csv && context.format() != Format::Json {
        output::note(context, &summary(&diff)?);
    }
    Ok(())
}

/// The arguments, understood: `T1 [T2] [PATH]` or `T1..T2 [PATH]`.
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
            let what = format!("`{}` names both moments, and a path is one argument", args.from);
            return Err(Failure::usage(what, "use `asof diff T1..T2 PATH`").into());
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
        n => format!("; {n} pairs are less than half alike (`--guesses` shows them as one)"),
    };
    Ok(match parts.is_empty() {
        true => format!("no item differs{folded}"),
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
            output::print_plain(patch)?;
        }
    }
    let answer: Json = serde_json::to_value(diff)?;
    output::basis(context, &answer)?;
    output::note(context, &summary(diff)?);
    Ok(())
}
