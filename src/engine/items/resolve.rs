//! Resolves a path to definitions. `queries/resolve/path.cozo` decides; hints are added here.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;

use regex::Regex;

use super::suggest::{self, Begun};
use crate::canonical::CanonicalPath;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Filter;
use asof_model::{NodeId, NodeKind};
use asof_query::{CrateRoot, Described, PathMatch, PathQuery, Prefixes, Queries};
use asof_wire::{Item, Mode, Resolution, ResolveRequest};

impl Snapshot<'_> {
    /// Resolves a path, or the items at `FILE:LINE` or `FILE:FIRST-LAST`. No match and several matches are answers, not errors; [`Resolution::unique`]
    /// and [`Resolution::any`] turn them into errors.
    ///
    /// # Errors
    /// The text is not a path, no item is at the line, or the database failed.
    pub fn resolve(&self, request: &ResolveRequest) -> Result<Resolution, EngineError> {
        let started = Instant::now();
        if let Some((file, (first, last))) = request.place() {
            let items = self.items_at_lines(file, first, last)?;
            let disambiguator = disambiguator(&items);
            return Ok(Resolution {
                query: request.path.clone(),
                mode: Mode::Strict,
                answer: self.answer(started, items, None),
                failed_segment: None,
                suggestions: Vec::new(),
                disambiguator,
            });
        }
        let path = CanonicalPath::parse(&request.path)?;
        let queries = Queries::at(self.store(), self.at);
        let root = self.database.root.as_deref();
        let asked = PathQuery {
            kind: request.kind,
            file: request.file_path.as_deref().map(|file| within(root, file)),
            package: request.package.clone(),
            prefixes: Prefixes::Include,
            ..path.query()
        };
        let mut found = canonical(&queries, &asked)?;
        if found.is_empty() {
            found = end_of_path(&queries, &asked)?;
        }
        if found.is_empty() {
            found = queries.path(&asked)?;
        }
        let (prefixes, matches): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| found.mode == "prefix");
        let relaxed = matches.first().is_some_and(|found| found.mode == "relaxed");
        let mode = if relaxed { Mode::Relaxed } else { Mode::Strict };
        let items: Vec<Item> = matches.into_iter().map(|found| found.definition.into()).collect();
        let items = self.with_conditions(self.of_configuration(items)?)?;
        let (mut failed_segment, mut suggestions) = (None, Vec::new());
        if items.is_empty() {
            let filtered = prefixes.iter().any(|found| found.rank < PREFIX);
            let matched = prefixes.first().map_or(0, |found| found.segments_matched as usize);
            let begun = if matched == 0 && path.self_type.is_none() {
                Begun::find(&queries, &path)?
            } else {
                Begun::default()
            };
            let failed = matched.max(begun.segments);
            failed_segment = if filtered { None } else { path.segment(failed) };
            suggestions = suggest::nearest(&queries, &path, matched.saturating_sub(1), &begun)?;
        }
        let disambiguator = disambiguator(&items);
        let answer = self.answer(started, items, None);
        let query = path.to_string();
        Ok(Resolution { query, mode, answer, failed_segment, suggestions, disambiguator })
    }
}

/// The result of `resolve/path` for an exact canonical path, without planning that query, which
/// takes the engine longer than two seeks. `None` if only the query can decide.
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

/// The result of `resolve/path` for the end of canonical paths, such as a bare name, without
/// planning that query. Empty if only the query can decide: nothing matches, or the path may begin
/// at a crate. A name alone may mean a crate beside other items that have it.
fn end_of_path(queries: &Queries<'_>, asked: &PathQuery) -> Result<Vec<PathMatch>, EngineError> {
    let PathQuery { path, kind: None, file: None, package: None, in_impl: None, .. } = asked else {
        return Ok(Vec::new());
    };
    let first = path.split("::").next().unwrap_or_default();
    let name = path.rsplit("::").next().unwrap_or_default();
    let end = format!("::{path}");
    let ends = |full: &str| format!("::{full}").ends_with(&end);
    let mut hits = queries.by_name(name)?;
    hits.retain(|hit| {
        let full = hit.canonical_path.as_deref();
        full.is_some_and(|full| ends(full) || full.starts_with('<') && ends(&without_impl(full)))
    });
    if hits.is_empty() || first == "crate" {
        return Ok(Vec::new());
    }
    // A declaration of a crate is the crate, as an import is what it imports.
    let is_shared = hits.iter().any(|hit| {
        hit.kind != NodeKind::ExternCrate && hit.canonical_path.as_deref() != Some(path)
    });
    let is_shared = first == path && is_shared;
    if is_shared {
        hits.retain(|hit| hit.kind != NodeKind::ExternCrate);
    }
    let crates = crates_named(&queries.crates()?, first);
    if !crates.is_empty() && !is_shared {
        return Ok(Vec::new());
    }
    let mut ids: Vec<NodeId> = hits.iter().map(|hit| hit.id).chain(crates).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut found = queries.describe(&ids)?;
    found.sort_by(|a, b| {
        let key = |d: &Described| (d.start_byte, d.id);
        (&a.canonical_path, &a.file_path, key(a)).cmp(&(&b.canonical_path, &b.file_path, key(b)))
    });
    Ok(found.into_iter().map(|definition| PathMatch::end(path, definition)).collect())
}

/// The roots of the crates with this name; without any, of those whose package has it.
fn crates_named(crates: &[CrateRoot], name: &str) -> Vec<NodeId> {
    let crate_name = name.replace('-', "_");
    let roots = |is: &dyn Fn(&CrateRoot) -> bool| -> Vec<NodeId> {
        crates.iter().filter(|krate| is(krate)).map(|krate| krate.root_id).collect()
    };
    let named = roots(&|krate| krate.crate_name == crate_name);
    if named.is_empty() { roots(&|krate| krate.package.as_deref() == Some(name)) } else { named }
}

/// The path of an item of an impl as that of an item of the type, as `resolve/path` makes it.
fn without_impl(path: &str) -> String {
    static OF_TRAIT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new("^<(.*?) as .*>::(.*)$").ok());
    static OF_TYPE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^<(.*)>::(.*)$").ok());
    let mut path = path.to_owned();
    for pattern in [&OF_TRAIT, &OF_TYPE].into_iter().filter_map(|pattern| pattern.as_ref()) {
        path = pattern.replace(&path, "${1}::${2}").into_owned();
    }
    path
}

/// Rank of rows that match only a prefix of the path.
const PREFIX: u32 = 3;

/// A file path as stored: relative to the root, with `/` as separator.
pub(crate) fn within(root: Option<&Path>, file: &str) -> String {
    let file = file.replace('\\', "/");
    let inside = root.and_then(|root| Path::new(&file).strip_prefix(root).ok());
    let inside = inside.map(|path| path.to_string_lossy().into_owned());
    inside.unwrap_or(file).trim_start_matches("./").to_owned()
}

/// A filter that leaves one of several items.
fn disambiguator(items: &[Item]) -> Option<Filter> {
    if items.len() < 2 {
        return None;
    }
    let distinct = |of: &dyn Fn(&Item) -> String| {
        items.iter().map(of).collect::<BTreeSet<_>>().len() == items.len()
    };
    let first = items.first()?;
    if distinct(&|i| i.kind.to_string()) {
        return Some(Filter::Kind(first.kind));
    }
    if distinct(&|i| i.file_path.clone()) {
        return Some(Filter::FilePath(first.file_path.clone()));
    }
    if distinct(&|i| i.path.clone().unwrap_or_default()) {
        let is_whole = |item: &&Item| item.path.as_ref().is_some_and(|path| path.contains("::"));
        return items.iter().find(is_whole).unwrap_or(first).path.clone().map(Filter::Path);
    }
    Some(Filter::Id(first.id))
}
