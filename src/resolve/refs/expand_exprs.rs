//! Values of macro calls among expressions: the call is expanded, and the type of what it expands to
//! is inferred at the place of the call. What the expansion names is not noted: the arguments of the
//! call and the rules of the macro have references of their own.
//!
//! Variables of the rules and of the caller are not told apart, so what is found on such a value has a
//! rule of its own ([`Rule::Expanded`]).

use super::super::macro_rules::expand_value;
use super::infer::{InferenceContext, Locals, MAX_DEPTH};
use super::item_index::ItemIndex;
use super::paths::{End, PathResolver};
use super::rules::Rule;
use super::types::{Def, Name, Type};
use asof_model::{CallId, Expr, ExprId, FileUses, HashMap, NodeKind, PathId, Stmt};

/// Expansions within expansions.
const MAX_NESTED: u32 = 48;

/// Calls of macros in types that are followed, and the tokens that each may have.
const MAX_TYPES: u32 = 8;
const TYPE_BUDGET: usize = 2_000;

/// Variables in scope that cost as much as a token: all of them are looked at for each call.
const LOCALS_A_TOKEN: usize = 8;

impl<'w, 'a> InferenceContext<'w, 'a> {
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
        if rules.is_empty() || !self.may_expand() {
            return None;
        }
        let krate = world.crate_word(*def, self.p.scope);
        let text = expand_value(rules, self.p.uses.call(call), &krate, &mut self.budget)?;
        let (uses, body) = asof_syntax::read_code(&text);
        let names = world.names_of(&uses);
        Some(self.within_expansion(&uses, &names, "", |inner| {
            let ty = inner.infer(body, expected);
            inner.settle_calls();
            inner.p.normal(&ty)
        }))
    }

    /// Whether the calls around leave room for another expansion.
    pub(super) fn may_expand(&self) -> bool {
        self.expansions < MAX_NESTED && self.depth < MAX_DEPTH
    }

    /// Binds the names that the statements bind which a call expands to.
    pub(super) fn bindings_of_call(&mut self, path: PathId, call: CallId) {
        let Some(text) = self.expansion_of(path, call, |rules| rules.contains("let ")) else {
            return;
        };
        let (uses, body) = asof_syntax::read_code(&text);
        let Expr::Block(stmts, ..) = uses.expr(body) else { return };
        let is_let = |stmt: &Stmt| matches!(stmt, Stmt::Let(..));
        if !uses.stmts(stmts).iter().any(is_let) {
            return;
        }
        let names = self.p.world.names_of(&uses);
        let tokens = self.p.uses.call(call);
        self.within_expansion(&uses, &names, tokens, |inner| {
            inner.statements(stmts, false, &Type::Unknown);
            inner.settle_calls();
        });
    }

    /// Binds the names of the pattern that a call expands to.
    pub(super) fn pattern_of_call(&mut self, path: PathId, call: CallId, ty: &Type) {
        let Some(text) = self.expansion_of(path, call, |_| true) else { return };
        let (uses, body) = asof_syntax::read_code(&format!("let {text};"));
        let Expr::Block(stmts, ..) = uses.expr(body) else { return };
        let [Stmt::Let(pat, ..)] = *uses.stmts(stmts) else { return };
        let names = self.p.world.names_of(&uses);
        let tokens = self.p.uses.call(call);
        self.within_expansion(&uses, &names, tokens, |inner| {
            inner.expanded = true;
            inner.bind_value(pat, ty);
            inner.settle_calls();
        });
    }

    /// What a call expands to whose macro has rules that are wanted. The path is not noted.
    fn expansion_of(
        &mut self,
        path: PathId,
        call: CallId,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let mark = self.p.sink.as_ref().map_or(0, Vec::len);
        let end = self.p.macro_path(path);
        if let Some(sink) = &mut self.p.sink {
            sink.truncate(mark);
        }
        let End::Defs(defs, _) = end else { return None };
        let [def] = defs.as_slice() else { return None };
        let world = self.p.world;
        let rules = world.rules(*def);
        if rules.is_empty() || !is_wanted(rules) || !self.may_expand() {
            return None;
        }
        let krate = world.crate_word(*def, self.p.scope);
        expand_value(rules, self.p.uses.call(call), &krate, &mut self.budget)
    }

    /// Reads an expansion where its call is. `tokens`: those of the call, whose names are bound
    /// around it, too; the others are the macro's own.
    pub(super) fn within_expansion<T>(
        &mut self,
        uses: &FileUses,
        names: &[Name],
        tokens: &str,
        read: impl FnOnce(&mut InferenceContext<'_, 'a>) -> T,
    ) -> T {
        let mut locals = Locals::default();
        let syms: HashMap<&str, u32> = uses.names.iter().map(|name| &**name).zip(0u32..).collect();
        for (outer, ty) in self.locals.visible() {
            if let Some(sym) = syms.get(self.p.text(outer))
                && self.local(outer).is_some()
            {
                locals.push(*sym, ty.clone(), u32::MAX);
            }
        }
        self.budget = self.budget.saturating_sub(self.locals.len() / LOCALS_A_TOKEN);
        let mut inner = InferenceContext {
            locals,
            block_starts: vec![0; self.block_starts.len()],
            ret: self.ret.clone(),
            depth: self.depth,
            expansions: self.expansions + 1,
            budget: self.budget,
            gathered: self.gathered.as_ref().map(|_| Vec::new()),
            ..InferenceContext::from_paths(self.p.in_expansion(uses, names))
        };
        let mark = inner.locals.len();
        let result = read(&mut inner);
        let own = |name: &str| words(tokens).any(|word| word == name);
        let bound = inner.locals.since(mark).map(|(sym, ty)| (inner.p.text(sym).to_owned(), ty));
        let bound: Vec<(String, Type)> =
            bound.filter(|(name, _)| own(name)).map(|(name, ty)| (name, ty.clone())).collect();
        let InferenceContext { p, open, floats, implicit, budget, gathered, .. } = inner;
        if let Some(all) = &mut self.gathered {
            all.extend(p.sink.into_iter().chain(gathered).flatten());
        }
        self.p.table = p.table;
        self.budget = budget;
        self.open.extend(open);
        self.floats.extend(floats);
        self.implicit.ints.extend(implicit.ints);
        for (name, ty) in bound {
            self.budget = self.budget.saturating_sub(self.p.uses.names.len() / LOCALS_A_TOKEN);
            let sym = self.p.uses.names.iter().position(|one| **one == *name);
            if let Some(sym) = sym {
                let outer = std::mem::replace(&mut self.locals.expanded, true);
                self.locals.push(sym as u32, ty, u32::MAX);
                self.locals.expanded = outer;
            }
        }
        result
    }

    /// Sets whether the type is from the expansion of a macro.
    pub(super) fn operand(&mut self, id: ExprId, expected: &Type) -> Type {
        let calls = self.expanded_calls;
        let ty = self.operand_of(id, expected);
        let uses = self.p.uses;
        let within = self.expanded_calls > calls;
        self.expanded = match uses.expr(id) {
            Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(..) => within,
            Expr::Call(callee, _) => within && (self.is_constructor(callee) || self.by_arguments),
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

    /// Whether parts of a type are not known yet.
    pub(super) fn has_variables(&self, ty: &Type) -> bool {
        let mut found = false;
        self.p.table.resolve(ty).map(&mut |part| {
            found |= matches!(part, Type::Var(_) | Type::Assoc(_));
            found.then_some(Type::Unknown)
        });
        found
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

impl<'w> PathResolver<'w, '_> {
    /// The type that a call of a macro expands to.
    pub(super) fn type_of_call(&mut self, path: PathId, call: Option<CallId>) -> Type {
        if self.sink.is_none() {
            return Type::Unknown;
        }
        let end = self.macro_path(path);
        let world = self.world;
        let (End::Defs(defs, _), Some(call)) = (end, call) else { return self.hole() };
        let [def] = defs.as_slice() else { return self.hole() };
        let rules = world.rules(*def);
        if rules.is_empty() || self.aliases >= MAX_TYPES {
            return self.hole();
        }
        let krate = world.crate_word(*def, self.scope);
        let mut budget = TYPE_BUDGET;
        let text = expand_value(rules, self.uses.call(call), &krate, &mut budget);
        let Some(text) = text else { return self.hole() };
        let (uses, body) = asof_syntax::read_code(&format!("let _: {text};"));
        let Expr::Block(stmts, ..) = uses.expr(body) else { return self.hole() };
        let [Stmt::Let(_, Some(ty), ..)] = *uses.stmts(stmts) else { return self.hole() };
        let names = world.names_of(&uses);
        let mut inner = self.in_expansion(&uses, &names);
        inner.aliases += 1;
        let ty = inner.ty(ty);
        self.table = inner.table;
        ty
    }
}

/// Identifiers in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

impl<'a> ItemIndex<'a> {
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
