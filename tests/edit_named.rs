//! What edits can address beyond a plain path: items without a name, `cfg` duplicates, signatures,
//! declarations, places within an item.

use std::fs;

use asof::{Database, EditOptions};
use asof_edit::EditRequest;
use serde_json::{Value, json};

use crate::support::tempdir;

/// Files of a crate, before and after.
type Files<'a> = &'a [(&'a str, &'a str)];

fn workspace(files: Files<'_>) -> (tempfile::TempDir, Database) {
    let folder = tempdir();
    fs::write(
        folder.path().join("Cargo.toml"),
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    )
    .unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let database = Database::create_or_open(folder.path()).unwrap();
    (folder, database)
}

#[track_caller]
fn check(files: Files<'_>, edits: Value, expected: Files<'_>) {
    let (folder, database) = workspace(files);
    let request = EditRequest::parse(&json!({ "edits": edits }).to_string()).unwrap();
    if let Err(error) = database.edit(&request, &EditOptions::default()) {
        panic!("refused: {error}\n{:?}", error.hint());
    }
    for (path, text) in expected {
        assert_eq!(fs::read_to_string(folder.path().join(path)).unwrap(), *text, "{path}");
    }
}

#[track_caller]
fn one_file(text: &str, edits: Value, expected: &str) {
    check(&[("src/lib.rs", text)], edits, &[("src/lib.rs", expected)]);
}

#[track_caller]
fn refused(text: &str, edit: Value, reason: &str) {
    let (folder, database) = workspace(&[("src/lib.rs", text)]);
    let request = EditRequest::parse(&json!({ "edits": [edit] }).to_string()).unwrap();
    let error = database.edit(&request, &EditOptions::default()).expect_err("was applied");
    assert!(error.to_string().contains(reason), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("src/lib.rs")).unwrap(), text);
}

#[test]
fn imports_macro_calls_and_extern_blocks_are_named_by_what_they_hold() {
    one_file(
        "use std::fmt;\nuse std::io::Read;\n\nshow!(u8);\nshow!(u16);\n\nunsafe extern \"C\" {\n    fn f();\n}\n",
        json!([
            {"mode": "delete", "path": "crate", "kind": "import", "has": "std::fmt"},
            {"mode": "canonical", "path": "crate", "kind": "import", "has": "std::io",
             "code": "use std::io::{Read, Write};"},
            {"mode": "canonical", "path": "crate", "kind": "macro_call", "has": "u16",
             "code": "show!(u32);"},
            {"mode": "insert", "anchor": "crate", "kind": "foreign_mod",
             "position": "last_child", "code": "fn g();"},
        ]),
        "use std::io::{Read, Write};\n\nshow!(u8);\nshow!(u32);\n\nunsafe extern \"C\" {\n    fn f();\n\n    fn g();\n}\n",
    );
}

#[test]
fn a_nameless_item_that_several_texts_fit_is_refused() {
    let text = "use std::fmt;\nuse std::fmt::Debug;\n";
    let delete =
        |has: &str| json!({"mode": "delete", "path": "crate", "kind": "import", "has": has});
    refused(text, delete("std::fmt"), "means 2");
    refused(text, delete("std::io"), "there is no import");
}

#[test]
fn twins_under_different_cfgs_are_told_apart_by_their_text() {
    one_file(
        "#[cfg(unix)]\nfn f() -> u8 {\n    1\n}\n#[cfg(windows)]\nfn f() -> u8 {\n    1\n}\n",
        json!([{"mode": "canonical", "path": "crate::f", "has": "cfg(windows)", "part": "body",
                "code": "{\n    2\n}"}]),
        "#[cfg(unix)]\nfn f() -> u8 {\n    1\n}\n#[cfg(windows)]\nfn f() -> u8 {\n    2\n}\n",
    );
}

#[test]
fn equal_methods_are_told_apart_by_the_head_of_their_impl() {
    one_file(
        "struct F<T>(T);\nimpl F<u8> {\n    fn n() {}\n}\nimpl F<u16> {\n    fn n() {}\n}\n",
        json!([{"mode": "canonical", "path": "crate::F::n", "has": "impl F<u16>",
                "code": "fn n() -> u8 {\n    1\n}"}]),
        "struct F<T>(T);\nimpl F<u8> {\n    fn n() {}\n}\nimpl F<u16> {\n    fn n() -> u8 {\n        1\n    }\n}\n",
    );
}

#[test]
fn generic_arguments_of_a_trait_are_found_whatever_their_spaces() {
    let text = "pub trait C<A, B> {\n    fn c(&self);\n}\nimpl<T> C<T, u8> for Vec<T> {\n    fn c(&self) {}\n}\n";
    for canon in ["<Vec as C<T, u8>>::c", "<Vec as C<T,u8>>::c"] {
        one_file(
            text,
            json!([{"mode": "canonical", "path": canon, "part": "attributes", "code": "#[cold]"}]),
            &text.replace("    fn c(&self) {}", "    #[cold]\n    fn c(&self) {}"),
        );
    }
}

#[test]
fn attributes_and_documentation_come_to_items_that_had_none_and_go() {
    let bare = "struct S {\n    a: u8,\n    b: u8,\n}\nfn f() {}\n";
    let full = "struct S {\n    #[cfg(unix)]\n    a: u8,\n    /// B.\n    b: u8,\n}\n/// F.\n#[cold]\nfn f() {}\n";
    let edit = |canon: &str, part: &str, code: &str| json!({"mode": "canonical", "path": canon, "part": part, "code": code});
    one_file(
        bare,
        json!([
            edit("crate::S::a", "attributes", "#[cfg(unix)]"),
            edit("crate::S::b", "docs", "B."),
            edit("crate::f", "docs", "F."),
            edit("crate::f", "attributes", "#[cold]"),
        ]),
        full,
    );
    one_file(
        full,
        json!([
            edit("crate::S::a", "attributes", ""),
            edit("crate::S::b", "docs", ""),
            edit("crate::f", "docs", ""),
            edit("crate::f", "attributes", ""),
        ]),
        bare,
    );
}

#[test]
fn the_whole_path_wins_over_those_with_arguments() {
    let text = "struct T;\nimpl PartialEq<str> for T {\n    fn eq(&self, _: &str) -> bool {\n        true\n    }\n}\nimpl PartialEq for T {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n";
    let after = text.replace("Self) -> bool {\n        true", "Self) -> bool {\n        false");
    for canon in ["<crate::T as PartialEq>::eq", "<a::T as PartialEq>::eq"] {
        let edit = json!({"mode": "canonical", "path": canon, "find": "true", "code": "false"});
        one_file(text, json!([edit]), &after);
    }
}

#[test]
fn a_file_that_begins_with_an_item_takes_attributes_and_documentation() {
    one_file(
        "use std::fmt;\n",
        json!([
            {"mode": "canonical", "path": "crate", "part": "attributes", "code": "#![no_std]"},
        ]),
        "#![no_std]\n\nuse std::fmt;\n",
    );
    one_file(
        "#![no_std]\nuse std::fmt;\n",
        json!([{"mode": "canonical", "path": "crate", "part": "attributes", "code": ""}]),
        "use std::fmt;\n",
    );
}

#[test]
fn attributes_stay_between_other_attributes_and_documentation() {
    one_file(
        "#![allow(dead_code)]\n//! Crate.\n\n/// F.\n#[inline]\n#[cold]\npub fn f() {}\n",
        json!([
            {"mode": "canonical", "path": "crate::f", "part": "attributes", "code": "#[inline]"},
            {"mode": "canonical", "path": "crate", "part": "attributes",
             "code": "#![allow(unused)]\n#![no_std]"},
        ]),
        "#![allow(unused)]\n#![no_std]\n//! Crate.\n\n/// F.\n#[inline]\npub fn f() {}\n",
    );
}

#[test]
fn new_items_come_before_a_new_attribute_of_the_item_behind_them() {
    one_file(
        "fn a() {}\n\nfn b() {}\n",
        json!([
            {"mode": "canonical", "path": "crate::b", "part": "attributes", "code": "#[cold]"},
            {"mode": "insert", "anchor": "crate::b", "position": "before", "code": "fn n() {}"},
        ]),
        "fn a() {}\n\nfn n() {}\n\n#[cold]\nfn b() {}\n",
    );
}

#[test]
fn the_declaration_of_a_module_in_a_file_can_be_changed() {
    check(
        &[("src/lib.rs", "mod m;\n"), ("src/m.rs", "pub fn f() {}\n")],
        json!([{"mode": "canonical", "path": "crate::m", "part": "declaration",
                "code": "#[cfg(unix)]\npub mod m;"}]),
        &[("src/lib.rs", "#[cfg(unix)]\npub mod m;\n"), ("src/m.rs", "pub fn f() {}\n")],
    );
    refused(
        "mod m {}\n",
        json!({"mode": "canonical", "path": "crate", "part": "declaration", "code": "mod a;"}),
        "has no declaration",
    );
}

#[test]
fn a_place_within_an_item_is_found_once_or_refused() {
    let text = "fn f() -> u8 {\n    let a = 1;\n    let b = 1;\n    a + b\n}\nfn g() {\n    let a = 1;\n}\n";
    let find = |find: &str, code: &str| json!({"mode": "canonical", "path": "crate::f", "find": find, "code": code});
    one_file(text, json!([find("b = 1", "b = 2")]), &text.replace("b = 1", "b = 2"));
    one_file(
        text,
        json!([find("    let b = 1;\n", ""), find("a + b", "a")]),
        &text.replace("    let b = 1;\n", "").replace("a + b", "a"),
    );
    refused(text, find("= 1", "= 2"), "2 times");
    refused(text, find("let c", ""), "does not occur");
    refused(text, find("", "x"), "does not occur");
    refused(text, find("a + b\n}", "a + b }}"), "does not parse");
}

#[test]
fn a_place_is_found_whatever_the_line_ends() {
    one_file(
        "fn f() {\r\n    a();\r\n    b();\r\n}\r\n",
        json!([{"mode": "canonical", "path": "crate::f", "find": "a();\n    b();",
                "code": "b();\n    a();"}]),
        "fn f() {\r\n    b();\r\n    a();\r\n}\r\n",
    );
}

#[test]
fn neighbours_can_be_removed_together_and_replaced_by_others() {
    let text = "impl S {\n    fn a() {}\n\n    fn b() {}\n\n    fn c() {}\n}\nstruct S;\n";
    let delete = |name: &str| json!({"mode": "delete", "path": format!("crate::S::{name}")});
    one_file(
        &text.replace("{\n    fn a", "{\n\n    fn a"),
        json!([delete("a"), delete("b")]),
        "impl S {\n\n    fn c() {}\n}\nstruct S;\n",
    );
    one_file(text, json!([delete("a"), delete("b"), delete("c")]), "impl S {\n}\nstruct S;\n");
    one_file(
        text,
        json!([
            delete("c"),
            {"mode": "insert", "anchor": "<crate::S>", "position": "last_child", "code": "fn d() {}"},
        ]),
        "impl S {\n    fn a() {}\n\n    fn b() {}\n\n    fn d() {}\n}\nstruct S;\n",
    );
}
