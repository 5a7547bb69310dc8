//! Cyclomatic and cognitive complexity, nesting and the estimate of running time, in one pass over
//! the syntax tree of a body. Items nested in it are measured on their own.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Arm, BinOp, Block, Expr, Lit, Local, Pat};

use super::work::{self, Part, Recursion, Repeat};
use crate::macro_arguments::{MAX_MACRO_DEPTH, parse_expressions};
use asof_model::Complexity;

/// How a function calls itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Scope {
    /// By its name.
    Free,
    /// As `self.name(…)` or `Self::name(…)`.
    Associated,
}

/// The complexity of a function's body.
pub(in super::super) fn complexity(name: &str, scope: Scope, body: &Block) -> Complexity {
    let mut measure = Measure {
        name,
        scope,
        decisions: 0,
        cognitive: 0,
        depth: 0,
        deepest: 0,
        operator: None,
        macros: 0,
        loops: 0,
        worst: Part::default(),
        halves: false,
        recursion: Recursion::default(),
    };
    measure.visit_block(body);
    let (big_o, big_o_reason) = work::estimate(measure.worst, measure.recursion);
    Complexity {
        cyclomatic: measure.decisions.saturating_add(1),
        cognitive: measure.cognitive.saturating_add(u32::from(measure.recursion.calls > 0)),
        nesting: measure.deepest,
        big_o,
        big_o_reason,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    And,
    Or,
}

struct Measure<'n> {
    name: &'n str,
    scope: Scope,
    decisions: u32,
    cognitive: u32,
    /// Control structures and closures around the current expression.
    depth: u32,
    deepest: u32,
    /// The logical operator whose operand the current expression is.
    operator: Option<Operator>,
    macros: u32,
    /// Loops around the current expression that do not run a constant number of times.
    loops: u32,
    worst: Part,
    /// Whether the current loop multiplies or divides a variable by a constant.
    halves: bool,
    recursion: Recursion,
}

impl Measure<'_> {
    fn decide(&mut self, count: usize) {
        self.decisions = self.decisions.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// A structure that breaks the linear flow: the deeper, the harder to read.
    fn structure(&mut self) {
        self.cognitive = self.cognitive.saturating_add(1).saturating_add(self.depth);
    }

    fn nested(&mut self, visit: impl FnOnce(&mut Self)) {
        let operator = self.operator.take();
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        visit(self);
        self.depth -= 1;
        self.operator = operator;
    }

    fn repeated(&mut self, repeat: Repeat, visit: impl FnOnce(&mut Self)) {
        let counted = u32::from(repeat != Repeat::Constant);
        let outside = std::mem::take(&mut self.worst);
        let halves = std::mem::take(&mut self.halves);
        self.loops += counted;
        visit(self);
        self.loops -= counted;
        let repeat = match repeat {
            Repeat::Halving if !self.halves => Repeat::Loop,
            repeat => repeat,
        };
        let inside = std::mem::replace(&mut self.worst, outside);
        self.worst = self.worst.or(inside.repeated(repeat));
        self.halves = halves;
    }

    fn recursive_call<'e>(&mut self, args: impl Iterator<Item = &'e Expr>) {
        self.recursion.calls = self.recursion.calls.saturating_add(1);
        self.recursion.in_loop |= self.loops > 0;
        for arg in args {
            if let Expr::Binary(arg) = arg
                && matches!(*arg.right, Expr::Lit(_))
            {
                self.recursion.decreases |= matches!(arg.op, BinOp::Sub(_));
                self.recursion.divides |= matches!(arg.op, BinOp::Div(_) | BinOp::Shr(_));
            }
        }
    }

    fn is_own_path(&self, callee: &Expr) -> bool {
        let Expr::Path(path) = callee else { return false };
        let mut segments = path.path.segments.iter();
        match (self.scope, segments.next(), segments.next(), segments.next()) {
            (Scope::Free, Some(name), None, None) => name.ident == self.name,
            (Scope::Associated, Some(of), Some(name), None) => {
                of.ident == "Self" && name.ident == self.name
            }
            _ => false,
        }
    }

    /// Whether tokens of a macro call may hold anything that is measured.
    fn is_of_interest(&self, tokens: &TokenStream) -> bool {
        tokens.clone().into_iter().any(|tree| match tree {
            TokenTree::Group(group) => self.is_of_interest(&group.stream()),
            TokenTree::Ident(word) => {
                ["if", "match", "while", "for", "loop", "break", "continue", self.name]
                    .iter()
                    .any(|known| word == known)
            }
            TokenTree::Punct(mark) => matches!(mark.as_char(), '?' | '&' | '|'),
            TokenTree::Literal(_) => false,
        })
    }
}

impl<'ast> Visit<'ast> for Measure<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        // `a && (b && c)` is one sequence; anything else between two operators ends it.
        let around = match expr {
            Expr::Paren(_) | Expr::Group(_) => self.operator,
            Expr::Binary(binary) if logical(&binary.op).is_some() => self.operator,
            _ => None,
        };
        let before = std::mem::replace(&mut self.operator, around);
        syn::visit::visit_expr(self, expr);
        self.operator = before;
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let operator = logical(&binary.op);
        if operator.is_some() {
            self.decide(1);
            if self.operator != operator {
                self.cognitive = self.cognitive.saturating_add(1);
            }
        }
        self.halves |= changes_size(&binary.op) && matches!(*binary.right, Expr::Lit(_));
        self.operator = operator;
        self.visit_expr(&binary.left);
        self.operator = operator;
        self.visit_expr(&binary.right);
    }

    fn visit_expr_if(&mut self, first: &'ast syn::ExprIf) {
        self.structure();
        let mut branch = first;
        loop {
            self.decide(1);
            self.visit_expr(&branch.cond);
            self.nested(|this| this.visit_block(&branch.then_branch));
            let Some((_, otherwise)) = &branch.else_branch else { return };
            self.cognitive = self.cognitive.saturating_add(1);
            match &**otherwise {
                Expr::If(next) => branch = next,
                last => return self.nested(|this| this.visit_expr(last)),
            }
        }
    }

    fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
        self.structure();
        self.decide(node.arms.len().saturating_sub(1));
        self.visit_expr(&node.expr);
        self.nested(|this| node.arms.iter().for_each(|arm| this.visit_arm(arm)));
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Pat::Guard(guarded) = &arm.pat {
            self.decide(1);
            self.visit_expr(&guarded.guard);
        }
        self.visit_expr(&arm.body);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let Some(init) = &local.init else { return };
        self.visit_expr(&init.expr);
        if let Some((_, otherwise)) = &init.diverge {
            self.decide(1);
            self.structure();
            self.nested(|this| this.visit_expr(otherwise));
        }
    }

    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        self.decide(1);
        self.structure();
        self.repeated(Repeat::Halving, |this| {
            this.visit_expr(&node.cond);
            this.nested(|this| this.visit_block(&node.body));
        });
    }

    fn visit_expr_loop(&mut self, node: &'ast syn::ExprLoop) {
        self.structure();
        self.repeated(Repeat::Halving, |this| this.nested(|this| this.visit_block(&node.body)));
    }

    fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
        self.decide(1);
        self.structure();
        self.visit_expr(&node.expr);
        let repeat = if is_constant(&node.expr) { Repeat::Constant } else { Repeat::Loop };
        self.repeated(repeat, |this| this.nested(|this| this.visit_block(&node.body)));
    }

    fn visit_expr_closure(&mut self, node: &'ast syn::ExprClosure) {
        self.nested(|this| this.visit_expr(&node.body));
    }

    fn visit_expr_try(&mut self, node: &'ast syn::ExprTry) {
        self.decide(1);
        self.visit_expr(&node.expr);
    }

    fn visit_expr_break(&mut self, node: &'ast syn::ExprBreak) {
        self.cognitive = self.cognitive.saturating_add(u32::from(node.label.is_some()));
        if let Some(value) = &node.expr {
            self.visit_expr(value);
        }
    }

    fn visit_expr_continue(&mut self, node: &'ast syn::ExprContinue) {
        self.cognitive = self.cognitive.saturating_add(u32::from(node.label.is_some()));
    }

    fn visit_expr_call(&mut self, node: &'ast syn::ExprCall) {
        if self.is_own_path(&node.func) {
            self.recursive_call(node.args.iter());
        }
        syn::visit::visit_expr_call(self, node);
    }

    /// A chain of calls is visited at once: as a whole it tells whether it iterates.
    fn visit_expr_method_call(&mut self, last: &'ast syn::ExprMethodCall) {
        let mut calls = vec![last];
        let mut base = &*last.receiver;
        loop {
            base = match base {
                Expr::MethodCall(call) => {
                    calls.push(call);
                    &call.receiver
                }
                Expr::Try(inner) => {
                    self.decide(1);
                    &inner.expr
                }
                Expr::Await(inner) => &inner.base,
                _ => break,
            };
        }
        self.visit_expr(base);
        let first = calls.last().copied().unwrap_or(last);
        if first.method == self.name && self.scope == Scope::Associated && is_self(base) {
            self.recursive_call(first.args.iter());
        }
        let names: Vec<String> = calls.iter().map(|call| call.method.to_string()).collect();
        let produced = names.iter().any(|name| work::produces(name)) || is_range(base);
        let iterates = produced && names.iter().any(|name| work::consumes(name));
        for part in names.iter().filter_map(|name| Part::of_call(name)) {
            self.worst = self.worst.or(part);
        }
        let args = |this: &mut Self| {
            calls.iter().flat_map(|call| &call.args).for_each(|arg| this.visit_expr(arg));
        };
        if iterates { self.repeated(Repeat::Iterator, args) } else { args(self) }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if self.macros >= MAX_MACRO_DEPTH || !self.is_of_interest(&call.tokens) {
            return;
        }
        let Some(args) = parse_expressions(call) else { return };
        self.macros += 1;
        args.iter().for_each(|arg| self.visit_expr(arg));
        self.macros -= 1;
    }

    // These hold nothing that is measured, or are measured on their own.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_lit(&mut self, _: &'ast Lit) {}
}

fn logical(op: &BinOp) -> Option<Operator> {
    match op {
        BinOp::And(_) => Some(Operator::And),
        BinOp::Or(_) => Some(Operator::Or),
        _ => None,
    }
}

/// `x /= 2`, `x >>= 1`, `x *= 2`, `x <<= 1`.
fn changes_size(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::DivAssign(_) | BinOp::MulAssign(_) | BinOp::ShrAssign(_) | BinOp::ShlAssign(_)
    )
}

/// Whether a loop over it runs a number of times that the code states.
fn is_constant(over: &Expr) -> bool {
    let literal = |end: &Option<Box<Expr>>| matches!(end.as_deref(), Some(Expr::Lit(_)));
    match over {
        Expr::Array(_) => true,
        Expr::Range(range) => literal(&range.start) && literal(&range.end),
        Expr::Paren(inner) => is_constant(&inner.expr),
        Expr::Reference(inner) => is_constant(&inner.expr),
        _ => false,
    }
}

fn is_range(expr: &Expr) -> bool {
    matches!(expr, Expr::Paren(inner) if matches!(*inner.expr, Expr::Range(_)))
}

fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}
