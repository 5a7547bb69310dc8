//! Matches in a text, as far as it shows them: those in macros are not read.

use asof_syntax::with_large_stack;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A `match`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchText {
    /// Its first byte.
    pub at: u32,
    /// First bytes of the names that arms without a guard match.
    pub names: Vec<u32>,
    /// Whether an arm matches whatever is left.
    pub has_rest: bool,
}

/// The matches of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expressions {
    pub matches: Vec<MatchText>,
}

impl Expressions {
    /// None if the text does not parse.
    pub fn read(text: &str) -> Option<Self> {
        with_large_stack(|| {
            let file = syn::parse_file(text).ok()?;
            // A byte order mark or a first line for a shell is no part of what is parsed.
            if file.shebang.is_some() || text.starts_with('\u{feff}') {
                return None;
            }
            let mut found = Self::default();
            found.visit_file(&file);
            Some(found)
        })?
    }
}

fn start(at: &impl Spanned) -> u32 {
    at.span().byte_range().start as u32
}

impl<'ast> Visit<'ast> for Expressions {
    fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
        let mut found =
            MatchText { at: start(&node.match_token), names: Vec::new(), has_rest: false };
        for arm in &node.arms {
            note(&arm.pat, &mut found);
        }
        self.matches.push(found);
        visit::visit_expr_match(self, node);
    }
}

fn note(pattern: &syn::Pat, found: &mut MatchText) {
    let mut name = |path: &syn::Path| {
        found.names.extend(path.segments.last().map(|last| start(&last.ident)));
    };
    match pattern {
        syn::Pat::Wild(_) => found.has_rest = true,
        syn::Pat::Ident(one) => match &one.subpat {
            Some((_, inside)) => note(inside, found),
            // A name in small letters is a variable; another one may be a variant.
            None if one.ident.to_string().starts_with(char::is_uppercase) => {
                found.names.push(start(&one.ident));
            }
            None => found.has_rest = true,
        },
        syn::Pat::Or(or) => or.cases.iter().for_each(|case| note(case, found)),
        syn::Pat::Paren(inside) => note(&inside.pat, found),
        syn::Pat::Reference(inside) => note(&inside.pat, found),
        syn::Pat::Path(one) => name(&one.path),
        syn::Pat::TupleStruct(one) => name(&one.path),
        syn::Pat::Struct(one) => name(&one.path),
        // What has a guard matches none for sure.
        syn::Pat::Guard(_) => {}
        // Of tuples and slices, several parts decide.
        _ => found.has_rest = true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_name_variants() {
        let text =
            "fn f(x: E) { match x { E::A | E::B(_) => g(1, 2), E::C if y => {} C => x.h() } }";
        let found = Expressions::read(text).unwrap();
        let one = &found.matches[0];
        let names: Vec<&str> =
            one.names.iter().map(|at| text.get(*at as usize..*at as usize + 1).unwrap()).collect();
        assert_eq!((names, one.has_rest), (vec!["A", "B", "C"], false));
    }
}
