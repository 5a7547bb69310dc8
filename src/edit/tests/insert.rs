//! New items: where they go, and what is between them and their neighbours.

use super::{Position, apply, check, insert, refused};
use Position::{After, Before, FirstChild, LastChild};

#[test]
fn beside_a_function() {
    let text = "fn a() {}\n\nfn it() {}\n\nfn b() {}\n";
    check(
        text,
        "it",
        insert(After, "fn c() {}"),
        "fn a() {}\n\nfn it() {}\n\nfn c() {}\n\nfn b() {}\n",
    );
    check(
        text,
        "it",
        insert(Before, "fn c() {}"),
        "fn a() {}\n\nfn c() {}\n\nfn it() {}\n\nfn b() {}\n",
    );
}

#[test]
fn comments_above_and_after_an_item_stay_with_it() {
    check(
        "fn a() {}\n\n// Of it.\nfn it() {} // still\n",
        "it",
        insert(Before, "fn c() {}"),
        "fn a() {}\n\nfn c() {}\n\n// Of it.\nfn it() {} // still\n",
    );
    check(
        "fn it() {} // still\n",
        "it",
        insert(After, "fn c() {}"),
        "fn it() {} // still\n\nfn c() {}\n",
    );
}

#[test]
fn in_an_enum() {
    let text = "enum It {\n    A,\n    B\n}\n";
    check(text, "It", insert(LastChild, "C"), "enum It {\n    A,\n    B,\n    C\n}\n");
    check(text, "It", insert(FirstChild, "C(u8)"), "enum It {\n    C(u8),\n    A,\n    B\n}\n");
    check("enum It { A, B }\n", "It", insert(LastChild, "C"), "enum It { A, B, C }\n");
    check("enum It {}\n", "It", insert(LastChild, "C"), "enum It {\n    C,\n}\n");
    check(text, "A", insert(After, "C,"), "enum It {\n    A,\n    C,\n    B\n}\n");
}

#[test]
fn in_a_struct() {
    let text = "struct It {\n    a: u8, // one\n}\n";
    check(
        text,
        "It",
        insert(LastChild, "b: u8"),
        "struct It {\n    a: u8, // one\n    b: u8,\n}\n",
    );
    check(
        "struct It { a: u8 }\n",
        "It",
        insert(FirstChild, "b: u8"),
        "struct It { b: u8, a: u8 }\n",
    );
    check("struct It {}\n", "It", insert(FirstChild, "b: u8"), "struct It {\n    b: u8,\n}\n");
}

#[test]
fn in_a_variant() {
    let new = || insert(LastChild, "b: u8");
    check("enum E { It {} }\n", "It", new(), "enum E { It {\n    b: u8,\n} }\n");
    check(
        "enum E {\n    /// Says.\n    It {},\n}\n",
        "It",
        new(),
        "enum E {\n    /// Says.\n    It {\n        b: u8,\n    },\n}\n",
    );
    check("enum E { It { a: u8 } }\n", "It", new(), "enum E { It { a: u8, b: u8 } }\n");
    for text in ["enum E { It }", "enum E { It() }", "enum E { It = { 1 } }"] {
        assert!(refused(text, "It", new()).contains("cannot have children"));
    }
}

#[test]
fn in_an_impl_a_trait_and_a_module() {
    for head in ["impl It", "trait It", "mod It"] {
        let target = match head {
            "impl It" => "impl <It>",
            "trait It" => "trait It",
            _ => "module It",
        };
        let target = if head == "impl It" { impl_name() } else { target.to_owned() };
        let (empty, one) = (format!("{head} {{}}\n"), format!("{head} {{\n    fn a() {{}}\n}}\n"));
        check(
            &empty,
            &target,
            insert(LastChild, "fn b() {}"),
            &format!("{head} {{\n    fn b() {{}}\n}}\n"),
        );
        check(
            &one,
            &target,
            insert(LastChild, "fn b() {\n    1;\n}"),
            &format!("{head} {{\n    fn a() {{}}\n\n    fn b() {{\n        1;\n    }}\n}}\n"),
        );
        check(
            &one,
            &target,
            insert(FirstChild, "fn b() {}"),
            &format!("{head} {{\n    fn b() {{}}\n\n    fn a() {{}}\n}}\n"),
        );
    }
}

/// The name of an impl does not matter here.
fn impl_name() -> String {
    let facts = super::parse_file_isolated(super::PATH, b"impl It {}\n");
    facts.items[1].name.clone()
}

#[test]
fn in_a_file() {
    check("fn a() {}\n", "", insert(FirstChild, "fn b() {}"), "fn b() {}\n\nfn a() {}\n");
    check("fn a() {}\n", "", insert(LastChild, "fn b() {}"), "fn a() {}\n\nfn b() {}\n");
    check("", "", insert(LastChild, "fn b() {}"), "fn b() {}\n");
    check("//! Says.\n", "", insert(FirstChild, "fn b() {}"), "//! Says.\n\nfn b() {}\n");
}

#[test]
fn one_line_declarations_have_no_blank_line_between_them() {
    check("use a::b;\n", "", insert(LastChild, "use a::c;"), "use a::b;\nuse a::c;\n");
    check("mod it;\n", "it", insert(After, "mod b;"), "mod it;\nmod b;\n");
    check(
        "const it: u8 = 1;\n",
        "it",
        insert(After, "const B: u8 = 2;"),
        "const it: u8 = 1;\nconst B: u8 = 2;\n",
    );
}

#[test]
fn an_anchor_without_children_is_refused() {
    insta::assert_snapshot!(refused("fn it() {}\n", "it", insert(FirstChild, "fn b() {}")), @r"
    `crate::it` cannot have children: it is a function
    = use `before` or `after`
    ");
    insta::assert_snapshot!(refused("struct It;\n", "It", insert(FirstChild, "b: u8")), @r"
    `crate::it` cannot have children: it is a struct
    = use `before` or `after`
    ");
    insta::assert_snapshot!(refused("fn a() {}\n", "", insert(Before, "fn b() {}")), @r"
    invalid request: `crate::it` is a file, which has no siblings: use `first_child` or `last_child`
    = RequestShapes
    ");
}

#[test]
fn two_at_one_place_come_in_the_order_of_the_request() {
    let edits = [("it", insert(After, "fn b() {}")), ("it", insert(After, "fn c() {}"))];
    let found = apply("fn it() {}\n", &edits).unwrap();
    assert_eq!(found, "fn it() {}\n\nfn b() {}\n\nfn c() {}\n");
}
