//! Resolves the names of a crate's declarations once, for its tables.

use std::collections::{BTreeMap, BTreeSet};

use index_vec::{IndexSlice, IndexVec};

use super::tables::{Impl, ImplHead, Meaning, OutsideGlob, PRIVATE, Tables};
use crate::bindings::PathTarget;
use crate::crate_maps::{CrateMaps, Input};
use crate::enclosing::parent_module;
use crate::glob_names::GlobNames;
use crate::ids::{Def, InstanceId};
use crate::namespaces::{ANY, MACROS, TYPES};
use crate::node_table::Node;
use crate::nowhere::NOWHERE;
use crate::passes::assemble_with_scopes;
use crate::refs::item_index::PRIMITIVES;
use crate::refs::sig;
use crate::scope::Scopes;
use asof_model::{FileUses, HashMap, Header, List, NodeKind, PathId, Sym, TreeItem, Ty, TypeId};

/// Nesting of type aliases that is followed.
const MAX_ALIASES: u32 = 8;

/// Where derives of the language are looked up.
const PRELUDE: [&str; 2] = ["std", "prelude"];

/// A module that no module is: it sees what is public.
const ELSEWHERE: Def = NOWHERE;

/// Which declarations a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Keep {
    All,
    /// Those that code of other crates can come upon.
    Reachable,
}

/// Names by scope, each with its meaning for other crates.
type Shown<'t> = BTreeMap<Def, BTreeMap<&'t str, PathTarget>>;

/// The tables of the first crate of an input.
pub(in super::super) fn compile(input: Input<'_>, keep: Keep) -> Tables {
    let (assembly, scopes) = assemble_with_scopes(input, None);
    let mut numbers: IndexVec<Def, Option<u32>> = IndexVec::new();
    let mut count = 0;
    let mut seen = BTreeSet::new();
    for (def, node) in assembly.nodes.iter_enumerated() {
        let parent = node.parent.map(|parent| kept_parent(&assembly, &numbers, parent));
        let kept = is_kept(&input, node, keep)
            && parent != Some(None)
            // Of several declarations under different `cfg`, the first stands for all.
            && (keep == Keep::All
                || node.kind == NodeKind::Impl
                || node.kind == NodeKind::ForeignMod
                || seen.insert((parent.flatten(), node.kind, node.name.as_str())));
        // Some numbers nothing has.
        numbers.resize(def.index(), None);
        numbers.push(kept.then_some(count));
        count += u32::from(kept);
    }
    let globs = GlobNames::new(&scopes, &assembly);
    let outside = HashMap::default();
    Compiler { input, assembly: &assembly, scopes: &scopes, globs, numbers, outside }.tables(count)
}

/// The number of the nearest ancestor that is no call of a macro; none if that is left out.
fn kept_parent(
    assembly: &CrateMaps,
    numbers: &IndexSlice<Def, [Option<u32>]>,
    parent: Def,
) -> Option<u32> {
    let mut at = parent;
    loop {
        let node = assembly.nodes.get(at)?;
        match (node.kind, node.parent) {
            (NodeKind::MacroCall, Some(above)) if above < at => at = above,
            _ => return numbers.get(at).copied().flatten(),
        }
    }
}

fn item<'a>(input: &Input<'a>, node: &Node) -> Option<&'a TreeItem> {
    input.item_tree(node.instance).get(node.item as usize)
}

fn is_kept(input: &Input<'_>, node: &Node, keep: Keep) -> bool {
    match node.kind {
        NodeKind::Import | NodeKind::ExternCrate | NodeKind::MacroCall | NodeKind::Unknown => false,
        NodeKind::Macro if keep == Keep::Reachable => item(input, node)
            .is_some_and(|item| matches!(item.header, Header::Macro { exported: true })),
        _ => true,
    }
}

struct Compiler<'t> {
    input: Input<'t>,
    assembly: &'t CrateMaps,
    scopes: &'t Scopes<'t>,
    globs: GlobNames<'t>,
    /// By node: the number of the definition; imports have none.
    numbers: IndexVec<Def, Option<u32>>,
    /// Paths that lead to other crates, by the order in which they were met.
    outside: HashMap<String, u32>,
}

/// Names in signatures: all, and by the modules that the signatures are in.
#[derive(Debug, Default)]
struct WordsIn<'t> {
    all: BTreeSet<&'t str>,
    by_module: BTreeMap<Def, BTreeSet<&'t str>>,
}

/// A signature, read, and the place that its names are looked up at.
struct Read<'t> {
    uses: FileUses,
    words: Vec<&'t str>,
    instance: InstanceId,
    scope: Def,
}

impl<'t> Read<'t> {
    fn word(&self, sym: Sym) -> &'t str {
        self.words.get(sym.0 as usize).copied().unwrap_or("")
    }

    fn path(&self, path: PathId) -> Vec<String> {
        let segs = self.uses.segs(path).iter();
        let global = self.uses.path(path).global.then(String::new);
        global.into_iter().chain(segs.map(|seg| self.word(seg.name).to_owned())).collect()
    }
}

impl<'t> Compiler<'t> {
    fn tables(mut self, count: u32) -> Tables {
        let assembly = self.assembly;
        let kept = |(at, node): (Def, &'t Node)| Some((self.number(at)?, node));
        let kept: Vec<(u32, &Node)> = assembly.nodes.iter_enumerated().filter_map(kept).collect();
        let mut names: BTreeSet<&str> =
            [""].into_iter().chain(PRIMITIVES.iter().copied()).collect();
        names.extend(kept.iter().map(|(_, node)| node.name.as_str()));
        let words = self.words(&kept);
        names.extend(&words.all);
        let shown = self.shown(&words);
        names.extend(shown.values().flat_map(BTreeMap::keys));
        let mut tables = Tables { names: names.into_iter().collect(), ..Tables::default() };
        for (own, node) in &kept {
            let name = if node.kind == NodeKind::Impl { "" } else { &node.name };
            let parent = node.parent.and_then(|above| kept_parent(assembly, &self.numbers, above));
            tables.kinds.push(node.kind);
            tables.parents.push(parent.unwrap_or(*own));
            tables.named.push(tables.names.find(name).unwrap_or(0));
            let rules = |item: &'t TreeItem| (node.kind == NodeKind::Macro).then_some(&*item.sig);
            let rules = item(&self.input, node).and_then(rules);
            tables.sigs.push(rules.unwrap_or_else(|| self.sig(node)));
            match node.kind {
                NodeKind::Impl => self.add_impl(&mut tables, *own, node, count),
                NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
                    self.add_derives(&mut tables, *own, node, count);
                }
                _ => {}
            }
        }
        tables.bound = self.meanings(&tables, &shown, &words.all, count);
        tables.globs = self.globs();
        let mut outside: Vec<(&str, u32)> =
            self.outside.iter().map(|(path, at)| (path.as_str(), *at)).collect();
        outside.sort_unstable_by_key(|(_, at)| *at);
        tables.outside = outside.into_iter().map(|(path, _)| path).collect();
        tables
    }

    fn sig(&self, node: &Node) -> &'t str {
        let has_sig = !matches!(node.kind, NodeKind::Macro | NodeKind::MacroCall);
        item(&self.input, node).filter(|_| has_sig).map_or("", |item| &item.sig)
    }

    /// Whether a function is a procedural macro.
    fn is_macro(&self, node: &Node) -> bool {
        node.kind == NodeKind::Function && self.sig(node).starts_with('@')
    }

    fn number(&self, node: Def) -> Option<u32> {
        self.numbers.get(node).copied().flatten()
    }

    /// The number of a path that leads to another crate.
    fn outside(&mut self, path: &[String]) -> u32 {
        let next = self.outside.len() as u32;
        *self.outside.entry(path.join("::")).or_insert(next)
    }

    /// Names by the scopes that they can be looked up in, those of globs included.
    fn shown(&mut self, words: &WordsIn<'t>) -> Shown<'t> {
        let mut names: BTreeMap<Def, BTreeSet<&'t str>> = BTreeMap::new();
        for (scope, name) in self.scopes.names() {
            names.entry(scope).or_default().insert(name);
        }
        let all: Vec<(Def, Def, bool)> = self.scopes.all_globs().collect();
        let mut into: BTreeMap<Def, Vec<Def>> = BTreeMap::new();
        for (scope, target, _) in all.iter().filter(|(.., public)| *public) {
            into.entry(*target).or_default().push(*scope);
        }
        let mut open: BTreeSet<Def> = into.keys().copied().collect();
        // Round by round: a module may have the names of thousands.
        while !open.is_empty() {
            for target in std::mem::take(&mut open) {
                let more = names.get(&target).cloned().unwrap_or_default();
                for scope in into.get(&target).into_iter().flatten() {
                    let own = names.entry(*scope).or_default();
                    let before = own.len();
                    own.extend(&more);
                    if own.len() > before && into.contains_key(scope) {
                        open.insert(*scope);
                    }
                }
            }
        }
        // Through the others, only what signatures there name.
        for (scope, _, _) in all.iter().filter(|(.., public)| !public) {
            let here = words.by_module.get(scope).into_iter().flatten();
            names.entry(*scope).or_default().extend(here);
        }
        names.retain(|scope, _| self.number(*scope).is_some());
        let globs = &mut self.globs;
        let shown = names.into_iter().map(|(scope, names)| {
            let public = |name| {
                let found = globs.shown(scope, name);
                // Of what is private, only what signatures name.
                let counts = found != PathTarget::Nothing || words.all.contains(name);
                counts.then_some((name, found))
            };
            (scope, names.into_iter().filter_map(public).collect())
        });
        shown.collect()
    }

    /// Names in signatures.
    fn words(&self, kept: &[(u32, &'t Node)]) -> WordsIn<'t> {
        let mut words = WordsIn::default();
        for (_, node) in kept {
            let here = sig::read_one(self.sig(node)).1;
            words.all.extend(&here);
            let mut module = Some(node.module);
            while let Some(at) = module {
                words.by_module.entry(at).or_default().extend(&here);
                module = parent_module(self.assembly, at);
            }
        }
        words
    }

    fn meanings(
        &mut self,
        tables: &Tables,
        shown: &Shown<'t>,
        words: &BTreeSet<&str>,
        count: u32,
    ) -> Vec<Meaning> {
        let mut all = Vec::new();
        for (node, names) in shown {
            let Some(scope) = self.number(*node) else { continue };
            for (name, public) in names {
                let Some(number) = tables.names.find(name) else { continue };
                let mut add = |target: u32, spaces: u8| {
                    all.push(Meaning { scope, name: number, target, spaces });
                };
                let public = self.targets((*node, name, ELSEWHERE), public, count);
                public.iter().for_each(|(target, spaces)| add(*target, *spaces));
                if words.contains(name) {
                    let inside = self.globs.seen(*node, name);
                    for (target, spaces) in self.targets((*node, name, *node), &inside, count) {
                        if !public.contains(&(target, spaces)) {
                            add(target, spaces | PRIVATE);
                        }
                    }
                }
            }
        }
        // Of several targets of a name the order stays.
        all.sort_by_key(|one| (one.scope, one.name));
        all
    }

    /// Numbers of what a name in a scope means, as seen from somewhere.
    fn targets(
        &mut self,
        (scope, name, from): (Def, &str, Def),
        found: &PathTarget,
        count: u32,
    ) -> Vec<(u32, u8)> {
        let mut all: Vec<(u32, u8)> = match found {
            PathTarget::Nodes(nodes) => {
                let known = |(node, spaces): &(Def, u8)| {
                    // A procedural macro is no function for other crates.
                    let is_macro = self.assembly.node(*node).is_some_and(|of| self.is_macro(of));
                    let spaces = if is_macro { *spaces & MACROS } else { *spaces };
                    Some((self.number(*node)?, spaces)).filter(|_| spaces != 0)
                };
                nodes.iter().filter_map(known).collect()
            }
            PathTarget::External(path) => vec![(count + self.outside(path), ANY)],
            PathTarget::Nothing => Vec::new(),
        };
        for path in self.scopes.outside_bindings(self.assembly, scope, name, from) {
            let outside = (count + self.outside(&path), ANY);
            if !all.contains(&outside) {
                all.push(outside);
            }
        }
        all
    }

    fn globs(&mut self) -> Vec<OutsideGlob> {
        let mut all = Vec::new();
        let scopes = self.scopes;
        for (scope, path, is_public) in scopes.outside_globs() {
            if let Some(scope) = self.number(scope) {
                let privacy = if is_public { 0 } else { PRIVATE };
                all.push(OutsideGlob { scope, path: self.outside(path), privacy });
            }
        }
        all.sort_unstable();
        all
    }

    fn read(&self, node: &Node) -> Read<'t> {
        let (uses, words) = sig::read_one(self.sig(node));
        Read { uses, words, instance: node.instance, scope: node.module }
    }

    fn add_impl(&mut self, tables: &mut Tables, def: u32, node: &Node, count: u32) {
        let read = self.read(node);
        let Some(tree) = item(&self.input, node) else { return };
        let Some(used) = read.uses.items.first() else { return };
        let (ty, of_trait) = (used.ty, used.of_trait);
        let head = ty.map(|ty| self.head(tables, &read, ty, (&tree.generics, count), MAX_ALIASES));
        let of = of_trait.and_then(|of| self.named(&read, of, NodeKind::Trait, count));
        tables.impls.push(Impl { def, head: head.unwrap_or(ImplHead::Other), of });
        let plain = |path: &str| path.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
        let inner = node.path.strip_prefix('<').and_then(|path| path.strip_suffix('>'));
        let inherent = matches!(tree.header, Header::Impl { of_trait: None, .. });
        // As in `crate::paths`.
        let path = inner.filter(|inner| plain(inner)).unwrap_or(&node.path);
        tables.impl_paths.push(if inherent { path } else { "" });
    }

    fn add_derives(&mut self, tables: &mut Tables, def: u32, node: &Node, count: u32) {
        let read = self.read(node);
        let attrs = read.uses.items.first().map_or(List::default(), |item| item.attrs);
        for attr in read.uses.attrs(attrs).iter().filter(|attr| attr.derive) {
            let path = read.path(attr.path);
            let Some(last) = path.last() else { continue };
            if let Some(of) = self.derived(&read, &path, last, count) {
                tables.derives.push((def, of));
            }
        }
    }

    /// The trait of a derive: that of the prelude unless the name means something else here.
    fn derived(&mut self, read: &Read<'_>, path: &[String], last: &str, count: u32) -> Option<u32> {
        if let Some(of) = self.at(read, path, NodeKind::Trait, count) {
            return Some(of);
        }
        let own = ["crate", "prelude", last].map(str::to_owned);
        if let Some(of) = self.at(read, &own, NodeKind::Trait, count) {
            return Some(of);
        }
        let is_std = self.input.crates.first().is_some_and(|own| own.target.crate_name == "std");
        let [std, prelude] = PRELUDE.map(str::to_owned);
        let outside = [std, prelude, last.to_owned()];
        (!is_std).then(|| count + self.outside(&outside))
    }

    /// The definition of this kind that a path means, or a path that leads to another crate.
    fn at(&mut self, read: &Read<'_>, path: &[String], kind: NodeKind, count: u32) -> Option<u32> {
        let found = self.lookup(read, path);
        match found {
            PathTarget::Nodes(found) => {
                let fits = |node: &&(Def, u8)| {
                    let node = self.assembly.nodes.get(node.0);
                    node.is_some_and(|found| found.kind == kind)
                };
                self.number(found.iter().find(fits)?.0)
            }
            PathTarget::External(path) => Some(count + self.outside(&path)),
            PathTarget::Nothing => None,
        }
    }

    fn lookup(&self, read: &Read<'_>, path: &[String]) -> PathTarget {
        self.scopes.lookup_path(self.assembly, read.instance, read.scope, path, TYPES)
    }

    /// The definition of this kind that a type names.
    fn named(&mut self, read: &Read<'_>, ty: TypeId, kind: NodeKind, count: u32) -> Option<u32> {
        let Ty::Path(path) = read.uses.ty(ty) else { return None };
        let path = read.path(path);
        match self.at(read, &path, kind, count) {
            None if path.len() == 1 => self.of_prelude(&path, count),
            found => found,
        }
    }

    /// A name that the crate does not have: one of the prelude, if any.
    fn of_prelude(&mut self, path: &[String], count: u32) -> Option<u32> {
        let is_std = self.input.crates.first().is_some_and(|own| own.target.crate_name == "std");
        let name = path.first().filter(|_| !is_std)?;
        let [std, prelude] = PRELUDE.map(str::to_owned);
        Some(count + self.outside(&[std, prelude, name.clone()]))
    }

    fn head(
        &mut self,
        tables: &Tables,
        read: &Read<'_>,
        ty: TypeId,
        (generics, count): (&[String], u32),
        depth: u32,
    ) -> ImplHead {
        match read.uses.ty(ty) {
            Ty::Ref(..) => ImplHead::Ref,
            Ty::Ptr(..) => ImplHead::Ptr,
            Ty::Slice(_) => ImplHead::Slice,
            Ty::Array(..) => ImplHead::Array,
            Ty::Tuple(_) => ImplHead::Tuple,
            Ty::Fn(..) => ImplHead::Fn,
            Ty::Dyn(bounds) | Ty::Impl(bounds) => {
                let first = read.uses.type_ids(bounds).next();
                let of = first.and_then(|of| self.named(read, of, NodeKind::Trait, count));
                of.map_or(ImplHead::Other, ImplHead::Dyn)
            }
            Ty::Never | Ty::Infer | Ty::Macro(..) => ImplHead::Other,
            Ty::Path(path) if read.uses.path(path).qself.is_some() => ImplHead::Other,
            Ty::Path(path) => {
                let path = read.path(path);
                if let [only] = path.as_slice()
                    && generics.contains(only)
                {
                    return ImplHead::Param;
                }
                let head = match self.lookup(read, &path) {
                    PathTarget::Nodes(found) => self.head_of(tables, &found, count, depth),
                    PathTarget::External(path) => ImplHead::Def(count + self.outside(&path)),
                    PathTarget::Nothing => ImplHead::Other,
                };
                match path.as_slice() {
                    // `str` is a module too.
                    [only] if head == ImplHead::Other && PRIMITIVES.contains(&only.as_str()) => {
                        tables.names.find(only).map_or(ImplHead::Other, ImplHead::Prim)
                    }
                    [_] if head == ImplHead::Other => {
                        self.of_prelude(&path, count).map_or(ImplHead::Other, ImplHead::Def)
                    }
                    _ => head,
                }
            }
        }
    }

    /// The type among what a path means; an alias is followed.
    fn head_of(
        &mut self,
        tables: &Tables,
        found: &[(Def, u8)],
        count: u32,
        depth: u32,
    ) -> ImplHead {
        let node = |at: Def| self.assembly.nodes.get(at);
        for kind in [NodeKind::Struct, NodeKind::Enum, NodeKind::Union] {
            let of_kind = |(at, _): &&(Def, u8)| node(*at).is_some_and(|node| node.kind == kind);
            if let Some(def) = found.iter().find(of_kind).and_then(|(at, _)| self.number(*at)) {
                return ImplHead::Def(def);
            }
        }
        let first = found.first().and_then(|(at, _)| node(*at));
        let Some(alias) = first.filter(|node| node.kind == NodeKind::TypeAlias && depth > 0) else {
            return ImplHead::Other;
        };
        let read = self.read(alias);
        match read.uses.items.first().and_then(|item| item.ty) {
            Some(ty) => self.head(tables, &read, ty, (&[], count), depth - 1),
            None => ImplHead::Other,
        }
    }
}
