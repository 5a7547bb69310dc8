//! Files that a change of names concerns: all others have the references that they had.
//!
//! What differs between two states is found by comparing items and edges (`differing`). A file is
//! visited if its text mentions the name of what differs, and
//! - for what is found through a scope: if it can name that scope (`scopes`);
//! - for members of types: if values of the type may occur in it (`reach`), or if a method of an
//!   unknown receiver may be meant.
//!
//! What differs for the users of a signature, without being named there, spreads through signatures
//! (`effects`). Names are compared as texts, so the files may be too many, never too few.

mod differing;
mod effects;
mod scopes;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::mentions::Names;
use super::resolved_workspace::ResolvedWorkspace;
use crate::model::NodeKind;
use crate::resolve::{Dependencies, MAX_CANDIDATES};
use differing::Differing;
use effects::{Declared, Effect, Effects};
use scopes::{Place, Scopes};

/// The names that each file mentions, in stored form, by path.
pub(super) type Mentions = BTreeMap<String, Vec<u8>>;

/// The files to resolve again.
#[derive(Debug)]
pub(super) enum Changed {
    /// Every file.
    All,
    /// These.
    Files(BTreeSet<String>),
}

/// Groups of members of which each has its own owner; beyond, owners do not matter.
const MAX_OWNERS: usize = 256;

/// The files, apart from the changed ones, whose references may differ between two states.
pub(super) fn changed<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    outside: &Dependencies,
    mentions: &Mentions,
) -> Changed {
    let Some(found) = differing::between(before, after, outside) else { return Changed::All };
    let sides = [before, after].map(|side| Scopes::of(side, mentions));
    let counts = [before, after].map(|side| Counts::of(side));
    let declared = Declared::of(after);
    let mut effects = Effects::default();
    let mut clauses: Vec<Clause> = Vec::new();
    let Differing { everywhere, scoped, members, impls, .. } = found;
    for (name, effect) in everywhere {
        effects.add(&name, effect);
    }
    for one in &impls {
        effects.of_impl(&declared, one);
    }
    let mut files_of: HashMap<(usize, Place), Option<BTreeSet<&str>>> = HashMap::new();
    for ((side, place), names) in scoped {
        let files = files_of.entry((side, place)).or_insert_with(|| {
            let side = sides.get(side)?;
            side.reaching(place)
        });
        for (name, effect) in names {
            // A name that no item has any more, or that the first one has, matters wherever a
            // mention of it is not resolved.
            let known = counts.iter().all(|count| count.items.contains(name.as_str()));
            match files {
                Some(files) if known || effect.of_import() => {
                    effects.within(&declared, &name, effect, files);
                    let names = declared.with_macros(&name).into_iter().collect();
                    clauses.push(Clause { names, within: Within::Files(files.clone()) });
                }
                _ => effects.add(&name, effect),
            }
        }
    }
    let several = members.values().map(HashSet::len).sum::<usize>() > MAX_OWNERS;
    for (heads, names) in members {
        let mut common: Vec<String> = Vec::new();
        for name in names {
            // Of fewer methods, each is a candidate for an unknown receiver.
            let is_common = counts.iter().all(|count| count.is_common(&name));
            match is_common && !several && !heads.is_empty() {
                true => {
                    common.extend(declared.with_macros(&name).into_iter().map(str::to_owned));
                }
                false => effects.add(&name, Effect::NAMED),
            }
        }
        if !common.is_empty() {
            let mut reach = Effects::default();
            heads.iter().for_each(|head| reach.add(head, Effect::VALUES));
            let reach = reach.closed(&declared);
            let names = common.into_iter().collect();
            clauses.push(Clause { names, within: Within::Names(reach.collect()) });
        }
    }
    if effects.unknown {
        return Changed::All;
    }
    let everywhere: Names = effects.closed(&declared).collect();
    let concerned = |(path, stored): &(&String, &Vec<u8>)| {
        everywhere.meet(stored)
            || clauses.iter().any(|one| {
                one.names.meet(stored)
                    && match &one.within {
                        Within::Files(files) => files.contains(path.as_str()),
                        Within::Names(reach) => reach.meet(stored),
                    }
            })
    };
    Changed::Files(mentions.iter().filter(concerned).map(|(path, _)| path.clone()).collect())
}

/// Files that mention one of some names, and are among some.
struct Clause<'n> {
    names: Names,
    within: Within<'n>,
}

enum Within<'n> {
    Files(BTreeSet<&'n str>),
    /// Those that mention one of these names, too.
    Names(Names),
}

/// How many items of a state have a name.
struct Counts<'s> {
    items: HashSet<&'s str>,
    methods: HashMap<&'s str, usize>,
    fields: HashMap<&'s str, usize>,
}

impl<'s> Counts<'s> {
    fn of(side: &'s ResolvedWorkspace<'_>) -> Self {
        let mut counts =
            Counts { items: HashSet::new(), methods: HashMap::new(), fields: HashMap::new() };
        for node in side.assembly.nodes.iter().filter(|node| node.parent.is_some()) {
            if !node.kind.is_anonymous() {
                counts.items.insert(&node.name);
            }
            let table = match node.kind {
                NodeKind::Method => &mut counts.methods,
                NodeKind::Field => &mut counts.fields,
                _ => continue,
            };
            *table.entry(&node.name).or_default() += 1;
        }
        counts
    }

    /// Whether no receiver or owner of an unknown type can be guessed from a name.
    fn is_common(&self, name: &str) -> bool {
        let guessed = |table: &HashMap<&str, usize>| {
            table.get(name).is_none_or(|count| *count <= MAX_CANDIDATES)
        };
        // The name is that of methods or of fields: both are guessed from.
        let (methods, fields) = (self.methods.contains_key(name), self.fields.contains_key(name));
        (methods || fields)
            && !(methods && guessed(&self.methods))
            && !(fields && guessed(&self.fields))
    }
}

/// Files, by path, that a change concerns.
pub(super) fn dependents(changed: Changed, mentions: &Mentions) -> BTreeSet<String> {
    match changed {
        Changed::All => mentions.keys().cloned().collect(),
        Changed::Files(files) => files,
    }
}
