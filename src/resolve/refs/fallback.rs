//! The end of inference of a body: resolves calls whose receivers became known, and functions named
//! by their trait.

use super::infer::InferenceContext;
use super::members::Pick;
use super::paths::Target;
use super::rules::Rule;
use super::types::{Bound, Def, Literal, Name, SELF, Type};
use asof_model::NodeKind;

impl InferenceContext<'_, '_> {
    /// What is left open at the end of a body.
    pub(super) fn fallback(&mut self) {
        for round in 0..3 {
            self.solve_open();
            if round == 1 {
                self.literal_receivers();
                self.default_floats();
            }
            self.settle_pending(round == 2);
        }
        for (mark, bound, name, own) in std::mem::take(&mut self.by_trait) {
            self.retarget(mark, &bound, name, &own);
        }
        self.note_implicit();
    }

    /// What is left open at the end of an expansion, as far as it is known there.
    pub(super) fn settle_calls(&mut self) {
        self.solve_open();
        self.settle_pending(false);
        self.solve_open();
    }

    /// Calls and fields whose receivers are known now; the last time, all of them.
    fn settle_pending(&mut self, last: bool) {
        for pending in std::mem::take(&mut self.pending) {
            let receiver = self.p.normal(&pending.receiver);
            if matches!(self.stripped(&receiver), Type::Var(_)) && !last {
                self.pending.push(pending);
                continue;
            }
            let found = self.picked(&receiver, pending.sym, pending.at, &pending.generics);
            if let Some((instance, _)) = found {
                let params = instance.params.get(1..).unwrap_or_default();
                for (param, arg) in params.iter().zip(&pending.args) {
                    self.coerce(param, arg);
                }
                self.solve_open();
                let ret = self.p.normal(&instance.ret);
                self.coerce(&pending.result, &ret);
            }
        }
        for (base, sym, at, result) in std::mem::take(&mut self.pending_fields) {
            let base = self.p.normal(&base);
            if matches!(self.stripped(&base), Type::Var(_)) && !last {
                self.pending_fields.push((base, sym, at, result));
                continue;
            }
            let ty = self.known_field(&base, sym, at);
            self.coerce(&result, &ty);
        }
    }

    /// A literal without a type has the only one of its kind for which a trait of the workspace has the
    /// method that is called of it.
    fn literal_receivers(&mut self) {
        let world = self.p.world;
        let receivers: Vec<(Type, Name)> = self
            .pending
            .iter()
            .map(|pending| (self.stripped(&pending.receiver), self.p.name(pending.sym)))
            .collect();
        for (receiver, name) in receivers {
            let is = |body: &Self, all: &[Type]| {
                all.iter().any(|literal| body.p.table.shallow(literal) == receiver)
            };
            let literal = match receiver {
                Type::Var(_) if is(self, &self.implicit.ints) => Literal::Int,
                Type::Var(_) if is(self, &self.floats) => Literal::Float,
                _ => continue,
            };
            let mut prims: Vec<Name> = world.known.prims.keys().copied().collect();
            prims.sort_unstable();
            let mut fitting = Vec::new();
            for prim in prims.into_iter().map(Type::Prim) {
                if !self.p.can_be(&prim, literal) {
                    continue;
                }
                let mark = self.p.table.mark();
                let pick = self.p.method(&prim, name);
                self.p.table.undo(mark);
                let is_own =
                    |pick: &Pick| pick.rule != Rule::Unscoped && !world.is_library(pick.item);
                fitting.extend(pick.filter(is_own).map(|_| prim));
            }
            if let [only] = fitting.as_slice() {
                self.p.table.unify(&receiver, only);
            }
        }
    }

    fn default_floats(&mut self) {
        let Some(float) = self.p.world.find_name("f64").map(Type::Prim) else { return };
        for literal in std::mem::take(&mut self.floats) {
            if matches!(self.p.table.shallow(&literal), Type::Var(_)) {
                self.p.table.unify(&literal, &float);
            }
        }
    }

    /// A function named by its trait: that of the impl, if the type has become known.
    fn retarget(&mut self, mark: usize, bound: &Bound, name: Name, own: &Type) {
        let Some(of) = bound.def() else { return };
        let Some(declared) =
            self.p.world.child(of, name, &[NodeKind::Method, NodeKind::AssocConst])
        else {
            return;
        };
        let own = self.p.normal(own);
        if matches!(own, Type::Param(_, SELF)) {
            return;
        }
        let Some(found) = self.chosen(&own, of, bound, name) else { return };
        let mut noted = self.p.sink.iter_mut().flatten().skip(mark);
        if let Some(noted) = noted.find(|noted| noted.target == Target::Def(declared)) {
            noted.target = Target::Def(found);
            noted.rule = Rule::TraitImpl;
        }
    }

    /// The item of the only impl of a trait that fits a type and arguments.
    fn chosen(&mut self, ty: &Type, of: Def, bound: &Bound, name: Name) -> Option<Def> {
        let world = self.p.world;
        let bound = self.normal_bound(bound);
        let impls = world.impls_of(&super::heads::Head::from_type(ty)?, of);
        let kinds = [NodeKind::Method, NodeKind::AssocConst];
        let mut fitting = Vec::new();
        for &one in impls {
            let mark = self.p.table.mark();
            if self.fit_args(one, ty, &bound).is_some() {
                fitting.push(one);
            }
            self.p.table.undo(mark);
        }
        match fitting.as_slice() {
            [only] if !world.is_library(*only) => world.child(*only, name, &kinds),
            _ => None,
        }
    }
}
