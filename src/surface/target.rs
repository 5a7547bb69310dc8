//! From a path and filters to the items that they name.

use asof::model::NodeId;
use asof::wire::{Answer, Filter, Hint, Item, OutlineEntry, Resolution, ResolveRequest, Symbol};
use asof::{DEFAULT_OUTLINE_DEPTH, EngineError, FOLDER_OUTLINE_DEPTH, Open, Snapshot};

/// A path with filters.
#[derive(Debug, Clone, Default)]
pub struct Target {
    pub request: ResolveRequest,
    /// An id, or the beginning of one.
    pub id: Option<String>,
}

/// What a surface says about a path with several matches.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// What to do if no match has the id.
    pub wrong_id: &'static str,
    /// A match in a line.
    pub candidate: fn(&Item) -> String,
    /// How to choose one, or all, with a filter that leaves one of them.
    pub choose: fn(Option<&Filter>) -> String,
}

/// How many symbols an answer may be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matches {
    /// One; several are an error, unless the path ends in `*`.
    One,
    All,
}

impl Matches {
    /// Of a flag `all`.
    pub fn all(all: bool) -> Self {
        if all { Self::All } else { Self::One }
    }
}

impl Target {
    /// A path alone.
    pub fn new(path: &str) -> Self {
        Self { request: ResolveRequest::new(path), id: None }
    }

    fn is_meant(&self, id: NodeId) -> bool {
        let begins = |text: &String| id.to_string().starts_with(&text.to_ascii_lowercase());
        self.id.as_ref().is_none_or(begins)
    }

    /// The definitions that match.
    pub fn resolve(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, EngineError> {
        Ok(self.meant(snapshot.resolve(&self.request)?))
    }

    /// The definitions that match; without any in the workspace, those in its dependencies.
    pub fn resolve_anywhere(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, EngineError> {
        Ok(self.meant(snapshot.resolve_anywhere(&self.request)?))
    }

    fn meant(&self, mut found: Resolution) -> Resolution {
        if self.id.is_some() {
            found.answer.items.retain(|item| self.is_meant(item.id));
            found.answer.total = found.answer.items.len();
            if found.answer.items.len() < 2 {
                found.disambiguator = None;
            }
        }
        found
    }

    /// The symbols that match: definitions, or names of other crates.
    ///
    /// # Errors
    /// No match, or several where one is needed.
    pub fn symbols(
        &self,
        snapshot: &Snapshot<'_>,
        matches: Matches,
        words: &Words,
    ) -> Result<Vec<Symbol>, EngineError> {
        let path = &self.request.path;
        let mut symbols = snapshot.symbols(&self.request)?;
        symbols.retain(|symbol| self.is_meant(symbol.id));
        match symbols.as_slice() {
            [] => Err(EngineError::NotFound {
                what: format!("no match of `{path}` has this id"),
                hint: Hint::advice(words.wrong_id),
            }),
            [_] => Ok(symbols),
            _ if matches == Matches::All || path.trim().ends_with('*') => Ok(symbols),
            many => {
                let found = snapshot.resolve(&self.request)?;
                let candidates = match found.items() {
                    [] => many.iter().map(|symbol| symbol.path.clone()).collect(),
                    items => items.iter().map(words.candidate).collect(),
                };
                Err(EngineError::Ambiguous {
                    what: format!("`{path}` means {} definitions", many.len()),
                    hint: (words.choose)(found.disambiguator.as_ref()).into(),
                    candidates,
                })
            }
        }
    }
}

/// The outline of what a path names: a file, `items`, or else a folder. `place` is the path as that
/// of a file.
///
/// # Errors
/// Nothing has the path; or a failure of the database.
pub fn outline<E: From<EngineError>>(
    snapshot: &Snapshot<'_>,
    (path, place): (&str, &str),
    levels: Option<u32>,
    items: impl FnOnce() -> Result<Vec<NodeId>, E>,
) -> Result<Answer<OutlineEntry>, E> {
    let open = if levels.is_some() { Open::Everything } else { Open::Members };
    let depth = levels.unwrap_or(DEFAULT_OUTLINE_DEPTH);
    if is_file(path) {
        return Ok(snapshot.file_outline(place, depth, open)?);
    }
    let folder = || -> Result<Option<Answer<OutlineEntry>>, EngineError> {
        match path.contains("::") || path == "." {
            true => Ok(None),
            false => snapshot.folder_outline(place, levels.unwrap_or(FOLDER_OUTLINE_DEPTH), open),
        }
    };
    if path.contains('/') {
        return folder()?.ok_or_else(|| {
            let what = format!("no indexed file in `{path}`");
            E::from(EngineError::NotFound { what, hint: Hint::ListFiles })
        });
    }
    match items() {
        Ok(ids) => Ok(snapshot.outline(&ids, depth, open)?),
        Err(error) => folder()?.ok_or(error),
    }
}

/// Whether a path is that of a file.
pub fn is_file(path: &str) -> bool {
    path.ends_with(".rs") && !path.contains("::")
}
