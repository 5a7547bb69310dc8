//! The manifest of a package with what it inherits in its place, so that two of them can be compared.

use toml::{Table, Value};

use crate::manifest::{DEV_TABLES, Inherited, LINKED_TABLES};

/// A manifest in which nothing is inherited, without what concerns the whole workspace.
pub(super) fn effective(own: &Table, inherited: Option<&Inherited>) -> Table {
    let mut manifest = own.clone();
    for key in WORKSPACE_KEYS {
        manifest.remove(key);
    }
    for key in ["package", "project"] {
        let Some(package) = manifest.get_mut(key).and_then(Value::as_table_mut) else { continue };
        for (name, value) in package.iter_mut() {
            if let Some(theirs) =
                inherited.filter(|_| inherits(value)).and_then(|i| i.package(name))
            {
                *value = theirs.clone();
            }
        }
    }
    if let Some(lints) = manifest.get_mut("lints").filter(|lints| inherits(lints))
        && let Some(theirs) = inherited.and_then(Inherited::lints)
    {
        *lints = theirs.clone();
    }
    inherit_dependencies(&mut manifest, inherited);
    let targets = manifest.get_mut("target").and_then(Value::as_table_mut);
    for (_, table) in targets.into_iter().flat_map(Table::iter_mut) {
        if let Some(table) = table.as_table_mut() {
            inherit_dependencies(table, inherited);
        }
    }
    manifest
}

/// Keys that the root of a workspace decides for all packages, or that name packages.
pub(super) const WORKSPACE_KEYS: [&str; 4] = ["workspace", "profile", "patch", "replace"];

fn inherits(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

fn inherit_dependencies(table: &mut Table, inherited: Option<&Inherited>) {
    for name in LINKED_TABLES.iter().chain(&DEV_TABLES) {
        let Some(entries) = table.get_mut(*name).and_then(Value::as_table_mut) else { continue };
        for (key, entry) in entries.iter_mut().filter(|(_, entry)| inherits(entry)) {
            let Some(theirs) = inherited.and_then(|inherited| inherited.dependency(key)) else {
                continue;
            };
            let mut both = Table::new();
            both.insert("inherited".to_owned(), theirs.clone());
            both.insert("own".to_owned(), entry.clone());
            *entry = Value::Table(both);
        }
    }
}
