//! Infers calls: functions, methods, closures.

use std::sync::Arc;

use super::choices::Share;
use super::infer::{InferenceContext, Pending};
use super::members::{Pick, Subst};
use super::paths::Target;
use super::rules::Rule;
use super::types::{Borrow, Bound, Callable, Def, Name, Sig, Type};
use asof_model::{Expr, ExprId, List, NodeKind, RefKind, Sym, TypeId};

/// Limit of candidates for a method of an unknown receiver, or a field of an unknown value; more are
/// no information.
pub(super) const MAX_CANDIDATES: usize = 8;

/// A function with its generic parameters filled in.
pub(super) struct Instance {
    pub params: Vec<Type>,
    pub ret: Type,
    pub preds: Vec<(Type, Vec<Bound>)>,
}

impl InferenceContext<'_, '_> {
    pub(super) fn instantiate(&mut self, sig: &Sig, subst: &Subst) -> Instance {
        let mut map = |ty: &Type| {
            let ty = subst.apply(ty);
            self.p.normal(&ty)
        };
        let params = sig.params.iter().map(&mut map).collect();
        let ret = sig.ty.as_ref().map_or_else(Type::unit, |ty| subst.apply(ty));
        let bounds = |bounds: &Vec<Bound>| -> Vec<Bound> {
            bounds
                .iter()
                .map(|bound| {
                    bound.map(&mut |part| match part {
                        Type::Param(..) => Some(subst.apply(part)),
                        _ => None,
                    })
                })
                .collect()
        };
        let preds = sig.preds.iter().map(|(ty, list)| (subst.apply(ty), bounds(list))).collect();
        Instance { params, ret, preds }
    }

    /// Adds the own generic parameters of a function.
    fn with_own(&mut self, def: Def, sig: &Sig, subst: &mut Subst, given: &[Type]) {
        let mut own: Vec<Type> = given.iter().take(sig.generics.len()).cloned().collect();
        while own.len() < sig.generics.len() {
            own.push(self.p.table.fresh());
        }
        subst.args.push((def, own));
    }

    /// The generic arguments of the items around an associated function, found through a type.
    fn around(&mut self, def: Def, through: Option<&Type>) -> Subst {
        let world = self.p.world;
        let Some(owner) = world.owner(def) else { return Subst::default() };
        let sig = world.sig(owner);
        let fresh: Vec<Type> = sig.generics.iter().map(|_| self.p.table.fresh()).collect();
        let choice = match through {
            Some(Type::Adt(def, _)) => world.choices.alternatives(*def).map(|all| (all, *def)),
            _ => None,
        };
        let mut subst = Subst { args: vec![(owner, fresh)], own: None, choice };
        match world.kind(owner) {
            NodeKind::Impl => {
                if let (Some(header), Some(through)) = (&sig.ty, through) {
                    let header = subst.apply(header);
                    self.p.table.unify(&header, through);
                }
            }
            NodeKind::Trait => {
                let own = match through {
                    Some(Type::Bounded(_)) | None => self.p.table.fresh(),
                    Some(through) => through.clone(),
                };
                // A parameter's own bound gives the trait's arguments.
                for bound in self.p.bounds_of(&own, 4) {
                    if bound.def() == Some(owner)
                        && let Some((_, args)) = subst.args.first_mut()
                    {
                        for (slot, arg) in args.iter_mut().zip(bound.args.iter()) {
                            *slot = arg.clone();
                        }
                    }
                }
                subst.own = Some((owner, own));
            }
            _ => {}
        }
        subst
    }

    /// The type of a definition used as a value. `mark`: where its notes begin.
    pub(super) fn value_of_def(
        &mut self,
        def: Def,
        through: Option<Type>,
        args: Vec<Type>,
        mark: usize,
    ) -> Type {
        let world = self.p.world;
        match world.kind(def) {
            NodeKind::Function | NodeKind::Method => {
                let def = self.common_declaration(def, through.as_ref(), mark);
                let sig = world.sig(def);
                let mut subst = match world.kind(def) {
                    NodeKind::Method => self.around(def, through.as_ref()),
                    _ => Subst::default(),
                };
                self.with_own(def, &sig, &mut subst, &args);
                if let Some((of, own)) = &subst.own {
                    let bound = self.bound_of(*of, &subst);
                    self.by_trait.push((mark, bound, world.name(def), own.clone()));
                }
                let instance = self.instantiate(&sig, &subst);
                self.keep_bounds(instance.preds);
                if let Some((of, own)) = &subst.own {
                    self.keep_bounds(vec![(own.clone(), vec![self.bound_of(*of, &subst)])]);
                }
                let ret = self.p.normal(&instance.ret);
                Type::Fn(Arc::new(Callable { params: instance.params, ret }))
            }
            NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => {
                let ty = world.sig(def).ty.clone().unwrap_or(Type::Unknown);
                let ty = match world.kind(def) {
                    NodeKind::AssocConst => self.around(def, through.as_ref()).apply(&ty),
                    NodeKind::Static if world.is_thread_local(def) => {
                        self.library(world.known.local_key, vec![ty])
                    }
                    _ => ty,
                };
                self.p.normal(&ty)
            }
            NodeKind::Variant => {
                let own = match through {
                    Some(Type::Adt(of, known)) => Type::Adt(of, known),
                    _ => self.p.type_of_def(def, args, true),
                };
                self.constructor(def, own)
            }
            NodeKind::Struct => {
                let own = self.p.type_of_def(def, args, true);
                self.constructor(def, own)
            }
            _ => Type::Unknown,
        }
    }

    /// A function of one of several impls of a trait for a type (`From<A>`, `From<B>`): which one
    /// is meant is known only with its arguments, so the trait's function is used in its place.
    fn common_declaration(&mut self, def: Def, through: Option<&Type>, mark: usize) -> Def {
        let world = self.p.world;
        let (Some(owner), Some(through)) = (world.owner(def), through) else { return def };
        if world.kind(owner) != NodeKind::Impl {
            return def;
        }
        let Some(of) = world.sig(owner).of_trait.as_ref().and_then(Bound::def) else { return def };
        let head = super::heads::Head::from_type(&self.p.table.shallow(through));
        let others = |head| world.impls_of(&head, of).iter().filter(|one| **one != owner);
        if head.is_none_or(|head| others(head).all(|one| world.same_header(*one, owner))) {
            return def;
        }
        let Some(declared) = world.child(of, world.name(def), &[NodeKind::Method]) else {
            return def;
        };
        for noted in self.p.sink.iter_mut().flatten().skip(mark) {
            if noted.target == Target::Def(def) {
                noted.target = Target::Def(declared);
            }
        }
        declared
    }

    fn bound_of(&self, of: Def, subst: &Subst) -> Bound {
        let args = subst.args.iter().find(|(owner, _)| *owner == of);
        let args = args.map_or_else(Vec::new, |(_, args)| args.clone());
        Bound { of: super::types::TraitRef::Def(of), args: args.into(), assoc: Vec::new() }
    }

    /// `callee(args)`.
    pub(super) fn call(&mut self, callee: ExprId, args: List, expected: &Type) -> Type {
        let open = self.open.len();
        let callee = match self.p.uses.expr(callee) {
            Expr::Path(path) => self.path_value(path, RefKind::Call),
            _ => self.value_of(callee),
        };
        let mut callee = self.p.normal(&callee);
        // References to and boxes of callable values.
        for _ in 0..4 {
            if matches!(callee, Type::Fn(_)) {
                break;
            }
            let fns = &self.p.world.known.fns;
            let bounds = self.p.bounds_of(&callee, 4);
            let bound = bounds.iter().find(|b| b.def().is_some_and(|of| fns.contains(&of)));
            if let Some(callable) = bound.cloned().and_then(|bound| self.callable_of(&bound)) {
                callee = Type::Fn(Arc::new(callable));
                break;
            }
            match self.p.deref(&callee) {
                Some(next) => callee = next,
                None => break,
            }
        }
        let exprs: Vec<ExprId> = self.p.uses.expr_ids(args).collect();
        let Type::Fn(callable) = callee else {
            for arg in exprs {
                self.value_of(arg);
            }
            return Type::Unknown;
        };
        if !matches!(expected, Type::Unknown) && !matches!(callable.ret, Type::Bounded(_)) {
            // The expected type gives the arguments of constructors like `Box::new`.
            let ret = self.p.table.shallow(&callable.ret);
            if matches!(ret, Type::Var(_)) {
                let mark = self.p.table.mark();
                if !self.p.table.unify(&ret, expected) {
                    self.p.table.undo(mark);
                }
            }
        }
        let preds: Vec<(Type, Bound)> = self.open.get(open..).unwrap_or_default().to_vec();
        let by_arguments = self.has_variables(&callable.ret);
        self.arguments(&exprs, &callable.params, &preds);
        self.by_arguments = by_arguments;
        self.p.normal(&callable.ret)
    }

    /// Unifies arguments with parameters: closures last, when most is known.
    fn arguments(&mut self, exprs: &[ExprId], params: &[Type], preds: &[(Type, Bound)]) {
        let uses = self.p.uses;
        let is_closure = |id: &ExprId| matches!(uses.expr(*id), Expr::Closure(..));
        for (at, &arg) in exprs.iter().enumerate().filter(|(_, arg)| !is_closure(arg)) {
            let wanted = params.get(at).cloned().unwrap_or(Type::Unknown);
            let wanted = self.p.normal(&wanted);
            let ty = self.infer(arg, &wanted);
            self.coerce(&wanted, &ty);
            // A `&mut` in a place is borrowed again, since it cannot be moved out of there.
            if let Type::Ref(Borrow::Mutable, _) = self.p.normal(&ty) {
                self.is_mutable(arg);
            }
        }
        let world = self.p.world;
        for (ty, bound) in preds {
            // An integer without a type that indexes a slice is a `usize`.
            if bound.def().is_some()
                && bound.def() == world.known.slice_index
                && matches!(self.p.table.shallow(ty), Type::Var(_))
                && let Some(usize) = world.find_name("usize")
            {
                self.p.table.unify(ty, &Type::Prim(usize));
            }
        }
        if !exprs.iter().any(is_closure) {
            return self.solve_open();
        }
        self.solve_open();
        for (at, &arg) in exprs.iter().enumerate().filter(|(_, arg)| is_closure(arg)) {
            let wanted = params.get(at).cloned().unwrap_or(Type::Unknown);
            let hint = self.callable_hint(&wanted, preds);
            let ty = self.infer(arg, &hint);
            self.coerce(&wanted, &ty);
            if let (Type::Fn(hint), Type::Fn(own)) = (&hint, &ty) {
                self.coerce(&hint.ret, &own.ret);
            }
            self.solve_open();
        }
    }

    /// Parameters and result of a closure for this parameter.
    fn callable_hint(&mut self, wanted: &Type, preds: &[(Type, Bound)]) -> Type {
        let wanted = self.p.table.resolve(wanted);
        let world = self.p.world;
        let mut bounds: Vec<Bound> = match &wanted {
            Type::Fn(_) => return wanted,
            Type::Bounded(bounds) => bounds.to_vec(),
            Type::Adt(_, args) => match args.first().map(|arg| self.p.table.resolve(arg)) {
                // `Box<dyn Fn(A) -> B>`.
                Some(Type::Bounded(bounds)) => bounds.to_vec(),
                _ => Vec::new(),
            },
            Type::Param(..) => self.p.bounds_of(&wanted, 4),
            _ => Vec::new(),
        };
        bounds.extend(preds.iter().filter(|(ty, _)| *ty == wanted).map(|(_, b)| b.clone()));
        let found = bounds.iter().find(|b| b.def().is_some_and(|of| world.known.fns.contains(&of)));
        let Some(callable) = found.cloned().and_then(|bound| self.callable_of(&bound)) else {
            return Type::Unknown;
        };
        let params = callable.params.iter().map(|param| self.p.normal(param)).collect();
        Type::Fn(Arc::new(Callable { params, ret: callable.ret }))
    }

    pub(super) fn closure(
        &mut self,
        params: List,
        ret: Option<TypeId>,
        body: ExprId,
        expected: &Type,
    ) -> Type {
        let uses = self.p.uses;
        let hint = match self.callable_hint(expected, &[]) {
            Type::Fn(callable) => Some(callable),
            _ => None,
        };
        let mark = self.locals.len();
        let mut types = Vec::new();
        for (at, param) in uses.params(params).iter().enumerate() {
            let ty = self.written(param.ty);
            if let Some(known) = hint.as_ref().and_then(|hint| hint.params.get(at)) {
                self.coerce(&ty, known);
            }
            self.bind(param.pat, &ty);
            types.push(ty);
        }
        let own = self.written(ret);
        let outer = std::mem::replace(&mut self.ret, own.clone());
        let wanted = hint.map_or(Type::Unknown, |hint| hint.ret.clone());
        let found = self.infer(body, &wanted);
        self.coerce(&own, &found);
        self.ret = outer;
        self.locals.truncate(mark);
        Type::Fn(Arc::new(Callable { params: types, ret: own }))
    }

    /// `receiver.name(args)`, and how it takes its receiver.
    pub(super) fn method_call(
        &mut self,
        receiver: Type,
        sym: Sym,
        at: u32,
        generics: List,
        args: List,
    ) -> (Type, Borrow) {
        let given = self.p.turbofish(generics);
        let mut receiver = self.p.normal(&receiver);
        if matches!(self.stripped(&receiver), Type::Var(_)) {
            self.solve_open();
            receiver = self.p.normal(&receiver);
        }
        let exprs: Vec<ExprId> = self.p.uses.expr_ids(args).collect();
        if matches!(self.stripped(&receiver), Type::Var(_)) {
            let args = exprs.iter().map(|arg| self.value_of(*arg)).collect();
            let result = self.p.table.fresh();
            let generics = given;
            let pending = Pending { receiver, sym, at, generics, args, result: result.clone() };
            self.pending.push(pending);
            return (result, Borrow::Unknown);
        }
        match self.picked(&receiver, sym, at, &given) {
            Some((instance, open)) => {
                let taken = match instance.params.first() {
                    Some(Type::Ref(kind, _)) => *kind,
                    Some(_) => Borrow::Shared,
                    None => Borrow::Unknown,
                };
                let params = instance.params.get(1..).unwrap_or_default().to_vec();
                let preds: Vec<(Type, Bound)> = self.open.get(open..).unwrap_or_default().to_vec();
                let by_arguments = self.has_variables(&instance.ret);
                self.arguments(&exprs, &params, &preds);
                self.by_arguments = by_arguments;
                (self.p.normal(&instance.ret), taken)
            }
            None => {
                for arg in exprs {
                    self.value_of(arg);
                }
                (Type::Unknown, Borrow::Unknown)
            }
        }
    }

    pub(super) fn stripped(&self, ty: &Type) -> Type {
        let mut at = self.p.table.shallow(ty);
        for _ in 0..4 {
            match at {
                Type::Ref(_, to) => at = self.p.table.shallow(&to),
                other => return other,
            }
        }
        at
    }

    /// Finds the method, notes it, and fills in what is known from its receiver. Also returns where
    /// its bounds begin among the open ones.
    pub(super) fn picked(
        &mut self,
        receiver: &Type,
        sym: Sym,
        at: u32,
        given: &[Type],
    ) -> Option<(Instance, usize)> {
        let name = self.p.name(sym);
        let found = self.p.method(receiver, name).or_else(|| self.wrapped(receiver, name));
        let Some(pick) = found else {
            let ret = self.unknown_method(receiver, sym, at)?;
            let instance = Instance { params: Vec::new(), ret, preds: Vec::new() };
            return Some((instance, self.open.len()));
        };
        let mark = self.p.sink.as_ref().map_or(0, Vec::len);
        if pick.rule == Rule::Ambiguous {
            let also = pick.also.iter().map(|(def, _)| *def);
            let all: Vec<Def> = [pick.item].into_iter().chain(also).collect();
            self.candidates(RefKind::MethodCall, &all, pick.rule, at);
        } else {
            let (target, under) = (Target::Def(pick.item), pick.under);
            self.p.note_under(RefKind::MethodCall, target, pick.rule, at, under);
            self.p.note_each(RefKind::MethodCall, &pick.also, pick.rule, at);
        }
        let sig = self.p.world.sig(pick.item);
        let mut subst = pick.subst.clone();
        // Found in the library's impl and declared in its trait.
        let owner = self.p.world.owner(pick.item);
        if let Some(owner) = owner
            && self.p.world.kind(owner) == NodeKind::Trait
            && subst.own.is_none()
        {
            subst.own = Some((owner, pick.on.clone()));
        }
        self.with_own(pick.item, &sig, &mut subst, given);
        if pick.rule == Rule::Bound
            && let Some((of, own)) = &subst.own
            && owner == Some(*of)
            && self.p.has_own_impl(own, *of)
        {
            // Of several impls, the arguments may tell which is meant.
            let bound = self.bound_of(*of, &subst);
            self.by_trait.push((mark, bound, name, own.clone()));
        }
        let open = self.open.len();
        let mut instance = self.instantiate(&sig, &subst);
        self.return_of_each(&pick, &subst, &mut instance);
        self.keep_bounds(instance.preds.clone());
        if let Some(first) = instance.params.first() {
            let first = match first {
                Type::Ref(_, to) => (**to).clone(),
                other => other.clone(),
            };
            let mark = self.p.table.mark();
            if !self.p.table.unify(&first, &pick.on) {
                self.p.table.undo(mark);
            }
        }
        self.called_by_conversion(&pick, &instance.ret, at);
        Some((instance, open))
    }

    /// A method of one of several types returns what that of one of them does.
    pub(super) fn return_of_each(&mut self, pick: &Pick, subst: &Subst, instance: &mut Instance) {
        if pick.returns.is_empty() {
            return;
        }
        let of_choice = Subst { choice: subst.choice.clone(), ..Subst::default() };
        let mut returns = vec![(self.p.normal(&instance.ret), pick.under)];
        for (ret, under) in &pick.returns {
            let ret = self.p.normal(&of_choice.apply(ret));
            returns.push((ret, *under));
        }
        if returns.iter().zip(returns.iter().skip(1)).any(|(a, b)| a.0 != b.0) {
            instance.ret = self.p.world.choice_of(self.p.def, &returns, Share::All);
        }
    }

    /// The method of what a type of a dependency holds, as guards of locks do.
    fn wrapped(&mut self, receiver: &Type, name: Name) -> Option<Pick> {
        let Type::External(_, args) = self.stripped(receiver) else { return None };
        let [only] = args.as_ref() else { return None };
        let pick = self.p.method(only, name)?;
        let own = !self.p.world.is_library(pick.item) && !self.p.world.is_common(name);
        own.then_some(Pick { rule: Rule::Wrapped, ..pick })
    }
}
