//! Computes the conditions under which imports bring names.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::bindings::PathTarget;
use super::conditional::{Conditional, Meanings};
use super::conditions::{ALWAYS, Conditions};
use super::crate_maps::CrateMaps;
use super::ids::{ConditionId, Def, InstanceId};
use super::imports::Leaf;
use super::namespaces::{ANY, TYPES};
use super::scope::Scopes;
use asof_model::{HashMap, HashSet};

/// Imports of imports under conditions that are followed.
const MAX_HOPS: usize = 4;

/// Globs that are followed for one name.
const MAX_GLOBS: usize = 512;

/// Enters into the scopes under which conditions their imports bring names.
pub(super) fn conditions<'a>(assembly: &CrateMaps, scopes: &mut Scopes<'a>, leaves: &[Leaf<'a>]) {
    let mut conditions = std::mem::take(&mut scopes.conditions);
    scopes.conditional = Conditional::new(assembly, scopes, leaves, &mut conditions);
    scopes.conditions = conditions;
}

impl<'a> Conditional<'a> {
    /// The condition, by its number, under which imports bring a definition by a name into a scope.
    pub(super) fn condition(
        &self,
        scopes: &Scopes<'a>,
        conditions: &mut Conditions,
        (scope, name): (Def, &str),
        node: Def,
    ) -> ConditionId {
        let mut search = Search { all: self, scopes, conditions, name, node, left: MAX_GLOBS };
        let found = search.through(scope, &mut Vec::new());
        // What is not found is not known to be under any.
        found.filter(|_| search.left > 0).unwrap_or(ALWAYS)
    }

    /// From all imports, after what they bring is known.
    fn new(
        assembly: &CrateMaps,
        scopes: &Scopes<'a>,
        leaves: &[Leaf<'a>],
        conditions: &mut Conditions,
    ) -> Self {
        let own = |leaf: &Leaf<'a>| {
            let of = |node: Def| assembly.node(node).map_or(ALWAYS, |node| node.condition);
            let (scope, own) = (of(leaf.scope), of(leaf.origin));
            if scope == own { ALWAYS } else { own }
        };
        let named = leaves.iter().filter(|leaf| !leaf.leaf.glob && leaf.leaf.name != "_");
        let mut concerned: BTreeMap<(Def, &'a str), Vec<Import<'_, 'a>>> = BTreeMap::new();
        for leaf in named {
            let import = Import { leaf, own: own(leaf) };
            concerned.entry((leaf.scope, leaf.leaf.name.as_str())).or_default().push(import);
        }
        let globs = leaves.iter().filter(|leaf| leaf.leaf.glob);
        let globs: Vec<_> = globs.map(|leaf| Import { leaf, own: own(leaf) }).collect();
        let mut into: HashMap<Def, Vec<Def>> = HashMap::default();
        let mut targets: HashMap<Def, Vec<Def>> = HashMap::default();
        for (scope, target, _) in scopes.all_globs() {
            into.entry(target).or_default().push(scope);
            targets.entry(scope).or_default().push(target);
        }
        let mut found = Self::default();
        let mut looked_up = LookedUp::new(assembly, scopes);
        // Names of which it is another than one step before whether they have a condition, and which.
        let mut differing: Option<HashSet<&str>> = None;
        for _ in 0..MAX_HOPS {
            let mut names: HashSet<&str> = found.nodes.keys().map(|(_, name)| *name).collect();
            let brought = found.brought_by_globs(&targets);
            names.extend(
                scopes.names().filter(|(at, _)| brought.contains(at)).map(|(_, name)| name),
            );
            let mut next = Self::default();
            for (key, imports) in &concerned {
                let differs = |import: &Import<'_, 'a>| {
                    let mut path = import.leaf.leaf.path.iter();
                    path.any(|name| {
                        differing.as_ref().is_none_or(|all| all.contains(name.as_str()))
                    })
                };
                if !imports.iter().any(differs) {
                    next.repeat(&found, *key);
                    continue;
                }
                let behind: Vec<_> = imports
                    .iter()
                    .map(|import| found.behind(&mut looked_up, import.leaf, &names, conditions))
                    .collect();
                let plain = |(import, behind): (&Import<'_, 'a>, &Option<_>)| {
                    import.own == ALWAYS && behind.is_none()
                };
                if imports.iter().zip(&behind).all(plain) {
                    continue;
                }
                let mut nodes: Meanings<Def> = HashMap::default();
                let mut outside: Meanings<Vec<String>> = HashMap::default();
                for (Import { leaf, own }, behind) in imports.iter().zip(behind) {
                    match &leaf.target {
                        PathTarget::Nodes(targets) => {
                            for (node, _) in targets {
                                let more = behind.as_ref().and_then(|of| of.get(node));
                                let under = conditions.and(*own, more.copied().unwrap_or(ALWAYS));
                                either(&mut nodes, *node, under, conditions);
                            }
                        }
                        PathTarget::External(path) => {
                            either(&mut outside, path.clone(), *own, conditions);
                        }
                        PathTarget::Nothing => {}
                    }
                }
                next.scopes.insert(key.0);
                next.nodes.insert(*key, nodes);
                next.outside.insert(*key, outside);
            }
            for Import { leaf, own } in &globs {
                let PathTarget::Nodes(targets) = &leaf.target else { continue };
                let behind = found.behind(&mut looked_up, leaf, &names, conditions);
                for (node, _) in targets {
                    let more = behind.as_ref().and_then(|of| of.get(node));
                    let under = conditions.and(*own, more.copied().unwrap_or(ALWAYS));
                    either(&mut next.globs, (leaf.scope, *node), under, conditions);
                }
            }
            next.globs.retain(|_, under| *under != ALWAYS);
            next.scopes.extend(next.globs.keys().map(|(scope, _)| *scope));
            let mut open: Vec<Def> = next.scopes.iter().copied().collect();
            while let Some(at) = open.pop() {
                let around = into.get(&at).into_iter().flatten();
                open.extend(around.filter(|scope| next.scopes.insert(**scope)));
            }
            if next == found {
                break;
            }
            let mut differ = next.differing_names(&found);
            if next.globs != found.globs {
                let mut opened = next.brought_by_globs(&targets);
                opened.extend(brought);
                differ.extend(
                    scopes.names().filter(|(at, _)| opened.contains(at)).map(|(_, name)| name),
                );
            }
            differing = Some(differ);
            found = next;
        }
        found
    }

    /// Takes the meanings of a name over.
    fn repeat(&mut self, from: &Self, key: (Def, &'a str)) {
        if let (Some(nodes), Some(outside)) = (from.nodes.get(&key), from.outside.get(&key)) {
            self.scopes.insert(key.0);
            self.nodes.insert(key, nodes.clone());
            self.outside.insert(key, outside.clone());
        }
    }

    /// Names that mean definitions of the workspace under other conditions than in `other`.
    fn differing_names(&self, other: &Self) -> HashSet<&'a str> {
        let differs = |(key, nodes): &(&(Def, &'a str), &Meanings<Def>)| {
            self.nodes.get(*key) != Some(*nodes) || other.nodes.get(*key) != Some(*nodes)
        };
        let both = self.nodes.iter().chain(&other.nodes);
        both.filter(differs).map(|((_, name), _)| *name).collect()
    }

    /// The scopes whose names come somewhere through globs under conditions.
    fn brought_by_globs(&self, targets: &HashMap<Def, Vec<Def>>) -> HashSet<Def> {
        let mut open: Vec<Def> = self.globs.keys().map(|(_, target)| *target).collect();
        let mut brought = HashSet::default();
        while let Some(at) = open.pop() {
            if brought.insert(at) {
                open.extend(targets.get(&at).into_iter().flatten());
            }
        }
        brought
    }

    /// Under which conditions the path that an import names leads to each of its targets, if some are
    /// only there under some. `names`: those that have a condition somewhere.
    fn behind(
        &self,
        looked_up: &mut LookedUp<'_, 'a>,
        leaf: &Leaf<'a>,
        names: &HashSet<&str>,
        conditions: &mut Conditions,
    ) -> Option<Meanings<Def>> {
        let path = leaf.leaf.path.as_slice();
        if !path.iter().any(|name| names.contains(name.as_str())) {
            return None;
        }
        let site = Site { instance: leaf.instance, scope: leaf.scope };
        let ways = self.ways(looked_up, (site, path), conditions, MAX_HOPS);
        ways.values().any(|under| *under != ALWAYS).then_some(ways)
    }

    /// The definitions that a path means, each with the condition under which imports bring it there.
    pub(super) fn targets(
        &self,
        (assembly, scopes): (&CrateMaps, &Scopes<'a>),
        (site, path): (Site, &'a [String]),
        conditions: &mut Conditions,
    ) -> Meanings<Def> {
        self.ways(&mut LookedUp::new(assembly, scopes), (site, path), conditions, MAX_HOPS)
    }

    /// The targets of a path with the condition under which it leads there.
    fn ways(
        &self,
        looked_up: &mut LookedUp<'_, 'a>,
        (site, path): (Site, &'a [String]),
        conditions: &mut Conditions,
        depth: usize,
    ) -> Meanings<Def> {
        let mut found = Meanings::default();
        let Some((last, before)) = path.split_last() else { return found };
        let (assembly, scopes) = (looked_up.assembly, looked_up.scopes);
        if before.is_empty() {
            for &node in &*looked_up.first(site, path) {
                let module = assembly.node(site.scope).map_or(site.scope, |scope| scope.module);
                let mut under = ALWAYS;
                for scope in [site.scope, module] {
                    if under == ALWAYS && self.scopes.contains(&scope) {
                        under = self.condition(scopes, conditions, (scope, last), node);
                    }
                }
                either(&mut found, node, under, conditions);
            }
            return found;
        }
        let around: Vec<(Def, ConditionId)> = match depth {
            0 => looked_up.path(site, before, TYPES).iter().map(|node| (*node, ALWAYS)).collect(),
            _ => {
                let ways = self.ways(looked_up, (site, before), conditions, depth - 1);
                let mut ways: Vec<_> = ways.into_iter().collect();
                ways.sort_unstable();
                ways
            }
        };
        for (scope, there) in around {
            for &node in &*looked_up.name(scope, last, site.scope) {
                let own = if self.scopes.contains(&scope) {
                    self.condition(scopes, conditions, (scope, last), node)
                } else {
                    ALWAYS
                };
                let under = conditions.and(there, own);
                either(&mut found, node, under, conditions);
            }
        }
        found
    }
}

/// A name of a `use`, with the condition that the scope around it does not have.
struct Import<'l, 'a> {
    leaf: &'l Leaf<'a>,
    own: ConditionId,
}

/// Where a path is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    pub instance: InstanceId,
    pub scope: Def,
}

/// What names mean, each looked up once: most imports begin like others.
struct LookedUp<'s, 'a> {
    assembly: &'s CrateMaps,
    scopes: &'s Scopes<'a>,
    /// First names of paths, by instance and scope.
    first: HashMap<(InstanceId, Def, &'a str), Rc<[Def]>>,
    /// Names in a scope as seen from another.
    names: HashMap<(Def, &'a str, Def), Rc<[Def]>>,
}

impl<'s, 'a> LookedUp<'s, 'a> {
    fn new(assembly: &'s CrateMaps, scopes: &'s Scopes<'a>) -> Self {
        LookedUp { assembly, scopes, first: HashMap::default(), names: HashMap::default() }
    }

    fn path(&self, site: Site, path: &[String], spaces: u8) -> Rc<[Def]> {
        let Site { instance, scope } = site;
        nodes_of(&self.scopes.lookup_path(self.assembly, instance, scope, path, spaces))
    }

    /// A path of one name.
    fn first(&mut self, site: Site, path: &'a [String]) -> Rc<[Def]> {
        let key = (site.instance, site.scope, path.first().map_or("", String::as_str));
        if let Some(known) = self.first.get(&key) {
            return Rc::clone(known);
        }
        let found = self.path(site, path, ANY);
        self.first.insert(key, Rc::clone(&found));
        found
    }

    fn name(&mut self, scope: Def, name: &'a str, from: Def) -> Rc<[Def]> {
        let (assembly, scopes) = (self.assembly, self.scopes);
        let find = || nodes_of(&scopes.lookup(assembly, scope, name, ANY, from));
        Rc::clone(self.names.entry((scope, name, from)).or_insert_with(find))
    }
}

fn nodes_of(target: &PathTarget) -> Rc<[Def]> {
    match target {
        PathTarget::Nodes(nodes) => nodes.iter().map(|(node, _)| *node).collect(),
        _ => Rc::default(),
    }
}

fn either<T: std::hash::Hash + Eq>(
    meanings: &mut Meanings<T>,
    meaning: T,
    under: ConditionId,
    conditions: &mut Conditions,
) {
    let known = meanings.get(&meaning).copied();
    meanings.insert(meaning, known.map_or(under, |known| conditions.or(known, under)));
}

/// The ways by which a name comes to mean a definition.
struct Search<'s, 'a, 'n> {
    all: &'s Conditional<'a>,
    scopes: &'s Scopes<'a>,
    conditions: &'s mut Conditions,
    name: &'n str,
    node: Def,
    /// Globs that may still be followed.
    left: usize,
}

impl Search<'_, '_, '_> {
    /// The condition under which one of the ways is there; none if there is no way.
    fn through(&mut self, scope: Def, around: &mut Vec<Def>) -> Option<ConditionId> {
        let mut found = self.bound(scope);
        if found == Some(ALWAYS) {
            return found;
        }
        around.push(scope);
        for target in self.scopes.globs_that_may_have(scope, self.name) {
            if around.contains(&target) {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                break;
            }
            let own = self.all.globs.get(&(scope, target)).copied().unwrap_or(ALWAYS);
            if let Some(there) = self.through(target, around) {
                let way = self.conditions.and(own, there);
                found = Some(found.map_or(way, |found| self.conditions.or(found, way)));
            }
        }
        around.pop();
        found
    }

    /// The condition under which a definition or a named import of the scope itself means it.
    fn bound(&self, scope: Def) -> Option<ConditionId> {
        let bindings = self.scopes.bound.get(&(scope, self.name))?;
        let means = |target: &PathTarget| match target {
            PathTarget::Nodes(nodes) => nodes.iter().any(|(node, _)| *node == self.node),
            _ => false,
        };
        if !bindings.list.iter().any(|one| means(&one.target)) {
            return None;
        }
        let meanings = self.all.nodes.get(&(scope, self.name));
        Some(meanings.and_then(|of| of.get(&self.node)).copied().unwrap_or(ALWAYS))
    }
}
