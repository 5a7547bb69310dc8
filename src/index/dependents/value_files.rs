//! In which files values of a type may occur.
//!
//! A value comes from something that the file mentions: the type itself, or what has it in its
//! signature. If that is a member, the file has to come upon the member's own type as well.

use std::rc::Rc;

use super::super::mentions::Names;
use super::effects::Effects;
use super::implementations::OwnType;
use super::names::Declared;
use super::scopes::Reach;
use asof_model::{HashMap, HashSet};

/// Types that are followed; values of others may occur anywhere.
const MAX_TYPES: usize = 400;

/// Types by their names, with what leads to their values. Made as far as it is asked for.
pub(super) struct Touching<'d, 's> {
    declared: &'d Declared<'s>,
    types: HashMap<Vec<OwnType>, Sources<'s>>,
}

/// What leads to a value of a type.
struct Sources<'s> {
    /// Names that do wherever they are mentioned; none if anything may.
    names: Option<Names>,
    /// Names that do where they can be looked up.
    scoped: Vec<(Names, Rc<Reach<'s>>)>,
    /// Names of members that do, with the types that they are found on.
    members: Vec<(Names, Vec<OwnType>)>,
}

impl<'d, 's> Touching<'d, 's> {
    pub fn new(declared: &'d Declared<'s>) -> Self {
        Touching { declared, types: HashMap::default() }
    }

    /// Whether values of types may occur in a file that mentions these names.
    pub fn touches(&mut self, path: &str, mentioned: &[u8], heads: &[OwnType]) -> bool {
        let mut seen: HashSet<Vec<OwnType>> = HashSet::default();
        let mut open = vec![heads.to_vec()];
        while let Some(at) = open.pop() {
            if seen.contains(&at) {
                continue;
            }
            let of = self.sources(&at);
            let in_scope = |(names, reach): &(Names, Rc<Reach<'_>>)| {
                reach.files.contains(path) && names.meet(mentioned)
            };
            if of.names.as_ref().is_none_or(|names| names.meet(mentioned))
                || of.scoped.iter().any(in_scope)
            {
                return true;
            }
            let members = of.members.iter().filter(|(names, _)| names.meet(mentioned));
            open.extend(members.map(|(_, on)| on.clone()));
            seen.insert(at);
        }
        false
    }

    fn sources(&mut self, heads: &[OwnType]) -> &Sources<'s> {
        let is_full = self.types.len() >= MAX_TYPES;
        let declared = self.declared;
        self.types.entry(heads.to_vec()).or_insert_with(|| {
            if is_full {
                return Sources { names: None, scoped: Vec::new(), members: Vec::new() };
            }
            let mut effects = Effects::default();
            effects.of_heads(heads);
            let spread = effects.closed(declared);
            let members = spread.members.into_iter().map(|(on, names)| {
                (names.iter().flat_map(|name| declared.with_macros(name)).collect(), on)
            });
            let names = (!spread.unknown).then_some(spread.names);
            Sources { names, scoped: spread.scoped, members: members.collect() }
        })
    }
}
