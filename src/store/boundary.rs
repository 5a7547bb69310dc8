//! The boundary to the engine: calls that cannot panic, with typed errors.
//!
//! The engine unwraps where a damaged file or a full disk makes it fail. Every call is
//! therefore wrapped in `catch_unwind` (its transaction rolls back while unwinding), and the
//! panic hook prints nothing about panics that begin inside the engine.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Once, OnceLock};
use std::time::Duration;

use asof_storage::{Access, DAMAGED, Difference, Hidden, Hold, RowsOf};
use cozo::{DataValue, NamedRows, ScriptMutability, ScriptRunOptions};

use super::batch::Part;
use super::error::StoreError;
use super::excerpt::{excerpt, query_name};
use super::panic_error;

/// The engine behind this boundary, and the numbers of its relations.
pub(super) struct Engine(asof_storage::Engine, OnceLock<BTreeMap<String, u64>>);

/// Context of a call, for its errors.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'a> {
    pub script: &'a str,
    pub path: Option<&'a Path>,
    pub time: Option<Duration>,
    pub memory: Option<usize>,
    /// The script is a user's: a panic of the engine is the script's fault.
    pub foreign: bool,
}

impl Engine {
    pub fn memory() -> Result<Self, StoreError> {
        call(Context::default(), || asof_storage::Engine::memory().map(Self::over))
    }

    pub fn file(path: &Path, access: Access) -> Result<Self, StoreError> {
        let context = Context { path: Some(path), ..Context::default() };
        call(context, || asof_storage::Engine::file(path, access).map(Self::over))
    }

    fn over(engine: asof_storage::Engine) -> Self {
        Self(engine, OnceLock::new())
    }

    /// Makes several calls one transaction: everything that `run` writes, or nothing if it fails.
    /// In memory each call is a transaction of its own.
    pub fn together<T>(
        &self,
        context: Context<'_>,
        run: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if !self.0.can_hold() {
            return run();
        }
        self.hold(context, None, |_| run())
    }

    /// [`Engine::together`] with another database file beside this one.
    pub fn together_beside<T, E: From<StoreError>>(
        &self,
        context: Context<'_>,
        other: &Path,
        run: impl FnOnce(&Hold<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.0.can_hold() {
            return Err(StoreError::ReadOnly.into());
        }
        let name = other.to_str().ok_or_else(|| StoreError::Io {
            action: "read",
            path: other.to_owned(),
            source: std::io::Error::other("the path is not UTF-8"),
        })?;
        self.hold(context, Some(name), run)
    }

    fn hold<T, E: From<StoreError>>(
        &self,
        context: Context<'_>,
        other: Option<&str>,
        run: impl FnOnce(&Hold<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let hold = call(context, || self.0.hold(other))?;
        let value = run(&hold)?;
        call(context, || hold.commit())?;
        Ok(value)
    }

    /// Copies the newest state of a versioned relation from the database beside this one
    /// ([`asof_storage::Engine::take_newest`]).
    pub fn take_newest(
        &self,
        context: Context<'_>,
        relation: &str,
        since: i64,
    ) -> Result<usize, StoreError> {
        let relation = self.number(context, relation)?;
        call(context, || self.0.take_newest(relation, since))
    }

    /// Copies a plain relation from the database beside this one.
    pub fn take_rows(&self, context: Context<'_>, relation: &str) -> Result<(), StoreError> {
        let relation = self.number(context, relation)?;
        call(context, || self.0.take_rows(relation))
    }

    /// In one transaction: facts of these relations that are the same at the end of the database
    /// beside this one as here at a time get the time that they have there; statements of SQLite
    /// run on both, the one beside by the name `other`; and rows are written.
    pub fn import_beside(
        &self,
        context: Context<'_>,
        other: &Path,
        join: Option<(&[&str], i64)>,
        statements: &[&str],
        parts: Vec<Part>,
    ) -> Result<(), StoreError> {
        let parts = self.numbered(context, parts)?;
        let past = Self::file(other, Access::Read)?;
        self.together_beside(context, other, |hold| {
            if let Some((relations, at)) = join {
                let numbers: Result<Vec<u64>, StoreError> =
                    relations.iter().map(|relation| self.number(context, relation)).collect();
                let numbers = numbers?;
                call(context, || self.0.join(&past.0, &numbers, at))?;
            }
            for sql in statements {
                call(context, || hold.execute(sql))?;
            }
            call(context, || self.0.write(parts))
        })
    }

    /// What differs in a relation between the end of `past` and this database at a time.
    pub fn differences(
        &self,
        context: Context<'_>,
        past: &Self,
        relation: &str,
        at: i64,
    ) -> Result<Vec<Difference>, StoreError> {
        let relation = self.number(context, relation)?;
        call(context, || self.0.differences(&past.0, relation, at))
    }

    /// Counts, or removes, versions of a relation that no moment from `floor` on needs.
    pub fn hidden(
        &self,
        context: Context<'_>,
        relation: &str,
        floor: i64,
        what: Hidden,
    ) -> Result<usize, StoreError> {
        let relation = self.number(context, relation)?;
        call(context, || self.0.hidden(relation, floor, what))
    }

    /// Runs a script. The engine stops it at its limit of time or memory.
    pub fn run(
        &self,
        context: Context<'_>,
        params: BTreeMap<String, DataValue>,
        mutability: ScriptMutability,
    ) -> Result<NamedRows, StoreError> {
        let options = ScriptRunOptions {
            timeout: context.time.map(|time| time.as_secs_f64()),
            mem_limit: context.memory,
        };
        call(context, || self.0.run(context.script, params, mutability, options))
    }

    /// Writes rows in one transaction.
    pub fn write(&self, context: Context<'_>, parts: Vec<Part>) -> Result<(), StoreError> {
        self.together(context, || self.write_within(context, parts))
    }

    /// Writes rows in the transaction of [`Engine::together`].
    pub fn write_within(&self, context: Context<'_>, parts: Vec<Part>) -> Result<(), StoreError> {
        let parts = self.numbered(context, parts)?;
        call(context, || self.0.write(parts))
    }

    /// The rows with the numbers of their relations.
    fn numbered(&self, context: Context<'_>, parts: Vec<Part>) -> Result<Vec<RowsOf>, StoreError> {
        let numbered = parts.into_iter().map(|part| {
            let relation = self.number(context, part.relation)?;
            Ok(RowsOf { relation, remove: part.remove, rows: part.rows })
        });
        numbered.collect()
    }

    fn number(&self, context: Context<'_>, relation: &str) -> Result<u64, StoreError> {
        // They do not change once the schema is applied, and nothing is written before.
        let numbers = match self.1.get() {
            Some(numbers) => numbers,
            None => {
                let numbers = call(context, || self.0.relations())?;
                self.1.get_or_init(|| numbers)
            }
        };
        numbers.get(relation).copied().ok_or_else(|| StoreError::Row {
            relation: relation.to_owned(),
            reason: "the database has no such relation".to_owned(),
        })
    }
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Calls the engine and converts panics and reports into typed errors.
pub(super) fn call<T>(
    context: Context<'_>,
    run: impl FnOnce() -> miette::Result<T>,
) -> Result<T, StoreError> {
    quiet_panics_of_engine();
    let before = INSIDE.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(run));
    INSIDE.set(before);
    match outcome {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(report)) => Err(from_report(context, &report)),
        Err(payload) => {
            let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
                (Some(text), _) => (*text).to_owned(),
                (_, Some(text)) => text.clone(),
                _ => "panic without a message".to_owned(),
            };
            Err(from_storage(context, &message).unwrap_or_else(|| {
                if context.foreign {
                    panic_error::rejected(context.script, &message)
                } else {
                    StoreError::Engine { reason: message }
                }
            }))
        }
    }
}

/// Installs, once, a panic hook that is silent about panics inside the engine (they come back as
/// errors) and passes all others to the previous hook.
fn quiet_panics_of_engine() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Threads of the engine's own pool do not carry the mark: recognise them by the panic's
            // place.
            let in_engine = INSIDE.get()
                || info.location().is_some_and(|place| place.file().contains("mnestic-"));
            if in_engine {
                panic_error::note(info.location().map(|place| place.file()));
            } else {
                previous(info);
            }
        }));
    });
}

fn from_report(context: Context<'_>, report: &miette::Report) -> StoreError {
    let query = query_name(context.script);
    let code = report.code().map(|code| code.to_string()).unwrap_or_default();
    match code.as_str() {
        "eval::timeout" => {
            return StoreError::Timeout { query, limit: context.time.unwrap_or_default() };
        }
        "eval::mem_budget_exceeded" => {
            return StoreError::MemoryLimit { query, limit: context.memory.unwrap_or_default() };
        }
        _ => {}
    }
    let mut message = report.to_string();
    for cause in report.chain().skip(1) {
        let cause = cause.to_string();
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    if let Some(error) = from_storage(context, &message) {
        return error;
    }
    let span = report
        .labels()
        .and_then(|mut labels| labels.next())
        .map(|label| (label.offset(), label.len()))
        .filter(|(offset, _)| *offset <= context.script.len());
    // The excerpt shows the place.
    if let Some((offset, len)) = span
        && let Some(before) = message.strip_suffix(&format!(" at {offset}..{}", offset + len))
    {
        message = before.to_owned();
    }
    StoreError::Query {
        query,
        message,
        span,
        excerpt: span.map(|(offset, len)| excerpt(context.script, offset, len)).unwrap_or_default(),
        help: report.help().map(|help| help.to_string().into()),
    }
}

/// The error that SQLite's message (ours, or in the engine's panic) stands for.
fn from_storage(context: Context<'_>, message: &str) -> Option<StoreError> {
    let path = || context.path.unwrap_or(Path::new("")).to_owned();
    let reason = || message.to_owned();
    let says = |text: &str| message.contains(text);
    if says("database is locked") || says("database table is locked") {
        Some(StoreError::Locked { path: path(), pid: None, waited: Duration::ZERO })
    } else if says("database or disk is full") {
        Some(StoreError::Full { reason: reason() })
    } else if says("disk I/O error") || says("unable to open database file") {
        let source = std::io::Error::other(reason());
        Some(StoreError::Io { action: "read or write", path: path(), source })
    } else if says(DAMAGED) {
        Some(StoreError::Corrupt { path: path(), reason: reason() })
    } else if says("file is not a database") {
        Some(StoreError::NotADatabase { path: path(), reason: reason() })
    } else if says("attempt to write a readonly database") {
        Some(StoreError::ReadOnly)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_engine_is_an_error() {
        let error = call(Context::default(), || -> miette::Result<()> { panic!("boom {}", 1) });
        assert!(matches!(error, Err(StoreError::Engine { reason }) if reason == "boom 1"));
        let error = call(Context::default(), || -> miette::Result<()> {
            panic!("called `unwrap` on: database or disk is full (code 13)")
        });
        assert!(matches!(error, Err(StoreError::Full { .. })));
    }
}
