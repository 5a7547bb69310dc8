//! Refactorings that change nothing: they are applied, and proven.

use super::case::Observation;
use super::scene::{Kind, Place, Position, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_function_is_renamed,
    a_constant_is_renamed,
    a_type_is_renamed,
    a_field_is_renamed,
    a_variant_is_renamed,
    a_method_is_renamed,
    a_method_of_a_trait_is_renamed,
    a_module_is_renamed,
    a_macro_is_renamed,
    a_local_is_renamed,
    a_parameter_is_renamed,
    a_function_is_moved,
    a_type_is_moved,
    a_body_is_moved,
    a_module_is_moved,
    an_unused_item_is_deleted,
    a_parameter_is_added,
    a_parameter_is_removed,
    parameters_are_reordered,
    a_documented_function_is_renamed,
];

/// Controls are plain code: no tokens of macros but those of std.
fn control(command: &[&str]) -> Scene {
    scene(command).positions(&Position::PLAIN)
}

fn a_function_is_renamed(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{}\", %old());",
            "println!(\"{} {}\", %old(), @::%old());",
            "let %x: fn() -> i32 = %old; println!(\"{}\", %x());",
            "use @::%old as %x; println!(\"{}\", %x());",
            "println!(\"{:?}\", vec![%old(), 2]); assert_eq!(%old(), 1);",
            "let %old = %old() + 1; println!(\"{}\", %old);",
            "println!(\"%old {}\", %old());",
        ],
    );
    control(&["rename", "@::%old", "%new"]).items("pub fn %old() -> i32 { 1 }").body(print)
}

fn a_constant_is_renamed(rng: &mut Rng) -> Scene {
    let kind = choose(rng, &["const", "static"]);
    let print = choose(
        rng,
        &[
            "println!(\"{}\", %OLD);",
            "println!(\"{} {}\", %OLD + 1, @::%OLD);",
            "let %x = %OLD; println!(\"{}\", %x);",
            "println!(\"{%OLD}\");",
        ],
    );
    control(&["rename", "@::%OLD", "%NEW"]).items(format!("pub {kind} %OLD: i32 = 1;")).body(print)
}

fn a_type_is_renamed(rng: &mut Rng) -> Scene {
    let [item, print] = choose(
        rng,
        &[
            [
                "pub struct %Old(pub i32); impl %Old { pub fn get(&self) -> i32 { self.0 } }",
                "println!(\"{}\", %Old(1).get());",
            ],
            [
                "pub struct %Old { pub n: i32 } impl Default for %Old { fn default() -> Self { \
                 %Old { n: 3 } } }",
                "println!(\"{}\", %Old::default().n);",
            ],
            [
                "pub enum %Old { A, B } impl %Old { pub fn get(&self) -> i32 { match *self { \
                 %Old::A => 1, Self::B => 2 } } }",
                "println!(\"{} {}\", %Old::A.get(), %Old::B.get());",
            ],
            ["pub type %Old = Vec<i32>;", "let n: %Old = vec![1]; println!(\"{:?}\", n);"],
            [
                "pub trait %Old { fn get(&self) -> i32 { 1 } } impl %Old for i32 {}",
                "fn see<X: %Old>(x: X) -> i32 { x.get() } println!(\"{}\", see(1));",
            ],
        ],
    );
    control(&["rename", "@::%Old", "%New"]).items(item).body(print)
}

fn a_field_is_renamed(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "let s = S { %old: 1, %other: 2 }; println!(\"{} {}\", s.%old, s.%other);",
            "let S { %old, .. } = S { %old: 1, %other: 2 }; println!(\"{}\", %old);",
            "let %old = 4; let s = S { %old, %other: 2 }; println!(\"{}\", s.%old);",
            "let mut s = S { %old: 1, %other: 2 }; s.%old += s.%other; println!(\"{}\", s.%old);",
        ],
    );
    control(&["rename", "@::S::%old", "%new"])
        .items("pub struct S { pub %old: i32, pub %other: i32 }")
        .body(print)
}

fn a_variant_is_renamed(rng: &mut Rng) -> Scene {
    let [variant, value, pattern] = choose(
        rng,
        &[
            ["%Old", "E::%Old", "E::%Old"],
            ["%Old(i32)", "E::%Old(1)", "E::%Old(_)"],
            ["%Old { n: i32 }", "E::%Old { n: 1 }", "E::%Old { .. }"],
        ],
    );
    control(&["rename", "@::E::%Old", "%New"])
        .items(format!("pub enum E {{ {variant}, %Other }}"))
        .body(format!(
            "for e in vec![{value}, E::%Other] {{ println!(\"{{}}\", match e {{ {pattern} \
             => 1, E::%Other => 2 }}); }}"
        ))
}

fn a_method_is_renamed(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{}\", S(1).%old());",
            "println!(\"{}\", S::%old(&S(1)));",
            "let s = S(2); let f = || s.%old(); println!(\"{}\", f());",
            "println!(\"{}\", [S(1), S(2)].iter().map(S::%old).sum::<i32>());",
            "let s = &&S(3); println!(\"{}\", s.%old());",
        ],
    );
    control(&["rename", "@::S::%old", "%new"])
        .items("pub struct S(pub i32); impl S { pub fn %old(&self) -> i32 { self.0 } }")
        .body(print)
}

fn a_method_of_a_trait_is_renamed(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{}\", S.%old());",
            "println!(\"{}\", T::%old(&S));",
            "println!(\"{}\", <S as T>::%old(&S));",
            "fn see<X: T>(x: X) -> i32 { x.%old() } println!(\"{}\", see(S));",
            "let s: Box<dyn T> = Box::new(S); println!(\"{}\", s.%old());",
        ],
    );
    control(&["rename", "@::T::%old", "%new"])
        .items("pub trait T { fn %old(&self) -> i32; }")
        .items("pub struct S; impl T for S { fn %old(&self) -> i32 { 1 } }")
        .body(print)
        .editions(&["2018", "2021", "2024"])
}

fn a_module_is_renamed(rng: &mut Rng) -> Scene {
    let [item, call] = choose(
        rng,
        &[
            ["pub mod %old { pub fn get() -> i32 { 1 } }", "%old::get()"],
            ["pub mod %old { pub fn get() -> i32 { 1 } }", "@::%old::get()"],
            ["pub mod %old { pub fn get() -> i32 { 1 } } pub use self::%old::get as %x;", "%x()"],
            [
                "pub mod %old { pub fn get() -> i32 { super::%y() } } pub fn %y() -> i32 { 4 }",
                "%old::get()",
            ],
        ],
    );
    control(&["rename", "@::%old", "%new"]).items(item).body(format!("println!(\"{{}}\", {call});"))
}

fn a_macro_is_renamed(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["() => { 1 }", "%old!()"],
            ["($e:expr) => { $e + 1 }", "%old!(2)"],
            ["($($e:expr),*) => { [$($e),*].len() }", "%old![1, 2]"],
        ],
    );
    control(&["rename", "t::%old", "%new"])
        .root(format!("macro_rules! %old {{ {rules} }}\n"))
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_local_is_renamed(rng: &mut Rng) -> Scene {
    let text = choose(
        rng,
        &[
            "let %x = 1; println!(\"{}\", %x);",
            "let %x = 1; println!(\"{%x} {}\", %x);",
            "let %x = 1; let %z = %x + 1; println!(\"{} {}\", %x, %z);",
            "for %x in 0..2 { println!(\"{}\", %x); }",
            "let f = |%x: i32| %x + 1; println!(\"{}\", f(1));",
            "if let Some(%x) = Some(1) { println!(\"{}\", %x); }",
            "let mut %x = 1; %x += 1; println!(\"{}\", %x);",
            "let (%x, _) = (1, 2); println!(\"{:?}\", vec![%x; 2]);",
        ],
    );
    control(&["rename", "@fn", "%y", "--local", "%x"]).body(text)
}

fn a_parameter_is_renamed(rng: &mut Rng) -> Scene {
    let body =
        choose(rng, &["%x + 1", "{ let f = || %x; f() }", "match %x { 1 => 2, n => n + %x }"]);
    control(&["rename", "@::%old", "%y", "--local", "%x"])
        .items(format!("pub fn %old(%x: i32) -> i32 {{ {body} }}"))
        .body("println!(\"{} {}\", %old(1), %old(2));")
}

fn a_function_is_moved(rng: &mut Rng) -> Scene {
    let item = choose(
        rng,
        &[
            "pub fn %old() -> i32 { 1 }",
            "/// Documented.\n#[inline]\npub fn %old() -> i32 { %x() }\npub fn %x() -> i32 { 2 }",
            "pub fn %old() -> i32 { let n: Option<i32> = None; n.unwrap_or(4) }",
            "pub const %X: i32 = 4;\npub fn %old() -> i32 { %X + 1 }",
        ],
    );
    control(&["move", "@::%old", "crate::dest"])
        .items(item)
        .body("println!(\"{}\", %old());")
        .dest("pub fn unlike() {}")
}

fn a_type_is_moved(rng: &mut Rng) -> Scene {
    let [item, print] = choose(
        rng,
        &[
            [
                "pub struct %Old(pub i32);\nimpl %Old { pub fn get(&self) -> i32 { self.0 } }",
                "println!(\"{}\", %Old(1).get());",
            ],
            [
                "#[derive(Clone, Copy)]\npub enum %Old { A, B }",
                "println!(\"{} {}\", %Old::A as i32, %Old::B as i32);",
            ],
            ["pub const %Old: i32 = 3;", "println!(\"{}\", %Old);"],
            ["pub type %Old = i64;", "let n: %Old = 3; println!(\"{}\", n);"],
        ],
    );
    control(&["move", "@::%Old", "crate::dest"])
        .items(format!("#[allow(non_upper_case_globals)]\n{item}"))
        .body(print)
        .dest("pub fn unlike() {}")
}

fn a_body_is_moved(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{}\", %x());",
            "println!(\"{}\", @::%x());",
            "let %y = 1; println!(\"{} {:?}\", %y, vec![%y, %x()]);",
            "use std::collections::BTreeMap; let m: BTreeMap<i32, i32> = BTreeMap::new(); \
             println!(\"{}\", m.len());",
        ],
    );
    control(&["move", "@item", "crate::dest"])
        .items("pub fn %x() -> i32 { 2 }")
        .body(print)
        .dest("pub fn unlike() {}")
}

fn a_module_is_moved(rng: &mut Rng) -> Scene {
    let inner = choose(
        rng,
        &[
            "pub fn get() -> i32 { 1 }",
            "pub fn get() -> i32 { own() } fn own() -> i32 { 2 }",
            "pub mod deep { pub fn get() -> i32 { 3 } } pub use self::deep::get;",
        ],
    );
    control(&["move", "@::%old", "crate::dest"])
        .items(format!("pub mod %old {{ {inner} }}"))
        .body("println!(\"{}\", %old::get());")
        .dest("pub fn unlike() {}")
        .places(&[Place::Root, Place::Inline, Place::Nested])
}

fn an_unused_item_is_deleted(rng: &mut Rng) -> Scene {
    let [item, path] = choose(
        rng,
        &[
            ["pub fn %old() -> i32 { 1 }", "@::%old"],
            ["const %OLD: i32 = 1;", "@::%OLD"],
            ["struct %Old { n: i32 }", "@::%Old"],
            ["type %Old = i32;", "@::%Old"],
            ["pub fn %old(n: i32) -> i32 { n + kept() }", "@::%old"],
            ["static %OLD: u8 = 3;", "@::%OLD"],
        ],
    );
    control(&["delete", path, "--if-unused"])
        .items(format!("#[allow(dead_code)]\n{item}\npub fn kept() -> i32 {{ 5 }}"))
        .body("println!(\"{}\", kept());")
}

fn a_parameter_is_added(rng: &mut Rng) -> Scene {
    let [value, before] = choose(
        rng,
        &[["%y: i32 = 5", "%x"], ["%y: bool = true", "%x"], ["%y: Option<u8> = None", ""]],
    );
    let mut command = vec!["change-signature", "@::%old", "--add", value];
    if !before.is_empty() {
        command.extend(["--before", before]);
    }
    let print = choose(
        rng,
        &["println!(\"{}\", %old(1));", "println!(\"{} {}\", %old(1), %old(%old(2)));"],
    );
    control(&command).items("pub fn %old(%x: i32) -> i32 { %x + 1 }").body(print)
}

fn a_parameter_is_removed(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &["println!(\"{}\", %old(1, 2));", "println!(\"{} {}\", %old(1, 2), @::%old(3, 4));"],
    );
    control(&["change-signature", "@::%old", "--remove", "%y"])
        .items("pub fn %old(%x: i32, %y: i32) -> i32 { %x + 1 }")
        .body(print)
}

fn parameters_are_reordered(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{}\", %old(1, 2));",
            "let %z = 4; println!(\"{} {}\", %old(%z, 2), %old(3, %z));",
        ],
    );
    control(&["change-signature", "@::%old", "--order", "%y,%x"])
        .items("pub fn %old(%x: i32, %y: i32) -> i32 { %x * 10 + %y }")
        .body(print)
}

fn a_documented_function_is_renamed(rng: &mut Rng) -> Scene {
    let code =
        choose(rng, &["assert_eq!(t::%old(), 1);", "use t::%old;\n/// assert_eq!(%old(), 1);"]);
    let text = choose(rng, &["Returns one.", "# Examples"]);
    let lib =
        format!("/// {text}\n///\n/// ```\n/// {code}\n/// ```\npub fn %old() -> i32 {{ 1 }}\n");
    scene(&["rename", "t::%old", "%new"]).file("src/lib.rs", lib).observe(Observation::Docs)
}
