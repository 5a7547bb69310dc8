//! Suggestions for a path without a match.

use crate::canonical::CanonicalPath;
use crate::error::EngineError;
use asof_query::Queries;

/// Maximum number of suggestions.
const MAX: usize = 5;

/// Edit distance from which two names have nothing in common.
const FAR: usize = 8;

/// How much of a path is the end of canonical paths, such as `Type` of `Type::methd`.
#[derive(Debug, Default)]
pub(super) struct Begun {
    /// Number of segments.
    pub segments: usize,
    /// Canonical paths that end in them.
    holders: Vec<String>,
}

impl Begun {
    /// The longest beginning of a path, without the whole of it.
    pub fn find(queries: &Queries<'_>, path: &CanonicalPath) -> Result<Self, EngineError> {
        for segments in (1..path.segments.len()).rev() {
            let beginning = path.segments.get(..segments).unwrap_or_default();
            let Some(name) = beginning.last() else { break };
            let (whole, end) = (beginning.join("::"), format!("::{}", beginning.join("::")));
            let hits = queries.by_name(name)?.into_iter().filter_map(|hit| hit.canonical_path);
            let holders: Vec<String> = hits
                .filter(|path| *path == whole || path.ends_with(&end))
                .take(MAX_HOLDERS)
                .collect();
            if !holders.is_empty() {
                return Ok(Self { segments, holders });
            }
        }
        Ok(Self::default())
    }
}

/// Definitions of which the contents are looked at.
const MAX_HOLDERS: usize = 50;

/// Whether a name may be a misspelt other one.
fn is_near(distance: usize, wanted: &str) -> bool {
    distance <= 1 + wanted.chars().count() / 3
}

/// The nearest paths: names below the longest part that resolves, and the same name or a similar one
/// elsewhere, by the edit distances of the name and of what it is in.
pub(crate) fn nearest(
    queries: &Queries<'_>,
    path: &CanonicalPath,
    matched: usize,
    begun: &Begun,
) -> Result<Vec<String>, EngineError> {
    let Some(name) = path.name() else { return Ok(Vec::new()) };
    let mut scored: Vec<(usize, String)> = Vec::new();
    let mut add = |distance: usize, path: Option<String>| {
        if let Some(path) = path
            && !scored.iter().any(|(_, known)| *known == path)
        {
            scored.push((distance, path));
        }
    };
    if path.self_type.is_none()
        && let Some((first, rest)) = path.segments.split_first()
    {
        let wanted = rest.get(matched).map_or(name, String::as_str);
        let prefix = rest.get(..matched).unwrap_or_default();
        let crates = match first.as_str() {
            "crate" => queries.crates()?,
            first => queries.roots(&first.replace('-', "_"))?,
        };
        if crates.is_empty() {
            for krate in queries.crates()? {
                let distance = strsim::levenshtein(first, &krate.crate_name);
                if is_near(distance, first) {
                    add(distance, Some(krate.crate_name));
                }
            }
        }
        let mut holders: Vec<String> =
            crates.into_iter().map(|c| [&[c.crate_name], prefix].concat().join("::")).collect();
        holders.sort_unstable();
        holders.dedup();
        for child in queries.children_of_paths(&holders)? {
            let distance = strsim::levenshtein(wanted, &child.name);
            if is_near(distance, wanted) {
                add(distance, child.canonical_path);
            }
        }
    }
    if let Some(wanted) = path.segments.get(begun.segments) {
        for child in queries.children_of_paths(&begun.holders)? {
            let distance = strsim::levenshtein(wanted, &child.name);
            if is_near(distance, wanted) {
                add(distance, child.canonical_path);
            }
        }
    }
    let holder = path.segments.len().checked_sub(2).and_then(|at| path.segments.get(at));
    let holder = holder.filter(|holder| *holder != "crate");
    let elsewhere = |path: &Option<String>| match (holder, path) {
        (Some(holder), Some(path)) => {
            let found = path.rsplit("::").nth(1).unwrap_or_default();
            strsim::levenshtein(holder, found).min(FAR)
        }
        _ => 0,
    };
    for hit in queries.by_name(name)? {
        add(1 + elsewhere(&hit.canonical_path), hit.canonical_path);
    }
    let prefix: String = name.chars().take(2).collect();
    for near in queries.names_starting(&prefix, 500)? {
        let distance = strsim::levenshtein(name, &near.name);
        if distance > 0 && distance <= 1 + name.chars().count() / 4 {
            let path = Some(near.canonical_path);
            add(distance + 1 + elsewhere(&path), path);
        }
    }
    scored.sort();
    Ok(scored.into_iter().take(MAX).map(|(_, path)| path).collect())
}
