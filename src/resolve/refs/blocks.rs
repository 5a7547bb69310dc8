//! Blocks and their statements.

use super::infer::InferenceContext;
use super::item_index::Hit;
use super::types::{Def, Type};
use asof_model::{BlockKind, HashMap, List, Stmt, Sym};

/// The scope around a block, and what names were found to mean in it.
struct OuterScope {
    scope: Def,
    cache: HashMap<(Sym, u8), Hit>,
}

impl InferenceContext<'_, '_> {
    pub(super) fn block(
        &mut self,
        stmts: List,
        value: bool,
        kind: BlockKind,
        expected: &Type,
    ) -> Type {
        let mark = self.locals.len();
        let scope = self.enter_block(stmts);
        let ret = self.ret.clone();
        let hint = match kind {
            BlockKind::Async => {
                self.ret = self.p.table.fresh();
                Type::Unknown
            }
            _ => expected.clone(),
        };
        let ty = self.statements(stmts, value, &hint);
        self.leave_block(scope);
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

    /// Enters the scope of a block that declares items; gives what is to be restored after it.
    fn enter_block(&mut self, stmts: List) -> Option<OuterScope> {
        let world = self.p.world;
        let block = self.p.uses.stmts(stmts).iter().find_map(|stmt| match *stmt {
            Stmt::Item(item) => world.block_of(self.p.item(item)?),
            _ => None,
        })?;
        self.p.blocks.push(block);
        self.block_starts.push(self.locals.len());
        let scope = std::mem::replace(&mut self.p.scope, block);
        Some(OuterScope { scope, cache: std::mem::take(&mut self.p.cache) })
    }

    fn leave_block(&mut self, outer: Option<OuterScope>) {
        if let Some(OuterScope { scope, cache }) = outer {
            self.p.blocks.pop();
            self.block_starts.pop();
            self.p.scope = scope;
            self.p.cache = cache;
        }
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
