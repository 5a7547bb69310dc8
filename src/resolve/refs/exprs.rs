//! Expressions: the names in them, and their types.

use std::sync::Arc;

use super::super::namespaces::{TYPES, VALUES};
use super::call_places::CallPlace;
use super::choices::{MAX_ALTERNATIVES, Share};
use super::implicit::Place;
use super::infer::{InferenceContext, MAX_DEPTH};
use super::item_index::{Hit, ItemIndex};
use super::paths::{End, Target};
use super::pats::holder;
use super::rules::Rule;
use super::types::{Borrow, Callable, Def, Operand, Type};
use crate::ids::ConditionId;
use asof_model::{
    BinOp, Expr, ExprId, Limits, List, Lit, NodeKind, Operator, PathId, RefKind, Sym, UnOp,
};

/// Fields of a tuple struct or variant, in order.
pub(super) fn ctor_fields(world: &ItemIndex<'_>, holder: Def) -> Vec<Def> {
    let fields = world.children(holder).iter().copied();
    fields.filter(|field| world.kind(*field) == NodeKind::Field).collect()
}

impl InferenceContext<'_, '_> {
    /// The type of an expression; notes the names in it. `expected` is a hint.
    pub(super) fn infer(&mut self, id: ExprId, expected: &Type) -> Type {
        if self.depth >= MAX_DEPTH {
            return Type::Unknown;
        }
        self.depth += 1;
        // Chains can be long, and are walked without recursion.
        let uses = self.p.uses;
        let mut links = Vec::new();
        let mut at = id;
        loop {
            let base = match uses.expr(at) {
                Expr::Method { receiver, .. } => receiver,
                Expr::Field(base, ..)
                | Expr::Index(base, ..)
                | Expr::Try(base, _)
                | Expr::Await(base, _) => base,
                _ => break,
            };
            links.push(at);
            at = base;
        }
        let hint = if links.is_empty() { expected } else { &Type::Unknown };
        let mut ty = self.operand(at, hint);
        let mut expanded = self.expanded;
        // Parameters of closures in the arguments are of such types as well.
        let outer = std::mem::replace(&mut self.locals.expanded, expanded);
        while let Some(link) = links.pop() {
            let mark = self.p.sink.as_ref().map_or(0, Vec::len);
            let calls = self.expanded_calls;
            ty = self.link(link, ty);
            if let (Some(trace), Expr::Method { at, .. } | Expr::Field(_, _, at)) =
                (&mut self.trace, uses.expr(link))
            {
                trace.value(at, &ty);
            }
            if let (true, Expr::Method { at, .. } | Expr::Field(_, _, at)) =
                (expanded || self.unknown_calls > 0, uses.expr(link))
            {
                self.mark_expanded(mark, at);
            }
            let is_call = matches!(uses.expr(link), Expr::Method { .. });
            expanded |= is_call && self.by_arguments && self.expanded_calls > calls;
        }
        self.locals.expanded = outer;
        self.expanded = expanded;
        self.depth -= 1;
        ty
    }

    fn link(&mut self, link: ExprId, base: Type) -> Type {
        match self.p.uses.expr(link) {
            Expr::Method { receiver, name, at, generics, args } => {
                let (ty, taken) = self.method_call(base, name, at, generics, args);
                match taken {
                    Borrow::Shared => {}
                    Borrow::Mutable => self.is_mutable(receiver),
                    Borrow::Unknown => self.receiver_of_method(receiver),
                }
                ty
            }
            Expr::Field(_, name, at) => self.field(base, name, at),
            Expr::Index(_, operand, at) => {
                let index = self.value_of(operand);
                self.called_by_place(link, Place::Index, &base, Some(&index), at);
                let literal = self.literal_class(operand);
                self.index(base, Operand { ty: index, literal })
            }
            Expr::Try(_, at) => {
                self.called_by_try(&base, at);
                self.tried(base)
            }
            Expr::Await(_, at) => {
                self.called_by_await(&base, at);
                self.awaited(base)
            }
            _ => Type::Unknown,
        }
    }

    /// An expression that is no link of a chain.
    pub(super) fn operand_of(&mut self, id: ExprId, expected: &Type) -> Type {
        let uses = self.p.uses;
        match uses.expr(id) {
            Expr::Missing | Expr::Continue => Type::Never,
            Expr::Path(path) => self.path_value(path, RefKind::Value),
            Expr::Lit(lit) => self.literal(lit),
            Expr::Call(callee, args) => self.call(callee, args, expected),
            Expr::Unary(UnOp::Deref, inner, at) => self.dereferenced(id, inner, at),
            Expr::Unary(op, inner, at) => self.unary(op, inner, at),
            Expr::Ref(inner, mutable) => {
                if mutable {
                    self.is_mutable(inner);
                }
                let hint = match expected {
                    Type::Ref(_, to) => (**to).clone(),
                    _ => Type::Unknown,
                };
                Type::reference(Borrow::from_mutability(mutable), self.infer(inner, &hint))
            }
            Expr::Binary(op, left, right, by) => self.binary(op, left, right, by),
            Expr::Range(from, to, limits) => self.range(from, to, limits),
            Expr::Cast(inner, ty) => {
                self.value_of(inner);
                self.written(Some(ty))
            }
            Expr::Struct(path, fields, base) => self.struct_literal(path, fields, base),
            Expr::Tuple(list) => {
                let hints = match self.p.table.shallow(expected) {
                    Type::Tuple(parts) => parts.to_vec(),
                    _ => Vec::new(),
                };
                let parts = uses.expr_ids(list).enumerate();
                let parts = parts
                    .map(|(at, part)| self.infer(part, hints.get(at).unwrap_or(&Type::Unknown)));
                Type::Tuple(parts.collect())
            }
            Expr::Array(list) => {
                let element = self.p.table.fresh();
                for part in uses.expr_ids(list) {
                    let ty = self.value_of(part);
                    self.coerce(&element, &ty);
                }
                Type::Array(Arc::new(element))
            }
            Expr::Repeat(value, len) => {
                let ty = self.value_of(value);
                self.value_of(len);
                Type::Array(Arc::new(ty))
            }
            Expr::Block(stmts, value, kind) => self.block(stmts, value, kind, expected),
            Expr::If(condition, then, or) => {
                let mark = self.locals.len();
                self.value_of(condition);
                let ty = self.infer(then, expected);
                self.locals.truncate(mark);
                match or {
                    Some(or) => {
                        let other = self.infer(or, expected);
                        self.join(ty, other)
                    }
                    None => Type::unit(),
                }
            }
            Expr::Let(pat, value) => {
                let ty = self.value_of(value);
                self.bind_value(pat, &ty);
                self.boolean()
            }
            Expr::While(condition, body) => {
                let mark = self.locals.len();
                self.value_of(condition);
                self.value_of(body);
                self.locals.truncate(mark);
                Type::unit()
            }
            Expr::Loop(body, label) => {
                let ty = self.p.table.fresh();
                self.loops.push((label, ty.clone()));
                self.value_of(body);
                self.loops.pop();
                ty
            }
            Expr::For(pat, over, body, at) => {
                let mark = self.locals.len();
                let over = self.value_of(over);
                self.called_by_for(&over, at);
                let item = self.item_of(&over);
                self.bind_value(pat, &item);
                self.value_of(body);
                self.locals.truncate(mark);
                Type::unit()
            }
            Expr::Match(value, arms) => self.match_arms(value, arms, expected),
            Expr::Closure(params, ret, body) => self.closure(params, ret, body, expected),
            Expr::Return(value) => {
                if let Some(value) = value {
                    let ret = self.ret.clone();
                    let ty = self.infer(value, &ret);
                    self.coerce(&ret, &ty);
                }
                Type::Never
            }
            Expr::Break(label, value) => {
                if let Some(value) = value {
                    self.break_value(label, value);
                }
                Type::Never
            }
            Expr::Macro(path, list, call) => {
                self.macro_call(path, list, call, CallPlace::Value, expected)
            }
            // The links of a chain are handled above.
            Expr::Method { .. }
            | Expr::Field(..)
            | Expr::Index(..)
            | Expr::Try(..)
            | Expr::Await(..) => Type::Unknown,
        }
    }

    /// The type of `*inner`.
    fn dereferenced(&mut self, id: ExprId, inner: ExprId, at: u32) -> Type {
        let ty = self.value_of(inner);
        self.called_by_place(id, Place::Deref, &ty, None, at);
        let ty = self.p.normal(&ty);
        match &ty {
            Type::Ptr(_, to) => (**to).clone(),
            _ => self.p.deref(&ty).unwrap_or(Type::Unknown),
        }
    }

    /// The type of `!inner` or `-inner`.
    fn unary(&mut self, op: UnOp, inner: ExprId, at: u32) -> Type {
        let ty = self.value_of(inner);
        let names = &self.p.world.known.names;
        let method = if op == UnOp::Not { names.not } else { names.neg };
        self.called(method, &ty, None, at);
        self.negated(ty, method)
    }

    /// The type of a range, by the ends that it has.
    fn range(&mut self, from: Option<ExprId>, to: Option<ExprId>, limits: Limits) -> Type {
        let mut ty = Type::Unknown;
        for end in [from, to].into_iter().flatten() {
            let end = self.value_of(end);
            if ty.is_unknown() {
                ty = end;
            } else {
                self.p.table.unify(&ty, &end);
            }
        }
        let known = &self.p.world.known;
        let of = match (from, to, limits) {
            (Some(_), Some(_), Limits::HalfOpen) => known.range,
            (Some(_), Some(_), Limits::Closed) => known.range_inclusive,
            (Some(_), None, _) => known.range_from,
            (None, Some(_), Limits::HalfOpen) => known.range_to,
            (None, Some(_), Limits::Closed) => known.range_to_inclusive,
            (None, None, _) => return self.library(known.range_full, Vec::new()),
        };
        self.library(of, vec![ty])
    }

    /// The type that the arms of a `match` have in common.
    fn match_arms(&mut self, value: ExprId, arms: List, expected: &Type) -> Type {
        let matched = self.value_of(value);
        let expanded = self.expanded;
        let mut ty = Type::Never;
        for arm in self.p.uses.arms(arms) {
            let mark = self.locals.len();
            self.expanded = expanded;
            self.bind_value(arm.pat, &matched);
            if let Some(guard) = arm.guard {
                self.value_of(guard);
            }
            let body = self.infer(arm.body, expected);
            ty = self.join(ty, body);
            self.locals.truncate(mark);
        }
        ty
    }

    /// The value that a `break` gives to its loop, or to that of its label.
    fn break_value(&mut self, label: Option<Sym>, value: ExprId) {
        let own = self.loops.iter().rev();
        let mut own = own.filter(|(name, _)| label.is_none() || *name == label);
        let wanted = own.next().map_or(Type::Unknown, |(_, ty)| ty.clone());
        let ty = self.infer(value, &wanted);
        self.coerce(&wanted, &ty);
    }

    fn literal(&mut self, lit: Lit) -> Type {
        let prim = |body: &Self, name: &str| {
            body.p.world.find_name(name).map_or(Type::Unknown, Type::Prim)
        };
        match lit {
            Lit::Str => Type::reference(Borrow::Shared, prim(self, "str")),
            Lit::Bytes => Type::reference(Borrow::Shared, Type::Array(Arc::new(prim(self, "u8")))),
            Lit::CStr => Type::Unknown,
            Lit::Char => prim(self, "char"),
            Lit::Byte => prim(self, "u8"),
            Lit::Bool => prim(self, "bool"),
            Lit::Int(Some(suffix)) | Lit::Float(Some(suffix)) => {
                let name = self.p.name(suffix);
                if self.p.world.known.prims.contains_key(&name) {
                    Type::Prim(name)
                } else {
                    self.p.table.fresh()
                }
            }
            Lit::Int(None) => {
                let int = self.p.table.fresh();
                self.implicit.ints.push(int.clone());
                int
            }
            Lit::Float(None) => {
                let float = self.p.table.fresh();
                self.floats.push(float.clone());
                float
            }
        }
    }

    pub(super) fn boolean(&self) -> Type {
        self.p.world.find_name("bool").map_or(Type::Unknown, Type::Prim)
    }

    /// A type of the library.
    pub(super) fn library(&self, def: Option<Def>, args: Vec<Type>) -> Type {
        def.map_or(Type::Unknown, |def| Type::Adt(def, args.into()))
    }

    fn binary(&mut self, op: BinOp, left: ExprId, right: ExprId, by: Operator) -> Type {
        if op == BinOp::Assign {
            self.is_mutable(left);
        }
        let a = self.value_of(left);
        let b = self.infer(right, &a);
        let method = self.p.name(by.method);
        self.called(method, &a, Some(&b), by.at);
        match op {
            BinOp::Compare => {
                let (x, y) = (self.p.table.shallow(&a), self.p.table.shallow(&b));
                let is_open = |ty: &Type| matches!(ty, Type::Var(_));
                if is_open(&x) != is_open(&y) && self.compares_with_itself(&x, &y) {
                    self.p.table.unify(&x, &y);
                }
                self.boolean()
            }
            BinOp::Logic => self.boolean(),
            BinOp::Assign => {
                // `+=` may take an operand of another type.
                let is_plain = |ty: Type| matches!(ty, Type::Prim(_) | Type::Var(_));
                let numbers = is_plain(self.p.normal(&a)) && is_plain(self.p.normal(&b));
                if self.p.text(by.method).is_empty() || numbers {
                    self.coerce(&a, &b);
                }
                Type::unit()
            }
            // The parser makes ranges of these.
            BinOp::Range(_) => Type::Unknown,
            BinOp::Arithmetic | BinOp::Shift => {
                let of = self.p.world.known.implicit.get(&method).copied();
                let right = Operand { ty: self.p.normal(&b), literal: self.literal_class(right) };
                self.operation(op, of, (&a, self.literal_class(left)), &right)
            }
        }
    }

    /// The common type of two branches.
    pub(super) fn join(&mut self, a: Type, b: Type) -> Type {
        match (&a, &b) {
            (Type::Never | Type::Unknown, _) => b,
            (_, Type::Never | Type::Unknown) => a,
            _ => {
                let mark = self.p.table.mark();
                if !self.p.table.unify(&a, &b) {
                    self.p.table.undo(mark);
                }
                a
            }
        }
    }

    /// A path as a value.
    pub(super) fn path_value(&mut self, id: PathId, kind: RefKind) -> Type {
        let uses = self.p.uses;
        if let [seg] = uses.segs(id)
            && uses.path(id).qself.is_none()
            && !uses.path(id).global
        {
            if let Some(local) = self.local(seg.name) {
                let number = self.locals.number(seg.name);
                self.trace.iter_mut().for_each(|trace| trace.name(seg.at, number));
                return local;
            }
            if self.in_macro > 0 {
                let found = self.p.lexical(seg.name, VALUES);
                if matches!(found, Hit::Nothing) {
                    self.p.mention(seg.name, "", seg.at);
                    return Type::Unknown;
                }
                let types = self.p.lexical(seg.name, TYPES);
                if kind == RefKind::Value && self.note_either(&found, &types, seg.at) {
                    return Type::Unknown;
                }
            }
        }
        let mark = self.p.sink.as_ref().map_or(0, Vec::len);
        let (end, (args, _)) = self.p.resolve(id, VALUES, kind, true);
        if let ([only], true) = (uses.segs(id), self.unknown_calls > 0) {
            self.mark_expanded(mark, only.at);
        }
        match end {
            End::Defs(defs, through) => {
                // What the call of a macro makes.
                let Some(&def) = defs.first() else { return through.unwrap_or(Type::Unknown) };
                match self.p.world.kind(def) {
                    NodeKind::Struct if defs.len() > 1 => {
                        let own = self.p.type_of_defs(&defs, args, true);
                        self.constructor(def, own)
                    }
                    NodeKind::Function if defs.len() > 1 => {
                        let reached = std::mem::take(&mut self.p.reached);
                        let mut each = Vec::new();
                        for def in defs.iter().take(MAX_ALTERNATIVES) {
                            let own = self.p.world.condition_of(self.p.def, *def);
                            let under = self.p.world.joined.and(reached.under(*def), own);
                            each.push((self.value_of_def(*def, None, args.clone(), mark), under));
                        }
                        self.p.world.one_callable(self.p.def, each)
                    }
                    _ => self.value_of_def(def, through, args, mark),
                }
            }
            End::Type(ty) => match self.p.normal(&ty) {
                // `Self` of a tuple or unit struct.
                Type::Adt(def, args) => {
                    let own = Type::Adt(def, args);
                    self.constructor(def, own)
                }
                _ => Type::Unknown,
            },
            End::External(_) => Type::Unknown,
            End::Nothing => {
                if let [seg] = uses.segs(id)
                    && self.p.text(seg.name) != "self"
                    && self.p.text(seg.name) != "_"
                {
                    let text = self.p.text(seg.name).into();
                    if let Some(sink) = &mut self.p.sink {
                        sink.truncate(mark);
                    }
                    self.p.note(kind, Target::Unknown(text), Rule::Nothing, seg.at);
                }
                Type::Unknown
            }
        }
    }

    /// The type of a constructor or unit value.
    pub(super) fn constructor(&mut self, holder: Def, own: Type) -> Type {
        let world = self.p.world;
        let fields = ctor_fields(world, holder);
        let numbered =
            |def: &Def| world.text(world.name(*def)).starts_with(|c: char| c.is_ascii_digit());
        if fields.is_empty() || !fields.iter().all(numbered) {
            return own;
        }
        let params = fields.iter().map(|field| self.field_type(*field, &own)).collect();
        Type::Fn(Arc::new(Callable { params, ret: own }))
    }

    /// The type of a field of a value of this type.
    pub(super) fn field_type(&mut self, field: Def, own: &Type) -> Type {
        let sig = self.p.world.sig(field);
        let Some(ty) = &sig.ty else { return Type::Unknown };
        if let Some(own) = own.projected() {
            return self.projected_type(field, own);
        }
        let Type::Adt(of, args) = own else { return Type::Unknown };
        // This declaration may be a `cfg` duplicate of the type's first.
        let owners = super::lower::owners(self.p.world, field);
        let of = owners.last().copied().unwrap_or(*of);
        let subst = super::members::Subst { args: vec![(of, args.to_vec())], ..Default::default() };
        let ty = subst.apply(ty);
        self.p.normal(&ty)
    }

    /// The type of the field that there is, of some under different conditions.
    pub(super) fn type_of_fields(&mut self, fields: &[(Def, ConditionId)], own: &Type) -> Type {
        if let [(only, _)] = fields {
            return self.field_type(*only, own);
        }
        let mut types = Vec::new();
        for (field, under) in fields {
            let world = self.p.world;
            let under = world.joined.and(*under, world.condition_of(self.p.def, *field));
            types.push((self.field_type(*field, own), under));
        }
        self.p.world.choice_of(self.p.def, &types, Share::All)
    }

    fn struct_literal(&mut self, path: PathId, fields: List, base: Option<ExprId>) -> Type {
        let uses = self.p.uses;
        let (end, (args, _)) = self.p.resolve(path, TYPES, RefKind::Type, true);
        let (holder, own) = holder(self, end, args);
        for field in uses.fields(fields) {
            let name = self.p.name(field.name);
            let found = holder.map_or(Vec::new(), |h| self.p.world.fields(self.p.def, h, name));
            self.p.note_each(RefKind::Field, &found, Rule::Member, field.at);
            let wanted = self.type_of_fields(&found, &own);
            let value = self.infer(ExprId(field.value), &wanted);
            self.coerce(&wanted, &value);
        }
        if let Some(base) = base {
            let base = self.infer(base, &own);
            self.coerce(&own, &base);
        }
        own
    }
}
