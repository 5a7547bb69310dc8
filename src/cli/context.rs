//! Context of every command: the root, the moment, the output format.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asof::{Database, EngineError, Refresh, Snapshot, When};
use asof_model::Hint;
use asof_wire::ConfigurationRequest;

use super::globals::{Format, FormatArg, Globals};
use super::length::TextLimit;
use super::progress::Bars;
use super::terminal;
use asof_surface::target::Target;

/// The current folder.
const HERE: &str = ".";

/// The parsed global options, and how much text may be printed.
#[derive(Debug)]
pub struct Context {
    globals: Globals,
    limit: TextLimit,
    /// Warnings that were printed.
    warned: Mutex<BTreeSet<String>>,
}

impl Context {
    pub fn new(globals: Globals, limit: TextLimit) -> Self {
        Self { globals, limit, warned: Mutex::default() }
    }

    /// Whether a warning was not printed yet; it counts as printed from now on.
    pub fn is_new_warning(&self, text: &str) -> bool {
        self.warned.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned())
    }

    /// The part of a text that may still be printed, in whole lines.
    pub fn shorten(&self, text: &str) -> String {
        self.limit.shorten(text)
    }

    /// What was not printed because of its length, and how to see it.
    pub fn left_out(&self) -> Option<String> {
        self.limit.left_out()
    }

    /// Whether all is to be printed, however long it is.
    pub fn is_full(&self) -> bool {
        self.globals.full
    }

    pub fn format(&self) -> Format {
        self.globals.format.format()
    }

    /// Whether each item of an answer is printed as one line of JSON.
    pub fn is_json_lines(&self) -> bool {
        self.globals.format == FormatArg::Jsonl
    }

    /// Whether findings are to be a SARIF log.
    pub fn is_sarif(&self) -> bool {
        self.globals.format == FormatArg::Sarif
    }

    /// The fields of `--fields`; empty for the defaults of the listing.
    pub fn fields(&self) -> &[String] {
        &self.globals.fields
    }

    /// Whether an answer is printed for people, in its own format instead of a table.
    pub fn is_prose(&self) -> bool {
        self.format() == Format::Text && self.fields().is_empty()
    }

    pub fn quiet(&self) -> bool {
        self.globals.quiet
    }

    /// Whether a long answer may go through a pager.
    pub fn may_page(&self) -> bool {
        !self.globals.no_pager
    }

    /// Whether NOW is updated before it is queried.
    pub fn refreshes(&self) -> Refresh {
        if self.globals.no_refresh { Refresh::Skip } else { Refresh::First }
    }

    /// The root given, else the root of the workspace that this folder belongs to.
    pub fn root(&self) -> PathBuf {
        match &self.globals.root {
            Some(root) => root.clone(),
            None => Database::root_of(Path::new(HERE)),
        }
    }

    /// Whether a root is given.
    pub fn has_root(&self) -> bool {
        self.globals.root.is_some()
    }

    /// The root, with a note which one it is if it was not given and is not this folder.
    pub fn noted_root(&self) -> PathBuf {
        let root = self.root();
        if self.globals.root.is_none() && root != Path::new(HERE) {
            self.note(&format!("workspace {}", root.display()));
        }
        root
    }

    /// A path that counts from the root that the command line names, if it does.
    pub fn under_root(&self, path: &Path) -> PathBuf {
        self.globals.root.as_deref().map_or_else(|| path.to_owned(), |root| root.join(path))
    }

    /// Writes a line beside the answer, to standard error.
    pub fn note(&self, text: &str) {
        if !self.quiet() {
            let dim = anstyle::Style::new().dimmed();
            terminal::write_beside(&format!("{dim}{text}{dim:#}"));
        }
    }

    pub fn database(&self) -> Result<Database, EngineError> {
        Database::open(&self.noted_root())
    }

    /// The database for a question about one moment. If `--at` names a commit that is not imported,
    /// it is one of that commit's files, made for this question.
    pub fn database_at(&self) -> Result<Database, EngineError> {
        let When::Named(name) = self.when()? else { return self.database() };
        let root = self.root();
        let known = match self.database() {
            Ok(known) if known.imported(&When::Named(name.clone()))?.is_some() => return Ok(known),
            Ok(known) => Some(known),
            Err(error) if error.hint() == Hint::Index => None,
            Err(error) => return Err(error),
        };
        let bars = Bars::new(self.quiet());
        let found = Database::of_commit(&root, known.as_ref(), &name, &bars);
        bars.finish();
        match (found?, known) {
            (Some(found), _) => {
                self.note(&format!(
                    "{name} is not imported: this is what its files say, without a history"
                ));
                Ok(found)
            }
            (None, Some(known)) => Ok(known),
            (None, None) => self.database(),
        }
    }

    /// Whether a configuration is given.
    pub fn has_configuration(&self) -> bool {
        self.globals.configuration != ConfigurationRequest::default()
    }

    /// The configuration that is given, or the default one.
    pub fn configuration(&self) -> ConfigurationRequest {
        self.globals.configuration.clone()
    }

    /// Whether `--at` is given.
    pub fn is_at(&self) -> bool {
        self.globals.at.is_some()
    }

    /// The moment of `--at`.
    pub fn when(&self) -> Result<When, EngineError> {
        Ok(self.globals.at.as_deref().map_or(Ok(When::Now), When::parse)?)
    }

    /// The database at the requested moment.
    pub fn snapshot<'a>(&self, database: &'a Database) -> Result<Snapshot<'a>, EngineError> {
        database
            .snapshot(&self.when()?, self.refreshes())?
            .under(self.globals.configuration.clone())
    }

    /// A file as the library takes it: its full path if it exists below this folder, else as given
    /// (relative to the root, or a path suffix).
    pub fn file(&self, given: &str) -> String {
        let full = std::path::absolute(given).ok().filter(|path| path.exists());
        let real = full.and_then(|path| std::fs::canonicalize(path).ok());
        let root = std::fs::canonicalize(self.root()).ok();
        match (real, root) {
            (Some(real), Some(root)) if real.starts_with(&root) => {
                real.to_string_lossy().into_owned()
            }
            _ => given.to_owned(),
        }
    }

    /// A target as the library takes it: its files are relative to the current folder.
    pub fn target(&self, given: &Target) -> Target {
        let mut target = given.clone();
        target.find_files(&|file| self.file(file));
        target
    }
}
