//! Computes the conditions under which imports bring names.

use std::rc::Rc;

use super::bindings::PathTarget;
use super::conditional::{Conditional, ConditionalName, Meanings};
use super::conditions::{ALWAYS, Conditions};
use super::correspondence::Correspondence;
use super::crate_maps::CrateMaps;
use super::ids::{ConditionId, Def, InstanceId};
use super::import_leaves::{Import, Imports, Leaf};
use super::known_conditions::KnownConditions;
use super::namespaces::{ANY, TYPES};
use super::refs::hash_name;
use super::scope::Scopes;
use asof_model::{HashMap, HashSet};

/// Segments of a path whose conditions are followed.
const MAX_HOPS: usize = 4;

/// Rounds, of which each follows imports of imports by one step.
const MAX_ROUNDS: usize = 16;

/// Globs that are followed for one name.
const MAX_GLOBS: usize = 512;

/// Enters into the scopes under which conditions their imports bring names. `leaves`: all imports, but of
/// files that an earlier state shares. `earlier`: that state. Returns the names, by their hashes, that may
/// mean something else than there, or may be there under another condition.
pub(super) fn conditions<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    leaves: &[Leaf<'a>],
    earlier: Option<&Correspondence<'_>>,
) -> HashSet<u32> {
    let mut conditions = std::mem::take(&mut scopes.conditions);
    let mut names = HashSet::default();
    scopes.conditional = match earlier {
        None => Conditional::new(assembly, scopes, leaves, None, &mut conditions).0,
        Some(earlier) => {
            let mut known = KnownConditions::new(earlier, assembly, scopes, leaves);
            names.clone_from(&known.names);
            let mut more = Vec::new();
            known.look_at(assembly, scopes, &names, &mut more);
            loop {
                let all = leaves.iter().chain(&more);
                let (found, differing) =
                    Conditional::new(assembly, scopes, all, Some(&known), &mut conditions);
                // What is elsewhere under another condition may be on the way of others.
                names.extend(&differing);
                if !known.look_at(assembly, scopes, &differing, &mut more) {
                    break found;
                }
            }
        }
    };
    scopes.conditions = conditions;
    names
}

impl Conditional {
    /// The condition, by its number, under which imports bring a definition by a name into a scope.
    pub(super) fn condition(
        &self,
        scopes: &Scopes<'_>,
        conditions: &mut Conditions,
        (scope, name): (Def, &str),
        node: Def,
    ) -> ConditionId {
        let mut search = Search { all: self, scopes, conditions, name, node, left: MAX_GLOBS };
        let found = search.through(scope, &mut Vec::new());
        // What is not found is not known to be under any.
        found.filter(|_| search.left > 0).unwrap_or(ALWAYS)
    }

    /// From these imports, after what they bring is known. The conditions of all others are known. Beside it,
    /// the names, by their hashes, that have other conditions than are known.
    fn new<'l, 'a: 'l>(
        assembly: &CrateMaps,
        scopes: &Scopes<'a>,
        leaves: impl IntoIterator<Item = &'l Leaf<'a>>,
        known: Option<&KnownConditions<'_, '_>>,
        conditions: &mut Conditions,
    ) -> (Self, HashSet<u32>) {
        let own = |leaf: &Leaf<'a>| {
            let of = |node: Def| assembly.node(node).map_or(ALWAYS, |node| node.condition);
            let (scope, own) = (of(leaf.scope), of(leaf.origin));
            if scope == own { ALWAYS } else { own }
        };
        let import = |leaf: &'l Leaf<'a>| Import { leaf, own: own(leaf) };
        let imports = leaves.into_iter().map(import);
        let (mut named, mut globs): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
        for import in imports {
            if import.leaf.leaf.glob {
                globs.push(import);
            } else if import.leaf.binds() {
                named.push(import);
            }
        }
        named.sort_by_key(Import::key);
        let concerned: Imports<'_, '_, 'a> =
            named.chunk_by(|one, next| one.key() == next.key()).collect();
        let mut looked_up = LookedUp::new(assembly, scopes);
        let (mut found, known_globs) = match known {
            Some(known) => known.found(assembly, &concerned, &scopes.globs),
            None => Default::default(),
        };
        let is_known = |imports: &[Import<'_, 'a>]| {
            known.as_ref().is_some_and(|known| known.knows_all(imports))
        };
        // Names of which it is another than one step before whether they have a condition, and which, by
        // their hashes.
        let mut differing: Option<HashSet<u32>> = known.as_ref().map(|known| known.names.clone());
        let mut all_differing = HashSet::default();
        for round in 0..MAX_ROUNDS {
            let mut names: HashSet<u32> =
                found.names.iter().map(|(_, name, _)| hash_name(name)).collect();
            let brought = found.brought_by_globs(&scopes.globs);
            names.extend(brought.iter().flat_map(|scope| scopes.names_in(*scope)).map(hash_name));
            let differs = |import: &Import<'_, 'a>| {
                let mut path = import.leaf.leaf.path.iter();
                path.any(|name| differing.as_ref().is_none_or(|all| all.contains(&hash_name(name))))
            };
            let mut changes = Vec::new();
            for imports in &concerned {
                let Some(key) = imports.first().map(Import::key) else { continue };
                let is_new = round == 0 && !is_known(imports);
                if !is_new && !imports.iter().any(differs) {
                    continue;
                }
                let next = found.meanings(&mut looked_up, imports, &names, conditions);
                if next.as_ref() != found.names.get(key.0, key.1) {
                    changes.push((key, next));
                }
            }
            let mut opened: HashMap<(Def, Def), ConditionId> = known_globs.clone();
            for Import { leaf, own } in &globs {
                let PathTarget::Nodes(targets) = &leaf.target else { continue };
                let behind = found.behind(&mut looked_up, leaf, &names, conditions);
                for (node, _) in targets {
                    let more = behind.as_ref().and_then(|of| of.get(node));
                    let under = conditions.and(*own, more.copied().unwrap_or(ALWAYS));
                    either(&mut opened, (leaf.scope, *node), under, conditions);
                }
            }
            opened.retain(|_, under| *under != ALWAYS);
            let is_other_glob = opened != found.globs;
            if changes.is_empty() && !is_other_glob {
                break;
            }
            found.globs = opened;
            let mut differ = found.change(changes);
            found.spread(&scopes.globs);
            if is_other_glob {
                let mut opened = found.brought_by_globs(&scopes.globs);
                opened.extend(brought);
                let names_in = opened.iter().flat_map(|scope| scopes.names_in(*scope));
                differ.extend(names_in.map(hash_name));
            }
            all_differing.extend(&differ);
            differing = Some(differ);
        }
        (found, all_differing)
    }

    /// What imports of one name mean, with conditions; none if they have no condition.
    fn meanings<'a>(
        &self,
        looked_up: &mut LookedUp<'_, 'a>,
        imports: &[Import<'_, 'a>],
        names: &HashSet<u32>,
        conditions: &mut Conditions,
    ) -> Option<ConditionalName> {
        let behind =
            |import: &Import<'_, 'a>| self.behind(looked_up, import.leaf, names, conditions);
        let behind: Vec<_> = imports.iter().map(behind).collect();
        if imports.iter().zip(&behind).all(|(one, behind)| one.own == ALWAYS && behind.is_none()) {
            return None;
        }
        let mut found = ConditionalName::default();
        for (Import { leaf, own }, behind) in imports.iter().zip(behind) {
            match &leaf.target {
                PathTarget::Nodes(targets) => {
                    for (node, _) in targets {
                        let more = behind.as_ref().and_then(|of| of.get(node));
                        let under = conditions.and(*own, more.copied().unwrap_or(ALWAYS));
                        either(&mut found.nodes, *node, under, conditions);
                    }
                }
                PathTarget::External(path) => {
                    either(&mut found.outside, path.clone(), *own, conditions);
                }
                PathTarget::Nothing => {}
            }
        }
        Some(found)
    }

    /// Enters other meanings; returns the names, by their hashes, that mean definitions of the workspace
    /// under other conditions than before.
    fn change(&mut self, changes: Vec<Change<'_>>) -> HashSet<u32> {
        let mut differ = HashSet::default();
        for ((scope, name), meanings) in changes {
            let nodes = |of: Option<&ConditionalName>| of.map(|of| of.nodes.clone());
            if nodes(self.names.get(scope, name)) != nodes(meanings.as_ref()) {
                differ.insert(hash_name(name));
            }
            match meanings {
                Some(meanings) => self.names.insert(scope, name, meanings),
                None => self.names.remove(scope, name),
            }
        }
        differ
    }

    /// Under which conditions the path that an import names leads to each of its targets, if some are
    /// only there under some. `names`: hashes of those that have a condition somewhere.
    fn behind<'a>(
        &self,
        looked_up: &mut LookedUp<'_, 'a>,
        leaf: &Leaf<'a>,
        names: &HashSet<u32>,
        conditions: &mut Conditions,
    ) -> Option<Meanings<Def>> {
        let path = leaf.leaf.path.as_slice();
        if !path.iter().any(|name| names.contains(&hash_name(name))) {
            return None;
        }
        let site = Site { instance: leaf.instance, scope: leaf.scope };
        let ways = self.ways(looked_up, (site, path), conditions, MAX_HOPS);
        ways.values().any(|under| *under != ALWAYS).then_some(ways)
    }

    /// The definitions that a path means, each with the condition under which imports bring it there.
    pub(super) fn targets<'a>(
        &self,
        (assembly, scopes): (&CrateMaps, &Scopes<'a>),
        (site, path): (Site, &'a [String]),
        conditions: &mut Conditions,
    ) -> Meanings<Def> {
        self.ways(&mut LookedUp::new(assembly, scopes), (site, path), conditions, MAX_HOPS)
    }

    /// The targets of a path with the condition under which it leads there.
    fn ways<'a>(
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

/// A name in a scope with its other meanings; none if imports bring it under no condition.
type Change<'a> = ((Def, &'a str), Option<ConditionalName>);

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
    all: &'s Conditional,
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
        let bindings = self.scopes.bound(scope, self.name);
        let bindings = bindings.map_or(&[][..], |bound| bound.bindings.list.as_slice());
        let means = |target: &PathTarget| match target {
            PathTarget::Nodes(nodes) => nodes.iter().any(|(node, _)| *node == self.node),
            _ => false,
        };
        let exports = || self.scopes.exports_in(scope).any(|target| means(&target));
        let is_exported = || self.scopes.exports(scope, self.name) && exports();
        if !bindings.iter().any(|one| means(&one.target)) && !is_exported() {
            return None;
        }
        let meanings = self.all.names.get(scope, self.name);
        Some(meanings.and_then(|of| of.nodes.get(&self.node)).copied().unwrap_or(ALWAYS))
    }
}
