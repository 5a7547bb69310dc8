//! The layers of ARCHITECTURE.md, read off the `use` lines.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each folder may name of ours.
const LAYERS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("wire", &["model"]),
    ("plain", &[]),
    ("state", &[]),
    ("workspace", &["model", "wire", "plain"]),
    ("syntax", &["model"]),
    ("resolve", &["model", "syntax"]),
    ("item_tracking", &["model", "syntax"]),
    ("store", &["model", "wire", "plain", "state"]),
    ("query", &["model", "wire", "plain", "state", "store"]),
    ("index", &["model", "wire", "workspace", "syntax", "resolve", "store", "query"]),
    ("edit", &["model", "wire", "state", "syntax", "store", "query"]),
    (
        "engine",
        &[
            "model",
            "wire",
            "state",
            "workspace",
            "syntax",
            "item_tracking",
            "store",
            "query",
            "index",
            "edit",
        ],
    ),
];

/// Only these folders may name these crates.
const OWNED: &[(&str, &str)] = &[
    ("asof_storage", "store"),
    ("cozo", "store"),
    ("sqlite", "store"),
    ("gix", "workspace"),
    ("tree_sitter", "syntax"),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// Code without comments and tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let body = text.split("#[cfg(test)]").next().unwrap().to_owned();
    body.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn named<'a>(code: &'a str, before: &str) -> BTreeSet<&'a str> {
    let word = |rest: &'a str| {
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
    };
    code.match_indices(before).map(|(at, _)| word(&code[at + before.len()..])).collect()
}

#[test]
fn every_folder_names_only_what_lies_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let known: BTreeSet<&str> = LAYERS.iter().map(|(layer, _)| *layer).collect();
    let mut seen = 0;
    for (layer, below) in LAYERS {
        for file in sources(&src.join(layer)) {
            if file.components().any(|c| c.as_os_str() == "tests" || c.as_os_str() == "tests.rs") {
                continue;
            }
            for other in named(&code(&file), "crate::") {
                let fine = other == *layer || below.contains(&other) || !known.contains(other);
                assert!(fine, "{} names crate::{other}", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "only {seen} names of folders were seen");
}

#[test]
fn crates_of_one_folder_stay_there() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (krate, owner) in OWNED {
        let mut used = false;
        for file in sources(&src) {
            let inside = file.starts_with(src.join(owner));
            let text = code(&file);
            let uses = text.contains(&format!("use {krate}::"))
                || text.contains(&format!(" {krate}::"))
                || text.contains(&format!("({krate}::"))
                || text.contains(&format!("&{krate}::"));
            assert!(inside || !uses, "{} names {krate}", file.display());
            used |= uses;
        }
        assert!(used, "nobody uses {krate}: is the name right?");
    }
}

#[test]
fn files_mean_one_thing() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in sources(&home.join("src")) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 550, "{} has {lines} lines", file.display());
    }
}

/// Folders of the library whose errors have typed hints: commands and options are the words of
/// the command line.
const WORDLESS: &[&str] = &[
    "edit",
    "engine",
    "index",
    "query",
    "resolve",
    "state",
    "store",
    "syntax",
    "wire",
    "workspace",
];

#[test]
fn the_library_names_no_command_and_no_option() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for file in WORDLESS.iter().flat_map(|folder| sources(&src.join(folder))) {
        if file.components().any(|c| c.as_os_str() == "tests") {
            continue;
        }
        for line in code(&file).lines() {
            // Options of rustfmt.
            if line.contains(".args([") {
                continue;
            }
            let words = line.split('"').skip(1).any(|text| {
                text.contains("`asof ")
                    || text
                        .match_indices("--")
                        .any(|(at, _)| text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()))
            });
            assert!(!words, "{}: {line}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 10_000, "only {seen} lines were seen");
}

/// Folders whose files form no import cycle.
const ACYCLIC: &[&str] =
    &["cli", "edit/files", "engine/edit", "index", "model", "state", "syntax/uses", "wire"];

/// Names of files that a file imports from its own folder.
fn imports(code: &str, folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for before in ["super::".to_owned(), format!("crate::{}::", folder.replace('/', "::"))] {
        for (at, _) in code.match_indices(&before) {
            if code[..at].ends_with("super::") {
                continue;
            }
            let rest = &code[at + before.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap(),
                None => rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap(),
            };
            let words = names.split(|c: char| !c.is_alphanumeric() && c != '_');
            found.extend(words.map(str::to_owned));
        }
    }
    found
}

#[test]
fn files_of_a_folder_import_each_other_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in ACYCLIC {
        let mut open: Vec<(String, BTreeSet<String>)> = fs::read_dir(src.join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "rs"))
            .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path))
            .filter(|(name, _)| name != "mod")
            .map(|(name, path)| (name, imports(&code(&path), folder)))
            .collect();
        assert!(open.len() > 1, "{folder} has no files");
        let names: BTreeSet<String> = open.iter().map(|(name, _)| name.clone()).collect();
        for (name, imports) in &mut open {
            imports.retain(|other| names.contains(other) && other != name);
        }
        // Files that import nothing open are done, until none is left.
        loop {
            let left: BTreeSet<String> = open.iter().map(|(name, _)| name.clone()).collect();
            let before = open.len();
            open.retain(|(_, imports)| imports.iter().any(|other| left.contains(other)));
            if open.len() == before {
                break;
            }
        }
        assert!(open.is_empty(), "{folder}: these import each other in a circle: {open:#?}");
    }
}
