//! Members of three sides, matched: by what they are, and where a side renamed one, by its shape.

use std::collections::BTreeMap;

use super::pieces::{Key, Member};

/// The renames of a side: from the key that it has to the one that the base has.
type Renamed = BTreeMap<Key, Key>;

/// Gives the members of a side that it renamed, or put under another condition, the keys that they have
/// in the base.
pub(super) fn match_renamed(base: &[Member<'_>], side: &mut [Member<'_>]) {
    rekey(base, side, |old, new| old.key.is_named_as(&new.key));
    rekey(base, side, |old, new| old.kind == new.kind && old.shape == new.shape);
}

/// Two that are alike to others, too, say nothing.
fn rekey(
    base: &[Member<'_>],
    side: &mut [Member<'_>],
    is_alike: impl Fn(&Member<'_>, &Member<'_>) -> bool,
) {
    let gone: Vec<&Member<'_>> = base.iter().filter(|one| find(side, &one.key).is_none()).collect();
    let come: Vec<&Member<'_>> = side.iter().filter(|one| find(base, &one.key).is_none()).collect();
    let mut renamed = Renamed::new();
    for old in &gone {
        let mut new = come.iter().filter(|new| is_alike(old, new));
        if let (Some(new), None) = (new.next(), new.next())
            && gone.iter().filter(|other| is_alike(other, new)).count() == 1
        {
            renamed.insert(new.key.clone(), old.key.clone());
        }
    }
    for member in side {
        if let Some(key) = renamed.get(&member.key) {
            member.key = key.clone();
        }
    }
}

/// Whether both of two sides add an item of one name, and not the same one.
pub(super) fn is_added_twice(
    base: &[Member<'_>],
    ours: &[Member<'_>],
    theirs: &[Member<'_>],
) -> bool {
    let is_new = |one: &&Member<'_>| !one.kind.is_anonymous() && find(base, &one.key).is_none();
    ours.iter().filter(is_new).any(|our| {
        theirs.iter().filter(is_new).any(|their| our.key != their.key && our.clashes(their))
    })
}

/// A member by its key.
pub(super) fn find<'m, 't>(members: &'m [Member<'t>], key: &Key) -> Option<&'m Member<'t>> {
    members.iter().find(|one| one.key == *key)
}
