//! Resolves a path and filters to the items that they name.

use asof_engine::{DEFAULT_OUTLINE_DEPTH, EngineError, FOLDER_OUTLINE_DEPTH, Open, Snapshot};
use asof_model::Hint;
use asof_model::NodeId;
use asof_wire::{Answer, Item, OutlineEntry, Resolution, ResolveRequest, Symbol};
use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::words::Words;

/// A path with filters that tell items with the same path apart.
#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
pub struct Target {
    #[serde(flatten)]
    #[command(flatten)]
    pub item: ResolveRequest,
    /// Only the item with this id, or whose id starts with it
    #[arg(long)]
    pub id: Option<String>,
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
        Self { item: ResolveRequest::new(path), id: None }
    }

    /// Gives the files in it as the library takes them.
    pub fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        if let Some((place, (first, last))) = self.item.place() {
            self.item.path = format!("{}:{first}-{last}", file(place));
        }
        self.item.file_path = self.item.file_path.as_deref().map(file);
    }

    fn is_meant(&self, id: NodeId) -> bool {
        let begins = |text: &String| id.to_string().starts_with(&text.to_ascii_lowercase());
        self.id.as_ref().is_none_or(begins)
    }

    /// The definitions that match.
    pub fn resolve(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, EngineError> {
        Ok(self.meant(snapshot.resolve(&self.item)?))
    }

    /// The definitions that match; without any in the workspace, those in its dependencies.
    pub fn resolve_anywhere(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, EngineError> {
        Ok(self.meant(snapshot.resolve_anywhere(&self.item)?))
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

    /// The definitions that match: one or several.
    ///
    /// # Errors
    /// No match.
    pub fn any(&self, snapshot: &Snapshot<'_>) -> Result<Vec<Item>, EngineError> {
        Ok(self.resolve(snapshot)?.any()?.to_vec())
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
        let path = &self.item.path;
        let mut symbols = snapshot.symbols(&self.item)?;
        symbols.retain(|symbol| self.is_meant(symbol.id));
        if let [first, _, ..] = symbols.as_slice()
            && matches == Matches::One
        {
            // Definitions of one text are one item.
            let same = snapshot.with_same_text(std::slice::from_ref(first))?;
            let is_same = |symbol: &Symbol| same.iter().any(|one| one.id == symbol.id);
            if symbols.iter().all(is_same) {
                symbols.truncate(1);
            }
        }
        match symbols.as_slice() {
            [] => Err(EngineError::NotFound {
                what: format!("no match of `{path}` has this id"),
                hint: Hint::advice(words.wrong_id),
            }),
            [_] => Ok(symbols),
            _ if matches == Matches::All || path.trim().ends_with('*') => Ok(symbols),
            many => {
                let found = snapshot.resolve(&self.item)?;
                let candidates = match found.items() {
                    [] => many.iter().map(|symbol| symbol.path.clone()).collect(),
                    items => items.iter().map(words.candidate).collect(),
                };
                Err(EngineError::Ambiguous {
                    what: format!("`{path}` means {} definitions", many.len()),
                    hint: (words.choose)(&found.filters()).into(),
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
    path: &str,
    place: &str,
    levels: Option<u32>,
    items: impl FnOnce() -> Result<Vec<NodeId>, E>,
) -> Result<Answer<OutlineEntry>, E> {
    let open = if levels.is_some() { Open::Everything } else { Open::Members };
    let depth = levels.unwrap_or(DEFAULT_OUTLINE_DEPTH);
    if is_file(path) {
        return Ok(snapshot.file_outline(place, depth, open)?);
    }
    let folder = || -> Result<Option<Answer<OutlineEntry>>, EngineError> {
        if path.contains("::") {
            Ok(None)
        } else {
            snapshot.folder_outline(place, levels.unwrap_or(FOLDER_OUTLINE_DEPTH), open)
        }
    };
    if path.contains('/') || path == "." {
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

/// Gives a path that may be that of a file or folder as the library takes it.
pub fn find_place(path: &mut Option<String>, file: &dyn Fn(&str) -> String) {
    if let Some(path) = path.as_mut().filter(|path| !path.contains("::")) {
        *path = file(path);
    }
}
