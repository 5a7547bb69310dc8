//! Builds an item index: numbers for definitions and names, lookups of children, signatures.

use std::sync::Arc;

use rayon::prelude::*;

use super::super::receivers::has_wrapped_receiver;
use super::super::{lower, sig};
use super::{FileSigs, ImplicitNames, Info, ItemIndex, Known, Loaded};
use crate::ids::FileId;
use crate::refs::types::{Def, Name};
pub(in super::super) use asof_model::PRIMITIVES;
use asof_model::{FileUses, NodeKind, StoredTree};

const RANGES: &[&str] =
    &["Range", "RangeInclusive", "RangeFrom", "RangeTo", "RangeFull", "RangeToInclusive"];

impl<'a> ItemIndex<'a> {
    pub(super) fn number_definitions(&mut self) {
        for (at, node) in self.workspace.assembly.nodes.iter().enumerate() {
            let name = self.number(&node.name);
            let parent = node.parent.unwrap_or(Def::new(at));
            self.infos.push(Info { name, kind: node.kind, parent });
        }
        // Blocks are scopes, and no definitions: nothing has them for its parent.
        for (scope, _) in self.workspace.assembly.block_scopes() {
            let name = self.number("");
            self.infos.push(Info { name, kind: NodeKind::Unknown, parent: scope });
        }
        for at in 0..self.libraries.len() {
            let Some(&Loaded { library, first, .. }) = self.libraries.get(at) else { break };
            let names: Vec<Name> = library.names().map(|name| self.number(name)).collect();
            for (kind, name, parent) in library.definitions() {
                let name = names.get(name as usize).copied().unwrap_or(Name::NONE);
                self.infos.push(Info { name, kind, parent: first + parent as usize });
            }
            if let Some(loaded) = self.libraries.get_mut(at) {
                loaded.names = names;
            }
        }
        let count = self.infos.len();
        let mut starts = vec![0u32; count + 1];
        let has_parent = |(at, info): &(usize, &Info)| info.parent != *at;
        for (_, info) in self.infos.iter().enumerate().filter(has_parent) {
            if let Some(start) = starts.get_mut(info.parent.index() + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut children = vec![Def::new(0); sum as usize];
        for (at, info) in self.infos.iter().enumerate().filter(has_parent) {
            if let Some(next) = next.get_mut(info.parent.index()) {
                if let Some(child) = children.get_mut(*next as usize) {
                    *child = Def::new(at);
                }
                *next += 1;
            }
        }
        (self.starts, self.children) = (starts, children);
        let standard = self.first.index()..self.dependencies_first.index();
        let library = self.infos.get(standard).unwrap_or_default().iter();
        let methods = library.filter(|info| info.kind == NodeKind::Method);
        self.library_methods = methods.map(|info| info.name).collect();
        // Names of crates come from manifests.
        let own = self.infos.iter().zip(self.own_defs()).filter(|(info, at)| info.parent != *at);
        let own = own.filter(|(info, _)| !info.kind.is_anonymous());
        self.item_names = own.map(|(info, _)| info.name).collect();
        for def in self.own_defs() {
            let table = match self.kind(def) {
                NodeKind::Method => &mut self.methods,
                NodeKind::Field => &mut self.fields,
                _ => continue,
            };
            let name = self.infos.get(def.index()).map_or(Name::NONE, |info| info.name);
            table.entry(name).or_default().push(def);
        }
    }

    /// Lookups of children by name.
    pub(super) fn name_children(&mut self) {
        let mut by_name = self.children.clone();
        for bounds in self.starts.windows(2) {
            if let [start, end] = bounds
                && let Some(own) = by_name.get_mut(*start as usize..*end as usize)
            {
                own.sort_by_key(|child| self.name(*child));
            }
        }
        self.by_name = by_name;
        for def in (0..self.infos.len()).map(Def::new) {
            let is_call = |child: &Def| self.kind(*child) == NodeKind::MacroCall;
            if self.children(def).iter().any(is_call) {
                for member in self.members(def) {
                    if self.info(member).parent != def {
                        let key = (def, self.name(member));
                        self.in_calls.entry(key).or_default().push(member);
                    }
                }
            }
            if self.kind(def) == NodeKind::Trait {
                for member in self.members(def) {
                    let traits = self.traits_with.entry(self.name(member)).or_default();
                    if traits.last() != Some(&def) {
                        traits.push(def);
                    }
                }
            }
        }
    }

    pub(super) fn place_generics(&mut self) {
        for def in self.own_defs() {
            for (at, name) in lower::generic_names(self, def).into_iter().enumerate() {
                self.generics.entry((def, name)).or_insert(at as u32);
            }
        }
    }

    pub(super) fn read_signatures(&mut self) {
        let files: Vec<&'a StoredTree> =
            self.workspace.input.files.iter().map(|(_, item_tree)| *item_tree).collect();
        let read: Vec<&'a Arc<FileUses>> = files.par_iter().map(|tree| signatures(tree)).collect();
        self.workspace.sigs = read.into_iter().map(|read| self.numbered(read).into()).collect();
        let wrapped =
            files.iter().flat_map(|tree| &tree.items).filter(|item| has_wrapped_receiver(item));
        self.wrapped_receivers = wrapped.filter_map(|item| self.find_name(&item.name)).collect();
    }

    /// Signatures of a file all of whose names have numbers.
    pub(super) fn signatures_of(&self, file: FileId) -> FileSigs {
        let tree = self.workspace.input.files.get(file).map(|(_, tree)| *tree);
        let uses = tree.map(|tree| Arc::clone(signatures(tree))).unwrap_or_default();
        let names = uses.names.iter().map(|name| self.find_name(name).unwrap_or(Name::NONE));
        FileSigs { names: names.collect(), uses }
    }

    fn numbered(&mut self, uses: &'a Arc<FileUses>) -> FileSigs {
        let names = uses.names.iter().map(|name| self.number(name)).collect();
        FileSigs { uses: Arc::clone(uses), names }
    }

    fn number(&mut self, text: &'a str) -> Name {
        let next = Name::new(self.texts.len());
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        number
    }

    pub(super) fn known(&mut self) -> Known {
        let at = |path: &[&str]| self.library_path(path.iter().copied());
        let mut known = Known {
            deref: at(&["ops", "Deref"]),
            into_iterator: at(&["iter", "IntoIterator"]),
            future: at(&["future", "Future"]),
            into_future: at(&["future", "IntoFuture"]),
            fns: ["Fn", "FnMut", "FnOnce"].iter().filter_map(|f| at(&["ops", f])).collect(),
            of_callables: ["clone::Clone", "marker::Copy", "ops::Fn", "ops::FnMut", "ops::FnOnce"]
                .iter()
                .filter_map(|of| at(&of.split("::").collect::<Vec<_>>()))
                .collect(),
            autos: ["Sized", "Send", "Sync", "Unpin"]
                .iter()
                .filter_map(|auto| at(&["marker", auto]))
                .collect(),
            partial_eq: at(&["cmp", "PartialEq"]),
            index: at(&["ops", "Index"]),
            option: at(&["option", "Option"]),
            result: at(&["result", "Result"]),
            vec: at(&["vec", "Vec"]),
            string: at(&["string", "String"]),
            boxed: at(&["boxed", "Box"]),
            local_key: at(&["thread", "LocalKey"]),
            pin: at(&["pin", "Pin"]),
            poll: at(&["task", "Poll"]),
            range: at(&["ops", "Range"]),
            range_inclusive: at(&["ops", "RangeInclusive"]),
            range_from: at(&["ops", "RangeFrom"]),
            range_to: at(&["ops", "RangeTo"]),
            range_to_inclusive: at(&["ops", "RangeToInclusive"]),
            range_full: at(&["ops", "RangeFull"]),
            ranges: RANGES.iter().filter_map(|range| at(&["ops", range])).collect(),
            slice_index: at(&["slice", "SliceIndex"]),
            try_value: at(&["ops", "Try"]),
            prelude: at(&["prelude"]),
            ..Known::default()
        };
        for (of, methods) in super::super::implicit::TRAITS {
            let Some(of) = self.library_path(of.split("::")) else { continue };
            for method in *methods {
                known.implicit.insert(self.number(method), of);
            }
        }
        known.names = ImplicitNames {
            index: self.number("index"),
            index_mut: self.number("index_mut"),
            deref: self.number("deref"),
            deref_mut: self.number("deref_mut"),
            not: self.number("not"),
            neg: self.number("neg"),
            poll: self.number("poll"),
            into_iter: self.number("into_iter"),
            next: self.number("next"),
            from: self.number("from"),
        };
        known.self_type = self.number("Self");
        known.output = self.number("Output");
        known.item = self.number("Item");
        known.target = self.number("Target");
        known.error = self.number("Err");
        known.into_iter = self.number("IntoIter");
        known.into_future_type = self.number("IntoFuture");
        for prim in PRIMITIVES {
            known.prims.insert(self.number(prim), prim);
        }
        known
    }
}

/// What the signatures of a file use.
fn signatures(tree: &StoredTree) -> &Arc<FileUses> {
    tree.signatures(|tree| sig::read(&tree.items))
}
