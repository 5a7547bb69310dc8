//! Tables of the names that scopes bind, for the sizes that hostile and generated sources have: a
//! name with thousands of duplicates, a module with thousands of globs. No list is scanned once for
//! each of its own elements.

use super::ids::Def;
use super::numbers::{Numbers, Renumber};
use asof_model::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// Definitions with the namespaces in which they were found: mostly one.
pub(super) type Found = SmallVec<[(Def, u8); 1]>;

/// Target of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum PathTarget {
    /// Nodes, each with the namespaces it was found in; never empty.
    Nodes(Found),
    External(OutsidePath),
    Nothing,
}

/// A path that begins outside the workspace, from the crate on. Many imports bind one, and states share
/// it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct OutsidePath(Arc<[String]>);

impl OutsidePath {
    /// The path of a crate.
    pub fn of_crate(name: &str) -> Self {
        Self([name.to_owned()].into())
    }

    /// The path of something in what has this one.
    pub fn child(&self, name: &str) -> Self {
        Self(self.0.iter().cloned().chain([name.to_owned()]).collect())
    }
}

impl Deref for OutsidePath {
    type Target = [String];
    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl From<Vec<String>> for OutsidePath {
    fn from(path: Vec<String>) -> Self {
        Self(path.into())
    }
}

impl From<OutsidePath> for Vec<String> {
    fn from(path: OutsidePath) -> Self {
        path.to_vec()
    }
}

impl PathTarget {
    /// The nodes, whatever the namespaces.
    pub fn nodes(&self) -> impl Iterator<Item = Def> {
        let nodes = match self {
            Self::Nodes(nodes) => nodes.as_slice(),
            Self::External(_) | Self::Nothing => &[],
        };
        nodes.iter().map(|(node, _)| *node)
    }

    /// One node.
    pub fn node(node: Def, spaces: u8) -> Self {
        Self::Nodes(smallvec![(node, spaces)])
    }
}

impl Renumber for PathTarget {
    fn renumber(&self, numbers: &Numbers) -> Self {
        match self {
            Self::Nodes(nodes) => Self::Nodes(
                nodes.iter().map(|(node, spaces)| (numbers.def(*node), *spaces)).collect(),
            ),
            other => other.clone(),
        }
    }
}

/// From this length on, a list has an index.
const INDEXED: usize = 16;

/// A name bound in a scope by a definition or a named import.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Binding {
    pub target: PathTarget,
    /// Module within which it is visible; none if everywhere.
    pub within: Option<Def>,
    pub import: bool,
}

/// Meanings of a name in a scope, in the order in which they were found.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Bindings {
    pub list: SmallVec<[Binding; 1]>,
    /// Index of a long list.
    #[serde(skip)]
    known: Option<Box<HashSet<Binding>>>,
}

impl PartialEq for Bindings {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Eq for Bindings {}

impl Bindings {
    /// Adds one; true if it is new.
    pub fn add(&mut self, binding: Binding) -> bool {
        if self.list.len() < INDEXED {
            if self.list.contains(&binding) {
                return false;
            }
        } else {
            let all = || Box::new(self.list.iter().cloned().collect());
            if !self.known.get_or_insert_with(all).insert(binding.clone()) {
                return false;
            }
        }
        self.list.push(binding);
        true
    }
}

/// Imports of one name in one scope that are told apart by their namespaces.
const MAX_HOMONYMS: usize = 4;

/// Paths outside of the workspace by another that a scope imports under the same name; sorted.
pub(super) fn homonyms<'b>(
    all: impl Iterator<Item = &'b Bindings>,
) -> Vec<(OutsidePath, OutsidePath)> {
    let mut found = Vec::new();
    for bindings in all {
        let paths = bindings.list.iter().filter_map(|one| match &one.target {
            PathTarget::External(path) => Some(path),
            _ => None,
        });
        let paths: Vec<&OutsidePath> = paths.take(MAX_HOMONYMS).collect();
        for path in paths.iter().filter(|_| paths.len() > 1) {
            let others = paths.iter().filter(|other| *other != path);
            found.extend(others.map(|other| ((*path).clone(), (*other).clone())));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Nodes with the namespaces in which they were found, each node once.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub list: Found,
    /// Index of the nodes of a long list.
    places: HashMap<Def, usize>,
}

impl Merged {
    pub fn add(&mut self, more: impl IntoIterator<Item = (Def, u8)>) {
        for (node, spaces) in more {
            let known = if self.list.len() < INDEXED {
                self.list.iter().position(|(known, _)| *known == node)
            } else {
                if self.places.is_empty() {
                    let places = self.list.iter().enumerate();
                    self.places.extend(places.map(|(at, (node, _))| (*node, at)));
                }
                self.places.get(&node).copied()
            };
            match known.and_then(|at| self.list.get_mut(at)) {
                Some((_, known)) => *known |= spaces,
                None => {
                    if self.list.len() >= INDEXED {
                        self.places.insert(node, self.list.len());
                    }
                    self.list.push((node, spaces));
                }
            }
        }
    }
}

/// A glob: the scope whose names it brings in, and where these are visible.
type Glob = (Def, Option<Def>);

/// Globs of all scopes.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Globs {
    of: HashMap<Def, OfScope>,
    /// Globs by target, as scope and index, and whether the scope is within the target.
    into: HashMap<Def, Vec<(Def, usize, bool)>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct OfScope {
    list: Vec<Glob>,
    /// Indices by target.
    places: HashMap<Def, Vec<usize>>,
    /// Indices of globs whose targets have globs of their own: any name may come through these.
    open: BTreeSet<usize>,
    /// Whether some glob is not private to the scope.
    is_wide: bool,
}

impl Renumber for Globs {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let def = |def: &Def| numbers.def(*def);
        let of_scope = |of: &OfScope| OfScope {
            list: of.list.iter().map(|(to, within)| (def(to), within.renumber(numbers))).collect(),
            places: of.places.iter().map(|(to, places)| (def(to), places.clone())).collect(),
            open: of.open.clone(),
            is_wide: of.is_wide,
        };
        let sources = |from: &Vec<(Def, usize, bool)>| {
            from.iter().map(|(scope, at, inside)| (def(scope), *at, *inside)).collect()
        };
        Globs {
            of: self.of.iter().map(|(scope, of)| (def(scope), of_scope(of))).collect(),
            into: self.into.iter().map(|(to, from)| (def(to), sources(from))).collect(),
        }
    }
}

impl Globs {
    /// Adds a glob; true if it is new. `inside`: whether the scope is within the target, and so sees
    /// what is private there.
    pub fn add(&mut self, scope: Def, target: Def, within: Option<Def>, inside: bool) -> bool {
        let through = self.of.get(&target).is_some_and(|of| of.is_wide || inside);
        let of = self.of.entry(scope).or_default();
        let places = of.places.entry(target).or_default();
        if places.iter().any(|at| of.list.get(*at) == Some(&(target, within))) {
            return false;
        }
        let at = of.list.len();
        places.push(at);
        of.list.push((target, within));
        if through {
            of.open.insert(at);
        }
        // A glob that is private to a scope brings names to what is within it only.
        let widens = within != Some(scope) && !of.is_wide;
        of.is_wide |= widens;
        self.into.entry(target).or_default().push((scope, at, inside));
        if at == 0 || widens {
            let is_wide = self.of.get(&scope).is_some_and(|of| of.is_wide);
            for (above, at, inside) in self.into.get(&scope).into_iter().flatten() {
                if let Some(above) = self.of.get_mut(above).filter(|_| is_wide || *inside) {
                    above.open.insert(*at);
                }
            }
        }
        true
    }

    /// The scopes that have any.
    pub fn scopes(&self) -> impl Iterator<Item = Def> {
        self.of.keys().copied()
    }

    /// The scopes whose names a scope brings in.
    pub fn targets(&self, scope: Def) -> impl Iterator<Item = Def> {
        self.of.get(&scope).into_iter().flat_map(|of| &of.list).map(|(target, _)| *target)
    }

    /// The scopes that have the names of one.
    pub fn sources(&self, target: Def) -> impl Iterator<Item = Def> {
        self.into.get(&target).into_iter().flatten().map(|(scope, ..)| *scope)
    }

    /// Whether a scope has any.
    pub fn has(&self, scope: Def) -> bool {
        self.of.contains_key(&scope)
    }

    /// Each scope with the scopes whose names it brings in, and where these are visible.
    pub fn all(&self) -> impl Iterator<Item = (Def, Def, Option<Def>)> {
        let of = self.of.iter();
        of.flat_map(|(scope, of)| of.list.iter().map(|(target, within)| (*scope, *target, *within)))
    }

    /// The globs of a scope through which a name can come that is bound in these scopes alone,
    /// in their order.
    pub fn that_may_have<'h>(&self, scope: Def, holders: impl FnOnce() -> &'h [Def]) -> Vec<Glob> {
        let Some(of) = self.of.get(&scope) else { return Vec::new() };
        if of.list.len() < INDEXED {
            return of.list.clone();
        }
        let holders = holders();
        if of.list.len() <= holders.len() {
            return of.list.clone();
        }
        let mut places = of.open.clone();
        places.extend(holders.iter().filter_map(|holder| of.places.get(holder)).flatten());
        places.into_iter().filter_map(|at| of.list.get(at).copied()).collect()
    }
}

/// The scopes that a look-up was in, each with the one that it looked from: most are in one.
#[derive(Default)]
pub(super) struct Visited {
    first: Option<(Def, Def)>,
    more: HashSet<(Def, Def)>,
}

impl Visited {
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    /// Adds one; true if it is new.
    pub fn insert(&mut self, at: (Def, Def)) -> bool {
        match self.first {
            None => {
                self.first = Some(at);
                true
            }
            Some(first) => first != at && self.more.insert(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(globs: &mut Globs, scope: u32, target: u32, within: Option<u32>, inside: bool) -> bool {
        globs.add(Def::from_raw(scope), Def::from_raw(target), within.map(Def::from_raw), inside)
    }

    /// Globs that may have a name, as their targets and where they are visible.
    fn check(globs: &Globs, scope: u32, holders: &[u32], expected: &[(u32, Option<u32>)]) {
        let holders: Vec<Def> = holders.iter().copied().map(Def::from_raw).collect();
        let found = globs.that_may_have(Def::from_raw(scope), || &holders).into_iter();
        let found = found.map(|(target, within)| (target.raw(), within.map(Def::raw)));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn long_and_short_lists_have_the_same_contents() {
        let binding = |node| Binding {
            target: PathTarget::Nodes(smallvec![(node, 1)]),
            within: None,
            import: true,
        };
        let mut bindings = Bindings::default();
        let mut merged = Merged::default();
        for round in 0..2 {
            for node in (0..40).map(Def::new) {
                assert_eq!(bindings.add(binding(node)), round == 0, "{node:?}");
                merged.add([(node, 1 << round)]);
            }
        }
        assert_eq!(bindings.list.len(), 40);
        let expected: Vec<(Def, u8)> = (0..40).map(|node| (Def::new(node), 3)).collect();
        assert_eq!(merged.list.as_slice(), expected);
    }

    #[test]
    fn a_glob_is_left_out_only_if_the_name_cannot_come_through_it() {
        let mut globs = Globs::default();
        for target in 1..40 {
            assert!(add(&mut globs, 0, target, None, false));
            assert!(!add(&mut globs, 0, target, None, false));
        }
        assert!(add(&mut globs, 0, 5, Some(0), false));
        check(&globs, 0, &[5, 99], &[(5, None), (5, Some(0))]);
        // A glob that is private to 7 brings nothing to 0.
        assert!(add(&mut globs, 7, 98, Some(7), false));
        check(&globs, 0, &[99], &[]);
        // 7 has a glob that others see, so any name may come through it.
        assert!(add(&mut globs, 7, 99, None, false));
        check(&globs, 0, &[99], &[(7, None)]);
        assert!(add(&mut globs, 0, 7, Some(0), false));
        check(&globs, 0, &[99], &[(7, None), (7, Some(0))]);
        check(&globs, 1, &[99], &[]);
    }

    #[test]
    fn what_is_private_comes_to_scopes_within() {
        let mut globs = Globs::default();
        for target in 1..40 {
            add(&mut globs, 0, target, None, target == 9);
        }
        add(&mut globs, 9, 99, Some(9), false);
        check(&globs, 0, &[99], &[(9, None)]);
    }
}
