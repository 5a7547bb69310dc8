//! Documentation tests: where they stand, and how they reach an item.

use super::case::Observation;
use super::scene::{Kind, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_doc_test_calls_a_function,
    a_doc_test_calls_a_method,
    a_doc_test_names_a_moved_item,
    a_doc_test_is_the_only_use,
    a_doc_test_captures_the_new_name,
    a_doc_test_calls_with_arguments,
];

/// A library in which this code is a documentation test.
fn document(rng: &mut Rng, command: &[&str], items: &str, code: &str) -> Scene {
    let lines =
        |before: &str| -> String { code.lines().map(|line| format!("{before}{line}\n")).collect() };
    let place = rng.below(12);
    let (inner, outer, file) = match place {
        0 => (String::new(), format!("/// ```\n{}/// ```\n", lines("/// ")), None),
        1 => (format!("//! ```\n{}//! ```\n", lines("//! ")), String::new(), None),
        2 => (String::new(), format!("/**\n```\n{}```\n*/\n", lines("")), None),
        3 => (String::new(), format!("/// * ```\n{}///   ```\n", lines("///   ")), None),
        4 => (String::new(), format!("/// > ```\n{}/// > ```\n", lines("/// > ")), None),
        5 => (String::new(), format!("/// Text.\n///\n{}", lines("///     ")), None),
        6 => (String::new(), format!("/// ~~~rust\n{}/// ~~~\n", lines("/// ")), None),
        7 => (
            String::new(),
            format!("#[doc = \"```\"]\n{}#[doc = \"```\"]\n", lines_as_attributes(code)),
            None,
        ),
        8 => (String::new(), format!("#[doc = r\"```\n{}```\"]\n", lines("")), None),
        9 => (
            "#![doc = include_str!(\"../README.md\")]\n".to_owned(),
            String::new(),
            Some(format!("# Text\n\n```rust\n{}```\n", lines(""))),
        ),
        10 => (
            String::new(),
            "#[doc = include_str!(\"text.md\")]\n".to_owned(),
            Some(format!("```\n{}```\n", lines(""))),
        ),
        _ => (
            String::new(),
            format!("/// 1. Text\n///    ```\n{}///    ```\n", lines("///    ")),
            None,
        ),
    };
    let lib = format!(
        "{inner}{items}\n{outer}pub fn documented() {{}}\npub mod dest {{ pub fn unlike() {{}} }}\n"
    );
    let scene = scene(command).file("src/lib.rs", lib).observe(Observation::Docs);
    match file {
        Some(text) if place == 9 => scene.file("README.md", text),
        Some(text) => scene.file("src/text.md", text),
        None => scene,
    }
}

fn lines_as_attributes(code: &str) -> String {
    code.lines().map(|line| format!("#[doc = \"{line}\"]\n")).collect()
}

fn a_doc_test_calls_a_function(rng: &mut Rng) -> Scene {
    let code = choose(
        rng,
        &[
            "assert_eq!(t::%old(), 1);",
            "use t::*;\nassert_eq!(%old(), 1);",
            "use t::%old;\nassert_eq!(%old(), 1);",
            "use t::%old as %x;\nassert_eq!(%x(), 1);",
            "use t as %y;\nassert_eq!(%y::%old(), 1);",
            "extern crate t as %y;\nassert_eq!(%y::%old(), 1);",
            "# use t::*;\n# fn main() {\nlet f: fn() -> i32 = %old;\nassert_eq!(f(), 1);\n# }",
            "let %x = t::%old;\nassert_eq!(%x(), 1);",
            "mod inner { pub use t::%old as %x; }\nassert_eq!(inner::%x(), 1);",
            "macro_rules! k { () => { t::%old() } }\nassert_eq!(k!(), 1);",
        ],
    );
    document(rng, &["rename", "t::%old", "%new"], "pub fn %old() -> i32 { 1 }", code)
}

fn a_doc_test_calls_a_method(rng: &mut Rng) -> Scene {
    let code = choose(
        rng,
        &[
            "let s = t::S;\nassert_eq!(s.%old(), 1);",
            "assert_eq!(t::make().%old(), 1);",
            "use t::*;\nlet s = S;\nassert_eq!(s.%old(), 1);",
            "use t::S as %x;\nassert_eq!(%x.%old(), 1);",
            "let all = vec![t::S];\nassert_eq!(all[0].%old(), 1);",
            "let f = |s: &t::S| s.%old();\nassert_eq!(f(&t::S), 1);",
            "assert_eq!(Some(t::S).map(|s| s.%old()), Some(1));",
            "assert_eq!([t::S].iter().map(t::S::%old).sum::<i32>(), 1);",
        ],
    );
    let items =
        "pub struct S;\nimpl S { pub fn %old(&self) -> i32 { 1 } }\npub fn make() -> S { S }";
    document(rng, &["rename", "t::S::%old", "%new"], items, code)
}

fn a_doc_test_names_a_moved_item(rng: &mut Rng) -> Scene {
    let code = choose(
        rng,
        &[
            "assert_eq!(t::zoo::%old(), 1);",
            "use t::zoo::*;\nassert_eq!(%old(), 1);",
            "use t::zoo;\nassert_eq!(zoo::%old(), 1);",
            "use t::*;\nassert_eq!(zoo::%old(), 1);",
            "use t::zoo::{%old, kept};\nassert_eq!(%old() + kept(), 3);",
            "use t::zoo::{self as %x};\nassert_eq!(%x::%old(), 1);",
        ],
    );
    let items = "pub mod zoo { pub fn %old() -> i32 { 1 } pub fn kept() -> i32 { 2 } }";
    document(rng, &["move", "t::zoo::%old", "crate::dest"], items, code)
}

fn a_doc_test_is_the_only_use(rng: &mut Rng) -> Scene {
    let code = choose(
        rng,
        &[
            "assert_eq!(t::%old(), 1);",
            "use t::*;\nassert_eq!(%old(), 1);",
            "use t::%old as %x;\nassert_eq!(%x(), 1);",
            "use t as %y;\nassert_eq!(%y::%old(), 1);",
        ],
    );
    document(rng, &["delete", "t::%old", "--if-unused"], "pub fn %old() -> i32 { 1 }", code)
}

fn a_doc_test_captures_the_new_name(rng: &mut Rng) -> Scene {
    let code = choose(
        rng,
        &[
            "use t::*;\nfn %new() -> i32 { 2 }\nassert_eq!(%old() + %new(), 3);",
            "use t::%old;\nlet %new = 2;\nassert_eq!(%old() + %new, 3);",
            "use t::%old;\nuse t::dest::unlike as %new;\n%new();\nassert_eq!(%old(), 1);",
        ],
    );
    document(rng, &["rename", "t::%old", "%new"], "pub fn %old() -> i32 { 1 }", code)
}

fn a_doc_test_calls_with_arguments(rng: &mut Rng) -> Scene {
    let [code, change, value] = choose(
        rng,
        &[
            ["assert_eq!(t::%old(1, 2), 1);", "--order", "b,a"],
            ["use t::*;\nassert_eq!(%old(3, 2), 3);", "--order", "b,a"],
            ["use t::%old as %x;\nassert_eq!(%x(4, 2), 4);", "--add", "c: i32 = 5"],
            [
                "assert_eq!([(6, 2)].iter().map(|p| t::%old(p.0, p.1)).sum::<i32>(), 6);",
                "--remove",
                "b",
            ],
            ["let f: fn(i32, i32) -> i32 = t::%old;\nassert_eq!(f(1, 2), 1);", "--order", "b,a"],
        ],
    );
    let items = "pub fn %old(a: i32, b: i32) -> i32 { a }";
    document(rng, &["change-signature", "t::%old", change, value], items, code)
}
