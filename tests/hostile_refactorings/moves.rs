//! Moves: relative paths, visibility, and what the destination has already.

use super::scene::{Kind, Place, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_moved_text_has_relative_paths,
    a_moved_module_has_relative_paths,
    a_moved_item_was_visible_nearby,
    the_destination_has_the_name,
    the_destination_has_a_name_that_the_text_needs,
    the_destination_sees_the_name_through_a_glob,
    a_name_comes_from_a_glob_of_the_old_module,
    a_moved_type_has_private_parts,
    a_moved_item_is_reached_through_a_glob,
    a_moved_text_depends_on_where_it_is,
    a_text_is_moved_up_or_down,
    a_moved_item_leaves_its_name,
];

fn a_moved_text_has_relative_paths(rng: &mut Rng) -> Scene {
    let call = choose(
        rng,
        &[
            "self::%other()",
            "%other()",
            "@::%other()",
            "super_sub::get()",
            "self::super_sub::get()",
            "{ use self::super_sub::get; get() }",
            "{ use self::super_sub::*; get() }",
            "{ mod deep { pub fn get() -> i32 { 6 } } deep::get() }",
            "<self::S as self::T>::get()",
            "{ let n: [u8; self::LEN] = [0; LEN]; n.len() as i32 }",
            "{ fn inner() -> i32 { self::%other() } inner() }",
        ],
    );
    let dest = choose(
        rng,
        &[
            "pub fn %other() -> i32 { 90 }\npub mod super_sub { pub fn get() -> i32 { 91 } \
             }\npub const LEN: usize = 92;\npub struct S; pub trait T { fn get() -> i32 { 93 } } \
             impl T for S {}",
            "pub fn unlike() {}",
        ],
    );
    scene(&["move", "@item", "crate::dest"])
        .items("pub fn %other() -> i32 { 1 }\npub mod super_sub { pub fn get() -> i32 { 2 } }")
        .items(
            "pub const LEN: usize = 3; pub struct S; pub trait T { fn get() -> i32 { 4 } } \
            impl T for S {}",
        )
        .body(format!("println!(\"{{}}\", {call});"))
        .dest(dest)
}

fn a_moved_module_has_relative_paths(rng: &mut Rng) -> Scene {
    let inner = choose(
        rng,
        &[
            "pub fn get() -> i32 { super::%other() }",
            "use super::*; pub fn get() -> i32 { %other() }",
            "use super::%other as %x; pub fn get() -> i32 { %x() + self::deep::get() } \
             pub mod deep { pub fn get() -> i32 { super::super::%other() } }",
            "pub mod deep { use super::super::%other; pub fn get() -> i32 { %other() } } \
             pub use self::deep::get;",
            "pub fn get() -> i32 { crate::dest::%z() + super::%other() }",
            "pub(super) fn get() -> i32 { own() } pub(in super) fn own() -> i32 { 4 }",
        ],
    );
    scene(&["move", "@::%old", "crate::dest"])
        .items(format!("pub fn %other() -> i32 {{ 1 }}\npub mod %old {{ {inner} }}"))
        .body("println!(\"{}\", %old::get());")
        .dest("pub fn %other() -> i32 { 9 }\npub fn %z() -> i32 { 8 }")
}

fn a_moved_item_was_visible_nearby(rng: &mut Rng) -> Scene {
    let visibility = choose(rng, &["", "pub(super) ", "pub(crate) ", "pub(self) "]);
    let item = choose(
        rng,
        &[
            "fn %old() -> i32 { secret() }",
            "fn %old() -> i32 { Hidden::make().n }",
            "const %old: fn() -> i32 = secret;",
            "fn %old() -> i32 { sub::deep() }",
        ],
    );
    scene(&["move", "@::%old", "crate::dest"])
        .items(format!(
            "fn secret() -> i32 {{ 1 }}\nstruct Hidden {{ n: i32 }} impl Hidden {{ fn make() -> \
             Hidden {{ Hidden {{ n: 2 }} }} }}\n\
             mod sub {{ pub(super) fn deep() -> i32 {{ 3 }} }}\n\
             #[allow(non_upper_case_globals)] {visibility}{item}"
        ))
        .body("println!(\"{}\", %old());")
        .dest("pub fn unlike() {}")
}

fn the_destination_has_the_name(rng: &mut Rng) -> Scene {
    let dest = choose(
        rng,
        &[
            "pub fn %old() -> i32 { 2 }",
            "#[allow(non_camel_case_types)] pub struct %old(pub i32);",
            "use crate::third::%old;",
            "use crate::third::*;",
            "pub use crate::third::%old;",
            "#[allow(non_camel_case_types)] pub struct %old {}",
            "pub mod %old {}",
            "macro_rules! %old { () => { 4 } }",
            "#[cfg(not(unix))] pub fn %old() -> i32 { 2 }",
        ],
    );
    let uses = dest.contains("fn %old") || dest.contains("third");
    let see = if uses && !dest.contains("cfg") { "%old()" } else { "0" };
    scene(&["move", "@::%old", "crate::dest"])
        .root("pub mod third { pub fn %old() -> i32 { 3 } }\n")
        .items("pub fn %old() -> i32 { 1 }")
        .body("println!(\"{}\", %old());")
        .dest(format!("{dest}\npub fn see() -> i32 {{ {see} }}"))
        .main("println!(\"{}\", dest::see());")
        .places(&Place::MODULES)
}

fn the_destination_has_a_name_that_the_text_needs(rng: &mut Rng) -> Scene {
    let import = choose(
        rng,
        &[
            "use crate::third::%x;",
            "use crate::third::*;",
            "use crate::third::{%x};",
            "use crate::third::%y as %x;",
            "pub fn %x() -> i32 { 4 }",
        ],
    );
    let dest = choose(
        rng,
        &[
            "pub fn %x() -> i32 { 2 }",
            "use crate::fourth::%x;",
            "use crate::fourth::*;",
            "#[allow(non_camel_case_types)] pub struct %x(pub i32);",
            "pub mod %x {}",
            "#[allow(non_camel_case_types)] pub type %x = i32;",
        ],
    );
    let see = if dest.contains("fourth") || dest.contains("fn %x") { "%x()" } else { "0" };
    scene(&["move", "@item", "crate::dest"])
        .root("pub mod third { pub fn %x() -> i32 { 3 } pub fn %y() -> i32 { 5 } }\n")
        .root("pub mod fourth { pub fn %x() -> i32 { 6 } }\n")
        .items(import)
        .body("println!(\"{}\", %x());")
        .dest(format!("{dest}\npub fn see() -> i32 {{ {see} }}"))
        .main("println!(\"{}\", dest::see());")
        .places(&Place::MODULES)
}

fn the_destination_sees_the_name_through_a_glob(rng: &mut Rng) -> Scene {
    let [dest, see] = choose(
        rng,
        &[
            ["use crate::third::*;", "%old()"],
            [
                "pub use crate::third::*; pub mod sub { pub use super::*; \
                 pub fn see() -> i32 { %old() } }",
                "sub::see()",
            ],
            [
                "pub mod sub { use super::*; use crate::third::*; pub fn see() -> i32 { %old() } }",
                "sub::see()",
            ],
            [
                "pub mod sub { use crate::third::*; pub fn see() -> i32 { use super::*; \
                 let _ = unlike(); %old() } } pub fn unlike() {}",
                "sub::see()",
            ],
        ],
    );
    scene(&["move", "@::%old", "crate::dest"])
        .root("pub mod third { pub fn %old() -> i32 { 3 } }\n")
        .items("pub fn %old() -> i32 { 1 }")
        .body("println!(\"{}\", %old());")
        .dest(format!("{dest}\npub fn see() -> i32 {{ {see} }}"))
        .main("println!(\"{}\", dest::see());")
        .places(&Place::MODULES)
}

fn a_name_comes_from_a_glob_of_the_old_module(rng: &mut Rng) -> Scene {
    let [globs, call] = choose(
        rng,
        &[
            ["use crate::third::*;", "%x() + %Y::get()"],
            ["use crate::third::*; use crate::third::deep::*;", "%x() + %z()"],
            ["use self::E::*; pub enum E { %Y, %X }", "%X as i32 + %Y as i32"],
            ["use crate::third::*;", "%Y.go()"],
            ["use crate::third::*;", "k_third!()"],
        ],
    );
    scene(&["move", "@item", "crate::dest"])
        .root(
            "#[macro_use] mod defs { macro_rules! k_third { () => { %x() } } }\n\
             pub mod third { pub fn %x() -> i32 { 3 } pub struct %Y; impl %Y { pub fn get() -> \
             i32 { 4 } }\n\
             pub trait Go { fn go(&self) -> i32 { 5 } } impl Go for %Y {} \
             pub mod deep { pub fn %z() -> i32 { 6 } } }\n",
        )
        .items(globs)
        .body(format!("println!(\"{{}}\", {call});"))
        .dest("pub fn %x() -> i32 { 9 }")
        .places(&Place::MODULES)
}

fn a_moved_type_has_private_parts(rng: &mut Rng) -> Scene {
    let [item, print] = choose(
        rng,
        &[
            [
                "pub struct %Old { n: i32 }\nimpl %Old { fn get(&self) -> i32 { self.n } }",
                "println!(\"{}\", %Old { n: 1 }.get());",
            ],
            [
                "pub struct %Old(i32);\nimpl Clone for %Old { fn clone(&self) -> Self { \
                 %Old(self.0 + 1) } }",
                "println!(\"{}\", %Old(1).clone().0);",
            ],
            [
                "#[derive(Default)] pub struct %Old { n: i32, hidden: Hidden \
                 }\n#[derive(Default)] struct Hidden(i32);",
                "let s = %Old::default(); println!(\"{} {}\", s.n, s.hidden.0);",
            ],
            [
                "pub enum %Old { A(Hidden) }\npub struct Hidden { n: i32 }",
                "let %Old::A(h) = %Old::A(Hidden { n: 4 }); println!(\"{}\", h.n);",
            ],
            [
                "pub trait %Old { fn get(&self) -> i32 { secret() } }\nimpl %Old for u8 {}\nfn \
                 secret() -> i32 { 3 }",
                "println!(\"{}\", 1u8.get());",
            ],
        ],
    );
    scene(&["move", "@::%Old", "crate::dest"]).items(item).body(print).dest("pub fn unlike() {}")
}

fn a_moved_item_is_reached_through_a_glob(rng: &mut Rng) -> Scene {
    let [user, call] = choose(
        rng,
        &[
            ["use @::*;", "%old()"],
            ["use @::%old;", "%old()"],
            ["pub use @::%old as %x;", "%x()"],
            ["use @::{self as %y};", "%y::%old()"],
            ["pub mod pre { pub use @::*; } use self::pre::*;", "%old()"],
            ["use @::{%old, kept};", "%old() + kept()"],
            ["", "{ use @::*; %old() + kept() }"],
        ],
    );
    scene(&["move", "@::%old", "crate::dest"])
        .items("pub fn %old() -> i32 { 1 }\npub fn kept() -> i32 { 2 }")
        .body("println!(\"{}\", %old());")
        .dest("pub fn unlike() {}")
        .after(format!("pub mod user {{ {user} pub fn see() -> i32 {{ {call} }} }}\n"))
        .main("println!(\"{}\", user::see());")
        .places(&Place::MODULES)
        .editions(&["2018", "2021", "2024"])
}

fn a_moved_text_depends_on_where_it_is(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &["println!(\"{}\", module_path!());", "println!(\"{}\", std::any::type_name::<S>());"],
    );
    scene(&["move", "@item", "crate::dest"])
        .items("pub struct S;")
        .body(print)
        .dest("pub fn unlike() {}")
        .places(&Place::MODULES)
        .names_are_printed()
}

fn a_text_is_moved_up_or_down(rng: &mut Rng) -> Scene {
    let to = choose(rng, &["crate", "@::child", "crate::fresh", "crate::dest::fresh"]);
    let call = choose(
        rng,
        &[
            "%x()",
            "self::%x()",
            "child::%x()",
            "self::child::%y()",
            "crate::%z()",
            "{ use self::child::*; %y() }",
            "{ use crate::%z; %z() }",
            "%X::get()",
            "k!()",
        ],
    );
    scene(&["move", "@item", to])
        .root("macro_rules! k { () => { %x() } }\npub fn %z() -> i32 { 9 }\n")
        .items("pub fn %x() -> i32 { 1 } pub struct %X; impl %X { pub fn get() -> i32 { 5 } }")
        .items(
            "pub mod child { pub fn %x() -> i32 { 2 } pub fn %y() -> i32 { 3 } pub struct %X; \
            impl %X { pub fn get() -> i32 { 6 } } }",
        )
        .body(format!("println!(\"{{}}\", {call});"))
        .dest("pub fn unlike() {}")
        .places(&Place::MODULES)
}

fn a_moved_item_leaves_its_name(rng: &mut Rng) -> Scene {
    let [item, call] = choose(
        rng,
        &[
            ["pub fn %old() -> i32 { 1 }", "%old() + @::%old()"],
            ["pub fn %old() -> i32 { k!() } fn %x() -> i32 { 2 }", "%old() + %x()"],
            [
                "pub fn %old() -> i32 { if false { %x() } else { 3 } } pub use self::%old as %x;",
                "%x() + %old()",
            ],
        ],
    );
    scene(&["move", "@::%old", "crate::dest", "--keep-old"])
        .root("macro_rules! k { () => { %x() } }\n")
        .items(item)
        .body(format!("println!(\"{{}}\", {call});"))
        .dest("pub fn %x() -> i32 { 7 }")
        .places(&Place::MODULES)
}
