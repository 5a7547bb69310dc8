//! Answers that are too large for one message.

use serde_json::{Value as Json, json};

use super::client::{Client, text_of};
use super::{indexed, write};

/// The cursor of an answer.
fn cursor(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(": cursor ")?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// A function, and this many that call it.
fn callers(count: usize) -> String {
    let mut text = String::from("pub fn target() {}\n");
    for n in 0..count {
        text.push_str(&format!("fn caller_{n:04}() {{\n    target();\n}}\n"));
    }
    text
}

#[test]
fn pages_have_every_item_once() {
    let work = indexed();
    write(work.path(), "src/lib.rs", &callers(150));
    for options in [&[] as &[&str], &["--structured"]] {
        let client = &mut Client::start(work.path(), options);
        let mut arguments = json!({ "path": "crate::target", "max_tokens": 1_000 });
        let mut seen = String::new();
        let mut pages = 0;
        loop {
            let result = client.result("where_used", arguments.clone());
            let text = text_of(&result);
            assert!(text.len() <= 3_000, "{} bytes", text.len());
            assert!(text.contains("150 uses in 1 file"), "{text}");
            seen.push_str(&text);
            pages += 1;
            let next = cursor(&text);
            if let Some(structured) = result.get("structuredContent") {
                assert_eq!(structured["cursor"].as_str(), next.as_deref());
                assert_eq!(structured["truncated"], next.is_some());
                let items = structured["items"].as_array().unwrap().len();
                assert_eq!(items, text.matches(" in demo::caller_").count());
            }
            let Some(next) = next else { break };
            arguments["cursor"] = next.into();
        }
        assert!(pages > 1);
        for n in 0..150 {
            assert_eq!(seen.matches(&format!("demo::caller_{n:04}")).count(), 1, "{n}");
        }
    }
}

#[test]
fn a_long_source_comes_in_pages() {
    let work = indexed();
    let body: String = (0..2_000).map(|n| format!("    let _x{n} = {n};\n")).collect();
    write(work.path(), "src/lib.rs", &format!("fn long() {{\n{body}}}\n"));
    let client = &mut Client::start(work.path(), &[]);
    let mut arguments = json!({ "path": ["crate::long"], "max_tokens": 3_000 });
    let mut lines = Vec::new();
    loop {
        let text = client.text("show", arguments.clone());
        assert!(text.len() < 9_300, "{}", text.len());
        lines.extend(text.lines().filter(|l| l.contains("let _x")).map(str::to_owned));
        let Some(next) = cursor(&text) else { break };
        arguments["cursor"] = next.into();
    }
    let expected: Vec<String> = body.lines().map(str::to_owned).collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_cursor_belongs_to_a_call_and_a_revision() {
    let work = indexed();
    write(work.path(), "src/lib.rs", &callers(150));
    let client = &mut Client::start(work.path(), &[]);
    let mut arguments = json!({ "path": "crate::target", "max_tokens": 500 });
    let next = cursor(&client.text("where_used", arguments.clone())).unwrap();
    arguments["cursor"] = next.as_str().into();
    let error = client.error("where_used", json!({ "path": "crate::other", "cursor": next }));
    assert!(error.contains("is not a cursor of this call"), "{error}");
    let error = client.error("outline", json!({ "path": "crate::target", "cursor": "x" }));
    assert!(error.contains("is not a cursor of this call"), "{error}");
    client.text("where_used", arguments.clone());
    write(work.path(), "src/lib.rs", &callers(151));
    let error = client.error("where_used", arguments);
    assert!(error.contains("cursor is stale") && error.contains("without `cursor`"), "{error}");
}

#[test]
fn nothing_is_larger_than_the_limit() {
    let work = indexed();
    let docs = |bytes: usize| format!("/// {}\n", "x".repeat(bytes));
    let item = |n: usize| format!("{}fn f{n}() {{\n    target();\n}}\n", docs(600));
    let items: String = (0..80).map(item).collect();
    let long = format!("{}pub fn f() {{}}\npub fn target() {{}}\n{items}", docs(100_000));
    write(work.path(), "src/lib.rs", &long);
    let client = &mut Client::start(work.path(), &[]);
    let mut fits = |tool: &str, arguments: Json| {
        let text = client.text(tool, arguments);
        assert!(text.len() <= 30_200, "{tool}: {} bytes", text.len());
    };
    let most = 1_000_000;
    fits("show", json!({ "path": ["crate::f"], "max_tokens": most }));
    fits("show", json!({ "path": ["src/lib.rs"], "max_tokens": most }));
    fits("outline", json!({ "path": "crate", "depth": 9, "max_tokens": most }));
    fits("where_used", json!({ "path": "crate::target", "snippets": true, "max_tokens": most }));
    fits("query", json!({ "script": "?[a, b] := *node{id: a, docs: b}", "max_tokens": most }));
    fits("diff", json!({ "from": "NOW", "max_tokens": most }));
}
