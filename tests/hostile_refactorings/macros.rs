//! Macro rules: names that they resolve where they are called, words that they match, what they
//! make of an identifier, and where they are in scope.

use super::scene::{Kind, Place, Position, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    rules_name_items_where_they_are_called,
    rules_name_what_is_renamed_in_two_modules,
    a_macro_defines_an_item_in_the_body,
    a_macro_imports_a_glob_in_the_body,
    rules_match_the_new_word,
    rules_match_the_old_word,
    a_macro_makes_a_member_of_its_argument,
    a_macro_makes_an_item_of_its_argument,
    a_macro_binds_its_argument,
    a_macro_takes_a_pattern,
    tokens_look_like_other_code,
    a_macro_prints_its_tokens,
    another_macro_is_in_scope_in_the_destination,
    a_macro_is_in_scope_behind_the_destination,
    a_macro_gets_the_name_of_an_earlier_one,
    rules_have_a_local_of_the_new_name,
    rules_contain_a_call_that_is_moved,
    a_macro_calls_a_macro,
    an_item_is_made_by_a_macro_of_std,
    a_macro_is_in_the_argument_of_another,
];

/// A definition and a use, with a name and a value left open.
#[derive(Clone, Copy)]
pub struct Value {
    definition: &'static str,
    used: &'static str,
}

const FUNCTION: Value = Value { definition: "pub fn NAME() -> i32 { VALUE }", used: "NAME()" };

const CONSTANT: Value = Value {
    definition: "#[allow(non_upper_case_globals)] pub const NAME: i32 = VALUE;",
    used: "NAME",
};

const STATIC: Value = Value {
    definition: "#[allow(non_upper_case_globals)] pub static NAME: i32 = VALUE;",
    used: "NAME",
};

const STRUCT: Value = Value {
    definition: "#[allow(non_camel_case_types)] pub struct NAME; impl NAME { pub fn get(&self) -> \
        i32 { VALUE } }",
    used: "NAME.get()",
};

impl Value {
    pub fn draw(rng: &mut Rng) -> Self {
        choose(rng, &[FUNCTION, CONSTANT, STATIC, STRUCT])
    }

    pub fn define(&self, name: &str, value: i32) -> String {
        self.definition.replace("NAME", name).replace("VALUE", &value.to_string())
    }

    pub fn name(&self, name: &str) -> String {
        self.used.replace("NAME", name)
    }
}

fn rules_name_items_where_they_are_called(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    scene(&["move", "@item", "crate::dest"])
        .root(format!("macro_rules! k {{ () => {{ {} }} }}\n", value.name("%other")))
        .items(value.define("%other", 1))
        .body("println!(\"{}\", k!());")
        .dest(format!("{}\n", value.define("%other", 2)))
}

fn rules_name_what_is_renamed_in_two_modules(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    let dest =
        format!("{}\npub fn see() {{ println!(\"{{}}\", k!()); }}\n", value.define("%old", 2));
    scene(&["rename", "@::%old", "%new"])
        .root(format!("macro_rules! k {{ () => {{ {} }} }}\n", value.name("%old")))
        .items(value.define("%old", 1))
        .body("println!(\"{}\", k!());")
        .dest(dest)
        .main("dest::see();")
}

fn a_macro_defines_an_item_in_the_body(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    let argument = choose(rng, &["", "%z"]);
    let matcher = if argument.is_empty() { "" } else { "$t:ident" };
    scene(&["rename", "@::%old", "%new"])
        .root(format!(
            "macro_rules! def {{ ({matcher}) => {{ #[allow(dead_code)] {} }} }}\n",
            value.define("%new", 2)
        ))
        .items(value.define("%old", 1))
        .body(format!("def!({argument}); println!(\"{{}}\", {});", value.name("%old")))
}

fn a_macro_imports_a_glob_in_the_body(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    scene(&["rename", "@::%old", "%new"])
        .root("macro_rules! def { () => { #[allow(unused_imports)] use crate::dest::*; } }\n")
        .items(value.define("%old", 1))
        .body(format!("def!(); println!(\"{{}}\", {});", value.name("%old")))
        .dest(value.define("%new", 2))
}

fn rules_match_the_new_word(rng: &mut Rng) -> Scene {
    let local = rng.below(2) == 0;
    let value = CONSTANT;
    let rules = choose(
        rng,
        &[
            "macro_rules! k { (%new) => { 100 }; ($e:expr) => { $e } }\n",
            "macro_rules! k { (%new $($t:tt)*) => { 7 }; ($($t:tt)*) => { $($t)* } }\n",
            "macro_rules! k { ($a:tt %new) => { 3 }; ($a:tt $e:expr) => { $e } }\n",
        ],
    );
    let call = if rules.contains("$a:tt %new") { "k!(1 %old)" } else { "k!(%old)" };
    let print = format!("println!(\"{{}}\", {call});");
    if local {
        scene(&["rename", "@fn", "%new", "--local", "%old"])
            .root(rules)
            .body(format!("let %old = 1; {print}"))
    } else {
        scene(&["rename", "@::%old", "%new"]).root(rules).items(value.define("%old", 1)).body(print)
    }
}

fn rules_match_the_old_word(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    let rules = choose(
        rng,
        &[
            "macro_rules! k { (%old) => { 100 }; ($($t:tt)*) => { 5 } }\n",
            "macro_rules! k { (%old $e:expr) => { $e }; ($($t:tt)*) => { 5 } }\n",
            "macro_rules! k { ($f:ident, %old) => { 3 }; ($f:ident, $g:ident) => { 4 } }\n",
        ],
    );
    let call = if rules.contains("$f:ident, %old") {
        "k!(one, %old)"
    } else if rules.contains("%old $e") {
        "k!(%old 8)"
    } else {
        "k!(%old)"
    };
    scene(&["rename", "@::%old", "%new"])
        .root(rules)
        .items(value.define("%old", 1))
        .body(format!("println!(\"{{}} {{}}\", {call}, {});", value.name("%old")))
}

fn a_macro_makes_a_member_of_its_argument(rng: &mut Rng) -> Scene {
    let [rules, member, call] = choose(
        rng,
        &[
            [
                "macro_rules! get { ($s:expr, $f:ident) => { $s.$f } }\n",
                "pub struct S { pub %old: i32 }\n",
                "get!(S { %old: 1 }, %old)",
            ],
            [
                "macro_rules! get { ($s:expr, $m:ident) => { $s.$m() } }\n",
                "pub struct S; impl S { pub fn %old(&self) -> i32 { 3 } }\n",
                "get!(S, %old)",
            ],
            [
                "macro_rules! get { ($m:ident) => { S::$m() } }\n",
                "pub struct S; impl S { pub fn %old() -> i32 { 3 } }\n",
                "get!(%old)",
            ],
            [
                "macro_rules! get { ($f:ident : $e:expr) => { S { $f: $e } } }\n",
                "pub struct S { pub %old: i32 }\n",
                "get!(%old: 4).%old",
            ],
            [
                "macro_rules! get { ($v:ident) => { E::$v as i32 } }\n",
                "#[allow(non_camel_case_types)] pub enum E { A, %old }\n",
                "{ let _ = E::A; get!(%old) }",
            ],
        ],
    );
    // Of the function, or of the member that has its name.
    let path = if rng.below(3) > 0 {
        "@::%old"
    } else if member.contains("enum") {
        "@::E::%old"
    } else {
        "@::S::%old"
    };
    scene(&["rename", path, "%new"])
        .root(rules)
        .items(member)
        .items("pub fn %old() -> i32 { 7 }")
        .body(format!("println!(\"{{}} {{}}\", {call}, %old());"))
}

fn a_macro_makes_an_item_of_its_argument(rng: &mut Rng) -> Scene {
    let rules = choose(
        rng,
        &[
            "macro_rules! make { ($n:ident) => { pub fn $n() -> i32 { 3 } } }\n",
            "macro_rules! make { ($n:ident) => { pub mod sub { pub fn $n() -> i32 { 4 } } \
             pub use self::sub::$n; } }\n",
        ],
    );
    let path = choose(rng, &["@::%old", "@::%old", "@::zoo::%old"]);
    let scene = scene(&["rename", path, "%new"])
        .root(rules)
        .items("pub mod zoo { make!(%old); }")
        .items("pub fn %old() -> i32 { 7 }");
    scene.body("println!(\"{} {}\", @::zoo::%old(), %old());")
}

fn a_macro_binds_its_argument(rng: &mut Rng) -> Scene {
    let value = FUNCTION;
    let rules = choose(
        rng,
        &[
            "macro_rules! set { ($i:ident) => { let $i = || 5; } }\n",
            "macro_rules! set { ($i:ident) => { fn $i() -> i32 { 5 } } }\n",
        ],
    );
    let name = choose(rng, &["%old", "%new"]);
    scene(&["rename", "@::%old", "%new"])
        .root(rules)
        .items(value.define("%old", 1))
        .body(format!("set!({name}); println!(\"{{}} {{}} {{}}\", {name}(), %old(), @::%old());"))
}

fn a_macro_takes_a_pattern(rng: &mut Rng) -> Scene {
    let rules = choose(
        rng,
        &[
            "macro_rules! is { ($e:expr, $p:pat) => { match $e { $p => 1, _ => 0 } } }\n",
            "macro_rules! is { ($e:expr, $i:ident) => { match $e { $i => 1, _ => 0 } } }\n",
            "macro_rules! is { ($e:expr, $p:pat) => { if let $p = $e { 1 } else { 0 } } }\n",
        ],
    );
    let [kind, command] =
        choose(rng, &[["%new", "rename"], ["%old", "rename"], ["%old", "delete"]]);
    let shown = if command == "delete" { "9" } else { "%old" };
    let args: &[&str] = match command {
        "delete" => &["delete", "@::%old", "--if-unused"],
        _ => &["rename", "@::%old", "%new"],
    };
    scene(args)
        .root(rules)
        .items("#[allow(non_upper_case_globals)] pub const %old: i32 = 5;")
        .body(format!("println!(\"{{}} {{}}\", is!(3, {kind}), {shown});"))
}

fn tokens_look_like_other_code(rng: &mut Rng) -> Scene {
    let [rules, items, call, path] = choose(
        rng,
        &[
            [
                "macro_rules! pick { ($a:ident . $b:ident) => { $b() } }\n",
                "pub struct S { pub %old: i32 }\npub fn %old() -> i32 { 8 }\n",
                "{ let s = S { %old: 1 }; pick!(s.%old) + s.%old }",
                "@::S::%old",
            ],
            [
                "macro_rules! pick { ($a:ident :: $b:ident) => { $b() } }\n",
                "pub mod zoo { pub fn %old() -> i32 { 2 } }\npub fn %old() -> i32 { 8 }\n",
                "pick!(zoo::%old) + zoo::%old()",
                "@::zoo::%old",
            ],
            [
                "macro_rules! pick { ($a:ident :: $b:ident) => { $b() } }\n",
                "pub mod zoo { pub fn %old() -> i32 { 2 } }\npub fn %old() -> i32 { 8 }\n",
                "pick!(zoo::%old) + zoo::%old() + %old()",
                "@::%old",
            ],
            [
                "macro_rules! pick { ($a:ident { $b:ident : $e:expr }) => { $e + $b() } }\n",
                "pub struct S { pub %old: i32 }\npub fn %old() -> i32 { 8 }\n",
                "pick!(S { %old: 1 }) + S { %old: 1 }.%old",
                "@::S::%old",
            ],
            [
                "macro_rules! pick { (let $a:ident = $e:expr) => { $e + $a() } }\n",
                "pub fn %old() -> i32 { 8 }\n",
                "pick!(let %old = 2)",
                "@::%old",
            ],
            [
                "macro_rules! pick { ($a:ident ( $b:ident ) => $e:expr) => { $a($e) + $b } }\n",
                "pub fn call(n: i32) -> i32 { n }\n#[allow(non_upper_case_globals)] pub const \
                 %old: i32 = 8;\n",
                "pick!(call(%old) => 5)",
                "@::%old",
            ],
        ],
    );
    scene(&["rename", path, "%new"])
        .root(rules)
        .items(items)
        .body(format!("println!(\"{{}}\", {call});"))
}

fn a_macro_prints_its_tokens(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    let rules = choose(
        rng,
        &[
            "macro_rules! say { ($($t:tt)*) => { stringify!($($t)*) } }\n",
            "macro_rules! say { ($i:ident) => { concat!(\"<\", stringify!($i), \">\") } }\n",
            "macro_rules! say { ($e:expr) => { { let _ = $e; stringify!($e) } } }\n",
        ],
    );
    scene(&["rename", "@::%old", "%new"])
        .root(rules)
        .items(value.define("%old", 1))
        .body(format!("println!(\"{{}} {{}}\", say!(%old), {});", value.name("%old")))
        .names_are_printed()
}

fn another_macro_is_in_scope_in_the_destination(rng: &mut Rng) -> Scene {
    let [one, two] = choose(
        rng,
        &[
            ["() => { 1 }", "() => { 2 }"],
            ["($e:expr) => { $e }", "($e:expr) => { $e + 1 }"],
            ["($t:tt) => { $t }", "(5) => { 9 }; ($t:tt) => { $t }"],
        ],
    );
    let call = if one.starts_with("()") { "k!()" } else { "k!(5)" };
    scene(&["move", "@item", "crate::dest"])
        .root(format!("macro_rules! k {{ {one} }}\n"))
        .body(format!("println!(\"{{}}\", {call});"))
        .dest(format!(
            "macro_rules! k {{ {two} }}\npub fn see() {{ println!(\"{{}}\", {call}); }}\n"
        ))
        .main("dest::see();")
}

fn a_macro_is_in_scope_behind_the_destination(rng: &mut Rng) -> Scene {
    let (early, late) = if rng.below(2) == 0 {
        ("", "macro_rules! k { () => { 1 } }\n")
    } else {
        ("", "#[macro_use]\npub mod defs { macro_rules! k { () => { 1 } } }\n")
    };
    let to = choose(rng, &["crate::early", "crate::early::deep"]);
    scene(&["move", "@item", to])
        .root(format!(
            "pub mod early {{ {early} pub fn see() {{}} pub mod deep {{ pub fn see() {{}} }} \
             }}\n{late}"
        ))
        .body("println!(\"{}\", k!());")
        .main("early::see(); early::deep::see();")
}

fn a_macro_gets_the_name_of_an_earlier_one(rng: &mut Rng) -> Scene {
    let call = choose(rng, &["%new!(), %old!()", "%old!(), %new!()"]);
    scene(&["rename", "t::%old", "%new"])
        .root("macro_rules! %new { () => { 1 } }\nmacro_rules! %old { () => { 2 } }\n")
        .body(format!("println!(\"{{}} {{}}\", {call});"))
}

fn rules_have_a_local_of_the_new_name(rng: &mut Rng) -> Scene {
    let [rules, call] = choose(
        rng,
        &[
            ["macro_rules! k { ($e:expr) => { { let %new = 1; %new + $e } } }\n", "k!(%old)"],
            [
                "macro_rules! k { ($b:block) => { { let %new = 1; let n = $b; n + %new } } }\n",
                "k!({ %old })",
            ],
            // What is bound by an argument is seen by the argument.
            [
                "macro_rules! k { ($i:ident, $e:expr) => { { let $i = 1; $i + $e } } }\n",
                "k!(%new, %old)",
            ],
        ],
    );
    scene(&["rename", "@fn", "%new", "--local", "%old"])
        .root(rules)
        .body(format!("let %old = 5; println!(\"{{}}\", {call});"))
}

fn rules_contain_a_call_that_is_moved(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    let inner =
        choose(rng, &["", "pub mod sub { pub fn see() { println!(\"{}\", super::see()); } }"]);
    scene(&["move", "@::%old", "crate::dest"])
        .root(format!("macro_rules! k {{ () => {{ {} }} }}\n", value.name("%old")))
        .items(value.define("%old", 1))
        .items("pub fn see() -> i32 { k!() }")
        .items(inner)
        .body("println!(\"{}\", see());")
        .dest("pub fn unlike() {}\n")
        .places(&Place::MODULES)
}

fn a_macro_calls_a_macro(rng: &mut Rng) -> Scene {
    let value = Value::draw(rng);
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "@::%old", "%new"][..],
            &["rename", "t::inner_rules", "%new"],
            &["delete", "@::%old", "--if-unused"],
        ],
    );
    scene(args)
        .root(format!(
            "macro_rules! inner_rules {{ ($n:ident) => {{ $n!() }} }}\nmacro_rules! k {{ () => {{ \
             {} }} }}\n",
            value.name("%old")
        ))
        .items(value.define("%old", 1))
        .body("println!(\"{}\", inner_rules!(k));")
        .positions(&Position::PLAIN)
}

fn an_item_is_made_by_a_macro_of_std(rng: &mut Rng) -> Scene {
    let path = choose(rng, &["@::%OLD", "@::%x"]);
    let new = if path == "@::%x" { "%y" } else { "%NEW" };
    let print = choose(
        rng,
        &[
            "%OLD.with(|n| println!(\"{}\", n.get()));",
            "%OLD.with(|%y| println!(\"{} {}\", %y.get(), %x()));",
        ],
    );
    scene(&["rename", path, new])
        .items(
            "thread_local! { pub static %OLD: ::std::cell::Cell<i32> = \
            ::std::cell::Cell::new(%x()); }",
        )
        .items("pub fn %x() -> i32 { 3 }")
        .body(print)
}

fn a_macro_is_in_the_argument_of_another(rng: &mut Rng) -> Scene {
    let print = choose(
        rng,
        &[
            "println!(\"{}\", k!(k!(%old())));",
            "assert!(matches!(k!(%old()), 1)); println!(\"{:?}\", vec![k!(%old())]);",
            "println!(\"{}\", k!(match 1 { n => n + %old() }));",
            "println!(\"{}\", k!({ let %new = 2; %new + %old() }));",
            "println!(\"{}\", k!((|%new: i32| %new + %old())(3)));",
            "println!(\"{}\", format!(\"{}\", k!(%old())));",
            "println!(\"{}\", k!({ fn %new() -> i32 { 5 } %new() + %old() }));",
        ],
    );
    let rules = choose(
        rng,
        &[
            "($e:expr) => { $e }",
            "($($t:tt)*) => { { $($t)* } }",
            "($e:expr) => { { let %new = || 8; let n = $e; let _ = %new; n } }",
        ],
    );
    scene(&["rename", "@::%old", "%new"])
        .root(format!("macro_rules! k {{ {rules} }}\n"))
        .items("pub fn %old() -> i32 { 1 }")
        .body(print)
}
