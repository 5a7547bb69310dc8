//! Values of macro calls among expressions: the call is expanded, and the type of what it expands to
//! is inferred at the place of the call. What the expansion names is not noted: the arguments of the
//! call and the rules of the macro have references of their own.
//!
//! Variables of the rules and of the caller are not told apart, so what is found on such a value has a
//! rule of its own ([`Rule::Expanded`]).

use std::collections::HashMap;

use super::super::expand::expand_value;
use super::body::{Body, Locals, MAX_DEPTH};
use super::rules::Rule;
use super::types::{Def, Name, Type};
use super::world::World;
use crate::model::{CallId, Expr, ExprId, FileUses, NodeKind};
use crate::syntax;

/// Expansions within expansions.
const MAX_NESTED: u32 = 48;

/// Variables in scope that cost as much as a token: all of them are looked at for each call.
const LOCALS_A_TOKEN: usize = 8;

impl<'w, 'a> Body<'w, 'a> {
    /// The type of what a call of a macro expands to.
    pub(super) fn value_of_call(
        &mut self,
        defs: &[Def],
        call: Option<CallId>,
        expected: &Type,
    ) -> Option<Type> {
        let world = self.p.world;
        let ([def], Some(call)) = (defs, call) else { return None };
        let rules = world.rules(*def);
        if rules.is_empty() || self.expansions >= MAX_NESTED || self.depth >= MAX_DEPTH {
            return None;
        }
        let krate = world.crate_word(*def, self.p.scope);
        let text = expand_value(rules, self.p.uses.call(call), &krate, &mut self.budget)?;
        let (uses, body) = syntax::read_code(&text);
        let names: Vec<Name> =
            uses.names.iter().map(|name| world.find_name(name).unwrap_or(u32::MAX)).collect();
        Some(self.within_expansion(&uses, &names, body, expected))
    }

    fn within_expansion(
        &mut self,
        uses: &FileUses,
        names: &[Name],
        body: ExprId,
        expected: &Type,
    ) -> Type {
        let mut locals = Locals::default();
        let syms: HashMap<&str, u32> = uses.names.iter().map(|name| &**name).zip(0u32..).collect();
        for (outer, ty) in self.locals.visible() {
            if let Some(sym) = syms.get(self.p.text(outer)) {
                locals.push(*sym, ty.clone());
            }
        }
        self.budget = self.budget.saturating_sub(self.locals.len() / LOCALS_A_TOKEN);
        let mut inner = Body {
            locals,
            ret: self.ret.clone(),
            depth: self.depth,
            expansions: self.expansions + 1,
            budget: self.budget,
            ..Body::of(self.p.in_expansion(uses, names))
        };
        let ty = inner.infer(body, expected);
        inner.settle_calls();
        let ty = inner.p.normal(&ty);
        let Body { p, open, floats, implicit, budget, .. } = inner;
        self.p.table = p.table;
        self.budget = budget;
        self.open.extend(open);
        self.floats.extend(floats);
        self.implicit.ints.extend(implicit.ints);
        ty
    }

    /// Sets whether the type is from the expansion of a macro.
    pub(super) fn operand(&mut self, id: ExprId, expected: &Type) -> Type {
        let calls = self.expanded_calls;
        let ty = self.operand_of(id, expected);
        let uses = self.p.uses;
        let within = self.expanded_calls > calls;
        self.expanded = match uses.expr(id) {
            Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(..) => within,
            Expr::Call(callee, _) => within && self.is_constructor(callee),
            Expr::Path(path) => match uses.segs(path) {
                [seg] => self.locals.is_expanded(seg.name),
                _ => false,
            },
            Expr::Macro(..)
            | Expr::Ref(..)
            | Expr::Unary(..)
            | Expr::Block(..)
            | Expr::If(..)
            | Expr::Match(..) => self.expanded,
            _ => false,
        };
        ty
    }

    /// Whether a callee has the name of a variant or struct.
    fn is_constructor(&self, callee: ExprId) -> bool {
        let Expr::Path(path) = self.p.uses.expr(callee) else { return false };
        let last = self.p.uses.segs(path).last();
        last.is_some_and(|seg| self.p.text(seg.name).starts_with(|c: char| c.is_uppercase()))
    }

    /// Marks what was found on a value that an expansion gave.
    pub(super) fn mark_expanded(&mut self, mark: usize, at: u32) {
        for noted in self.p.sink.iter_mut().flatten().skip(mark) {
            if noted.at == at && matches!(noted.rule, Rule::Member | Rule::TraitImpl | Rule::Bound)
            {
                noted.rule = Rule::Expanded;
            }
        }
    }
}

impl<'a> World<'a> {
    /// The rules of a macro; empty if they are not known.
    pub(super) fn rules(&self, def: Def) -> &'a str {
        match self.in_library(def) {
            Some((of, own)) => of.library.rules(own),
            None => self
                .item_tree(def)
                .filter(|item| item.kind == NodeKind::Macro)
                .map_or("", |item| &item.sig),
        }
    }
}
