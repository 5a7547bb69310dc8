//! Replacing a part of an item.

use super::super::Part;
use super::super::{CanonicalEdit, Edit};
use super::{apply, check, part, refused, whole};

fn find(text: &str, code: &str) -> Edit {
    match part(Part::Whole, code) {
        Edit::Canonical(CanonicalEdit { path, code, .. }) => Edit::Canonical(CanonicalEdit {
            file_path: None,
            path,
            kind: None,
            has: None,
            part: Part::Whole,
            find: Some(text.to_owned()),
            all: false,
            code,
            expected_tracking_hash: None,
        }),
        other => other,
    }
}

/// A text to find may be the start of the item, its documentation or its attributes.
#[test]
fn a_text_is_found_in_all_of_the_item() {
    let before = "fn a() {}\n\n/// Says.\n#[inline]\npub fn it() {}\n\nfn b() {}\n";
    let with = |docs: &str| format!("fn a() {{}}\n\n{docs}pub fn it() {{}}\n\nfn b() {{}}\n");
    for (text, code, after) in [
        ("/// Says.", "", "\n#[inline]\n"),
        ("/// Says.", "// Not said.", "// Not said.\n#[inline]\n"),
        ("/// Says.", "/// More.\n///\n/// Lines.", "/// More.\n///\n/// Lines.\n#[inline]\n"),
        ("/// Says.\n#[inline]\n", "", ""),
        ("/// Says.\n#[inline]", "", "\n"),
        ("/// Says.\n#[inline]", "/* none */", "/* none */\n"),
        ("#[inline]", "", "/// Says.\n\n"),
        ("#[inline]\n", "// no\n\n", "/// Says.\n// no\n\n"),
        ("/// Says.\n", "\n// c\n/// Says.\n", "\n// c\n/// Says.\n#[inline]\n"),
    ] {
        check(before, "it", find(text, code), &with(after));
    }
    check("pub fn it() {}\n", "it", find("pub ", ""), "fn it() {}\n");
    check("pub fn it() {}\n", "it", find("pub", "// c\npub"), "// c\npub fn it() {}\n");
    check("fn it() {}\n", "it", find("fn it() {}", "fn it() { 1 }"), "fn it() { 1 }\n");
}

/// So may the documentation and attributes of what is in the item.
#[test]
fn a_text_is_found_in_the_items_of_the_item() {
    let before = "struct It {\n    /// A.\n    a: u8,\n    #[x]\n    b: u8,\n}\n\nfn b() {}\n";
    check(before, "It", find("    /// A.\n", ""), &before.replace("    /// A.\n", ""));
    check(before, "It", find("/// A.", "// A."), &before.replace("/// A.", "// A."));
    check(before, "It", find("#[x]", ""), &before.replace("#[x]", ""));
    let file = "//! Of the file.\n\n// c\nfn it() {}\n";
    check(file, "", find("//! Of the file.", ""), "\n\n// c\nfn it() {}\n");
    check(file, "", find("// c", "/// Docs"), "//! Of the file.\n\n/// Docs\nfn it() {}\n");
    check("/// A.\n// c\nfn it() {}\n", "it", part(Part::Docs, ""), "// c\nfn it() {}\n");
}

/// What is outside of the item, or in it but not beside the text, must stay.
#[test]
fn a_text_that_is_found_changes_nothing_outside() {
    for (before, text, code) in [
        ("fn it() {}\nfn b() {}\n", "{}", "{}\n/// Docs"),
        ("fn it() {}\nfn b() {}\n", "{}", "{}\n#[inline]"),
        ("fn it() {}\nfn b() {} // */\nfn c() {}\n", "{}", "{} /*"),
        ("mod it {\n    fn a() {}\n    fn b() {} // */\n    fn c() {}\n}\n", "a() {}", "a() {} /*"),
        ("/// Docs.\nfn it() {}\nfn b() {}\n", "fn it() {}", ""),
    ] {
        let said = refused(before, "it", find(text, code));
        assert!(said.contains("would change items outside"), "{before} {code}: {said}");
    }
}

#[test]
fn the_signature_leaves_body_and_attributes() {
    check(
        "/// Says.\n#[inline]\npub fn it(a: u8) -> u8 {\n    a\n}\n",
        "it",
        part(Part::Signature, "pub fn it(a: u8, b: u8) -> u8"),
        "/// Says.\n#[inline]\npub fn it(a: u8, b: u8) -> u8 {\n    a\n}\n",
    );
    check(
        "trait T {\n    fn it(&self);\n}\n",
        "it",
        part(Part::Signature, "fn it(\n    &self,\n    a: u8,\n)"),
        "trait T {\n    fn it(\n        &self,\n        a: u8,\n    );\n}\n",
    );
}

#[test]
fn the_body_comes_with_or_without_braces() {
    let before = "impl S {\n    fn it() -> u8 { 1 }\n}\n";
    let after = "impl S {\n    fn it() -> u8 {\n        2\n    }\n}\n";
    check(before, "it", part(Part::Body, "{\n    2\n}"), after);
    check(before, "it", part(Part::Body, "2"), after);
    check(
        "fn it() {}\n",
        "it",
        part(Part::Body, "{ 1 }\n{ 2 }"),
        "fn it() {\n    { 1 }\n    { 2 }\n}\n",
    );
    check("const it: u8 = 1 + 1;\n", "it", part(Part::Body, "2"), "const it: u8 = 2;\n");
}

#[test]
fn an_item_without_the_part_is_refused() {
    insta::assert_snapshot!(refused("trait T { fn it(); }", "it", part(Part::Body, "{}")), @r"
    `crate::it` has no body
    = replace the whole item: leave out `part`
    ");
}

#[test]
fn documentation_is_added_replaced_and_removed() {
    let docs = |code: &str| part(Part::Docs, code);
    check("fn it() {}\n", "it", docs("Says."), "/// Says.\nfn it() {}\n");
    check(
        "impl S {\n    #[inline]\n    fn it() {}\n}\n",
        "it",
        docs("One.\n\nTwo."),
        "impl S {\n    /// One.\n    ///\n    /// Two.\n    #[inline]\n    fn it() {}\n}\n",
    );
    check(
        "/// Old,\n/// longer.\n#[inline]\nfn it() {}\n",
        "it",
        docs("/// New."),
        "/// New.\n#[inline]\nfn it() {}\n",
    );
    check("/// Old.\nfn it() {}\n", "it", docs(""), "fn it() {}\n");
    check(
        "struct S {\n    it: u8,\n}\n",
        "it",
        docs("Says."),
        "struct S {\n    /// Says.\n    it: u8,\n}\n",
    );
    check("fn a() {}\n", "", docs("Of the file."), "//! Of the file.\n\nfn a() {}\n");
}

/// Other insertions at the place of new documentation come before it.
#[test]
fn documentation_stands_next_to_its_item() {
    let new = super::insert(super::Position::FirstChild, "a: u8");
    let edits = [("it", part(Part::Docs, "Says.")), ("struct S", new)];
    let found = apply("struct S {\n    it: u8,\n}\n", &edits).unwrap();
    assert_eq!(found, "struct S {\n    a: u8,\n    /// Says.\n    it: u8,\n}\n");
}

#[test]
fn documentation_cannot_bring_items_in() {
    let code = "/** Says. */ fn evil() {}";
    insta::assert_snapshot!(refused("fn it() {}\n", "it", part(Part::Docs, code)), @r"
    the edit of `it` would change items outside of it: function `evil`
    = close every bracket and comment in the code; edit the other items by their own paths
    ");
}

#[test]
fn the_comma_of_a_member_stays_one() {
    check(
        "enum E {\n    It,\n    B,\n}\n",
        "It",
        whole("It(u8),"),
        "enum E {\n    It(u8),\n    B,\n}\n",
    );
    check("enum E { It, B }", "B", whole("B(u8),"), "enum E { It, B(u8), }");
}

#[test]
fn a_byte_order_mark_stays_when_the_file_is_replaced() {
    check("\u{feff}fn a() {}\n", "", whole("fn b() {}\n"), "\u{feff}fn b() {}\n");
}
