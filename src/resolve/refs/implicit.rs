//! Resolves implicit method calls: by operators, indices, `for`, `.await`, and by the conversions
//! of the standard library.
//!
//! Only those of impls of the workspace are uses: which impl of another crate an operator of numbers
//! calls tells nobody anything.

use super::super::conditions::ALWAYS;
use super::heads::Head;
use super::infer::InferenceContext;
use super::members::Pick;
use super::paths::Target;
use super::rules::Rule;
use super::types::{Bound, Def, Name, Type};
use crate::ids::ConditionId;
use asof_model::{Expr, ExprId, HashSet, NodeKind, RefKind, UnOp};

/// The method that one of these traits calls if an impl leaves it to the trait.
fn called_by_default(method: &str) -> Option<&'static str> {
    match method {
        "ne" => Some("eq"),
        "lt" | "le" | "gt" | "ge" => Some("partial_cmp"),
        _ => None,
    }
}

/// Methods of the standard library that call one of an impl: which method that is, of which type, and
/// of what the trait has an argument.
const CONVERSIONS: &[(&str, &str, Converted, Given)] = &[
    ("std::convert::Into::into", "from", Converted::Result, Given::Receiver),
    ("std::convert::TryInto::try_into", "try_from", Converted::Within, Given::Receiver),
    ("str::parse", "from_str", Converted::Within, Given::Nothing),
    ("std::iter::Iterator::collect", "from_iter", Converted::Result, Given::Items),
    ("std::string::ToString::to_string", "fmt", Converted::Receiver, Given::Nothing),
];

/// Which type has the impl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Converted {
    Receiver,
    Result,
    /// What the `Result` that is returned holds.
    Within,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Nothing,
    Receiver,
    Items,
}

/// An expression that is a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Index,
    Deref,
}

/// What becomes of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Written,
    /// A method is called of it, which may change it.
    Unsure,
}

/// A call on a place, which may change it.
#[derive(Debug, Clone, Copy)]
struct OnPlace {
    id: ExprId,
    /// In an expansion, whose places have numbers of their own.
    access: Option<Access>,
    /// The method that is called if it does.
    changed: Name,
}

/// A call, until all types of the body are known.
#[derive(Debug)]
struct Call {
    method: Name,
    own: Type,
    operand: Option<Type>,
    at: u32,
    rule: Rule,
    place: Option<OnPlace>,
}

#[derive(Debug, Default)]
pub(super) struct Implicit {
    calls: Vec<Call>,
    /// Types of literals like `1`.
    pub ints: Vec<Type>,
    /// Places that are written to, or borrowed to be.
    mutable: HashSet<ExprId>,
    /// Places of which methods are called, which may change them.
    unsure: HashSet<ExprId>,
}

impl Implicit {
    fn access(&self, place: &OnPlace) -> Access {
        match place.access {
            Some(access) => access,
            None if self.mutable.contains(&place.id) => Access::Written,
            None if self.unsure.contains(&place.id) => Access::Unsure,
            None => Access::Read,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.calls.truncate(len);
    }

    /// Takes over the calls of an expansion, and where the text around it has them.
    pub(super) fn take_over(&mut self, mut inner: Implicit, place: impl Fn(u32) -> u32) {
        for mut call in std::mem::take(&mut inner.calls) {
            call.at = place(call.at);
            let access = call.place.as_ref().map(|on| inner.access(on));
            if let Some(on) = &mut call.place {
                on.access = access;
            }
            self.calls.push(call);
        }
        self.ints.extend(inner.ints);
    }
}

impl InferenceContext<'_, '_> {
    /// An operator on a value.
    pub(super) fn called(&mut self, method: Name, own: &Type, operand: Option<&Type>, at: u32) {
        if self.p.world.known.implicit.contains_key(&method) {
            let (own, operand) = (own.clone(), operand.cloned());
            let rule = Rule::TraitImpl;
            self.implicit.calls.push(Call { method, own, operand, at, rule, place: None });
        }
    }

    /// `value?`: the error becomes that of the function.
    pub(super) fn called_by_try(&mut self, value: &Type, at: u32) {
        let result = self.p.world.known.result;
        let error = |ty: &Type| match ty {
            Type::Adt(def, args) if Some(*def) == result => args.get(1).cloned(),
            _ => None,
        };
        let (own, value) = (self.p.normal(&self.ret.clone()), self.p.normal(value));
        if let (Some(own), Some(operand)) = (error(&own), error(&value)) {
            self.converts(self.p.world.known.names.from, own, Some(operand), at);
        }
    }

    /// A method of the standard library that only calls that of an impl.
    pub(super) fn called_by_conversion(&mut self, pick: &Pick, result: &Type, at: u32) {
        let world = self.p.world;
        let name = world.text(world.name(pick.item));
        let named = |path: &str| path.rsplit("::").next() == Some(name);
        let Some((_, method, of, given)) = CONVERSIONS
            .iter()
            .filter(|(path, ..)| world.is_library(pick.item) && named(path))
            .find(|(path, ..)| world.path(pick.item) == *path)
        else {
            return;
        };
        let receiver = self.p.normal(&pick.on);
        let own = match (of, self.p.table.shallow(result)) {
            (Converted::Receiver, _) => receiver.clone(),
            (Converted::Result, result) => result,
            (Converted::Within, Type::Adt(_, args)) => {
                args.first().cloned().unwrap_or(Type::Unknown)
            }
            (Converted::Within, _) => return,
        };
        let operand = match given {
            Given::Nothing => None,
            Given::Receiver => Some(receiver),
            Given::Items => Some(self.item_of(&receiver)),
        };
        if let Some(method) = world.find_name(method) {
            self.converts(method, own, operand, at);
        }
    }

    fn converts(&mut self, method: Name, own: Type, operand: Option<Type>, at: u32) {
        let rule = Rule::Conversion;
        self.implicit.calls.push(Call { method, own, operand, at, rule, place: None });
    }

    /// Whether a type of which one is known is compared with its own kind only.
    pub(super) fn compares_with_itself(&self, a: &Type, b: &Type) -> bool {
        let (world, eq) = (self.p.world, self.p.world.known.partial_eq);
        let impls = [a, b].map(|ty| match (Head::from_type(ty), eq) {
            (Some(head), Some(eq)) => world.impls_of(&head, eq),
            _ => &[],
        });
        impls.into_iter().flatten().all(|one| {
            let of = &world.sig(*one).of_trait;
            world.is_library(*one) || of.as_ref().is_none_or(|of| of.args.is_empty())
        })
    }

    /// `own[operand]` or `*own`.
    pub(super) fn called_by_place(
        &mut self,
        id: ExprId,
        place: Place,
        own: &Type,
        operand: Option<&Type>,
        at: u32,
    ) {
        let names = &self.p.world.known.names;
        let (method, changed) = match place {
            Place::Index => (names.index, names.index_mut),
            Place::Deref => (names.deref, names.deref_mut),
        };
        let (own, operand) = (own.clone(), operand.cloned());
        let (rule, place) = (Rule::TraitImpl, Some(OnPlace { id, access: None, changed }));
        self.implicit.calls.push(Call { method, own, operand, at, rule, place });
    }

    /// `for … in own`.
    pub(super) fn called_by_for(&mut self, own: &Type, at: u32) {
        let known = &self.p.world.known;
        let (into_iter, next) = (known.names.into_iter, known.names.next);
        self.called(into_iter, own, None, at);
        let of = known.into_iterator;
        let iter = self.projected(own, of, known.into_iter).unwrap_or_else(|| own.clone());
        self.called(next, &iter, None, at);
    }

    /// `own.await`: the future is asked again and again; how it is made of the value counts less.
    pub(super) fn called_by_await(&mut self, own: &Type, at: u32) {
        let known = &self.p.world.known;
        let poll = known.names.poll;
        let future = self.projected(own, known.into_future, known.into_future_type);
        self.called(poll, &future.unwrap_or_else(|| own.clone()), None, at);
    }

    /// An associated type of an impl of the workspace for a type.
    fn projected(&mut self, own: &Type, of: Option<Def>, name: Name) -> Option<Type> {
        let own = self.p.normal(own);
        let of = of?;
        let world = self.p.world;
        let impls = world.impls_of(&Head::from_type(&own)?, of);
        if impls.iter().all(|one| world.is_library(*one)) {
            return None;
        }
        let bound = Bound::plain(of);
        self.p.project(&own, Some(&bound), name, super::members::MAX_NESTED)
    }

    /// A place that is changed, with those that it is within.
    pub(super) fn is_mutable(&mut self, place: ExprId) {
        self.mark(place, |implicit, id| implicit.mutable.insert(id));
    }

    /// A place of which a method is called.
    pub(super) fn receiver_of_method(&mut self, place: ExprId) {
        self.mark(place, |implicit, id| implicit.unsure.insert(id));
    }

    fn mark(&mut self, place: ExprId, mark: fn(&mut Implicit, ExprId) -> bool) {
        let mut at = place;
        loop {
            at = match self.p.uses.expr(at) {
                Expr::Field(base, ..) => base,
                Expr::Index(base, ..) | Expr::Unary(UnOp::Deref, base, _) => {
                    if !mark(&mut self.implicit, at) {
                        return;
                    }
                    base
                }
                _ => return,
            }
        }
    }

    /// Notes the calls of the body, whose types are known now.
    pub(super) fn note_implicit(&mut self) {
        let ints = std::mem::take(&mut self.implicit.ints);
        let ints = ints.iter().filter_map(|int| match self.p.table.shallow(int) {
            Type::Var(int) => Some(int),
            _ => None,
        });
        let ints: HashSet<u32> = ints.collect();
        for call in std::mem::take(&mut self.implicit.calls) {
            let kind = RefKind::Implicit;
            let access = call.place.as_ref().map_or(Access::Read, |on| self.implicit.access(on));
            let plain = (access != Access::Written).then_some(call.method);
            let changed = call.place.filter(|_| access != Access::Read).map(|on| on.changed);
            for (own, under) in self.each_type(&call.own) {
                let [plain, changed] = [plain, changed].map(|method| {
                    method.map_or_else(Vec::new, |m| self.of_impl(m, &own, &call, &ints))
                });
                match (plain.as_slice(), changed.as_slice()) {
                    (sure, []) | ([], sure) => {
                        for def in sure {
                            let target = Target::Def(*def);
                            self.p.note_under(kind, target, call.rule, call.at, under);
                        }
                    }
                    // Whether a method changes its receiver is not known.
                    _ => {
                        let both = [plain, changed].concat();
                        self.candidates(kind, &both, Rule::Ambiguous, call.at);
                    }
                }
            }
        }
    }

    /// Each type that a value may have, with the condition under which it has it.
    fn each_type(&mut self, ty: &Type) -> Vec<(Type, ConditionId)> {
        let (world, user) = (self.p.world, self.p.def);
        let ty = self.p.normal(ty);
        let Type::Adt(def, args) = &ty else { return vec![(ty, ALWAYS)] };
        let mut each = world.each_under(user, *def);
        each.retain(|(def, under)| {
            !world.excludes(user, *def) && !world.excludes_import(user, *under)
        });
        each.into_iter().map(|(def, under)| (Type::Adt(def, args.clone()), under)).collect()
    }

    /// The method of the only impl that fits, if it is of the workspace, with its duplicates under
    /// other `cfg` predicates.
    fn of_impl(&mut self, method: Name, own: &Type, call: &Call, ints: &HashSet<u32>) -> Vec<Def> {
        let world = self.p.world;
        let impls = match (world.known.implicit.get(&method), Head::from_type(own)) {
            (Some(of), Some(head)) => world.impls_of(&head, *of),
            _ => return Vec::new(),
        };
        if impls.iter().all(|one| world.is_library(*one)) {
            return Vec::new();
        }
        let mut fitting: Vec<Def> = Vec::new();
        for &one in impls {
            let mark = self.p.table.mark();
            let fits = self.fits(one, own, call.operand.as_ref(), ints);
            self.p.table.undo(mark);
            match fitting.first() {
                _ if !fits => {}
                // Which one is meant is not known.
                Some(first) if !world.same_header(*first, one) => return Vec::new(),
                _ => fitting.push(one),
            }
        }
        let own = fitting.into_iter().filter(|one| !world.is_library(*one));
        let kinds = [NodeKind::Method];
        let provided = || world.find_name(called_by_default(world.text(method))?);
        own.filter_map(|one| {
            let own = world.child(one, method, &kinds);
            own.or_else(|| world.child(one, provided()?, &kinds))
        })
        .collect()
    }

    /// Whether an impl is for a type and operand.
    fn fits(&mut self, one: Def, own: &Type, operand: Option<&Type>, ints: &HashSet<u32>) -> bool {
        let sig = self.p.world.sig(one);
        let Some(subst) = self.p.matches(one, own) else { return false };
        if !self.p.nested_holds(one, own, super::members::MAX_NESTED) {
            return false;
        }
        let Some(operand) = operand else { return true };
        let operand = self.p.normal(operand);
        // Without an argument, the other operand has the same type.
        let wanted = sig.of_trait.as_ref().and_then(|of| of.args.first());
        let wanted = wanted.map_or_else(|| own.clone(), |arg| subst.apply(arg));
        let wanted = self.p.normal(&wanted);
        let is_int = matches!(operand, Type::Var(var) if ints.contains(&var));
        if is_int && !matches!(wanted, Type::Prim(_) | Type::Var(_) | Type::Unknown) {
            return false;
        }
        self.p.table.unify(&wanted, &operand)
    }
}
