//! Restriction of an answer about changes to a path.

use std::collections::BTreeSet;

use asof_item_tracking::ItemState;

/// Restriction of a difference to a path.
pub(crate) struct Scope {
    /// Canonical paths of items.
    pub(super) paths: BTreeSet<String>,
    /// A file, or a folder with `/`.
    pub(super) file: Option<String>,
}

impl Scope {
    /// A file, or a folder with `/`.
    pub(super) fn of_file(file: String) -> Self {
        Scope { paths: BTreeSet::new(), file: Some(file) }
    }

    pub(super) fn holds(&self, item: &ItemState) -> bool {
        self.covers(item.label(), &item.file_path)
    }

    /// Whether an item with this path in this file is inside.
    pub(crate) fn covers(&self, path: &str, file_path: &str) -> bool {
        let by_file = |file: &String| {
            file_path == *file || file.ends_with('/') && file_path.starts_with(file)
        };
        let path = bare(path);
        let below = |scope: &String| {
            path.strip_prefix(scope.as_str()).is_some_and(|r| r.is_empty() || r.starts_with("::"))
        };
        self.file.as_ref().is_some_and(by_file) || self.paths.iter().any(below)
    }
}

/// `<a::T as Trait>::m` → `a::T::m`: items of a type are below its path.
pub(super) fn bare(path: &str) -> String {
    let Some(rest) = path.strip_prefix('<') else { return path.to_owned() };
    let end = rest.find(" as ").or_else(|| rest.find('>')).unwrap_or(rest.len());
    let ty = rest.get(..end).unwrap_or_default();
    let ty = ty.split('<').next().unwrap_or_default().trim_end_matches(':');
    match path.rsplit_once(">::") {
        Some((_, item)) => format!("{ty}::{item}"),
        None => ty.to_owned(),
    }
}
