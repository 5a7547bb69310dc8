//! The arguments of macro calls that are code.

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
    if matches!(name, "matches" | "assert_matches" | "debug_assert_matches")
        && let Ok(all) = matched.parse2(tokens())
    {
        all
    } else if let Ok(all) = list.parse2(tokens()) {
        all.into_iter().map(Code::Expr).collect()
    } else if let Ok(all) = repeated.parse2(tokens()) {
        all
    } else if let Ok(stmts) = syn::Block::parse_within.parse2(tokens()) {
        vec![Code::Stmts(stmts)]
    } else {
        Vec::new()
    }
}

/// `value, pattern if guard, …`.
fn matched(input: ParseStream<'_>) -> syn::Result<Vec<Code>> {
    let mut all = vec![Code::Expr(input.parse()?)];
    input.parse::<Token![,]>()?;
    all.push(Code::Pat(Pat::parse_multi_with_leading_vert(input)?));
    if input.parse::<Option<Token![if]>>()?.is_some() {
        all.push(Code::Expr(input.parse()?));
    }
    input.parse::<Option<Token![,]>>()?;
    let rest = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
    all.extend(rest.into_iter().map(Code::Expr));
    Ok(all)
}

/// `value; length`.
fn repeated(input: ParseStream<'_>) -> syn::Result<Vec<Code>> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok(vec![Code::Expr(value), Code::Expr(input.parse()?)])
}
