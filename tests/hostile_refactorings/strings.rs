//! Names in texts: what a format string captures, and strings that only look like one.

use super::scene::{Kind, Position, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_string_argument_looks_like_a_capture,
    a_format_string_captures_the_old_name,
    a_format_string_captures_the_new_name,
    a_format_string_names_a_named_argument,
    a_panic_has_a_text_until_2018,
    a_text_is_put_together,
    a_macro_forwards_a_format_string,
    a_macro_prints_a_text,
    a_template_of_assembly_names_an_operand,
    a_program_prints_names,
];

/// What prints a format string with arguments.
const PRINTERS: [&str; 6] = [
    "println!({});",
    "print!({}); println!();",
    "println!(\"{}\", format!({}));",
    "{ use std::fmt::Write; let mut out = String::new(); write!(out, {}).unwrap(); \
     println!(\"{}\", out); }",
    "println!(\"{}\", format_args!({}));",
    "if true { print!({}) } println!();",
];

/// The printer with these arguments.
fn print_with(rng: &mut Rng, arguments: &str) -> String {
    // The first braces of a printer may be those of its own format string.
    let printer = choose(rng, &PRINTERS);
    let marked = printer.replace("({})", "(#)").replace(", {})", ", #)");
    marked.replace('#', arguments)
}

fn a_string_argument_looks_like_a_capture(rng: &mut Rng) -> Scene {
    let text = choose(rng, &["{%OLD}", "{%OLD:?}", "{{%OLD}}", "{0} {%OLD}", "{%OLD:>5}"]);
    let arguments = choose(
        rng,
        &[
            "\"{} {}\", \"#\", %OLD",
            "\"{} {n}\", %OLD, n = \"#\"",
            "\"{0} {1}\", \"#\", %OLD",
            "\"{} {}\", String::from(\"#\"), %OLD",
            "\"{} {}\", r\"#\", %OLD",
        ],
    );
    let print = print_with(rng, &arguments.replace('#', text));
    scene(&["rename", "@::%OLD", "%NEW"]).items("pub const %OLD: i32 = 1;").body(print)
}

fn a_format_string_captures_the_old_name(rng: &mut Rng) -> Scene {
    let arguments = choose(
        rng,
        &[
            "\"{%x}\"",
            "\"{%x:?} {} {%x:>4}\", %x",
            "r#\"{%x} \"{%x}\"\"#",
            "\"{{%x}} {%x}\"",
            "\"{:%x$} {:.%x$}\", 7, 1.5",
            "\"{:>1$} {%x}\", 7, %x",
            "\"\\x7b%x}\"",
            "\"\\u{7b}%x}\"",
            "\"\\\n   {%x}\"",
        ],
    );
    let print = print_with(rng, arguments);
    let text = format!("let %x: usize = 3; {print}");
    scene(&["rename", "@fn", "%y", "--local", "%x"]).body(text).positions(&Position::PLAIN)
}

fn a_format_string_captures_the_new_name(rng: &mut Rng) -> Scene {
    let arguments = choose(rng, &["\"{%NEW} {}\", %x", "\"{:%NEW$}\", %x", "\"{0} {%NEW:?}\", %x"]);
    let print = print_with(rng, arguments);
    scene(&["rename", "@fn", "%NEW", "--local", "%x"])
        .items("pub const %NEW: usize = 4;")
        .body(format!("let %x: usize = 3; {print}"))
}

fn a_format_string_names_a_named_argument(rng: &mut Rng) -> Scene {
    let [arguments, old, new] = choose(
        rng,
        &[
            ["\"{%x} {}\", %x, %x = 7", "%x", "%y"],
            ["\"{%x}\", %x = %x", "%x", "%y"],
            ["\"{%y} {}\", %x, %y = 9", "%x", "%y"],
            ["\"{%y} {%x}\", %y = 9", "%x", "%y"],
            ["\"{%x:%z$}\", %z = %x", "%x", "%z"],
        ],
    );
    let print = print_with(rng, arguments);
    scene(&["rename", "@fn", new, "--local", old])
        .body(format!("let %x: usize = 3; {print} println!(\"{{}}\", %x);"))
}

fn a_panic_has_a_text_until_2018(rng: &mut Rng) -> Scene {
    let text =
        choose(rng, &["panic!(\"{%x}\")", "std::panic!(\"{%x}\")", "assert!(%x == 5, \"{%x}\")"]);
    let item = rng.below(2) == 0;
    let args: &[&str] =
        if item { &["rename", "@::%x", "%y"] } else { &["rename", "@fn", "%y", "--local", "%x"] };
    let local = if item { "" } else { "let %x = 4; let _ = %x;" };
    let items = if item { "#[allow(non_upper_case_globals)] pub const %x: i32 = 4;" } else { "" };
    scene(args)
        .items(items)
        .body(format!(
            "std::panic::set_hook(Box::new(|_| {{}}));\n\
             let caught = std::panic::catch_unwind(|| {{ {local} {text} }}).unwrap_err();\n\
             let text = caught.downcast_ref::<&str>().map(|text| text.to_string());\n\
             println!(\"{{:?}} {{:?}}\", text, caught.downcast_ref::<String>());"
        ))
        .positions(&[Position::Function, Position::Method, Position::Block, Position::Nested])
}

fn a_text_is_put_together(rng: &mut Rng) -> Scene {
    let arguments = choose(
        rng,
        &[
            "concat!(\"{} \", \"%OLD\"), %OLD",
            "concat!(\"{} \", \"{{%OLD}}\"), %OLD",
            "concat!(\"{} \", stringify!(1 + 2)), %OLD",
            "\"{} {}\", concat!(\"{\", \"%OLD\", \"}\"), %OLD",
            "\"{} {}\", concat!(\"{%OLD}\"), %OLD",
        ],
    );
    let print = print_with(rng, arguments);
    scene(&["rename", "@::%OLD", "%NEW"]).items("pub const %OLD: i32 = 1;").body(print)
}

fn a_macro_forwards_a_format_string(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["($($t:tt)*) => { println!($($t)*) }", "say!(\"{%x} {}\", %x);"],
            ["($f:literal $(, $e:expr)*) => { println!($f $(, $e)*) }", "say!(\"{%x}\");"],
            ["($f:expr) => { println!($f) }", "say!(\"{%x}\");"],
            [
                "($f:literal) => { println!(concat!($f, \"{}\"), 1) }",
                "say!(\"{{%x}}\"); let _ = %x;",
            ],
        ],
    );
    let item = rng.below(2) == 0;
    let args: &[&str] =
        if item { &["rename", "@::%x", "%y"] } else { &["rename", "@fn", "%y", "--local", "%x"] };
    let local = if item { "" } else { "let %x = 4;" };
    let items = if item { "#[allow(non_upper_case_globals)] pub const %x: i32 = 6;" } else { "" };
    scene(args)
        .root(format!("macro_rules! say {{ {rules} }}\n"))
        .items(items)
        .body(format!("{local} {call}"))
}

fn a_macro_prints_a_text(rng: &mut Rng) -> Scene {
    let rules = choose(
        rng,
        &[
            "($s:literal) => { println!(\"{}\", $s) }",
            "($s:expr) => { println!(\"{}\", $s.len()) }",
            "($($t:tt)*) => { println!(\"{}\", stringify!($($t)*)) }",
        ],
    );
    scene(&["rename", "@fn", "%other", "--local", "%x"])
        .root(format!("macro_rules! say {{ {rules} }}\n"))
        .body("let %x = 4; say!(\"{%x}\"); println!(\"{}\", %x);")
}

fn a_template_of_assembly_names_an_operand(rng: &mut Rng) -> Scene {
    let [template, old] = choose(
        rng,
        &[
            ["let %x: u64; unsafe { std::arch::asm!(\"mov {%x}, 5\", %x = out(reg) %x) }", "%x"],
            [
                "let %y: u64; unsafe { std::arch::asm!(\"mov {%x}, 6\", %x = out(reg) %y) } \
                 let %x = %y;",
                "%x",
            ],
            [
                "let %x: u64; unsafe { std::arch::asm!(\"mov {0}, {1}\", out(reg) %x, const 7) }",
                "%x",
            ],
            [
                "let mut %x: u64 = 3; unsafe { std::arch::asm!(\"add {n}, {n}\", n = inout(reg) \
                 %x) }",
                "%x",
            ],
        ],
    );
    // The assembly is that of the machine of the tests.
    let text = if cfg!(target_arch = "x86_64") { template } else { "let %x: u64 = 5;" };
    scene(&["rename", "@fn", "%z", "--local", old])
        .body(format!("{text} println!(\"{{}}\", %x);"))
        .positions(&Position::PLAIN)
}

fn a_program_prints_names(rng: &mut Rng) -> Scene {
    let [items, print, path, new] = choose(
        rng,
        &[
            [
                "#[derive(Debug)] pub struct %Old { pub n: i32 }",
                "println!(\"{:?}\", %Old { n: 1 });",
                "@::%Old",
                "%New",
            ],
            [
                "#[derive(Debug)] pub struct S { pub %old: i32 }",
                "println!(\"{:?}\", S { %old: 1 });",
                "@::S::%old",
                "%new",
            ],
            [
                "#[derive(Debug)] pub enum E { %Old }",
                "println!(\"{:?}\", E::%Old);",
                "@::E::%Old",
                "%New",
            ],
            [
                "pub struct %Old;",
                "println!(\"{}\", std::any::type_name::<%Old>());",
                "@::%Old",
                "%New",
            ],
            [
                "pub mod %old { pub fn name() -> &'static str { module_path!() } }",
                "println!(\"{}\", %old::name());",
                "@::%old",
                "%new",
            ],
            [
                "pub fn %old() -> i32 { 1 }",
                "println!(\"{} {}\", stringify!(%old), %old());",
                "@::%old",
                "%new",
            ],
        ],
    );
    scene(&["rename", path, new]).items(items).body(print).names_are_printed()
}
