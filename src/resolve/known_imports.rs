//! Imports whose targets an earlier state knows ([`Correspondence`]): those that were there, and whose
//! paths have no name that may mean something else.

use std::collections::VecDeque;

use super::bindings::PathTarget;
use super::correspondence::{Correspondence, Counterpart};
use super::crate_maps::CrateMaps;
use super::earlier_state::EarlierState;
use super::ids::{Def, InstanceId};
use super::import_leaves::{Leaf, followed_leaves, leaves};
use super::refs::hash_name;
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
    scopes: &mut Scopes<'a>,
    imports: &mut Vec<Leaf<'a>>,
    earlier: &mut Correspondence<'n>,
) -> Option<Vec<FollowedGlob>> {
    let mut gone: Vec<Leaf<'n>> = Vec::new();
    for number in &earlier.gone {
        gone.extend(leaves_then(earlier, *number));
    }
    let other_crates = crate_names(scopes, earlier)?;
    earlier.names.extend(other_crates);
    let other_macros = exported_names(scopes, earlier);
    earlier.names.extend(other_macros);
    for file in imports.chunk_by_mut(|one, next| one.instance == next.instance) {
        let instance = file.first()?.instance;
        match earlier.counterpart(instance) {
            Counterpart::None => {}
            Counterpart::Same(then) => {
                take_over_same(file, then, earlier)?;
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
    let count = imports.len();
    open_moved(assembly, scopes, imports, earlier)?;
    let mut globs = Vec::new();
    let mut bound: HashSet<(Def, &str)> = HashSet::default();
    for (at, leaf) in imports.iter().enumerate().filter(|(_, leaf)| !leaf.is_known) {
        if !may_be_asked(assembly, scopes, earlier, leaf) {
            continue;
        }
        if leaf.leaf.glob {
            globs.push(FollowedGlob { at, then: None });
        }
        if leaf.binds() {
            earlier.names.insert(hash_name(&leaf.leaf.name));
            bound.insert((leaf.scope, &leaf.leaf.name));
        }
    }
    // What is bound by an import that may lead elsewhere may mean something else, too.
    let mut asked: HashSet<u32> = HashSet::default();
    for _ in 0..MAX_ROUNDS {
        let mut is_open = false;
        let names: HashSet<u32> = earlier.names.difference(&asked).copied().collect();
        asked.extend(&names);
        open_mentioning(assembly, scopes, imports, &names, earlier)?;
        for (at, leaf) in imports.iter_mut().enumerate().filter(|(_, leaf)| leaf.is_known) {
            let mut path = leaf.leaf.path.iter();
            let differs = path.any(|name| earlier.names.contains(&hash_name(name)))
                || leaf.binds() && bound.contains(&(leaf.scope, leaf.leaf.name.as_str()));
            if !differs {
                continue;
            }
            leaf.is_known = false;
            let target = std::mem::replace(&mut leaf.target, PathTarget::Nothing);
            if leaf.leaf.glob {
                globs.push(FollowedGlob { at, then: Some(target) });
            } else if leaf.binds() {
                earlier.names.insert(hash_name(&leaf.leaf.name));
                bound.insert((leaf.scope, &leaf.leaf.name));
                is_open = true;
            }
        }
        if !is_open {
            if imports.len() > count {
                // Of files that were opened, they are not known any more.
                scopes.restore_globs(assembly);
            }
            return Some(globs);
        }
    }
    None
}

/// Gives the imports of a file of which all items are the same the targets that they had.
fn take_over_same(
    file: &mut [Leaf<'_>],
    then: InstanceId,
    earlier: &Correspondence<'_>,
) -> Option<()> {
    let targets = &earlier.before.scopes.file_of(then)?.targets;
    for (leaf, target) in file.iter_mut().zip(targets) {
        leaf.set_known(earlier.target(target));
    }
    Some(())
}

/// Makes the scopes of a file anew that the earlier state shares.
fn open<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    imports: &mut Vec<Leaf<'a>>,
    number: InstanceId,
    earlier: &Correspondence<'_>,
) -> Option<()> {
    scopes.open(assembly, number);
    let mut file = leaves(scopes.input, assembly, scopes, number);
    take_over_same(&mut file, number, earlier)?;
    imports.extend(file);
    Some(())
}

/// Opens the files whose imports lead to definitions that have other numbers.
fn open_moved<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    imports: &mut Vec<Leaf<'a>>,
    earlier: &Correspondence<'_>,
) -> Option<()> {
    for number in scopes.input.instances.indices() {
        let Some(file) = scopes.file_of(number).filter(|_| scopes.is_closed(number)) else {
            continue;
        };
        let is_in_place = |target: &PathTarget| target.nodes().all(|def| earlier.is_in_place(def));
        if !file.targets.iter().all(is_in_place) {
            open(assembly, scopes, imports, number, earlier)?;
        }
    }
    Some(())
}

/// Opens the files whose imports may have one of these names in their paths.
fn open_mentioning<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    imports: &mut Vec<Leaf<'a>>,
    names: &HashSet<u32>,
    earlier: &Correspondence<'_>,
) -> Option<()> {
    let mentioning: Vec<InstanceId> = scopes.closed_mentioning(names).collect();
    for number in mentioning {
        open(assembly, scopes, imports, number, earlier)?;
    }
    Some(())
}

/// Adds the names that imports which are gone brought to others than a block.
fn add_gone<'n>(gone: &[Leaf<'n>], earlier: &mut Correspondence<'n>) {
    let before = earlier.before;
    let mut brought = Vec::new();
    for leaf in gone {
        if is_in_block(before.assembly, before.scopes, leaf.scope) || !earlier.is_missed(leaf.scope)
        {
            continue;
        }
        if leaf.leaf.glob {
            brought.extend(leaf.target.nodes());
        } else {
            earlier.names.insert(hash_name(&leaf.leaf.name));
        }
    }
    earlier.names.extend(before.scopes.names_behind(brought));
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
    let EarlierState { input, assembly, scopes } = earlier.before;
    followed_leaves(input, assembly, scopes, then)
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
        present.extend(leaf.target.nodes());
        let then = then.iter().flat_map(PathTarget::nodes);
        former.extend(then.filter_map(|now| earlier.then(now)));
    }
    let known = earlier.names.len();
    earlier.names.extend(scopes.names_behind(present));
    earlier.names.extend(earlier.before.scopes.names_behind(former));
    earlier.names.len() > known
}

/// Names, by their hashes, by which code of some crate can name another crate than it could; none if the
/// edition of a crate differs.
fn crate_names(scopes: &Scopes<'_>, earlier: &Correspondence<'_>) -> Option<HashSet<u32>> {
    let before = earlier.before.scopes;
    let mut others: HashSet<u32> = HashSet::default();
    for (now, then) in earlier.roots(scopes.input) {
        if scopes.is_2015(now) != before.is_2015(then) {
            return None;
        }
        let (present, former) = (scopes.crates_named_in(now)?, before.crates_named_in(then)?);
        for (name, target) in present {
            let same = former.get(name).and_then(|then| earlier.target(then));
            if same.as_ref() != Some(target) {
                others.insert(hash_name(name));
            }
        }
        let gone = former.keys().filter(|name| !present.contains_key(*name));
        others.extend(gone.map(|name| hash_name(name)));
    }
    Some(others)
}

/// Names, by their hashes, of macros that crates export and did not, or in another order.
fn exported_names(scopes: &Scopes<'_>, earlier: &Correspondence<'_>) -> HashSet<u32> {
    let before = earlier.before.scopes;
    let is_same = |root: Def, name: &str, macros: &[Def]| {
        let then = earlier.then(root).and_then(|root| before.exported.get(root, name));
        let then = then.into_iter().flatten().map(|def| earlier.now(*def));
        then.eq(macros.iter().map(|def| Some(*def)))
    };
    let present = scopes.exported.iter().filter(|(root, name, all)| !is_same(*root, name, all));
    let is_gone = |then: Def, name: &str| {
        earlier.now(then).is_none_or(|root| scopes.exported.get(root, name).is_none())
    };
    let gone = before.exported.iter().filter(|(root, name, _)| is_gone(*root, name));
    present.chain(gone).map(|(_, name, _)| hash_name(name)).collect()
}

/// Whether others may have asked for what an import binds: not in a new scope, nor in a block, which alone
/// sees it.
pub(super) fn may_be_asked(
    assembly: &CrateMaps,
    scopes: &Scopes<'_>,
    earlier: &Correspondence<'_>,
    leaf: &Leaf<'_>,
) -> bool {
    earlier.was_there(leaf.scope) && !is_in_block(assembly, scopes, leaf.scope)
}

/// Whether a scope is a block, or in one.
fn is_in_block(assembly: &CrateMaps, scopes: &Scopes<'_>, scope: Def) -> bool {
    let mut at = Some(scope);
    while let Some(scope) = at {
        if assembly.nodes.is_block(scope) {
            return true;
        }
        at = scopes.outer(assembly, scope);
    }
    false
}
