//! Removes lifetimes from types and paths: two spellings that differ only in lifetimes name the
//! same impl.

use super::lexer::{Kind, Token};
use super::source::Source;

/// The text without its lifetimes and without what only they needed: commas, `+`, `:`, empty
/// `<>`, and the `for` of `for<'a>`. Spaced like [`super::in_one_line`].
///
/// Character literals stay: `Key<'a'>` is not `Key<'a>`.
pub fn without_lifetimes(text: &str) -> String {
    let source = Source::new(text);
    let mut kept: Vec<(Token, &str)> = Vec::with_capacity(source.tokens.len());
    let mut at = 0;
    while at < source.tokens.len() {
        let token = source.token(at);
        at += 1;
        if token.kind == Kind::Lifetime {
            at = end_of_bounds(&source, at);
            let next = source.token(at);
            let opens_list = next.is(b',') && last_is(&kept, b"<,([");
            let opens_bounds = next.is(b'+') && !last_is(&kept, b"+");
            if opens_list || opens_bounds {
                at += 1;
            } else if last_is(&kept, b"+,") || (last_is(&kept, b":") && !ends_in_path_sep(&kept)) {
                kept.pop();
            }
            continue;
        }
        if token.is(b'>') && last_is(&kept, b"<") {
            kept.pop();
            if ends_in_path_sep(&kept) {
                kept.truncate(kept.len() - 2);
            } else if kept.last().is_some_and(|(_, word)| matches!(*word, "for" | "use")) {
                kept.pop();
            }
            continue;
        }
        kept.push((token, source.str(at - 1)));
    }
    let mut out = String::with_capacity(text.len());
    let mut end = None;
    for (token, text) in kept {
        if end.is_some_and(|end| end != token.start) {
            out.push(' ');
        }
        out.push_str(text);
        end = Some(token.end);
    }
    super::in_one_line(&out)
}

/// After the bounds of a lifetime (`'a: 'b + 'c`), if it has any.
fn end_of_bounds(source: &Source<'_>, after: usize) -> usize {
    let is_lifetime = |at: usize| source.token(at).kind == Kind::Lifetime;
    if !source.is(after, b':') || !is_lifetime(after + 1) {
        return after;
    }
    let mut end = after + 2;
    while source.is(end, b'+') && is_lifetime(end + 1) {
        end += 2;
    }
    end
}

fn last_is(kept: &[(Token, &str)], bytes: &[u8]) -> bool {
    kept.last().is_some_and(|(token, _)| bytes.iter().any(|byte| token.is(*byte)))
}

fn ends_in_path_sep(kept: &[(Token, &str)]) -> bool {
    matches!(kept, [.., (first, _), (second, _)]
        if first.is(b':') && second.is(b':') && first.end == second.start)
}

#[cfg(test)]
mod tests {
    use super::without_lifetimes;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_lifetimes(text), expected, "{text}");
        assert_eq!(without_lifetimes(expected), expected, "again: {expected}");
    }

    #[test]
    fn lifetimes_are_removed_with_their_punctuation() {
        check("&'a T", "&T");
        check("&'a mut T", "&mut T");
        check("& 'a mut T", "&mut T");
        check("&'static str", "&str");
        check("&'_ [u8]", "&[u8]");
        check("Foo<'a>", "Foo");
        check("Foo<'a, 'b>", "Foo");
        check("Foo<'a, T>", "Foo<T>");
        check("Foo<'a,'b,T,U>", "Foo<T, U>");
        check("Foo<T, 'a>", "Foo<T>");
        check("Foo::<'a>::Bar", "Foo::Bar");
        check("Foo::<'a, T>::Bar", "Foo::<T>::Bar");
        check("From<&'a str>", "From<&str>");
        check("Cow<'static, [&'a str]>", "Cow<[&str]>");
        check("(&'a A, &'b B)", "(&A, &B)");
        check("dyn Tr + 'a", "dyn Tr");
        check("dyn 'a + Tr", "dyn Tr");
        check("dyn A + 'a + B", "dyn A + B");
        check("&'a (dyn Tr<'b> + Send + 'a)", "&(dyn Tr + Send)");
        check("for<'a> Fn(&'a T) -> &'a U", "Fn(&T) -> &U");
        check("dyn for<'a, 'b> Fn(&'a T, &'b T)", "dyn Fn(&T, &T)");
        check("fn(&'a u8)", "fn(&u8)");
        check("Foo<Item: 'a>", "Foo<Item>");
        check("Foo<T: 'a + Copy>", "Foo<T: Copy>");
        check("for<'a: 'b + 'c, 'b> Fn(&'a T)", "Fn(&T)");
    }

    #[test]
    fn what_only_looks_like_a_lifetime_stays() {
        check("Key<'a'>", "Key<'a'>");
        check("Key<'a, 'a', '\\''>", "Key<'a', '\\''>");
        check("Key<'<'>", "Key<'<'>");
        check("Key<b'x', \"'a\">", "Key<b'x', \"'a\">");
        check("[T; N]", "[T; N]");
        check("a::b::C<D>", "a::b::C<D>");
        check("", "");
    }
}
