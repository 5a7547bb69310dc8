//! Options that all commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Root of the workspace [default: the nearest folder upward with `.asof`, else this one]
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Form of the answer
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
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
    /// Say nothing but the answer and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// Form of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    #[default]
    #[value(alias = "table")]
    Text,
    /// One JSON object, with what the answer is based on
    #[value(alias = "jsonl")]
    Json,
    /// A table in Markdown
    #[value(alias = "md")]
    Markdown,
    /// Comma-separated values
    Csv,
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
