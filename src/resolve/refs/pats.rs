//! Patterns: the names in them, and the types of their bindings.

use super::super::conditions::ALWAYS;
use super::super::namespaces::{TYPES, VALUES};
use super::choices::Share;
use super::exprs::ctor_fields;
use super::infer::{InferenceContext, MAX_DEPTH};
use super::paths::End;
use super::rules::Rule;
use super::types::{Borrow, Def, Type};
use asof_model::{
    Binding, Condition, Flags, List, NodeKind, Pat, PatId, PathId, RefKind, Region, Sym,
};

/// What names bind that say nothing of it (Rust reference, "Binding modes").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Value,
    /// A pattern around it matches through a reference.
    Reference,
}

/// Binds the names of a pattern to the parts of a type.
pub(super) fn bind(body: &mut InferenceContext<'_, '_>, pat: PatId, ty: &Type) {
    bind_in(body, pat, ty, Mode::Value);
}

fn bind_in(body: &mut InferenceContext<'_, '_>, pat: PatId, ty: &Type, mode: Mode) {
    if body.depth >= MAX_DEPTH {
        return;
    }
    body.depth += 1;
    let uses = body.p.uses;
    let destructures = matches!(
        uses.pat(pat),
        Pat::TupleStruct(..) | Pat::Struct(..) | Pat::Tuple(_) | Pat::Slice(_)
    );
    let mode = match body.p.normal(ty) {
        Type::Ref(..) if destructures => Mode::Reference,
        _ => mode,
    };
    bind_here(body, pat, ty, mode);
    body.depth -= 1;
}

/// The type of a variable, or of the one of its name that is bound where this one is not.
fn or_before(body: &mut InferenceContext<'_, '_>, name: Sym, ty: Type, at: u32) -> Type {
    let uses = body.p.uses;
    let region = |byte| Region::around(&uses.regions, byte);
    let Some(own) = region(at) else { return ty };
    let Some((before, bound_at)) = body.locals.bound(name) else { return ty };
    let condition = |at: Option<usize>| {
        at.and_then(|at| uses.regions.get(at)).map(|region| Condition::parse(&region.cfg))
    };
    match (condition(region(bound_at)), condition(Some(own))) {
        (Some(theirs), Some(own)) if theirs.contradicts(&own, Flags::All) => {
            let (before, ty) = (body.p.normal(&before), body.p.normal(&ty));
            let world = body.p.world;
            // What says of each of its types when it is the one says more.
            let told = matches!(&before, Type::Adt(def, _) if world.is_told(*def));
            let theirs = if told { ALWAYS } else { world.number_of(theirs) };
            let own = world.number_of(own);
            world.choice_of(body.p.def, &[(before, theirs), (ty, own)], Share::All)
        }
        _ => ty,
    }
}

fn bind_here(body: &mut InferenceContext<'_, '_>, pat: PatId, ty: &Type, mode: Mode) {
    let uses = body.p.uses;
    match uses.pat(pat) {
        Pat::Wild | Pat::Rest => {}
        Pat::Bind { name, at, by, sub } => {
            if by == Binding::Plain
                && sub.is_none()
                && let Some(defs) = body.pattern_name(name)
            {
                body.p.note_defs(RefKind::Pattern, &defs, Rule::Path, at);
                return;
            }
            if let Some(sub) = sub {
                bind_in(body, sub, ty, mode);
            }
            let ty = if by == Binding::Reference || mode == Mode::Reference {
                Type::reference(Borrow::Unknown, ty.clone())
            } else {
                ty.clone()
            };
            let ty = or_before(body, name, ty, at);
            let number = body.trace.as_mut().map_or(0, |trace| trace.bind(at, &ty));
            body.locals.push_variable(name, ty, at, number);
        }
        Pat::Path(path) => {
            let (end, _) = body.p.resolve(path, VALUES, RefKind::Pattern, true);
            if let End::Defs(defs, through) = end
                && let Some(&def) = defs.first()
            {
                let own = variant_type(body, def, through);
                unify_seen(body, &own, ty);
            }
        }
        Pat::TupleStruct(path, list) => tuple_struct(body, path, list, ty, mode),
        Pat::Struct(path, fields) => {
            let (end, (args, _)) = body.p.resolve(path, TYPES, RefKind::Pattern, true);
            let (holder, own) = holder(body, end, args);
            unify_seen(body, &own, ty);
            for field in uses.fields(fields) {
                let name = body.p.name(field.name);
                let user = body.p.def;
                let found = holder.map_or(Vec::new(), |h| body.p.world.fields(user, h, name));
                // No text of the macro that made it was read.
                let rule = if own.projected().is_some() { Rule::Expanded } else { Rule::Member };
                body.p.note_each(RefKind::Field, &found, rule, field.at);
                let part = body.type_of_fields(&found, &own);
                bind_in(body, PatId(field.value), &part, mode);
            }
        }
        Pat::Tuple(list) => {
            let seen = peeled(body, ty);
            let parts = match &seen {
                Type::Tuple(parts) => parts.to_vec(),
                _ => {
                    let all: Vec<PatId> = uses.pat_ids(list).collect();
                    let open = matches!(seen, Type::Var(_))
                        && !all.iter().any(|p| matches!(uses.pat(*p), Pat::Rest));
                    let parts: Vec<Type> = all.iter().map(|_| body.p.table.fresh()).collect();
                    if open {
                        body.p.table.unify(&seen, &Type::Tuple(parts.clone().into()));
                    }
                    parts
                }
            };
            positional(body, list, &parts, mode);
        }
        Pat::Slice(list) => {
            let seen = peeled(body, ty);
            let element = match &seen {
                Type::Slice(of) | Type::Array(of) => (**of).clone(),
                _ => Type::Unknown,
            };
            for part in uses.pat_ids(list) {
                match uses.pat(part) {
                    Pat::Bind { sub: Some(_), .. } => bind_in(body, part, &seen, mode),
                    _ => bind_in(body, part, &element, mode),
                }
            }
        }
        Pat::Ref(inner) => {
            let (to, mode) = match (body.p.table.shallow(ty), mode) {
                (Type::Ref(_, to), _) => ((*to).clone(), Mode::Value),
                // It takes back the reference that the pattern around it matched through.
                (seen, Mode::Reference) => (seen, Mode::Value),
                _ => (Type::Unknown, Mode::Value),
            };
            bind_in(body, inner, &to, mode);
        }
        Pat::Or(list) => {
            let first = body.locals.len();
            for part in uses.pat_ids(list) {
                let own = body.locals.len();
                bind_in(body, part, ty, mode);
                if let Some(trace) = &mut body.trace {
                    let joined = body.locals.join_since(first, own).into_iter();
                    joined.for_each(|(later, first)| trace.join(later, first));
                }
            }
        }
        Pat::Lit(value) => {
            body.value_of(value);
        }
        Pat::Range(from, to) => {
            for end in [from, to].into_iter().flatten() {
                body.value_of(end);
            }
        }
        Pat::Macro(path, list, call) => {
            let end = body.p.macro_path(path);
            if !body.pattern_of_call(&end, call, ty) {
                body.read_tokens(list, true);
            }
        }
    }
}

fn tuple_struct(
    body: &mut InferenceContext<'_, '_>,
    path: PathId,
    list: List,
    ty: &Type,
    mode: Mode,
) {
    let (end, (args, _)) = body.p.resolve(path, VALUES, RefKind::Pattern, true);
    let (holder, own) = holder(body, end, args);
    unify_seen(body, &own, ty);
    let fields = holder.map_or(Vec::new(), |holder| ctor_fields(body.p.world, holder));
    let parts: Vec<Type> = fields.iter().map(|field| body.field_type(*field, &own)).collect();
    positional(body, list, &parts, mode);
}

/// The definition that has the fields, and the type of its values.
pub(super) fn holder(
    body: &mut InferenceContext<'_, '_>,
    end: End,
    args: Vec<Type>,
) -> (Option<Def>, Type) {
    match end {
        End::Defs(defs, through) => {
            let Some(&def) = defs.first() else { return (None, Type::Unknown) };
            match body.p.world.kind(def) {
                NodeKind::Variant => {
                    let own = match through {
                        Some(Type::Adt(of, known)) => Type::Adt(of, known),
                        Some(through) if through.projected().is_some() => through,
                        _ => body.p.type_of_def(def, args, true),
                    };
                    (Some(def), own)
                }
                _ => {
                    let own = body.p.type_of_defs(&defs, args, true);
                    let holder = match &own {
                        Type::Adt(of, _) => Some(*of),
                        _ => None,
                    };
                    (holder, own)
                }
            }
        }
        End::Type(ty) => {
            let ty = body.p.normal(&ty);
            match ty.projected().unwrap_or(&ty) {
                Type::Adt(of, _) => (Some(*of), ty),
                _ => (None, ty),
            }
        }
        _ => (None, Type::Unknown),
    }
}

/// The type of a variant, const or unit struct.
fn variant_type(body: &mut InferenceContext<'_, '_>, def: Def, through: Option<Type>) -> Type {
    match (body.p.world.kind(def), through) {
        (NodeKind::Variant, Some(through)) => through,
        (NodeKind::Variant | NodeKind::Struct, _) => body.p.type_of_def(def, Vec::new(), true),
        _ => Type::Unknown,
    }
}

fn positional(body: &mut InferenceContext<'_, '_>, list: List, parts: &[Type], mode: Mode) {
    let uses = body.p.uses;
    let pats: Vec<PatId> = uses.pat_ids(list).collect();
    let rest = pats.iter().position(|pat| {
        matches!(uses.pat(*pat), Pat::Rest)
            || matches!(uses.pat(*pat), Pat::Bind { sub: Some(sub), .. }
                if matches!(uses.pat(sub), Pat::Rest))
    });
    for (at, pat) in pats.iter().enumerate() {
        let part = match rest {
            Some(rest) if at == rest => None,
            Some(rest) if at > rest => {
                (parts.len() + at).checked_sub(pats.len()).and_then(|at| parts.get(at))
            }
            _ => parts.get(at),
        };
        bind_in(body, *pat, part.unwrap_or(&Type::Unknown), mode);
    }
}

/// The type without references: patterns match through them.
fn peeled(body: &mut InferenceContext<'_, '_>, ty: &Type) -> Type {
    let mut at = body.p.normal(ty);
    for _ in 0..8 {
        match at {
            Type::Ref(_, to) => at = body.p.normal(&to),
            other => return other,
        }
    }
    at
}

fn unify_seen(body: &mut InferenceContext<'_, '_>, own: &Type, ty: &Type) {
    let seen = peeled(body, ty);
    let mark = body.p.table.mark();
    if !body.p.table.unify(own, &seen) {
        body.p.table.undo(mark);
    }
}
