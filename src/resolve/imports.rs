//! Imports, resolved to a fixpoint: what each `use` brings in depends on other `use`s.

use asof_model::{HashMap, HashSet, NodeKind};

use super::bindings::{Binding, Bindings, Found, PathTarget, homonyms};
use super::correspondence::Correspondence;
use super::crate_maps::{CrateMaps, Input};
use super::file_scopes::FileGlob;
use super::ids::Def;
use super::import_leaves::{Leaf, leaves};
use super::known_imports;
use super::namespaces::{ANY, TYPES};
use super::refs::hash_name;
use super::scope::Scopes;

/// Rounds after which the rest stays unresolved. Each round follows every chain of re-exports by at
/// least one step.
const MAX_ROUNDS: usize = 64;

/// Attempts to follow only some imports: globs may be found to bring names that were not known to differ.
const MAX_ATTEMPTS: usize = 3;

/// Scopes with all imports in them, and those that were followed.
pub(super) fn resolve<'a>(input: Input<'a>, assembly: &CrateMaps) -> (Scopes<'a>, Vec<Leaf<'a>>) {
    let mut scopes = Scopes::from_definitions(input, assembly, None);
    let mut leaves = open_leaves(input, assembly, &scopes);
    follow_unknown(assembly, &mut scopes, &mut leaves);
    close(&mut scopes, &leaves);
    (scopes, leaves)
}

/// [`resolve`], where only imports are followed whose paths have a name that may mean something else
/// than in an earlier state; none if all are to be followed. The imports of files that the earlier state
/// shares are not in the result.
pub(super) fn resolve_after<'a: 'n, 'n>(
    input: Input<'a>,
    assembly: &CrateMaps,
    earlier: &mut Correspondence<'n>,
) -> Option<(Scopes<'a>, Vec<Leaf<'a>>)> {
    for _ in 0..MAX_ATTEMPTS {
        let mut scopes = Scopes::from_definitions(input, assembly, Some(earlier.before));
        let mut leaves = open_leaves(input, assembly, &scopes);
        let globs = known_imports::take_over(assembly, &mut scopes, &mut leaves, earlier)?;
        follow_unknown(assembly, &mut scopes, &mut leaves);
        if scopes.is_cut {
            return None;
        }
        if !known_imports::bring_other_names(&scopes, &leaves, &globs, earlier) {
            close(&mut scopes, &leaves);
            scopes.share(earlier.before.scopes);
            return Some((scopes, leaves));
        }
    }
    None
}

/// The imports of all files that are not those of an earlier state.
fn open_leaves<'a>(input: Input<'a>, assembly: &CrateMaps, scopes: &Scopes<'a>) -> Vec<Leaf<'a>> {
    let open = input.instances.indices().filter(|number| !scopes.is_closed(*number));
    open.flat_map(|instance| leaves(input, assembly, scopes, instance)).collect()
}

/// Follows the imports that are not known, and enters what all of them bind into the scopes.
fn follow_unknown<'a>(assembly: &CrateMaps, scopes: &mut Scopes<'a>, leaves: &mut [Leaf<'a>]) {
    let names = BoundNames::new(scopes, leaves);
    for leaf in &*leaves {
        if leaf.binds() {
            scopes.declare(leaf.scope, &leaf.leaf.name);
        }
        if leaf.is_known {
            bind(assembly, scopes, leaf, &leaf.target);
        }
    }
    if leaves.iter().all(|leaf| leaf.is_known) {
        scopes.settle();
        return;
    }
    // In the first round, every import is followed.
    let all = Rounds { globs: true, ..Rounds::default() };
    let mut is_whole = follow_all(assembly, scopes, leaves, all);
    scopes.settle();
    let beside = Rounds { names: scopes.names_beside_globs(), globs: false };
    is_whole &= follow_all(assembly, scopes, leaves, beside);
    is_whole &= agree(assembly, scopes, leaves, &names);
    scopes.is_cut = !is_whole;
}

/// Enters into the scopes of each file what its imports lead to.
fn close(scopes: &mut Scopes<'_>, leaves: &[Leaf<'_>]) {
    for of_file in leaves.chunk_by(|one, next| one.instance == next.instance) {
        let number = of_file.first().map(|leaf| leaf.instance);
        let Some(file) = number.and_then(|number| scopes.file_mut(number)) else { continue };
        let paths = of_file.iter().flat_map(|leaf| &leaf.leaf.path);
        file.mentions = paths.collect();
        for leaf in of_file {
            file.targets.push(leaf.target.clone());
            let (scope, within) = (leaf.scope, leaf.within);
            match &leaf.target {
                PathTarget::Nothing => {}
                PathTarget::Nodes(found) if leaf.leaf.glob => {
                    let targets = found.iter().map(|(target, _)| *target);
                    let targets = targets.filter(|target| *target != scope);
                    file.globs.extend(targets.map(|target| FileGlob { scope, target, within }));
                }
                PathTarget::External(path) if leaf.leaf.glob => {
                    let globs = file.outside_globs.entry(scope).or_default();
                    globs.push((path.clone(), within.is_none()));
                }
                found if leaf.leaf.name == "_" && !leaf.leaf.glob => {
                    file.unnamed.entry(scope).or_default().push(found.clone());
                }
                _ => {}
            }
        }
    }
    for number in scopes.input.instances.indices() {
        if !scopes.is_closed(number)
            && let Some(file) = scopes.file_mut(number)
        {
            file.homonyms = homonyms(file.bound.iter().map(|(_, _, bound)| &bound.bindings));
        }
    }
}

/// The names that imports bind which are not known: for each, how many definitions have it, and the
/// imports in their order.
struct BoundNames<'a>(HashMap<(Def, &'a str), (usize, Vec<usize>)>);

impl<'a> BoundNames<'a> {
    fn new(scopes: &Scopes<'a>, leaves: &[Leaf<'a>]) -> Self {
        let mut names: HashMap<(Def, &'a str), (usize, Vec<usize>)> = HashMap::default();
        for (at, leaf) in leaves.iter().enumerate() {
            if leaf.binds() && !leaf.is_known {
                let key = (leaf.scope, leaf.leaf.name.as_str());
                let bound = || scopes.bound(key.0, key.1);
                let definitions = || bound().map_or(0, |bound| bound.bindings.list.len());
                names.entry(key).or_insert_with(|| (definitions(), Vec::new())).1.push(at);
            }
        }
        BoundNames(names)
    }
}

/// Follows imports until nothing new is found; false if all rounds are not enough. `before`: what is new
/// to begin with.
fn follow_all<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    leaves: &[Leaf<'a>],
    mut before: Rounds,
) -> bool {
    for _ in 0..MAX_ROUNDS {
        let mut news = Rounds::default();
        for leaf in leaves.iter().filter(|leaf| !leaf.is_known && before.concern(leaf)) {
            if leaf.leaf.glob {
                let found = target(assembly, scopes, leaf);
                news.globs |= bind(assembly, scopes, leaf, &found);
            } else if leaf.binds() {
                let found = target(assembly, scopes, leaf);
                if bind(assembly, scopes, leaf, &found) {
                    news.names.insert(hash_name(&leaf.leaf.name));
                }
            }
        }
        if !news.globs && news.names.is_empty() {
            return true;
        }
        before = news;
    }
    false
}

/// Binds what an import leads to in its scope; true if that is new.
fn bind<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    leaf: &Leaf<'a>,
    found: &PathTarget,
) -> bool {
    match found {
        PathTarget::Nodes(found) if leaf.leaf.glob => {
            let mut news = false;
            for (node, _) in found.iter().filter(|(node, _)| *node != leaf.scope) {
                news |= scopes.push_glob(assembly, leaf.scope, *node, leaf.within);
            }
            news
        }
        PathTarget::Nothing => false,
        found if leaf.binds() => {
            scopes.bind_import(leaf.scope, &leaf.leaf.name, found.clone(), leaf.within)
        }
        _ => false,
    }
}

/// Finds the targets of all imports that are not known, and leaves nothing bound but these, in the order
/// of the imports: what an import seemed to lead to before others were followed is none of its
/// meanings, and which was followed first does not matter. False if targets do not cease to change.
fn agree<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    leaves: &mut [Leaf<'a>],
    names: &BoundNames<'a>,
) -> bool {
    let is_open_glob = |leaf: &Leaf<'_>| !leaf.is_known && leaf.leaf.glob;
    for leaf in leaves.iter_mut().filter(|leaf| is_open_glob(leaf)) {
        leaf.target = target(assembly, scopes, leaf);
    }
    if leaves.iter().any(is_open_glob) {
        bind_globs(assembly, scopes, leaves);
    }
    let mut open = Rounds { globs: true, ..Rounds::default() };
    for _ in 0..MAX_ROUNDS {
        let mut next = Rounds::default();
        for leaf in leaves.iter_mut().filter(|leaf| !leaf.is_known && open.concern(leaf)) {
            let found = target(assembly, scopes, leaf);
            next.globs |= leaf.leaf.glob && leaf.target != found;
            leaf.target = found;
        }
        if next.globs {
            bind_globs(assembly, scopes, leaves);
        }
        for (key, (definitions, imports)) in &names.0 {
            let imports = imports.iter().filter_map(|at| leaves.get(*at));
            let targets = imports.map(|leaf| (&leaf.target, leaf.within));
            if scopes.set_imports(*key, *definitions, targets) {
                next.names.insert(hash_name(key.1));
            }
        }
        if !next.globs && next.names.is_empty() {
            return true;
        }
        open = next;
    }
    false
}

/// Brings the names of other scopes into those with globs, in the order of the imports.
fn bind_globs<'a>(assembly: &CrateMaps, scopes: &mut Scopes<'a>, leaves: &[Leaf<'a>]) {
    scopes.restore_globs(assembly);
    for leaf in leaves.iter().filter(|leaf| leaf.leaf.glob) {
        bind(assembly, scopes, leaf, &leaf.target);
    }
}

impl Scopes<'_> {
    /// Makes these the targets of the imports that bind a name, after its definitions, of which there are
    /// so many; true if others were bound. Each target with the module within which it is visible.
    fn set_imports<'t>(
        &mut self,
        (scope, name): (Def, &str),
        definitions: usize,
        targets: impl Iterator<Item = (&'t PathTarget, Option<Def>)> + Clone,
    ) -> bool {
        let bound = self.bound(scope, name);
        let present = bound.map_or(&[][..], |bound| bound.bindings.list.as_slice());
        let found = targets.filter(|(target, _)| **target != PathTarget::Nothing);
        let mut own = present.iter().skip(definitions);
        let are_bound = found.clone().all(|(target, within)| {
            own.next()
                .is_some_and(|own| own.import && own.within == within && own.target == *target)
        });
        if are_bound && own.next().is_none() {
            return false;
        }
        let mut bindings = Bindings::default();
        for binding in present.iter().take(definitions) {
            bindings.add(binding.clone());
        }
        for (target, within) in found {
            bindings.add(Binding { target: target.clone(), within, import: true });
        }
        if bindings.list.as_slice() == present {
            return false;
        }
        self.rebind(scope, name, bindings);
        true
    }
}

/// What a round found: the target of an import can only change if a name of its path gets a new
/// meaning, or some glob does.
#[derive(Default)]
struct Rounds {
    /// By their hashes.
    names: HashSet<u32>,
    globs: bool,
}

impl Rounds {
    fn concern(&self, leaf: &Leaf<'_>) -> bool {
        let mut path = leaf.leaf.path.iter();
        self.globs || path.any(|segment| self.names.contains(&hash_name(segment)))
    }
}

/// Target of an import as far as is known.
fn target(assembly: &CrateMaps, scopes: &Scopes<'_>, leaf: &Leaf<'_>) -> PathTarget {
    let spaces = if leaf.leaf.glob { TYPES } else { ANY };
    let path = &leaf.leaf.path;
    let (instance, scope) = (leaf.instance, leaf.scope);
    let first = path.first().map_or("", String::as_str);
    // Before edition 2018, imports begin at the crate root.
    let is_of_root =
        || scopes.is_2015(instance) && !matches!(first, "" | "self" | "super" | "crate" | "$crate");
    // Beside a crate of this name, what an import brings from elsewhere is none that a path goes
    // through: two meanings would be an error. `use log::macros::log` imports a macro.
    let is_of_crate = || {
        path.len() > 1
            && scopes.has_crate_named(instance, first)
            && matches!(
                scopes.lookup_lexical(assembly, instance, scope, first, TYPES),
                PathTarget::External(found) if found.len() > 1
            )
    };
    let found = if !path.is_empty() && (is_of_root() || is_of_crate()) {
        scopes.lookup_global_path(assembly, instance, scope, path, spaces)
    } else {
        scopes.lookup_path(assembly, instance, scope, path, spaces)
    };
    // `use a::{self}` and `use a as b` of a one-segment path must not find themselves.
    match found {
        PathTarget::Nodes(found) if leaf.leaf.glob => {
            let open: Found = found
                .into_iter()
                .filter(|(node, _)| {
                    assembly.nodes.get(*node).is_some_and(|n| {
                        matches!(n.kind, NodeKind::Module | NodeKind::Enum | NodeKind::Trait)
                    })
                })
                .collect();
            if open.is_empty() { PathTarget::Nothing } else { PathTarget::Nodes(open) }
        }
        found => found,
    }
}
