//! The arguments of macro calls, read as expressions.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

/// Nesting of macro calls above which tokens are not parsed: each level parses them again.
pub const MAX_MACRO_DEPTH: u32 = 8;

/// The arguments of a call that are expressions with commas between them; none if they are something
/// else, or quoted.
pub(super) fn parse_expressions(call: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    let name = call.path.segments.last().map(|segment| segment.ident.to_string());
    let quotes = matches!(
        name.as_deref(),
        Some("quote" | "quote_spanned" | "parse_quote" | "parse_quote_spanned" | "stringify")
    );
    let parser = Punctuated::parse_terminated;
    (!quotes).then(|| parser.parse2(call.tokens.clone()).ok()).flatten()
}
