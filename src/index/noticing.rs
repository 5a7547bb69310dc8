//! Which items of a file can notice what differs between two states: those that mention a name by
//! which it does. The references of an item depend on no other item's body.

use std::collections::BTreeSet;

use super::mentions::Names;
use asof_model::{FileFacts, Header, NodeKind};

/// Why a file is visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Noticed {
    /// Something differs that may have no name in it.
    Anything,
    /// These names, among those that the file mentions.
    Names(Names),
}

impl Default for Noticed {
    fn default() -> Self {
        Self::Names(Names::default())
    }
}

impl Noticed {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds those of some names that a file mentions.
    pub fn add(&mut self, names: &Names, mentioned: &[u8]) {
        if let Self::Names(all) = self {
            all.add_common(names, mentioned);
        }
    }

    /// The items of a file that are concerned, by number; none if all are.
    pub fn items(&self, facts: &FileFacts) -> Option<BTreeSet<u32>> {
        let Self::Names(names) = self else { return None };
        let uses = &facts.uses;
        let mut concerned = vec![false; facts.items.len()];
        let mut found = BTreeSet::new();
        for (at, (item, of)) in facts.items.iter().zip(&uses.items).enumerate().skip(1) {
            // A parent comes before its children, which have its names in scope: of its type, of
            // its parameters.
            let above = concerned.get(item.parent as usize) == Some(&true);
            let own = item.kind != NodeKind::Module && names.has(&item.name);
            let is_concerned = above || own || uses.named_by(of).any(|name| names.has(name));
            if let Some(slot) = concerned.get_mut(at) {
                *slot = is_concerned;
            }
            if is_concerned {
                found.insert(owner(facts, at as u32));
            }
        }
        Some(found)
    }
}

/// The item among whose references those of an item are: that which has its text.
pub(super) fn owner(facts: &FileFacts, mut at: u32) -> u32 {
    let item = |at: u32| facts.items.get(at as usize).zip(facts.uses.items.get(at as usize));
    while let Some((item, _)) = item(at).filter(|(_, uses)| at > 0 && !uses.own_text) {
        at = item.parent;
    }
    match item(at) {
        Some((item, _)) if matches!(item.header, Header::Module { inline: false, .. }) => {
            item.parent
        }
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, names: &[&str], expected: &[&str]) {
        let facts = asof_syntax::parse_file("src/lib.rs", text.as_bytes());
        let noticed = Noticed::Names(names.iter().copied().collect());
        let items = noticed.items(&facts).unwrap();
        let found: Vec<&str> =
            items.iter().map(|at| facts.items[*at as usize].name.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn items_that_mention_a_name_are_concerned() {
        check("fn a() { x() }\nfn b() { y() }\n", &["x"], &["a"]);
        check("fn a() { x() }\nfn b() { y() }\n", &["z"], &[]);
        // In what is not read, too.
        check("fn a() { m!(x => 1) }\n#[derive(x)]\nstruct B;\n", &["x"], &["a", "B"]);
    }

    #[test]
    fn names_of_what_an_item_is_in_are_in_scope() {
        let text = "impl T for S { fn a() {} }\nimpl O { fn b() {} fn c() { T::x() } }\n";
        check(text, &["S"], &["impl T for S", "a"]);
        check(text, &["T"], &["impl T for S", "a", "c"]);
        check("fn outer(x: X) { fn inner() {} }\n", &["X"], &["outer", "inner"]);
        // An item of an impl may be that of a trait.
        check(text, &["b"], &["b"]);
    }

    #[test]
    fn what_belongs_to_the_text_of_another_item() {
        check("struct S { a: X, b: Y }\nenum E { V(X) }\n", &["X"], &["S", "E"]);
        // A declaration of a module is text of the module around it; what it declares is certain.
        check("mod m { #[x] mod n; }\n", &["x"], &["m"]);
        check("mod m { mod n; }\n", &["n"], &[]);
    }
}
