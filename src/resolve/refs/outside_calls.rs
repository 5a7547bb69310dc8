//! Calls among items of macros that other crates export: they are expanded once the crates are known,
//! and the names that they make are added to those of the scopes. As with macros of the workspace, the
//! call stands for what it makes.
//!
//! Imports of such names are followed here, since the scopes were made without other crates.

use std::collections::{HashMap, HashSet};

use super::super::bindings::PathTarget;
use super::super::expand::{Found, Macros, expand_items};
use super::super::imports::leaves;
use super::super::scope::{MACROS, TYPES, bits};
use super::outside_items::{MadeItem, OutsideCalls};
use super::types::Def;
use super::world::{Hit, World};
use crate::model::{Header, NodeKind};

/// Tokens that all calls of a workspace may expand to.
const MAX_TOKENS: usize = 20_000_000;

/// Scopes that the names of one workspace are brought into by imports.
const MAX_BOUND: usize = 200_000;

/// Macros as a call at a place finds them.
struct At<'w, 'a, 'e> {
    world: &'w World<'a>,
    scope: Def,
    /// What `$crate` is written as, by the root of the crate.
    words: &'e HashMap<Def, String>,
}

impl<'a: 'e, 'e> Macros<'e> for At<'_, 'a, 'e> {
    fn find(&self, path: &[&str], within: Option<u32>) -> Option<Found<'e>> {
        let def = self.world.macro_at(self.scope, path, within)?;
        let root = self.world.root(def);
        let krate = self.words.get(&root)?;
        let rules = self.world.rules(def);
        (!rules.is_empty()).then_some(Found { rules, krate, root })
    }
}

impl World<'_> {
    /// What the calls of other crates' macros make.
    pub(super) fn outside_calls(&self) -> OutsideCalls {
        let world = self;
        let mut all = OutsideCalls::default();
        let mut budget = MAX_TOKENS;
        let done = world.scopes().expansions.iter().filter(|one| !one.calls_others);
        let done: HashSet<Def> = done.map(|one| one.call).collect();
        let roots = world.libraries().iter().map(|library| library.first);
        let own = (0..world.first()).filter(|def| world.parent(*def).is_none());
        let words: HashMap<Def, String> =
            roots.chain(own).map(|root| (root, World::word_of(root))).collect();
        for call in 0..world.first() {
            if world.kind(call) != NodeKind::MacroCall || done.contains(&call) {
                continue;
            }
            let Some(item) = world.item_tree(call) else { continue };
            if item.in_body || item.sig.is_empty() {
                continue;
            }
            if !matches!(item.header, Header::MacroCall { items: false }) {
                continue;
            }
            let at = At { world, scope: world.scope(call), words: &words };
            let made = expand_items(&at, &item.name, &item.sig, &mut budget).into_iter();
            all.items.extend(made.map(|made| {
                let (name, text) = (made.name.to_owned(), made.text);
                MadeItem { call, kind: made.kind, name, text }
            }));
        }
        name(&mut all, world);
        all
    }

    /// A name of a scope that the call of another crate's macro makes.
    pub(super) fn made_outside(&self, scope: Def, name: &str, spaces: u8) -> Option<Hit> {
        self.outside_calls.named(scope, name, spaces).map(Hit::Defs)
    }

    /// The only macro that a path in a call means. `within`: the root of the crate that wrote it.
    fn macro_at(&self, scope: Def, path: &[&str], within: Option<Def>) -> Option<Def> {
        let (last, before) = path.split_last()?;
        let only = |hit: Hit| match hit {
            Hit::Defs(found) => match found.as_slice() {
                [(def, _)] if self.kind(*def) == NodeKind::Macro => Some(*def),
                _ => None,
            },
            _ => None,
        };
        let Some((first, rest)) = before.split_first() else {
            // Names of macros that are written in rules mean those of the crate first.
            let own = within.and_then(|root| only(self.lookup(root, last, MACROS, root)));
            return own.or_else(|| only(self.lexical(scope, last, MACROS)));
        };
        let mut at = match self.written_root(first) {
            Some(root) => root,
            None if matches!(*first, "crate" | "$crate") => self.root(scope),
            None => match self.lexical(scope, first, TYPES) {
                Hit::Defs(found) => found.first()?.0,
                _ => return None,
            },
        };
        for segment in rest {
            match self.lookup(at, segment, TYPES, scope) {
                Hit::Defs(found) => at = found.first()?.0,
                _ => return None,
            }
        }
        let inside = if within == Some(self.root(at)) { at } else { scope };
        only(self.lookup(at, last, MACROS, inside))
    }
}

/// Binds the names, and follows imports of them.
fn name(all: &mut OutsideCalls, world: &World<'_>) {
    let mut open: Vec<(Def, String, Def, u8)> = Vec::new();
    for made in all.items.iter().filter(|made| !made.name.is_empty()) {
        let Some(parent) = world.parent(made.call) else { continue };
        if world.kind(parent) == NodeKind::Module {
            open.push((parent, made.name.clone(), made.call, bits(made.kind)));
        }
    }
    if open.is_empty() {
        return;
    }
    let scopes = world.scopes();
    let mut globs: HashMap<Def, Vec<Def>> = HashMap::new();
    for (scope, target, _) in scopes.all_globs() {
        globs.entry(target).or_default().push(scope);
    }
    globs.values_mut().for_each(|into| into.sort_unstable());
    let leaves = leaves(world.input(), world.assembly(), scopes);
    let named = leaves.iter().filter(|leaf| !leaf.leaf.glob && leaf.leaf.name != "_");
    let mut imports: HashMap<&str, Vec<_>> = HashMap::new();
    for leaf in named {
        if let Some(last) = leaf.leaf.path.last() {
            imports.entry(last).or_default().push(leaf);
        }
    }
    let mut count = 0;
    while let Some((scope, name, call, spaces)) = open.pop() {
        let known = all.names.entry((scope, name.clone())).or_default();
        if known.contains(&(call, spaces)) || count >= MAX_BOUND {
            continue;
        }
        count += 1;
        known.push((call, spaces));
        known.sort_unstable();
        for &other in globs.get(&scope).into_iter().flatten() {
            open.push((other, name.clone(), call, spaces));
        }
        for leaf in imports.get(name.as_str()).into_iter().flatten() {
            if leaf.scope == scope && leaf.leaf.name == name {
                continue;
            }
            let before = leaf.leaf.path.split_last().map_or(&[][..], |(_, before)| before);
            let from = match before {
                [] => vec![world.module(leaf.scope)],
                path => match scopes.lookup_path(
                    world.assembly(),
                    leaf.instance,
                    leaf.scope,
                    path,
                    TYPES,
                ) {
                    PathTarget::Nodes(found) => found.into_iter().map(|(n, _)| n).collect(),
                    _ => Vec::new(),
                },
            };
            if from.contains(&scope) {
                open.push((leaf.scope, leaf.leaf.name.clone(), call, spaces));
            }
        }
    }
}
