//! Names in a body: what hides what, and what a pattern binds.

use super::scene::{Kind, Position, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_local_hides_the_new_name,
    a_local_is_hidden_by_another,
    a_block_item_hides_the_new_name,
    a_generic_hides_the_new_name,
    a_binding_becomes_a_constant,
    a_label_hides_another,
    a_shorthand_names_two_things,
    a_parameter_hides_the_new_name,
    a_type_parameter_gets_a_taken_name,
    a_lifetime_hides_another,
    a_constant_parameter_is_renamed,
];

fn a_local_hides_the_new_name(rng: &mut Rng) -> Scene {
    let before = choose(
        rng,
        &[
            "let %new = || 2;",
            "let (%new, _) = (|| 2, 1);",
            "let %new: fn() -> i32 = || 2;",
            "fn %new() -> i32 { 2 }",
            "let ref %new = || 2;",
            "static %new: fn() -> i32 = two; fn two() -> i32 { 2 }",
        ],
    );
    let print = choose(
        rng,
        &[
            "println!(\"{} {}\", %new(), %old());",
            "{ println!(\"{} {}\", %old(), %new()); }",
            "let f = || %old(); println!(\"{} {}\", f(), %new());",
            "println!(\"{} {}\", { let %new = || 4; %new() + %old() }, %new());",
            "println!(\"{} {}\", Some(1).map_or_else(%old, |n| n), %new());",
            "println!(\"{:?} {}\", vec![%old()], %new());",
        ],
    );
    scene(&["rename", "@::%old", "%new"])
        .items("pub fn %old() -> i32 { 1 }")
        .body(format!("{before} {print}"))
}

fn a_local_is_hidden_by_another(rng: &mut Rng) -> Scene {
    let text = choose(
        rng,
        &[
            "let %y = 1; { let %x = 2; println!(\"{} {}\", %x, %y); }",
            "let %x = 2; let %y = 1; println!(\"{} {}\", %x, %y);",
            "let %x = 2; let f = |%y: i32| %x + %y; println!(\"{}\", f(3));",
            "let %x = 2; for %y in 0..2 { println!(\"{} {}\", %x, %y); }",
            "let %x = 2; if let Some(%y) = Some(5) { println!(\"{} {}\", %x, %y); }",
            "let %x = 2; match 6 { %y if %y > %x => println!(\"{}\", %y), _ => println!(\"{}\", \
             %x) }",
            "let %x = 2; let %y = %x + 1; let %x = %y + %x; println!(\"{} {}\", %x, %y);",
            "let %y = 1; let %x = %y + 1; println!(\"{} {}\", %x, %y);",
            "let %x = 2; macro_rules! m { () => { %x } } let %y = 3; println!(\"{} \
             {}\", m!(), %y);",
            "let %y = 3; macro_rules! m { () => { %y } } let %x = 2; println!(\"{} \
             {}\", m!(), %x);",
            "let %x = 2; let g = move || { let %y = 7; %x * %y }; println!(\"{}\", g());",
            "let (%x, %z) = (2, 3); let %y = [%x, %z]; println!(\"{:?} {}\", %y, %x);",
            "let %x = 2; let %y = 5; while %y < %x { } println!(\"{}\", %x - %y);",
            "let mut %x = 2; { let %y = &mut %x; *%y += 1; } println!(\"{}\", %x);",
        ],
    );
    scene(&["rename", "@fn", "%y", "--local", "%x"]).body(text)
}

fn a_block_item_hides_the_new_name(rng: &mut Rng) -> Scene {
    let [items, print, path, new] = choose(
        rng,
        &[
            [
                "pub fn %old() -> i32 { 1 }",
                "{ fn %new() -> i32 { 2 } println!(\"{} {}\", %old(), %new()); }",
                "@::%old",
                "%new",
            ],
            [
                "pub const %OLD: i32 = 1;",
                "const %NEW: i32 = 2; println!(\"{} {}\", %OLD, %NEW);",
                "@::%OLD",
                "%NEW",
            ],
            [
                "pub const %OLD: i32 = 1;",
                "println!(\"{}\", %OLD); { const %NEW: i32 = 2; println!(\"{}\", [0; \
                 3].len() as i32 * %OLD + %NEW); }",
                "@::%OLD",
                "%NEW",
            ],
            [
                "pub struct %Old; impl %Old { pub fn get() -> i32 { 1 } }",
                "struct %New; impl %New { fn get() -> i32 { 2 } } println!(\"{} \
                 {}\", %Old::get(), %New::get());",
                "@::%Old",
                "%New",
            ],
            [
                "pub mod %old { pub fn get() -> i32 { 1 } }",
                "mod %new { pub fn get() -> i32 { 2 } } println!(\"{} \
                 {}\", @::%old::get(), %new::get());",
                "@::%old",
                "%new",
            ],
            [
                "pub mod %old { pub fn get() -> i32 { 1 } }",
                "mod %new { pub fn get() -> i32 { 2 } } println!(\"{} \
                 {}\", %old::get(), %new::get());",
                "@::%old",
                "%new",
            ],
            [
                "pub mod %old { pub fn get() -> i32 { 1 } }",
                "enum %new {} impl %new { fn get() -> i32 { 2 } } println!(\"{} \
                 {}\", %old::get(), %new::get());",
                "@::%old",
                "%new",
            ],
        ],
    );
    scene(&["rename", path, new]).items(items).body(print)
}

fn a_generic_hides_the_new_name(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "pub fn see<%New: Get>() -> i32 { %Old::get() * 10 + %New::get() }",
            "pub struct W<%New>(pub ::std::marker::PhantomData<%New>); impl<%New: Get> W<%New> { \
             pub fn see() -> i32 { %Old::get() * 10 + %New::get() } } pub fn see<X: Get>() -> i32 \
             { W::<X>::see() }",
            "pub fn see<X: Get>() -> i32 { fn inner<%New: Get>(_: Option<%New>) -> i32 { \
             %Old::get() } inner::<X>(None) }",
            "pub trait Tr<%New: Get> { fn see() -> i32 { %Old::get() * 10 + %New::get() } } \
             impl<X: Get> Tr<X> for u8 {} pub fn see<X: Get>() -> i32 { <u8 as Tr<X>>::see() }",
        ],
    );
    scene(&["rename", "@::%Old", "%New"])
        .items("pub trait Get { fn get() -> i32; } pub struct %Old; pub struct Two;")
        .items(
            "impl Get for %Old { fn get() -> i32 { 1 } } impl Get for Two { fn get() -> i32 { \
            2 } }",
        )
        .items(user)
        .body("println!(\"{}\", see::<Two>());")
}

fn a_binding_becomes_a_constant(rng: &mut Rng) -> Scene {
    let [items, old_value] = choose(
        rng,
        &[
            ["#[allow(non_upper_case_globals)] pub const %old: i32 = 5;", "%old"],
            ["#[allow(non_upper_case_globals)] pub static %old: i32 = 5;", "%old"],
            [
                "#[allow(non_camel_case_types)] #[derive(PartialEq)] pub struct %old;",
                "(%old == %old) as i32",
            ],
            ["pub fn %old() -> i32 { 1 }", "%old()"],
            ["#[allow(non_camel_case_types)] pub struct %old(pub i32);", "%old(1).0"],
        ],
    );
    let pattern = choose(
        rng,
        &[
            "let n = match 3 { %new => %new, }; println!(\"{}\", n);",
            "let n = match 3 { 4 => 0, %new => %new + 1 }; println!(\"{}\", n);",
            "let %new = 3; println!(\"{}\", %new);",
            "if let Some(%new) = Some(3) { println!(\"{}\", %new); }",
            "for %new in 0..2 { println!(\"{}\", %new); }",
            "println!(\"{}\", (|%new: i32| %new + 1)(3));",
            "fn see(%new: i32) -> i32 { %new } println!(\"{}\", see(3));",
            "let (%new, _) = (3, 4); println!(\"{}\", %new);",
            "struct F { %new: i32 } let F { %new } = F { %new: 6 }; println!(\"{}\", %new);",
        ],
    );
    scene(&["rename", "@::%old", "%new"])
        .items(items)
        .body(format!("{pattern} println!(\"{{}}\", {old_value});"))
}

fn a_label_hides_another(rng: &mut Rng) -> Scene {
    let text = choose(
        rng,
        &[
            "let mut n = 0; '%x: for _ in 0..3 { '%y: for j in 0..3 { n += 1; \
             if j == 1 { continue '%x; } if j == 2 { continue '%y; } } } println!(\"{}\", n);",
            "let mut n = 0; '%x: for _ in 0..3 { '%y: for j in 0..3 { n += 1; \
             if j == 1 { break '%x; } if j == 2 { break '%y; } } } println!(\"{}\", n);",
            "let mut n = 0; '%y: for _ in 0..3 { '%x: for j in 0..3 { n += 1; \
             if j == 1 { continue '%y; } if n == 9 { break '%x; } } } println!(\"{}\", n);",
            "let mut n = 0; '%x: for _ in 0..3 { for j in 0..3 { n += j; \
             if j == 1 { continue '%x; } } } println!(\"{}\", n);",
        ],
    );
    scene(&["rename", "@fn", "'%y", "--local", "'%x"]).body(text).positions(&Position::PLAIN)
}

fn a_shorthand_names_two_things(rng: &mut Rng) -> Scene {
    let [text, path, new] = choose(
        rng,
        &[
            ["let %x = 1; let s = S { %x }; println!(\"{}\", s.%x);", "@::S::%x", "%y"],
            [
                "let %x = 1; let %y = 2; let s = S { %x }; println!(\"{} {}\", s.%x, %y);",
                "@::S::%x",
                "%y",
            ],
            ["let S { %x } = S { %x: 4 }; println!(\"{}\", %x);", "@::S::%x", "%y"],
            [
                "let %y = 9; let S { ref %x } = S { %x: 4 }; println!(\"{} {}\", %x, %y);",
                "@::S::%x",
                "%y",
            ],
            ["let %x = 1; let s = S { %x }; println!(\"{}\", s.%x);", "local", "%y"],
            ["let %y = 7; let S { %x } = S { %x: 4 }; println!(\"{} {}\", %x, %y);", "local", "%y"],
            ["let s = mk!(%x 3); println!(\"{}\", s.%x);", "@::S::%x", "%y"],
            ["let %x = 3; let s = short!(%x); println!(\"{}\", s.%x);", "@::S::%x", "%y"],
            ["let %x = 3; let s = short!(%x); println!(\"{}\", s.%x);", "local", "%y"],
        ],
    );
    let args: &[&str] = if path == "local" {
        &["rename", "@fn", new, "--local", "%x"]
    } else {
        &["rename", path, new]
    };
    scene(args)
        .root(
            "macro_rules! mk { ($f:ident $e:expr) => { S { $f: $e } } \
            }\nmacro_rules! short { ($f:ident) => { S { $f } } }\n",
        )
        .items("pub struct S { pub %x: i32 }")
        .body(text)
}

fn a_parameter_hides_the_new_name(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "pub fn see(%new: i32) -> i32 { %old() * 10 + %new }",
            "pub fn see(n: i32) -> i32 { (|%new: i32| %old() * 10 + %new)(n) }",
            "pub struct S; impl S { fn go(&self, %new: i32) -> i32 { %old() * 10 + %new } } \
             pub fn see(n: i32) -> i32 { S.go(n) }",
            "pub fn see((%new, _): (i32, i32)) -> i32 { %old() * 10 + %new }",
        ],
    );
    let argument = if user.contains("((%new") { "(4, 5)" } else { "4" };
    scene(&["rename", "@::%old", "%new"])
        .items("pub fn %old() -> i32 { 1 }")
        .items(user)
        .body(format!("println!(\"{{}}\", see({argument}));"))
}

fn a_type_parameter_gets_a_taken_name(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "pub fn see<%X: Get>() -> i32 { %Y::get() * 10 + %X::get() }",
            "pub fn see<%X: Get>() -> i32 { struct %Y; impl Get for %Y { fn get() -> i32 { 3 } } \
             %X::get() + %Y::get() }",
            "pub fn see<%X: Get>() -> i32 { fn inner<%Y: Get>() -> i32 { %Y::get() } \
             inner::<%X>() }",
            "pub fn see<%X: Get>() -> i32 { k!(%X) }",
            "pub fn see<%X: Get>() -> i32 { let n: Option<%X> = None; n.map_or(%X::get(), |_| 0) }",
        ],
    );
    scene(&["rename", "@::see", "%Y", "--local", "%X"])
        .root("macro_rules! k { (%Y) => { 9 }; ($t:ty) => { <$t>::get() } }\n")
        .items("pub trait Get { fn get() -> i32; } pub struct %Y; pub struct Two;")
        .items(
            "impl Get for %Y { fn get() -> i32 { 1 } } impl Get for Two { fn get() -> i32 { 2 } }",
        )
        .items(user)
        .body("println!(\"{}\", see::<Two>());")
}

fn a_lifetime_hides_another(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "pub fn see<'%x>(a: &'%x str) -> &'%x str { fn inner<'%y>(b: &'%y str) -> &'%y str { \
             b } inner(a) }",
            "pub fn see<'%x, '%y>(a: &'%x str, _: &'%y str) -> &'%x str { a }",
            "pub fn see<'%x>(a: &'%x str) -> &'%x str { let f: for<'%y> fn(&'%y str) -> &'%y str \
             = |b| b; f(a) }",
            "pub fn see<'%x>(a: &'%x str) -> &'%x str { '%y: for _ in 0..2 { if a.len() > 9 { \
             break '%y; } } a }",
        ],
    );
    let call = if user.contains("_: &'%y") { "see(\"a\", \"b\")" } else { "see(\"a\")" };
    scene(&["rename", "@::see", "'%y", "--local", "'%x"])
        .items(user)
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_constant_parameter_is_renamed(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "pub fn see<const %X: usize>() -> usize { %X + %Y }",
            "pub fn see<const %X: usize>() -> usize { let n = [0u8; %X]; n.len() + %Y }",
            "pub fn see<const %X: usize>() -> usize { match 3 { %Y => 1, n => n + %X } }",
            "pub fn see<const %X: usize>() -> usize { format!(\"{}\", %X).len() }",
        ],
    );
    scene(&["rename", "@::see", "%Y", "--local", "%X"])
        .items(format!("#[allow(non_upper_case_globals)] pub const %Y: usize = 3; {user}"))
        .body("println!(\"{}\", see::<5>());")
}
