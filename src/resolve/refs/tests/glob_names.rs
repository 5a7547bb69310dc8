//! What globs bring to all scopes at once is what look-ups in each scope find.

use super::{BTreeSet, StoredTree, with_input};
use crate::glob_names::GlobNames;
use crate::namespaces::ANY;
use crate::nowhere::NOWHERE;
use crate::passes::assemble_with_scopes;
use asof_model::ItemTree;
use asof_syntax::parse_file;

/// A crate of five modules that have globs of each other.
fn text(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut pick = |count: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % count
    };
    let mut text = String::new();
    for module in 0..5 {
        let inner = ["", "pub mod inner { pub use super::*; }", "mod inner { use super::*; }"];
        text += &format!("pub mod m{module} {{ {} ", inner[pick(3) as usize]);
        for _ in 0..pick(4) {
            let visibility = ["", "pub ", "pub ", "pub(crate) "][pick(4) as usize];
            let target = ["", "", "", "::inner"][pick(4) as usize];
            text += &format!("{visibility}use crate::m{}{target}::*; ", pick(5));
        }
        for name in ["A", "B", "C", "D", "E"] {
            let from = pick(5);
            match pick(14) {
                0 => text += &format!("pub struct {name}; "),
                1 => text += &format!("struct {name}; "),
                2 => text += &format!("pub fn {name}() {{}} "),
                3 => text += &format!("pub use crate::m{from}::{name}; "),
                4 => text += &format!("pub use crate::nowhere::{name}; "),
                5 => text += &format!("pub use outside::{name}; "),
                _ => {}
            }
        }
        text += "} ";
    }
    text
}

#[test]
fn names_of_globs_are_those_of_look_ups() {
    let (mut compared, mut brought) = (0, 0);
    for seed in 0..300 {
        let text = text(seed);
        let tree: StoredTree =
            ItemTree::from_facts(&parse_file("a/lib.rs", text.as_bytes())).into();
        with_input(&[("a/lib.rs", &tree)], &["a"], vec!["outside"], |input| {
            let (assembly, scopes) = assemble_with_scopes(input, None);
            let mut globs = GlobNames::new(&scopes, &assembly);
            let names: BTreeSet<&str> = scopes.names().map(|(_, name)| name).collect();
            for (scope, _) in assembly.nodes.iter_enumerated() {
                for name in &names {
                    for (from, found) in
                        [(NOWHERE, globs.shown(scope, name)), (scope, globs.seen(scope, name))]
                    {
                        let expected = scopes.lookup(&assembly, scope, name, ANY, from);
                        assert_eq!(found, expected, "{name} in {scope:?} from {from:?}: {text}");
                        compared += 1;
                        let is_own = scopes.names().any(|own| own == (scope, name));
                        brought +=
                            u32::from(!is_own && found != crate::bindings::PathTarget::Nothing);
                    }
                }
            }
        });
    }
    assert!(brought > 1_000, "{brought} of {compared} names come through globs");
}
