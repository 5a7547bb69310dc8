//! `asof project`: workspaces registered by name.

use std::path::PathBuf;

use asof::Reach;
use asof_wire::ProjectList;
use clap::{Args, Subcommand};

use super::context::Context;
use super::globals::Format;
use super::registry::registry;
use super::{index_all, output};

/// Name workspaces, to search several of them
///
/// Names and roots are in projects.toml in the folder that ASOF_CONFIG_DIR names, else in
/// $XDG_CONFIG_HOME/asof, else in ~/.config/asof. Each project keeps its own database.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof project add .
  asof project discover .. --add
  asof project list
  asof project index-all .. --tables ../tables --done ../finished.jsonl
  asof search 'moment' --all-projects
  asof search 'moment' --project asof
  asof project remove asof")]
pub struct ProjectArgs {
    #[command(subcommand)]
    command: ProjectCommand,
}

#[derive(Debug, Subcommand)]
enum ProjectCommand {
    /// Register the workspace that a folder belongs to
    Add {
        /// Folder of the workspace
        #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath, default_value = ".")]
        folder: PathBuf,
        /// Name of the project [default: that of the package in the root, else of the folder]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// List the projects
    #[command(visible_alias = "ls")]
    List,
    IndexAll(index_all::IndexAllArgs),
    /// Remove a project from the list; its files and its database stay
    #[command(visible_alias = "rm")]
    Remove {
        /// Name of the project
        name: String,
    },
    /// List the Cargo workspaces in a folder and below it, with the names that they have or would get
    ///
    /// What is inside a workspace is not looked into, nor are hidden folders, `target` and
    /// `node_modules`; links are not followed.
    Discover {
        /// Where to look
        #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
        folder: PathBuf,
        /// Register them
        #[arg(long)]
        add: bool,
        /// Look at most N folders deep
        #[arg(long, value_name = "N", default_value_t = Reach::default().depth)]
        depth: usize,
    },
}

pub fn run(context: &Context, args: &ProjectArgs) -> anyhow::Result<()> {
    if let ProjectCommand::IndexAll(args) = &args.command {
        return index_all::run(context, args);
    }
    let registry = registry()?;
    let list = match &args.command {
        ProjectCommand::Add { folder, name } => {
            let project = registry.add(folder, name.as_deref())?;
            let text = format!("registered `{}`: {}", project.name, project.root);
            return show_project(context, &project, &text);
        }
        ProjectCommand::Remove { name } => {
            let project = registry.remove(name)?;
            return show_project(context, &project, &format!("removed `{}`", project.name));
        }
        // Handled above: it has an answer of its own.
        ProjectCommand::IndexAll(_) => ProjectList::default(),
        ProjectCommand::List => {
            let items = registry.list()?;
            ProjectList { total: items.len(), items, ..ProjectList::default() }
        }
        ProjectCommand::Discover { folder, add, depth } => {
            let reach = Reach { depth: *depth, ..Reach::default() };
            if *add {
                registry.add_below(folder, reach)?
            } else {
                registry.discover(folder, reach)?
            }
        }
    };
    let columns = &[("name", "{name}"), ("root", "{root}")];
    match context.format() {
        Format::Json => output::json(context, &list)?,
        _ => output::rows(context, &serde_json::to_value(&list)?, columns)?,
    }
    list.notes.iter().for_each(|note| output::warn(context, note));
    if list.truncated {
        output::warn(context, "the search ended at a limit; there may be more");
    }
    Ok(())
}

fn show_project(context: &Context, project: &asof_wire::Project, text: &str) -> anyhow::Result<()> {
    match context.format() {
        Format::Text if context.quiet() => Ok(()),
        Format::Text => output::print(context, &format!("{text}\n")),
        _ => output::record(context, project),
    }
}
