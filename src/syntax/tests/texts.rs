//! Forms of texts: bytes, lines, and that hashes do not depend on layout.

use super::*;

/// Byte and line of the name and the span of each item, as text.
fn places(text: &str) -> Vec<(String, u32, String)> {
    let facts = facts(text);
    assert_eq!(facts.issues, []);
    let part = |span: Span| text[span.start_byte as usize..span.end_byte as usize].to_owned();
    facts.items.iter().skip(1).map(|i| (i.name.clone(), i.name_line, part(i.span))).collect()
}

#[test]
fn spans_count_bytes_in_unicode_text() {
    let text = "/* 日本 */ /// ünï\n fn größe(ß: &str) { \"🦀🦀\"; fn 内部() {} }\n/*é*/struct 型 { あ: u8 }";
    let found = places(text);
    assert_eq!(found[0].0, "größe");
    assert_eq!(found[0].1, 2);
    assert!(found[0].2.starts_with("/// ünï\n fn größe"), "{found:?}");
    assert_eq!(found[1], ("内部".to_owned(), 2, "fn 内部() {}".to_owned()));
    assert_eq!(found[2], ("型".to_owned(), 3, "struct 型 { あ: u8 }".to_owned()));
    assert_eq!(found[3], ("あ".to_owned(), 3, "あ: u8".to_owned()));
}

#[test]
fn spans_count_bytes_in_long_lines() {
    let text = "fn é() { \"日本🦀\" } ".repeat(500);
    for (i, (name, line, part)) in places(&text).iter().enumerate() {
        assert_eq!((name.as_str(), *line, part.as_str()), ("é", 1, text[..24].trim()), "{i}");
    }
    assert_eq!(places(&text).len(), 500);
}

#[test]
fn byte_order_mark_and_shebang_shift_nothing() {
    let plain = "//! docs\n#![allow(x)]\nfn a() {}\n\nfn b() {}\n";
    for prelude in ["\u{feff}", "#!/usr/bin/env run\n", "\u{feff}#!/bin/sh é\n"] {
        let text = format!("{prelude}{plain}");
        let facts = facts(&text);
        assert_eq!(facts.issues, []);
        assert_eq!(facts.items[0].docs, "docs", "{prelude:?}");
        let b = named(&facts, "b");
        let lines = prelude.matches('\n').count() as u32;
        assert_eq!((b.name_start as usize, b.name_line), (text.len() - 7, 5 + lines));
    }
    // An attribute is not a shebang, even after a comment.
    let attribute = facts("#! /* no */ [allow(x)]\nfn a() {}");
    assert_eq!(attribute.items[0].attrs[0].text, "#![allow(x)]");
    assert_eq!(named(&attribute, "a").span.start_line, 2);
    let script = facts("#!/usr/bin/env cargo\n---\n[dependencies]\nx = 1 {{{\n---\nfn main() {}\n");
    assert_eq!(script.issues, []);
    assert_eq!(named(&script, "main").name_line, 6);
}

#[test]
fn carriage_returns_stay_in_texts_and_out_of_docs_and_hashes() {
    let unix = "/// one\n/// two\nfn a() {\n    1;\n}\n/** x\n * y\n */\nstruct B;\n";
    let dos = unix.replace('\n', "\r\n");
    let (unix, dos) = (facts(unix), facts(&dos));
    assert_eq!(named(&dos, "a").docs, "one\ntwo");
    assert_eq!(named(&dos, "B").docs, "x\ny");
    assert_eq!(outline(&unix), outline(&dos));
    assert_eq!(unix.token_hash, dos.token_hash);
    assert_ne!(unix.raw_hash, dos.raw_hash);
    let text = |f: &FileFacts| named(f, "a").text.clone().map(|(_, text)| text.len());
    assert_eq!((text(&unix), text(&dos)), (Some(33), Some(37)));
}

#[test]
fn lines_and_the_file_itself() {
    for (text, lines, end_line) in
        [("", 0, 1), ("fn a() {}", 1, 1), ("fn a() {}\n", 1, 1), ("\n\n// x\nfn a() {}\n\n", 5, 5)]
    {
        let facts = facts(text);
        let file = &facts.items[0];
        assert_eq!((facts.lines, file.span.end_line), (lines, end_line), "{text:?}");
        assert_eq!(file.span.end_byte as usize, text.len());
        assert_eq!(file.tracking_hash, facts.token_hash);
        assert_eq!((file.kind, file.name.as_str(), file.parent), (NodeKind::Module, "", 0));
    }
}

#[test]
fn layout_and_comments_and_place_do_not_change_hashes() {
    let one = facts("fn f(a: u8) -> Vec<Vec<u8>> { a += b; x }");
    let same = [
        "// c\n\nfn other() {}\n\nfn f ( a : u8 )\n->Vec< Vec <u8 > > /* c */ { // d\n a+=b ;x }",
        "mod deep { mod er { fn f(a: u8) -> Vec<Vec<u8>> { a += b; x } } }",
    ];
    for text in same {
        let facts = facts(text);
        assert_eq!(named(&facts, "f").tracking_hash, named(&one, "f").tracking_hash, "{text}");
        assert_eq!(named(&facts, "f").shape_hash, named(&one, "f").shape_hash, "{text}");
    }
    let other = [
        "fn f(a: u8) -> Vec<Vec<u8>> { a += c; x }",
        "fn f(a: u8) -> Vec<Vec<u8>> { a += b; \"x\" }",
        "pub fn f(a: u8) -> Vec<Vec<u8>> { a += b; x }",
        "#[inline] fn f(a: u8) -> Vec<Vec<u8>> { a += b; x }",
        "fn f(a: u8) -> Vec<Vec<u8>> { a + b; x }",
    ];
    for text in other {
        let facts = facts(text);
        assert_ne!(named(&facts, "f").tracking_hash, named(&one, "f").tracking_hash, "{text}");
        assert_ne!(named(&facts, "f").shape_hash, named(&one, "f").shape_hash, "{text}");
    }
}

#[test]
fn operators_are_distinguished_from_their_characters() {
    let hash = |body: &str| named(&facts(&format!("m! {{ {body} }}")), "m").tracking_hash;
    assert_ne!(hash("a += b"), hash("a + = b"));
    assert_ne!(hash("a && b"), hash("a & & b"));
    assert_ne!(hash("a b"), hash("ab"));
    assert_ne!(hash("'a' b"), hash("'a b"));
    assert_eq!(hash("a+-b"), hash("a + -b"));
    assert_eq!(hash("A<B<C>>=d"), hash("A<B<C> > = d"));
}

#[test]
fn a_new_name_or_documentation_keeps_the_shape() {
    let plain = facts("/// One.\nstruct A { x: u8 }\nimpl A { fn a(&self) -> A { a() } }");
    let renamed = facts("/// One.\nstruct B { x: u8 }\nimpl A { fn b(&self) -> A { a() } }");
    let documented = facts(
        "#[doc = \"Two\"]\n/** three */ struct A { /// four\n x: u8 }\nimpl A { /// five\n fn a(&self) -> A { a() } }",
    );
    for (old, new) in [("A", "B"), ("a", "b")] {
        let (old, new) = (named(&plain, old), named(&renamed, new));
        assert_eq!(old.shape_hash, new.shape_hash, "{}", old.name);
        assert_ne!(old.tracking_hash, new.tracking_hash, "{}", old.name);
    }
    for name in ["A", "a", "impl A"] {
        let (old, new) = (named(&plain, name), named(&documented, name));
        assert_eq!(old.shape_hash, new.shape_hash, "{name}");
        assert_ne!(old.tracking_hash, new.tracking_hash, "{name}");
    }
    // The name is replaced where it is defined, not where it is used.
    assert_ne!(
        named(&facts("fn a() { a() }"), "a").shape_hash,
        named(&facts("fn b() { b() }"), "b").shape_hash
    );
}

#[test]
fn a_child_changes_the_hash_of_its_parents_and_not_their_text() {
    let one = facts("impl A {\n    fn a() { 1 }\n\n    fn b() {}\n}\n");
    let two = facts("impl A {\n    fn a() { 2 }\n\n    fn b() {}\n}\n");
    let (old, new) = (named(&one, "impl A"), named(&two, "impl A"));
    assert_ne!(old.tracking_hash, new.tracking_hash);
    assert_eq!(old.text, new.text);
    let text = new.text.clone().map(|(_, text)| String::from_utf8(text));
    assert_eq!(text, Some(Ok("impl A {\n    \n\n    \n}".to_owned())));
    assert_eq!(one.items[0].text, two.items[0].text);
}
