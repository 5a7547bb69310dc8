//! The layers of ARCHITECTURE.md, checked in the `use` lines.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::tempdir;

mod circles;
mod known;

/// The folders and files of `engine`: each names only those before it, and `mod.rs` all.
const ENGINE: &[&str] = &[
    "canonical.rs", "error.rs", "cache", "past", "database", "items", "history", "uses", "review",
    "merge", "quality", "search", "context", "oracle", "query", "edit", "scip", "export", "lib.rs",
];

/// Crates that only one of ours may depend on.
const OWNED: &[(&str, &str)] = &[
    ("asof-storage", "store"),
    ("cozo", "store"),
    ("sqlite", "store"),
    ("axum", "http"),
    ("fastembed", "search"),
    ("gix", "workspace"),
    ("flate2", "web"),
    ("gen-lsp-types", "lsp"),
    ("jsonc-parser", "setup"),
    ("hyper", "http"),
    ("line-index", "lsp"),
    ("maud", "web"),
    ("open", "asof"),
    ("ort", "search"),
    ("parquet", "tables"),
    ("prost", "scip"),
    ("rmcp", "mcp"),
    ("tree-sitter", "syntax"),
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
        let mut words = Vec::new();
        if let syn::Meta::List(list) = &attr.meta {
            flatten(list.tokens.clone(), &mut words);
        }
        // `test`, or `all(test, unix)`.
        attr.path().is_ident("cfg")
            && words.iter().any(|word| word == "test")
            && words.iter().all(|word| word != "not" && word != "any")
    };
    attrs.iter().any(is_cfg_test)
}

fn flatten(stream: proc_macro2::TokenStream, into: &mut Vec<String>) {
    for tree in stream {
        match tree {
            proc_macro2::TokenTree::Group(group) => {
                let first = group.stream().into_iter().next();
                if first.is_some_and(|word| word.to_string() == "doc") {
                    continue;
                }
                into.push("(".to_owned());
                flatten(group.stream(), into);
                into.push(")".to_owned());
            }
            other => into.push(other.to_string()),
        }
    }
}

/// The manifests of our crates, with their names: folders of `src`, or `asof` for the program.
fn manifests() -> Vec<(String, toml::Table)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![("asof".to_owned(), home.to_owned())];
    for entry in fs::read_dir(home.join("src")).unwrap() {
        let path = entry.unwrap().path();
        if path.join("Cargo.toml").is_file() {
            folders.push((path.file_name().unwrap().to_str().unwrap().to_owned(), path));
        }
    }
    let read = |path: PathBuf| {
        fs::read_to_string(path.join("Cargo.toml")).unwrap().parse::<toml::Table>().unwrap()
    };
    folders.into_iter().map(|(name, path)| (name, read(path))).collect()
}

/// The arrows between files of one crate, with the folder of the crate in `src`.
fn arrows_of_crates() -> Vec<(String, circles::Arrows)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = vec![
        (String::new(), circles::arrows(&src, "lib.rs")),
        (String::new(), circles::arrows(&src, "main.rs")),
    ];
    for (name, _) in manifests().iter().filter(|(name, _)| name != "asof") {
        all.push((format!("{name}/"), circles::arrows(&src.join(name), "lib.rs")));
    }
    all
}

/// What a crate may name is what its manifest lists, which the compiler checks. This test keeps
/// the manifests as ARCHITECTURE.md has them.
#[test]
fn crates_of_one_folder_stay_there() {
    let manifests = manifests();
    assert!(manifests.len() > 20, "only {} manifests were read", manifests.len());
    for (krate, owner) in OWNED {
        let uses = |manifest: &toml::Table| {
            manifest["dependencies"].as_table().unwrap().contains_key(*krate)
        };
        let users: Vec<&str> = manifests
            .iter()
            .filter(|(_, manifest)| uses(manifest))
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(users, [*owner], "{krate}");
    }
}

/// Crates that compute with plain data do not depend on the store.
#[test]
fn the_pure_crates_know_no_database() {
    for (name, manifest) in manifests() {
        let pure =
            ["model", "wire", "syntax", "resolve", "refactor", "review", "item_tracking", "semver"];
        let below = manifest["dependencies"].as_table().unwrap();
        let knows =
            ["asof-store", "asof-query", "asof-index"].iter().any(|k| below.contains_key(*k));
        assert!(!(pure.contains(&name.as_str()) && knows), "{name} depends on the database");
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
    for relation in asof_store::Relation::all() {
        let row = format!("\n| `{}` |", relation.name);
        assert!(docs.contains(&row), "no table has a row of `{}`", relation.name);
    }
}

/// Folders of the library whose errors have typed hints: commands and options are the words of
/// the command line.
const WORDLESS: &[&str] = &[
    "edit", "engine", "index", "query", "resolve", "files", "store", "syntax", "wire", "workspace",
];

#[test]
fn the_library_names_no_command_and_no_option() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for file in WORDLESS.iter().flat_map(|folder| sources(&src.join(folder))) {
        if file.components().any(|c| c.as_os_str() == "tests") {
            continue;
        }
        let mut code = code(&file);
        // Options of rustfmt.
        while let Some(at) = code.windows(2).position(|two| two == ["args", "("]) {
            let end = code[at..].iter().position(|word| word == ")").unwrap();
            code.drain(at..=at + end);
        }
        for text in code.iter().filter(|word| word.contains('"')) {
            let option = |(at, _)| {
                let name: &str = &text[at + 2..];
                name.starts_with(|c: char| c.is_ascii_lowercase())
            };
            let words = text.contains("`asof ") || text.match_indices("--").any(option);
            assert!(!words, "{}: {text}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 1_000, "only {seen} texts were seen");
}

/// Files that take names from each other can only be understood together.
#[test]
fn files_import_each_other_in_one_direction() {
    let mut arrows = circles::Arrows::new();
    for (folder, own) in arrows_of_crates() {
        let place = |file: &String| format!("{folder}{file}");
        for (file, to) in own {
            let to = to.into_iter().map(|(other, names)| (place(&other), names)).collect();
            arrows.insert(place(&file), to);
        }
    }
    assert!(arrows.len() > 500, "only {} files were read", arrows.len());
    let known: BTreeSet<BTreeSet<&str>> =
        known::CIRCLES.iter().map(|circle| circle.iter().copied().collect()).collect();
    let found = circles::circles(&arrows);
    let new: Vec<String> =
        found.difference(&known).map(|circle| circles::ties(&arrows, circle)).collect();
    assert!(new.is_empty(), "circles of files that are not known:\n{}", new.join("\n"));
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "no circles any more, take them out of `known`: {gone:#?}");
}

#[test]
fn folders_of_the_engine_name_only_what_lies_below_them() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine");
    let place = |file: &str| {
        let first = file.split('/').next().unwrap();
        let place = ENGINE.iter().position(|known| *known == first);
        place.unwrap_or_else(|| panic!("`{file}` has no place in the order"))
    };
    let mut seen = 0;
    for (file, to) in circles::arrows(&engine, "lib.rs") {
        for (other, names) in to {
            assert!(place(&other) <= place(&file), "{file} takes {names:?} from {other}");
            seen += 1;
        }
    }
    assert!(seen > 200, "only {seen} arrows were seen");
}

/// The circles in a small crate, each of files.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempdir();
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let arrows = circles::arrows(folder.path(), "lib.rs");
    circles::circles(&arrows)
        .into_iter()
        .map(|circle| circle.into_iter().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn circles_are_seen_however_a_name_is_written() {
    let root = ("lib.rs", "mod a;\nmod b;\npub struct Top;");
    let b = ("b.rs", "pub struct B;\npub fn b() -> crate::a::A { todo!() }");
    for a in [
        "use super::b::B;\npub struct A;",
        "use crate::b::{self, B as Other};\npub struct A;",
        "pub struct A;\nstruct Holder { of: super::b::B }",
        "use super::b;\npub struct A;\nfn f() { b::b(); }",
        "pub struct A;\nfn f() { use super::{b::B, Top}; }",
        "use super::b::*;\npub struct A;",
    ] {
        assert_eq!(circles_of(&[root, b, ("a.rs", a)]), ["a.rs b.rs"], "{a}");
    }
    for a in [
        "pub struct A;",
        // A module by itself, tests, and another path's words.
        "use super::b;\npub struct A;",
        "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }",
        "pub struct A;\n#[cfg(all(test, unix))]\nmod tests { use crate::b::B; }",
        "pub struct A;\nfn f() { std::b::B }",
    ] {
        assert_eq!(circles_of(&[root, b, ("a.rs", a)]), [""; 0], "{a}");
    }
}

#[test]
fn a_door_and_its_rooms_are_a_circle_only_if_the_door_holds_something() {
    let root = ("lib.rs", "mod room;");
    let one = ("room/one.rs", "use super::Two;\npub struct One(Two);");
    let door = "mod one;\nmod two;\npub use one::One;\npub use two::Two;";
    let two = "pub struct Two;";
    let of = |door, two| circles_of(&[root, one, ("room/mod.rs", door), ("room/two.rs", two)]);
    // A name that is handed on is that of the file that defines it.
    assert_eq!(of(door, two), [""; 0]);
    assert_eq!(of(door, "use super::One;\npub struct Two(Box<One>);"), ["room/one.rs room/two.rs"]);
    let holding = "mod one;\nmod two;\npub use one::One;\npub struct Two;\n";
    assert_eq!(of(holding, two), ["room/mod.rs room/one.rs"]);
}

/// A file that no `mod` line names would never be compiled, and its tests would pass unseen.
#[test]
fn every_file_of_tests_is_run() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let suite = fs::read_to_string(tests.join("main.rs")).unwrap();
    let mut missing = Vec::new();
    for entry in fs::read_dir(&tests).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_module =
            path.extension().is_some_and(|e| e == "rs") || path.join("mod.rs").is_file();
        let is_program = ["main", "growth"].contains(&name.as_str());
        if is_module && !is_program && !suite.lines().any(|l| l == format!("mod {name};")) {
            missing.push(name);
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "not in tests/main.rs");
}
