//! Places that lead somewhere without being a name of the language: operators of ranges, and the names
//! of files in calls of `include!` and the like.

use syn::visit::{self, Visit};

use super::macro_code;
use asof_model::ByteRange;

/// Macros of the standard library that are given the name of a file.
const INCLUDES: &[&str] = &["include", "include_str", "include_bytes"];

/// Where such a place leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lead {
    /// To a type, by its path.
    Type(&'static str),
    /// To a file, relative to that of the text, if the macro whose name begins at a byte is that of the
    /// standard library.
    File { path: String, macro_at: u32 },
}

/// The place at a byte of a file's text, and where it leads; none if there is none, or if the text
/// cannot be parsed.
pub fn unnamed_place(text: &str, byte: u32) -> Option<(ByteRange, Lead)> {
    asof_syntax::with_large_stack(|| {
        let file = syn::parse_file(text).ok()?;
        let mut places = Places { byte: byte as usize, found: None };
        places.visit_file(&file);
        places.found
    })?
}

struct Places {
    byte: usize,
    found: Option<(ByteRange, Lead)>,
}

impl Places {
    fn place(&mut self, bytes: std::ops::Range<usize>, lead: impl FnOnce() -> Lead) {
        if bytes.start <= self.byte && self.byte <= bytes.end && self.found.is_none() {
            let range = ByteRange::new(bytes.start as u32, bytes.end as u32);
            self.found = Some((range, lead()));
        }
    }
}

impl<'ast> Visit<'ast> for Places {
    // Of patterns, too.
    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        let bytes = |spans: &[proc_macro2::Span]| {
            let first = spans.first().map_or(0..0, proc_macro2::Span::byte_range);
            first.start..spans.last().map_or(0, |last| last.byte_range().end)
        };
        let (bytes, is_closed) = match &range.limits {
            syn::RangeLimits::HalfOpen(dots) => (bytes(&dots.spans), false),
            syn::RangeLimits::Closed(dots) => (bytes(&dots.spans), true),
        };
        self.place(bytes, || {
            Lead::Type(match (range.start.is_some(), range.end.is_some(), is_closed) {
                (true, true, false) => "std::ops::Range",
                (true, true, true) => "std::ops::RangeInclusive",
                (true, false, _) => "std::ops::RangeFrom",
                (false, true, false) => "std::ops::RangeTo",
                (false, true, true) => "std::ops::RangeToInclusive",
                (false, false, _) => "std::ops::RangeFull",
            })
        });
        visit::visit_expr_range(self, range);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(last) = call.path.segments.last()
            && INCLUDES.contains(&last.ident.to_string().as_str())
        {
            if let Ok(file) = syn::parse2::<syn::LitStr>(call.tokens.clone()) {
                let macro_at = last.ident.span().byte_range().start as u32;
                self.place(file.span().byte_range(), || Lead::File {
                    path: file.value(),
                    macro_at,
                });
            }
            return;
        }
        for code in macro_code::read(call) {
            code.visit(self);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the place at `^` leads, which is taken out of the text, and the text of the place.
    fn check(marked: &str, expected: Option<(&str, Lead)>) {
        let at = marked.find('^').unwrap();
        let text = marked.replacen('^', "", 1);
        let found = unnamed_place(&text, at as u32);
        let found = found.map(|(bytes, lead)| (bytes.slice(&text).unwrap(), lead));
        assert_eq!(found, expected, "{marked}");
    }

    #[test]
    fn operators_of_ranges_lead_to_their_types() {
        check("fn f() { g(0^..1) }", Some(("..", Lead::Type("std::ops::Range"))));
        check("fn f() { 0..^=1; }", Some(("..=", Lead::Type("std::ops::RangeInclusive"))));
        check("fn f() { x[^..] }", Some(("..", Lead::Type("std::ops::RangeFull"))));
        check("fn f() { assert!(x[1..^]) }", Some(("..", Lead::Type("std::ops::RangeFrom"))));
        check(
            "fn f() { match x { ^..=9 => 1 } }",
            Some(("..=", Lead::Type("std::ops::RangeToInclusive"))),
        );
    }

    #[test]
    fn other_dots_lead_nowhere() {
        check("fn f() { let S { a, ^.. } = x; }", None);
        check("fn f() { S { a, ^..b } }", None);
        check("fn f() { let [a, ^..] = x; }", None);
    }

    #[test]
    fn names_of_included_files() {
        let file =
            |macro_at| Some(("\"a/b.txt\"", Lead::File { path: "a/b.txt".to_owned(), macro_at }));
        check("const A: &str = include_str!(\"a/^b.txt\");", file(16));
        check("#[doc = include_str!(\"^a/b.txt\")] struct S;", file(8));
        check("const A: &str = other!(\"a/^b.txt\");", None);
    }
}
