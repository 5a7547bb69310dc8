//! Coercion to expected types, and inference from bounds.

use std::sync::Arc;

use super::infer::InferenceContext;
use super::members::{MAX_NESTED, Subst};
use super::types::{Bound, Callable, Def, Type};

/// Bounds that are kept open in one body.
const MAX_OPEN: usize = 4_000;

impl InferenceContext<'_, '_> {
    /// Makes `actual` fit where `wanted` is expected.
    pub(super) fn coerce(&mut self, wanted: &Type, actual: &Type) {
        let mark = self.p.table.mark();
        if self.p.table.unify(wanted, actual) {
            return;
        }
        self.p.table.undo(mark);
        let wanted = self.p.table.resolve(wanted);
        match &wanted {
            Type::Bounded(bounds) => {
                for bound in bounds.iter() {
                    self.solve(actual, bound);
                }
            }
            Type::Ref(_, to) => {
                let mut at = match self.p.normal(actual) {
                    Type::Ref(_, from) => (*from).clone(),
                    _ => return,
                };
                // `&mut T` as `&T`.
                let mark = self.p.table.mark();
                if self.p.table.unify(to, &at) {
                    return;
                }
                self.p.table.undo(mark);
                for _ in 0..6 {
                    let next = match &at {
                        Type::Array(of) if matches!(**to, Type::Slice(_)) => {
                            Some(Type::Slice(of.clone()))
                        }
                        _ => self.p.deref(&at),
                    };
                    let Some(next) = next else { return };
                    let mark = self.p.table.mark();
                    if self.p.table.unify(to, &next) {
                        return;
                    }
                    self.p.table.undo(mark);
                    at = next;
                }
            }
            // `*mut T` as `*const T`, `&T` as `*const T`.
            Type::Ptr(_, to) => {
                if let Type::Ref(_, from) | Type::Ptr(_, from) = self.p.normal(actual) {
                    let mark = self.p.table.mark();
                    if !self.p.table.unify(to, &from) {
                        self.p.table.undo(mark);
                    }
                }
            }
            Type::Adt(a, to) => {
                // `Box<T>` as `Box<dyn Trait>`: unify the other arguments.
                if let Type::Adt(b, from) = self.p.normal(actual)
                    && *a == b
                {
                    for (to, from) in to.iter().zip(from.iter()) {
                        let mark = self.p.table.mark();
                        if !self.p.table.unify(to, from) {
                            self.p.table.undo(mark);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Infers what follows from `ty: bound`; returns whether the type was known.
    pub(super) fn solve(&mut self, ty: &Type, bound: &Bound) -> bool {
        let ty = self.p.normal(ty);
        if matches!(ty, Type::Var(_)) {
            return false;
        }
        let Some(of) = bound.def() else { return true };
        let world = self.p.world;
        let bound = &self.normal_bound(bound);
        if world.known.fns.contains(&of) {
            let wanted = self.callable_of(bound);
            let actual = match &ty {
                Type::Fn(actual) => Some(actual.clone()),
                _ => {
                    let bounds = self.p.bounds_of(&ty, 4);
                    let own = bounds
                        .iter()
                        .find(|own| own.def().is_some_and(|of| world.known.fns.contains(&of)));
                    own.cloned().and_then(|own| self.callable_of(&own)).map(Arc::new)
                }
            };
            if let (Some(wanted), Some(actual)) = (wanted, actual) {
                for (a, b) in wanted.params.iter().zip(&actual.params) {
                    self.coerce(b, a);
                }
                self.coerce(&wanted.ret, &actual.ret);
            }
            return true;
        }
        for (name, wanted) in &bound.assoc {
            if let Some(found) = self.p.project(&ty, Some(bound), *name, MAX_NESTED) {
                self.coerce(wanted, &found);
            }
        }
        if !bound.args.is_empty() {
            self.solve_args(&ty, of, bound);
        }
        true
    }

    pub(super) fn normal_bound(&mut self, bound: &Bound) -> Bound {
        Bound {
            of: bound.of.clone(),
            args: bound.args.iter().map(|arg| self.p.normal(arg)).collect(),
            assoc: bound.assoc.iter().map(|(name, ty)| (*name, self.p.normal(ty))).collect(),
        }
    }

    /// Arguments of a trait of which the type has exactly one fitting impl.
    fn solve_args(&mut self, ty: &Type, of: Def, bound: &Bound) {
        for own in self.p.bounds_of(ty, 4) {
            if own.def() == Some(of) {
                for (a, b) in bound.args.iter().zip(own.args.iter()) {
                    self.coerce(a, b);
                }
                return;
            }
        }
        let world = self.p.world;
        let Some(head) = super::heads::Head::from_type(ty) else { return };
        let mut fitting = Vec::new();
        for &one in world.impls_of(&head, of) {
            let mark = self.p.table.mark();
            if self.fit_args(one, ty, bound).is_some() {
                fitting.push(one);
            }
            self.p.table.undo(mark);
        }
        if let [only] = fitting.as_slice()
            && let Some(subst) = self.fit_args(*only, ty, bound)
        {
            // The bounds of the impl.
            let sig = world.sig(*only);
            let preds = self.instantiate(&sig, &subst).preds;
            if self.open.len() < MAX_OPEN {
                self.keep_bounds(preds);
            }
        }
    }

    /// Fits an impl of a trait with arguments to a type and a bound.
    pub(super) fn fit_args(&mut self, one: Def, ty: &Type, bound: &Bound) -> Option<Subst> {
        let sig = self.p.world.sig(one);
        let fresh: Vec<Type> = sig.generics.iter().map(|_| self.p.table.fresh()).collect();
        let subst = Subst { args: vec![(one, fresh)], ..Subst::default() };
        let (Some(header), Some(own)) = (&sig.ty, &sig.of_trait) else { return None };
        let header = subst.apply(header);
        if !self.p.table.unify(&header, ty) {
            return None;
        }
        let fits = own.args.iter().zip(bound.args.iter()).all(|(a, b)| {
            let a = subst.apply(a);
            self.p.table.unify(&a, b)
        });
        fits.then_some(subst)
    }

    /// Parameters and result of `Fn(A) -> B`.
    pub(super) fn callable_of(&mut self, bound: &Bound) -> Option<Callable> {
        let params = match self.p.table.shallow(bound.args.first()?) {
            Type::Tuple(params) => params.to_vec(),
            _ => return None,
        };
        let output = self.p.world.known.output;
        let ret = bound.assoc.iter().find(|(name, _)| *name == output);
        let ret = ret.map_or_else(Type::unit, |(_, ty)| ty.clone());
        Some(Callable { params, ret })
    }

    /// Tries the bounds that were left open.
    pub(super) fn solve_open(&mut self) {
        let mut open = std::mem::take(&mut self.open);
        open.retain(|(ty, bound)| !self.solve(ty, bound));
        open.append(&mut self.open);
        self.open = open;
    }

    pub(super) fn keep_bounds(&mut self, preds: Vec<(Type, Vec<Bound>)>) {
        if self.open.len() > MAX_OPEN {
            return;
        }
        for (ty, bounds) in preds {
            for bound in bounds {
                self.open.push((ty.clone(), bound));
            }
        }
    }
}
