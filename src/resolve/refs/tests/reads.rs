//! What is read for an item.

use super::*;
use crate::refs::{From, Reads};

/// Definitions that are read for an item, and `name in module` for what is looked up
/// within it, `name from module` for what is from elsewhere; `name anywhere` if
/// items of the name are asked for wherever they are.
fn check(text: &str, item: &str, expected: &[&str]) {
    let found = Workspace::parse(text).resolved(|world, sources, called| {
        let found = world.references_with_reads(sources);
        let of_item = found.reads.iter().filter(|(id, _)| called[*id] == item);
        let keys: BTreeSet<u32> = of_item.flat_map(|(_, reads)| reads.keys()).copied().collect();
        let words: BTreeSet<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let mut known: BTreeMap<u32, String> = BTreeMap::new();
        for (id, name) in called {
            known.insert(Reads::definition(*id), name.clone());
            for word in &words {
                known.insert(Reads::name(*id, word, From::Within), format!("{word} in {name}"));
                let from_elsewhere = Reads::name(*id, word, From::Elsewhere);
                known.insert(from_elsewhere, format!("{word} from {name}"));
            }
        }
        known.extend(words.iter().map(|word| (Reads::word(word), format!("{word} anywhere"))));
        keys.iter().filter_map(|key| known.get(key).cloned()).collect::<BTreeSet<String>>()
    });
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
}

const SHAPES: &str = "
    mod m {
        pub struct S { pub size: u8 }
        pub struct Other;
        impl S { pub fn go(&self) -> u8 { 1 } }
        pub fn make() -> S { loop {} }
    }
";

#[test]
fn what_a_path_leads_through_and_what_its_type_has() {
    check(
        &format!("{SHAPES} fn f() {{ m::make().go(); }}"),
        "a::f",
        &["a::f", "a::m", "a::m::S", "a::m::S::go", "a::m::make", "m in a", "make from a::m"],
    );
}

#[test]
fn a_field_is_read_with_its_type() {
    check(
        &format!("{SHAPES} fn f(s: m::S) {{ s.size; }}"),
        "a::f",
        &["S from a::m", "a::f", "a::m", "a::m::S", "a::m::S::size", "m in a", "s in a"],
    );
}

#[test]
fn what_is_found_nowhere_is_looked_up() {
    check("fn f() { g(); }", "a::f", &["a::f", "g anywhere", "g in a"]);
    check(
        "fn f() { nowhere().go(); }",
        "a::f",
        &["a::f", "go anywhere", "nowhere anywhere", "nowhere in a"],
    );
}

#[test]
fn an_expansion_is_read_for_the_call() {
    check(
        &format!(
            "{SHAPES} macro_rules! made {{ () => {{ $crate::m::make() }}; }} fn f() {{ let s = made!(); }}"
        ),
        "a::f",
        &["a", "a::f", "a::m", "a::m::make", "a::made", "m in a", "make from a::m", "s in a"],
    );
}

/// Whoever asks first for a signature must not be told apart from the others.
#[test]
fn a_signature_is_a_read_of_its_definition_alone() {
    let twice = format!("{SHAPES} fn f() {{ m::make(); }} fn g() {{ m::make(); }}");
    let reads = |own: &'static str| [own, "a::m", "a::m::make", "m in a", "make from a::m"];
    check(&twice, "a::f", &reads("a::f"));
    check(&twice, "a::g", &reads("a::g"));
}
