//! Members of types: associated items, methods through dereferences, associated types.

use super::super::scope::{TYPES, VALUES};
use super::impls::{Head, Member};
use super::paths::Paths;
use super::rules::Rule;
use super::types::{Bound, Def, Name, SELF, TraitRef, Type};
use crate::model::NodeKind;

/// Dereferences that are followed for one method.
const MAX_DEREFS: usize = 8;

/// Nesting of questions about traits.
pub(super) const MAX_NESTED: u32 = 6;

/// A member that was found.
#[derive(Debug, Clone)]
pub(super) struct Pick {
    pub item: Def,
    /// Its duplicates under other `cfg` predicates.
    pub also: Vec<Def>,
    pub rule: Rule,
    /// Arguments of the generic parameters there.
    pub subst: Subst,
    /// The type that has it.
    pub on: Type,
}

/// Arguments of generic parameters by owner, with `Self` of a trait separate.
#[derive(Debug, Clone, Default)]
pub(super) struct Subst {
    pub args: Vec<(Def, Vec<Type>)>,
    pub own: Option<(Def, Type)>,
}

impl Subst {
    pub(super) fn apply(&self, ty: &Type) -> Type {
        ty.map(&mut |part| match part {
            Type::Param(owner, SELF) => match &self.own {
                Some((of, ty)) if of == owner => Some(ty.clone()),
                _ => None,
            },
            Type::Param(owner, at) => {
                let (_, args) = self.args.iter().find(|(of, _)| of == owner)?;
                args.get(*at as usize).cloned()
            }
            _ => None,
        })
    }
}

const CALLABLE: &[NodeKind] = &[NodeKind::Method];
pub(super) const VALUE: &[NodeKind] = &[NodeKind::Method, NodeKind::AssocConst];
pub(super) const TYPE: &[NodeKind] = &[NodeKind::AssocType];

fn kinds(spaces: u8) -> &'static [NodeKind] {
    match (spaces & VALUES != 0, spaces & TYPES != 0) {
        (true, _) => VALUE,
        _ => TYPE,
    }
}

/// The intersection of two sorted lists.
fn common<'d>(some: Option<&'d Vec<Def>>, others: &'d [Def]) -> impl Iterator<Item = Def> + 'd {
    let some = some.map_or(&[][..], Vec::as_slice);
    let (short, long) = if some.len() < others.len() { (some, others) } else { (others, some) };
    short.iter().copied().filter(|def| long.binary_search(def).is_ok())
}

impl Paths<'_, '_> {
    /// The member `name` of a type itself.
    pub(super) fn member(&mut self, ty: &Type, name: Name, spaces: u8) -> Option<Pick> {
        self.member_at(ty, name, kinds(spaces), false, MAX_NESTED)
    }

    /// The method that `receiver.name()` calls, with dereferences as needed.
    pub(super) fn method(&mut self, receiver: &Type, name: Name) -> Option<Pick> {
        let mut at = self.table.resolve(receiver);
        for _ in 0..MAX_DEREFS {
            let by_value = matches!(at, Type::Ref(_));
            if let Some(pick) = self.member_at(&at, name, CALLABLE, by_value, MAX_NESTED) {
                return Some(pick);
            }
            at = match self.deref(&at) {
                Some(next) => next,
                None => match &at {
                    Type::Array(of) => Type::Slice(of.clone()),
                    _ => return None,
                },
            };
        }
        None
    }

    /// The type of `*value`.
    pub(super) fn deref(&mut self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Ref(to) => Some(self.table.resolve(to)),
            Type::Adt(..) | Type::Param(..) | Type::Bounded(_) | Type::Assoc(_) => {
                let deref = self.world.known.deref?;
                if !self.implements(ty, deref, MAX_NESTED) {
                    return None;
                }
                let bound = Bound {
                    of: TraitRef::Def(deref),
                    args: super::types::none(),
                    assoc: Vec::new(),
                };
                let target = self.world.known.target;
                let found = self.project(ty, Some(&bound), target, MAX_NESTED)?;
                (found != *ty).then_some(found)
            }
            _ => None,
        }
    }

    fn member_at(
        &mut self,
        ty: &Type,
        name: Name,
        kinds: &[NodeKind],
        by_value: bool,
        depth: u32,
    ) -> Option<Pick> {
        if name == u32::MAX || depth == 0 {
            return None;
        }
        if let Some(head) = Head::of(ty) {
            let world = self.world;
            let key = (head, name);
            if let Some(members) = world.impls.inherent.get(&key)
                && let Some(pick) = self.fitting(members, ty, kinds, by_value, Rule::Member)
            {
                return Some(pick);
            }
            if let Some(members) = world.impls.of_traits.get(&key)
                && let Some(pick) = self.fitting(members, ty, kinds, by_value, Rule::TraitImpl)
            {
                return Some(pick);
            }
            if let Some(traits) = world.impls.traits.get(&key.0) {
                for of in common(world.traits_with.get(&name), traits) {
                    if let Some(pick) = self.of_trait(ty, of, name, kinds, by_value, depth) {
                        return Some(pick);
                    }
                }
            }
        }
        for bound in self.bounds_of(ty, depth) {
            if let Some(pick) = self.of_bound(ty, &bound, name, kinds, by_value) {
                return Some(pick);
            }
        }
        if !matches!(ty, Type::Unknown | Type::Var(_) | Type::Never) {
            return self.of_blanket(ty, name, kinds, by_value, depth);
        }
        None
    }

    /// The first of these members whose impl is for the type, and its `cfg` duplicates.
    fn fitting(
        &mut self,
        members: &[Member],
        ty: &Type,
        kinds: &[NodeKind],
        by_value: bool,
        rule: Rule,
    ) -> Option<Pick> {
        let world = self.world;
        let mut found: Option<Pick> = None;
        for member in members {
            if !kinds.contains(&world.kind(member.item)) {
                continue;
            }
            if by_value && self.borrows(member.item) {
                continue;
            }
            if let Some(pick) = &mut found {
                // A duplicate under another `cfg`: the same header again.
                let twin = world.item_tree(member.of).map(|item_tree| &item_tree.name)
                    == world
                        .parent(pick.item)
                        .and_then(|of| world.item_tree(of))
                        .map(|item_tree| &item_tree.name);
                if twin {
                    pick.also.push(member.item);
                }
                continue;
            }
            let mark = self.table.mark();
            let fits = self.matches(member.of, ty);
            let Some(subst) = fits.filter(|_| self.nested_holds(member.of, ty, MAX_NESTED)) else {
                self.table.undo(mark);
                continue;
            };
            // An item of the library's own impls is that of the trait, and `Self::Name` is the
            // trait's everywhere.
            let item = match world.is_library(member.of) || kinds == TYPE {
                true => self.declared(member, kinds).unwrap_or(member.item),
                false => member.item,
            };
            found = Some(Pick { item, also: Vec::new(), rule, subst, on: ty.clone() });
        }
        found
    }

    /// The item of the trait that a member of an impl implements.
    fn declared(&self, member: &Member, kinds: &[NodeKind]) -> Option<Def> {
        let of = self.world.sig(member.of).of_trait.as_ref()?.def()?;
        self.world.child(of, self.world.name(member.item), kinds)
    }

    /// Whether a method takes its receiver by reference.
    fn borrows(&self, method: Def) -> bool {
        let sig = self.world.sig(method);
        sig.receiver && matches!(sig.params.first(), Some(Type::Ref(_)))
    }

    /// Fits an impl to a type; returns the arguments of its generic parameters.
    pub(super) fn matches(&mut self, of: Def, ty: &Type) -> Option<Subst> {
        let sig = self.world.sig(of);
        let params: Vec<Type> = sig.generics.iter().map(|_| self.table.fresh()).collect();
        let mut subst = Subst { args: vec![(of, params)], own: None };
        let header = subst.apply(sig.ty.as_ref()?);
        if !self.table.unify(&header, ty) {
            return None;
        }
        if let Some(bound) = &sig.of_trait
            && let Some(of) = bound.def()
        {
            let args = bound.args.iter().map(|arg| subst.apply(arg)).collect();
            subst.args.push((of, args));
            subst.own = Some((of, ty.clone()));
        }
        Some(subst)
    }

    /// A member of a trait that the type has an impl or derive of.
    fn of_trait(
        &mut self,
        ty: &Type,
        of: Def,
        name: Name,
        kinds: &[NodeKind],
        by_value: bool,
        depth: u32,
    ) -> Option<Pick> {
        let world = self.world;
        let item = world.child(of, name, kinds)?;
        if by_value && self.borrows(item) {
            return None;
        }
        let mut subst = Subst { args: Vec::new(), own: Some((of, ty.clone())) };
        if let Some(impls) = Head::of(ty).and_then(|head| world.impls.pairs.get(&(head, of))) {
            let mut fits = false;
            for &one in impls {
                let mark = self.table.mark();
                if let Some(found) = self.matches(one, ty)
                    && self.nested_holds(one, ty, depth)
                {
                    subst.args = found.args;
                    fits = depth > 0;
                    break;
                }
                self.table.undo(mark);
            }
            if !fits {
                return None;
            }
        }
        Some(Pick { item, also: Vec::new(), rule: Rule::Bound, subst, on: ty.clone() })
    }

    /// A member of a trait that bounds the type, or of one of its supertraits.
    fn of_bound(
        &mut self,
        ty: &Type,
        bound: &Bound,
        name: Name,
        kinds: &[NodeKind],
        by_value: bool,
    ) -> Option<Pick> {
        let of = bound.def()?;
        let item = self.world.child(of, name, kinds)?;
        if by_value && self.borrows(item) {
            return None;
        }
        let subst = Subst { args: vec![(of, bound.args.to_vec())], own: Some((of, ty.clone())) };
        Some(Pick { item, also: Vec::new(), rule: Rule::Bound, subst, on: ty.clone() })
    }

    /// A member of a trait that is implemented for every type with certain bounds.
    fn of_blanket(
        &mut self,
        ty: &Type,
        name: Name,
        kinds: &[NodeKind],
        by_value: bool,
        depth: u32,
    ) -> Option<Pick> {
        let world = self.world;
        for of in common(world.traits_with.get(&name), &world.impls.blanket_traits) {
            let Some(declared) = world.child(of, name, kinds) else { continue };
            if by_value && self.borrows(declared) {
                continue;
            }
            for &one in world.impls.blanket.get(&of).into_iter().flatten() {
                let mark = self.table.mark();
                let Some(subst) = self.matches(one, ty) else { continue };
                if self.holds(one, ty, depth - 1) {
                    let own = world.child(one, name, kinds);
                    let item = match own {
                        Some(own) if !world.is_library(own) && kinds != TYPE => own,
                        _ => declared,
                    };
                    let rule = Rule::Bound;
                    return Some(Pick { item, also: Vec::new(), rule, subst, on: ty.clone() });
                }
                self.table.undo(mark);
            }
        }
        None
    }
}
