//! Two moments to compare, from the database or from the files of a repository.

use std::path::Path;

use asof::{Between, Database, EngineError, FilesAt, Snapshot, When};
use asof_model::Hint;

use super::context::Context;
use super::progress::Bars;
use asof_surface::problem::Problem;

/// One end of a comparison.
#[derive(Debug, Clone)]
pub enum End {
    Moment(When),
    Staged,
}

/// Compares two moments, the earlier one first: `stored` from the database if it has both, else
/// `files` from the files of the commits and those on disk.
pub fn between<T>(
    context: &Context,
    from: &When,
    to: &End,
    stored: impl FnOnce(&Snapshot<'_>, &Snapshot<'_>) -> Result<T, EngineError>,
    files: impl FnOnce(&Path, Option<&Database>, &FilesAt, &FilesAt, &Bars) -> Result<T, EngineError>,
) -> anyhow::Result<T> {
    let database = match context.database() {
        Ok(database) => Some(database),
        Err(error) if error.hint() == Hint::Index => None,
        Err(error) => return Err(error.into()),
    };
    let (earlier, later) = match (&database, to) {
        (Some(database), End::Moment(to)) => {
            match database.between(from, to, context.refreshes())? {
                Between::Stored { earlier, later } => return Ok(stored(&earlier, &later)?),
                Between::Files { earlier, later } => (earlier, later),
            }
        }
        (None, End::Moment(to)) => (files_at(from)?, files_at(to)?),
        (_, End::Staged) => (files_at(from)?, FilesAt::Staged),
    };
    let bars = Bars::new(context.quiet());
    let found = files(&context.root(), database.as_ref(), &earlier, &later, &bars);
    bars.finish();
    Ok(found?)
}

/// The files that a moment means without a database.
pub fn files_at(when: &When) -> Result<FilesAt, Problem> {
    FilesAt::from_when(when).ok_or_else(|| {
        let what = format!("`{when}` is a moment of a database, and there is none");
        Problem::bad_request(what, "name commits, or create a database with `asof index`")
    })
}
