//! Tokens of a file without what declarations do not need, and without syntax that only the
//! nightly compiler reads.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Documentation, bodies of functions and values of constants removed; `const` traits and impls
/// made plain.
pub fn strip(tokens: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::with_capacity(all.len());
    let mut at = 0;
    while let Some(token) = all.get(at) {
        let next = |by: usize| all.get(at + by);
        if is_punct(token, '#') {
            let bang = next(1).is_some_and(|t| is_punct(t, '!'));
            if let Some(TokenTree::Group(group)) = next(1 + usize::from(bang))
                && is_doc(group)
            {
                at += 2 + usize::from(bang);
                continue;
            }
        }
        if is_punct(token, '$')
            && let Some(TokenTree::Group(group)) = next(1)
            && let Some(plain) = without_expression(group)
        {
            out.push(plain);
            at += 2;
            continue;
        }
        if let TokenTree::Group(group) = token {
            // `[const] Trait`
            let inside = group.stream().to_string();
            if group.delimiter() == Delimiter::Bracket && inside == "const" {
                at += 1;
                continue;
            }
            let mut new = Group::new(group.delimiter(), strip(group.stream()));
            new.set_span(group.span());
            out.push(TokenTree::Group(new));
            at += 1;
            continue;
        }
        if is_word(token, "const") {
            let generic = out.last().is_some_and(|t| is_punct(t, '<') || is_punct(t, ','));
            let pointer = out.last().is_some_and(|t| is_punct(t, '*'));
            let named = matches!(next(1), Some(TokenTree::Ident(_)))
                || next(1).is_some_and(|t| is_punct(t, '$'));
            let plain = !generic && !pointer;
            // `const impl`, `const trait`, `impl const Trait`, `impl<T> const Trait`.
            let before_impl = ["impl", "trait", "auto"]
                .iter()
                .any(|word| next(1).is_some_and(|t| is_word(t, word)))
                || (next(1).is_some_and(|t| is_word(t, "unsafe"))
                    && next(2).is_some_and(|t| is_word(t, "trait") || is_word(t, "impl")));
            let after_impl = out.last().is_some_and(|t| is_word(t, "impl"))
                || (out.last().is_some_and(|t| is_punct(t, '>')) && !arrow(&out));
            if plain && (before_impl || after_impl) {
                at += 1;
                continue;
            }
            let function = ["fn", "unsafe", "async", "extern"]
                .iter()
                .any(|word| next(1).is_some_and(|t| is_word(t, word)));
            if plain && named && !function {
                // Values of constants.
                let end = all[at..].iter().position(|t| is_punct(t, ';')).map(|by| at + by);
                let equals = all[at..]
                    .iter()
                    .enumerate()
                    .position(|(by, t)| is_punct(t, '=') && !joined(&all, at + by));
                if let (Some(end), Some(equals)) = (end, equals.map(|by| at + by))
                    && equals < end
                {
                    out.push(token.clone());
                    out.extend(strip(all[at + 1..equals].iter().cloned().collect()));
                    out.extend("= 0 ;".parse::<TokenStream>().expect("tokens"));
                    at = end + 1;
                    continue;
                }
            }
        }
        if is_word(token, "fn") && !matches!(next(1), Some(TokenTree::Group(_))) {
            let end = (at + 1..all.len()).find(|end| {
                let body = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
                is_punct(&all[*end], ';') || (body(&all[*end]) && !is_punct(&all[end - 1], '$'))
            });
            if let Some(end) = end {
                out.push(token.clone());
                out.extend(strip(all[at + 1..end].iter().cloned().collect()));
                match &all[end] {
                    TokenTree::Group(_) => {
                        out.push(TokenTree::Group(Group::new(
                            Delimiter::Brace,
                            TokenStream::new(),
                        )));
                    }
                    other => out.push(other.clone()),
                }
                at = end + 1;
                continue;
            }
        }
        if is_punct(token, '~') && next(1).is_some_and(|t| is_word(t, "const")) {
            at += 2;
            continue;
        }
        out.push(token.clone());
        at += 1;
    }
    out.into_iter().collect()
}

/// `${count(…)}` and `${concat(…)}` of a macro's rules as plain tokens: lengths of arrays are not
/// read, and joined names are those of private functions.
fn without_expression(group: &Group) -> Option<TokenTree> {
    let first = group.stream().into_iter().next()?;
    match (group.delimiter(), first) {
        (Delimiter::Brace, first) if is_word(&first, "count") => {
            Some(TokenTree::Literal(proc_macro2::Literal::usize_unsuffixed(0)))
        }
        (Delimiter::Brace, first) if is_word(&first, "concat") => {
            Some(TokenTree::Ident(proc_macro2::Ident::new("joined", group.span())))
        }
        _ => None,
    }
}

fn arrow(out: &[TokenTree]) -> bool {
    out.len() > 1 && is_punct(&out[out.len() - 2], '-')
}

/// Whether a `=` is part of `==`, `=>`, `<=` and the like.
fn joined(all: &[TokenTree], at: usize) -> bool {
    let spaced = |t: &TokenTree| match t {
        TokenTree::Punct(p) => p.spacing() == proc_macro2::Spacing::Alone,
        _ => true,
    };
    !spaced(&all[at])
        || (at > 0
            && matches!(&all[at - 1], TokenTree::Punct(p) if p.spacing() == proc_macro2::Spacing::Joint && p.as_char() != '>'))
}

pub fn is_punct(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

pub fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_doc(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && group.stream().into_iter().next().is_some_and(|t| {
            ["rustc_doc_primitive", "must_use", "inline", "track_caller"]
                .iter()
                .any(|w| is_word(&t, w))
                || (is_word(&t, "doc") && !group.stream().to_string().contains("hidden"))
        })
}
