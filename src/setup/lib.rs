//! Entries of the MCP server in the configuration files of agents and editors: adds them, removes
//! them, and checks them. One concern a file; `clients` is the table of clients.
//! It never changes anything else in those files, and never prints.

mod clients;
mod doctor;
mod entry;
mod file;
mod json;
mod launch;
mod refusal;
mod text;
mod toml;

#[cfg(test)]
mod tests;

pub use clients::{Client, Homes, Place, Scope};
pub use doctor::{Check, Doctor};
pub use entry::NAME;
pub use launch::start;

use std::path::Path;

use asof_model::ErrorKind;
use serde::Serialize;
use similar::TextDiff;

use asof_surface::problem::Problem;
use entry::Entry;
use text::Removal;

/// What agents read of asof at the beginning of a session.
pub const AGENTS: &str = include_str!("agents.md");
/// The same as a skill, read when it is needed.
pub const SKILL: &str = include_str!("skill.md");

/// A change of a client's file.
#[derive(Debug, Serialize)]
pub struct Change {
    pub client: &'static str,
    pub scope: &'static str,
    pub path: String,
    pub action: Action,
    /// Unified diff; empty if nothing changes.
    pub diff: String,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The file is created.
    Create,
    /// The entry is added.
    Add,
    /// The entry is removed.
    Remove,
    /// The file is removed: it has nothing but what was added.
    Delete,
    /// The file is as it should be.
    Keep,
}

/// Whether files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    Write,
    /// Only says what would change.
    Dry,
}

/// Adds the entry to a client's file.
///
/// # Errors
/// A file that cannot be read or edited, or that has another server with this name.
pub fn install(place: &Place, entry: &Entry, run: Run) -> Result<Change, Problem> {
    let old = file::read(&place.file)?;
    let syntax = place.syntax();
    if let Some(text) = &old
        && let Some(known) = syntax.find(text).map_err(|error| place.refused(error))?
    {
        if known == *entry {
            return Ok(change(place, Action::Keep, text, text));
        }
        let message =
            format!("{} has a server `{NAME}` already: {known}", place.file.path().display());
        let hint = "remove it with `asof mcp uninstall` and the same options, then install again";
        return Err(Problem::new(ErrorKind::Ambiguous, message, hint));
    }
    let new = syntax.install(old.as_deref(), entry).map_err(|error| place.refused(error))?;
    if run == Run::Write {
        file::write(&place.file, old.as_deref(), &new)?;
    }
    let action = if old.is_some() { Action::Add } else { Action::Create };
    Ok(change(place, action, old.as_deref().unwrap_or_default(), &new))
}

/// Removes the entry from a client's file.
///
/// # Errors
/// A file that cannot be read or edited.
pub fn uninstall(place: &Place, run: Run) -> Result<Change, Problem> {
    let Some(old) = file::read(&place.file)? else {
        return Ok(change(place, Action::Keep, "", ""));
    };
    let removal = place.syntax().uninstall(&old).map_err(|error| place.refused(error))?;
    let (action, new) = match removal {
        Removal::Nothing => return Ok(change(place, Action::Keep, &old, &old)),
        Removal::File => (Action::Delete, String::new()),
        Removal::Entry(new) => (Action::Remove, new),
    };
    if run == Run::Write {
        match action {
            Action::Delete => file::remove(&place.file, &old)?,
            _ => file::write(&place.file, Some(&old), &new)?,
        }
    }
    Ok(change(place, action, &old, &new))
}

fn change(place: &Place, action: Action, old: &str, new: &str) -> Change {
    let path = place.file.path();
    let name = |side: char, is_there: bool| {
        if is_there { format!("{side}/{}", display(&path)) } else { "/dev/null".to_owned() }
    };
    let header = (name('a', action != Action::Create), name('b', action != Action::Delete));
    let diff = TextDiff::from_lines(old, new);
    let diff = diff.unified_diff().context_radius(3).header(&header.0, &header.1).to_string();
    Change {
        client: place.client.name(),
        scope: place.scope.name(),
        path: path.display().to_string(),
        action,
        diff,
    }
}

fn display(path: &Path) -> String {
    path.display().to_string().trim_start_matches('/').to_owned()
}
