//! The edits of manifests that findings ask for.

use std::collections::BTreeMap;

use asof_wire::{
    DependencyFinding, DependencyTable, ManifestEdit, ManifestEntry, PackageDependency,
};

/// The edits of manifests that certain findings ask for, one for each manifest. Which feature an entry
/// shall depend on is left to people.
pub fn manifest_edits(found: &[PackageDependency]) -> Vec<ManifestEdit> {
    let mut edits: BTreeMap<&str, Vec<ManifestEntry>> = BTreeMap::new();
    for one in found.iter().filter(|one| one.certain) {
        let to = match one.finding {
            Some(DependencyFinding::OnlyTests) => Some(DependencyTable::Dev),
            Some(
                DependencyFinding::Unused
                | DependencyFinding::OnlyBuildScript
                | DependencyFinding::Duplicate,
            ) => None,
            Some(DependencyFinding::OnlyFeature) | None => continue,
        };
        edits.entry(&one.manifest_path).or_default().push(ManifestEntry {
            table: one.table,
            platform: one.platform.clone(),
            key: one.key.clone(),
            to,
        });
    }
    let edit = |(path, entries): (&str, Vec<ManifestEntry>)| ManifestEdit {
        file_path: path.to_owned(),
        entries,
        expected_file_hash: None,
    };
    edits.into_iter().map(edit).collect()
}
