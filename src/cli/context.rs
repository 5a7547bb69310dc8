//! What every command starts from: the root, the moment asked about, the way to answer.

use std::path::{Path, PathBuf};

use asof::{Database, EngineError, Refresh, Snapshot, When};

use super::globals::{Format, FormatArg, Globals};
use super::terminal;

/// The folder that the command runs in.
const HERE: &str = ".";

/// The global options, understood.
#[derive(Debug)]
pub struct Context {
    globals: Globals,
}

impl Context {
    pub fn new(globals: Globals) -> Self {
        Self { globals }
    }

    pub fn format(&self) -> Format {
        self.globals.format.format()
    }

    /// Whether the items of an answer are to be a line of JSON each.
    pub fn is_json_lines(&self) -> bool {
        self.globals.format == FormatArg::Jsonl
    }

    /// Whether findings are to be a SARIF log.
    pub fn is_sarif(&self) -> bool {
        self.globals.format == FormatArg::Sarif
    }

    /// The fields of `--fields`; empty for those that a listing shows by itself.
    pub fn fields(&self) -> &[String] {
        &self.globals.fields
    }

    /// Whether an answer has a form of its own for people, instead of a table.
    pub fn is_prose(&self) -> bool {
        self.format() == Format::Text && self.fields().is_empty()
    }

    pub fn quiet(&self) -> bool {
        self.globals.quiet
    }

    /// Whether NOW is brought up to date before it is asked.
    pub fn refreshes(&self) -> Refresh {
        if self.globals.no_refresh { Refresh::Skip } else { Refresh::First }
    }

    /// The root given, else that of the workspace which this folder belongs to.
    pub fn root(&self) -> PathBuf {
        match &self.globals.root {
            Some(root) => root.clone(),
            None => Database::root_of(Path::new(HERE)),
        }
    }

    /// Says which root was taken, where nobody gave it and it is another folder than this one.
    pub fn note_root(&self, root: &Path) {
        if self.globals.root.is_none() && root != Path::new(HERE) {
            self.note(&format!("workspace {}", root.display()));
        }
    }

    /// Writes a line beside the answer, to standard error.
    pub fn note(&self, text: &str) {
        if !self.quiet() {
            let dim = anstyle::Style::new().dimmed();
            terminal::write_beside(&format!("{dim}{text}{dim:#}"));
        }
    }

    pub fn database(&self) -> Result<Database, EngineError> {
        let root = self.root();
        self.note_root(&root);
        Database::open(&root)
    }

    /// Whether `--at` is given.
    pub fn is_at(&self) -> bool {
        self.globals.at.is_some()
    }

    /// The moment of `--at`.
    pub fn when(&self) -> Result<When, EngineError> {
        Ok(self.globals.at.as_deref().map_or(Ok(When::Now), When::parse)?)
    }

    /// The database at the moment that was asked about.
    pub fn snapshot<'a>(&self, database: &'a Database) -> Result<Snapshot<'a>, EngineError> {
        database.snapshot(&self.when()?, self.refreshes())
    }

    /// A file as the library takes it: what stands below this folder by its full path, all else
    /// as it was given (relative to the root, or the end of a path).
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
}
