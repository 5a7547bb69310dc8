//! Names in modules: globs, imports, preludes, namespaces, conditions.

use super::case::Observation;
use super::scene::{Kind, Place, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    an_item_gets_a_name_of_the_prelude,
    an_item_gets_the_name_of_a_primitive_type,
    a_name_is_taken_in_a_namespace,
    a_module_gets_the_name_of_a_crate,
    an_import_has_the_new_name,
    an_item_has_configured_twins,
    a_glob_of_variants_has_the_new_name,
    a_reexport_is_a_name_elsewhere,
    an_explicit_name_hides_one_of_a_glob,
    two_globs_have_the_new_name,
    a_test_module_has_the_new_name,
];

fn an_item_gets_a_name_of_the_prelude(rng: &mut Rng) -> Scene {
    let [items, path, new, print] = choose(
        rng,
        &[
            [
                "pub struct %Old; impl %Old { pub fn new() -> &'static str { \"own\" } }",
                "@::%Old",
                "String",
                "println!(\"{}|{}\", %Old::new(), String::new());",
            ],
            [
                "pub struct %Old; impl %Old { pub fn new() -> [u8; 3] { [1, 2, 3] } }",
                "@::%Old",
                "Vec",
                "println!(\"{} {}\", %Old::new().len(), Vec::<u8>::new().len());",
            ],
            [
                "pub fn %old<T>(_: T) -> i32 { 5 }",
                "@::%old",
                "drop",
                "drop(3); println!(\"{}\", %old(4));",
            ],
            [
                "#[allow(non_snake_case)] pub fn %Old(n: i32) -> i32 { n }",
                "@::%Old",
                "Some",
                "println!(\"{:?} {}\", Some(1), %Old(2));",
            ],
            [
                "pub enum %Old { A } pub fn see() -> Option<i32> { None }",
                "@::%Old",
                "Option",
                "let _ = %Old::A; println!(\"{:?}\", see());",
            ],
            [
                "pub trait %Old { fn get(&self) -> i32 { 1 } } impl %Old for i32 {} \
                 #[derive(Default)] pub struct D(pub i32);",
                "@::%Old",
                "Default",
                "println!(\"{} {}\", 1.get(), <D as Default>::default().0);",
            ],
            [
                "pub struct %Old(pub i32); pub fn see() -> Box<i32> { Box::new(3) }",
                "@::%Old",
                "Box",
                "println!(\"{} {}\", %Old(1).0, see());",
            ],
            [
                "macro_rules! %old { ($($t:tt)*) => { 4 } }",
                "@::%old",
                "vec",
                "println!(\"{} {:?}\", %old![], vec![1]);",
            ],
            [
                "macro_rules! %old { ($($t:tt)*) => { () } }",
                "@::%old",
                "println",
                "%old!(); println!(\"1\");",
            ],
        ],
    );
    let path = if items.starts_with("macro") { "t::%old" } else { path };
    let scene = scene(&["rename", path, new]);
    if items.starts_with("macro") {
        scene.root(items).body(print)
    } else {
        scene.items(items).body(print)
    }
}

fn an_item_gets_the_name_of_a_primitive_type(rng: &mut Rng) -> Scene {
    let [items, path, new, print] = choose(
        rng,
        &[
            [
                "#[allow(non_camel_case_types)] pub struct %old; impl %old { pub const MAX: \
                 &'static str = \"own\"; }",
                "@::%old",
                "u8",
                "println!(\"{} {}\", %old::MAX, u8::max_value());",
            ],
            [
                "pub mod %old { pub fn get() -> i32 { 1 } }",
                "@::%old",
                "u32",
                "println!(\"{} {}\", %old::get(), u32::max_value());",
            ],
            [
                "pub mod %old { pub fn get() -> i32 { 1 } }",
                "@::%old",
                "str",
                "println!(\"{} {:?}\", %old::get(), str::len(\"ab\"));",
            ],
            [
                "#[allow(non_camel_case_types)] pub type %old = i64;",
                "@::%old",
                "i32",
                "let n: %old = 1; let m: i32 = 2; println!(\"{} {}\", std::mem::size_of_val(&n), \
                 std::mem::size_of_val(&m));",
            ],
            [
                "#[allow(non_camel_case_types)] pub trait %old { fn get(&self) -> i32 { 1 } } \
                 impl %old for bool {}",
                "@::%old",
                "bool",
                "let b: bool = true; println!(\"{} {}\", b.get(), b);",
            ],
        ],
    );
    scene(&["rename", path, new]).items(items).body(print)
}

fn a_name_is_taken_in_a_namespace(rng: &mut Rng) -> Scene {
    let taken = choose(
        rng,
        &[
            "pub fn %new() -> i32 { 2 }",
            "#[allow(non_upper_case_globals)] pub static %new: i32 = 2;",
            "#[allow(non_camel_case_types)] pub struct %new;",
            "#[allow(non_camel_case_types)] pub struct %new(pub i32);",
            "pub mod %new {}",
            "macro_rules! %new { () => { 1 } }",
            "#[allow(non_camel_case_types)] pub struct %new {}",
            "#[allow(non_camel_case_types)] pub type %new = i32;",
        ],
    );
    let [items, print] = choose(
        rng,
        &[
            ["pub fn %old() -> i32 { 1 }", "println!(\"{}\", %old());"],
            ["pub mod %old { pub fn get() -> i32 { 1 } }", "println!(\"{}\", %old::get());"],
            [
                "#[allow(non_camel_case_types)] pub struct %old(i32);",
                "println!(\"{}\", %old(3).0);",
            ],
            [
                "#[allow(non_camel_case_types)] pub enum %old { A }",
                "println!(\"{}\", %old::A as i32);",
            ],
        ],
    );
    scene(&["rename", "@::%old", "%new"]).items(taken).items(items).body(print).places(&Place::ALL)
}

fn a_module_gets_the_name_of_a_crate(rng: &mut Rng) -> Scene {
    let new = choose(rng, &["std", "core", "alloc"]);
    let print = choose(
        rng,
        &[
            "println!(\"{} {}\", %old::get(), NEW::mem::size_of::<u8>());",
            "use NEW::mem::size_of; println!(\"{} {}\", @::%old::get(), size_of::<u16>());",
            "println!(\"{} {}\", @::%old::get(), ::std::mem::size_of::<u8>());",
            "println!(\"{}\", %old::get());",
            "println!(\"{:?} {}\", std::cmp::max(1, 2), @::%old::get());",
        ],
    );
    let root = if new == "alloc" && print.contains("NEW") { "std" } else { new };
    scene(&["rename", "@::%old", new])
        .items("pub mod %old { pub fn get() -> i32 { 1 } }")
        .body(print.replace("NEW", root))
        .editions(&["2018", "2021", "2024"])
}

fn an_import_has_the_new_name(rng: &mut Rng) -> Scene {
    let [import, inner] = choose(
        rng,
        &[
            ["use crate::dest::%new;", ""],
            ["", "use crate::dest::%new;"],
            ["use crate::dest::{%new as %other};", ""],
            ["use crate::dest::%other as %new;", ""],
            ["", "use crate::dest::*;"],
            ["", "use self::%old as %new;"],
            ["#[allow(unused_imports)] pub use self::%old as %new;", ""],
        ],
    );
    let inner = inner.replace("self::", "@::");
    let shown = if import.is_empty() && inner.is_empty() { "0" } else { "%old()" };
    scene(&["rename", "@::%old", "%new"])
        .items(format!("{import}\npub fn %old() -> i32 {{ 1 }}"))
        .body(format!("{inner} println!(\"{{}}\", {shown});"))
        .dest("pub fn %new() -> i32 { 2 }\npub fn %other() -> i32 { 3 }")
}

fn an_item_has_configured_twins(rng: &mut Rng) -> Scene {
    let twins = choose(
        rng,
        &[
            "#[cfg(unix)] pub fn %old() -> i32 { 1 }\n#[cfg(not(unix))] pub fn %old() -> i32 { 2 }",
            "#[cfg(debug_assertions)] pub fn %old() -> i32 { 1 }\n#[cfg(not(debug_assertions))] \
             pub fn %old() -> i32 { 2 }",
            "pub fn %old() -> i32 { if cfg!(test) { %new() } else { 1 } \
             }\n#[cfg(test)] pub fn %new() -> i32 { 4 }\n#[cfg(not(test))] fn %new() -> i32 { 5 }",
            "#[cfg(unix)] pub fn %old() -> i32 { 1 }\n#[cfg(not(unix))] use self::%new as \
             %old;\n#[allow(dead_code)] fn %new() -> i32 { 2 }",
            "#[cfg(unix)] pub fn %old() -> i32 { 1 }\n#[cfg(windows)] pub fn %new() -> i32 { 2 }",
            "#[cfg_attr(unix, path = \"one.rs\")] #[cfg_attr(not(unix), path = \"two.rs\")] mod \
             %x; pub use self::%x::%old;",
        ],
    );
    let scene =
        scene(&["rename", "@::%old", "%new"]).items(twins).body("println!(\"{}\", %old());");
    if twins.contains("one.rs") {
        return scene
            .file("src/one.rs", "pub fn %old() -> i32 { 1 }\n")
            .file("src/two.rs", "pub fn %old() -> i32 { 2 }\n")
            .places(&[Place::Root]);
    }
    scene
}

fn a_glob_of_variants_has_the_new_name(rng: &mut Rng) -> Scene {
    let [items, path, new, print] = choose(
        rng,
        &[
            [
                "pub enum E { %Old, %Other } use self::E::*; pub const %X: i32 = 3;",
                "@::%X",
                "%Old",
                "println!(\"{} {} {}\", %X, %Old as i32, %Other as i32);",
            ],
            [
                "pub enum E { %Old, %Other } use self::E::*; pub struct %X;",
                "@::E::%Other",
                "%X",
                "let _ = %X; println!(\"{} {}\", %Old as i32, %Other as i32);",
            ],
            [
                "pub enum E { %Old, %Other } use self::E::*; pub enum F { A, %Old } ",
                "@::E::%Other",
                "%New",
                "println!(\"{} {}\", match E::%Other { %Old => 1, %Other => 2 }, F::%Old as i32);",
            ],
            [
                "pub enum E { %Old, %Other } use self::E::%Old; pub struct %New;",
                "@::E::%Old",
                "%New",
                "let _ = %New; println!(\"{} {}\", match E::%Other { %Old => 1, _ => 2 }, E::%Old \
                 as i32);",
            ],
            [
                "#[derive(Clone, Copy)] pub enum E { %Old, %Other } use self::E::*;",
                "@::E::%Other",
                "%New",
                "println!(\"{}\", match E::%Old { %Other => 1, %New => %New as i32 + 5 });",
            ],
        ],
    );
    scene(&["rename", path, new]).items(items).body(print)
}

fn a_reexport_is_a_name_elsewhere(rng: &mut Rng) -> Scene {
    let [reexport, call] = choose(
        rng,
        &[
            ["pub use crate::dest::%old;", "%old() + crate::dest::%old()"],
            ["pub use crate::dest::{%old as %other};", "%other() + %new()"],
            ["pub use crate::dest::*;", "%old() + %new()"],
            [
                "pub use crate::dest::%old; pub mod sub { pub use super::%old as %x; }",
                "%old() + sub::%x()",
            ],
        ],
    );
    let taken = if call.contains("%new()") { "pub fn %new() -> i32 { 7 }" } else { "" };
    scene(&["rename", "t::dest::%old", "%new"])
        .items(format!("{reexport} {taken}"))
        .body(format!("println!(\"{{}}\", {call});"))
        .dest("pub fn %old() -> i32 { 1 }")
        .places(&Place::MODULES)
}

fn an_explicit_name_hides_one_of_a_glob(rng: &mut Rng) -> Scene {
    let [items, path, new] = choose(
        rng,
        &[
            ["use crate::dest::*; pub fn %old() -> i32 { 1 }", "@::%old", "%new"],
            ["use crate::dest::*; use crate::third::%old;", "t::third::%old", "%new"],
            ["use crate::dest::*; pub fn %old() -> i32 { 1 }", "t::dest::%new", "%old"],
            [
                "use crate::dest::*; use crate::third::%old as %other; \
                 fn %old() -> i32 { %other() + 2 }",
                "@::%old",
                "%new",
            ],
        ],
    );
    scene(&["rename", path, new])
        .root("pub mod third { pub fn %old() -> i32 { 3 } }\n")
        .items(items)
        .body("println!(\"{} {}\", %old(), %new());")
        .dest("pub fn %new() -> i32 { 2 }")
        .places(&Place::MODULES)
}

fn two_globs_have_the_new_name(rng: &mut Rng) -> Scene {
    let path = choose(rng, &["t::dest::%old", "t::third::%new"]);
    let new = if path.contains("old") { "%new" } else { "%old" };
    let print = choose(
        rng,
        &["println!(\"{} {}\", %old(), %new());", "println!(\"{} {}\", %old(), @::%new());"],
    );
    let third = choose(
        rng,
        &[
            "pub fn %new() -> i32 { 2 }",
            "pub use self::deep::*; pub mod deep { pub fn %new() -> i32 { 2 } }",
        ],
    );
    let path = if third.contains("deep") && path.contains("third") {
        "t::third::deep::%new"
    } else {
        path
    };
    scene(&["rename", path, new])
        .root(format!("pub mod third {{ {third} }}\n"))
        .items("pub use crate::dest::*; pub use crate::third::*;")
        .body(print)
        .dest("pub fn %old() -> i32 { 1 }")
        .places(&Place::MODULES)
}

fn a_test_module_has_the_new_name(rng: &mut Rng) -> Scene {
    let checks = choose(
        rng,
        &[
            "use super::*; fn %new() -> i32 { 2 } #[test] fn a() { assert_eq!(%old() * 10 + \
             %new(), 12); }",
            "use super::*; use super::deep::*; #[test] fn a() { assert_eq!(%old() * 10 + %new(), \
             12); }",
            "use super::*; use super::deep::%new; #[test] fn a() { assert_eq!(%old() * 10 + \
             %new(), 12); }",
            "use super::%old as %x; #[test] fn %new() { assert_eq!(%x(), 1); }",
            "use super::*; #[test] fn %new() { assert_eq!(%old(), 1); }",
            "use super::*; #[test] fn a() { let %new = 2; assert_eq!(%old() * 10 + %new, 12); }",
        ],
    );
    let attribute =
        choose(rng, &["#[cfg(test)]", "#[cfg(all(test, unix))]", "#[cfg(any(test, windows))]"]);
    scene(&["rename", "@::%old", "%new"])
        .items("pub fn %old() -> i32 { 1 }\npub mod deep { pub fn %new() -> i32 { 2 } }")
        .items(format!("{attribute} mod checks {{ {checks} }}"))
        .body("println!(\"{}\", %old());")
        .observe(Observation::Tests)
}
