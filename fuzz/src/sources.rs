//! Any bytes as a Rust file: consistent facts, and hashes that do not depend on layout.

use asof_model::FileFacts;
use asof_syntax::parse_file_isolated;

pub fn run(data: &[u8]) {
    let facts = parse_file_isolated("src/lib.rs", data);
    holds_together(&facts, data);
    let Ok(text) = std::str::from_utf8(data) else { return };
    if facts.partial {
        return;
    }
    // Blanks between two items of the file, and at its end.
    let mut spaced = String::new();
    let mut from = 0;
    for item in facts.items.iter().skip(1).filter(|item| item.parent == 0) {
        let start = item.span.start_byte as usize;
        if start >= from {
            spaced.push_str(text.get(from..start).unwrap_or_default());
            spaced.push_str("\n \t\n");
            from = start;
        }
    }
    spaced.push_str(text.get(from..).unwrap_or_default());
    spaced.push_str("\n// The end.\n");
    let again = parse_file_isolated("src/lib.rs", spaced.as_bytes());
    assert!(!again.partial, "blanks break it: {:?}", again.issues);
    assert_eq!(facts.items.len(), again.items.len());
    assert_eq!(facts.token_hash, again.token_hash);
    for (a, b) in facts.items.iter().zip(&again.items) {
        let told = |item: &asof_model::ItemFacts| {
            (item.kind, item.name.clone(), item.tracking_hash, item.shape_hash, item.parent)
        };
        assert_eq!(told(a), told(b));
        assert_eq!((&a.signature, &a.docs, &a.cfg), (&b.signature, &b.docs, &b.cfg));
    }
}

fn holds_together(facts: &FileFacts, data: &[u8]) {
    assert_eq!(facts.len as usize, data.len());
    assert!(!facts.items.is_empty(), "a file is an item");
    let text = std::str::from_utf8(data).ok();
    for (number, item) in facts.items.iter().enumerate() {
        let span = item.span;
        assert!(span.start_byte <= span.end_byte && span.end_byte <= facts.len, "{span:?}");
        assert!(1 <= span.start_line && span.start_line <= span.end_line, "{span:?}");
        assert!(span.end_line <= facts.lines.max(1), "{span:?} of {} lines", facts.lines);
        if let Some(text) = text {
            let cut = text.get(span.start_byte as usize..span.end_byte as usize);
            assert!(cut.is_some(), "{span:?} cuts a character");
        }
        if number == 0 {
            continue;
        }
        assert!((item.parent as usize) < number, "a parent comes first");
        let around = facts.items[item.parent as usize].span;
        assert!(
            around.start_byte <= span.start_byte && span.end_byte <= around.end_byte,
            "{} {span:?} is not within {around:?}",
            item.name
        );
        assert!(span.start_byte <= item.name_start && item.name_start <= span.end_byte);
    }
    for issue in &facts.issues {
        if let Some(span) = issue.span {
            assert!(span.start_byte <= span.end_byte && span.end_byte <= facts.len, "{issue:?}");
        }
    }
}
