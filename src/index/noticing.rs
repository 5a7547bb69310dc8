//! Which items of a file can notice what differs between two states: those that mention a name by
//! which it does, and those that read a definition. The references of an item depend on no other
//! item's body.

use std::collections::BTreeSet;

use super::mentions::Names;
use super::reads::ItemKey;
use asof_model::{FileFacts, HashMap, Header, NodeKind};

/// Why a file is visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Noticed {
    /// Something differs that may have no name in it.
    Anything,
    Some(Noticing),
}

/// What some items of a file notice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Noticing {
    /// Names, among those that the file mentions.
    names: Names,
    /// Items that read what differs.
    readers: BTreeSet<ItemKey>,
    /// Names of members, among those that the file mentions, with the items that read their types.
    members: Vec<(Names, BTreeSet<ItemKey>)>,
}

impl Default for Noticed {
    fn default() -> Self {
        Self::Some(Noticing::default())
    }
}

impl Noticed {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds those of some names that a file mentions.
    pub fn add(&mut self, names: &Names, mentioned: &[u8]) {
        if let Self::Some(all) = self {
            all.names.add_common(names, mentioned);
        }
    }

    /// Adds items that read what differs.
    pub fn add_readers(&mut self, items: BTreeSet<ItemKey>) {
        if let Self::Some(all) = self {
            all.readers.extend(items);
        }
    }

    /// Adds those of a member's names that a file mentions, for the items that read its type.
    pub fn add_member(&mut self, names: &Names, mentioned: &[u8], items: BTreeSet<ItemKey>) {
        if let Self::Some(all) = self {
            let mut common = Names::default();
            common.add_common(names, mentioned);
            all.members.push((common, items));
        }
    }

    /// The items of a file that are concerned, by number; none if all are. `keys`: those of items that
    /// have a text, by number, in each module that the file is the body of.
    pub fn items(
        &self,
        facts: &FileFacts,
        keys: &HashMap<u32, Vec<ItemKey>>,
    ) -> Option<BTreeSet<u32>> {
        let Self::Some(Noticing { names, readers, members }) = self else { return None };
        let uses = &facts.uses;
        let mut concerned = vec![false; facts.items.len()];
        let mut found = BTreeSet::new();
        for (at, (item, of)) in facts.items.iter().zip(&uses.items).enumerate().skip(1) {
            let owner = owner(facts, at as u32);
            let keys = keys.get(&owner).map_or(&[][..], Vec::as_slice);
            // A parent comes before its children, which have its names in scope: of its type, of
            // its parameters.
            let above = concerned.get(item.parent as usize) == Some(&true);
            let mentions = |names: &Names| {
                let own = item.kind != NodeKind::Module && names.has(&item.name);
                own || uses.named_by(of).any(|name| names.has(name))
            };
            let reads_type =
                |readers: &BTreeSet<ItemKey>| keys.iter().any(|key| readers.contains(key));
            let by_name = above || mentions(names);
            if let Some(slot) = concerned.get_mut(at) {
                *slot = by_name;
            }
            let is_member = |(names, readers): &(Names, BTreeSet<ItemKey>)| {
                reads_type(readers) && mentions(names)
            };
            if by_name || reads_type(readers) || members.iter().any(is_member) {
                found.insert(owner);
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
        let names = names.iter().copied().collect();
        let noticed = Noticed::Some(Noticing { names, ..Noticing::default() });
        let items = noticed.items(&facts, &HashMap::default()).unwrap();
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
