//! The layers of ARCHITECTURE.md, checked in the `use` lines.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Which of our folders each folder may import.
const LAYERS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("plain", &[]),
    ("state", &[]),
    ("workspace", &["model", "plain"]),
    ("syntax", &["model"]),
    ("resolve", &["model", "syntax"]),
    ("item_tracking", &["model", "syntax"]),
    ("store", &["model", "plain", "state"]),
    ("query", &["model", "plain", "state", "store"]),
    ("search", &["model"]),
    ("index", &["model", "workspace", "syntax", "resolve", "search", "store", "query"]),
    ("edit", &["model", "state", "syntax", "store", "query"]),
    (
        "engine",
        &[
            "model",
            "state",
            "workspace",
            "syntax",
            "item_tracking",
            "store",
            "query",
            "search",
            "wire",
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

/// The words and punctuation of a file's code, without comments, docs and tests.
fn code(path: &Path) -> Vec<String> {
    let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let mut tokens = Vec::new();
    for item in file.items {
        if !is_test(&item) {
            flatten(quote::ToTokens::into_token_stream(item), &mut tokens);
        }
    }
    tokens
}

fn is_test(item: &syn::Item) -> bool {
    let (syn::Item::Mod(syn::ItemMod { attrs, .. })
    | syn::Item::Fn(syn::ItemFn { attrs, .. })
    | syn::Item::Use(syn::ItemUse { attrs, .. })
    | syn::Item::Impl(syn::ItemImpl { attrs, .. })) = item
    else {
        return false;
    };
    let is_cfg_test = |attr: &syn::Attribute| {
        attr.path().is_ident("cfg")
            && attr.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    };
    attrs.iter().any(is_cfg_test)
}

fn flatten(stream: proc_macro2::TokenStream, into: &mut Vec<String>) {
    for tree in stream {
        match tree {
            proc_macro2::TokenTree::Group(group) => {
                into.push("(".to_owned());
                flatten(group.stream(), into);
                into.push(")".to_owned());
            }
            // Texts, docs among them, name nothing.
            proc_macro2::TokenTree::Literal(_) => into.push("\"\"".to_owned()),
            other => into.push(other.to_string()),
        }
    }
}

/// What follows `crate::`: a name, or the names in braces.
fn named(code: &[String]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (at, window) in code.windows(4).enumerate() {
        let [root, colon, second, name] = window else { continue };
        if (root.as_str(), colon.as_str(), second.as_str()) != ("crate", ":", ":") {
            continue;
        }
        if name != "(" {
            found.insert(name.as_str());
            continue;
        }
        let mut depth = 0;
        for (before, word) in code[at + 3..].iter().zip(&code[at + 4..]) {
            match before.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            match depth {
                0 => break,
                1 if before == "(" || before == "," => drop(found.insert(word.as_str())),
                _ => {}
            }
        }
    }
    found
}

/// Whether a crate is named: `name::`, or `use name`.
fn names_crate(code: &[String], name: &str) -> bool {
    code.windows(3).enumerate().any(|(at, window)| {
        let [first, second, third] = window else { return false };
        let path = first == name && second == ":" && third == ":";
        // `a::name::` is a module's.
        let nested = at > 0 && code[at - 1] == ":";
        (path && !nested) || (first == "use" && second == name)
    })
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
            for other in named(&code(&file)) {
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
            let uses = names_crate(&code(&file), krate);
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

#[test]
fn every_relation_is_documented() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(home.join(file)).unwrap_or_default();
    let docs = [read("ARCHITECTURE.md"), read("docs/format.md")].concat();
    for relation in asof::store::Relation::all() {
        let row = format!("\n| `{}` |", relation.name);
        assert!(docs.contains(&row), "no table has a row of `{}`", relation.name);
    }
}
