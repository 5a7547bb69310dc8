//! Resolves the parameters and variables of one function by the scopes of its body. Items within
//! the body are left out: they do not see its variables.

use std::collections::BTreeMap;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Token};

use super::macro_code;
use asof_model::normalize_identifier;
use asof_syntax::{before_format, captured};

/// A name in a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalName {
    /// First byte, from the start of the function's text.
    pub at: u32,
    pub name: String,
    /// First byte of the binding that it is or means; none if it means no local.
    pub binding: Option<u32>,
    /// Whether the place is known to be code: not in tokens that only a macro understands.
    pub certain: bool,
}

/// The names of a function's text, in order; none if it cannot be parsed as a function.
pub fn local_names(text: &str) -> Option<Vec<LocalName>> {
    asof_syntax::with_large_stack(|| {
        let mut walker = Walker { text, ..Walker::default() };
        walker.function(text)?;
        Some(walker.into_names())
    })?
}

/// Whether two texts of a function have the same bindings for each name, in order; the first
/// that differs, in the second text.
pub fn first_difference<'n>(old: &[LocalName], new: &'n [LocalName]) -> Option<&'n LocalName> {
    let ordinal = |all: &[LocalName], one: &LocalName| {
        one.binding.map(|at| all.iter().position(|other| other.at == at))
    };
    let mut pairs = old.iter().zip(new);
    let differs = pairs.find(|(a, b)| ordinal(old, a) != ordinal(new, b));
    match differs {
        Some((_, new)) => Some(new),
        None if old.len() == new.len() => None,
        None => new.last(),
    }
}

#[derive(Default)]
pub(super) struct Walker<'a> {
    text: &'a str,
    /// Names in scope with their bindings, innermost last.
    pub scope: Vec<(String, u32)>,
    /// By first byte.
    found: BTreeMap<u32, LocalName>,
    /// Whether `self` is a name like others.
    with_receivers: bool,
    /// Whether `panic!` takes a text alone for a text: before edition 2021.
    panics_with_text: bool,
    /// Whether the name of a pattern at a byte is known to be that of an item.
    is_item: Option<&'a dyn Fn(u32) -> bool>,
}

impl<'a> Walker<'a> {
    /// Of the functions of a file, receivers included.
    pub fn of_file(text: &'a str, is_item: &'a dyn Fn(u32) -> bool) -> Self {
        Self { text, with_receivers: true, is_item: Some(is_item), ..Self::default() }
    }

    /// In an edition before 2021.
    pub fn before_2021(self) -> Self {
        Self { panics_with_text: true, ..self }
    }

    /// Whether a name at a byte is known to be that of an item.
    pub fn is_item(&self, at: u32) -> bool {
        self.is_item.is_some_and(|is_item| is_item(at))
    }

    /// In the order of the text.
    pub fn into_names(self) -> Vec<LocalName> {
        self.found.into_values().collect()
    }

    /// The variables of a function of the text.
    pub fn body_of(&mut self, sig: &syn::Signature, block: Option<&syn::Block>) {
        self.scope.clear();
        self.signature(sig, block);
    }

    /// The variables of a value of the text.
    pub fn value(&mut self, expr: &Expr) {
        self.scope.clear();
        self.visit_expr(expr);
    }

    /// A name that something else binds, unless it means a variable.
    pub fn insert(&mut self, at: u32, name: String, binding: u32, certain: bool) {
        let bound = LocalName { at, name, binding: Some(binding), certain };
        let known = self.found.entry(at).or_insert_with(|| bound.clone());
        if known.binding.is_none() {
            *known = bound;
        }
    }
}

impl Walker<'_> {
    fn function(&mut self, text: &str) -> Option<()> {
        if let Ok(item) = syn::parse_str::<syn::ImplItemFn>(text) {
            self.signature(&item.sig, Some(&item.block));
        } else if let Ok(item) = syn::parse_str::<syn::TraitItemFn>(text) {
            self.signature(&item.sig, item.default.as_ref());
        } else {
            let item = syn::parse_str::<syn::ItemFn>(text).ok()?;
            self.signature(&item.sig, Some(&item.block));
        }
        Some(())
    }

    fn signature(&mut self, sig: &syn::Signature, block: Option<&syn::Block>) {
        for input in &sig.inputs {
            match input {
                syn::FnArg::Typed(typed) => self.declare(&typed.pat),
                syn::FnArg::Receiver(receiver) if self.with_receivers => {
                    let ident = syn::Ident::new("self", receiver.self_token.span);
                    let at = start(&ident);
                    self.note(&ident, Some(at), true);
                    self.scope.push(("self".to_owned(), at));
                }
                syn::FnArg::Receiver(_) => {}
            }
        }
        if let Some(block) = block {
            self.visit_block(block);
        }
    }

    pub fn note(&mut self, ident: &syn::Ident, binding: Option<u32>, certain: bool) {
        let at = start(ident);
        let name = bare(ident);
        self.found.entry(at).or_insert(LocalName { at, name, binding, certain });
    }

    fn bound(&self, name: &str) -> Option<u32> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, at)| *at)
    }

    /// Brings the names of a pattern into scope. Alternatives bind the same names.
    fn declare(&mut self, pat: &Pat) {
        let mut names = Names::default();
        names.visit_pat(pat);
        if self.is_item.is_some() {
            names.idents.retain(|ident| ident != "None" && !self.is_item(start(ident)));
        }
        let mut bound: BTreeMap<String, u32> = BTreeMap::new();
        for ident in &names.idents {
            let at = start(ident);
            let binding = *bound.entry(bare(ident)).or_insert(at);
            self.note(ident, Some(binding), true);
        }
        self.scope.extend(bound);
    }

    fn within(&mut self, inside: impl FnOnce(&mut Self)) {
        let mark = self.scope.len();
        inside(self);
        self.scope.truncate(mark);
    }

    fn used(&mut self, ident: &syn::Ident, certain: bool) {
        let binding = self.bound(&bare(ident)).filter(|_| !self.is_item(start(ident)));
        self.note(ident, binding, certain);
    }

    /// Names that a format string captures.
    pub fn captured(&mut self, literal: &syn::LitStr, given: &[String], certain: bool) {
        let span = literal.span().byte_range();
        let source = self.text.get(span.clone()).unwrap_or_default();
        for (from, name) in captured(source) {
            if given.iter().any(|given| given == name) {
                continue;
            }
            let at = (span.start + from) as u32;
            let (binding, name) = (self.bound(name), name.to_owned());
            self.found.entry(at).or_insert(LocalName { at, name, binding, certain });
        }
    }

    /// Tokens that are not read as code.
    pub fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut before = None;
        for token in tokens {
            match &token {
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                proc_macro2::TokenTree::Ident(ident)
                    if before != Some('.') && self.bound(&bare(ident)).is_some() =>
                {
                    self.used(ident, false);
                }
                proc_macro2::TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        let mut text = text;
                        text.set_span(literal.span());
                        self.captured(&text, &[], false);
                    }
                }
                _ => {}
            }
            before = match token {
                proc_macro2::TokenTree::Punct(mark) => Some(mark.as_char()),
                _ => None,
            };
        }
    }

    /// Whether tokens of a macro look like a literal of a struct that has the name of a variable: then
    /// only the macro knows what they are.
    fn is_named_by_variable(&self, expr: &Expr) -> bool {
        let Expr::Struct(literal) = expr else { return false };
        let name = literal.path.get_ident();
        name.is_some_and(|name| self.bound(&bare(name)).is_some() && !self.is_item(start(name)))
    }

    /// `format`: how many arguments come before the format string, at least; none if it is not known
    /// whether the macro takes one.
    fn arguments(&mut self, all: &[Expr], format: Option<usize>) {
        let named = |expr: &Expr| match expr {
            Expr::Assign(assign) => match &*assign.left {
                Expr::Path(path) if format.is_some() => path.path.get_ident().map(bare),
                _ => None,
            },
            _ => None,
        };
        let given: Vec<String> = all.iter().filter_map(named).collect();
        let is_text =
            |expr: &Expr| matches!(expr, Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. }));
        let before = format.unwrap_or_default();
        let first = all.iter().skip(before).position(is_text).map(|at| at + before);
        for (at, expr) in all.iter().enumerate() {
            match expr {
                // Other texts are arguments.
                Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })
                    if format.is_none() || Some(at) == first =>
                {
                    self.captured(text, &given, format.is_some());
                }
                Expr::Assign(assign) if named(expr).is_some() => self.visit_expr(&assign.right),
                expr => self.visit_expr(expr),
            }
        }
    }
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.within(|walker| visit::visit_block(walker, block));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.declare(&local.pat);
    }

    fn visit_expr_let(&mut self, bound: &'ast syn::ExprLet) {
        self.visit_expr(&bound.expr);
        self.declare(&bound.pat);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.within(|walker| {
            walker.visit_expr(&branch.cond);
            walker.visit_block(&branch.then_branch);
        });
        if let Some((_, otherwise)) = &branch.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        self.within(|walker| {
            walker.visit_expr(&repeat.cond);
            walker.visit_block(&repeat.body);
        });
    }

    fn visit_expr_for_loop(&mut self, repeat: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeat.expr);
        self.within(|walker| {
            walker.declare(&repeat.pat);
            walker.visit_block(&repeat.body);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(|walker| {
            walker.declare(&arm.pat);
            if let Pat::Guard(guarded) = &arm.pat {
                walker.visit_expr(&guarded.guard);
            }
            walker.visit_expr(&arm.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(|walker| {
            closure.inputs.iter().for_each(|input| walker.declare(input));
            walker.visit_expr(&closure.body);
        });
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let (None, Some(ident)) = (&path.qself, path.path.get_ident()) {
            self.used(ident, true);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        let name = name.as_deref().unwrap_or_default();
        if matches!(name, "concat" | "env" | "include_str" | "option_env" | "stringify") {
            // They take texts, and names as such.
            return;
        }
        if matches!(name, "asm" | "global_asm" | "naked_asm") {
            return self.assembly(call.tokens.clone());
        }
        let tokens = || call.tokens.clone();
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if macro_code::matches(name)
            && let Ok((value, pat, guard, rest)) = macro_code::matched.parse2(tokens())
        {
            self.visit_expr(&value);
            self.within(|walker| {
                walker.declare(&pat);
                guard.iter().for_each(|guard| walker.visit_expr(guard));
            });
            self.arguments(&rest, Some(0));
        } else if let Ok(all) = list.parse2(tokens()) {
            let all: Vec<Expr> = all.into_iter().collect();
            if all.iter().any(|expr| self.is_named_by_variable(expr)) {
                return self.tokens(tokens());
            }
            let is_text = self.panics_with_text && is_text_alone(name, all.len());
            self.arguments(&all, if is_text { Some(all.len()) } else { before_format(name) });
        } else if let Ok((value, len)) = macro_code::repeated.parse2(tokens()) {
            self.visit_expr(&value);
            self.visit_expr(&len);
        } else if let Ok(stmts) = syn::Block::parse_within.parse2(tokens()) {
            self.within(|walker| stmts.iter().for_each(|stmt| walker.visit_stmt(stmt)));
        } else {
            self.tokens(tokens());
        }
    }
}

/// Whether a macro takes the last of so many arguments for a text as it is, before edition 2021 (The
/// Rust Edition Guide, "Panic macro consistency").
pub fn is_text_alone(name: &str, arguments: usize) -> bool {
    match name {
        "panic" | "unreachable" => arguments == 1,
        "assert" | "debug_assert" => arguments == 2,
        _ => false,
    }
}

/// The names that a pattern binds.
#[derive(Default)]
struct Names {
    idents: Vec<syn::Ident>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.idents.push(pat.ident.clone());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr(&mut self, _: &'ast Expr) {}
}

pub(super) fn start(ident: &syn::Ident) -> u32 {
    ident.span().byte_range().start as u32
}

pub(super) fn bare(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    normalize_identifier(text.strip_prefix("r#").unwrap_or(&text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with each name that means the binding of `name` at its nth place in brackets.
    fn marked(text: &str, name: &str, nth: usize) -> String {
        let found = local_names(text).unwrap();
        let mut bindings: Vec<u32> =
            found.iter().filter(|one| one.name == name).filter_map(|one| one.binding).collect();
        bindings.sort_unstable();
        bindings.dedup();
        let mut out = text.to_owned();
        for one in found.iter().rev() {
            if one.binding == Some(bindings[nth]) {
                let (from, to) = (one.at as usize, one.at as usize + one.name.len());
                out.replace_range(from..to, &format!("[{}]", one.name));
            }
        }
        out
    }

    #[test]
    fn names_mean_the_binding_in_scope() {
        assert_eq!(
            marked("fn f(a: u8) -> u8 { let b = a; let c = { let a = 2; b + a }; c + a }", "a", 0),
            "fn f([a]: u8) -> u8 { let b = [a]; let c = { let a = 2; b + a }; c + [a] }"
        );
        assert_eq!(
            marked("fn f(a: u8) { let a = a + 1; g(a) }", "a", 1),
            "fn f(a: u8) { let [a] = a + 1; g([a]) }"
        );
        assert_eq!(
            marked("fn f(x: E) { match x { E::A(n) | E::B(n) if n > 1 => n, _ => 0 } }", "n", 0),
            "fn f(x: E) { match x { E::A([n]) | E::B([n]) if [n] > 1 => [n], _ => 0 } }"
        );
        assert_eq!(
            marked("fn f(x: O) { if let Some(y) = x && y > 1 { y } else { y } }", "y", 0),
            "fn f(x: O) { if let Some([y]) = x && [y] > 1 { [y] } else { y } }"
        );
        assert_eq!(
            marked(
                "fn f(x: u8) { let g = |x| x; g(x); println!(\"{x} {{x}} {x:?} {}\", x) }",
                "x",
                0
            ),
            "fn f([x]: u8) { let g = |x| x; g([x]); println!(\"{[x]} {{x}} {[x]:?} {}\", [x]) }"
        );
        assert_eq!(
            marked(
                "fn f(x: u8) { println!(\"{x}\", x = x); vec![x; x]; S { x, y: x }; fn g() { x } }",
                "x",
                0
            ),
            "fn f([x]: u8) { println!(\"{x}\", x = [x]); vec![[x]; [x]]; S { [x], y: [x] }; fn g() { x } }"
        );
        assert_eq!(
            marked("fn f(x: u8) { matches!(x, y if y == x); for x in x..9 { x } }", "x", 0),
            "fn f([x]: u8) { matches!([x], y if y == [x]); for x in [x]..9 { x } }"
        );
    }

    #[test]
    fn no_struct_is_named_by_a_variable() {
        assert_eq!(
            marked("fn f(x: bool) { when!(x { x }); make!(S { x }) }", "x", 0),
            "fn f([x]: bool) { when!([x] { [x] }); make!(S { [x] }) }"
        );
        let found = local_names("fn f(x: bool) { when!(x { x }) }").unwrap();
        let certain: Vec<bool> =
            found.iter().filter(|x| x.name == "x").map(|x| x.certain).collect();
        assert_eq!(certain, [true, false, false]);
    }

    #[test]
    fn tokens_of_unknown_macros_are_not_certain() {
        let found = local_names("fn f(x: u8) { m!(x => y.x, \"{x}\") }").unwrap();
        let certain: Vec<bool> =
            found.iter().filter(|one| one.name == "x").map(|one| one.certain).collect();
        assert_eq!(certain, [true, false, false]);
    }

    #[test]
    fn a_captured_name_is_a_difference() {
        let names = |text: &str| local_names(text).unwrap();
        let old = names("fn f(a: u8) { let b = 1; a + b }");
        assert_eq!(first_difference(&old, &old), None);
        let new = names("fn f(b: u8) { let b = 1; b + b }");
        assert_eq!(first_difference(&old, &new).map(|one| one.at), Some(25));
    }
}
