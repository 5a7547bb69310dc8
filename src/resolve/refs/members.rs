//! Member lookup: associated items, methods through dereferences, associated types.

use std::sync::Arc;

use super::super::conditions::ALWAYS;
use super::super::namespaces::{TYPES, VALUES};
use super::heads::Head;
use super::paths::PathResolver;
use super::reads;
use super::rules::Rule;
use super::types::{Args, Borrow, Bound, Def, Name, SELF, Type};
use crate::ids::ConditionId;
use asof_model::NodeKind;

/// Dereferences that are followed for one method.
const MAX_DEREFS: usize = 8;

/// Nesting of questions about traits.
pub(super) const MAX_NESTED: u32 = 10;

/// A member that was found.
#[derive(Debug, Clone)]
pub(super) struct Pick {
    pub item: Def,
    /// The condition under which it is the one.
    pub under: ConditionId,
    /// Its duplicates under other `cfg` predicates, with such conditions.
    pub also: Vec<(Def, ConditionId)>,
    /// What others of a choice return, if it is something else.
    pub returns: Vec<(Type, ConditionId)>,
    pub rule: Rule,
    /// Arguments of the generic parameters there.
    pub subst: Subst,
    /// The type that has it.
    pub on: Type,
}

impl Pick {
    /// A member without others beside it.
    pub(super) fn new(item: Def, rule: Rule, subst: Subst, on: &Type) -> Self {
        let (also, returns) = (Vec::new(), Vec::new());
        Pick { item, under: ALWAYS, also, returns, rule, subst, on: on.clone() }
    }
}

/// Arguments of generic parameters by owner, with `Self` of a trait separate.
#[derive(Debug, Clone, Default)]
pub(super) struct Subst {
    pub args: Vec<(Def, Vec<Type>)>,
    pub own: Option<(Def, Type)>,
    /// What a member of one of several types says of that one holds for whichever there is: the
    /// types, and the choice between them.
    pub choice: Option<(Arc<[Def]>, Def)>,
}

impl Subst {
    pub(super) fn apply(&self, ty: &Type) -> Type {
        ty.map(&mut |part| match part {
            Type::Param(owner, SELF) => match &self.own {
                Some((of, ty)) if of == owner => Some(ty.clone()),
                _ => None,
            },
            Type::Adt(def, args) => match &self.choice {
                Some((all, choice)) if all.contains(def) => {
                    Some(Type::Adt(*choice, args.iter().map(|arg| self.apply(arg)).collect()))
                }
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

/// What a search for a member accepts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'k> {
    pub name: Name,
    pub kinds: &'k [NodeKind],
    /// How the receiver is taken; `None` for a path, which does not need one.
    pub by: Option<Receiver<'k>>,
    part: Part,
    traits: Traits,
    pub clauses: Clauses,
    pub access: Access,
}

/// How a method takes its receiver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Receiver<'k> {
    Value,
    Ref(Borrow),
    /// `self: Rc<Self>`, `self: &Arc<Self>` and the like: the type of the receiver, and that of
    /// `Self`, to which it dereferences (Rust reference, "Methods").
    Within {
        whole: &'k Type,
        own: &'k Type,
    },
}

/// Where members are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Inherent impls; bounds of a parameter or trait object.
    Own,
    Traits,
    All,
}

/// Which traits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Traits {
    /// Those that the prelude or a known import brings.
    Brought,
    /// With all of the standard library, which may be imported in a way that is not resolved here.
    InScope,
    All,
}

/// Whether the clauses of an impl have to hold. An impl of a trait may be made by a macro that is not
/// understood, so an impl whose clauses do not seem to hold is asked after all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clauses {
    Hold,
    Any,
}

/// Which members of impls without a trait count. The compiler passes over those that it cannot see
/// from here, and so do we; they are asked for last, since code may be about to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Visible,
    Any,
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

impl PathResolver<'_, '_> {
    /// The member `name` of a type itself.
    pub(super) fn member(&mut self, ty: &Type, name: Name, spaces: u8) -> Option<Pick> {
        let (part, traits) = (Part::All, Traits::All);
        let (clauses, access) = (Clauses::Any, Access::Visible);
        let kinds = kinds(spaces);
        let wanted = Wanted { name, kinds, by: None, part, traits, clauses, access };
        // Functions and consts of a trait are named where it is in scope, as methods are called.
        let brought = Wanted { traits: Traits::Brought, ..wanted };
        if kinds != TYPE
            && let Some(pick) = self.member_at(ty, &brought, MAX_NESTED)
        {
            return Some(pick);
        }
        self.member_at(ty, &wanted, MAX_NESTED).or_else(|| {
            let wanted = Wanted { access: Access::Any, ..wanted };
            self.has_inherent(ty, name).then(|| self.member_at(ty, &wanted, MAX_NESTED))?
        })
    }

    fn has_inherent(&self, ty: &Type, name: Name) -> bool {
        Head::from_type(ty).is_some_and(|head| !self.world.inherent(&head, name).is_empty())
    }

    /// The method that `receiver.name()` calls, found as the compiler does it: for each type that
    /// dereferencing gives, first by value, then by reference; at each, items of the type itself
    /// before those of traits. Traits that are not in scope are tried last, since a name may have
    /// been brought into scope by something that is not resolved here.
    pub(super) fn method(&mut self, receiver: &Type, name: Name) -> Option<Pick> {
        let mut steps = vec![self.table.resolve(receiver)];
        while let Some(at) = steps.last()
            && steps.len() <= MAX_DEREFS
        {
            let next = match (self.deref(at), at) {
                (Some(next), _) => next,
                (None, Type::Array(of)) => Type::Slice(of.clone()),
                _ => break,
            };
            steps.push(next);
        }
        if name == Name::NONE {
            steps.iter().for_each(reads::read_type);
            return None;
        }
        let passes = [
            (Traits::Brought, Clauses::Hold, Access::Visible),
            (Traits::InScope, Clauses::Hold, Access::Visible),
            (Traits::InScope, Clauses::Any, Access::Visible),
            (Traits::InScope, Clauses::Any, Access::Any),
            (Traits::All, Clauses::Any, Access::Any),
        ];
        for (traits, clauses, access) in passes {
            let again = access == Access::Any && traits == Traits::InScope;
            if again && !steps.iter().any(|step| self.has_inherent(step, name)) {
                continue;
            }
            for (at, step) in steps.iter().enumerate().filter(|(_, step)| !is_open(step)) {
                let within = steps.get(at + 1..).unwrap_or_default();
                let [shared, mutable] = [Borrow::Shared, Borrow::Mutable]
                    .map(|kind| Type::reference(kind, step.clone()));
                // A `*mut T` is taken as a `*const T` last.
                let constant = match step {
                    Type::Ptr(Borrow::Mutable, to) => Some(Type::Ptr(Borrow::Shared, to.clone())),
                    _ => None,
                };
                for by in [step.clone(), shared, mutable].into_iter().chain(constant) {
                    if let Some(mut pick) =
                        self.received(&by, within, name, (traits, clauses, access))
                    {
                        if traits == Traits::All {
                            pick.rule = Rule::Unscoped;
                        }
                        return Some(pick);
                    }
                }
            }
        }
        None
    }

    /// The method whose receiver has this type. `within`: what it dereferences to, from the
    /// second step on.
    fn received(
        &mut self,
        receiver: &Type,
        within: &[Type],
        name: Name,
        (traits, clauses, access): (Traits, Clauses, Access),
    ) -> Option<Pick> {
        let mut owners = vec![(receiver.clone(), Receiver::Value)];
        if let Type::Ref(kind, to) = receiver {
            owners.push((self.table.resolve(to), Receiver::Ref(*kind)));
        }
        // Of methods outside of the workspace, receivers are not known beforehand.
        let may_be_outside = matches!(receiver, Type::Adt(of, _) if self.world.is_library(*of));
        if may_be_outside || self.world.has_wrapped_receiver(name) {
            let whole = receiver;
            owners.extend(within.iter().map(|own| (own.clone(), Receiver::Within { whole, own })));
        }
        for part in [Part::Own, Part::Traits] {
            for (owner, by) in &owners {
                let by = Some(*by);
                let kinds = CALLABLE;
                let wanted = Wanted { name, kinds, by, part, traits, clauses, access };
                if let Some(pick) = self.member_at(owner, &wanted, MAX_NESTED) {
                    return Some(pick);
                }
            }
        }
        None
    }

    /// The type of `*value`.
    pub(super) fn deref(&mut self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Ref(_, to) => Some(self.table.resolve(to)),
            // A pin dereferences to what its pointer does.
            Type::Adt(def, args) if Some(*def) == self.world.known.pin => {
                let pointer = self.table.resolve(args.first()?);
                self.deref(&pointer)
            }
            Type::Adt(..) | Type::Param(..) | Type::Bounded(_) | Type::Assoc(_) => {
                let deref = self.world.known.deref?;
                if !self.implements(ty, deref, MAX_NESTED) {
                    return None;
                }
                let bound = Bound::plain(deref);
                let target = self.world.known.target;
                let found = self.project(ty, Some(&bound), target, MAX_NESTED)?;
                (found != *ty).then_some(found)
            }
            _ => None,
        }
    }

    fn member_at(&mut self, ty: &Type, wanted: &Wanted<'_>, depth: u32) -> Option<Pick> {
        if wanted.name == Name::NONE || depth == 0 {
            reads::read_type(ty);
            return None;
        }
        let world = self.world;
        if let Type::Adt(choice, args) = ty
            && let Some(all) = world.choices.alternatives(*choice)
        {
            let mut pick = self.member_of_each(*choice, args, wanted, depth)?;
            (pick.on, pick.subst.choice) = (ty.clone(), Some((all, *choice)));
            return Some(pick);
        }
        let head = Head::from_type(ty);
        if wanted.part != Part::Traits {
            if let Some(head) = &head
                && let members = world.inherent(head, wanted.name)
                && let Some(pick) = self.fitting(members, ty, wanted, Rule::Member)
            {
                return Some(pick);
            }
            for bound in self.bounds_of(ty, depth) {
                if let Some(pick) = self.of_bound(ty, &bound, wanted) {
                    return Some(pick);
                }
            }
        }
        if wanted.part == Part::Own {
            return None;
        }
        if let Some(head) = head {
            let members = world.of_traits(&head, wanted.name);
            if let Some(pick) = self.fitting(members, ty, wanted, Rule::TraitImpl) {
                return Some(pick);
            }
            for of in world.traits_with(wanted.name, world.traits_of(&head)) {
                if !self.counts(of, wanted) {
                    continue;
                }
                if let Some(pick) = self.of_trait(ty, of, wanted, depth) {
                    return Some(pick);
                }
            }
        }
        // `T::Name` names a type of a bound, never one of a blanket impl.
        let unknown = matches!(ty, Type::Unknown | Type::Var(_) | Type::Never);
        if !unknown && wanted.kinds != TYPE {
            return self.of_blanket(ty, wanted, depth);
        }
        None
    }

    /// The member of each of several types that has it: the first with the others beside it.
    fn member_of_each(
        &mut self,
        choice: Def,
        args: &Args,
        wanted: &Wanted<'_>,
        depth: u32,
    ) -> Option<Pick> {
        let world = self.world;
        let mut first: Option<Pick> = None;
        for (def, under) in world.each_under(self.def, choice) {
            if world.excludes(self.def, def) || world.excludes_import(self.def, under) {
                continue;
            }
            let mark = self.table.mark();
            let found = self.member_at(&Type::Adt(def, args.clone()), wanted, depth);
            let Some(mut found) = found else { continue };
            found.under = world.joined.and(found.under, under);
            for (_, of) in &mut found.also {
                *of = world.joined.and(*of, under);
            }
            let Some(first) = &mut first else {
                first = Some(found);
                continue;
            };
            if let Some(ret) = &world.sig(found.item).ty {
                let ret = found.subst.apply(ret);
                first.returns.push((self.table.resolve(&ret), found.under));
            }
            self.table.undo(mark);
            for (item, of) in [(found.item, found.under)].into_iter().chain(found.also) {
                if item == first.item {
                    first.under = world.joined.or(first.under, of);
                } else if let Some((_, known)) = first.also.iter_mut().find(|one| one.0 == item) {
                    *known = world.joined.or(*known, of);
                } else {
                    first.also.push((item, of));
                }
            }
        }
        first
    }

    /// Whether a trait counts: its methods can be called where it is in scope.
    pub(super) fn counts(&mut self, of: Def, wanted: &Wanted<'_>) -> bool {
        match wanted.traits {
            Traits::Brought => self.brings(of),
            Traits::InScope => self.world.in_scope(self.scope, of),
            Traits::All => true,
        }
    }

    /// Whether a method takes its receiver as wanted.
    pub(super) fn takes(&self, method: Def, wanted: &Wanted<'_>) -> bool {
        let Some(by) = wanted.by else { return true };
        let sig = self.world.sig(method);
        let Some(first) = sig.params.first().filter(|_| sig.receiver) else { return false };
        let own = || {
            let owner = self.world.owner(method)?;
            match self.world.kind(owner) {
                NodeKind::Trait => Some(Type::Param(owner, SELF)),
                _ => self.world.sig(owner).ty.clone(),
            }
        };
        let Some(own) = own() else { return false };
        match by {
            Receiver::Value => *first == own,
            Receiver::Ref(by) => {
                matches!(first, Type::Ref(kind, to) if kind.meets(by) && **to == own)
            }
            Receiver::Within { whole, own: owner } => {
                let is_plain = *first == own || matches!(first, Type::Ref(_, to) if **to == own);
                !is_plain && self.is_around(first, &own, whole, owner)
            }
        }
    }

    /// Whether a declared type is that of a receiver, with `Self` in the place of its owner.
    fn is_around(&self, declared: &Type, own: &Type, whole: &Type, owner: &Type) -> bool {
        let whole = self.table.resolve(whole);
        if declared == own {
            return whole == *owner;
        }
        match (declared, &whole) {
            (Type::Ref(kind, to), Type::Ref(by, part)) => {
                kind.meets(*by) && self.is_around(to, own, part, owner)
            }
            (Type::Adt(def, args), Type::Adt(by, parts)) if def == by => {
                let holds = |(arg, part): (&Type, &Type)| self.is_around(arg, own, part, owner);
                // What follows the pointer's target is no part of the receiver: an allocator.
                args.iter().zip(parts.iter()).take(1).all(holds)
            }
            _ => false,
        }
    }

    /// Fits an impl to a type; returns the arguments of its generic parameters.
    pub(super) fn matches(&mut self, of: Def, ty: &Type) -> Option<Subst> {
        let sig = self.world.sig(of);
        let params: Vec<Type> = sig.generics.iter().map(|_| self.table.fresh()).collect();
        let mut subst = Subst { args: vec![(of, params)], ..Subst::default() };
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
    fn of_trait(&mut self, ty: &Type, of: Def, wanted: &Wanted<'_>, depth: u32) -> Option<Pick> {
        let world = self.world;
        let item = world.child(of, wanted.name, wanted.kinds)?;
        if !self.takes(item, wanted) {
            return None;
        }
        let mut subst = Subst { own: Some((of, ty.clone())), ..Subst::default() };
        let impls = Head::from_type(ty).map_or(&[][..], |head| world.impls_of(&head, of));
        if !impls.is_empty() {
            let mut fits: Vec<Def> = Vec::new();
            for &one in impls {
                // Its own item takes the receiver in another way.
                let has_own = !world.is_library(one)
                    && wanted.by.is_some()
                    && world.child(one, wanted.name, wanted.kinds).is_some();
                let mark = self.table.mark();
                let fit = !has_own && self.matches(one, ty).is_some();
                let fit = fit && self.nested_holds(one, ty, depth);
                self.table.undo(mark);
                if fit && (wanted.clauses == Clauses::Any || self.clauses_hold(one, ty)) {
                    fits.push(one);
                }
                if fits.len() > 1 {
                    break;
                }
            }
            subst.args = match fits.as_slice() {
                [] => return None,
                [only] => self.matches(*only, ty)?.args,
                // Which impl is meant depends on the arguments.
                _ => {
                    let count = super::lower::generic_names(world, of).len();
                    vec![(of, (0..count).map(|_| self.table.fresh()).collect())]
                }
            };
        }
        Some(Pick::new(item, Rule::Bound, subst, ty))
    }

    /// A member of a trait that bounds the type, or of one of its supertraits.
    fn of_bound(&mut self, ty: &Type, bound: &Bound, wanted: &Wanted<'_>) -> Option<Pick> {
        let of = bound.def()?;
        let item = self.world.child(of, wanted.name, wanted.kinds)?;
        if !self.takes(item, wanted) {
            return None;
        }
        let args = vec![(of, bound.args.to_vec())];
        let subst = Subst { args, own: Some((of, ty.clone())), choice: None };
        Some(Pick::new(item, Rule::Bound, subst, ty))
    }

    /// A member of a trait that is implemented for every type with certain bounds.
    fn of_blanket(&mut self, ty: &Type, wanted: &Wanted<'_>, depth: u32) -> Option<Pick> {
        let world = self.world;
        let (name, kinds) = (wanted.name, wanted.kinds);
        for of in world.traits_with(name, &world.impls.blanket_traits) {
            let Some(declared) = world.child(of, name, kinds) else { continue };
            // Out of scope, an impl for every type is no evidence.
            let is_method = wanted.by.is_some();
            let traits = if is_method { Traits::InScope.min(wanted.traits) } else { wanted.traits };
            if !self.takes(declared, wanted) || !self.counts(of, &Wanted { traits, ..*wanted }) {
                continue;
            }
            for one in world.blanket_impls(of) {
                let mark = self.table.mark();
                let Some(subst) = self.matches(one, ty) else { continue };
                if self.holds(one, ty, depth - 1) {
                    let own = world.child(one, name, kinds);
                    let item = match own {
                        Some(own) if !world.is_library(own) && kinds != TYPE => own,
                        _ => declared,
                    };
                    return Some(Pick::new(item, Rule::Bound, subst, ty));
                }
                self.table.undo(mark);
            }
        }
        None
    }
}

/// Whether nothing is known of a type but that it is a reference.
fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Ref(_, to) => is_open(to),
        Type::Unknown | Type::Var(_) | Type::Never => true,
        _ => false,
    }
}
