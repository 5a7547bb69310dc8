//! Blocks and their statements.

use super::infer::InferenceContext;
use super::types::Type;
use asof_model::{BlockKind, List, Stmt};

impl InferenceContext<'_, '_> {
    pub(super) fn block(
        &mut self,
        stmts: List,
        value: bool,
        kind: BlockKind,
        expected: &Type,
    ) -> Type {
        let mark = self.locals.len();
        let ret = self.ret.clone();
        let hint = match kind {
            BlockKind::Async => {
                self.ret = self.p.table.fresh();
                Type::Unknown
            }
            _ => expected.clone(),
        };
        let ty = self.statements(stmts, value, &hint);
        self.locals.truncate(mark);
        if kind == BlockKind::Async {
            let output = std::mem::replace(&mut self.ret, ret);
            let output = match ty {
                Type::Never => output,
                ty => {
                    self.coerce(&output, &ty);
                    output
                }
            };
            return self.p.world.future_of(output);
        }
        ty
    }

    /// Statements, whose names stay bound. `value`: whether the last is the value.
    pub(super) fn statements(&mut self, stmts: List, value: bool, hint: &Type) -> Type {
        let uses = self.p.uses;
        let list = uses.stmts(stmts);
        // Such a name hides those around it, wherever it stands.
        for stmt in list {
            if let Stmt::Declares(name) = *stmt {
                self.locals.push(name, Type::Unknown, u32::MAX);
            }
        }
        let mut ty = Type::unit();
        for (at, stmt) in list.iter().enumerate() {
            let last = at + 1 == list.len();
            match *stmt {
                Stmt::Let(pat, written, init, or) => {
                    let own = self.written(written);
                    let mut expanded = false;
                    if let Some(init) = init {
                        let found = self.infer(init, &own);
                        self.coerce(&own, &found);
                        expanded = self.expanded && written.is_none();
                    }
                    if let Some(or) = or {
                        self.value_of(or);
                    }
                    let own = self.p.normal(&own);
                    self.expanded = expanded;
                    self.bind_value(pat, &own);
                    ty = Type::unit();
                }
                Stmt::Expr(expr) => {
                    let found =
                        if last && value { self.infer(expr, hint) } else { self.unused(expr) };
                    ty = match (last && value, &found) {
                        (true, _) | (_, Type::Never) => found,
                        _ => Type::unit(),
                    };
                }
                Stmt::Item(_) | Stmt::Declares(_) => ty = Type::unit(),
                Stmt::Attr(_) => {}
            }
        }
        ty
    }
}
