//! The files of packages, and the places in them that name a dependency.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_dependencies::{CodeFile, Found};
use asof_model::{Condition, NodeId};
use asof_query::{CrateRoot, ItemCondition, Queries};
use asof_wire::DependencyUse;
use asof_workspace::{SourceTree, join_paths, parent_folder};

/// Longest document that is read for code in it, in bytes.
const MAX_DOCUMENT: u64 = 4 << 20;

/// Places by what they name, and under what.
pub(super) fn uses(found: &[(Found<'_>, u32)]) -> Vec<DependencyUse> {
    let mut uses: BTreeMap<_, DependencyUse> = BTreeMap::new();
    for (found, line) in found {
        let condition = found.condition();
        let condition = (!condition.is_always()).then(|| condition.to_string());
        let (mention, file) = (found.mention, found.file);
        let key = (
            mention.item.clone(),
            mention.how,
            file.target_kind.clone(),
            found.in_test(),
            condition.clone(),
        );
        let of_kind = uses.entry(key).or_insert_with(|| DependencyUse {
            item: mention.item.clone(),
            how: mention.how,
            target_kind: file.target_kind.clone(),
            in_test: found.in_test(),
            condition,
            places: 0,
            file_path: file.path.clone(),
            line: *line,
        });
        of_kind.places += 1;
    }
    uses.into_values().collect()
}

/// The files of each package, by manifest.
pub(super) fn code_files(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    roots: &[CrateRoot],
) -> Result<BTreeMap<String, Vec<CodeFile>>, EngineError> {
    let kinds: BTreeMap<NodeId, &str> =
        roots.iter().map(|one| (one.root_id, one.target_kind.as_str())).collect();
    let mut modules = Vec::new();
    for path in snapshot.source_files()?.keys() {
        let found = queries.file_modules(path)?.into_iter();
        modules.extend(found.map(|module| (module.id, path.clone(), module.root_id)));
    }
    let ids: Vec<NodeId> = modules.iter().map(|(id, ..)| *id).collect();
    let conditions = queries.conditions_of_items(&ids, &ids)?;
    let conditions: BTreeMap<NodeId, ItemCondition> =
        conditions.into_iter().map(|row| (row.id, row)).collect();
    let mut files: BTreeMap<String, Vec<CodeFile>> = BTreeMap::new();
    for (id, path, root) in modules {
        let Some(row) = conditions.get(&id) else { continue };
        files.entry(row.manifest_path.clone()).or_default().push(CodeFile {
            path,
            target_kind: kinds.get(&root).copied().unwrap_or("detached").to_owned(),
            condition: Condition::parse(&row.condition),
            in_test: row.in_test,
        });
    }
    Ok(files)
}

/// The documents that code of some files may include, by path.
pub(super) fn documents<'f>(
    snapshot: &Snapshot<'_>,
    tree: &dyn SourceTree,
    files: impl Iterator<Item = &'f CodeFile>,
) -> Result<BTreeMap<String, String>, EngineError> {
    let mut found = BTreeMap::new();
    let paths: BTreeSet<&str> = files.map(|file| file.path.as_str()).collect();
    for path in paths {
        let bytes = snapshot.source_text(path)?.bytes;
        let text = String::from_utf8_lossy(&bytes);
        if !text.contains("include_str") {
            continue;
        }
        for written in asof_dependencies::scan(&text, &BTreeSet::new()).documents {
            let Some(document) = join_paths(parent_folder(path), &written) else { continue };
            if let Ok(bytes) = tree.bytes(&document, MAX_DOCUMENT) {
                found.insert(document, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    Ok(found)
}

/// The line of a byte, from 1.
pub(super) fn line(text: &str, at: u32) -> u32 {
    let before = text.as_bytes().get(..at as usize).unwrap_or_default();
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1)
}
