//! All programs, shipped and user-written, and how to run them.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use tracing::field;

use super::error::QueryError;
use super::header::Program;
use super::moments::{Moments, Script};
use super::rows::FILES;
use super::views::View;
use super::{moments, params, schema, views};
use asof_files::state::Folder;
use asof_model::Micros;
use asof_store::{Limits, Params, Rows, Store, StoreError, Value};

/// Maximum size of a user's program, in bytes.
const MAX_PROGRAM: u64 = 1 << 20;

/// Where a program comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramSource {
    /// Compiled in.
    Shipped,
    /// A user's file: untrusted, run within limits.
    User,
}

/// The programs that can be run by name.
#[derive(Debug, Clone)]
pub struct Library {
    programs: BTreeMap<String, (Program, ProgramSource)>,
}

impl Default for Library {
    fn default() -> Self {
        Self::shipped()
    }
}

impl Library {
    /// The shipped programs.
    pub fn shipped() -> Self {
        let programs = programs().iter();
        Self {
            programs: programs
                .map(|(n, p)| ((*n).to_owned(), (p.clone(), ProgramSource::Shipped)))
                .collect(),
        }
    }

    /// Adds the programs of a folder, by their `@name`s; a name of a shipped program is refused. A
    /// missing folder has no programs. An invalid file does not hide the others; it is one of the
    /// returned errors.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<QueryError> {
        let open = match Folder::open(folder) {
            Ok(Some(open)) => open,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![unreadable(folder, error)],
        };
        let mut files = match open.names() {
            Ok(names) => names,
            Err(error) => return vec![unreadable(folder, error)],
        };
        files.retain(|name| Path::new(name).extension().is_some_and(|e| e == "cozo"));
        files.sort();
        files.iter().filter_map(|name| self.add_file(&open, name).err()).collect()
    }

    fn add_file(&mut self, folder: &Folder, name: &OsStr) -> Result<(), QueryError> {
        let path = folder.path().join(name);
        let bytes = match name.to_str().map(|name| folder.read(name, MAX_PROGRAM)) {
            Some(Ok(Some(bytes))) => bytes,
            Some(Ok(None)) => return Ok(()),
            Some(Err(error)) => return Err(unreadable(&path, error)),
            None => return Err(unreadable(&path, "its name is not UTF-8")),
        };
        let text = String::from_utf8(bytes).map_err(|error| unreadable(&path, error))?;
        let file = path.display().to_string();
        let fail = |line, message| QueryError::Header { file: file.clone(), line, message };
        let program = Program::parse(&text).map_err(|e| fail(e.line, e.message))?;
        params::check_defaults(&program).map_err(|message| fail(1, message))?;
        if self.programs.contains_key(&program.name) {
            return Err(fail(1, format!("another query is named `{}`", program.name)));
        }
        self.programs.insert(program.name.clone(), (program, ProgramSource::User));
        Ok(())
    }

    /// Every program, by name.
    pub fn list(&self) -> impl Iterator<Item = (&Program, ProgramSource)> {
        self.programs.values().map(|(program, origin)| (program, *origin))
    }

    /// Every view that programs and ad-hoc queries may use, by name.
    pub fn views() -> impl Iterator<Item = &'static View> {
        views::all().values()
    }

    /// The program with this name. If there is none, the error names the nearest.
    pub fn get(&self, name: &str) -> Result<(&Program, ProgramSource), QueryError> {
        if let Some((program, origin)) = self.programs.get(name) {
            return Ok((program, *origin));
        }
        let distance = |have: &str| {
            let short = have.rsplit('/').next().unwrap_or(have);
            strsim::levenshtein(have, name).min(strsim::levenshtein(short, name))
        };
        let nearest = self.programs.keys().map(|have| (distance(have), have)).min();
        let nearest = nearest.filter(|(d, _)| *d <= name.len() / 2).map(|(_, have)| have.clone());
        Err(QueryError::Unknown { name: name.to_owned(), nearest })
    }

    /// Runs a program as of a time. Values are checked against the declared types; texts are parsed
    /// as the type. A user's program runs within the limits, and its moments are expanded like
    /// those of an ad-hoc query.
    pub fn run(
        &self,
        store: &Store,
        name: &str,
        given: &[(String, Value)],
        moments: impl Into<Moments>,
        limits: Limits,
    ) -> Result<Rows, QueryError> {
        let (program, origin) = self.get(name)?;
        let _span = tracing::debug_span!("program", name).entered();
        let moments = moments.into();
        let bound = params::bind(program, given, moments.at)?;
        match origin {
            ProgramSource::Shipped => {
                Ok(store.run(&views::complete(&uncommented(&program.text))?, &bound)?)
            }
            ProgramSource::User => with_moments(&program.text, &moments, |text| {
                store.run_bounded(text, &bound, limits)
            }),
        }
    }

    /// Runs an ad-hoc query within limits, with the views that it mentions and `$at` bound.
    /// Versioned relations are read at `$at` where the query does not say otherwise.
    pub fn run_text(
        store: &Store,
        text: &str,
        given: &[(String, Value)],
        moments: impl Into<Moments>,
        limits: Limits,
    ) -> Result<Rows, QueryError> {
        let _span = tracing::debug_span!("script").entered();
        let moments = moments.into();
        let bound = free(given, moments.at);
        with_moments(text, &moments, |text| store.run_bounded(text, &bound, limits))
    }

    /// The plan of an ad-hoc query.
    pub fn explain_text(
        store: &Store,
        text: &str,
        given: &[(String, Value)],
        moments: impl Into<Moments>,
    ) -> Result<Rows, QueryError> {
        let moments = moments.into();
        let bound = free(given, moments.at);
        with_moments(text, &moments, |text| store.explain(text, &bound))
    }

    /// The plan of a program.
    pub fn explain(
        &self,
        store: &Store,
        name: &str,
        given: &[(String, Value)],
        moments: impl Into<Moments>,
    ) -> Result<Rows, QueryError> {
        let (program, origin) = self.get(name)?;
        let moments = moments.into();
        let bound = params::bind(program, given, moments.at)?;
        match origin {
            ProgramSource::Shipped => {
                Ok(store.explain(&views::complete(&uncommented(&program.text))?, &bound)?)
            }
            ProgramSource::User => {
                with_moments(&program.text, &moments, |text| store.explain(text, &bound))
            }
        }
    }

    /// The texts after `@` in a user's script, for [`Moments::named`].
    pub fn names_of_moments(text: &str) -> Vec<String> {
        moments::named(text)
    }
}

/// Runs a user's script with its moments expanded and its views added; errors point into the
/// original script.
fn with_moments(
    original: &str,
    moments: &Moments,
    run: impl FnOnce(&str) -> Result<Rows, StoreError>,
) -> Result<Rows, QueryError> {
    let script = Script::new(original, moments)?;
    let rows = run(&views::complete(&script.text)?);
    let explain = |error: StoreError| {
        schema::explain(error.in_original(original, |at| script.origin(at)), original)
    };
    Ok(rows.map_err(explain)?)
}

fn unreadable(path: &Path, error: impl Into<Box<dyn Error + Send + Sync>>) -> QueryError {
    QueryError::Unreadable { path: path.to_owned(), source: std::io::Error::other(error) }
}

fn free(given: &[(String, Value)], at: Micros) -> Params {
    let mut params: Params = given.iter().cloned().collect();
    params.insert("at", at);
    params
}

/// Runs a shipped program with all of its parameters, without checking their types as
/// [`Library::run`] does.
pub fn run(store: &Store, name: &str, params: Params) -> Result<Rows, StoreError> {
    match script(name) {
        Some(text) => {
            let span = tracing::debug_span!("program", name, rows = field::Empty);
            let rows = span.in_scope(|| store.run(text, &params))?;
            span.record("rows", rows.len());
            Ok(rows)
        }
        None => Err(StoreError::Query {
            query: name.to_owned(),
            message: "there is no query with this name".to_owned(),
            span: None,
            excerpt: String::new(),
            help: None,
        }),
    }
}

/// A shipped program as the engine runs it, with its views.
fn script(name: &str) -> Option<&'static str> {
    type Scripts = BTreeMap<&'static str, (&'static str, OnceLock<Option<String>>)>;
    static SCRIPTS: LazyLock<Scripts> = LazyLock::new(|| {
        FILES.iter().map(|(name, text)| (*name, (*text, OnceLock::new()))).collect()
    });
    let (text, script) = SCRIPTS.get(name)?;
    script.get_or_init(|| views::complete(&uncommented(text)).ok()).as_deref()
}

/// A shipped program without lines that are comments: the engine parses a script each time that it
/// runs, and takes long over them.
pub(super) fn uncommented(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The shipped programs, parsed once. The build script has already validated them.
fn programs() -> &'static BTreeMap<&'static str, Program> {
    static PROGRAMS: LazyLock<BTreeMap<&'static str, Program>> = LazyLock::new(|| {
        let read = |(name, text): &(&'static str, &str)| {
            Program::parse(text).ok().map(|program| (*name, program))
        };
        FILES.iter().filter_map(read).collect()
    });
    &PROGRAMS
}
