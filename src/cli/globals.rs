//! Global options: root, format, moment, configuration, colours.

use std::path::PathBuf;

use asof_wire::ConfigurationRequest;
use clap::{Args, ValueEnum};

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Root of the workspace [default: the nearest parent folder with `.asof`, else the root of the
    /// Cargo workspace or package, else of the Git repository, else this folder]
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Output format
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: FormatArg,
    /// Show only these fields of a listing: columns, or keys of its items in JSON (`item.path` for
    /// a nested one). An unknown name prints the available ones
    #[arg(long, global = true, value_delimiter = ',', value_name = "A,B")]
    pub fields: Vec<String>,
    /// Answer as of a moment: NOW, a time (RFC 3339), a date (2026-11-01, UTC), an age (-10min,
    /// -2w, '2 weeks ago'), a revision id, or a Git commit, branch or tag
    #[arg(long, global = true, value_name = "WHEN", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Do not update the database first; list files that have changed since
    #[arg(long, global = true)]
    pub no_refresh: bool,
    /// When to use colours; NO_COLOR is honoured
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
    /// Print only the answer, a note if it is truncated, and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print the whole answer: without this and without a number of entries, text ends at 10 kB, and
    /// says what is left out
    #[arg(long, global = true)]
    pub full: bool,
    /// Do not use a pager for long answers (default: $ASOF_PAGER, else $PAGER, else `less`)
    #[arg(long, global = true)]
    pub no_pager: bool,
    // Last: its heading holds for all options behind it.
    #[command(flatten)]
    pub configuration: ConfigurationRequest,
}

/// `--format`. JSON and JSON Lines are the same answer, so commands see only [`Format`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// Aligned columns, cut to the width of the terminal
    #[default]
    #[value(alias = "table")]
    Text,
    /// One object with `items`, `basis` and `truncated`, on one line, or indented on a terminal;
    /// fields without a value are omitted
    Json,
    /// One item per line; the rest of the object goes to standard error, on one line
    Jsonl,
    /// A Markdown table
    #[value(alias = "md")]
    Markdown,
    /// Comma-separated values
    Csv,
    /// Findings as SARIF 2.1.0; of `quality`, `unused`, `deps`, `review` and `api --diff`
    Sarif,
}

impl FormatArg {
    /// Format of an answer; JSON Lines counts as JSON.
    pub fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Json | Self::Jsonl | Self::Sarif => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Csv => Format::Csv,
        }
    }
}

/// Format of an answer.
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

/// Fits on a screen, and into the context of an agent.
pub const DEFAULT_LIMIT: usize = 50;

impl Limit {
    /// Maximum number of items; `None` for all.
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
    /// Applies it to this process.
    pub fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}
