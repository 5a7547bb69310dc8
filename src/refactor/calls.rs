//! Finds calls in a text, with their arguments and context.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use super::arguments::Argument;
use super::cuts::Bytes;
use super::head::bytes_of;
use super::list::List;
use super::macro_code;
use asof_model::{NodeKind, Span};
use asof_syntax::Scan;

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// First byte of the name that is called.
    pub name: u32,
    /// The expression, without `.await`.
    pub bytes: Bytes,
    /// Whether the receiver is in front of a dot.
    pub is_method: bool,
    /// Whether generic arguments are given.
    pub has_turbofish: bool,
    pub list: List,
    pub arguments: Vec<Argument>,
    /// `.await` behind it.
    pub awaited: Option<Bytes>,
    pub around: Around,
    /// Whether something becomes of its value.
    pub is_used: bool,
    /// Whether a block in its place would end the statement.
    pub begins: bool,
}

/// What is around a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Around {
    /// First byte of the name of the function.
    pub function: Option<u32>,
    pub is_async: bool,
    /// Whether there is no closure, block of async code or const between it and the function.
    pub directly: bool,
    /// In a block of unsafe code.
    pub in_unsafe: bool,
    /// Whether the function is unsafe.
    pub of_unsafe: bool,
    /// What is evaluated at compile time, without functions.
    pub in_const: bool,
    /// Whether the function is const.
    pub of_const: bool,
}

/// The calls of a text of these names, given by their first bytes; by that.
pub fn calls(text: &str, names: &BTreeSet<u32>) -> BTreeMap<u32, Call> {
    let file = Span { start_byte: 0, end_byte: 0, start_line: 1, end_line: 1 };
    let base = Scan::new(text).anatomy(&file, NodeKind::Module, true).signature.start;
    let found = asof_syntax::with_large_stack(|| {
        let code = text.get(base as usize..).unwrap_or_default();
        let file = syn::parse_str::<syn::File>(code).ok()?;
        let mut finder = Finder { base, names, ..Finder::default() };
        finder.visit_file(&file);
        Some(finder.found)
    });
    found.flatten().unwrap_or_default()
}

struct Finder<'a> {
    /// First byte of what is parsed.
    base: u32,
    names: &'a BTreeSet<u32>,
    found: BTreeMap<u32, Call>,
    around: Around,
    /// Calls of which the value is dropped.
    unused: BTreeSet<Bytes>,
    /// Calls that a statement begins with, and something other than `.` or `?` follows.
    begins: BTreeSet<Bytes>,
    /// `.await` by the end of what it awaits.
    awaited: BTreeMap<Bytes, Bytes>,
}

impl Default for Finder<'_> {
    fn default() -> Self {
        const NONE: &BTreeSet<u32> = &BTreeSet::new();
        Self {
            base: 0,
            names: NONE,
            found: BTreeMap::new(),
            around: Around::default(),
            unused: BTreeSet::new(),
            begins: BTreeSet::new(),
            awaited: BTreeMap::new(),
        }
    }
}

impl Finder<'_> {
    fn within(&mut self, around: Around, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.around, around);
        inside(self);
        self.around = outer;
    }

    fn in_const(&mut self, inside: impl FnOnce(&mut Self)) {
        let around = Around { in_const: true, is_async: false, directly: false, ..self.around };
        self.within(around, inside);
    }

    fn function(&mut self, sig: &syn::Signature, inside: impl FnOnce(&mut Self)) {
        let around = Around {
            function: Some(self.base + bytes_of(&sig.ident).0),
            is_async: sig.asyncness.is_some(),
            directly: true,
            of_unsafe: matches!(sig.safety, syn::Safety::Unsafe(_)),
            of_const: sig.constness.is_some(),
            ..Around::default()
        };
        self.within(around, inside);
    }

    fn shifted(&self, (start, end): Bytes) -> Bytes {
        (self.base + start, self.base + end)
    }

    fn add(
        &mut self,
        name: &syn::Ident,
        has_turbofish: bool,
        call: Bytes,
        is_method: bool,
        paren: &syn::token::Paren,
        args: &syn::punctuated::Punctuated<Expr, syn::Token![,]>,
    ) {
        let name = self.base + bytes_of(name).0;
        if !self.names.contains(&name) {
            return;
        }
        let (open, close) = (paren.span.open().byte_range(), paren.span.close().byte_range());
        let inside = self.shifted((open.end as u32, close.start as u32));
        let items = args.iter().map(|arg| self.shifted(bytes_of(arg))).collect();
        let found = Call {
            name,
            bytes: self.shifted(call),
            is_method,
            has_turbofish,
            list: List { inside, items },
            arguments: args.iter().map(Argument::from_expr).collect(),
            awaited: self.awaited.get(&call).map(|bytes| self.shifted(*bytes)),
            around: self.around,
            is_used: !self.unused.contains(&call),
            begins: self.begins.contains(&call),
        };
        self.found.insert(name, found);
    }

    /// What a statement or the value of an arm begins with.
    fn begin(&mut self, expr: &Expr) {
        let mut at = expr;
        // Whether a block may stand in front of what follows.
        let mut goes_on = true;
        loop {
            if matches!(at, Expr::Call(_) | Expr::MethodCall(_)) && !goes_on {
                self.begins.insert(bytes_of(at));
            }
            (at, goes_on) = match at {
                Expr::Binary(one) => (&one.left, false),
                Expr::Assign(one) => (&one.left, false),
                Expr::Cast(one) => (&one.expr, false),
                Expr::Index(one) => (&one.expr, false),
                Expr::Call(one) => (&one.func, false),
                Expr::Range(one) => match &one.start {
                    Some(start) => (start, false),
                    None => return,
                },
                Expr::MethodCall(one) => (&one.receiver, true),
                Expr::Field(one) => (&one.base, true),
                Expr::Await(one) => (&one.base, true),
                Expr::Try(one) => (&one.expr, true),
                _ => return,
            };
        }
    }

    /// Notes that the value of an expression is dropped.
    fn drop(&mut self, expr: &Expr) {
        let call = match expr {
            Expr::Await(awaited) => &awaited.base,
            expr => expr,
        };
        self.unused.insert(bytes_of(call));
    }
}

/// The last name of a path that is called.
fn called(func: &Expr) -> Option<&syn::PathSegment> {
    match func {
        Expr::Path(path) => path.path.segments.last(),
        Expr::Paren(inner) => called(&inner.expr),
        Expr::Group(inner) => called(&inner.expr),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Some(name) = called(&call.func) {
            let has_turbofish = !name.arguments.is_none();
            self.add(
                &name.ident,
                has_turbofish,
                bytes_of(call),
                false,
                &call.paren_token,
                &call.args,
            );
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let has_turbofish = call.turbofish.is_some();
        self.add(&call.method, has_turbofish, bytes_of(call), true, &call.paren_token, &call.args);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_await(&mut self, one: &'ast syn::ExprAwait) {
        let base = bytes_of(&one.base);
        self.awaited.insert(base, (base.1, bytes_of(&one.await_token).1));
        visit::visit_expr_await(self, one);
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(expr, semi) = stmt {
            self.begin(expr);
            if semi.is_some() {
                self.drop(expr);
            }
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (Pat::Wild(_), Some(init)) = (&local.pat, &local.init) {
            self.drop(&init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.begin(&arm.body);
        visit::visit_arm(self, arm);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        for code in macro_code::read(call) {
            code.visit(self);
        }
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.within(Around::default(), |finder| visit::visit_item(finder, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, |finder| visit::visit_item_fn(finder, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, |finder| visit::visit_impl_item_fn(finder, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.sig, |finder| visit::visit_trait_item_fn(finder, item));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let is_async = closure.asyncness.is_some();
        let around = Around { is_async, directly: false, ..self.around };
        self.within(around, |finder| visit::visit_expr_closure(finder, closure));
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        let around = Around { is_async: true, directly: false, ..self.around };
        self.within(around, |finder| visit::visit_expr_async(finder, block));
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        let around = Around { in_unsafe: true, ..self.around };
        self.within(around, |finder| visit::visit_expr_unsafe(finder, block));
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.in_const(|finder| visit::visit_expr_const(finder, block));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.in_const(|finder| visit::visit_item_const(finder, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.in_const(|finder| visit::visit_item_static(finder, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.in_const(|finder| visit::visit_impl_item_const(finder, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.in_const(|finder| visit::visit_trait_item_const(finder, item));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.in_const(|finder| visit::visit_variant(finder, variant));
    }

    fn visit_type_array(&mut self, ty: &'ast syn::TypeArray) {
        self.visit_type(&ty.elem);
        self.in_const(|finder| finder.visit_expr(&ty.len));
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.in_const(|finder| finder.visit_expr(&repeat.len));
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        match argument {
            syn::GenericArgument::Const(value) => {
                self.in_const(|finder| finder.visit_expr(value));
            }
            argument => visit::visit_generic_argument(self, argument),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Call> {
        let names: BTreeSet<u32> = text.match_indices("f(").map(|(at, _)| at as u32).collect();
        calls(text, &names).into_values().collect()
    }

    #[test]
    fn calls_are_found_with_their_arguments() {
        let text = "\
fn g() { f(1, a); x.f::<u8>(2); assert_eq!(m::f(3,), <T as A>::f(x)); dbg![S { a: (f)(4) }]; m!(f(=)); }
";
        let slice = |(start, end): Bytes| text.get(start as usize..end as usize).unwrap();
        let text_of = |call: &Call| {
            let all: Vec<&str> = call.list.items.iter().map(|arg| slice(*arg)).collect();
            (slice(call.bytes), slice(call.list.inside), all.len(), call.is_method)
        };
        let mut names: BTreeSet<u32> = text.match_indices('f').map(|(at, _)| at as u32).collect();
        names.retain(|at| !text.get(*at as usize..).unwrap().starts_with("fn"));
        let found: Vec<Call> = calls(text, &names).into_values().collect();
        let found: Vec<_> = found.iter().map(text_of).collect();
        assert_eq!(
            found,
            [
                ("f(1, a)", "1, a", 2, false),
                ("x.f::<u8>(2)", "2", 1, true),
                ("m::f(3,)", "3,", 1, false),
                ("<T as A>::f(x)", "x", 1, false),
                ("(f)(4)", "4", 1, false),
            ]
        );
    }

    #[test]
    fn what_is_around_a_call_is_known() {
        let text = "\
const C: u8 = f(1);
fn g(x: [u8; f(2)]) { f(3) + 1; let _ = f(4); f(5)?; unsafe { f(6) } }
async fn h() { f(7).await; || f(8); async { f(9) }; match 1 { _ => f(10) as u8 } }
unsafe fn i() -> u8 { f(11).x }
";
        let flags = |call: &Call| {
            let around = call.around;
            let all = [
                (around.in_const, "const"),
                (around.is_async, "async"),
                (around.in_unsafe || around.of_unsafe, "unsafe"),
                (around.directly, "directly"),
                (call.is_used, "used"),
                (call.begins, "begins"),
                (call.awaited.is_some(), "awaited"),
            ];
            let words: Vec<&str> =
                all.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
            words.join(" ")
        };
        let found: Vec<String> = found(text).iter().map(flags).collect();
        assert_eq!(
            found,
            [
                "const used",
                "const used",
                "directly used begins",
                "directly",
                "directly used",
                "unsafe directly used",
                "async directly awaited",
                "used",
                "async used",
                "async directly used begins",
                "unsafe directly used",
            ]
        );
    }
}
