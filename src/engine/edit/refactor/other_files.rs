//! Finds names in files of other languages that macros may read as code: templates, queries,
//! grammars. A text in quotes names such a file; that of `include_str!` is data.

use std::collections::BTreeSet;
use std::path::Path;

use super::obligations::place;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::{read_text, source_texts};
use asof_refactor::{join, relative_files, words};
use asof_wire::{Doubt, PlaceToLookAt};
use asof_workspace::parent_folder;

/// Folders in which macros look for files, beside those around the source file.
const FOLDERS: [&str; 3] = ["", "templates", "src"];

/// Texts that are shown and not read as code.
const DATA: [&str; 2] = ["include_str!(", "include_bytes!("];

/// Files of these kinds are seen otherwise, or are prose.
const LEFT_OUT: [&str; 2] = ["rs", "md"];

/// Marks around the code of templates.
const MARKS: [(&str, &str); 3] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>")];

/// Longest name of a file that is looked for.
const MAX_LEN: usize = 100;

/// The places of a name in such files.
pub(super) fn places(
    snapshot: &Snapshot<'_>,
    name: &str,
) -> Result<Vec<PlaceToLookAt>, EngineError> {
    let root = snapshot.database.need_root()?;
    let mut wanted = BTreeSet::new();
    for (path, text) in source_texts(snapshot)? {
        for file in named(&text) {
            for above in Path::new(&path).ancestors().skip(1) {
                wanted.extend(FOLDERS.iter().map(|folder| above.join(folder).join(file)));
            }
        }
    }
    let mut found = Vec::new();
    for path in wanted.iter().filter_map(|path| path.to_str()) {
        let Some(text) = root.join(path).is_file().then(|| read_text(root, path)).flatten() else {
            continue;
        };
        let places = words(&text, name).filter(|at| may_be_code(&text, *at));
        found.extend(places.map(|at| place(path, &text, at as u32, Doubt::OtherFile)));
    }
    Ok(found)
}

/// Names of files in quotes.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    text.match_indices('"').filter_map(move |(end, _)| {
        let before = text.get(..end)?;
        let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        let file = before.get(start..)?;
        let opened = before.get(..start)?.strip_suffix('"')?;
        let (stem, extension) = file.rsplit_once('.')?;
        let plain = !file.starts_with('/')
            && !stem.is_empty()
            && !stem.contains("..")
            && file.len() <= MAX_LEN
            && extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && !extension.contains('/')
            && !LEFT_OUT.contains(&extension);
        let data = DATA.iter().any(|call| opened.trim_end().ends_with(call));
        (plain && !data).then_some(file)
    })
}

/// The places of a name in files that `include!` makes part of a module, of another kind than those
/// that are indexed.
pub(super) fn included_places(
    snapshot: &Snapshot<'_>,
    name: &str,
) -> Result<Vec<PlaceToLookAt>, EngineError> {
    let root = snapshot.database.need_root()?;
    let mut wanted = BTreeSet::new();
    for (path, text) in source_texts(snapshot)? {
        let folder = parent_folder(&path);
        for file in relative_files(&text) {
            let (before, behind) = text.split_at_checked(file.at as usize).unwrap_or_default();
            let is_include =
                behind.starts_with("include!") || before.trim_end().ends_with("include!(");
            wanted.extend(file.path.filter(|_| is_include).and_then(|path| join(folder, &path)));
        }
    }
    let mut found = Vec::new();
    for path in wanted.iter().filter(|path| !path.ends_with(".rs")) {
        let Some(text) = read_text(root, path) else { continue };
        let places = words(&text, name);
        found.extend(places.map(|at| place(path, &text, at as u32, Doubt::OtherFile)));
    }
    Ok(found)
}

/// Whether a byte is in what a template has for code: everything, if it has no such marks.
fn may_be_code(text: &str, at: usize) -> bool {
    let marks = MARKS.iter().filter(|(open, _)| text.contains(open));
    let (before, mut any) = (text.get(..at).unwrap_or_default(), false);
    for (open, close) in marks {
        any = true;
        let (opened, closed) = (before.rfind(open), before.rfind(close));
        if opened.is_some_and(|opened| closed.is_none_or(|closed| closed < opened)) {
            return true;
        }
    }
    !any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_quotes_are_found_and_data_is_not() {
        let text = r#"
#[template(path = "a/b.html")] m!(X, "bash.txt"); include_str!("c.txt"); f("no file"), "/d.txt",
"e.rs", "f.md", "1.5", ".", "../g.txt", "v1.2.3", "a.b/c", "#;
        assert_eq!(named(text).collect::<Vec<_>>(), ["a/b.html", "bash.txt"]);
        let code = |text: &str| may_be_code(text, text.find("old").unwrap());
        assert!(code("old") && code("{{ a }} {{ old }}") && code("{%- if old %}"));
        assert!(!code("{{ a }} old") && !code("{% if a %}old{% end %}"));
    }
}
