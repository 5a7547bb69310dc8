//! Changes of signatures: effects of arguments, names at the call, functions as values.

use super::scene::{Kind, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    arguments_have_effects,
    a_value_names_what_the_caller_hides,
    a_parameter_hides_what_the_body_names,
    a_function_is_a_value,
    a_call_is_in_a_macro,
    a_method_of_a_trait_has_impls_and_paths,
    a_qualifier_is_added,
];

fn arguments_have_effects(rng: &mut Rng) -> Scene {
    let [change, value, items] = choose(
        rng,
        &[
            ["--order", "b,a", "pub fn %old(a: i32, b: i32) -> i32 { a * 10 + b }"],
            ["--remove", "unused", "pub fn %old(a: i32, unused: i32) -> i32 { a }"],
            [
                "--order",
                "a,c,b",
                "pub fn %old(a: i32, b: i32, c: i32) -> i32 { a * 100 + b * 10 + c }",
            ],
        ],
    );
    let call = if items.contains("c: i32") {
        "%old(next(), next(), next())"
    } else {
        choose(rng, &["%old(next(), next())", "%old({ say(1); 1 }, { say(2); 2 })"])
    };
    scene(&["change-signature", "@::%old", change, value])
        .items(
            "pub fn next() -> i32 { use std::sync::atomic::{AtomicUsize, Ordering}; \
            static N: AtomicUsize = AtomicUsize::new(1); N.fetch_add(1, Ordering::SeqCst) as i32 }",
        )
        .items("pub fn say(n: i32) { println!(\"said {}\", n); }")
        .items(items)
        .body(format!("println!(\"{{}}\", {call}); println!(\"{{}}\", next());"))
}

fn a_value_names_what_the_caller_hides(rng: &mut Rng) -> Scene {
    let hidden = choose(
        rng,
        &[
            "let bound = || 7;",
            "fn bound() -> i32 { 7 }",
            "use crate::dest::bound;",
            "",
            "let (bound, _) = (|| 7, 1);",
        ],
    );
    let value =
        choose(rng, &["n: i32 = bound()", "n: i32 = bound() + 1", "n: fn() -> i32 = bound"]);
    scene(&["change-signature", "@::%old", "--add", value])
        .items("pub fn bound() -> i32 { 3 }")
        .items("pub fn %old() -> i32 { 1 }")
        .body(format!("{hidden} println!(\"{{}} {{}}\", %old(), bound());"))
        .dest("pub fn bound() -> i32 { 9 }\npub fn see() -> i32 { @::%old() }")
        .main("println!(\"{}\", dest::see());")
}

fn a_parameter_hides_what_the_body_names(rng: &mut Rng) -> Scene {
    let [change, value] = choose(
        rng,
        &[
            ["--add", "%x: i32 = 5"],
            ["--rename", "a=%x"],
            ["--add", "%X: i32 = 5"],
            ["--rename", "a=%z"],
        ],
    );
    let inner =
        choose(rng, &["%x() + a", "{ let %z = 4; %x() + a + %z }", "(|%z: i32| a + %z)(%x())"]);
    scene(&["change-signature", "@::%old", change, value])
        .items("pub fn %x() -> i32 { 2 }")
        .items(format!("pub fn %old(a: i32) -> i32 {{ {inner} }}"))
        .body("println!(\"{}\", %old(1));")
}

fn a_function_is_a_value(rng: &mut Rng) -> Scene {
    let call = choose(
        rng,
        &[
            "let f: fn(i32, i32) -> i32 = %old; println!(\"{}\", f(1, 2));",
            "println!(\"{:?}\", [1, 2].iter().cloned().fold(9, %old));",
            "fn see<F: Fn(i32, i32) -> i32>(f: F) -> i32 { f(1, 2) } println!(\"{}\", see(%old));",
            "let f = %old as fn(i32, i32) -> i32; println!(\"{}\", f(1, 2));",
            "struct F { f: fn(i32, i32) -> i32 } let f = F { f: %old }; println!(\"{}\", (f.f)(1, \
             2));",
            "println!(\"{}\", if true { %old } else { %old }(1, 2));",
            "println!(\"{}\", (%old)(1, 2));",
        ],
    );
    let [change, value] =
        choose(rng, &[["--order", "b,a"], ["--add", "c: i32 = 1"], ["--remove", "b"]]);
    scene(&["change-signature", "@::%old", change, value])
        .items("pub fn %old(a: i32, b: i32) -> i32 { let _ = a; a }")
        .body(call)
}

fn a_call_is_in_a_macro(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["macro_rules! k { ($a:expr, $b:expr) => { %old($a, $b) } }\n", "k!(1, 2)"],
            ["macro_rules! k { ($f:ident $a:tt $b:tt) => { $f($a, $b) } }\n", "k!(%old 1 2)"],
            ["macro_rules! k { ($f:ident $t:tt) => { $f $t } }\n", "k!(%old (1, 2))"],
            ["macro_rules! k { ($($t:tt)*) => { $($t)* } }\n", "k!(%old(1, 2))"],
            [
                "macro_rules! k { ($f:ident ( $a:expr, $b:expr )) => { $f($b, $a) } }\n",
                "k!(%old(1, 2))",
            ],
            ["macro_rules! k { ($e:expr) => { 0 + $e } }\n", "k!(%old(1, 2))"],
            ["macro_rules! k { ($f:expr) => { $f(1, 2) } }\n", "k!(%old)"],
        ],
    );
    let [change, value] =
        choose(rng, &[["--order", "b,a"], ["--add", "c: i32 = 1"], ["--remove", "b"]]);
    scene(&["change-signature", "@::%old", change, value])
        .root(rules)
        .items("pub fn %old(a: i32, b: i32) -> i32 { let _ = a; a }")
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_method_of_a_trait_has_impls_and_paths(rng: &mut Rng) -> Scene {
    let call = choose(
        rng,
        &[
            "S.%old(1, 2)",
            "T::%old(&S, 1, 2)",
            "<S as T>::%old(&S, 1, 2)",
            "S::%old(&S, 1, 2)",
            "see(&S)",
            "[S].iter().map(|s| s.%old(1, 2)).sum::<i32>()",
            "{ let f = S::%old; f(&S, 1, 2) }",
        ],
    );
    let [change, value] = choose(rng, &[["--order", "b,a"], ["--add", "c: i32 = 1"]]);
    let imp = choose(
        rng,
        &[
            "impl T for S { fn %old(&self, a: i32, _: i32) -> i32 { a } }",
            "macro_rules! imp { ($t:ty) => { impl T for $t { fn %old(&self, a: i32, _: i32) -> \
             i32 { a } } } }\nimp!(S);",
            "impl T for S { fn %old(&self, x: i32, y: i32) -> i32 { x * 10 + y } }",
        ],
    );
    scene(&["change-signature", "@::T::%old", change, value])
        .items("pub struct S; pub trait T { fn %old(&self, a: i32, b: i32) -> i32; }")
        .items(imp)
        .items("pub fn see<X: T>(x: &X) -> i32 { x.%old(3, 4) }")
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_qualifier_is_added(rng: &mut Rng) -> Scene {
    let [option, item] = choose(
        rng,
        &[
            ["--const", "pub fn %old() -> i32 { %x() }"],
            ["--const", "pub fn %old() -> i32 { 1 + 2 }"],
            ["--unsafe", "pub fn %old() -> i32 { %x() }"],
            ["--unsafe", "pub fn %old() -> i32 { if false { %old() } else { 4 } }"],
        ],
    );
    let call = choose(
        rng,
        &[
            "%old()",
            "{ let f: fn() -> i32 = %old; f() }",
            "Some(1).map_or_else(%old, |n| n)",
            "k!(%old)",
            "{ macro_rules! m { () => { %old() } } m!() }",
        ],
    );
    scene(&["change-signature", "@::%old", option, "true"])
        .root("macro_rules! k { ($f:ident) => { $f() } }\n")
        .items(format!("pub fn %x() -> i32 {{ 3 }} {item}"))
        .body(format!("println!(\"{{}}\", {call});"))
}
