//! Finds variables that would become patterns: `let name` matches a const, static, unit struct or
//! variant of that name, if one is in scope.

use std::collections::BTreeSet;

use super::group::Group;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::WrittenPaths;
use asof_model::{Binding, Pat};

/// The places where a new name is that of a variable, and the old one means an item of the group.
pub(super) fn places(
    snapshot: &Snapshot<'_>,
    group: &Group,
    old: &str,
    new: &str,
) -> Result<Vec<String>, EngineError> {
    if !group.items.iter().any(|item| item.kind.is_identifier_pattern()) {
        return Ok(Vec::new());
    }
    let root = snapshot.database.need_root()?;
    let mut paths = WrittenPaths::new(snapshot);
    let mut found = Vec::new();
    for path in snapshot.file_paths()? {
        let bytes = asof_workspace::read_file(root, &path, asof_syntax::MAX_FILE_BYTES as u64).ok();
        let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
        if !text.contains(new) {
            continue;
        }
        let facts = asof_syntax::parse_file_isolated(&path, text.as_bytes());
        let uses = &facts.uses;
        // A shorthand binds a variable, whatever is in scope.
        let fields: BTreeSet<u32> = uses.fields.iter().map(|field| field.at).collect();
        for pat in &uses.pats {
            let Pat::Bind { name, at, by: Binding::Plain, .. } = pat else { continue };
            if uses.name(*name) == new
                && !fields.contains(at)
                && paths.mean(&path, *at, old, &group.ids)?
            {
                let before = text.get(..*at as usize).unwrap_or_default();
                let line = 1 + before.matches('\n').count();
                found.push(format!("{path}:{line}: the variable `{new}` would be a pattern"));
            }
        }
    }
    Ok(found)
}
