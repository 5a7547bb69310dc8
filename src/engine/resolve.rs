//! From a path to the definitions that it means: `queries/resolve/path.cozo` decides, and what it
//! answers gets its hints here.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::answer::Answer;
use super::canonical::CanonicalPath;
use super::database::Snapshot;
use super::error::EngineError;
use super::suggest;
use crate::model::{Namespace, NodeId, NodeKind, RawHash, ShapeHash, Span, TrackingHash};
use crate::query::{Described, PathMatch, PathQuery, Prefixes, Queries};

/// A path to resolve, with filters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolveRequest {
    pub path: String,
    pub kind: Option<NodeKind>,
    /// Relative to the root, or absolute.
    pub file: Option<String>,
    /// Package that defines it.
    pub package: Option<String>,
}

impl ResolveRequest {
    /// A path without filters.
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }
}

/// How a path was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The path is canonical, and the file the item's own.
    Strict,
    /// A path through imports and re-exports, the end of a path, or the end of a file's path.
    Relaxed,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    pub id: NodeId,
    pub kind: NodeKind,
    pub name: String,
    pub canonical_path: Option<String>,
    pub file_path: String,
    pub file_hash: RawHash,
    pub tracking_hash: TrackingHash,
    pub shape_hash: ShapeHash,
    pub span: Span,
    /// Line of the name, from 1.
    pub line: u32,
    pub namespace: Namespace,
    pub module_path: Vec<String>,
    pub visibility: String,
    pub signature: String,
    pub cfg: String,
    pub docs: String,
    #[serde(skip)]
    pub parent_id: Option<NodeId>,
    #[serde(skip)]
    pub root_id: NodeId,
}

impl From<Described> for Item {
    fn from(d: Described) -> Self {
        Self {
            id: d.id,
            kind: d.kind,
            name: d.name,
            canonical_path: d.canonical_path,
            file_path: d.file_path,
            file_hash: d.file_hash,
            tracking_hash: d.tracking_hash,
            shape_hash: d.shape_hash,
            span: Span {
                start_byte: d.start_byte,
                end_byte: d.end_byte,
                start_line: d.start_line,
                end_line: d.end_line,
            },
            line: d.name_line,
            namespace: d.namespace,
            module_path: d.module_path,
            visibility: d.visibility,
            signature: d.signature,
            cfg: d.cfg,
            docs: d.docs,
            parent_id: d.parent_id,
            root_id: d.root_id,
        }
    }
}

/// The answer to a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Resolution {
    /// The path as it was read.
    pub query: String,
    pub mode: Mode,
    #[serde(flatten)]
    pub answer: Answer<Item>,
    /// With no match: the first segment that was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_segment: Option<String>,
    /// With no match: the nearest paths, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// With several matches: the filter that tells them apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disambiguator: Option<String>,
}

impl Resolution {
    /// The definitions found.
    pub fn items(&self) -> &[Item] {
        &self.answer.items
    }

    /// The one definition; an error that says what to do for none and for several.
    pub fn one(&self) -> Result<&Item, EngineError> {
        match self.items() {
            [item] => Ok(item),
            [] => Err(EngineError::NotFound { what: self.describe(), hint: self.hint() }),
            many => Err(EngineError::Ambiguous {
                what: format!("`{}` means {} definitions", self.query, many.len()),
                hint: self.hint(),
                candidates: many.iter().map(Self::line).collect(),
            }),
        }
    }

    /// A candidate in a line: kind, path, place, cfg.
    pub fn line(item: &Item) -> String {
        let path = item.canonical_path.as_deref().unwrap_or(&item.name);
        let cfg = if item.cfg.is_empty() { String::new() } else { format!(" cfg({})", item.cfg) };
        format!("{} {path} {}:{}{cfg}", item.kind, item.file_path, item.span.start_line)
    }

    fn describe(&self) -> String {
        match &self.failed_segment {
            Some(segment) if *segment != self.query => {
                format!("no item named `{}`: `{segment}` was not found", self.query)
            }
            _ => format!("no item named `{}`", self.query),
        }
    }

    fn hint(&self) -> String {
        match (&self.disambiguator, self.suggestions.as_slice()) {
            (Some(filter), _) => format!("add {filter}"),
            (None, []) => "`asof inspect outline crate` shows what there is".to_owned(),
            (None, suggestions) => format!("did you mean {}?", suggestions.join(", or ")),
        }
    }
}

impl Snapshot<'_> {
    /// Finds what a path means. No match and several matches are answers, not errors:
    /// [`Resolution::one`] makes them errors.
    ///
    /// # Errors
    /// A text that is no path; a failure of the database.
    pub fn resolve(&self, request: &ResolveRequest) -> Result<Resolution, EngineError> {
        let started = Instant::now();
        let path = CanonicalPath::parse(&request.path)?;
        let queries = Queries::at(self.store(), self.at);
        let root = self.database.root.as_deref();
        let asked = PathQuery {
            kind: request.kind,
            file: request.file.as_deref().map(|file| within(root, file)),
            package: request.package.clone(),
            prefixes: Prefixes::Include,
            ..path.query()
        };
        let found = match canonical(&queries, &asked)? {
            found if found.is_empty() => queries.path(&asked)?,
            found => found,
        };
        let (prefixes, matches): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| found.mode == "prefix");
        let relaxed = matches.first().is_some_and(|found| found.mode == "relaxed");
        let mode = if relaxed { Mode::Relaxed } else { Mode::Strict };
        let items: Vec<Item> = matches.into_iter().map(|found| found.definition.into()).collect();
        let (mut failed_segment, mut suggestions) = (None, Vec::new());
        if items.is_empty() {
            let filtered = prefixes.iter().any(|found| found.rank < PREFIX);
            let matched = prefixes.first().map_or(0, |found| found.segments_matched as usize);
            failed_segment = if filtered { None } else { path.segment(matched) };
            suggestions = suggest::nearest(&queries, &path, matched.saturating_sub(1))?;
        }
        let disambiguator = disambiguator(&items);
        let answer = self.answer(started, items, None);
        let query = path.to_string();
        Ok(Resolution { query, mode, answer, failed_segment, suggestions, disambiguator })
    }
}

/// What `resolve/path` gives for a path that is canonical, letter by letter, without its planning,
/// which takes the engine longer than two seeks; nothing where only that program can tell.
/// `tests/fixtures.rs` compares the two.
fn canonical(queries: &Queries<'_>, asked: &PathQuery) -> Result<Vec<PathMatch>, EngineError> {
    let PathQuery { path, kind: None, file: None, package: None, in_impl: None, .. } = asked else {
        return Ok(Vec::new());
    };
    let hits = queries.by_path(path)?;
    let module = |kind| matches!(kind, NodeKind::Module | NodeKind::ExternCrate);
    if hits.is_empty() || hits.iter().all(|hit| module(hit.kind)) {
        return Ok(Vec::new());
    }
    let ids: Vec<NodeId> = hits.iter().map(|hit| hit.id).collect();
    let found = queries.describe(&ids)?.into_iter();
    Ok(found.map(|definition| PathMatch::canonical(path, definition)).collect())
}

/// Rank of what only a prefix of the path means.
const PREFIX: u32 = 3;

/// A file as the database has it: relative to the root, `/` between its parts.
fn within(root: Option<&Path>, file: &str) -> String {
    let file = file.replace('\\', "/");
    let inside = root.and_then(|root| Path::new(&file).strip_prefix(root).ok());
    let inside = inside.map(|path| path.to_string_lossy().into_owned());
    inside.unwrap_or(file).trim_start_matches("./").to_owned()
}

/// The filter that leaves one of several.
fn disambiguator(items: &[Item]) -> Option<String> {
    if items.len() < 2 {
        return None;
    }
    let distinct = |of: &dyn Fn(&Item) -> String| {
        items.iter().map(of).collect::<BTreeSet<_>>().len() == items.len()
    };
    let first = items.first()?;
    if distinct(&|i| i.kind.to_string()) {
        return Some(format!("`--kind {}`", first.kind));
    }
    if distinct(&|i| i.file_path.clone()) {
        return Some(format!("`--file {}`", first.file_path));
    }
    if distinct(&|i| i.canonical_path.clone().unwrap_or_default()) {
        return Some(format!("the whole path: `{}`", first.canonical_path.as_deref()?));
    }
    if distinct(&|i| i.cfg.clone()) {
        return Some("the id of the one with the right cfg: `--id …`".to_owned());
    }
    Some("the id of one of them: `--id …`".to_owned())
}
