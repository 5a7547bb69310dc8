//! What is called from outside: `main`, tests, symbols of the linker, generated harnesses.

use super::case::Observation;
use super::scene::{Kind, Place, Position, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    the_main_function_is_an_item,
    the_main_function_is_imported,
    an_item_gets_the_name_main,
    a_test_is_called_by_the_harness,
    a_symbol_is_linked_by_name,
    a_static_is_used_by_the_linker,
    a_build_script_has_a_main,
    an_exported_macro_is_at_the_root,
    a_module_defines_a_macro_by_text,
];

const FUNCTION: &[Position] = &[Position::Function];

fn the_main_function_is_an_item(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "t::main", "%new"][..],
            &["delete", "t::main", "--if-unused"],
            &["move", "t::main", "crate::dest"],
            &["change-signature", "t::main", "--add", "n: u8 = 1"],
        ],
    );
    let recursion = choose(rng, &["", "if false { main() }"]);
    scene(args).body("println!(\"1\");").main(recursion).dest("pub fn unlike() {}\n")
}

fn the_main_function_is_imported(rng: &mut Rng) -> Scene {
    let [import, name] = choose(
        rng,
        &[
            ["use start::main;", "main"],
            ["use start::%old as main;", "%old"],
            ["use self::start::main;", "main"],
            ["pub use crate::start::main;", "main"],
        ],
    );
    let path = format!("t::start::{name}");
    let args: &[&str] = choose(
        rng,
        &[&["rename", "PATH", "%new"][..], &["move", "PATH", "crate::dest"], &["delete", "PATH"]],
    );
    let args: Vec<&str> = args.iter().map(|&arg| if arg == "PATH" { &path } else { arg }).collect();
    scene(&args)
        .body("println!(\"1\");")
        .dest("pub fn unlike() {}\n")
        .entry(format!("pub mod start {{ pub fn {name}() {{ @call }} }}\n{import}\n"))
}

fn an_item_gets_the_name_main(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "t::%old", "main"][..],
            &["move", "t::%old", "crate::dest::main"],
            &["move", "t::dest::%other", "crate::main"],
        ],
    );
    scene(args)
        .root("pub fn %old() -> i32 { 1 }\n")
        .body("println!(\"{} {}\", crate::%old(), crate::dest::%other());")
        .dest("pub fn %other() -> i32 { 2 }")
}

fn a_test_is_called_by_the_harness(rng: &mut Rng) -> Scene {
    let [attribute, name] = choose(
        rng,
        &[
            ["#[test]", "@::checks::%old"],
            ["#[test] #[should_panic]", "@::checks::%old"],
            ["#[test]", "@::checks"],
        ],
    );
    let panics = if attribute.contains("panic") { "panic!()" } else { "" };
    let macros =
        choose(rng, &["", "macro_rules! t { ($n:ident) => { #[test] fn $n() {} } } t!(%x);"]);
    scene(&["delete", name, "--if-unused"])
        .items(format!(
            "#[cfg(test)] mod checks {{ {attribute} fn %old() {{ {panics} }} \
             #[test] fn %other() {{}} {macros} }}"
        ))
        .body("println!(\"1\");")
        .observe(Observation::Tests)
}

fn a_symbol_is_linked_by_name(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["delete", "@::exported::%old_sym", "--if-unused"][..],
            &["rename", "@::exported::%old_sym", "%new"],
            &["change-signature", "@::exported::%old_sym", "--add", "n: i32 = 1"],
            &["delete", "@::exported", "--if-unused"],
            &["rename", "@::imported::%old_sym", "%new"],
        ],
    );
    let edition_2024 = rng.below(3) == 0;
    let (attribute, safety) = if edition_2024 {
        ("#[unsafe(no_mangle)]", "unsafe extern")
    } else {
        ("#[no_mangle]", "extern")
    };
    let editions: &[_] = if edition_2024 { &["2024"] } else { &["2015", "2018", "2021"] };
    scene(args)
        .items(format!(
            "pub mod exported {{ {attribute} pub extern \"C\" fn %old_sym() -> i32 {{ 3 }} }}\n\
             pub mod imported {{ {safety} \"C\" {{ pub fn %old_sym() -> i32; }} }}"
        ))
        .body("println!(\"{}\", unsafe { @::imported::%old_sym() });")
        .editions(editions)
}

fn a_static_is_used_by_the_linker(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[&["delete", "@::%OLD", "--if-unused"][..], &["delete", "@::early", "--if-unused"]],
    );
    // The section of functions that run before `main` has another name on each system.
    let attributes = if cfg!(target_os = "linux") {
        "#[used] #[link_section = \".init_array\"]"
    } else {
        "#[used]"
    };
    scene(args)
        .items(format!(
            "pub static COUNT: std::sync::atomic::AtomicUsize = \
             std::sync::atomic::AtomicUsize::new(0);\n\
             extern \"C\" fn early() {{ COUNT.fetch_add(1, std::sync::atomic::Ordering::SeqCst); \
             }}\n\
             {attributes} pub static %OLD: extern \"C\" fn() = early;"
        ))
        .body("println!(\"{}\", COUNT.load(std::sync::atomic::Ordering::SeqCst));")
        .editions(&["2015", "2018", "2021"])
}

fn a_build_script_has_a_main(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["delete", "build_script_build::main", "--if-unused"][..],
            &["rename", "build_script_build::main", "%new"],
        ],
    );
    let test = "#[test] fn a() { assert_eq!(env!(\"MADE\"), \"yes\"); }";
    scene(args)
        .file("build.rs", "fn main() { println!(\"cargo:rustc-env=MADE=yes\"); }\n")
        .file("src/lib.rs", format!("pub fn %x() {{}}\n{test}\n"))
        .observe(Observation::Targets)
}

fn an_exported_macro_is_at_the_root(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "t::defs::%old", "%new"][..],
            &["delete", "t::defs", "--if-unused"],
            &["rename", "t::defs", "%new"],
            &["move", "@item", "crate::defs"],
        ],
    );
    let call = choose(rng, &["crate::%old!()", "%old!()", "self::%old!()"]);
    scene(args)
        .root("#[macro_use] pub mod defs { #[macro_export] macro_rules! %old { () => { 4 } } }\n")
        .body(format!("println!(\"{{}}\", {});", call.replace("self::", "crate::")))
        .places(&Place::ALL)
        .positions(FUNCTION)
        .editions(&["2018", "2021", "2024"])
}

fn a_module_defines_a_macro_by_text(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["delete", "t::defs", "--if-unused"][..],
            &["rename", "t::defs", "%new"],
            &["move", "t::defs", "crate::dest"],
        ],
    );
    let inner = choose(
        rng,
        &[
            "macro_rules! k { () => { 4 } }",
            "#[macro_use] pub mod deep { macro_rules! k { () => { 4 } } }",
            "macro_rules! k { () => { crate::defs::get() } } pub fn get() -> i32 { 5 }",
        ],
    );
    scene(args)
        .root(format!("#[macro_use] pub mod defs {{ {inner} }}\n"))
        .body("println!(\"{}\", k!());")
        .dest("pub fn unlike() {}\n")
}
