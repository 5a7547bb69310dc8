//! Errors of SQLite as the engine reports them.

use miette::miette;

pub(crate) fn report(error: sqlite::Error) -> miette::Report {
    miette!("{error}")
}
