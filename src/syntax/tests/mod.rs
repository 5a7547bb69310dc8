//! `outline` prints the facts of a text, one item a line; the tests compare it with an expected
//! text.
#![allow(clippy::string_slice)]

mod broken;
mod corpus;
mod details;
mod hostile;
mod items;
mod texts;

use super::*;
use asof_model::{FileFacts, Header, IssueKind, ItemFacts, NodeKind, Span};

/// Facts of a text, checked for what must always hold.
fn facts(text: &str) -> FileFacts {
    let facts = parse_file_isolated("src/lib.rs", text.as_bytes());
    invariants(&facts, text.as_bytes());
    facts
}

/// The outline of a text that parses.
fn check(text: &str, expected: &str) {
    let facts = facts(text);
    assert_eq!(facts.issues, []);
    assert!(!facts.partial);
    assert_eq!(outline(&facts).trim(), expected.trim());
}

/// The first item of this name.
fn named<'a>(facts: &'a FileFacts, name: &str) -> &'a ItemFacts {
    let found = facts.items.iter().skip(1).find(|item| item.name == name);
    found.unwrap_or_else(|| panic!("no {name} in\n{}", outline(facts)))
}

/// What holds for every file: spans are in their parents and do not overlap, pre-order, texts
/// re-assemble.
fn invariants(facts: &FileFacts, bytes: &[u8]) {
    let path = &facts.path;
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (i, item) in facts.items.iter().enumerate() {
        assert!(item.span.end_byte as usize <= bytes.len(), "{path}: {item:?}");
        if i == 0 {
            open.push((0, 0));
            continue;
        }
        assert!((item.parent as usize) < i, "{path}: parent behind {}", item.name);
        while open.last().is_some_and(|last| last.0 != item.parent as usize) {
            open.pop();
        }
        let Some(last) = open.last_mut() else { panic!("{path}: {} not in pre-order", item.name) };
        assert!(last.1 <= item.span.start_byte, "{path}: {} overlaps: {item:?}", item.name);
        last.1 = item.span.end_byte;
        let parent = &facts.items[item.parent as usize];
        assert!(parent.span.contains(&item.span), "{path}: {item:?} leaves {parent:?}");
        assert!(item.span.start_byte < item.span.end_byte, "{path}: empty {item:?}");
        assert!(item.span.start_byte <= item.name_start, "{path}: {item:?}");
        assert!(item.name_start < item.span.end_byte, "{path}: {item:?}");
        open.push((i, item.span.start_byte));
        let line =
            |at: u32| bytes[..at as usize].iter().filter(|b| **b == b'\n').count() as u32 + 1;
        if bytes.len() < 100_000 {
            assert_eq!(item.span.start_line, line(item.span.start_byte));
            assert_eq!(item.span.end_line, line(item.span.end_byte - 1));
            assert_eq!(item.name_line, line(item.name_start));
        }
        if matches!(item.kind, NodeKind::Function | NodeKind::Struct | NodeKind::Const) {
            let text = &bytes[item.name_start as usize..];
            let text = text.strip_prefix(b"r#").unwrap_or(text);
            assert!(text.starts_with(item.name.as_bytes()), "{path}: {}", item.name);
        }
    }
    assert_eq!(assemble(facts), bytes, "{path} does not re-assemble");
}

/// The file, put together from the texts with holes.
fn assemble(facts: &FileFacts) -> Vec<u8> {
    let mut whole: Vec<Vec<u8>> = Vec::new();
    whole.resize(facts.items.len(), Vec::new());
    for i in (0..facts.items.len()).rev() {
        let item = &facts.items[i];
        let Some((_, text)) = &item.text else { continue };
        let mut out = Vec::new();
        let (mut taken, mut at) = (0, item.span.start_byte);
        for (j, child) in facts.items.iter().enumerate().skip(i + 1) {
            if child.span.start_byte >= item.span.end_byte {
                break;
            }
            if child.parent as usize == i && child.text.is_some() {
                let before = (child.span.start_byte - at) as usize;
                out.extend_from_slice(&text[taken..taken + before]);
                out.extend_from_slice(&whole[j]);
                (taken, at) = (taken + before, child.span.end_byte);
            }
        }
        out.extend_from_slice(&text[taken..]);
        whole[i] = out;
    }
    whole.swap_remove(0)
}

/// One line an item: indentation by depth, kind, name, and what else there is.
fn outline(facts: &FileFacts) -> String {
    let mut depth = vec![0usize; facts.items.len()];
    let mut out = String::new();
    for (i, item) in facts.items.iter().enumerate().skip(1) {
        if item.parent > 0 {
            depth[i] = depth[item.parent as usize] + 1;
        }
        let line = [
            format!("{}{} {}", "  ".repeat(depth[i]), item.kind, item.name),
            format!(" `{}`", item.signature),
            part("vis", &item.visibility),
            part("cfg", &item.cfg),
            part("docs", &item.docs.replace('\n', "⏎")),
            part("attrs", &texts(item)),
            if item.in_body { " in_body".to_owned() } else { String::new() },
        ];
        out.push_str(line.concat().trim_end());
        out.push('\n');
    }
    out
}

fn texts(item: &ItemFacts) -> String {
    item.attrs.iter().map(|attr| attr.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn part(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}={value}") }
}
