//! Methods: which traits are in scope, by value or by reference, and what std's names hide.

use super::scene::{Kind, Place, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_move_brings_a_second_trait,
    a_move_brings_a_method_by_value,
    a_move_imports_a_trait_without_a_name,
    a_destination_has_no_prelude,
    a_method_gets_a_name_of_std,
    a_method_of_a_closure_gets_a_name_of_std,
    a_method_of_an_extension_gets_an_inherent_name,
    a_method_gets_a_name_with_another_receiver,
    an_inherent_method_has_the_new_name,
    a_method_is_reached_through_deref,
    a_generic_has_two_traits,
    an_impl_is_made_by_a_macro,
    an_associated_item_has_the_new_name,
    a_trait_is_needed_where_it_is_not_named,
    a_field_and_a_method_have_one_name,
];

fn a_move_brings_a_second_trait(rng: &mut Rng) -> Scene {
    let [first, second] = choose(
        rng,
        &[
            ["use crate::tr::A as _;", "use crate::tr::B as _;"],
            ["use crate::tr::A;", "use crate::tr::B as _;"],
            ["use crate::tr::A as _;", "use crate::tr::B;"],
            ["use crate::tr::A as C;", "use crate::tr::B;"],
            ["use crate::tr::A as _;", "use crate::tr::b::*;"],
        ],
    );
    let receiver = choose(rng, &["5i32", "(&5i32)", "Some(1i32)", "\"a\"", "crate::tr::S"]);
    scene(&["move", "@item", "crate::dest"])
        .root(
            "pub mod tr { pub trait A { fn m(&self) -> i32 { 1 } }\n\
             pub mod b { pub trait B { fn m(&self) -> i32 { 2 } } impl<T> B for T {} }\n\
             pub use self::b::B; impl<T> A for T {} pub struct S; }\n",
        )
        .items(first)
        .body(format!("println!(\"{{}}\", {receiver}.m());"))
        .dest(format!("{second}\npub fn see() {{ println!(\"{{}}\", {receiver}.m()); }}"))
        .main("dest::see();")
        .editions(&["2018", "2021", "2024"])
}

fn a_move_brings_a_method_by_value(rng: &mut Rng) -> Scene {
    let [a, b] = choose(rng, &[["self", "&self"], ["&self", "&mut self"], ["self", "&mut self"]]);
    let import = choose(rng, &["use crate::tr::A as _;", "use crate::tr::A;"]);
    scene(&["move", "@item", "crate::dest"])
        .root(format!(
            "pub mod tr {{ pub trait A {{ fn m({a}) -> i32; }} impl A for i32 {{ fn m({a}) -> i32 \
             {{ 1 }} }}\n\
             pub trait B {{ fn m({b}) -> i32; }} impl B for i32 {{ fn m({b}) -> i32 {{ 2 }} }} }}\n"
        ))
        .items(import)
        .body("let mut n = 5i32; println!(\"{}\", n.m()); n += 1; let _ = n;")
        .dest(
            "use crate::tr::B;\npub fn see() { let mut n = 5i32; println!(\"{}\", n.m()); \
            n += 1; let _ = n; }",
        )
        .main("dest::see();")
        .editions(&["2018", "2021", "2024"])
}

fn a_move_imports_a_trait_without_a_name(rng: &mut Rng) -> Scene {
    let own =
        choose(rng, &["pub struct A;", "pub fn A() {}", "pub trait A {}", "pub mod A {}", ""]);
    scene(&["move", "@item", "crate::dest"])
        .root("pub mod tr { pub trait A { fn m(&self) -> i32 { 1 } } impl A for i32 {} }\n")
        .items("use crate::tr::A as _;\n#[allow(dead_code)] struct A;")
        .body("println!(\"{}\", 5i32.m());")
        .dest(format!("#[allow(non_snake_case)] {own}\npub fn see() {{}}"))
        .main("dest::see();")
        .editions(&["2018", "2021", "2024"])
}

fn a_destination_has_no_prelude(rng: &mut Rng) -> Scene {
    let body = choose(
        rng,
        &[
            "let n: Option<i32> = Some(1); ::std::process::exit(n.unwrap_or(0));",
            "let n = Vec::<i32>::new(); ::std::process::exit(n.len() as i32 + 3);",
            "let n = ::std::string::String::from(\"a\").clone(); ::std::process::exit(n.len() as \
             i32);",
            "let n: i64 = 7i32.into(); ::std::process::exit(n as i32);",
        ],
    );
    scene(&["move", "@item", "crate::bare"])
        .root("#[no_implicit_prelude]\npub mod bare { pub fn see() {} }\n")
        .body(body)
        .main("bare::see();")
        .places(&Place::ALL)
}

fn a_method_gets_a_name_of_std(rng: &mut Rng) -> Scene {
    let [items, print, new] = choose(
        rng,
        &[
            [
                "#[derive(Clone)] pub struct S(pub i32); impl S { pub fn %old(&self) -> S { S(9) \
                 } }",
                "let s = S(1); println!(\"{} {}\", s.clone().0, s.%old().0);",
                "clone",
            ],
            [
                "pub struct S; impl ::std::fmt::Display for S { fn fmt(&self, f: &mut \
                 ::std::fmt::Formatter) -> ::std::fmt::Result { f.write_str(\"s\") } \
                 }\nimpl S { pub fn %old(&self) -> String { String::from(\"own\") } }",
                "println!(\"{} {}\", S.to_string(), S.%old());",
                "to_string",
            ],
            [
                "#[derive(PartialEq)] pub struct S(pub i32); impl S { pub fn %old(&self, _: &S) \
                 -> bool { false } }",
                "println!(\"{} {} {}\", S(1).eq(&S(1)), S(1).%old(&S(1)), S(1) == S(1));",
                "eq",
            ],
            [
                "pub struct S; impl From<S> for i32 { fn from(_: S) -> i32 { 1 } \
                 }\nimpl S { pub fn %old(self) -> i32 { 2 } }",
                "let n: i32 = S.into(); println!(\"{} {}\", n, S.%old());",
                "into",
            ],
            [
                "pub struct S; pub trait T { fn %old(&self) -> i32; } \
                 impl T for S { fn %old(&self) -> i32 { 3 } }",
                "println!(\"{}\", (&S).%old());",
                "clone",
            ],
            [
                "pub struct S; pub trait T { fn %old(&self) -> String; } \
                 impl T for i32 { fn %old(&self) -> String { String::from(\"t\") } }",
                "println!(\"{}\", 5i32.%old());",
                "to_string",
            ],
            [
                "pub struct S; pub trait T { fn %old(self) -> i32; } impl T for S { fn %old(self) \
                 -> i32 { 3 } }",
                "println!(\"{}\", S.%old());",
                "into",
            ],
            [
                "pub trait T { fn %old(&self) -> i32; } impl<X> T for [X] { fn %old(&self) -> i32 \
                 { 3 } }",
                "println!(\"{}\", [1u8].%old());",
                "to_owned",
            ],
            [
                "#[derive(Clone)] pub struct S; impl AsRef<i32> for S { fn as_ref(&self) -> &i32 \
                 { &4 } }\npub trait T { fn %old(&self) -> i32 { 3 } } impl T for S {}",
                "println!(\"{}\", S.%old());",
                "as_ref",
            ],
        ],
    );
    let path = if items.contains("trait T") { "@::T::%old" } else { "@::S::%old" };
    scene(&["rename", path, new]).items(items).body(print)
}

fn a_method_of_a_closure_gets_a_name_of_std(rng: &mut Rng) -> Scene {
    let [call, new] = choose(
        rng,
        &[
            ["(|| 3).%old()", "clone"],
            ["{ let f = || 4; f.%old() }", "clone"],
            ["{ let f: fn() -> i32 = || 5; f.%old() }", "clone"],
            ["(|| 6).%old()", "into"],
            ["{ let f: fn() -> i32 = || 5; f.%old() }", "eq"],
        ],
    );
    scene(&["rename", "@::T::%old", new])
        .items("pub trait T { fn %old(&self) -> i32; }")
        .items("impl<F: Fn() -> i32> T for F { fn %old(&self) -> i32 { self() } }")
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_method_of_an_extension_gets_an_inherent_name(rng: &mut Rng) -> Scene {
    let [ty, value, new] = choose(
        rng,
        &[
            ["[i32]", "vec![1, 2]", "len"],
            ["Vec<i32>", "vec![1, 2]", "len"],
            ["str", "\"ab\"", "len"],
            ["String", "String::from(\"ab\")", "len"],
            ["[i32]", "[4, 5]", "len"],
            ["Option<usize>", "Some(3usize)", "unwrap"],
            ["usize", "5usize", "count_ones"],
            ["::std::rc::Rc<i32>", "::std::rc::Rc::new(1)", "clone"],
            [
                "Box<dyn Fn() -> i32>",
                "{ let f: Box<dyn Fn() -> i32> = Box::new(|| 1); f }",
                "type_id",
            ],
            ["std::ops::Range<usize>", "(0..4usize)", "len"],
            ["std::ops::Range<usize>", "(0..4usize)", "count"],
        ],
    );
    scene(&["rename", "@::T::%old", new])
        .items("pub trait T { fn %old(&self) -> usize { 99 } }")
        .items(format!("impl T for {ty} {{}}"))
        .body(format!("println!(\"{{}}\", {value}.%old());"))
}

fn a_method_gets_a_name_with_another_receiver(rng: &mut Rng) -> Scene {
    let [old, new] = choose(
        rng,
        &[
            ["&self", "self"],
            ["self", "&self"],
            ["&mut self", "&self"],
            ["&self", "&mut self"],
            ["&self", "&self"],
        ],
    );
    let call = choose(rng, &["s.%old()", "S(3).%old()", "(&mut s).%old()", "T::%old({} s)"]);
    let reference = old.trim_end_matches("self");
    let call = call.replace("{}", reference);
    scene(&["rename", "@::T::%old", "%new"])
        .items("#[derive(Clone, Copy)] pub struct S(pub i32);")
        .items(format!(
            "pub trait T {{ fn %old({old}) -> i32; }} impl T for S {{ fn %old({old}) \
            -> i32 {{ 1 }} }}"
        ))
        .items(format!(
            "pub trait U {{ fn %new({new}) -> i32; }} impl U for S {{ fn %new({new}) \
            -> i32 {{ 2 }} }}"
        ))
        .body(format!(
            "let mut s = S(1); println!(\"{{}}\", {call}); s.0 += 1; \
            println!(\"{{}}\", s.%new());"
        ))
}

fn an_inherent_method_has_the_new_name(rng: &mut Rng) -> Scene {
    let [path, receiver] = choose(
        rng,
        &[
            ["@::T::%old", "S"],
            ["@::T::%old", "(&S)"],
            ["@::T::%old", "Box::new(S)"],
            ["@::S::%new", "S"],
        ],
    );
    let (call, new) = if path.contains("new") { ("%new", "%old") } else { ("%old", "%new") };
    let generic =
        choose(rng, &["", "fn see<X: T>(x: X) -> i32 { x.%old() } println!(\"{}\", see(S));"]);
    scene(&["rename", path, new])
        .items("pub struct S; impl S { pub fn %new(&self) -> i32 { 1 } }")
        .items(
            "pub trait T { fn %old(&self) -> i32; } impl T for S { fn %old(&self) -> i32 { 2 } }",
        )
        .body(format!("{generic} println!(\"{{}} {{}}\", {receiver}.{call}(), S.%old());"))
}

fn a_method_is_reached_through_deref(rng: &mut Rng) -> Scene {
    let [path, new, print] = choose(
        rng,
        &[
            ["@::W::%old", "%new", "w.%old(), w.%new()"],
            ["@::S::%new", "%old", "w.%old(), w.%new()"],
            ["@::W::%z", "%y", "w.%z, w.%y"],
            ["@::S::%y", "%z", "w.%z, w.%y"],
        ],
    );
    scene(&["rename", path, new])
        .items("pub struct S { pub %y: i32 } impl S { pub fn %new(&self) -> i32 { 2 } }")
        .items(
            "pub struct W { pub %z: i32, pub inner: S } impl W { pub fn %old(&self) -> i32 { 1 \
            } }",
        )
        .items(
            "impl ::std::ops::Deref for W { type Target = S; \
            fn deref(&self) -> &S { &self.inner } }",
        )
        .body(format!(
            "let w = W {{ %z: 3, inner: S {{ %y: 4 }} }}; println!(\"{{}} \
            {{}}\", {print});"
        ))
}

fn a_generic_has_two_traits(rng: &mut Rng) -> Scene {
    let [bound, call] = choose(
        rng,
        &[
            ["X: T + U", "x.%old() * 10 + x.%new()"],
            ["X: V", "x.%old() * 10 + x.%new()"],
            ["X: T + U", "X::%old(&x) * 10 + X::%new(&x)"],
            ["X: T + U", "T::%old(&x) * 10 + U::%new(&x)"],
        ],
    );
    scene(&["rename", "@::T::%old", "%new"])
        .items(
            "pub trait T { fn %old(&self) -> i32 { 1 } }\npub trait U { fn %new(&self) -> i32 \
            { 2 } }",
        )
        .items("pub trait V: T + U {} impl T for i32 {} impl U for i32 {} impl V for i32 {}")
        .items(format!("pub fn see<{bound}>(x: X) -> i32 {{ {call} }}"))
        .body("println!(\"{}\", see(1));")
}

fn an_impl_is_made_by_a_macro(rng: &mut Rng) -> Scene {
    let rules = choose(
        rng,
        &[
            "macro_rules! imp { ($t:ty) => { impl T for $t { fn %old(&self) -> i32 { 1 } } } }",
            "macro_rules! imp { ($t:ty) => { imp!($t, %old); }; ($t:ty, $m:ident) => { impl T for \
             $t { fn $m(&self) -> i32 { 2 } } } }",
            "macro_rules! imp { ($($t:ty),*) => { $(impl T for $t { fn %old(&self) -> i32 { \
             self.%other() } })* } }",
        ],
    );
    scene(&["rename", "@::T::%old", "%new"])
        .items(format!(
            "pub trait T {{ fn %old(&self) -> i32; fn %other(&self) -> i32 {{ 3 }} \
            }}\n{rules}\nimp!(u8);"
        ))
        .body("println!(\"{}\", 1u8.%old());")
}

fn an_associated_item_has_the_new_name(rng: &mut Rng) -> Scene {
    let [items, print, path, new] = choose(
        rng,
        &[
            [
                "pub struct S; impl S { pub const %NEW: i32 = 1; } pub trait T { const %OLD: i32; \
                 } impl T for S { const %OLD: i32 = 2; }",
                "println!(\"{} {}\", S::%OLD, S::%NEW);",
                "@::T::%OLD",
                "%NEW",
            ],
            [
                "pub trait T { type %Old; fn m() -> Self::%Old; } pub trait U { type %New; } \
                 impl T for u8 { type %Old = i32; fn m() -> i32 { 1 } } impl U for u8 { type %New \
                 = i8; } pub fn see<X: T<%Old = i32> + U>() -> i32 { let n: X::%Old = X::m(); n }",
                "println!(\"{}\", see::<u8>());",
                "@::T::%Old",
                "%New",
            ],
            [
                "pub enum E { %New } impl E { pub const %OLD: E = E::%New; \
                 pub fn get(&self) -> i32 { 5 } }",
                "println!(\"{} {}\", E::%OLD.get(), E::%New.get());",
                "@::E::%OLD",
                "%New",
            ],
            [
                "pub struct S; impl S { pub fn %old() -> i32 { 1 } } pub trait T { fn %new() -> \
                 i32 { 2 } } impl T for S {}",
                "println!(\"{} {}\", S::%old(), S::%new());",
                "@::S::%old",
                "%new",
            ],
        ],
    );
    scene(&["rename", path, new]).items(items).body(print)
}

fn a_trait_is_needed_where_it_is_not_named(rng: &mut Rng) -> Scene {
    let [import, receiver] = choose(
        rng,
        &[
            ["use crate::tr::*;", "5i32"],
            ["use crate::tr::T as Other;", "5i32"],
            ["use crate::tr::{T, S};", "S"],
            ["", "5i32"],
        ],
    );
    let (import, args) = if import.is_empty() {
        ("use crate::tr::T;", ["move", "t::tr::T", "crate::dest"])
    } else {
        (import, ["move", "@item", "crate::dest"])
    };
    scene(&args)
        .root(
            "pub mod tr { pub trait T { fn m(&self) -> i32 { 1 } } impl T for i32 {} \
            pub struct S; impl S { pub fn m(&self) -> i32 { 3 } } }\n",
        )
        .items(import)
        .body(format!("println!(\"{{}}\", {receiver}.m());"))
        .dest("pub fn unlike() {}")
}

fn a_field_and_a_method_have_one_name(rng: &mut Rng) -> Scene {
    let [path, new] = choose(rng, &[["@::S::%old", "%new"], ["@::S::%new", "%old"]]);
    let kind = choose(rng, &["method", "field"]);
    let member = if (kind == "method") == path.ends_with("%old") {
        ["%old", "%new"]
    } else {
        ["%new", "%old"]
    };
    let [method, field] = member;
    let print = choose(
        rng,
        &[
            "println!(\"{} {}\", s.METHOD(), (s.FIELD)());",
            "let f = s.FIELD; println!(\"{} {}\", f(), S::METHOD(&s));",
            "let S { FIELD } = s; println!(\"{}\", FIELD());",
        ],
    );
    let print = print.replace("METHOD", method).replace("FIELD", field);
    scene(&["rename", path, new, "--kind", kind])
        .items(format!(
            "pub struct S {{ pub {field}: fn() -> i32 }} impl S {{ pub fn {method}(&self) -> i32 \
             {{ 1 }} }} pub fn two() -> i32 {{ 2 }}"
        ))
        .body(format!("let s = S {{ {field}: two }}; {print}"))
}
