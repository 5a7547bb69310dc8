//! Files that a change of names concerns: all others have the references that they had.
//!
//! What differs between two states is found by comparing items and edges (`differing`). A file is
//! visited if its text mentions the name of what differs, and
//! - for what is looked up in a scope: if it can name that scope (`scopes`);
//! - for members: if values of the type may occur in it (`touching`), or if it has a member of this
//!   name of a value of an unknown type, of which stored references tell.
//!
//! What differs for the users of a signature, without being named there, spreads through signatures
//! (`effects`). Names are compared as texts, so the files may be too many, never too few.

mod compared_items;
mod counts;
mod difference;
mod effects;
mod homonyms;
mod implementations;
mod names;
mod scopes;
mod value_files;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::mentions::{Mentions, Names};
use super::noticing::Noticed;
use super::resolved_workspace::ResolvedWorkspace;
use asof_model::{HashMap, NodeId};
use asof_resolve::{Dependencies, OutsideDifference};
use asof_store::StoreError;
use counts::{Counts, Guessed};
use difference::Differing;
use effects::{Effect, Effects};
use implementations::{On, OwnType};
use names::Declared;
use scopes::{Reach, Scopes};
use value_files::Touching;

/// Gives the files that use one of some targets.
type UsersOf<'s> = dyn Fn(&[NodeId]) -> Result<BTreeSet<String>, StoreError> + 's;

/// What is stored of the files before a change.
pub(super) struct Stored<'s> {
    pub mentions: &'s Mentions,
    /// Files that use one of some targets.
    pub users: &'s UsersOf<'s>,
}

/// The files whose references may differ between two states, and by which names. `other_crates`: how the
/// crates outside of the workspace differ.
pub(super) fn dependents<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    outside: &Dependencies,
    other_crates: &OutsideDifference,
    stored: &Stored<'_>,
) -> Result<BTreeMap<String, Noticed>, StoreError> {
    let _span = tracing::debug_span!("dependents").entered();
    let mentions = stored.mentions;
    let all = |reason: &str| {
        tracing::debug!(reason, "every file is visited");
        mentions.keys().map(|path| (path.clone(), Noticed::Anything)).collect()
    };
    let Some(found) = difference::between(before, after, outside) else {
        return Ok(all("packages or macros differ"));
    };
    let [old, new] = [before, after].map(|side| Scopes::new(side, mentions));
    let sides = [&old, &new];
    let counts = Counts::new(before, after);
    let declared = Declared::new(after, outside, sides);
    let mut effects = Effects::default();
    let mut scoped: Vec<(Option<Names>, Rc<Reach<'_>>)> = Vec::new();
    let mut members: Vec<(Vec<OwnType>, Names, Option<BTreeSet<String>>)> = Vec::new();
    let Differing {
        everywhere, scoped: in_scopes, members: differing, impls, owners, opened, ..
    } = found;
    tracing::trace!(?everywhere, ?in_scopes, ?differing, ?impls, ?owners, ?opened, "what differs");
    for (name, effect) in everywhere {
        effects.add(&name, effect);
    }
    for (names, effect) in [
        (&other_crates.named, Effect::NAMED),
        (&other_crates.types, Effect::TYPE),
        (&other_crates.traits, Effect::TYPES_WITH),
        (&other_crates.macros, Effect::EXPANDS),
    ] {
        names.iter().for_each(|name| effects.add(name, effect));
    }
    impls.iter().for_each(|one| effects.of_impl(one));
    owners.iter().for_each(|one| effects.of_owner(one));
    for (side, place) in opened {
        let Some(reach) = sides.get(side).and_then(|side| side.reaching(place)) else {
            return Ok(all("a glob whose names are not known differs"));
        };
        effects.within_all(&declared, &reach);
        scoped.push((None, reach));
    }
    for ((side, place), names) in in_scopes {
        let reach = sides.get(side).and_then(|side| side.reaching(place));
        for (name, effect) in names {
            // A name that no item has any more, or that the first one has, matters wherever a
            // mention of it is not resolved.
            match &reach {
                Some(reach) if effect.is_of_import() || counts.stays(&name) => {
                    effects.within(&declared, &name, effect, reach);
                    let names = declared.with_macros(&name).into_iter().collect();
                    scoped.push((Some(names), Rc::clone(reach)));
                }
                _ => effects.add(&name, effect),
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
            let users = match counts.guessed(&name) {
                Guessed::Anywhere => {
                    effects.add(&name, Effect::NAMED);
                    continue;
                }
                Guessed::Nowhere => BTreeSet::new(),
                Guessed::By(ids) => (stored.users)(&ids)?,
            };
            let names = declared.with_macros(&name).into_iter().collect();
            members.push((heads, names, Some(users)));
        }
    }
    let everywhere = effects.closed(&declared);
    if everywhere.unknown {
        return Ok(all("what is used without a name differs"));
    }
    scoped.extend(everywhere.scoped.into_iter().map(|(names, reach)| (Some(names), reach)));
    for (heads, names) in everywhere.members {
        let names = names.iter().flat_map(|name| declared.with_macros(name)).collect();
        members.push((heads, names, None));
    }
    // Most reach one file, and there are hundreds.
    let mut reaching: HashMap<&str, Vec<&Option<Names>>> = HashMap::default();
    for (named, reach) in &scoped {
        for path in &reach.files {
            reaching.entry(path).or_default().push(named);
        }
    }
    let mut touching = Touching::new(&declared);
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
        for (heads, named, users) in &members {
            if named.meet(names)
                && (users.as_ref().is_some_and(|users| users.contains(path))
                    || touching.touches(path, names, heads))
            {
                noticed.add(named, names);
            }
        }
        if !noticed.is_empty() {
            files.insert(path.clone(), noticed);
        }
    }
    Ok(files)
}
