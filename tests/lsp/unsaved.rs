//! Text that is not saved: after any edits, names are where a fresh index of that text finds them.

use std::path::Path;

use asof::{Database, IndexOptions, Refresh, Silent, When};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::client::{Client, uri};
use super::demo::{RETRY, bare, write};

/// Edits of the random test; `ASOF_EDITS` for more.
fn edits() -> usize {
    std::env::var("ASOF_EDITS").map_or(150, |n| n.parse().unwrap())
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Line and column of a byte, in UTF-16.
fn position(text: &str, byte: usize) -> Json {
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let line = text[..byte].matches('\n').count();
    json!({ "line": line, "character": text[start..byte].encode_utf16().count() })
}

fn boundary(text: &str, mut byte: usize) -> usize {
    while !text.is_char_boundary(byte) || text[..byte].ends_with('\r') {
        byte += 1;
    }
    byte
}

/// Places of names, and of what they mean.
type Uses = Vec<(Json, Json)>;
/// Names with their places.
type Items = Vec<(String, Json)>;

/// A document that is open, and the same text in a workspace that is indexed after each edit.
struct Twins {
    open: TempDir,
    client: Client,
    saved: TempDir,
    database: Database,
    text: String,
    version: i32,
}

const FILE: &str = "src/retry.rs";

impl Twins {
    fn start(text: &str) -> Self {
        let (open, saved) = (bare(), bare());
        let mut client = Client::session(open.path(), "utf-16", json!({}));
        client.open(&open.path().join(FILE), text);
        let database = Database::create_or_open(saved.path()).unwrap();
        let mut twins = Self { open, client, saved, database, text: text.to_owned(), version: 1 };
        twins.save();
        twins
    }

    /// Writes the text to the other workspace, and indexes it.
    fn save(&mut self) {
        write(self.saved.path(), FILE, &self.text);
        self.database
            .refresh(
                &IndexOptions { reread: asof_index::Reread::All, ..IndexOptions::default() },
                &Silent,
            )
            .unwrap();
    }

    fn edit(&mut self, start: usize, end: usize, new: &str) {
        let range =
            json!({ "start": position(&self.text, start), "end": position(&self.text, end) });
        self.version += 1;
        let document = json!({ "uri": uri(&self.open.path().join(FILE)), "version": self.version });
        let changes = json!([{ "range": range, "text": new }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.client.notify("textDocument/didChange", params);
        self.text.replace_range(start..end, new);
    }

    /// Where each use of the file leads within it, by a fresh index: place of the name, and of the
    /// definition's; and the places of its items. None if the text does not parse.
    fn expected(&mut self) -> Option<(Uses, Items)> {
        self.save();
        let snapshot = self.database.snapshot(&When::Newest, Refresh::Skip).unwrap();
        let source = snapshot.file_source(FILE).ok()?;
        if source.partial {
            return None;
        }
        let mut uses = Vec::new();
        // A guess is no definition.
        for link in source.links.iter().filter(|link| link.confidence >= 0.5) {
            let target = source.targets[link.target].id;
            if let Some(item) = source.items.iter().find(|item| item.id == target) {
                let name = |byte: u32| position(&self.text, byte as usize);
                uses.push((name(link.start), name(item.name_start)));
            }
        }
        let items = source.items.iter().filter(|item| {
            !matches!(item.kind.as_str(), "import" | "macro_call" | "foreign_mod" | "unknown")
        });
        let items =
            items.map(|item| (item.name.clone(), position(&self.text, item.name_start as usize)));
        Some((uses, items.collect()))
    }

    fn symbols(&mut self) -> Vec<(String, Json)> {
        let document = json!({ "textDocument": { "uri": uri(&self.open.path().join(FILE)) } });
        let found = self.client.request("textDocument/documentSymbol", document);
        let mut all = Vec::new();
        flatten(&found, &mut all);
        all
    }

    fn definition(&mut self, at: &Json) -> Json {
        let document = json!({ "uri": uri(&self.open.path().join(FILE)) });
        let params = json!({ "textDocument": document, "position": at });
        self.client.request("textDocument/definition", params)
    }
}

fn flatten(symbols: &Json, all: &mut Vec<(String, Json)>) {
    for one in symbols.as_array().into_iter().flatten() {
        all.push((
            one["name"].as_str().unwrap().to_owned(),
            one["selectionRange"]["start"].clone(),
        ));
        flatten(&one["children"], all);
    }
}

#[test]
fn what_is_typed_is_understood_before_it_is_saved() {
    let mut twins = Twins::start(RETRY);
    let end = twins.text.len();
    twins.edit(end, end, "\nfn typed() -> u32 { next_delay(LIMIT) }\nfn again() { typed(); }\n");
    let at = twins.text.rfind("typed").unwrap();
    let at = position(&twins.text, at);
    let found = twins.definition(&at);
    let there = position(&twins.text, twins.text.find("typed").unwrap());
    assert_eq!(found[0]["range"]["start"], there, "{found}");
    // Broken text keeps what was known, at its new place.
    twins.edit(0, 0, "fn broken( {\n");
    let symbols = twins.symbols();
    let typed = position(&twins.text, twins.text.find("typed").unwrap());
    assert!(symbols.contains(&("typed".to_owned(), typed)), "{symbols:?}");
    // Nothing was written.
    assert_eq!(std::fs::read_to_string(twins.open.path().join(FILE)).unwrap(), RETRY);
}

#[test]
fn items_that_are_only_typed_are_found_and_called() {
    let mut twins = Twins::start(RETRY);
    let end = twins.text.len();
    twins.edit(end, end, "\nfn typed() -> u32 { next_delay(LIMIT) }\nfn again() { typed(); }\n");
    let found = twins.client.request("workspace/symbol", json!({ "query": "again" }));
    assert_eq!(
        (&found[0]["name"], &found[0]["containerName"]),
        (&json!("again"), &json!("demo::retry"))
    );
    let name = |one: &Json| one["name"].as_str().unwrap().to_owned();
    let document = json!({ "uri": uri(&twins.open.path().join(FILE)) });
    let at = position(&twins.text, twins.text.find("typed").unwrap());
    let params = json!({ "textDocument": document, "position": at });
    let items = twins.client.request("textDocument/prepareCallHierarchy", params.clone());
    assert_eq!(name(&items[0]), "typed");
    let item = json!({ "item": items[0] });
    let called = twins.client.request("callHierarchy/outgoingCalls", item.clone());
    assert_eq!(name(&called[0]["to"]), "next_delay");
    let callers = twins.client.request("callHierarchy/incomingCalls", item);
    assert_eq!(name(&callers[0]["from"]), "again");
    let there = position(&twins.text, twins.text.rfind("typed").unwrap());
    assert_eq!(callers[0]["fromRanges"][0]["start"], there);
    // Of a saved item, the callers that the text has now.
    let item = json!({ "item": called[0]["to"] });
    let callers = twins.client.request("callHierarchy/incomingCalls", item);
    let names: Vec<String> =
        callers.as_array().unwrap().iter().map(|one| name(&one["from"])).collect();
    assert_eq!(names, ["wait", "next", "typed"]);
    let given = json!({ "uri": document["uri"], "position": params["position"] });
    let run = json!({ "command": "asof.history", "arguments": [given] });
    let (_, message) = twins.client.refused("workspace/executeCommand", run);
    assert!(message.contains("not saved yet"), "{message}");
}

#[test]
fn after_any_edit_names_are_where_a_fresh_index_finds_them() {
    let text = format!(
        "{RETRY}\n/// Größe 😀\r\npub fn größe(x: &Backoff) -> u32 {{\r\n    x.tries + LIMIT\r\n}}\r\n"
    );
    let mut twins = Twins::start(&text);
    let mut random = Random(7);
    let pieces = [
        "x",
        "😀",
        "\n",
        "\r\n",
        "fn f() {}\n",
        "// é\n",
        "{",
        "}",
        "(",
        " ",
        "let y = LIMIT;\n",
        "struct T { a: u32 }\n",
        "impl Backoff { fn g(&self) -> u32 { self.tries } }\n",
        "/*",
        "*/",
        "\"",
        "fn half(",
        "mod m { pub fn h() {} }\n",
    ];
    let (mut whole, mut compared) = (0, 0);
    let mut good = twins.text.clone();
    for number in 0..edits() {
        // A text that stays broken would be compared with nothing.
        if number % 5 == 4 && twins.text != good {
            let end = twins.text.len();
            let text = good.clone();
            twins.edit(0, end, &text);
        } else {
            let len = twins.text.len();
            let start = boundary(&twins.text, random.below(len));
            let until = (start + random.below(6)).min(len);
            let end = if random.below(2) == 0 { boundary(&twins.text, until) } else { start };
            twins.edit(start, end, pieces[random.below(pieces.len())]);
        }
        let symbols = twins.symbols();
        let Some((uses, mut items)) = twins.expected() else {
            for (name, at) in symbols {
                let line = twins.text.split('\n').nth(at["line"].as_u64().unwrap() as usize);
                assert!(line.is_some(), "{name} {at}");
            }
            continue;
        };
        whole += 1;
        good.clone_from(&twins.text);
        let mut symbols = symbols;
        symbols.sort_by_key(|(name, at)| (name.clone(), at.to_string()));
        for (name, _) in &mut items {
            if name.trim().is_empty() {
                "?".clone_into(name);
            }
        }
        items.sort_by_key(|(name, at)| (name.clone(), at.to_string()));
        let places = |all: &[(String, Json)]| -> Vec<String> {
            let mut all: Vec<String> = all.iter().map(|(_, at)| at.to_string()).collect();
            all.sort();
            all
        };
        assert_eq!(places(&symbols), places(&items), "edit {number}:\n{}", twins.text);
        for _ in 0..10.min(uses.len()) {
            let (at, there) = &uses[random.below(uses.len())];
            let found = twins.definition(at);
            let starts: Vec<&Json> =
                found.as_array().into_iter().flatten().map(|one| &one["range"]["start"]).collect();
            assert!(starts.contains(&there), "edit {number} {at}: {found}\n{}", twins.text);
            compared += 1;
        }
    }
    assert!(whole * 5 > edits() && compared > 0, "{whole} of {} texts parse", edits());
}

#[test]
fn text_of_the_disk_replaces_that_of_a_closed_document() {
    let mut twins = Twins::start(RETRY);
    twins.edit(0, 0, "\n\n");
    let path = twins.open.path().join(FILE);
    let line = |symbols: Vec<(String, Json)>| symbols[0].1["line"].as_u64().unwrap();
    assert_eq!(line(twins.symbols()), 2);
    let document = json!({ "textDocument": { "uri": uri(&path) } });
    twins.client.notify("textDocument/didClose", document);
    assert_eq!(line(twins.symbols()), 0);
    assert!(Path::new(&path).exists());
}
