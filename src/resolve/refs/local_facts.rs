//! What inference finds out about a text beside its references: which variable a name is, of which
//! type a value is, and where a macro call names an item that it makes. It is not stored.

use std::collections::{BTreeMap, BTreeSet};

use super::infer::InferenceContext;
use super::item_index::ItemIndex;
use super::observations::{Trace, Traced};
use super::references::Source;
use super::types::{Args, Bound, Def, TraitRef, Type};
use asof_model::{NodeId, RefTarget};

/// See the module. All in the order of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalFacts {
    pub variables: Vec<VariableName>,
    pub types: Vec<TypedName>,
    pub made: Vec<MadeName>,
    /// Items that calls make whose names the rules write.
    pub named_by_rules: Vec<NodeId>,
    pub uses_in_made: Vec<UseInMade>,
}

/// A variable where it is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableName {
    /// First byte.
    pub at: u32,
    /// First byte of the name that binds it.
    pub binding: u32,
}

/// The name of a variable that is bound, or of a field or method whose value is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedName {
    /// First byte.
    pub at: u32,
    /// What the type of the value consists of, from the outside in; a primitive type has its name for a
    /// path.
    pub types: Vec<RefTarget>,
}

/// The name of an item in the tokens of the call that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MadeName {
    /// First byte.
    pub at: u32,
    pub item: NodeId,
    /// Whether the name is nothing else there: all that the rules make of it are names that are known.
    pub is_only: bool,
}

/// A name in the tokens of a call that an item which the call makes uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UseInMade {
    /// First byte.
    pub at: u32,
    pub item: NodeId,
}

impl InferenceContext<'_, '_> {
    /// Replaces what is known of types by what is known at the end.
    pub(super) fn settle_trace(&mut self) {
        let Some(mut trace) = self.trace.take() else { return };
        for (_, traced) in &mut trace.found {
            if let Traced::Bound(_, ty) | Traced::Value(ty) = traced {
                *ty = self.p.normal(ty);
            }
        }
        self.trace = Some(trace);
    }
}

impl ItemIndex<'_> {
    /// The facts of a file. Of one that is the body of several modules, those of the first of them that
    /// says something of a name.
    pub fn local_facts(&self, source: &Source<'_>) -> LocalFacts {
        let names = self.names_of(source.uses);
        let mut variables = BTreeMap::new();
        let mut types = BTreeMap::new();
        let mut made = Vec::new();
        let mut unread = BTreeSet::new();
        let mut uses_in_made = BTreeSet::new();
        let mut named_by_rules = BTreeSet::new();
        for &instance in self.instances_of(source.file) {
            for one in self.items_of(source, instance) {
                let mut body = InferenceContext::new(self, source.uses, &names, one.def);
                body.trace = Some(Trace::default());
                body.item(one.def, one.item);
                body.settle_trace();
                let Some(trace) = body.trace.take() else { continue };
                let bound = trace.found.iter().filter_map(|(at, traced)| match traced {
                    Traced::Bound(variable, _) => Some((*variable, *at)),
                    _ => None,
                });
                let bound: BTreeMap<u32, u32> = bound.collect();
                let by_rules = trace.found.iter().filter_map(|(at, traced)| match traced {
                    Traced::Made(def) if *at == u32::MAX => self.node(*def).map(|node| node.id),
                    _ => None,
                });
                named_by_rules.extend(by_rules);
                for (at, traced) in trace.found.iter().filter(|(at, _)| *at != u32::MAX) {
                    match traced {
                        Traced::Bound(variable, _) | Traced::Named(variable) => {
                            let binding = bound.get(variable).filter(|at| **at != u32::MAX);
                            if let Some(binding) = binding {
                                variables.entry(*at).or_insert(*binding);
                            }
                        }
                        Traced::Unread => _ = unread.insert(*at),
                        Traced::Used(def) => {
                            let item = self.node(*def).map(|node| node.id);
                            uses_in_made.extend(item.map(|item| UseInMade { at: *at, item }));
                        }
                        Traced::Value(_) | Traced::Made(_) => {}
                    }
                    match traced {
                        Traced::Bound(_, ty) | Traced::Value(ty) => {
                            let mut named = Vec::new();
                            self.parts_of(ty, &mut named);
                            if !named.is_empty() {
                                types.entry(*at).or_insert(named);
                            }
                        }
                        Traced::Made(def) => {
                            let item = self.node(*def).map(|node| node.id);
                            made.extend(item.map(|item| MadeName { at: *at, item, is_only: true }));
                        }
                        Traced::Named(_) | Traced::Used(_) | Traced::Unread => {}
                    }
                }
            }
        }
        made.sort_unstable();
        made.dedup();
        made.iter_mut().for_each(|one| one.is_only = !unread.contains(&one.at));
        LocalFacts {
            variables: variables
                .into_iter()
                .map(|(at, binding)| VariableName { at, binding })
                .collect(),
            types: types.into_iter().map(|(at, types)| TypedName { at, types }).collect(),
            made,
            named_by_rules: named_by_rules.into_iter().collect(),
            uses_in_made: uses_in_made.into_iter().collect(),
        }
    }

    /// The definitions that a type consists of, each once.
    fn parts_of(&self, ty: &Type, out: &mut Vec<RefTarget>) {
        let each = |args: &Args, out: &mut Vec<RefTarget>| {
            args.iter().for_each(|arg| self.parts_of(arg, out));
        };
        match ty {
            Type::Adt(def, args) => {
                for (def, _) in self.each_under(*def, *def) {
                    add(out, self.target_of(def));
                }
                each(args, out);
            }
            Type::External(path, args) if ty.projected().is_none() => {
                add(out, Some(RefTarget::External(path.to_string())));
                each(args, out);
            }
            Type::External(_, args) | Type::Tuple(args) => each(args, out),
            Type::Prim(name) => add(out, Some(RefTarget::External(self.text(*name).to_owned()))),
            Type::Ref(_, to) | Type::Ptr(_, to) | Type::Slice(to) | Type::Array(to) => {
                self.parts_of(to, out);
            }
            Type::Bounded(bounds) => {
                for Bound { of, args, .. } in bounds.iter() {
                    match of {
                        TraitRef::Def(def) => add(out, self.target_of(*def)),
                        TraitRef::External(path) => {
                            add(out, Some(RefTarget::External(path.to_string())));
                        }
                        TraitRef::Unknown => {}
                    }
                    each(args, out);
                }
            }
            Type::Unknown
            | Type::Never
            | Type::Var(_)
            | Type::Fn(_)
            | Type::Param(..)
            | Type::Assoc(_) => {}
        }
    }

    fn target_of(&self, def: Def) -> Option<RefTarget> {
        if self.is_library(def) {
            return Some(RefTarget::External(self.library_name(def)));
        }
        self.node(def).map(|node| RefTarget::Node(node.id))
    }
}

fn add(out: &mut Vec<RefTarget>, target: Option<RefTarget>) {
    out.extend(target.filter(|target| !out.contains(target)));
}
