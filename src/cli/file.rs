//! `asof file`: metadata of an indexed file.

use clap::Args;

use super::context::Context;
use super::output;
use asof_model::ErrorKind;
use asof_surface::problem::Problem;

/// Show metadata of a file, indexed or not
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof file src/lib.rs
  asof file src/lib.rs --format json")]
pub struct FileArgs {
    /// The file, relative to this folder or to the root
    path: String,
}

pub fn run(context: &Context, args: &FileArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let answer = snapshot.file(&context.file(&args.path))?;
    match context.format() {
        super::globals::Format::Json => output::json(context, &answer)?,
        _ => {
            for item in &answer.items {
                output::record(context, item)?;
            }
            output::basis(context, &serde_json::to_value(&answer)?)?;
        }
    }
    match answer.items.iter().find(|file| !file.exists && !file.indexed) {
        None => Ok(()),
        Some(file) => {
            let message = format!("no file {}", file.file_path);
            let hint = "paths are relative to this folder or to the root of the workspace";
            Err(Problem::new(ErrorKind::NoMatch, message, hint).into())
        }
    }
}
