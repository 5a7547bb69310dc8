//! Imports, resolved to a fixpoint: what each `use` brings in depends on other `use`s.

use asof_model::{HashSet, Header, NodeKind};

use super::bindings::PathTarget;
use super::crate_maps::{CrateMaps, Input};
use super::enclosing::scope_of;
use super::ids::{Def, InstanceId};
use super::namespaces::{ANY, TYPES};
use super::scope::Scopes;

/// Rounds after which the rest stays unresolved. Each round follows every chain of re-exports by at
/// least one step.
const MAX_ROUNDS: usize = 64;

/// One name of a `use`, with its position.
pub(super) struct Leaf<'a> {
    pub instance: InstanceId,
    /// The `use` declaration.
    pub origin: Def,
    /// The scope it is in.
    pub scope: Def,
    pub leaf: &'a asof_model::UseLeaf,
    /// Whether others than the module itself and its children can see it.
    pub exported: bool,
    pub within: Option<Def>,
    /// What it brings in, once all imports were followed.
    pub target: PathTarget,
}

/// Every `use` of the workspace.
pub(super) fn leaves<'a>(
    input: Input<'a>,
    assembly: &CrateMaps,
    scopes: &Scopes<'a>,
) -> Vec<Leaf<'a>> {
    let mut leaves = Vec::new();
    for instance in input.instances.indices() {
        let items = input.item_tree(instance);
        let Some(index) = assembly.index.get(instance) else { continue };
        for (at, item) in items.iter().enumerate() {
            let (NodeKind::Import, Header::Import { leaves: list }) = (item.kind, &item.header)
            else {
                continue;
            };
            let Some(&origin) = index.get(at) else { continue };
            let scope = scope_of(assembly, items, index, at);
            let within = scopes.within(assembly, instance, scope, item);
            for leaf in list {
                leaves.push(Leaf {
                    instance,
                    origin,
                    scope,
                    leaf,
                    exported: !item.visibility.is_empty() && item.visibility != "pub(self)",
                    within,
                    target: PathTarget::Nothing,
                });
            }
        }
    }
    leaves
}

/// Scopes with all imports in them, and these.
pub(super) fn resolve<'a>(input: Input<'a>, assembly: &CrateMaps) -> (Scopes<'a>, Vec<Leaf<'a>>) {
    let mut scopes = Scopes::of_definitions(input, assembly);
    let mut leaves = leaves(input, assembly, &scopes);
    for leaf in &leaves {
        if !leaf.leaf.glob && leaf.leaf.name != "_" {
            scopes.declare(leaf.scope, &leaf.leaf.name);
        }
    }
    // In the first round, every import is followed.
    follow_all(assembly, &mut scopes, &leaves, Rounds { globs: true, ..Rounds::default() });
    let names = scopes.settle();
    follow_all(assembly, &mut scopes, &leaves, Rounds { names, globs: false });
    for leaf in &mut leaves {
        leaf.target = target(assembly, &scopes, leaf);
        match &leaf.target {
            PathTarget::Nothing => {}
            PathTarget::External(path) if leaf.leaf.glob => {
                scopes.push_outside_glob(leaf.scope, path.clone(), leaf.within.is_none());
            }
            found if leaf.leaf.name == "_" && !leaf.leaf.glob => {
                scopes.push_unnamed(leaf.scope, found.clone());
            }
            _ => {}
        }
    }
    (scopes, leaves)
}

/// Follows imports until nothing new is found. `before`: what is new to begin with.
fn follow_all<'a>(
    assembly: &CrateMaps,
    scopes: &mut Scopes<'a>,
    leaves: &[Leaf<'a>],
    mut before: Rounds<'a>,
) {
    for _ in 0..MAX_ROUNDS {
        let mut news = Rounds::default();
        for leaf in leaves.iter().filter(|leaf| before.concern(leaf)) {
            if follow(assembly, scopes, leaf) {
                if leaf.leaf.glob {
                    news.globs = true
                } else {
                    news.names.insert(&leaf.leaf.name);
                }
            }
        }
        if !news.globs && news.names.is_empty() {
            break;
        }
        before = news;
    }
}

/// What a round found: the target of an import can only change if a name of its path gets a new
/// meaning, or some glob does.
#[derive(Default)]
struct Rounds<'a> {
    names: HashSet<&'a str>,
    globs: bool,
}

impl Rounds<'_> {
    fn concern(&self, leaf: &Leaf<'_>) -> bool {
        self.globs || leaf.leaf.path.iter().any(|segment| self.names.contains(segment.as_str()))
    }
}

/// Follows one import as far as is known now; returns whether anything new was found.
fn follow<'a>(assembly: &CrateMaps, scopes: &mut Scopes<'a>, leaf: &Leaf<'a>) -> bool {
    if leaf.leaf.glob {
        let target = target(assembly, scopes, leaf);
        let PathTarget::Nodes(found) = target else { return false };
        let mut news = false;
        for (node, _) in found {
            news |= node != leaf.scope && scopes.push_glob(assembly, leaf.scope, node, leaf.within);
        }
        return news;
    }
    if leaf.leaf.name == "_" {
        return false;
    }
    match target(assembly, scopes, leaf) {
        PathTarget::Nothing => false,
        found => scopes.push(leaf.scope, &leaf.leaf.name, found, leaf.within, true),
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
            let open: Vec<_> = found
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
