//! `asof embed`: vectors of items, for searches by meaning.

use std::path::PathBuf;

use asof::EmbedOptions;
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::interrupt;
use super::output::{self, plural};
use super::progress::{Bars, duration};

/// Embed items with a model, so that searches compare meanings, too
///
/// Functions, types, traits, macros and documented modules get a vector each; test code does not.
/// The vectors are stored in the database. After a change, this command embeds what changed;
/// `asof watch` does so by itself. Another model (--model) replaces all vectors. This needs a
/// program that was built with `--features dense`; docs/search.md says where to get a model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof embed
  asof embed --model ~/models/all-MiniLM-L6-v2")]
pub struct EmbedArgs {
    /// Folder of the model, with model.onnx and tokenizer.json; searches find it in ASOF_MODEL or
    /// in asof/model of the user's data folder, the default
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    model: Option<PathBuf>,
    /// If the folder has no model, fetch all-MiniLM-L6-v2 (90 MB) from the Hugging Face Hub into it
    #[arg(long)]
    download: bool,
}

pub fn run(context: &Context, args: &EmbedArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let options = EmbedOptions {
        model: args.model.clone(),
        download: args.download,
        stop: interrupt::flag(),
    };
    let bars = Bars::new(context.quiet());
    let done = database.embed(&options, &bars);
    bars.finish();
    let report = done?;
    if context.format() == Format::Json {
        return output::json(context, &report);
    }
    output::print(
        context,
        &format!(
            "{} of {} embedded with {} ({} numbers each); {}\n",
            report.embedded,
            plural(report.items, "item"),
            report.model,
            report.dimension,
            duration(report.ms)
        ),
    )
}
