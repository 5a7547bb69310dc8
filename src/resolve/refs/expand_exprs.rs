//! Calls of macros among expressions, in patterns and in types: what the call means is what it expands
//! to. Where the rules are not known, or do not match, its tokens are read as expressions.

use super::super::macro_rules::expand_tokens;
use super::super::origins::Expansion;
use super::call_places::CallPlace;
use super::infer::{InferenceContext, MAX_DEPTH};
use super::item_index::ItemIndex;
use super::paths::{End, PathResolver};
use super::reads;
use super::rules::Rule;
use super::types::{Def, Type};
use asof_model::{
    CallId, CallTokens, Expr, ExprId, HashSet, List, NodeKind, PathId, RefKind, Stmt,
};
use asof_syntax::read_expansion;

/// Expansions within expansions.
const MAX_NESTED: u32 = 48;

/// Calls of macros in types that are followed, and the tokens that each may have.
const MAX_TYPES: u32 = 8;
const TYPE_BUDGET: usize = 2_000;

impl<'a> InferenceContext<'_, 'a> {
    /// Reads what a call expands to; its type. None if it cannot be expanded.
    pub(super) fn expand_call(
        &mut self,
        defs: &[Def],
        list: List,
        tokens: &CallTokens,
        place: CallPlace,
        expected: &Type,
    ) -> Option<Type> {
        let expansion = self.expansion(defs, tokens);
        if place == CallPlace::Items {
            let unread = expansion.as_ref().and_then(|expansion| self.read_items(expansion));
            reads::read_made(unread.is_some());
            let (expansion, unread) = (expansion?, unread?);
            self.read_rest(list, &expansion, &unread);
            return Some(Type::Unknown);
        }
        let expansion = expansion?;
        if place == CallPlace::Statement && self.takes_values(&expansion, tokens) {
            self.read_tokens(list, false);
            return Some(Type::Unknown);
        }
        let code = self.code_of(&expansion);
        let ty = self.within_expansion(&expansion, &code, place, |inner| {
            let ty = match (place, code.uses.expr(code.body)) {
                (CallPlace::Statement, Expr::Block(stmts, value, _)) => {
                    inner.statements(stmts, value, &Type::Unknown)
                }
                _ => inner.infer(code.body, expected),
            };
            inner.settle_calls();
            inner.p.normal(&ty)
        });
        self.read_rest(list, &expansion, &code.unread);
        Some(ty)
    }

    /// Tokens that are in the expansion, but are not read there: as they are read in the call.
    fn read_rest(&mut self, list: List, expansion: &Expansion, unread: &[u32]) {
        let is_unread = |from: &u32| unread.binary_search(from).is_ok();
        let mut places: HashSet<u32> = expansion
            .origins
            .places()
            .filter(|(from, _)| is_unread(from))
            .map(|(_, at)| at)
            .collect();
        for (_, read) in expansion.origins.places().filter(|(from, _)| !is_unread(from)) {
            places.remove(&read);
        }
        if places.is_empty() {
            return;
        }
        let noted = self.p.sink.replace(Vec::new());
        let trace = self.trace.take();
        let marks = (self.pending.len(), self.pending_fields.len(), self.by_trait.len());
        let calls = self.implicit.len();
        self.read_tokens(list, true);
        self.pending.truncate(marks.0);
        self.pending_fields.truncate(marks.1);
        self.by_trait.truncate(marks.2);
        self.implicit.truncate(calls);
        self.trace = trace;
        let rest = std::mem::replace(&mut self.p.sink, noted);
        let rest = rest.into_iter().flatten().filter(|found| places.contains(&found.at));
        self.p.sink.iter_mut().for_each(|sink| sink.extend(rest.clone()));
    }

    /// Reads the tokens of a call as expressions; their types. `is_unknown`: whether they may mean
    /// something else.
    pub(super) fn read_tokens(&mut self, list: List, is_unknown: bool) -> Vec<Type> {
        let mark = self.locals.len();
        self.in_macro += 1;
        self.unknown_calls += u32::from(is_unknown);
        let uses = self.p.uses;
        let trace = is_unknown.then(|| self.trace.take());
        let parts = uses.expr_ids(list).map(|part| self.unused(part)).collect();
        if let Some(trace) = trace {
            self.trace = trace;
        }
        self.unknown_calls -= u32::from(is_unknown);
        self.in_macro -= 1;
        self.locals.truncate(mark);
        parts
    }

    /// Whether the calls around leave room for another expansion.
    fn may_expand(&self) -> bool {
        self.expansions < MAX_NESTED && self.depth < MAX_DEPTH
    }

    /// Binds the names of the pattern that a call expands to. False if it cannot be expanded.
    pub(super) fn pattern_of_call(&mut self, end: &End, call: Option<CallId>, ty: &Type) -> bool {
        let tokens = call.and_then(|call| self.p.uses.call(call));
        let (End::Defs(defs, _), Some(tokens)) = (end, tokens) else { return false };
        let Some(expansion) = self.expansion(defs, tokens) else { return false };
        let expansion = expansion.between("let ", ";");
        let code = self.code_of(&expansion);
        let Expr::Block(stmts, ..) = code.uses.expr(code.body) else { return false };
        let [Stmt::Let(pat, ..)] = *code.uses.stmts(stmts) else { return false };
        self.within_expansion(&expansion, &code, CallPlace::Statement, |inner| {
            inner.expanded = true;
            inner.bind_value(pat, ty);
            inner.settle_calls();
        });
        true
    }

    /// What a call of a macro of known rules expands to.
    fn expansion(&mut self, defs: &[Def], tokens: &CallTokens) -> Option<Expansion> {
        let [def] = defs else { return None };
        let world = self.p.world;
        let rules = world.rules(*def);
        if rules.is_empty() || !self.may_expand() {
            return None;
        }
        let krate = world.crate_word(*def, self.p.scope);
        let expansion = expand_tokens(rules, tokens, &krate, &mut self.budget)?;
        Some(Expansion { in_body: world.block_of(*def).is_some(), ..expansion })
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
        let ty = self.p.table.resolve(ty);
        ty.any(&mut |part| matches!(part, Type::Var(_) | Type::Assoc(_)))
    }

    /// Marks what was found on a value that an expansion gave, or in tokens that may mean something
    /// else.
    pub(super) fn mark_expanded(&mut self, mark: usize, at: u32) {
        for noted in self.p.sink.iter_mut().flatten().skip(mark) {
            let is_sure = matches!(noted.rule, Rule::Member | Rule::TraitImpl | Rule::Bound)
                || noted.rule == Rule::Path && self.unknown_calls > 0;
            if noted.at == at && is_sure && noted.kind != RefKind::Macro {
                noted.rule = Rule::Expanded;
            }
        }
    }
}

impl PathResolver<'_, '_> {
    /// The type that a call of a macro expands to; none if it cannot be expanded.
    pub(super) fn type_of_call(&mut self, path: PathId, call: Option<CallId>) -> Option<Type> {
        let end = self.macro_path(path);
        let world = self.world;
        let tokens = self.uses.call(call?)?;
        let End::Defs(defs, _) = end else { return None };
        let [def] = defs.as_slice() else { return None };
        let rules = world.rules(*def);
        if rules.is_empty() || self.aliases >= MAX_TYPES {
            return None;
        }
        let krate = world.crate_word(*def, self.scope);
        let mut budget = TYPE_BUDGET;
        let expansion = expand_tokens(rules, tokens, &krate, &mut budget)?;
        let expansion = expansion.between("let _: ", ";");
        // Nothing is bound in a type.
        let code = read_expansion(&expansion.text, &|_| 0);
        let Expr::Block(stmts, ..) = code.uses.expr(code.body) else { return None };
        let [Stmt::Let(_, Some(ty), ..)] = *code.uses.stmts(stmts) else { return None };
        let names = world.names_of(&code.uses);
        let mut inner = self.in_expansion(&code.uses, &names, expansion.at);
        inner.aliases += 1;
        let ty = inner.ty(ty);
        let (table, found) = (inner.table, inner.sink.unwrap_or_default());
        self.table = table;
        self.take_over(found, &expansion);
        Some(ty)
    }
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
