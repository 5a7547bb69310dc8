//! A rename that moves files: applied as a client does, it leaves what `asof rename` leaves.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::cli::asof;
use super::client::{Client, place, uri};
use super::demo::write;
use crate::support::kills::picture;
use crate::support::tempdir;

const FLAT: [(&str, &str); 5] = [
    ("Cargo.toml", "[package]\nname = \"demo\"\nedition = \"2024\"\n"),
    ("src/lib.rs", "pub mod a;\npub mod other;\npub fn g() { a::f(); crate::a::inner::h(); }\n"),
    ("src/a.rs", "pub mod inner;\n/// See [`crate::a::f`].\npub fn f() { crate::a::inner::h() }\n"),
    ("src/a/inner.rs", "pub fn h() { super::f(); crate::a::f() }\n"),
    ("src/other.rs", "use crate::a::{self, f};\nfn k() { f(); a::f() }\n"),
];

fn workspace(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir();
    files.iter().for_each(|(path, text)| write(folder.path(), path, text));
    folder
}

/// The files of a workspace with their bytes.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let all = picture(root).into_iter();
    all.filter_map(|(path, (_, bytes))| Some((path, bytes?))).collect()
}

/// Applies the operations in their order.
fn apply(root: &Path, edit: &Json) {
    let path = |name: &Json| {
        let path = name.as_str().unwrap().strip_prefix(&format!("{}/", uri(root))).unwrap();
        root.join(path)
    };
    for one in edit["documentChanges"].as_array().unwrap() {
        if one["kind"] == "rename" {
            let new = path(&one["newUri"]);
            assert!(!new.exists());
            std::fs::create_dir_all(new.parent().unwrap()).unwrap();
            std::fs::rename(path(&one["oldUri"]), new).unwrap();
            continue;
        }
        let path = path(&one["textDocument"]["uri"]);
        let mut text = std::fs::read_to_string(&path).unwrap();
        let mut edits = one["edits"].as_array().unwrap().clone();
        let byte = |text: &str, at: &Json| {
            let line = at["line"].as_u64().unwrap() as usize;
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            start + at["character"].as_u64().unwrap() as usize
        };
        edits.sort_by_key(|edit| byte(&text, &edit["range"]["start"]));
        for edit in edits.iter().rev() {
            let range = &edit["range"];
            let (start, end) = (byte(&text, &range["start"]), byte(&text, &range["end"]));
            text.replace_range(start..end, edit["newText"].as_str().unwrap());
        }
        std::fs::write(path, text).unwrap();
    }
}

fn client(root: &Path, operations: &[&str]) -> Client {
    let edits = json!({ "documentChanges": true, "resourceOperations": operations });
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "workspace": { "workspaceEdit": edits },
    });
    Client::able(root, capabilities, json!({})).0
}

fn check(texts: &[(&str, &str)]) {
    let (edited, renamed) = (workspace(texts), workspace(texts));
    assert!(asof(renamed.path(), &["index"]).status.success());
    let done = asof(renamed.path(), &["rename", "crate::a", "b"]);
    assert!(done.status.success());
    let root = edited.path();
    let mut client = client(root, &["create", "rename"]);
    let mut params = place(&root.join("src/lib.rs"), (0, 8));
    let prepared = client.request("textDocument/prepareRename", params.clone());
    assert_eq!(prepared["placeholder"], "a");
    params["newName"] = json!("b");
    apply(root, &client.request("textDocument/rename", params));
    assert_eq!(client.quit(), Some(0));
    assert_eq!(files(root), files(renamed.path()));
    for path in ["demo::b::f", "demo::b::inner::h"] {
        let used = |root: &Path| {
            let found = asof(root, &["--format", "json", "refs", path]);
            assert!(found.status.success());
            let found: Json = serde_json::from_slice(&found.stdout).unwrap();
            (found["total"].clone(), found["items"].clone())
        };
        assert_eq!(used(root), used(renamed.path()));
    }
}

#[test]
fn a_module_is_renamed_with_its_files() {
    check(&FLAT);
}

#[test]
fn a_module_is_renamed_with_its_folder() {
    check(&FLAT.map(|(path, text)| (if path == "src/a.rs" { "src/a/mod.rs" } else { path }, text)));
}

#[test]
fn a_client_that_moves_no_files_is_told_why() {
    let folder = workspace(&FLAT);
    let mut client = client(folder.path(), &["create"]);
    let mut params = place(&folder.path().join("src/lib.rs"), (0, 8));
    params["newName"] = json!("b");
    let (_, message) = client.refused("textDocument/rename", params);
    assert!(message.contains("this client moves no files"), "{message}");
}

#[test]
fn definitions_under_several_conditions_are_renamed_together() {
    let twins = "#[cfg(unix)]\npub fn size() {}\n#[cfg(not(unix))]\npub fn size() {}\n\
                 pub fn f() { size() }\n";
    let manifest = ("Cargo.toml", "[package]\nname = \"demo\"\nedition = \"2024\"\n");
    let folder = workspace(&[manifest, ("src/lib.rs", twins)]);
    let root = folder.path();
    let mut client = client(root, &[]);
    let mut params = place(&root.join("src/lib.rs"), (4, 14));
    params["newName"] = json!("len");
    apply(root, &client.request("textDocument/rename", params));
    let text = std::fs::read_to_string(root.join("src/lib.rs")).unwrap();
    assert_eq!(text, twins.replace("size", "len"));
}
