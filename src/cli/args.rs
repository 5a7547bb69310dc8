//! The command line as a whole: commands, and the options that all of them take.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{
    api, backup, blame, callers, completions, diff, edit, export, file, gc, history, impact, index,
    inspect, lineage, log, man, outline, path, query, refs, resolve, show, status, watch,
};

const AFTER_HELP: &str = "\
Examples:
  asof index                               index the workspace of this folder
  asof resolve crate::config::Config       where is it defined?
  asof show tokio::sync::Mutex::lock       its source, from the database
  asof outline crate::config::Config       its members and impls
  asof api                                 what users of the library can name
  asof refs crate::config::Config          who uses it?
  asof callers crate::config::load         who calls it, and where?
  asof history crate::config::Config       its versions, across moves and renames
  asof diff -1h NOW                        which items differ, and how
  asof edit apply --file edits.json        change items by path, all or nothing
  asof query '?[name] := *package{name}'   any question in CozoScript
  asof --at -10min inspect counts          the same, ten minutes ago

Exit codes:
  0    done; an empty listing is an answer too
  1    no match
  2    the request is at fault: usage, a path or script that cannot be read
  3    several matches where one was asked for
  4    another process is writing
  5    a file, the disk or the database failed
  6    a limit of time, memory or rows was reached
  7    stale: the code is no longer what the edit was made for; nothing was written
  8    the command of `--check` failed or changed a file of the edit; every file is as it was
  130  interrupted (Ctrl-C); every source file is as it was";

/// A temporal code database for Rust: resolve paths, query code, go back in time.
#[derive(Debug, Parser)]
#[command(name = "asof", version, after_help = AFTER_HELP, propagate_version = false)]
#[command(subcommand_required = true, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Root of the workspace [default: the nearest folder upward with `.asof`, else the root of the
    /// Cargo workspace or package, else of the git repository, else this folder]
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Form of the answer
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: FormatArg,
    /// Show only these fields of a listing: columns, or keys of its items in JSON (`item.path` for
    /// a nested one). An unknown name lists all of them
    #[arg(long, global = true, value_delimiter = ',', value_name = "A,B")]
    pub fields: Vec<String>,
    /// Answer as of a moment: NOW, a time (RFC 3339), a date (2026-11-01, UTC), an age (-10min,
    /// -2w, '2 weeks ago'), a revision id, or a git commit, branch or tag
    #[arg(long, global = true, value_name = "WHEN", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Do not bring the database up to date first; files that differ are named
    #[arg(long, global = true)]
    pub no_refresh: bool,
    /// When to use colours; NO_COLOR is honoured
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
    /// Print only the answer, whether it was cut, and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Do not send long answers through a pager: $ASOF_PAGER, else $PAGER, else `less`
    #[arg(long, global = true)]
    pub no_pager: bool,
}

/// `--format`. JSON and JSON Lines are the same answer, so commands know [`Format`] only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// Aligned columns, cut to the width of a terminal
    #[default]
    #[value(alias = "table")]
    Text,
    /// One object with `items`, their basis and `truncated`. One line, but indented on a terminal;
    /// fields without a value are left out
    Json,
    /// One item per line; the rest of the object is one line on standard error
    Jsonl,
    /// A table in Markdown
    #[value(alias = "md")]
    Markdown,
    /// Comma-separated values
    Csv,
}

impl FormatArg {
    /// Form of an answer, lines aside.
    pub fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Json | Self::Jsonl => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Csv => Format::Csv,
        }
    }
}

/// Form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    Markdown,
    Csv,
}

/// How many items a listing shows at most.
#[derive(Debug, Clone, Copy, Args)]
pub struct Limit {
    /// List at most N items; 0 lists all
    #[arg(short = 'n', long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    pub limit: usize,
}

/// What fits on a screen, and into the context of an agent.
pub const DEFAULT_LIMIT: usize = 50;

impl Limit {
    /// Most items; none for all.
    pub fn get(self) -> Option<usize> {
        (self.limit > 0).then_some(self.limit)
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes it the choice of this process.
    pub fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(visible_alias = "init")]
    Index(index::IndexArgs),
    #[command(visible_alias = "st")]
    Status(status::StatusArgs),
    Backup(backup::BackupArgs),
    Gc(gc::GcArgs),
    Watch(watch::WatchArgs),
    #[command(visible_alias = "def")]
    Resolve(resolve::ResolveArgs),
    File(file::FileArgs),
    Inspect(inspect::InspectArgs),
    Query(query::QueryArgs),
    #[command(visible_alias = "cat")]
    Show(show::ShowArgs),
    Outline(outline::OutlineArgs),
    Api(api::ApiArgs),
    #[command(visible_aliases = ["references", "uses", "where-used"])]
    Refs(refs::RefsArgs),
    Callers(callers::CallersArgs),
    Callees(callers::CalleesArgs),
    Path(path::PathArgs),
    Lineage(lineage::LineageArgs),
    #[command(visible_alias = "dependents")]
    Impact(impact::ImpactArgs),
    Export(export::ExportArgs),
    History(history::HistoryArgs),
    Diff(diff::DiffArgs),
    #[command(visible_alias = "revisions")]
    Log(log::LogArgs),
    #[command(visible_alias = "annotate")]
    Blame(blame::BlameArgs),
    Edit(edit::EditArgs),
    #[command(alias = "completion")]
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    /// Runs one script for `asof query`, within limits of this process
    #[command(name = "__query-worker", hide = true)]
    QueryWorker,
}

impl Command {
    /// Whether it answers a question: then a pager may show the answer, and `--fields` selects
    /// from it.
    pub fn is_question(&self) -> bool {
        match self {
            Self::Index(_)
            | Self::Backup(_)
            | Self::Gc(_)
            | Self::Watch(_)
            | Self::Export(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::QueryWorker => false,
            Self::Edit(args) => args.is_question(),
            _ => true,
        }
    }
}
