//! The strict parser: a file, or a part of one, that syn accepts.

use super::build::Builder;
use super::editions::without_later_keywords;
use super::lexer::{self, Kind};
use super::source::Source;
use super::walk::Walker;

/// What the strict parser refused, in bytes of the file.
pub(super) struct Refused {
    pub message: String,
    pub start: u32,
    pub end: u32,
}

/// The file as syn reads it, also by the keywords of an earlier edition. The caller invalidates its spans.
pub(super) fn parse_file(source: &Source<'_>) -> syn::Result<syn::File> {
    let code = source.text.get(source.prelude..).unwrap_or_default();
    let parse = |code: &str| strictly(|| syn::parse_str::<syn::File>(code));
    parse(code).or_else(|error| {
        let older = without_later_keywords(source);
        let older = older.as_deref().and_then(|text| parse(text.get(source.prelude..)?).ok());
        older.ok_or(error)
    })
}

/// Parses the file with syn and adds its items.
pub(super) fn walk_file(builder: &mut Builder<'_>) -> Result<(), Refused> {
    let source = builder.source;
    let base = source.prelude as u32;
    let parsed = parse_file(source);
    let result = match parsed {
        Ok(file) => {
            let context = builder.top();
            Walker { build: builder, base }.items(&file.items, &context);
            Ok(())
        }
        Err(error) => {
            let span = error.span();
            let start = source.byte_of(span.start(), base);
            let end = source.byte_of(span.end(), base);
            Err(unbalanced(source).unwrap_or_else(|| {
                let message = match error.to_string() {
                    message if message == NO_TOKENS => UNCLOSED.to_owned(),
                    message => message,
                };
                Refused { message, start, end }
            }))
        }
    };
    // The thread's source map only grows otherwise. No span outlives this line.
    proc_macro2::extra::invalidate_current_thread_spans();
    result
}

/// What the strict lexer says, whatever is wrong.
const NO_TOKENS: &str = "cannot parse string into token stream";
/// What is wrong then, if all brackets are in pairs.
const UNCLOSED: &str = "a literal or a comment is not closed, or a character is not part of Rust";

/// The first bracket without its other half: syn says neither which one it is nor where.
fn unbalanced(source: &Source<'_>) -> Option<Refused> {
    let mut open: Vec<&lexer::Token> = Vec::new();
    let refused = |token: &lexer::Token, what: &str| Refused {
        message: format!("`{}` {what}", char::from(token.byte)),
        start: token.start,
        end: token.end,
    };
    for token in &source.tokens {
        match (token.kind, open.last().map(|last| last.byte), token.byte) {
            (Kind::Open, ..) => open.push(token),
            (Kind::Close, Some(b'('), b')')
            | (Kind::Close, Some(b'['), b']')
            | (Kind::Close, Some(b'{'), b'}') => {
                open.pop();
            }
            (Kind::Close, None, _) => return Some(refused(token, "closes nothing")),
            (Kind::Close, ..) => break,
            _ => {}
        }
    }
    open.last().map(|token| refused(token, "is never closed"))
}

/// Runs a parser of syn. A panic in it counts as a text that does not parse.
pub(super) fn strictly<T>(parse: impl FnOnce() -> syn::Result<T>) -> syn::Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(parse)).unwrap_or_else(|_| {
        let span = proc_macro2::Span::call_site();
        Err(syn::Error::new(span, "the parser gave up"))
    })
}
