//! Suggestions for a path without a match.

use super::canonical::CanonicalPath;
use super::error::EngineError;
use crate::query::Queries;

/// Maximum number of suggestions.
const MAX: usize = 5;

/// Edit distance from which two names have nothing in common.
const FAR: usize = 8;

/// The nearest paths: names below the longest part that resolves, and the same name or a similar one
/// elsewhere, by the edit distances of the name and of what it is in.
pub(super) fn nearest(
    queries: &Queries<'_>,
    path: &CanonicalPath,
    matched: usize,
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
                add(strsim::levenshtein(first, &krate.crate_name), Some(krate.crate_name));
            }
        }
        let mut holders: Vec<String> =
            crates.into_iter().map(|c| [&[c.crate_name], prefix].concat().join("::")).collect();
        holders.sort_unstable();
        holders.dedup();
        for child in queries.children_of_paths(&holders)? {
            let distance = strsim::levenshtein(wanted, &child.name);
            if distance <= 1 + wanted.chars().count() / 3 {
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
