//! Names in tokens that are not read as code.

use super::*;

/// Source, text and line of every mention.
fn mentions(text: &str) -> Vec<String> {
    Workspace::of(text).resolved(|world, sources, names| {
        let all = world.references(sources);
        let mentions = all.iter().filter(|one| one.kind == crate::model::RefKind::Mention);
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
fn bodies_of_macros_mention_items_of_the_workspace() {
    let found = mentions(
        "fn helper() {}
         struct Kept;
         macro_rules! call {
             ($helper:ident) => { helper(); $crate::Kept; other(); $helper };
         }",
    );
    assert_eq!(found, ["a::call Kept [1]", "a::call helper [1]"]);
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
    assert_eq!(found, ["a::user WIDTH [1]"]);
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
fn unresolved_paths_mention_items_with_their_names() {
    let found = mentions(
        "fn lost() {}
         fn user() { missing::lost(); }",
    );
    assert_eq!(found, ["a::user ::lost [0]"]);
}
