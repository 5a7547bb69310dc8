//! Unification: type variables, and what is known of them so far.

use std::cell::Cell;
use std::sync::Arc;

use super::choices::Choices;
use super::types::{Bound, MAX_PARTS, Type};

/// Nesting of types that is followed.
const MAX_DEPTH: u32 = 24;

/// Type variables of one body.
#[derive(Debug, Default)]
pub(super) struct Table {
    found: Vec<Option<Type>>,
    /// Variables in the order in which they were solved, for rolling back.
    trail: Vec<u32>,
    choices: Arc<Choices>,
}

impl Table {
    pub(super) fn new(choices: &Arc<Choices>) -> Self {
        Table { choices: Arc::clone(choices), ..Table::default() }
    }

    pub(super) fn fresh(&mut self) -> Type {
        self.found.push(None);
        Type::Var(self.found.len() as u32 - 1)
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Rolls back what was solved since the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            if let Some(found) = self.found.get_mut(var as usize) {
                *found = None;
            }
        }
    }

    /// The outermost part of a type as known now.
    pub(super) fn shallow(&self, ty: &Type) -> Type {
        let mut at = ty.clone();
        for _ in 0..MAX_DEPTH {
            let Type::Var(var) = at else { return at };
            match self.found.get(var as usize) {
                Some(Some(found)) => at = found.clone(),
                _ => return at,
            }
        }
        at
    }

    /// The type as known now; unknown if it has too many parts.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        let left = Cell::new(MAX_PARTS);
        let found = self.resolve_in(ty, MAX_DEPTH, &left);
        if left.get() == 0 { Type::Unknown } else { found }
    }

    fn resolve_in(&self, ty: &Type, depth: u32, left: &Cell<u32>) -> Type {
        if depth == 0 {
            return Type::Unknown;
        }
        let ty = self.shallow(ty);
        if !has_vars(&ty) {
            return ty;
        }
        ty.map_within(left, &mut |part| match part {
            Type::Var(_) => {
                let found = self.shallow(part);
                match found {
                    Type::Var(_) => Some(found),
                    found => Some(self.resolve_in(&found, depth - 1, left)),
                }
            }
            _ => None,
        })
    }

    fn bind(&mut self, var: u32, ty: Type) -> bool {
        if mentions(self, &ty, var, MAX_DEPTH, &mut { MAX_PARTS }) {
            return false;
        }
        if let Some(found) = self.found.get_mut(var as usize) {
            *found = Some(ty);
            self.trail.push(var);
        }
        true
    }

    /// Unifies two types; returns whether they can be the same.
    pub(super) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        self.unify_in(a, b, MAX_DEPTH, &mut { MAX_PARTS })
    }

    /// `left`: pairs of parts that are still compared. Those after them may be the same.
    fn unify_in(&mut self, a: &Type, b: &Type, depth: u32, left: &mut u32) -> bool {
        if depth == 0 {
            return false;
        }
        if *left == 0 {
            return true;
        }
        *left -= 1;
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Type::Var(x), Type::Var(y)) if x == y => true,
            (Type::Unknown | Type::Never, _) | (_, Type::Unknown | Type::Never) => true,
            (Type::Var(x), _) => self.bind(*x, b),
            (_, Type::Var(y)) => self.bind(*y, a),
            (Type::Assoc(_), _) | (_, Type::Assoc(_)) => true,
            (Type::Adt(x, p), Type::Adt(y, q)) => {
                self.choices.meet(*x, *y) && self.all(p, q, depth, left)
            }
            (Type::External(x, p), Type::External(y, q)) => x == y && self.all(p, q, depth, left),
            (Type::Prim(x), Type::Prim(y)) => x == y,
            (Type::Ref(a, x), Type::Ref(b, y)) | (Type::Ptr(a, x), Type::Ptr(b, y)) => {
                a.meets(*b) && self.unify_in(x, y, depth - 1, left)
            }
            (Type::Slice(x), Type::Slice(y)) | (Type::Array(x), Type::Array(y)) => {
                self.unify_in(x, y, depth - 1, left)
            }
            (Type::Tuple(p), Type::Tuple(q)) => p.len() == q.len() && self.all(p, q, depth, left),
            (Type::Fn(x), Type::Fn(y)) => {
                let (x, y) = (x.clone(), y.clone());
                self.all(&x.params, &y.params, depth, left)
                    && self.unify_in(&x.ret, &y.ret, depth - 1, left)
            }
            (Type::Param(x, i), Type::Param(y, j)) => x == y && i == j,
            (Type::Bounded(p), Type::Bounded(q)) => {
                let (p, q): (Arc<[Bound]>, Arc<[Bound]>) = (p.clone(), q.clone());
                let same = p.first().map(|b| &b.of) == q.first().map(|b| &b.of);
                for (x, y) in p.iter().zip(q.iter()).filter(|(x, y)| x.of == y.of) {
                    self.all(&x.args, &y.args, depth, left);
                    for ((_, x), (_, y)) in x.assoc.iter().zip(&y.assoc) {
                        self.unify_in(x, y, depth - 1, left);
                    }
                }
                same
            }
            _ => false,
        }
    }

    fn all(&mut self, a: &[Type], b: &[Type], depth: u32, left: &mut u32) -> bool {
        let mut same = true;
        for (a, b) in a.iter().zip(b) {
            same &= self.unify_in(a, b, depth - 1, left);
        }
        same
    }
}

pub(super) fn has_vars(ty: &Type) -> bool {
    ty.any(&mut |part| matches!(part, Type::Var(_)))
}

/// Whether a type contains this variable: then it would contain itself. One that is too deep or has
/// too many parts may.
fn mentions(table: &Table, ty: &Type, var: u32, depth: u32, left: &mut u32) -> bool {
    if depth == 0 || *left == 0 {
        return true;
    }
    *left -= 1;
    match ty {
        Type::Var(_) => match table.shallow(ty) {
            Type::Var(other) => other == var,
            found => mentions(table, &found, var, depth - 1, left),
        },
        ty => ty.any_part(&mut |part| mentions(table, part, var, depth, left)),
    }
}
