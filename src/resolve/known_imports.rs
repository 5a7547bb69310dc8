//! Imports whose targets an earlier state knows ([`Correspondence`]): those that were there, and whose
//! paths have no name that may mean something else.

use std::collections::VecDeque;

use super::bindings::PathTarget;
use super::correspondence::{Correspondence, Counterpart};
use super::crate_maps::CrateMaps;
use super::ids::{Def, InstanceId};
use super::import_leaves::{Leaf, leaves};
use super::scope::Scopes;
use asof_model::{HashMap, HashSet, UseLeaf};

/// Imports of imports, each of which is written before the last one, after which all are followed.
const MAX_ROUNDS: usize = 64;

/// A glob that is followed, by its index among the imports.
pub(super) struct FollowedGlob {
    at: usize,
    /// What it led to in the earlier state, in present numbers.
    then: Option<PathTarget>,
}

/// Gives imports the targets that an earlier state knows, and adds the names of all others to those that
/// may mean something else. Returns the globs that are followed and bring names to a scope that was
/// there; none if all imports are to be followed.
pub(super) fn take_over<'a: 'n, 'n>(
    assembly: &CrateMaps,
    scopes: &Scopes<'a>,
    imports: &mut [Leaf<'a>],
    earlier: &mut Correspondence<'n>,
) -> Option<Vec<FollowedGlob>> {
    let before = earlier.before;
    let mut gone: Vec<Leaf<'n>> = Vec::new();
    for number in &earlier.gone {
        gone.extend(leaves_then(earlier, *number));
    }
    let other_crates = crate_names(scopes, imports, earlier)?;
    earlier.names.extend(other_crates);
    for file in imports.chunk_by_mut(|one, next| one.instance == next.instance) {
        let instance = file.first()?.instance;
        match earlier.counterpart(instance) {
            Counterpart::None => {}
            Counterpart::Same(then) => {
                let targets = before.scopes.import_targets.get(then)?;
                for (leaf, target) in file.iter_mut().zip(targets) {
                    leaf.set_known(earlier.target(target));
                }
            }
            Counterpart::Differing(then) => {
                gone.extend(take_over_differing(assembly, scopes, file, then, earlier));
            }
        }
    }
    // Files of which all imports are gone.
    for (instance, counterpart) in earlier.counterparts() {
        if let Counterpart::Differing(then) = counterpart
            && !imports.iter().any(|leaf| leaf.instance == instance)
        {
            gone.extend(leaves_then(earlier, then));
        }
    }
    add_gone(&gone, earlier);
    let mut globs = Vec::new();
    let mut bound: HashSet<(Def, &str)> = HashSet::default();
    for (at, leaf) in imports.iter().enumerate().filter(|(_, leaf)| !leaf.is_known) {
        if is_in_block(assembly, scopes, leaf.scope) {
            continue;
        }
        if leaf.leaf.glob && earlier.then(leaf.scope).is_some() {
            globs.push(FollowedGlob { at, then: None });
        }
        if leaf.binds() {
            earlier.names.insert(&leaf.leaf.name);
            bound.insert((leaf.scope, &leaf.leaf.name));
        }
    }
    // What is bound by an import that may lead elsewhere may mean something else, too.
    for _ in 0..MAX_ROUNDS {
        let mut is_open = false;
        for (at, leaf) in imports.iter_mut().enumerate().filter(|(_, leaf)| leaf.is_known) {
            let mut path = leaf.leaf.path.iter();
            let differs = path.any(|name| earlier.names.contains(name.as_str()))
                || leaf.binds() && bound.contains(&(leaf.scope, leaf.leaf.name.as_str()));
            if !differs {
                continue;
            }
            leaf.is_known = false;
            let target = std::mem::replace(&mut leaf.target, PathTarget::Nothing);
            if leaf.leaf.glob {
                globs.push(FollowedGlob { at, then: Some(target) });
            } else if leaf.binds() {
                earlier.names.insert(&leaf.leaf.name);
                bound.insert((leaf.scope, &leaf.leaf.name));
                is_open = true;
            }
        }
        if !is_open {
            return Some(globs);
        }
    }
    None
}

/// Adds the names that imports which are gone brought to others than a block.
fn add_gone<'n>(gone: &[Leaf<'n>], earlier: &mut Correspondence<'n>) {
    let before = earlier.before;
    let opened: HashSet<Def> = before.scopes.all_globs().map(|(_, target, _)| target).collect();
    let mut brought = Vec::new();
    for leaf in gone {
        if is_in_block(before.assembly, before.scopes, leaf.scope) {
            continue;
        }
        if !leaf.leaf.glob {
            earlier.names.insert(&leaf.leaf.name);
        } else if earlier.now(leaf.scope).is_some() || opened.contains(&leaf.scope) {
            // What was in a module that is gone was seen through globs of it alone.
            brought.extend(nodes(&leaf.target));
        }
    }
    earlier.names.extend(names_behind(before.scopes, brought));
}

/// [`take_over`] of a file of which items differ; returns imports that are gone.
fn take_over_differing<'a: 'n, 'n>(
    assembly: &CrateMaps,
    scopes: &Scopes<'_>,
    file: &mut [Leaf<'a>],
    then: InstanceId,
    earlier: &Correspondence<'n>,
) -> Vec<Leaf<'n>> {
    let before = earlier.before;
    let mut gone: Vec<Leaf<'n>> = Vec::new();
    type Key<'n> = (Def, Option<Def>, &'n UseLeaf);
    let mut known: HashMap<Key<'n>, VecDeque<(usize, Leaf<'n>)>> = HashMap::default();
    for (at, leaf) in leaves_then(earlier, then).into_iter().enumerate() {
        // Blocks have no counterparts where items differ.
        let scope = earlier.now(leaf.scope);
        let scope = scope.filter(|_| !is_in_block(before.assembly, before.scopes, leaf.scope));
        let within = leaf.within.map(|within| earlier.now(within));
        match (scope, within) {
            (Some(scope), None) => {
                known.entry((scope, None, leaf.leaf)).or_default().push_back((at, leaf));
            }
            (Some(scope), Some(Some(within))) => {
                known.entry((scope, Some(within), leaf.leaf)).or_default().push_back((at, leaf));
            }
            _ => gone.push(leaf),
        }
    }
    // Where the last import of each name was, or the last glob: the order of several is that of what they
    // bring.
    let mut last: HashMap<(Def, &str), usize> = HashMap::default();
    for leaf in file {
        if is_in_block(assembly, scopes, leaf.scope) {
            continue;
        }
        let written: &'n UseLeaf = leaf.leaf;
        let same = known.get_mut(&(leaf.scope, leaf.within, written)).and_then(VecDeque::pop_front);
        if let Some((at, same)) = same {
            let before = last.insert((leaf.scope, &written.name), at);
            if before.is_none_or(|before| before < at) {
                leaf.set_known(earlier.target(&same.target));
            }
            if !leaf.is_known {
                gone.push(same);
            }
        }
    }
    gone.extend(known.into_values().flatten().map(|(_, leaf)| leaf));
    gone
}

/// The imports of an instance of the earlier state, with what they led to.
fn leaves_then<'n>(earlier: &Correspondence<'n>, then: InstanceId) -> Vec<Leaf<'n>> {
    let before = earlier.before;
    let mut imports = leaves(before.input, before.assembly, before.scopes, then);
    let targets = before.scopes.import_targets.get(then).into_iter().flatten();
    for (leaf, target) in imports.iter_mut().zip(targets) {
        leaf.target = target.clone();
    }
    imports
}

/// Whether globs that were followed bring names to where they were not, or bring them no more, that were
/// not known to differ. They are known then.
pub(super) fn bring_other_names<'a: 'n, 'n>(
    scopes: &Scopes<'a>,
    imports: &[Leaf<'a>],
    globs: &[FollowedGlob],
    earlier: &mut Correspondence<'n>,
) -> bool {
    let (mut present, mut former) = (Vec::new(), Vec::new());
    for FollowedGlob { at, then } in globs {
        let Some(leaf) = imports.get(*at).filter(|leaf| Some(&leaf.target) != then.as_ref()) else {
            continue;
        };
        present.extend(nodes(&leaf.target));
        let then = then.iter().flat_map(nodes);
        former.extend(then.filter_map(|now| earlier.then(now)));
    }
    let known = earlier.names.len();
    earlier.names.extend(names_behind(scopes, present));
    earlier.names.extend(names_behind(earlier.before.scopes, former));
    earlier.names.len() > known
}

fn nodes(target: &PathTarget) -> Vec<Def> {
    match target {
        PathTarget::Nodes(nodes) => nodes.iter().map(|(node, _)| *node).collect(),
        PathTarget::External(_) | PathTarget::Nothing => Vec::new(),
    }
}

/// All names that globs of these scopes bring.
fn names_behind<'a>(scopes: &Scopes<'a>, mut open: Vec<Def>) -> HashSet<&'a str> {
    if open.is_empty() {
        return HashSet::default();
    }
    let mut targets: HashMap<Def, Vec<Def>> = HashMap::default();
    for (scope, target, _) in scopes.all_globs() {
        targets.entry(scope).or_default().push(target);
    }
    let mut behind: HashSet<Def> = HashSet::default();
    while let Some(at) = open.pop() {
        if behind.insert(at) {
            open.extend(targets.get(&at).into_iter().flatten());
        }
    }
    scopes.names().filter(|(scope, _)| behind.contains(scope)).map(|(_, name)| name).collect()
}

/// Names in paths by which code of some crate can name another crate than it could; none if the edition
/// of a crate differs.
fn crate_names<'a>(
    scopes: &Scopes<'a>,
    imports: &[Leaf<'a>],
    earlier: &Correspondence<'_>,
) -> Option<Vec<&'a str>> {
    let before = earlier.before.scopes;
    let mut others: HashSet<&str> = HashSet::default();
    for (now, then) in earlier.roots(scopes.input) {
        if scopes.is_2015(now) != before.is_2015(then) {
            return None;
        }
        let (present, former) = (scopes.crates_named_in(now)?, before.crates_named_in(then)?);
        for (name, target) in present {
            let same = former.get(name).and_then(|then| earlier.target(then));
            if same.as_ref() != Some(target) {
                others.insert(name);
            }
        }
        others
            .extend(former.keys().filter(|name| !present.contains_key(*name)).map(String::as_str));
    }
    if others.is_empty() {
        return Some(Vec::new());
    }
    let names = imports.iter().flat_map(|leaf| &leaf.leaf.path);
    Some(names.map(String::as_str).filter(|name| others.contains(name)).collect())
}

/// Whether a scope is a block, or in one.
fn is_in_block(assembly: &CrateMaps, scopes: &Scopes<'_>, scope: Def) -> bool {
    let mut at = Some(scope);
    while let Some(scope) = at {
        if scope.index() >= assembly.nodes.len() {
            return true;
        }
        at = scopes.outer.get(&scope).copied();
    }
    false
}

impl Leaf<'_> {
    fn set_known(&mut self, target: Option<PathTarget>) {
        if let Some(target) = target {
            self.target = target;
            self.is_known = true;
        }
    }
}
