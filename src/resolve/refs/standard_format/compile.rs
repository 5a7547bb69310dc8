//! Resolves the names of the library's declarations once, for the data file.

use std::collections::{BTreeMap, BTreeSet};

use super::{Impl, ImplHead, Meaning, Tables};
use crate::model::{
    FileUses, Header, ItemTree, List, NodeKind, PathId, Target, TargetKind, Ty, TypeId,
};
use crate::resolve::assembly::{Assembly, Crate, Input, Instance, assemble_with_scopes};
use crate::resolve::refs::sig;
use crate::resolve::refs::world::PRIMITIVES;
use crate::resolve::scope::{ANY, PathTarget, Scopes, TYPES};

/// Nesting of type aliases that is followed.
const MAX_ALIASES: u32 = 8;

pub(super) fn compile(tree: &ItemTree) -> Tables {
    let target = Target {
        kind: TargetKind::Lib,
        name: "std".to_owned(),
        crate_name: "std".to_owned(),
        root: "std".to_owned(),
        edition: "2024".to_owned(),
    };
    let crates = [Crate { package: None, target }];
    let files = [("std", tree)];
    let instances = [Instance { file: 0, krate: 0, declared_in: None, variant: None }];
    let repeats = BTreeSet::new();
    let (assembly, scopes) = assemble_with_scopes(Input {
        packages: &[],
        crates: &crates,
        files: &files,
        instances: &instances,
        repeats: &repeats,
    });
    let (uses, words) = sig::read(&tree.items);
    let mut numbers = Vec::new();
    let mut count = 0;
    for node in &assembly.nodes {
        let kept = !matches!(
            node.kind,
            NodeKind::Import | NodeKind::ExternCrate | NodeKind::MacroCall | NodeKind::Unknown
        );
        numbers.push(kept.then_some(count));
        count += u32::from(kept);
    }
    Compiler { tree, assembly: &assembly, scopes: &scopes, uses, words, numbers }.tables()
}

struct Compiler<'t> {
    tree: &'t ItemTree,
    assembly: &'t Assembly,
    scopes: &'t Scopes<'t>,
    uses: FileUses,
    /// Names in the signatures.
    words: Vec<&'t str>,
    /// By node: the number of the definition; imports have none.
    numbers: Vec<Option<u32>>,
}

impl Compiler<'_> {
    fn tables(&self) -> Tables {
        let mut names: BTreeSet<&str> = self.words.iter().copied().chain([""]).collect();
        names.extend(self.assembly.nodes.iter().map(|node| node.name.as_str()));
        names.extend(PRIMITIVES);
        let mut tables = Tables { names: names.into_iter().collect(), ..Tables::default() };
        for (at, node) in self.assembly.nodes.iter().enumerate() {
            let Some(own) = self.numbers.get(at).copied().flatten() else { continue };
            let item = self.tree.items.get(node.item as usize);
            let name = if node.kind == NodeKind::Impl { "" } else { &node.name };
            tables.kinds.push(node.kind);
            tables.parents.push(node.parent.and_then(|parent| self.number(parent)).unwrap_or(own));
            tables.named.push(tables.names.find(name).unwrap_or(0));
            let has_sig = !matches!(node.kind, NodeKind::Macro);
            tables.sigs.push(item.filter(|_| has_sig).map_or("", |item| &item.sig));
            match node.kind {
                NodeKind::Impl => self.add_impl(&mut tables, own, node.item),
                NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
                    self.add_derives(&mut tables, own, node.item);
                }
                _ => {}
            }
        }
        tables.bound = self.meanings(&tables);
        tables
    }

    fn number(&self, node: u32) -> Option<u32> {
        self.numbers.get(node as usize).copied().flatten()
    }

    /// Names of all scopes, those of globs included.
    fn meanings(&self, tables: &Tables) -> Vec<Meaning> {
        let mut names: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for (scope, name) in self.scopes.names() {
            names.entry(scope).or_default().insert(name);
        }
        let globs: Vec<(u32, u32)> = self.scopes.all_globs().collect();
        loop {
            let before: usize = names.values().map(BTreeSet::len).sum();
            for (scope, target) in &globs {
                let more = names.get(target).cloned().unwrap_or_default();
                names.entry(*scope).or_default().extend(more);
            }
            if names.values().map(BTreeSet::len).sum::<usize>() == before {
                break;
            }
        }
        let mut all = Vec::new();
        for (scope, names) in names {
            let Some(own) = self.number(scope) else { continue };
            for name in names {
                // As seen from another crate.
                let found = self.scopes.lookup(self.assembly, scope, name, ANY, 0);
                let (PathTarget::Nodes(found), Some(name)) = (found, tables.names.find(name))
                else {
                    continue;
                };
                for (node, spaces) in found {
                    if let Some(target) = self.number(node) {
                        all.push(Meaning { scope: own, name, target, spaces });
                    }
                }
            }
        }
        // Of several targets of a name the order stays.
        all.sort_by_key(|one| (one.scope, one.name));
        all
    }

    fn add_impl(&self, tables: &mut Tables, def: u32, item: u32) {
        let used = self.uses.items.get(item as usize);
        let (Some(used), Some(tree)) = (used, self.tree.items.get(item as usize)) else { return };
        let head = used.ty.map(|ty| self.head(tables, ty, &tree.generics, MAX_ALIASES));
        let of = used.of_trait.and_then(|of| self.named(of, NodeKind::Trait));
        tables.impls.push(Impl { def, head: head.unwrap_or(ImplHead::Other), of });
        let node = self.assembly.node_of(0, item).map_or("", |node| node.path.as_str());
        let plain = |path: &str| path.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
        let inner = node.strip_prefix('<').and_then(|path| path.strip_suffix('>'));
        let inherent = matches!(tree.header, Header::Impl { of_trait: None, .. });
        // As in `crate::resolve::paths`.
        let path = inner.filter(|inner| plain(inner)).unwrap_or(node);
        tables.impl_paths.push(if inherent { path } else { "" });
    }

    fn add_derives(&self, tables: &mut Tables, def: u32, item: u32) {
        let attrs = self.uses.items.get(item as usize).map_or(List::default(), |item| item.attrs);
        for attr in self.uses.attrs(attrs) {
            let path = ["crate".to_owned(), "prelude".to_owned(), self.last(attr.path).to_owned()];
            if let Some(of) = self.at(&path, NodeKind::Trait) {
                tables.derives.push((def, of));
            }
        }
    }

    fn last(&self, path: PathId) -> &str {
        self.uses.segs(path).last().map_or("", |seg| self.word(seg.name))
    }

    fn word(&self, sym: u32) -> &str {
        self.words.get(sym as usize).copied().unwrap_or("")
    }

    fn at(&self, path: &[String], kind: NodeKind) -> Option<u32> {
        let PathTarget::Nodes(found) = self.scopes.lookup_path(self.assembly, 0, 0, path, TYPES)
        else {
            return None;
        };
        let fits = |node: &&(u32, u8)| {
            self.assembly.nodes.get(node.0 as usize).is_some_and(|found| found.kind == kind)
        };
        self.number(found.iter().find(fits)?.0)
    }

    fn path(&self, path: PathId) -> Vec<String> {
        self.uses.segs(path).iter().map(|seg| self.word(seg.name).to_owned()).collect()
    }

    /// The definition of this kind that a type names.
    fn named(&self, ty: TypeId, kind: NodeKind) -> Option<u32> {
        let Ty::Path(path) = self.uses.ty(ty) else { return None };
        self.at(&self.path(path), kind)
    }

    fn head(&self, tables: &Tables, ty: TypeId, generics: &[String], depth: u32) -> ImplHead {
        match self.uses.ty(ty) {
            Ty::Ref(_) => ImplHead::Ref,
            Ty::Ptr(_) => ImplHead::Ptr,
            Ty::Slice(_) => ImplHead::Slice,
            Ty::Array(..) => ImplHead::Array,
            Ty::Tuple(_) => ImplHead::Tuple,
            Ty::Fn(..) => ImplHead::Fn,
            Ty::Dyn(bounds) | Ty::Impl(bounds) => {
                let first = self.uses.type_ids(bounds).next();
                let of = first.and_then(|bound| self.named(bound, NodeKind::Trait));
                of.map_or(ImplHead::Other, ImplHead::Dyn)
            }
            Ty::Never | Ty::Infer => ImplHead::Other,
            Ty::Path(path) if self.uses.path(path).qself.is_some() => ImplHead::Other,
            Ty::Path(path) => {
                let path = self.path(path);
                if let [only] = path.as_slice() {
                    if generics.contains(only) {
                        return ImplHead::Param;
                    }
                    if PRIMITIVES.contains(&only.as_str()) {
                        return tables.names.find(only).map_or(ImplHead::Other, ImplHead::Prim);
                    }
                }
                for kind in [NodeKind::Struct, NodeKind::Enum, NodeKind::Union] {
                    if let Some(def) = self.at(&path, kind) {
                        return ImplHead::Def(def);
                    }
                }
                self.alias(tables, &path, depth)
            }
        }
    }

    fn alias(&self, tables: &Tables, path: &[String], depth: u32) -> ImplHead {
        let found = self.scopes.lookup_path(self.assembly, 0, 0, path, TYPES);
        let (PathTarget::Nodes(found), true) = (found, depth > 0) else { return ImplHead::Other };
        let node = found.first().and_then(|(node, _)| self.assembly.nodes.get(*node as usize));
        let Some(node) = node.filter(|node| node.kind == NodeKind::TypeAlias) else {
            return ImplHead::Other;
        };
        match self.uses.items.get(node.item as usize).and_then(|item| item.ty) {
            Some(ty) => self.head(tables, ty, &[], depth - 1),
            None => ImplHead::Other,
        }
    }
}
