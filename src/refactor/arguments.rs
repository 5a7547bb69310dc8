//! Effects of evaluating an argument at another place, or not at all.

use std::collections::BTreeSet;

use syn::Expr;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Whether nothing happens but that a value is read: literals, paths, fields, references, closures
    /// and tuples of these.
    pub is_plain: bool,
    /// Whether it is only borrowed.
    pub is_borrowed: bool,
    /// The variables and items that it begins with.
    pub roots: BTreeSet<String>,
    pub has_attributes: bool,
}

impl Argument {
    pub(super) fn from_expr(expr: &Expr) -> Self {
        let mut roots = Roots::default();
        roots.visit_expr(expr);
        let has_attributes = roots.has_attributes;
        let is_borrowed = matches!(expr, Expr::Reference(one) if one.mutability.is_none())
            || matches!(expr, Expr::Lit(_));
        Self { is_plain: is_plain(expr), is_borrowed, roots: roots.found, has_attributes }
    }

    /// The argument that a text is; none if it is no expression.
    pub fn parse(text: &str) -> Option<Self> {
        asof_syntax::with_large_stack(|| {
            syn::parse_str::<Expr>(text).ok().map(|expr| Self::from_expr(&expr))
        })?
    }

    /// How many there are in the text between two parentheses; none if it is no list of expressions.
    pub fn count(text: &str) -> Option<usize> {
        let list = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        asof_syntax::with_large_stack(|| Some(list.parse_str(text).ok()?.len()))?
    }

    /// Whether it matters which of two is evaluated first.
    pub fn depends_on(&self, other: &Self) -> bool {
        !self.is_plain || !other.is_plain || self.takes_from(other)
    }

    /// Whether one may take what the other has.
    pub fn takes_from(&self, other: &Self) -> bool {
        let both_borrow = self.is_borrowed && other.is_borrowed;
        !both_borrow && !self.roots.is_disjoint(&other.roots)
    }
}

fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) | Expr::Closure(_) => true,
        Expr::Field(one) => is_plain(&one.base),
        Expr::Reference(one) => is_plain(&one.expr),
        Expr::Paren(one) => is_plain(&one.expr),
        Expr::Group(one) => is_plain(&one.expr),
        Expr::Unary(one) => {
            matches!(one.op, syn::UnOp::Deref(_)) && is_plain(&one.expr)
                || matches!(*one.expr, Expr::Lit(_))
        }
        Expr::Tuple(one) => one.elems.iter().all(is_plain),
        Expr::Array(one) => one.elems.iter().all(is_plain),
        _ => false,
    }
}

#[derive(Default)]
struct Roots {
    found: BTreeSet<String>,
    has_attributes: bool,
}

impl<'ast> Visit<'ast> for Roots {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A name in capitals is no variable.
        if let Some(ident) = path.get_ident() {
            let name = ident.to_string();
            if !name.starts_with(char::is_uppercase) {
                self.found.insert(name);
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {
        self.has_attributes = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_evaluation_matters_where_something_happens() {
        let check = |a: &str, b: &str, depends: bool| {
            let of = |text: &str| Argument::parse(text).unwrap();
            assert_eq!(of(a).depends_on(&of(b)), depends, "{a}, {b}");
        };
        check("1", "x.y", false);
        check("-1", "&x", false);
        check("x", "x.y", true);
        check("&x", "&x", false);
        check("&mut x", "y", false);
        check("&mut x", "&x", true);
        check("f()", "1", true);
        check("|a| x + a", "y", false);
        check("|a| x + a", "x", true);
        check("None", "None", false);
    }
}
