//! What must hold for every item of every file: of the fixtures, and of this program.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::splice::compose;
use super::super::view::FileView;
use super::super::{Edit, Part, Position};
use super::{PATH, changes_of, delete, insert, whole};
use asof_model::{FileFacts, ItemFacts, NodeKind};
use asof_syntax::parse_file_isolated;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn texts() -> Vec<(PathBuf, String)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    files(&home.join("fixtures"), &mut found);
    files(&home.join("src/edit"), &mut found);
    files(&home.join("src/syntax"), &mut found);
    found.sort();
    let read = |path: PathBuf| fs::read_to_string(&path).ok().map(|text| (path, text));
    let texts: Vec<_> = found.into_iter().filter_map(read).collect();
    assert!(texts.len() > 50);
    texts
}

fn edited(text: &str, facts: &FileFacts, index: u32, edit: &Edit) -> Result<String, String> {
    let view = FileView::new(PATH, text, facts);
    let change = changes_of(&view, index, edit, 0).map_err(|error| error.to_string())?;
    let mut splices = change.splices;
    compose(PATH, text, &mut splices).map(|(text, _)| text).map_err(|error| error.to_string())
}

fn own<'a>(text: &'a str, item: &ItemFacts) -> &'a str {
    &text[item.span.start_byte as usize..item.span.end_byte as usize]
}

#[test]
fn an_item_replaced_by_its_own_text_changes_no_byte() {
    let mut seen = 0;
    for (path, text) in texts() {
        let facts = parse_file_isolated(PATH, text.as_bytes());
        for (at, item) in facts.items.iter().enumerate().skip(1) {
            let mut edits = vec![whole(own(&text, item))];
            let parts = FileView::new(PATH, &text, &facts).anatomy(at as u32);
            if !parts.signature.is_empty() {
                let range = parts.signature.start as usize..parts.signature.end as usize;
                edits.push(super::part(Part::Signature, &text[range]));
            }
            for edit in edits {
                let found = edited(&text, &facts, at as u32, &edit);
                let place = format!("{}: {} {}", path.display(), item.kind, item.name);
                assert_eq!(found.as_deref(), Ok(text.as_str()), "{place}");
                seen += 1;
            }
        }
    }
    assert!(seen > 1_000, "{seen}");
}

/// Names, kinds and hashes in order. A comma may be added or removed in the item that contains a
/// member: its hash is left out.
fn outline(facts: &FileFacts, member: usize) -> Vec<(NodeKind, String, String)> {
    let mut around = vec![0];
    let mut at = member;
    while at > 0 {
        at = facts.items[at].parent as usize;
        around.push(at);
    }
    let hash = |at: usize, i: &ItemFacts| {
        if around.contains(&at) { String::new() } else { i.tracking_hash.to_string() }
    };
    let items = facts.items.iter().enumerate().skip(1);
    items.map(|(at, i)| (i.kind, i.name.clone(), hash(at, i))).collect()
}

#[test]
fn an_item_that_is_deleted_and_put_back_is_the_same() {
    let mut seen = 0;
    for (path, text) in texts() {
        let facts = parse_file_isolated(PATH, text.as_bytes());
        if facts.partial {
            continue;
        }
        for (at, item) in facts.items.iter().enumerate().skip(1) {
            // Items within macros and bodies have no neighbours of their own.
            let above = facts.items[item.parent as usize].kind;
            if above == NodeKind::MacroCall {
                continue;
            }
            let siblings = |i: &(usize, &ItemFacts)| i.1.parent == item.parent;
            let mut before = facts.items.iter().enumerate().take(at).skip(1);
            let before = before.rfind(siblings);
            let tuple = item.kind == NodeKind::Field && item.name.parse::<u32>().is_ok();
            let (Some((anchor, _)), false, false) = (before, tuple, item.in_body) else { continue };
            let place = format!("{}: {} {}", path.display(), item.kind, item.name);
            let gone = edited(&text, &facts, at as u32, &delete()).unwrap();
            let less = parse_file_isolated(PATH, gone.as_bytes());
            assert!(!less.partial, "{place}:\n{gone}");
            let edit = insert(Position::After, own(&text, item));
            let back = edited(&gone, &less, anchor as u32, &edit).unwrap();
            let again = parse_file_isolated(PATH, back.as_bytes());
            assert!(outline(&again, at) == outline(&facts, at), "{place}:\n{back}");
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen}");
}
