//! Types, fields and functions that stand for several alternatives, one in each build, with the
//! conditions of each.

use std::sync::Arc;

use super::super::conditions::ALWAYS;
use super::choices::{Choice, MAX_ALTERNATIVES, Share};
use super::item_index::ItemIndex;
use super::reads;
use super::types::{Callable, Def, Name, Type};
use crate::ids::ConditionId;
use asof_model::NodeKind;

/// Nesting of types whose parts are compared.
const MAX_DEPTH: u32 = 6;

impl ItemIndex<'_> {
    /// Each of a choice, with the condition under which it is the one as the text of a definition
    /// sees it; of a definition, itself.
    pub(super) fn each_under(&self, user: Def, def: Def) -> Vec<(Def, ConditionId)> {
        match self.choices.choice(def) {
            Some(choice) => {
                let seen = |(def, under): &(Def, ConditionId)| {
                    (*def, self.seen_from(user, choice.at, *under))
                };
                choice.of.iter().map(seen).collect()
            }
            None => vec![(def, ALWAYS)],
        }
    }

    /// Whether a choice says when each of its types is the one.
    pub(super) fn is_told(&self, def: Def) -> bool {
        let choice = self.choices.choice(def);
        choice.is_some_and(|choice| choice.of.iter().all(|(_, under)| *under != ALWAYS))
    }

    /// The condition of a definition as the text of another one sees it.
    pub(super) fn condition_of(&self, user: Def, def: Def) -> ConditionId {
        reads::read(def);
        let own = self.node(def).filter(|_| !self.is_library(def));
        own.map_or(ALWAYS, |node| self.seen_from(user, def, node.condition))
    }

    /// One type for several that a text may mean, with the conditions under which it means them. Types
    /// that are not alike are no choice: then it is that of the workspace, or the first.
    pub(super) fn choice_of(&self, user: Def, types: &[(Type, ConditionId)], share: Share) -> Type {
        self.choice_in(user, types, share, MAX_DEPTH)
    }

    fn choice_in(
        &self,
        user: Def,
        types: &[(Type, ConditionId)],
        share: Share,
        depth: u32,
    ) -> Type {
        let is_own = |ty: &Type| matches!(ty, Type::Adt(def, _) if !self.is_library(*def));
        let own = types.iter().find(|(ty, _)| is_own(ty));
        let Some((first, _)) = own.or(types.first()) else { return Type::Unknown };
        if depth == 0 || types.iter().all(|(ty, under)| ty == first && *under == ALWAYS) {
            return first.clone();
        }
        // The parts of types that are alike around them.
        let parts = |part: &dyn Fn(&Type) -> Option<Type>| {
            let parts = types.iter().filter_map(|(ty, under)| Some((part(ty)?, *under)));
            let parts: Vec<(Type, ConditionId)> = parts.collect();
            let share = if parts.len() < types.len() { Share::Some } else { share };
            self.choice_in(user, &parts, share, depth - 1)
        };
        match first {
            Type::Ref(kind, _) => {
                let part = parts(&|ty| match ty {
                    Type::Ref(of, to) if of == kind => Some((**to).clone()),
                    _ => None,
                });
                Type::Ref(*kind, Arc::new(part))
            }
            Type::Adt(def, args) if self.is_library(*def) => {
                let each = |at: usize| {
                    parts(&|ty| match ty {
                        Type::Adt(of, with) if of == def => with.get(at).cloned(),
                        _ => None,
                    })
                };
                Type::Adt(*def, (0..args.len()).map(each).collect())
            }
            Type::Adt(def, args) => {
                let alike = |(ty, under): &(Type, ConditionId)| match ty {
                    Type::Adt(of, with) if with.len() == args.len() => Some((*of, *under)),
                    _ => None,
                };
                let all: Vec<(Def, ConditionId)> = types.iter().filter_map(alike).collect();
                let share = if all.len() < types.len() { Share::Some } else { share };
                Type::Adt(self.between(user, &all, share).unwrap_or(*def), args.clone())
            }
            _ => first.clone(),
        }
    }

    /// The choice between definitions, some of which may be choices themselves. None of none.
    fn between(&self, user: Def, defs: &[(Def, ConditionId)], share: Share) -> Option<Def> {
        let mut all: Vec<(Def, ConditionId)> = Vec::new();
        for (def, under) in defs {
            for (one, own) in self.each_under(user, *def) {
                let both = self.joined.and(*under, own);
                match all.iter_mut().find(|(known, _)| *known == one) {
                    Some((_, known)) => *known = self.joined.or(*known, both),
                    None => all.push((one, both)),
                }
            }
        }
        let (first, under) = all.iter().min().copied()?;
        let is_plain = all.len() == 1 && (share == Share::All || under == ALWAYS);
        if is_plain || all.len() > MAX_ALTERNATIVES {
            return Some(first);
        }
        self.choices.number(Choice::new(all, self.root(user))).or(Some(first))
    }

    /// The function that each build has one of: it returns what one of them does.
    pub(super) fn one_callable(&self, user: Def, all: Vec<(Type, ConditionId)>) -> Type {
        let returned = |(ty, under): &(Type, ConditionId)| match ty {
            Type::Fn(of) => Some((of.ret.clone(), *under)),
            _ => None,
        };
        let returns: Vec<(Type, ConditionId)> = all.iter().filter_map(returned).collect();
        match all.into_iter().next() {
            Some((Type::Fn(first), _)) => {
                let ret = self.choice_of(user, &returns, Share::All);
                Type::Fn(Arc::new(Callable { ret, ..(*first).clone() }))
            }
            first => first.map_or(Type::Unknown, |(ty, _)| ty),
        }
    }

    /// The fields of a name that each type of a choice has, with the conditions under which the type
    /// is that one. A type may have several under different conditions.
    pub(super) fn fields(&self, user: Def, def: Def, name: Name) -> Vec<(Def, ConditionId)> {
        let mut found: Vec<(Def, ConditionId)> = Vec::new();
        for (one, under) in self.each_under(user, def) {
            let mut own = self.children_named(one, name, NodeKind::Field);
            own.retain(|field| !self.excludes(user, *field));
            if own.is_empty() {
                own.extend(self.field(one, name));
            }
            if !self.excludes_import(user, under) {
                found.extend(own.into_iter().take(MAX_ALTERNATIVES).map(|field| (field, under)));
            }
        }
        found
    }
}
