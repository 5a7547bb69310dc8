//! Items that a change of names concerns: all others have the references that they had.
//!
//! What differs between two states is found by comparing items and edges (`difference`). An item is
//! concerned in two ways.
//! - By what inference read for it: a name that was looked up in a module where it means something else
//!   (`scopes`), a definition that differs or has in its signature what does (`effects`), or, with the
//!   name of a member, the type that has it.
//! - By a name that it mentions, where nothing that is read tells: of a macro, of a method that can be
//!   called because a trait is imported, of an impl for any type, of another crate.
//!
//! The items may be too many, never too few.

mod compared_items;
mod difference;
mod differing;
mod effects;
mod homonyms;
mod implementations;
mod item_names;
mod names;
mod packages;
mod scopes;
mod twins;
mod words;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::error::IndexError;
use super::mentions::{Mentions, Names};
use super::noticing::Noticed;
use super::reads::{FileReads, all_reads};
use super::resolved_workspace::ResolvedWorkspace;
use asof_model::{HashMap, HashSet};
use asof_resolve::{Dependencies, OutsideDifference, Reads};
use differing::Differing;
use effects::{Effect, Effects};
use implementations::On;
use item_names::names_that_come_or_go;
use names::{Declared, Differs};
use scopes::{Reach, Scopes};
use twins::Twins;

/// A member that comes, goes or differs.
struct Member {
    /// The types that it is found on, by [`Reads::definition`].
    types: HashSet<u32>,
    /// Its name, with those of macros.
    names: Names,
}

/// What is stored of the files before a change.
pub(super) struct Stored<'s> {
    pub mentions: &'s Mentions,
    /// What was read for the items of each file, in stored form.
    pub reads: &'s BTreeMap<String, Vec<u8>>,
}

/// The files whose references may differ between two states, and which of their items. `other_crates`: how
/// the crates outside of the workspace differ.
pub(super) fn dependents<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    outside: &Dependencies,
    other_crates: &OutsideDifference,
    stored: &Stored<'_>,
) -> Result<BTreeMap<String, Noticed>, IndexError> {
    let _span = tracing::debug_span!("dependents").entered();
    let mentions = stored.mentions;
    let all = |reason: &str| {
        tracing::debug!(reason, "every file is visited");
        mentions.keys().map(|path| (path.clone(), Noticed::Anything)).collect()
    };
    let Some(found) = difference::between(before, after, outside, other_crates) else {
        return Ok(all("packages differ whose names do not tell it"));
    };
    let [old, new] = [before, after].map(|side| Scopes::new(side, mentions));
    let sides = [&old, &new];
    let twins = Twins::new(before, after);
    let declared = Declared::new(after, outside, sides, stored.reads);
    let mut effects = Effects::default();
    let mut scoped: Vec<(Option<Names>, Rc<Reach<'_>>)> = Vec::new();
    let mut members: Vec<Member> = Vec::new();
    let Differing {
        everywhere,
        items,
        named,
        scoped: in_scopes,
        members: differing,
        impls,
        owners,
        opened,
        keys,
        ..
    } = found;
    tracing::trace!(?everywhere, ?in_scopes, ?differing, ?impls, ?owners, ?opened, "what differs");
    for (name, effect) in everywhere {
        effects.add(&name, effect);
    }
    effects.read(keys);
    effects.read(twins.of_all(items).into_iter().map(Reads::definition));
    // Where nothing is known of what is named, that some item has the name.
    let (of_members, others): (Vec<_>, Vec<_>) =
        named.iter().partition(|(_, is_member)| **is_member);
    let [of_members, others] =
        [of_members, others].map(|all| all.into_iter().map(|(name, _)| name.as_str()));
    let come_or_go = names_that_come_or_go(before, after, others);
    effects.read(of_members.chain(come_or_go).map(Reads::word));
    for (names, effect) in [
        (&other_crates.named, Effect::NAMED),
        (&other_crates.types, Effect::TYPE),
        (&other_crates.traits, Effect::TYPES_WITH),
        (&other_crates.macros, Effect::EXPANDS),
        // What leads to them leads on, from wherever it is named.
        (&other_crates.crates, Effect::TYPE),
    ] {
        names.iter().for_each(|name| effects.add(name, effect));
    }
    impls.iter().for_each(|one| effects.of_impl(one));
    owners.iter().for_each(|one| effects.of_owner(one));
    let state = |number: usize| Some((*sides.get(number)?, sides.get(1 - number)?.side));
    for (number, place) in opened {
        let Some((side, other)) = state(number) else { continue };
        // Nothing that is in both states is looked up there.
        if side.is_only_here(place, other) {
            continue;
        }
        let Some(reach) = side.reaching(place) else {
            return Ok(all("a glob whose names are not known differs"));
        };
        effects.within_all(&declared, &reach);
        scoped.push((None, reach));
    }
    for ((number, place), names) in in_scopes {
        let Some((side, other)) = state(number) else { continue };
        if side.is_only_here(place, other) {
            continue;
        }
        for (name, effect) in names {
            if let Some(keys) = side.keys(place, &name).filter(|_| !effect.is_for_all()) {
                effects.spread(&declared, &name, effect, Differs::Name(&keys));
                effects.read(keys);
                continue;
            }
            match side.reaching(place) {
                Some(reach) => {
                    effects.within(&declared, &name, effect.for_all(), &reach);
                    let names = declared.with_macros(&name).into_iter().collect();
                    scoped.push((Some(names), reach));
                }
                None => effects.add(&name, effect),
            }
        }
    }
    for (on, names) in differing {
        for name in names {
            let heads = match &on {
                On::Types(heads) => heads.clone(),
                On::Nothing => Vec::new(),
                On::Any => {
                    effects.add(&name, Effect::NAMED);
                    continue;
                }
            };
            let names = declared.with_macros(&name).into_iter().collect();
            let heads = twins.of_all(heads.into_iter().map(|(id, _)| id));
            let types = heads.into_iter().map(Reads::definition).collect();
            members.push(Member { types, names });
        }
    }
    let everywhere = effects.closed(&declared);
    if let Some(damage) = declared.damage.take() {
        return Err(damage);
    }
    if everywhere.unknown {
        return Ok(all("what is used without a name differs"));
    }
    scoped.extend(everywhere.scoped.into_iter().map(|(names, reach)| (Some(names), reach)));
    let keys = &everywhere.keys;
    // Most reach one file, and there are hundreds.
    let mut reaching: HashMap<&str, Vec<&Option<Names>>> = HashMap::default();
    for (named, reach) in &scoped {
        for path in &reach.files {
            reaching.entry(path).or_default().push(named);
        }
    }
    let mut files = BTreeMap::new();
    for (path, names) in mentions {
        let mut noticed = Noticed::default();
        noticed.add(&everywhere.names, names);
        for named in reaching.get(path.as_str()).into_iter().flatten() {
            match named {
                Some(named) => noticed.add(named, names),
                None => noticed = Noticed::Anything,
            }
        }
        let Some(stored_reads) = stored.reads.get(path) else {
            files.insert(path.clone(), Noticed::Anything);
            continue;
        };
        let reads = all_reads(stored_reads)?;
        let named = members.iter().filter(|member| member.names.meet(names));
        let by_type: Vec<_> = named.filter(|member| reads.meet(&member.types)).collect();
        if reads.meet(keys) || !by_type.is_empty() {
            let reads = FileReads::from_bytes(stored_reads)?;
            noticed.add_readers(reads.readers(keys));
            for member in by_type {
                noticed.add_member(&member.names, names, reads.readers(&member.types));
            }
        }
        if !noticed.is_empty() {
            files.insert(path.clone(), noticed);
        }
    }
    Ok(files)
}
