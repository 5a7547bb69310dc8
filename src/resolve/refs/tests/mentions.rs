//! Names in tokens that are not read as code.

use super::*;

/// Source, text and line of every mention.
fn mentions(text: &str) -> Vec<String> {
    Workspace::parse(text).resolved(|world, sources, names| {
        let all = world.references(sources);
        let mentions = all.iter().filter(|one| one.kind == asof_model::RefKind::Mention);
        let told = mentions.map(|one| {
            let RefTarget::Unknown(text) = &one.target else { panic!("{:?}", one.target) };
            assert_eq!((one.provenance, one.confidence), ("unresolved", 0));
            let lines: Vec<u32> = one.occurrences.iter().map(|place| place.line).collect();
            format!("{} {text} {lines:?}", names[&one.source])
        });
        let mut told: Vec<String> = told.collect();
        told.sort();
        told
    })
}

#[test]
fn rules_of_macros_use_items_of_the_workspace() {
    check(
        "fn helper() {}
         struct Kept;
         mod deep { pub fn f() {} }
         macro_rules! call {
             (when $helper:ident) => { helper(); $crate::Kept; crate::deep::f(); other(); $helper };
         }",
        "
        a::call call a::helper [template]
        a::call type a::Kept [template]
        a::call path a::deep [template]
        a::call call a::deep::f [template]
        ",
    );
}

#[test]
fn names_that_rules_define_and_fields_of_values_are_no_uses() {
    let found = mentions(
        "fn helper() {}
         macro_rules! call {
             () => { let helper = 1; x.helper(); S { helper: 1 } };
         }",
    );
    assert_eq!(found, ["a::call helper [1, 1]"]);
}

#[test]
fn what_a_macro_call_does_not_read_is_mentioned_and_what_it_reads_is_not() {
    let found = mentions(
        "const WIDTH: usize = 1;
         fn helper(x: u32) -> u32 { x }
         fn picked() {}
         fn user(x: u32) {
             println!(\"{WIDTH} {}\", helper(x));
             outside::route!(picked: x);
             outside::route!(x = picked);
         }",
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_format_string_uses_what_it_captures() {
    check_source(
        "a::user",
        r#"const WIDTH: usize = 1; const MORE: u8 = 1; static LOG: u8 = 1; static LAST: u8 = 1;
         fn user(x: &str, to: &mut String) {
             println!("{WIDTH} {{MORE}} {x}");
             write!(to, "{:>WIDTH$}", MORE);
             assert_eq!(x, "{MORE}");
             assert_eq!(x, x, r"{WIDTH} \u{MORE}");
             format!("{WIDTH}", WIDTH = 1);
             info!(target: "x", "\u{AF} {LOG}");
             other!("{LAST}");
         }"#,
        "a::user value a::WIDTH [path]
        a::user value a::MORE [path]
        a::user value a::LOG [expanded]
        a::user mention ? MORE [unresolved]
        a::user mention ? WIDTH [unresolved]
        a::user mention ? LAST [unresolved]
        a::user type extern std::string::String [path]
        a::user macro extern std::println [path]
        a::user macro extern std::write [path]
        a::user macro extern std::assert_eq [path]
        a::user macro extern std::format [path]
        a::user macro ? info! [unresolved]
        a::user macro ? other! [unresolved]",
    );
}

#[test]
fn attributes_of_fields_and_variants_are_those_of_derives() {
    check_source(
        "a::E::Closed",
        "use outside::{error, Error};
         #[derive(Error)] pub enum E { #[error(\"closed\")] Closed }",
        "",
    );
}

#[test]
fn arguments_of_attributes_mention_items_but_those_of_the_compiler_do_not() {
    let found = mentions(
        "fn preset() -> u32 { 1 }
         mod hex {}
         #[derive(Debug)]
         struct Config {
             #[serde(default = \"preset\", with = \"crate::hex\")]
             size: u32,
         }
         #[deprecated(note = \"use preset\")]
         #[must_use = \"see preset\"]
         fn old() {}",
    );
    assert_eq!(found, ["a::Config hex [2]", "a::Config preset [2]"]);
}

#[test]
fn prose_in_arguments_of_attributes_mentions_no_item() {
    let found = mentions(
        "fn run() {}
         fn stop() {}
         trait Bound {}
         #[cfg_attr(run, doc = \"stop\", outside(with = \"stop\"))]
         enum Failure {
             #[error(\"failed to run\")]
             A,
             #[error(\"run\")]
             B,
             #[arg(run = 1, about = \"can't run it\", help = \"Run it, stop.\")]
             C,
             #[serde(bound = \"T: Bound\", default = \"run\", from = \"&'a Bound\")]
             D,
         }",
    );
    assert_eq!(found, ["a::Failure Bound [8, 8]", "a::Failure run [8]", "a::Failure stop [0]"]);
}

#[test]
fn unresolved_paths_mention_items_with_their_names() {
    let found = mentions(
        "fn lost() {}
         fn user() { missing::lost(); }",
    );
    assert_eq!(found, ["a::user ::lost [0]"]);
}

#[test]
fn arguments_of_a_case_are_expressions() {
    let text = "pub enum Flex { Start, End }\npub fn length(n: u16) -> u16 { n }\n\
                #[case(Flex::Start, vec![length(1)])]\n#[case::named(Flex::End, 2)]\n\
                #[test_case(Flex::Start, 2 => length(3); \"name\")]\n\
                pub fn f(flex: Flex, n: u16) {}\n";
    check_source(
        "a::f",
        text,
        "a::f type a::Flex [path]
        a::f path a::Flex [path]
        a::f value a::Flex::Start [path]
        a::f value a::Flex::End [path]
        a::f call a::length [path]
        a::f macro extern std::vec [path]",
    );
}

/// Also where nobody calls the macro: its uses are where it is defined.
#[test]
fn names_in_rules_are_used_where_these_are_defined() {
    check_source(
        "a::unused",
        "macro_rules! unused {
             ($e:expr, $t:ty) => { $crate::deep::g::<$t>($e, crate::S::new(), helper()) };
             (@ $e:expr) => { $crate::unused!($e, deep::T) };
         }
         pub mod deep { pub fn g<T>(_: u8, _: crate::S, _: ()) {} pub struct T; }
         pub struct S; impl S { pub fn new() -> S { S } } fn helper() {}",
        "a::unused call a::deep::g [template]
         a::unused path a::deep [template]
         a::unused type a::deep::T [template]
         a::unused call a::S::new [template]
         a::unused path a::S [template]
         a::unused macro a::unused [template]
         a::unused call a::helper [template]",
    );
}
