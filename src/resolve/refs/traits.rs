//! Trait solving: which traits a type implements, and the values of associated types.

use std::sync::Arc;

use super::heads::Head;
use super::lower::generic_names;
use super::members::{MAX_NESTED, Subst, TYPE, VALUE};
use super::paths::PathResolver;
use super::types::{Bound, Def, Name, SELF, Sig, TraitRef, Type};
use super::unify::has_vars;
use asof_model::NodeKind;

impl PathResolver<'_, '_> {
    /// Whether the bounds of a blanket impl hold for the type.
    pub(super) fn holds(&mut self, of: Def, ty: &Type, depth: u32) -> bool {
        let sig = self.world.sig(of);
        let Some(param) = &sig.ty else { return false };
        sig.preds.iter().filter(|(on, _)| on == param).all(|(_, bounds)| {
            bounds.iter().all(|bound| match &bound.of {
                TraitRef::Def(of) => self.implements(ty, *of, depth),
                TraitRef::External(path) => self.implements_external(ty, path),
                TraitRef::Unknown => false,
            })
        })
    }

    /// Whether a type may have a trait that is not in the item index. Of the workspace's own types all
    /// impls and derives are known; types from outside are given the benefit of the doubt.
    fn implements_external(&mut self, ty: &Type, path: &str) -> bool {
        let world = self.world;
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        let named = |of: &TraitRef| match of {
            TraitRef::External(other) => last(other) == last(path),
            _ => false,
        };
        match ty {
            Type::Unknown | Type::Var(_) | Type::Never => false,
            Type::Param(..) | Type::Bounded(_) | Type::Assoc(_) => {
                self.bounds_of(ty, 4).iter().any(|bound| named(&bound.of))
            }
            Type::Adt(def, _) if !world.is_library(*def) => {
                let head = Head::Def(*def);
                let impls = world.outside_impls(&head).iter();
                let mut traits = impls.filter_map(|one| world.sig(*one).of_trait.clone());
                traits.any(|bound| named(&bound.of)) || world.sig(*def).derives.iter().any(named)
            }
            _ => true,
        }
    }

    /// Bounds of a type parameter, trait object or the like, those of supertraits included.
    pub(super) fn bounds_of(&mut self, ty: &Type, depth: u32) -> Vec<Bound> {
        let world = self.world;
        let mut found: Vec<Bound> = Vec::new();
        match ty {
            Type::Bounded(bounds) => found.extend(bounds.iter().cloned()),
            Type::Param(of, SELF) => {
                let names = generic_names(world, *of).len() as u32;
                let args = (0..names).map(|at| Type::Param(*of, at)).collect();
                found.push(Bound { of: TraitRef::Def(*of), args, assoc: Vec::new() });
            }
            Type::Param(..) => {}
            Type::Assoc(of) => {
                // Bounds of the associated type where it is declared.
                let (base, bound, name) = &**of;
                let bounds = match bound {
                    Some(bound) => vec![bound.clone()],
                    None if depth > 0 => self.bounds_of(base, depth - 1),
                    None => Vec::new(),
                };
                for bound in bounds {
                    let Some(of) = bound.def() else { continue };
                    if let Some(item) = world.child(of, *name, TYPE) {
                        found.extend(world.sig(item).bounds.iter().cloned());
                    }
                }
            }
            _ => return found,
        }
        for owner in self.owners.clone() {
            let sig = world.sig(owner);
            let preds = sig.preds.iter().filter(|(on, _)| self.same(on, ty));
            found.extend(preds.flat_map(|(_, bounds)| bounds.iter().cloned()));
        }
        let mut at = 0;
        while let Some(bound) = found.get(at).cloned() {
            at += 1;
            let Some(of) = bound.def() else { continue };
            if at > 32 {
                break;
            }
            let sig: Arc<Sig> = world.sig(of);
            let subst = Subst {
                args: vec![(of, bound.args.to_vec())],
                own: Some((of, ty.clone())),
                choice: None,
            };
            for above in &sig.bounds {
                let above = above.map(&mut |part| match part {
                    Type::Param(..) => Some(subst.apply(part)),
                    _ => None,
                });
                if !found.iter().any(|known| known.of == above.of) {
                    found.push(above);
                }
            }
        }
        found
    }

    /// Whether a predicate's subject is this type.
    fn same(&self, on: &Type, ty: &Type) -> bool {
        match (on, ty) {
            (Type::Assoc(a), Type::Assoc(b)) => a.0 == b.0 && a.2 == b.2,
            _ => on == ty,
        }
    }

    /// Whether a type is known to have this trait.
    pub(super) fn implements(&mut self, ty: &Type, of: Def, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let ty = self.table.shallow(ty);
        if matches!(ty, Type::Unknown | Type::Var(_)) {
            return false;
        }
        let world = self.world;
        let is_callable = matches!(ty, Type::Fn(_)) && world.known.of_callables.contains(&of);
        if world.known.autos.contains(&of) || is_callable {
            return true;
        }
        if let Some(head) = Head::from_type(&ty) {
            let impls = world.impls_of(&head, of);
            for &one in impls {
                let mark = self.table.mark();
                let fits = self.matches(one, &ty).is_some();
                self.table.undo(mark);
                if fits && self.nested_holds(one, &ty, depth) {
                    return true;
                }
            }
            if impls.is_empty() && world.traits_of(&head).binary_search(&of).is_ok() {
                return true;
            }
        }
        if self.bounds_of(&ty, depth - 1).iter().any(|bound| bound.def() == Some(of)) {
            return true;
        }
        world.blanket_impls(of).any(|one| self.holds(one, &ty, depth - 1))
    }

    /// `impl<I: Iterator> Iterator for &mut I`: bounds of the inner type.
    pub(super) fn nested_holds(&mut self, of: Def, ty: &Type, depth: u32) -> bool {
        let sig = self.world.sig(of);
        let boxed = self.world.known.boxed;
        let (inner, own) = match (&sig.ty, ty) {
            (Some(Type::Ref(_, inner)), Type::Ref(_, own)) => (&**inner, &**own),
            (Some(Type::Adt(of, inner)), Type::Adt(_, own)) if Some(*of) == boxed => {
                match (inner.first(), own.first()) {
                    (Some(inner), Some(own)) => (inner, own),
                    _ => return true,
                }
            }
            _ => return true,
        };
        if depth == 0 {
            return false;
        }
        sig.preds.iter().filter(|(on, _)| on == inner).all(|(_, bounds)| {
            bounds.iter().filter_map(Bound::def).all(|of| self.implements(own, of, depth - 1))
        })
    }

    /// Whether the bounds of an impl hold for a type, as far as both are known.
    pub(super) fn clauses_hold(&mut self, of: Def, ty: &Type) -> bool {
        let mark = self.table.mark();
        let Some(subst) = self.matches(of, ty) else { return false };
        let sig = self.world.sig(of);
        let mut holds = true;
        for (on, bounds) in &sig.preds {
            let on = subst.apply(on);
            let on = self.normal(&on);
            if matches!(on, Type::Unknown | Type::Var(_) | Type::Never | Type::Assoc(_)) {
                continue;
            }
            // Impls of the library are not all known.
            let own = bounds.iter().filter_map(Bound::def).filter(|of| !self.world.is_library(*of));
            let own: Vec<Def> = own.collect();
            holds &= own.into_iter().all(|of| self.implements(&on, of, MAX_NESTED - 1));
        }
        self.table.undo(mark);
        holds
    }

    /// The item of a trait's impl for a type.
    pub(super) fn implemented(&mut self, ty: &Type, of: Def, name: Name) -> Option<Def> {
        let ty = self.table.resolve(ty);
        let head = Head::from_type(&ty)?;
        for &one in self.world.impls_of(&head, of) {
            let mark = self.table.mark();
            let fits = self.matches(one, &ty).is_some();
            self.table.undo(mark);
            if fits && let Some(item) = self.world.child(one, name, VALUE) {
                return Some(item);
            }
        }
        None
    }

    /// The type `<ty as bound>::name`, if it can be determined.
    pub(super) fn project(
        &mut self,
        ty: &Type,
        bound: Option<&Bound>,
        name: Name,
        depth: u32,
    ) -> Option<Type> {
        if depth == 0 {
            return None;
        }
        let world = self.world;
        let ty = self.table.resolve(ty);
        let wanted = bound.and_then(Bound::def);
        if let Type::Fn(callable) = &ty
            && name == world.known.output
        {
            return Some(callable.ret.clone());
        }
        for known in self.bounds_of(&ty, depth - 1) {
            if wanted.is_some() && known.def() != wanted {
                continue;
            }
            if let Some((_, found)) = known.assoc.iter().find(|(of, _)| *of == name) {
                return Some(self.normal_in(found, depth - 1));
            }
        }
        let members = Head::from_type(&ty).map_or(&[][..], |head| world.of_traits(&head, name));
        let mut fitting: Vec<_> = Vec::new();
        for member in members {
            let of_trait = &world.sig(member.of).of_trait;
            let of = of_trait.as_ref().and_then(Bound::def);
            if world.kind(member.item) == NodeKind::AssocType && (wanted.is_none() || of == wanted)
            {
                fitting.push((of_trait.as_ref().is_some_and(is_general), *member));
            }
        }
        // An impl for these arguments of the trait comes before one for any.
        fitting.sort_by_key(|(general, _)| *general);
        for (_, member) in fitting {
            let sig = world.sig(member.of);
            let mark = self.table.mark();
            if let Some(subst) = self.matches(member.of, &ty)
                && self.unify_args(&sig, &subst, bound)
                && self.nested_holds(member.of, &ty, depth)
            {
                let found = subst.apply(world.sig(member.item).ty.as_ref()?);
                if has_vars(&self.table.resolve(&found)) {
                    self.unify_clauses(&sig, &subst, depth);
                }
                return Some(self.normal_in(&found, depth - 1));
            }
            self.table.undo(mark);
        }
        if matches!(ty, Type::Param(..) | Type::Unknown | Type::Var(_)) {
            return None;
        }
        // Blanket impls are not, and derives are not.
        for &of in &world.impls.blanket_traits {
            if wanted.is_some_and(|wanted| wanted != of) {
                continue;
            }
            for one in world.blanket_impls(of) {
                let Some(item) = world.child(one, name, TYPE) else { continue };
                if !self.holds(one, &ty, depth - 1) {
                    continue;
                }
                if let Some(subst) = self.matches(one, &ty) {
                    let found = subst.apply(world.sig(item).ty.as_ref()?);
                    return Some(self.normal_in(&found, depth - 1));
                }
            }
        }
        None
    }

    /// Whether the arguments of the trait in an impl can be those of a bound.
    fn unify_args(&mut self, sig: &Sig, subst: &Subst, bound: Option<&Bound>) -> bool {
        let (Some(own), Some(bound)) = (&sig.of_trait, bound) else { return true };
        own.args.iter().zip(bound.args.iter()).all(|(a, b)| {
            let a = subst.apply(a);
            self.table.unify(&a, b)
        })
    }

    /// What associated types in the clauses of an impl say of its parameters: `T` in
    /// `I: Iterator<Item = &'a T>`, `B` in `F: FnMut(A) -> B`.
    fn unify_clauses(&mut self, sig: &Sig, subst: &Subst, depth: u32) {
        for (on, bounds) in &sig.preds {
            if bounds.iter().any(|bound| !bound.assoc.is_empty()) {
                let on = self.table.resolve(&subst.apply(on));
                self.unify_assoc(&on, bounds, subst, depth);
            }
        }
    }

    fn unify_assoc(&mut self, on: &Type, bounds: &[Bound], subst: &Subst, depth: u32) {
        if depth == 0 || matches!(on, Type::Unknown | Type::Var(_)) {
            return;
        }
        for bound in bounds {
            for (name, wanted) in &bound.assoc {
                let of = Bound { assoc: Vec::new(), ..bound.clone() }.map(&mut |part| match part {
                    Type::Param(..) => Some(subst.apply(part)),
                    _ => None,
                });
                let Some(found) = self.project(on, Some(&of), *name, depth - 1) else { continue };
                match wanted {
                    // `Item: IntoIterator<…>`.
                    Type::Bounded(inner) => self.unify_assoc(&found, inner, subst, depth),
                    wanted => {
                        self.table.unify(&subst.apply(wanted), &found);
                    }
                }
            }
        }
    }

    /// The type as known now, with associated types resolved.
    pub(super) fn normal(&mut self, ty: &Type) -> Type {
        self.normal_in(ty, MAX_NESTED)
    }

    fn normal_in(&mut self, ty: &Type, depth: u32) -> Type {
        let ty = self.table.resolve(ty);
        if depth == 0 || !has_assoc(&ty) {
            return ty;
        }
        ty.map(&mut |part| {
            let Type::Assoc(of) = part else { return None };
            let (base, bound, name) = &**of;
            let base = self.normal_in(base, depth - 1);
            if let Some(found) = self.project(&base, bound.as_ref(), *name, depth - 1) {
                return Some(found);
            }
            Some(Type::Assoc(Arc::new((base, bound.clone(), *name))))
        })
    }
}

/// Whether the arguments of a trait have parameters of the impl in them.
fn is_general(of: &Bound) -> bool {
    of.any_part(&mut |arg| arg.any(&mut |part| matches!(part, Type::Param(..))))
}

fn has_assoc(ty: &Type) -> bool {
    ty.any(&mut |part| matches!(part, Type::Assoc(_)))
}
