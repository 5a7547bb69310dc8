//! Requests about a small workspace: each answer as an editor shows it.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::cli::asof;
use super::client::{Client, place, uri};
use super::demo::{LIB, RETRY, bare, write};
use super::repository::Repository;

/// A workspace with its client, and the place of a text in a file, at the `nth` time, from 0.
struct Demo {
    folder: TempDir,
    client: Client,
}

impl Demo {
    fn start() -> Self {
        let folder = bare();
        let client = Client::session(folder.path(), "utf-8", json!({ "lenses": true }));
        Self { folder, client }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn find(&self, file: &str, text: &str, nth: usize) -> (u32, u32) {
        find(&std::fs::read_to_string(self.path(file)).unwrap(), text, nth)
    }

    fn at(&mut self, method: &str, file: &str, text: &str, nth: usize) -> Json {
        let at = self.find(file, text, nth);
        self.client.at(method, &self.path(file), at)
    }

    fn shown(&self, answer: &Json) -> Vec<String> {
        shown(self.folder.path(), answer)
    }
}

pub fn find(text: &str, wanted: &str, nth: usize) -> (u32, u32) {
    let (byte, _) = text.match_indices(wanted).nth(nth).unwrap();
    let line = text[..byte].matches('\n').count();
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    (line as u32, (byte - start) as u32)
}

/// Locations as `file:line:column`, from 1.
pub fn shown(root: &Path, answer: &Json) -> Vec<String> {
    let one = |location: &Json| {
        let file = location["uri"].as_str().unwrap().replace(&format!("{}/", uri(root)), "");
        let start = &location["range"]["start"];
        let number = |name: &str| start[name].as_u64().unwrap() + 1;
        format!("{file}:{}:{}", number("line"), number("character"))
    };
    answer.as_array().map(|all| all.iter().map(one).collect()).unwrap_or_default()
}

#[test]
fn names_lead_to_definitions_and_back() {
    let mut demo = Demo::start();
    let found = demo.at("definition", "src/lib.rs", "next_delay", 0);
    assert_eq!(demo.shown(&found), ["src/retry.rs:4:8"]);
    let found = demo.at("definition", "src/lib.rs", "retry", 1);
    assert_eq!(demo.shown(&found), ["src/retry.rs:1:1"]);
    let found = demo.at("declaration", "src/lib.rs", "retry", 1);
    assert_eq!(demo.shown(&found), ["src/lib.rs:3:9"]);
    let found = demo.at("definition", "src/retry.rs", "n >", 0);
    assert_eq!(demo.shown(&found), ["src/retry.rs:4:19"]);
    let text = "pub struct Holds { pub it: crate::retry::Backoff }\nimpl Holds { pub fn new(it: u8) -> Self { Self::new(it) } }\n";
    let path = demo.path("src/lib.rs");
    demo.client.open(&path, &format!("{LIB}{text}"));
    let whole = format!("{LIB}{text}");
    let found = demo.client.at("typeDefinition", &path, find(&whole, "it:", 0));
    assert_eq!(demo.shown(&found), ["src/retry.rs:8:12"]);
    let found = demo.client.at("definition", &path, find(&whole, "Self", 1));
    assert_eq!(demo.shown(&found), ["src/lib.rs:12:6"]);
    let at = demo.find("src/retry.rs", "next_delay", 1);
    let mut params = place(&demo.path("src/retry.rs"), at);
    params["context"] = json!({ "includeDeclaration": true });
    let found = demo.client.request("textDocument/references", params);
    assert_eq!(demo.shown(&found), ["src/lib.rs:7:12", "src/retry.rs:4:8", "src/retry.rs:15:9"]);
    assert_eq!(demo.client.quit(), Some(0));
}

#[test]
fn uses_of_a_module_are_in_its_own_file() {
    let folder = bare();
    for (path, text) in [
        ("src/lib.rs", "pub mod a;\n"),
        ("src/a.rs", "pub mod below;\n"),
        ("src/a/below.rs", "pub fn deep() {}\n"),
    ] {
        write(folder.path(), path, text);
    }
    let mut client = Client::session(folder.path(), "utf-8", json!({}));
    for (file, expected) in [("src/lib.rs", "src/a.rs:1:1"), ("src/a.rs", "src/a/below.rs:1:1")] {
        // The names of both modules are at the same place.
        let found = client.at("definition", &folder.path().join(file), (0, 8));
        assert_eq!(shown(folder.path(), &found), [expected]);
    }
}

#[test]
fn hover_says_what_the_database_knows() {
    let mut demo = Demo::start();
    let found = demo.at("hover", "src/lib.rs", "next_delay", 0);
    let text = found["contents"]["value"].as_str().unwrap();
    for part in
        ["demo::retry", "pub fn next_delay(n: u32) -> u32", "grade", "2 callers", "The next delay."]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn hierarchies_go_both_ways() {
    let mut demo = Demo::start();
    let text = "pub trait Above {}\npub trait Tr: Above { fn f(&self) {} }\npub struct A;\n\
                impl Tr for A { fn f(&self) { g() } }\nfn g() {}\n\
                impl Above for B {}\nimpl Tr for B { fn f(&self) {} }\npub struct B;\n\
                impl Tr for C { fn f(&self) {} }\npub struct C;\n\
                impl Tr for D { fn f(&self) {} }\npub struct D;\n";
    write(demo.folder.path(), "src/types.rs", text);
    write(
        demo.folder.path(),
        "src/lib.rs",
        &LIB.replace("pub mod retry;", "pub mod retry;\npub mod types;"),
    );
    demo.client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": uri(&demo.path("src/lib.rs")) } }),
    );
    let name = |one: &Json| one["name"].as_str().unwrap().to_owned();
    let mut prepared = Json::Null;
    // The refresh goes on beside the requests.
    for _ in 0..600 {
        prepared = demo.at("prepareTypeHierarchy", "src/types.rs", "Tr", 0);
        if prepared.is_array() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let item = json!({ "item": prepared[0] });
    let above = demo.client.request("typeHierarchy/supertypes", item.clone());
    assert_eq!(above.as_array().unwrap().iter().map(name).collect::<Vec<_>>(), ["Above"]);
    let below = demo.client.request("typeHierarchy/subtypes", item);
    assert_eq!(
        below.as_array().unwrap().iter().map(name).collect::<Vec<_>>(),
        ["A", "B", "C", "D"]
    );
    let found = demo.at("implementation", "src/types.rs", "fn f", 0);
    assert_eq!(demo.shown(&found), Vec::<String>::new());
    let at = demo.find("src/types.rs", "f(&self)", 0);
    let found = demo.client.at("implementation", &demo.path("src/types.rs"), at);
    assert_eq!(
        demo.shown(&found),
        ["src/types.rs:4:20", "src/types.rs:7:20", "src/types.rs:9:20", "src/types.rs:11:20"]
    );
    let at = demo.find("src/types.rs", "f(&self)", 1);
    let found = demo.client.at("declaration", &demo.path("src/types.rs"), at);
    assert_eq!(demo.shown(&found), ["src/types.rs:2:26"]);
    let called = demo.at("prepareCallHierarchy", "src/types.rs", "g()", 1);
    let item = json!({ "item": called[0] });
    let callers = demo.client.request("callHierarchy/incomingCalls", item);
    assert_eq!(name(&callers[0]["from"]), "f");
    assert_eq!(callers[0]["fromRanges"][0]["start"], json!({ "line": 3, "character": 30 }));
    let calling = json!({ "item": callers[0]["from"] });
    let calls = demo.client.request("callHierarchy/outgoingCalls", calling);
    assert_eq!(name(&calls[0]["to"]), "g");
}

#[test]
fn a_rename_is_told_as_edits_of_every_use() {
    let mut demo = Demo::start();
    let at = demo.find("src/retry.rs", "next_delay", 0);
    let mut params = place(&demo.path("src/retry.rs"), at);
    let prepared = demo.client.request("textDocument/prepareRename", params.clone());
    assert_eq!(prepared["placeholder"], "next_delay");
    params["newName"] = json!("pause");
    let changes = demo.client.request("textDocument/rename", params.clone())["changes"].clone();
    let count = |file: &str| changes[uri(&demo.path(file))].as_array().map_or(0, Vec::len);
    assert_eq!((count("src/lib.rs"), count("src/retry.rs")), (1, 2));
    params["newName"] = json!("Backoff::x");
    let (code, _) = demo.client.refused("textDocument/rename", params.clone());
    assert_eq!(code, -32_803);
    // With unsaved text, the edits would be of another text.
    let path = demo.path("src/lib.rs");
    demo.client.open(&path, &format!("{LIB}\n// more\n"));
    params["newName"] = json!("pause");
    let (_, message) = demo.client.refused("textDocument/rename", params);
    assert!(message.contains("save"), "{message}");
}

#[test]
fn documents_have_symbols_lenses_and_ranges() {
    let mut demo = Demo::start();
    let document = json!({ "textDocument": { "uri": uri(&demo.path("src/retry.rs")) } });
    let symbols = demo.client.request("textDocument/documentSymbol", document.clone());
    let names: Vec<String> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let below = one["children"].as_array().map_or(0, Vec::len);
            format!("{} {below}", one["name"].as_str().unwrap())
        })
        .collect();
    assert_eq!(names, ["LIMIT 0", "next_delay 0", "Backoff 1", "impl Backoff 1"]);
    let lenses = demo.client.request("textDocument/codeLens", document.clone());
    let titles: Vec<String> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| demo.client.request("codeLens/resolve", lens.clone()))
        .map(|lens| lens["command"]["title"].as_str().unwrap().to_owned())
        .collect();
    assert!(titles.contains(&"2 uses".to_owned()), "{titles:?}");
    let folded = demo.client.request("textDocument/foldingRange", document.clone());
    let lines = |one: &Json| (one["startLine"].as_u64().unwrap(), one["endLine"].as_u64().unwrap());
    assert!(folded.as_array().unwrap().iter().map(lines).any(|range| range == (3, 4)), "{folded}");
    let mut params = document;
    params["positions"] = json!([{ "line": 4, "character": 7 }]);
    let selected = demo.client.request("textDocument/selectionRange", params);
    assert_eq!(selected[0]["range"]["start"], json!({ "line": 4, "character": 7 }));
    let found = demo.client.request("workspace/symbol", json!({ "query": "nextdel" }));
    let names: Vec<&Json> = found.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(names.contains(&&json!("next_delay")), "{found}");
}

/// A workspace with two commits, the first one tagged `v1`.
pub fn past() -> Repository {
    let mut repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    repo.write("Cargo.toml", manifest);
    repo.write("src/lib.rs", "pub fn old() -> u8 { gone() }\nfn gone() -> u8 { 1 }\n");
    repo.commit("old");
    repo.git(&["tag", "v1"]);
    repo.write("src/lib.rs", "\n\npub fn old() -> u8 { 2 }\n");
    repo.commit("new");
    assert!(asof(&repo.root, &["index", "--history"]).status.success());
    repo
}

#[test]
fn the_past_is_a_document_with_definitions() {
    let repo = past();
    let mut client = Client::session(&repo.root, "utf-8", json!({}));
    let path = repo.root.join("src/lib.rs");
    let given = |at: Option<&str>| json!({ "uri": uri(&path), "position": { "line": 2, "character": 8 }, "at": at });
    let mut run = |command: &str, given: Json| {
        let params = json!({ "command": command, "arguments": [given] });
        client.request("workspace/executeCommand", params)
    };
    let history = run("asof.history", given(None));
    assert_eq!(history["versions"].as_array().unwrap().len(), 2, "{history}");
    let patch = run("asof.diffItem", given(None));
    assert!(patch["text"].as_str().unwrap().contains("-pub fn old() -> u8 { gone() }"), "{patch}");
    let impact = run("asof.impact", given(None));
    assert!(impact["items"].as_array().unwrap().is_empty());
    let tests = run("asof.testsAffected", given(Some("v1")));
    assert_eq!(tests["tests"]["count"], 0, "{tests}");
    let since = run("asof.testsAffected", given(None));
    assert!(since["text"].as_str().unwrap().starts_with("0 of 0"), "{since}");
    let then = run("asof.showAt", given(Some("v1")))["uri"].clone();
    let content = client.request("workspace/textDocumentContent", json!({ "uri": then }));
    assert!(content["text"].as_str().unwrap().contains("gone"));
    let at = json!({ "line": 0, "character": 23 });
    let params = json!({ "textDocument": { "uri": then }, "position": at });
    let found = client.request("textDocument/definition", params);
    assert_eq!(found[0]["uri"], then);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 3 }));
    let nowhere = json!({ "uri": "asof://v9/src/lib.rs" });
    let (code, _) = client.refused("workspace/textDocumentContent", nowhere);
    assert_eq!(code, -32_602);
}

#[test]
fn changes_on_disk_are_noticed() {
    let mut demo = Demo::start();
    let found = demo.at("definition", "src/lib.rs", "next_delay", 0);
    assert_eq!(demo.shown(&found), ["src/retry.rs:4:8"]);
    write(demo.folder.path(), "src/retry.rs", &format!("// One line more.\n{RETRY}"));
    let mut last = Vec::new();
    for _ in 0..600 {
        let found = demo.at("definition", "src/lib.rs", "next_delay", 0);
        last = demo.shown(&found);
        if last == ["src/retry.rs:5:8"] {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{last:?}");
}

#[test]
fn several_folders_and_clients_share_what_they_have() {
    let (one, two) = (bare(), bare());
    let mut client = Client::start(one.path());
    let folders: Vec<Json> = [&one, &two]
        .iter()
        .map(|folder| json!({ "uri": uri(folder.path()), "name": "demo" }))
        .collect();
    let params = json!({ "processId": null, "rootUri": null, "capabilities": {}, "workspaceFolders": folders });
    let answer = client.request("initialize", params);
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    let mut other = Client::session(two.path(), "utf-8", json!({}));
    for folder in [&one, &two] {
        let at = find(LIB, "next_delay", 0);
        let found = client.at("definition", &folder.path().join("src/lib.rs"), at);
        assert_eq!(shown(folder.path(), &found), ["src/retry.rs:4:8"]);
    }
    let at = find(LIB, "next_delay", 0);
    let found = other.at("definition", &two.path().join("src/lib.rs"), at);
    assert_eq!(shown(two.path(), &found), ["src/retry.rs:4:8"]);
    let listed = asof(two.path(), &["resolve", "demo::wait"]);
    assert!(listed.status.success());
}
