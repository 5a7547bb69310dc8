//! Types of built-in operations: `for`, `?`, `.await`, indices, and known macros.

use std::sync::Arc;

use super::super::conditions::ALWAYS;
use super::call_places::CallPlace;
use super::infer::InferenceContext;
use super::item_index::Hit;
use super::members::MAX_NESTED;
use super::paths::{End, ResolvedName, Target};
use super::rules::Rule;
use super::types::{Borrow, Bound, Def, Operand, Type};
use asof_model::{CallId, Expr, ExprId, List, NodeKind, PathId, RefKind};

impl InferenceContext<'_, '_> {
    /// Item type of a `for` loop over the type.
    pub(super) fn item_of(&mut self, over: &Type) -> Type {
        let over = self.p.normal(over);
        let known = &self.p.world.known;
        let (Some(of), item) = (known.into_iterator, known.item) else { return Type::Unknown };
        let bound = Bound::plain(of);
        self.p.project(&over, Some(&bound), item, MAX_NESTED).unwrap_or(Type::Unknown)
    }

    /// Type of `value?`.
    pub(super) fn tried(&mut self, base: Type) -> Type {
        let known = &self.p.world.known;
        let (option, result, output) = (known.option, known.result, known.output);
        let of = known.try_value.map(Bound::plain);
        match self.p.normal(&base) {
            Type::Adt(def, args) if Some(def) == option || Some(def) == result => {
                args.first().cloned().unwrap_or(Type::Unknown)
            }
            // `Poll<Result<…>>`, `ControlFlow`, types of the workspace.
            ty => match of {
                Some(of) => self.p.project(&ty, Some(&of), output, MAX_NESTED),
                None => None,
            }
            .unwrap_or(Type::Unknown),
        }
    }

    /// Type of `value.await`.
    pub(super) fn awaited(&mut self, base: Type) -> Type {
        let known = &self.p.world.known;
        let output = known.output;
        let (future, into_future) =
            (known.future.map(Bound::plain), known.into_future.map(Bound::plain));
        let mut at = self.p.normal(&base);
        let is_own = matches!(&at, Type::Adt(def, _) if !self.p.world.is_library(*def));
        for number in 0..6 {
            // The impl for all futures is no help: of the workspace's types, those of their own.
            let first = (number == 0 && is_own).then_some(&into_future).into_iter().flatten();
            for bound in future.iter().chain(first) {
                if let Some(found) = self.p.project(&at, Some(bound), output, MAX_NESTED) {
                    return found;
                }
            }
            match self.p.deref(&at) {
                Some(next) => at = next,
                None => break,
            }
        }
        Type::Unknown
    }

    /// `base[index]`.
    pub(super) fn index(&mut self, base: Type, mut index: Operand) -> Type {
        let known = &self.p.world.known;
        let (of, string, vec) = (known.index, known.string, known.vec);
        index.ty = self.p.normal(&index.ty);
        let ranged = matches!(&index.ty, Type::Adt(def, _) if known.ranges.contains(def));
        let mut at = self.p.normal(&base);
        for _ in 0..8 {
            match &at {
                Type::Slice(element) | Type::Array(element) => {
                    return if ranged {
                        Type::Slice(element.clone())
                    } else {
                        self.p.normal(&element.clone())
                    };
                }
                Type::Adt(def, args) if Some(*def) == vec => {
                    let element = args.first().cloned().unwrap_or(Type::Unknown);
                    return if ranged {
                        Type::Slice(Arc::new(element))
                    } else {
                        self.p.normal(&element)
                    };
                }
                Type::Adt(def, _) if ranged && Some(*def) == string => {
                    return self.p.world.find_name("str").map_or(Type::Unknown, Type::Prim);
                }
                Type::Prim(_) => return at,
                _ => {}
            }
            if let Some(of) = of
                && let Some(found) = self.p.operated(of, &at, Some(&index))
            {
                return found;
            }
            match self.p.deref(&at) {
                Some(next) => at = self.p.normal(&next),
                None => return Type::Unknown,
            }
        }
        Type::Unknown
    }

    /// An expression whose value nobody uses: what a macro call binds there stays bound.
    pub(super) fn unused(&mut self, expr: ExprId) -> Type {
        match self.p.uses.expr(expr) {
            Expr::Macro(path, list, call) => {
                self.macro_call(path, list, call, CallPlace::Statement, &Type::Unknown)
            }
            _ => self.value_of(expr),
        }
    }

    /// A name alone in the tokens of a macro call, which means a type or a function: the macro
    /// decides. Returns whether it may mean either.
    pub(super) fn note_either(&mut self, values: &Hit, types: &Hit, at: u32) -> bool {
        let (Hit::Defs(values), Hit::Defs(types)) = (values, types) else { return false };
        let world = self.p.world;
        let of = |found: &[(Def, u8)], kinds: &[NodeKind]| -> Vec<Def> {
            let all = found.iter().map(|(def, _)| *def);
            all.filter(|def| kinds.contains(&world.kind(*def))).collect()
        };
        use NodeKind::{Const, Enum, Function, Static, Struct, TypeAlias, Union};
        let values = of(values, &[Function, Const, Static]);
        let types = of(types, &[Struct, Enum, Union, TypeAlias]);
        if values.is_empty() || types.is_empty() {
            return false;
        }
        let several = (values.len() + types.len()) as u8;
        for (kind, defs) in [(RefKind::Value, values), (RefKind::Type, types)] {
            let rule = Rule::Ambiguous;
            let found = defs.into_iter().map(Target::Def);
            let (under, region) = (ALWAYS, 0);
            let found =
                found.map(|target| ResolvedName { kind, target, rule, several, under, region, at });
            self.p.sink.iter_mut().for_each(|sink| sink.extend(found.clone()));
        }
        true
    }

    /// A macro call: its path, its contents, and its type if it is one of the library.
    pub(super) fn macro_call(
        &mut self,
        path: PathId,
        list: List,
        call: Option<CallId>,
        place: CallPlace,
        expected: &Type,
    ) -> Type {
        let uses = self.p.uses;
        self.expanded = false;
        let end = self.p.macro_path(path);
        let name = uses.segs(path).last().map_or("", |seg| self.p.text(seg.name));
        let defs = match &end {
            End::Defs(defs, _) => defs.as_slice(),
            _ => &[],
        };
        let standard = match &end {
            End::External(path) => path.starts_with("std::") || path.starts_with("core::"),
            _ => defs.first().is_some_and(|def| self.p.world.is_library(*def)),
        };
        if matches!(end, End::Nothing)
            && let Some(seg) = uses.segs(path).last()
        {
            let target = Target::Unknown(format!("{name}!").into());
            self.p.note(RefKind::Macro, target, Rule::Nothing, seg.at);
        }
        if let Some(tokens) = call.and_then(|call| uses.call(call))
            && let Some(ty) = self.expand_call(defs, list, tokens, place, expected)
        {
            self.expanded = true;
            self.expanded_calls += 1;
            return ty;
        }
        let parts = self.read_tokens(list, !standard);
        self.expanded = false;
        if !standard {
            return Type::Unknown;
        }
        let known = &self.p.world.known;
        let text = || self.p.world.find_name("str").map_or(Type::Unknown, Type::Prim);
        match name {
            "vec" => {
                // `vec![value; count]` has the value first as well.
                let element = parts.into_iter().next().unwrap_or_else(|| self.p.table.fresh());
                self.library(self.p.world.known.vec, vec![element])
            }
            "format" => self.library(known.string, Vec::new()),
            "matches" | "cfg" => self.boolean(),
            "panic" | "unreachable" | "todo" | "unimplemented" | "compile_error" => Type::Never,
            "write" | "writeln" => {
                let args = vec![Type::unit(), Type::Unknown];
                self.library(known.result, args)
            }
            "concat" | "stringify" | "env" | "include_str" | "file" | "module_path" => {
                Type::reference(Borrow::Shared, text())
            }
            // The only argument of `Poll` and of `Pin`.
            "ready" => match parts.first().map(|part| self.p.normal(part)) {
                Some(Type::Adt(def, args)) if Some(def) == known.poll => {
                    args.first().cloned().unwrap_or(Type::Unknown)
                }
                _ => Type::Unknown,
            },
            "pin" => {
                let to = Type::reference(
                    Borrow::Mutable,
                    parts.into_iter().next().unwrap_or(Type::Unknown),
                );
                self.library(known.pin, vec![to])
            }
            "dbg" => parts.into_iter().next().unwrap_or(Type::Unknown),
            "println" | "print" | "eprintln" | "eprint" | "assert" | "assert_eq" | "assert_ne"
            | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => Type::unit(),
            _ => Type::Unknown,
        }
    }
}
