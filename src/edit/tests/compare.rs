//! Code that would change more than its item is refused.

use super::{Position, apply, check, delete, insert, refused, splice, whole};

const TWO: &str = "fn it() {\n    1;\n}\n\nfn b() {\n    2;\n}\n";

#[test]
fn a_bracket_too_few_or_too_many() {
    insta::assert_snapshot!(refused(TWO, "it", whole("fn it() {")), @r"
    src/lib.rs does not parse with the edit: `{` is never closed
          1 | fn it() {
    = AllowBroken
    ");
    insta::assert_snapshot!(refused(TWO, "it", whole("fn it() {}}")), @r"
    src/lib.rs does not parse with the edit: `}` closes nothing
          1 | fn it() {}}
    = AllowBroken
    ");
}

#[test]
fn a_neighbour_that_is_swallowed() {
    let text = "mod m {\n    fn it() {}\n    fn b() {}\n}\nfn c() {}\n";
    insta::assert_snapshot!(refused(text, "it", whole("fn it() {} } mod n {")), @r"
    the edit of `it` would change items outside of it: function `b`, function `c`
    = close every bracket and comment in the code; edit the other items by their own paths
    ");
    let text = "fn it() {}\nfn b() {} // */\nfn c() {}\n";
    insta::assert_snapshot!(refused(text, "it", whole("fn it() {} /*")), @r"
    the edit of `it` would change items outside of it: function `b`, function `c`
    = close every bracket and comment in the code; edit the other items by their own paths
    ");
    let text = "fn it() {}\nconst B: &str = \"\";\nfn c() {}\n";
    insta::assert_snapshot!(refused(text, "it", whole("const it: &str = \"")), @r#"
    src/lib.rs does not parse with the edit: a literal or a comment is not closed, or a character is not part of Rust
          2 | const B: &str = "";
    = AllowBroken
    "#);
}

#[test]
fn another_item_than_the_one() {
    insta::assert_snapshot!(refused(TWO, "it", whole("struct It;")), @r"
    `it` is a function, but the code is struct `It`
    = give exactly one item of that kind; to add others use `insert`, to change the kind use `delete` and `insert` or a `splice`
    ");
    insta::assert_snapshot!(refused(TWO, "it", whole("fn it() {}\nfn c() {}")), @r"
    `it` is a function, but the code is function `it`, function `c`
    = give exactly one item of that kind; to add others use `insert`, to change the kind use `delete` and `insert` or a `splice`
    ");
    insta::assert_snapshot!(refused(TWO, "it", whole("// nothing")), @r"
    `it` is a function, but the code is no item
    = give exactly one item of that kind; to add others use `insert`, to change the kind use `delete` and `insert` or a `splice`
    ");
    insta::assert_snapshot!(refused(TWO, "it", whole(" \n")), @r"
    canonical of `crate::it`: the code is empty
    = to remove an item, use the mode `delete`
    ");
}

/// The reason names the edit that is at fault, not the first of the request.
#[test]
fn the_edit_at_fault_is_named() {
    let text = "fn a() {}\n\nmod m {\n    fn it() {}\n    fn b() {}\n}\n";
    let edits = [("a", whole("fn a() { 1; }")), ("it", whole("fn it() {} } mod n {"))];
    insta::assert_snapshot!(apply(text, &edits).unwrap_err(), @r"the edit of `it` would change items outside of it: function `b`");
}

#[test]
fn a_splice_may_change_the_item_that_it_touches() {
    check("fn it() {}\n", "", splice(0, 0, "pub "), "pub fn it() {}\n");
    check("pub fn it() {}\n", "", splice(0, 4, ""), "fn it() {}\n");
    check("fn it() {}\n", "", splice(0, 0, "/// Says.\n"), "/// Says.\nfn it() {}\n");
    check("fn it() {}\nfn b() {}\n", "", splice(3, 15, "b() {}\nfn c"), "fn b() {}\nfn c() {}\n");
}

/// Only one of them is next to the item after it.
#[test]
fn insertions_at_one_place_go_together() {
    let edits = [("", splice(8, 8, "/* c */ ")), ("It", insert(Position::FirstChild, "B"))];
    let found = apply("enum It{A}", &edits).unwrap();
    assert_eq!(found, "enum It{B, /* c */ A}");
}

#[test]
fn a_splice_may_not_change_others() {
    let text = "fn a() { 1; }\nfn b() {} // */ }\nfn c() {}\n";
    insta::assert_snapshot!(refused(text, "", splice(9, 11, "/*")), @r"
    the edit of `` would change items outside of it: function `b`, function `c`
    = close every bracket and comment in the code; edit the other items by their own paths
    ");
}

#[test]
fn a_broken_file_can_be_fixed() {
    check("fn it() { 1 \n", "", splice(12, 12, "}"), "fn it() { 1 }\n");
}

#[test]
fn an_item_may_be_renamed() {
    check("fn it() {}\n", "it", whole("fn other() {}"), "fn other() {}\n");
    let edits = [("it", delete()), ("b", whole("fn it() {}"))];
    assert_eq!(apply("fn it() {}\nfn b() {}\n", &edits).unwrap(), "fn it() {}\n");
}
