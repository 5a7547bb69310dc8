//! Finds the arguments of macro calls that are code.

use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, Pat, Token};

/// What the tokens of a macro call are.
pub(super) enum Code {
    Expr(Expr),
    Pat(Pat),
    Stmts(Vec<syn::Stmt>),
}

impl Code {
    /// Leads a visitor through it. Such visitors keep no reference.
    pub(super) fn visit(&self, visitor: &mut dyn Walk) {
        match self {
            Self::Expr(expr) => visitor.expr(expr),
            Self::Pat(pat) => visitor.pat(pat),
            Self::Stmts(stmts) => stmts.iter().for_each(|stmt| visitor.stmt(stmt)),
        }
    }
}

/// A visitor of code of any lifetime.
pub(super) trait Walk {
    fn expr(&mut self, expr: &Expr);
    fn pat(&mut self, pat: &Pat);
    fn stmt(&mut self, stmt: &syn::Stmt);
}

impl<V> Walk for V
where
    V: for<'ast> Visit<'ast>,
{
    fn expr(&mut self, expr: &Expr) {
        self.visit_expr(expr);
    }

    fn pat(&mut self, pat: &Pat) {
        self.visit_pat(pat);
    }

    fn stmt(&mut self, stmt: &syn::Stmt) {
        self.visit_stmt(stmt);
    }
}

/// The code of a call, in the order of the text; empty if its tokens are not read as code.
pub(super) fn read(call: &syn::Macro) -> Vec<Code> {
    let tokens = || call.tokens.clone();
    let name = call.path.segments.last().map(|last| last.ident.to_string());
    let name = name.as_deref().unwrap_or_default();
    let list = Punctuated::<Expr, Token![,]>::parse_terminated;
    if matches(name)
        && let Ok((value, pat, guard, rest)) = matched.parse2(tokens())
    {
        let guard = guard.into_iter().map(Code::Expr);
        let rest = rest.into_iter().map(Code::Expr);
        [Code::Expr(value), Code::Pat(pat)].into_iter().chain(guard).chain(rest).collect()
    } else if let Ok(all) = list.parse2(tokens()) {
        all.into_iter().map(Code::Expr).collect()
    } else if let Ok((value, len)) = repeated.parse2(tokens()) {
        vec![Code::Expr(value), Code::Expr(len)]
    } else if let Ok(stmts) = syn::Block::parse_within.parse2(tokens()) {
        vec![Code::Stmts(stmts)]
    } else {
        Vec::new()
    }
}

/// Whether a macro takes a value and a pattern.
pub(super) fn matches(name: &str) -> bool {
    matches!(name, "matches" | "assert_matches" | "debug_assert_matches")
}

/// `value, pattern if guard, …`.
pub(super) fn matched(input: ParseStream<'_>) -> syn::Result<(Expr, Pat, Option<Expr>, Vec<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(input.parse()?),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    let rest = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
    Ok((value, pat, guard, rest.into_iter().collect()))
}

/// `value; length`.
pub(super) fn repeated(input: ParseStream<'_>) -> syn::Result<(Expr, Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}
