//! Types of operations: what an operator or an index gives, by the impl that its operands choose.

use super::heads::Head;
use super::infer::InferenceContext;
use super::paths::PathResolver;
use super::types::{Bound, Def, Literal, Name, Operand, TraitRef, Type};
use asof_model::{BinOp, Expr, ExprId, Lit, UnOp};

impl InferenceContext<'_, '_> {
    pub(super) fn literal_class(&self, id: ExprId) -> Literal {
        match self.p.uses.expr(id) {
            Expr::Lit(Lit::Int(None)) => Literal::Int,
            Expr::Lit(Lit::Float(None)) => Literal::Float,
            Expr::Unary(UnOp::Neg, inner, _) => match self.p.uses.expr(inner) {
                Expr::Lit(Lit::Int(None)) => Literal::Int,
                Expr::Lit(Lit::Float(None)) => Literal::Float,
                _ => Literal::No,
            },
            _ => Literal::No,
        }
    }

    /// The type of `left op right`; `of` is the operator's trait.
    pub(super) fn operation(
        &mut self,
        op: BinOp,
        of: Option<Def>,
        (left, literal): (&Type, Literal),
        right: &Operand,
    ) -> Type {
        let left = self.p.normal(left);
        let (plain, other) = (self.stripped(&left), self.stripped(&right.ty));
        match (&plain, &other) {
            (Type::Prim(_), Type::Prim(_) | Type::Var(_)) => return plain,
            (Type::Var(_), Type::Prim(_)) if op == BinOp::Arithmetic => {
                self.p.table.unify(&plain, &other);
                return plain;
            }
            (Type::Var(_), Type::Var(_)) => return plain,
            (Type::Var(_), _) if literal == Literal::No => return plain,
            _ => {}
        }
        let Some(of) = of else { return plain };
        let found = match &left {
            Type::Var(_) => self.p.operated_number(of, literal, right),
            _ => self.p.operated(of, &left, Some(right)),
        };
        match (found, &left) {
            (Some(found), _) => found,
            // An impl for references is usually made by a macro from that for values.
            (None, Type::Ref(..)) => {
                let right = Operand { ty: other, literal: right.literal };
                self.p.operated(of, &plain, Some(&right)).unwrap_or(plain)
            }
            (None, Type::Var(_)) => Type::Unknown,
            (None, _) => left,
        }
    }

    /// The type of `-value` and `!value`.
    pub(super) fn negated(&mut self, ty: Type, method: Name) -> Type {
        let ty = self.p.normal(&ty);
        let plain = self.stripped(&ty);
        let of = self.p.world.known.implicit.get(&method).copied();
        match (of, &plain) {
            (_, Type::Prim(_) | Type::Var(_)) | (None, _) => plain,
            (Some(of), _) => self.p.operated(of, &ty, None).unwrap_or(ty),
        }
    }
}

impl PathResolver<'_, '_> {
    /// `Output` of the impls of an operator's trait for these operands: none if there are no such
    /// impls, unknown if they differ.
    pub(super) fn operated(
        &mut self,
        of: Def,
        left: &Type,
        right: Option<&Operand>,
    ) -> Option<Type> {
        let world = self.world;
        let mut found: Vec<Type> = Vec::new();
        let Some(head) = Head::from_type(left) else {
            return self.operated_by_bound(of, left, right);
        };
        for &one in world.impls_of(&head, of) {
            let mark = self.table.mark();
            let output = self.output_of(one, left, right);
            self.table.undo(mark);
            if let Some(output) = output
                && !found.contains(&output)
            {
                found.push(output);
            }
        }
        match (found.pop(), found.is_empty()) {
            (None, _) => self.operated_by_bound(of, left, right),
            (Some(only), true) => Some(only),
            (Some(_), false) => Some(Type::Unknown),
        }
    }

    /// `Output` of one impl, if it fits.
    fn output_of(&mut self, one: Def, left: &Type, right: Option<&Operand>) -> Option<Type> {
        let world = self.world;
        let sig = world.sig(one);
        let subst = self.matches(one, left)?;
        if let Some(right) = right {
            let wanted = sig.of_trait.as_ref()?.args.first();
            let wanted = wanted.map_or_else(|| left.clone(), |arg| subst.apply(arg));
            let wanted = self.normal(&wanted);
            if !self.can_be(&wanted, right.literal) || !self.table.unify(&wanted, &right.ty) {
                return None;
            }
        }
        let item = world.child(one, world.known.output, super::members::TYPE)?;
        let output = subst.apply(world.sig(item).ty.as_ref()?);
        Some(self.normal(&output))
    }

    /// `Output` of a type parameter, by its bounds.
    fn operated_by_bound(&mut self, of: Def, left: &Type, right: Option<&Operand>) -> Option<Type> {
        let bounds = self.bounds_of(left, super::members::MAX_NESTED);
        bounds.iter().find(|bound| bound.def() == Some(of))?;
        let args = right.map(|right| right.ty.clone()).into_iter().collect();
        let bound = Bound { of: TraitRef::Def(of), args, assoc: Vec::new() };
        let output = (left.clone(), Some(bound), self.world.known.output);
        Some(self.normal(&Type::Assoc(output.into())))
    }

    /// `Output` of a number before another type, if impls for all types of such numbers agree.
    fn operated_number(&mut self, of: Def, literal: Literal, right: &Operand) -> Option<Type> {
        let mut found: Option<Type> = None;
        let mut prims: Vec<Name> = self.world.known.prims.keys().copied().collect();
        prims.sort_unstable();
        for prim in prims.into_iter().map(Type::Prim) {
            if !self.can_be(&prim, literal) {
                continue;
            }
            match (self.operated(of, &prim, Some(right)), &found) {
                (None, _) => {}
                (Some(one), None) => found = Some(one),
                (Some(one), Some(other)) if one == *other => {}
                (Some(_), Some(_)) => return Some(Type::Unknown),
            }
        }
        found
    }

    /// Whether a literal can have a type.
    pub(super) fn can_be(&self, ty: &Type, literal: Literal) -> bool {
        let Type::Prim(name) = ty else {
            return literal == Literal::No || matches!(ty, Type::Var(_) | Type::Unknown);
        };
        let is_float = matches!(self.world.text(*name), "f16" | "f32" | "f64" | "f128");
        let is_number = is_float || matches!(self.world.text(*name).as_bytes(), [b'i' | b'u', ..]);
        match literal {
            Literal::No => true,
            Literal::Int => is_number && !is_float,
            Literal::Float => is_float,
        }
    }
}
