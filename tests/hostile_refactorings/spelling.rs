//! How an identifier is spelled: composed letters or combining marks, keywords, raw identifiers.

use super::scene::{Kind, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_body_defines_the_new_name_decomposed,
    a_use_is_spelled_decomposed,
    a_local_is_spelled_in_two_ways,
    the_new_name_is_decomposed,
    the_new_name_is_a_keyword,
    a_use_is_a_raw_identifier,
];

/// Composed and decomposed.
const LETTERS: [[&str; 2]; 5] = [
    ["\u{e9}", "e\u{301}"],
    ["\u{f6}", "o\u{308}"],
    ["\u{f1}", "n\u{303}"],
    ["\u{e5}x", "a\u{30a}x"],
    ["caf\u{e9}", "cafe\u{301}"],
];

fn a_body_defines_the_new_name_decomposed(rng: &mut Rng) -> Scene {
    let [composed, decomposed] = choose(rng, &LETTERS);
    let [before, call] = choose(
        rng,
        &[
            ["fn #() -> i32 { 2 }", "%old()"],
            ["let # = || 2; let _ = #();", "%old()"],
            ["use crate::dest::#;", "%old()"],
        ],
    );
    let body = format!("{before} println!(\"{{}}\", {call});").replace('#', decomposed);
    scene(&["rename", "@::%old", composed])
        .items("pub fn %old() -> i32 { 1 }")
        .body(body)
        .dest(format!("pub fn {composed}() -> i32 {{ 9 }}"))
}

fn a_use_is_spelled_decomposed(rng: &mut Rng) -> Scene {
    let [composed, decomposed] = choose(rng, &LETTERS);
    let [items, call, path] = choose(
        rng,
        &[
            ["pub mod k { pub fn <>() -> i32 { 1 } }\npub use self::k::#;", "#()", "@::k::<>"],
            ["pub struct S { pub <>: i32 }", "{ let s = S { #: 3 }; s.<> + s.# }", "@::S::<>"],
            ["pub struct S; impl S { pub fn <>(&self) -> i32 { 1 } }", "S.#()", "@::S::<>"],
            ["pub mod <> { pub fn get() -> i32 { 1 } }", "#::get() + <>::get()", "@::<>"],
            ["pub const <>: i32 = 4;", "{ let n = match 4 { # => 1, _ => 2 }; n + <> }", "@::<>"],
        ],
    );
    let fill = |text: &str| text.replace("<>", composed).replace('#', decomposed);
    let command = choose(rng, &["rename", "rename", "delete"]);
    let path = fill(path);
    let args = match command {
        "delete" => ["delete", &path, "--if-unused"],
        _ => ["rename", &path, "%new"],
    };
    let allow = "#[allow(non_upper_case_globals, mixed_script_confusables)]\n";
    scene(&args)
        .items(format!("{allow}{}", fill(items)))
        .body(format!("println!(\"{{}}\", {});", fill(call)))
}

fn a_local_is_spelled_in_two_ways(rng: &mut Rng) -> Scene {
    let [composed, decomposed] = choose(rng, &LETTERS);
    let text = choose(
        rng,
        &[
            "let <> = 1; println!(\"{} {}\", #, <>);",
            "let # = 1; println!(\"{} {}\", #, <>);",
            "let <> = 1; let f = || # + 1; println!(\"{} {}\", f(), <>);",
            // Captures are compared as they are written.
            "let # = 1; println!(\"{<>} {}\", #);",
        ],
    );
    let text = text.replace("<>", composed).replace('#', decomposed);
    scene(&["rename", "@fn", "%x", "--local", composed]).body(text)
}

fn the_new_name_is_decomposed(rng: &mut Rng) -> Scene {
    let [composed, decomposed] = choose(rng, &LETTERS);
    let before = choose(rng, &["fn #() -> i32 { 2 }", "let # = || 2; let _ = #();", ""]);
    let body = format!("{before} println!(\"{{}}\", %old());").replace('#', composed);
    scene(&["rename", "@::%old", decomposed]).items("pub fn %old() -> i32 { 1 }").body(body)
}

fn the_new_name_is_a_keyword(rng: &mut Rng) -> Scene {
    let new =
        choose(rng, &["async", "dyn", "try", "gen", "union", "auto", "match", "r#type", "raw"]);
    let [items, print, path] = choose(
        rng,
        &[
            ["pub fn %old() -> i32 { 1 }", "println!(\"{} {}\", %old(), @::%old());", "@::%old"],
            [
                "pub mod %old { pub fn get() -> i32 { 1 } }",
                "println!(\"{}\", %old::get());",
                "@::%old",
            ],
            [
                "pub struct S { pub %old: i32 }",
                "println!(\"{}\", S { %old: 1 }.%old);",
                "@::S::%old",
            ],
            [
                "#[allow(non_upper_case_globals)] pub const %old: i32 = 3;",
                "println!(\"{%old} {}\", %old);",
                "@::%old",
            ],
            ["", "let %old = 3; println!(\"{%old} {}\", %old);", "local"],
            [
                "macro_rules! k { ($i:ident) => { $i() } } pub fn %old() -> i32 { 1 }",
                "println!(\"{}\", k!(%old));",
                "@::%old",
            ],
            [
                "macro_rules! k { ($e:expr) => { $e } } pub fn %old() -> i32 { 1 }",
                "println!(\"{}\", k!(%old()));",
                "@::%old",
            ],
        ],
    );
    let args: &[&str] = if path == "local" {
        &["rename", "@fn", new, "--local", "%old"]
    } else {
        &["rename", path, new]
    };
    scene(args).items(items).body(print)
}

fn a_use_is_a_raw_identifier(rng: &mut Rng) -> Scene {
    let [items, print, path] = choose(
        rng,
        &[
            ["pub fn %old() -> i32 { 1 }", "println!(\"{} {}\", r#%old(), %old());", "@::%old"],
            ["pub fn r#%old() -> i32 { 1 }", "println!(\"{} {}\", r#%old(), %old());", "@::%old"],
            ["pub fn r#match() -> i32 { 1 }", "println!(\"{}\", r#match());", "@::match"],
            [
                "pub struct S { pub r#%old: i32 }",
                "let s = S { %old: 1 }; println!(\"{}\", s.r#%old);",
                "@::S::%old",
            ],
            ["", "let r#%old = 1; println!(\"{%old} {}\", %old);", "local"],
            [
                "",
                "fn r#%new() -> i32 { 2 } let %old = 1; println!(\"{} {}\", %old, %new());",
                "local",
            ],
            [
                "macro_rules! k { (%new) => { 5 }; ($i:ident) => { $i() } } \
                 pub fn %old() -> i32 { 1 }",
                "println!(\"{}\", k!(r#%old));",
                "@::%old",
            ],
        ],
    );
    let args: &[&str] = if path == "local" {
        &["rename", "@fn", "%new", "--local", "%old"]
    } else {
        &["rename", path, "%new"]
    };
    scene(args).items(items).body(print).editions(&["2018", "2021", "2024"])
}
