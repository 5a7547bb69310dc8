//! What nothing names, and something needs: positions, layouts, impls, patterns.

use super::case::Observation;
use super::scene::{Kind, Place, Position, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    an_unused_variant_counts,
    an_unused_field_counts,
    an_unused_field_has_a_place,
    a_module_has_only_impls,
    a_method_hides_a_default,
    a_method_is_called_by_the_language,
    a_constant_is_a_pattern,
    a_use_is_in_a_macro,
    a_use_is_in_a_format_string,
    a_use_is_for_tests,
    an_inherent_method_hides_one_of_a_trait,
    a_trait_is_used_by_its_methods,
    an_item_is_used_by_constants_alone,
];

fn an_unused_variant_counts(rng: &mut Rng) -> Scene {
    let [derive, print] = choose(
        rng,
        &[
            ["", "println!(\"{}\", E::%Other as u8);"],
            ["#[repr(u8)]", "println!(\"{}\", E::%Other as i64);"],
            [
                "#[derive(PartialEq, Eq, Hash)]",
                "use std::hash::{Hash, Hasher}; \
                 let mut h = std::collections::hash_map::DefaultHasher::new(); \
                 E::%Other.hash(&mut h); println!(\"{}\", h.finish());",
            ],
            [
                "#[repr(u8)] #[derive(Clone, Copy)]",
                "println!(\"{}\", unsafe { std::mem::transmute::<E, u8>(E::%Other) });",
            ],
            ["", "println!(\"{}\", std::mem::size_of::<E>()); let _ = E::A; let _ = E::%Other;"],
        ],
    );
    let variants = choose(
        rng,
        &["A, %Old, %Other", "%Old, A, %Other", "A = 3, %Old, %Other", "A, %Old = 7, %Other"],
    );
    let variants = if print.contains("size_of") { "A, %Old(u64), %Other" } else { variants };
    scene(&["delete", "@::E::%Old", "--if-unused"])
        .items(format!("#[allow(dead_code)] {derive} pub enum E {{ {variants} }}"))
        .body(print)
}

fn an_unused_field_counts(rng: &mut Rng) -> Scene {
    let [derive, ty, print] = choose(
        rng,
        &[
            ["#[derive(Default, Debug)]", "i32", "println!(\"{:?}\", S::default());"],
            ["#[derive(Default)]", "u64", "println!(\"{}\", std::mem::size_of::<S>());"],
            [
                "#[repr(C)] #[derive(Default)]",
                "u32",
                "let s = S::default(); println!(\"{}\", &s.%other as *const _ as usize - &s as \
                 *const _ as usize);",
            ],
            ["#[derive(Default)]", "Loud", "let _s = S::default();"],
            [
                "#[derive(Default, Hash)]",
                "u8",
                "use std::hash::{Hash, Hasher}; \
                 let mut h = std::collections::hash_map::DefaultHasher::new(); \
                 S::default().hash(&mut h); println!(\"{}\", h.finish());",
            ],
            [
                "#[derive(Default)]",
                "std::rc::Rc<u8>",
                "fn made<T: Default>() -> &'static str { \"made\" } println!(\"{} \
                 {}\", std::mem::needs_drop::<S>(), made::<S>());",
            ],
        ],
    );
    scene(&["delete", "@::S::%old", "--if-unused"])
        .items(
            "#[derive(Default, Debug, Hash)] pub struct Loud;\nimpl Drop for Loud { fn \
            drop(&mut self) { println!(\"dropped\"); } }",
        )
        .items(format!(
            "#[allow(dead_code)] {derive} pub struct S {{ pub %old: {ty}, pub %other: \
            u8 }}"
        ))
        .body(format!("{print} println!(\"{{}}\", S::default().%other);"))
}

fn an_unused_field_has_a_place(rng: &mut Rng) -> Scene {
    let [fields, path, shown] = choose(
        rng,
        &[
            ["pub i32, pub i32, pub i32", "@::S::1", "s.0, s.2"],
            ["pub i32, pub i32", "@::S::0", "s.1, 5"],
            ["pub i32, pub i32, pub i32", "@::S::0", "s.1, s.2"],
        ],
    );
    scene(&["delete", path, "--if-unused"])
        .items(format!("#[derive(Default)] pub struct S({fields});"))
        .body(format!("let s = S::default(); println!(\"{{}} {{}}\", {shown});"))
}

fn a_module_has_only_impls(rng: &mut Rng) -> Scene {
    let [body, print] = choose(
        rng,
        &[
            [
                "impl std::fmt::Display for super::Q { fn fmt(&self, f: &mut std::fmt::Formatter) \
                 -> std::fmt::Result { f.write_str(\"q\") } }",
                "println!(\"{}\", Q);",
            ],
            [
                "impl Drop for super::Q { fn drop(&mut self) { println!(\"dropped\"); } }",
                "let _q = Q;",
            ],
            ["impl super::Q { pub fn get(&self) -> i32 { 3 } }", "println!(\"{}\", Q.get());"],
            [
                "impl From<super::Q> for i32 { fn from(_: super::Q) -> i32 { 4 } }",
                "let n: i32 = Q.into(); println!(\"{}\", n);",
            ],
            ["impl super::T for super::Q { fn m(&self) -> i32 { 2 } }", "println!(\"{}\", Q.m());"],
            [
                "use super::T; impl T for (super::Q,) { fn m(&self) -> i32 { 2 } }",
                "println!(\"{}\", (Q,).m());",
            ],
        ],
    );
    let is_generic = print.contains("m()");
    let items = if is_generic {
        "pub trait T { fn m(&self) -> i32 { 1 } }\nimpl<X> T for [X] { }"
    } else {
        "pub trait T {}"
    };
    scene(&["delete", "@::%old", "--if-unused"])
        .items(format!("pub struct Q;\n{items}\nmod %old {{ {body} }}"))
        .body(print)
}

fn a_method_hides_a_default(rng: &mut Rng) -> Scene {
    let call = choose(
        rng,
        &[
            "println!(\"{}\", T::twice(&S));",
            "fn see<X: T>(x: X) -> i32 { x.twice() } println!(\"{}\", see(S));",
            "let all: Vec<Box<dyn T>> = vec![Box::new(S)]; println!(\"{}\", all[0].twice());",
        ],
    );
    scene(&["delete", "@::S::%old", "--if-unused"])
        .items(
            "pub trait T { fn %old(&self) -> i32 { 1 } fn twice(&self) -> i32 { self.%old() * \
            2 } }",
        )
        .items("pub struct S; impl T for S { fn %old(&self) -> i32 { 5 } }")
        .body(call)
}

fn a_method_is_called_by_the_language(rng: &mut Rng) -> Scene {
    let [items, path, print] = choose(
        rng,
        &[
            [
                "pub struct S; impl std::ops::Add for S { type Output = i32; \
                 fn add(self, _: S) -> i32 { 3 } }",
                "@::S::add",
                "println!(\"{}\", S + S);",
            ],
            [
                "pub struct S(i32); impl Iterator for S { type Item = i32; \
                 fn next(&mut self) -> Option<i32> { self.0 -= 1; if self.0 > 0 { Some(self.0) } \
                 else { None } } }",
                "@::S::next",
                "for n in S(3) { println!(\"{}\", n); }",
            ],
            [
                "pub struct S; impl Drop for S { fn drop(&mut self) { println!(\"dropped\"); } }",
                "@::S::drop",
                "let _s = S;",
            ],
            [
                "pub struct S(i32); impl std::ops::Deref for S { type Target = i32; \
                 fn deref(&self) -> &i32 { &self.0 } }",
                "@::S::deref",
                "println!(\"{}\", S(4).pow(2));",
            ],
            [
                "pub struct S; impl PartialEq for S { fn eq(&self, _: &S) -> bool { true } \
                 fn ne(&self, _: &S) -> bool { true } }",
                "@::S::ne",
                "println!(\"{} {}\", S == S, S != S);",
            ],
            [
                "pub struct S; impl std::fmt::Display for S { fn fmt(&self, f: &mut \
                 std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"s\") } }",
                "@::S::fmt",
                "println!(\"{}\", S);",
            ],
        ],
    );
    scene(&["delete", path, "--if-unused"]).items(items).body(print)
}

fn a_constant_is_a_pattern(rng: &mut Rng) -> Scene {
    let text = choose(
        rng,
        &[
            "let n = match 3 { %OLD => 1, _ => 0 }; println!(\"{}\", n);",
            "println!(\"{}\", matches!(3, %OLD));",
            "if let %OLD = 3 { println!(\"yes\") } else { println!(\"no\") }",
            "let n = match (3, 4) { (%OLD, _) => 1, (_, 4) => 2, _ => 3 }; println!(\"{}\", n);",
        ],
    );
    scene(&["delete", "@::%OLD", "--if-unused"]).items("pub const %OLD: i32 = 5;").body(text)
}

fn a_use_is_in_a_macro(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["macro_rules! k { () => { %old() } }\n", "k!()"],
            ["macro_rules! k { ($($p:tt)*) => { $($p)*() } }\n", "k!(%old)"],
            ["macro_rules! k { ($a:ident) => { $a::%old() } }\n", "k!(self)"],
            ["macro_rules! k { ($a:tt $b:tt) => { $b() + $a } }\n", "k!(1 %old)"],
        ],
    );
    scene(&["delete", "@::%old", "--if-unused"])
        .root(rules)
        .items("pub fn %old() -> i32 { 3 }")
        .body(format!("println!(\"{{}}\", {call});"))
        .positions(&[Position::Function, Position::Method, Position::Block, Position::Closure])
}

fn a_use_is_in_a_format_string(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{%OLD}\");",
            "println!(\"{:?}\", format!(\"{%OLD:?}\"));",
            "println!(\"{:%OLD$}\", 1);",
            "print!(\"{0} {%OLD}\\n\", 4);",
        ],
    );
    scene(&["delete", "@::%OLD", "--if-unused"]).items("pub const %OLD: usize = 5;").body(print)
}

fn a_use_is_for_tests(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "#[cfg(test)] mod checks { #[test] fn a() { assert_eq!(super::%old(), 1); } }",
            "#[cfg(test)] mod checks { use super::*; #[test] fn a() { assert_eq!(%old(), 1); } }",
            "#[test] fn a() { assert_eq!(%old(), 1); }",
            "#[cfg(not(unix_like))] #[test] fn a() { assert_eq!(%old(), 1); }",
        ],
    );
    scene(&["delete", "@::%old", "--if-unused"])
        .items(format!("pub fn %old() -> i32 {{ 1 }}\n{user}"))
        .body("println!(\"1\");")
        .observe(Observation::Tests)
        .places(&Place::ALL)
}

fn an_inherent_method_hides_one_of_a_trait(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["", "S.%old()"],
            ["macro_rules! k { ($e:expr) => { $e.%old() } }\n", "k!(S)"],
            ["macro_rules! k { ($e:expr, $m:ident) => { $e.$m() } }\n", "k!(S, %old)"],
            ["macro_rules! k { ($e:ident) => { $e::%old(&$e) } }\n", "k!(S)"],
        ],
    );
    scene(&["delete", "@::S::%old", "--if-unused"])
        .root(rules)
        .items("pub struct S; impl S { pub fn %old(&self) -> i32 { 1 } }")
        .items("pub trait T { fn %old(&self) -> i32 { 2 } }\nimpl<X> T for X {}")
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_trait_is_used_by_its_methods(rng: &mut Rng) -> Scene {
    let [import, call] = choose(
        rng,
        &[
            ["use self::tr::*;", "5i32.m()"],
            ["use self::tr::{%Old as _};", "5i32.m()"],
            ["", "{ use self::tr::*; 5i32.m() }"],
            ["use self::tr::*;", "k!(5i32)"],
            ["use self::tr::*;", "see(5i32)"],
        ],
    );
    let call = call.replace("self::", "@::");
    scene(&["delete", "@::tr::%Old", "--if-unused"])
        .root("macro_rules! k { ($e:expr) => { $e.m() } }\n")
        .items("pub mod tr { pub trait %Old { fn m(&self) -> i32 { 1 } } impl<T> %Old for T {} }")
        .items(format!(
            "#[allow(unused_imports)] {import}\npub fn see<X>(x: X) -> usize {{ \
            ::std::mem::size_of_val(&x) }}"
        ))
        .body(format!("println!(\"{{}}\", {call});"))
        .editions(&["2018", "2021", "2024"])
}

fn an_item_is_used_by_constants_alone(rng: &mut Rng) -> Scene {
    let user = choose(
        rng,
        &[
            "const _: [(); 1] = [(); (%OLD == 5) as usize];",
            "pub enum E { A = %OLD as isize }",
            "pub type T = [u8; %OLD];",
            "pub struct S { pub n: [u8; %OLD] }",
            "pub trait T { const N: usize = %OLD; }",
            "macro_rules! never { () => { %OLD } }",
            "pub fn see() -> usize { fn deep() -> usize { %OLD } deep() }",
            "#[deprecated(note = \"use %OLD\")] pub fn see() {}",
        ],
    );
    scene(&["delete", "@::%OLD", "--if-unused"])
        .items(format!("pub const %OLD: usize = 5;\n#[allow(dead_code, unused_macros)] {user}"))
        .body("println!(\"1\");")
}
