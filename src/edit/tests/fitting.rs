//! Code in any form is fitted to its place.

use super::super::fit::fit;
use super::{check, whole};

const FOUR: &str = "    ";

#[test]
fn flush_left_code_is_indented() {
    assert_eq!(fit("fn a() {\n    1\n}", FOUR, "\n"), "fn a() {\n        1\n    }");
    assert_eq!(fit("fn a() {\n\n    1\n}\n\n", FOUR, "\n"), "fn a() {\n\n        1\n    }");
    assert_eq!(fit("\n\nfn a() {}", FOUR, "\n"), "fn a() {}");
}

#[test]
fn code_that_was_copied_with_its_indentation_keeps_its_shape() {
    let code = "        fn a() {\n            1\n        }";
    assert_eq!(fit(code, FOUR, "\n"), "fn a() {\n        1\n    }");
    assert_eq!(fit(code, "", "\n"), "fn a() {\n    1\n}");
}

#[test]
fn code_whose_first_line_was_cut_keeps_its_shape() {
    let code = "fn a() {\n            1\n        }";
    assert_eq!(fit(code, FOUR, "\n"), "fn a() {\n        1\n    }");
    let code = "const A: u8 =\n        1;";
    assert_eq!(fit(code, FOUR, "\n"), code);
    assert_eq!(fit("const A: u8 =\n    1;", FOUR, "\n"), code);
}

#[test]
fn lines_that_begin_in_a_literal_stay_as_they_are() {
    let code = "fn a() {\n    \"one\n  two\n\"\n}";
    assert_eq!(fit(code, FOUR, "\n"), "fn a() {\n        \"one\n  two\n\"\n    }");
    let code = "fn a() {\n    r#\"{\n\"}\n\"#\n}";
    assert_eq!(fit(code, FOUR, "\n"), "fn a() {\n        r#\"{\n\"}\n\"#\n    }");
}

#[test]
fn code_is_indented_with_tabs_where_the_file_has_tabs() {
    assert_eq!(fit("fn a() {\n\t1\n}", "\t", "\n"), "fn a() {\n\t\t1\n\t}");
    check(
        "mod m {\n\tfn it() {}\n}\n",
        "it",
        whole("fn it() {\n\t1\n}"),
        "mod m {\n\tfn it() {\n\t\t1\n\t}\n}\n",
    );
}

#[test]
fn line_ends_are_those_of_the_file() {
    check(
        "fn it() {}\r\nfn b() {}\r\n",
        "it",
        whole("fn it() {\n    1\n}\n"),
        "fn it() {\r\n    1\r\n}\r\nfn b() {}\r\n",
    );
    check("fn it() {}\n", "it", whole("fn it() {\r\n    1\r\n}"), "fn it() {\n    1\n}\n");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    check("\u{feff}fn it() {}", "it", whole("fn it() { 1 }"), "\u{feff}fn it() { 1 }");
    check(
        "\u{feff}  fn it() {}\n",
        "it",
        whole("fn it() {\n    1\n}"),
        "\u{feff}  fn it() {\n      1\n  }\n",
    );
}

#[test]
fn nothing_after_the_last_item_is_added() {
    check("fn a() {}\nfn it() {}", "it", whole("fn it() { 1 }\n"), "fn a() {}\nfn it() { 1 }");
}

/// Whatever its formatting, even if other code like it would be indented differently.
#[test]
fn replacing_an_item_by_its_own_text_keeps_odd_formatting() {
    let item = "fn it() {\n  1\n}";
    check(
        &format!("mod m {{\n    {item}\n}}\n"),
        "it",
        whole(item),
        &format!("mod m {{\n    {item}\n}}\n"),
    );
}
