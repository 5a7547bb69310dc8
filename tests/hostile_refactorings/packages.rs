//! Several packages and targets: what another crate names, and what a crate is named.

use super::case::Observation;
use super::scene::{Kind, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    another_package_names_the_item,
    another_package_calls_a_macro_that_names_the_item,
    a_module_gets_the_name_of_a_dependency,
    a_module_of_an_example_gets_the_name_of_a_target,
    a_test_target_names_the_item,
];

/// A package with a dependency in a folder, each with a text; `check` is the body of a test.
fn packages(command: &[&str], dep: &str, lib: &str, check: &str) -> Scene {
    let tests = format!("#[cfg(test)] mod checks {{ #[test] fn a() {{ {check} }} }}\n");
    scene(command)
        .file("Cargo.toml", "\n[dependencies]\ndep = { path = \"dep\" }\n\n[workspace]\n")
        .file(
            "dep/Cargo.toml",
            "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )
        .file("dep/src/lib.rs", dep)
        .file("src/lib.rs", format!("{lib}\n{tests}"))
        .observe(Observation::Targets)
        .editions(&["2018", "2021", "2024"])
}

fn another_package_names_the_item(rng: &mut Rng) -> Scene {
    let [lib, check] = choose(
        rng,
        &[
            ["", "assert_eq!(dep::%old(), 1);"],
            ["pub use dep::*;", "assert_eq!(crate::%old(), 1);"],
            [
                "pub use dep::*; pub fn %new() -> i32 { 2 }",
                "assert_eq!(crate::%old() + crate::%new(), 3);",
            ],
            ["pub use dep as %x;", "assert_eq!(crate::%x::%old(), 1);"],
            ["pub use dep::%old as %x;", "assert_eq!(crate::%x(), 1);"],
            ["extern crate dep as %y;", "use crate::%y::%old; assert_eq!(%old(), 1);"],
            ["macro_rules! k { () => { ::dep::%old() } }", "assert_eq!(k!(), 1);"],
        ],
    );
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "dep::%old", "%new"][..],
            &["delete", "dep::%old", "--if-unused"],
            &["move", "dep::%old", "dep::deep"],
            &["change-signature", "dep::%old", "--add", "n: u8 = 1"],
        ],
    );
    packages(args, "pub fn %old() -> i32 { 1 }\npub mod deep {}\n", lib, check)
}

fn another_package_calls_a_macro_that_names_the_item(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["() => { $crate::%old() }", "dep::k!()"],
            ["($($t:tt)*) => { $crate::$($t)*() }", "dep::k!(%old)"],
            ["($m:ident) => { $m::%old() }", "{ use dep as %x; dep::k!(%x) }"],
            ["() => { { use $crate::*; %old() } }", "dep::k!()"],
            ["() => { %old() }", "{ use dep::%old; dep::k!() }"],
        ],
    );
    let dep = format!(
        "pub fn %old() -> i32 {{ 1 }}\npub mod deep {{}}\n\
         #[macro_export] macro_rules! k {{ {rules} }}\n"
    );
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "dep::%old", "%new"][..],
            &["delete", "dep::%old", "--if-unused"],
            &["move", "dep::%old", "dep::deep"],
        ],
    );
    packages(args, &dep, "", &format!("assert_eq!({call}, 1);"))
}

fn a_module_gets_the_name_of_a_dependency(rng: &mut Rng) -> Scene {
    let [check, path] = choose(
        rng,
        &[
            ["assert_eq!(dep::get() + crate::%old::get(), 3);", "t::%old"],
            ["use dep::get; assert_eq!(get() + crate::%old::get(), 3);", "t::%old"],
            ["assert_eq!(crate::see(), 3);", "t::%old"],
            ["assert_eq!(crate::see(), 3);", "t::outer::%x"],
        ],
    );
    let lib = "pub mod %old { pub fn get() -> i32 { 2 } }\n\
               pub mod outer { pub mod %x {} pub fn get() -> i32 { dep::get() } }\n\
               pub fn see() -> i32 { dep::get() + %old::get() - outer::get() + 1 }\n";
    packages(&["rename", path, "dep"], "pub fn get() -> i32 { 1 }\n", lib, check)
}

fn a_module_of_an_example_gets_the_name_of_a_target(rng: &mut Rng) -> Scene {
    let folder = choose(rng, &["examples", "tests", "src/bin"]);
    let new = choose(rng, &["main", "%new"]);
    scene(&["rename", "one::common::%old", new])
        .file("src/lib.rs", "#[test] fn a() {}\n")
        .file(
            &format!("{folder}/one.rs"),
            "mod common;\nfn main() { println!(\"{}\", common::%old::get()); \
             }\n#[test] fn b() { assert_eq!(common::%old::get(), 1); }\n",
        )
        .file(&format!("{folder}/common/mod.rs"), "pub mod %old;\n")
        .file(&format!("{folder}/common/%old.rs"), "pub fn get() -> i32 { 1 }\n")
        .observe(Observation::Targets)
}

fn a_test_target_names_the_item(rng: &mut Rng) -> Scene {
    let folder = choose(rng, &["tests", "examples"]);
    let check = choose(
        rng,
        &[
            "assert_eq!(t::%old(), 1);",
            "use t::*; assert_eq!(%old(), 1);",
            "use t as %x; assert_eq!(%x::%old(), 1);",
            "use t::{self as %y}; assert_eq!(%y::%old(), 1);",
            "macro_rules! k { ($f:ident) => { t::$f() } } assert_eq!(k!(%old), 1);",
        ],
    );
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "t::%old", "%new"][..],
            &["delete", "t::%old", "--if-unused"],
            &["move", "t::%old", "t::deep"],
        ],
    );
    scene(args)
        .file("src/lib.rs", "pub fn %old() -> i32 { 1 }\npub mod deep {}\n")
        .file(
            &format!("{folder}/one.rs"),
            format!("fn main() {{ {check} }}\n#[test] fn b() {{ main() }}\n"),
        )
        .observe(Observation::Targets)
        .editions(&["2018", "2021", "2024"])
}
