//! Edits of manifests: entries of tables of dependencies are removed or moved, and all else stays as it
//! is written.

use toml_edit::{DocumentMut, Item, Table};

use super::declared::DeclaredTable;

/// What becomes of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryEdit {
    pub table: DeclaredTable,
    pub platform: Option<String>,
    pub key: String,
    /// The table that it moves to; it is removed if there is none, or if that has the key.
    pub to: Option<DeclaredTable>,
}

/// The text of a manifest without some entries, or with them in other tables.
///
/// # Errors
/// The reason: it does not parse, or does not have an entry.
pub fn edit_entries(text: &str, edits: &[EntryEdit]) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    for edit in edits {
        let missing = || format!("no entry `{}`", edit.key);
        let outer = outer_table(document.as_item_mut(), edit).ok_or_else(missing)?;
        let names = names(edit.table);
        let name = names.iter().find(|name| {
            outer.get(name).and_then(Item::as_table_like).is_some_and(|t| t.contains_key(&edit.key))
        });
        let table = name.and_then(|name| outer.get_mut(name)).ok_or_else(missing)?;
        let entries = table.as_table_like_mut().ok_or_else(missing)?;
        let entry = entries.remove(&edit.key).ok_or_else(missing)?;
        let is_empty = entries.is_empty();
        let outer = outer.as_table_like_mut().ok_or_else(missing)?;
        if let Some(name) = name.filter(|_| is_empty) {
            outer.remove(name);
        }
        let Some(to) = edit.to else { continue };
        let names = self::names(to);
        let known = names.iter().find(|name| outer.contains_key(name)).or(names.first());
        let name = known.copied().unwrap_or_default();
        let table = outer.entry(name).or_insert_with(|| Item::Table(Table::new()));
        let entries = table.as_table_like_mut().ok_or_else(missing)?;
        if !entries.contains_key(&edit.key) {
            entries.insert(&edit.key, entry);
        }
    }
    Ok(document.to_string())
}

/// The table that has the tables of dependencies.
fn outer_table<'d>(document: &'d mut Item, edit: &EntryEdit) -> Option<&'d mut Item> {
    let outer = match &edit.platform {
        Some(platform) => document.get_mut("target")?.get_mut(platform)?,
        None => document,
    };
    if edit.table == DeclaredTable::Workspace { outer.get_mut("workspace") } else { Some(outer) }
}

fn names(table: DeclaredTable) -> &'static [&'static str] {
    match table {
        DeclaredTable::Normal | DeclaredTable::Workspace => &["dependencies"],
        DeclaredTable::Dev => &["dev-dependencies", "dev_dependencies"],
        DeclaredTable::Build => &["build-dependencies", "build_dependencies"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[package] # kept\nname = \"a\"\n\n[dependencies]\n# about x\nx = \"1\"\n\
        y = { version = \"2\" } # why\n\n[dependencies.z]\nversion = \"3\"\n\n\
        [target.'cfg(unix)'.dependencies]\nx = \"1\"\n\n[features]\nf = []\n";

    #[track_caller]
    fn check(edits: &[(DeclaredTable, Option<&str>, &str, Option<DeclaredTable>)], expected: &str) {
        let edits: Vec<EntryEdit> = edits
            .iter()
            .map(|(table, platform, key, to)| EntryEdit {
                table: *table,
                platform: platform.map(str::to_owned),
                key: (*key).to_owned(),
                to: *to,
            })
            .collect();
        let found = edit_entries(TEXT, &edits).unwrap_or_else(|reason| reason);
        assert_eq!(found, expected);
    }

    #[test]
    fn entries_are_removed_and_moved() {
        use DeclaredTable::{Dev, Normal};
        check(
            &[(Normal, None, "x", None), (Normal, None, "z", None)],
            "[package] # kept\nname = \"a\"\n\n[dependencies]\ny = { version = \"2\" } # why\n\n\
             [target.'cfg(unix)'.dependencies]\nx = \"1\"\n\n[features]\nf = []\n",
        );
        check(
            &[(Normal, Some("cfg(unix)"), "x", None), (Normal, None, "z", None)],
            "[package] # kept\nname = \"a\"\n\n[dependencies]\n# about x\nx = \"1\"\n\
             y = { version = \"2\" } # why\n\n[features]\nf = []\n",
        );
        let moved = edit_entries(
            TEXT,
            &[EntryEdit { table: Normal, platform: None, key: "y".to_owned(), to: Some(Dev) }],
        );
        let moved = moved.unwrap();
        assert!(moved.contains("[dev-dependencies]\ny = { version = \"2\" }"), "{moved}");
        assert!(!moved.contains("x = \"1\"\ny"), "{moved}");
        check(&[(Dev, None, "x", None)], "no entry `x`");
    }
}
