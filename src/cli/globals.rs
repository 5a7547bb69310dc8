//! Options that all commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
    /// Findings as SARIF 2.1.0; of `asof quality` only
    Sarif,
}

impl FormatArg {
    /// Form of an answer, lines aside.
    pub fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Json | Self::Jsonl | Self::Sarif => Format::Json,
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
