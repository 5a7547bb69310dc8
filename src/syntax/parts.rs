//! Parses the parts of an item's head from tokens: generic parameters, parameters, `use` leaves,
//! paths of types.

use super::lexer::Kind;
use super::source::{Source, Toks};
use super::spacing::{join, join_bare};
use super::split::{commas, find};
use asof_model::{GenericParam, Param, PathRef, Span, UseLeaf};

/// Index after the `>` that closes the `<` at `at`.
pub(super) fn behind_angles(source: &Source<'_>, at: usize, end: usize) -> usize {
    (find(source, at + 1..end, |i| source.closes_angle(i)) + 1).min(end)
}

fn behind_attributes(source: &Source<'_>, toks: &Toks) -> usize {
    super::attrs::Attributes::default().outer(source, toks.start, toks.end)
}

/// Whether a lone `:` is next.
fn is_colon(source: &Source<'_>, at: usize) -> bool {
    source.is(at, b':')
        && !source.token(at).glued
        && !(at > 0 && source.token(at - 1).glued && source.is(at - 1, b':'))
}

/// Whether a lone `=` is next.
pub(super) fn is_equals(source: &Source<'_>, at: usize) -> bool {
    source.is(at, b'=') && !source.token(at).glued && !(at > 0 && source.token(at - 1).glued)
}

/// Parameters between `<` and `>`.
pub(super) fn generics(source: &Source<'_>, toks: Toks, owner: &Span) -> Vec<GenericParam> {
    commas(source, toks)
        .into_iter()
        .map(|part| {
            let head = behind_attributes(source, &part);
            let is_const = source.word(head) == "const";
            let name_at = head + usize::from(is_const);
            let colon = find(source, head..part.end, |at| is_colon(source, at));
            let value = find(source, head..part.end, |at| is_equals(source, at));
            let bounds = if colon < part.end { colon + 1..value } else { value..value };
            let (name, kind) = match source.token(head).kind {
                Kind::Lifetime => (source.str(head), "lifetime"),
                _ if is_const => (source.name(name_at), "const"),
                _ => (source.name(head), "type"),
            };
            GenericParam {
                name: name.to_owned(),
                kind,
                bounds: join(source, bounds),
                span: source.span_of(&part).relative_to(owner),
            }
        })
        .collect()
}

/// Parameters between `(` and `)`.
pub(super) fn params(source: &Source<'_>, toks: Toks, owner: &Span) -> Vec<Param> {
    commas(source, toks)
        .into_iter()
        .map(|part| {
            let head = behind_attributes(source, &part);
            let (name, ty) = receiver(source, head..part.end).unwrap_or_else(|| {
                let colon = find(source, head..part.end, |at| is_colon(source, at));
                if colon < part.end {
                    (join(source, head..colon), join(source, colon + 1..part.end))
                } else if source.is_op(head, b"...") {
                    ("...".to_owned(), "...".to_owned())
                } else {
                    // Edition 2015: a type without a pattern.
                    ("_".to_owned(), join(source, head..part.end))
                }
            });
            Param { name, ty, span: source.span_of(&part).relative_to(owner) }
        })
        .collect()
}

fn receiver(source: &Source<'_>, toks: Toks) -> Option<(String, String)> {
    let mut at = toks.start;
    let mut prefix = String::new();
    if source.is(at, b'&') {
        prefix.push('&');
        at += 1;
        if source.token(at).kind == Kind::Lifetime {
            prefix.push_str(source.str(at));
            prefix.push(' ');
            at += 1;
        }
        if source.word(at) == "mut" {
            prefix.push_str("mut ");
            at += 1;
        }
    } else if source.word(at) == "mut" {
        at += 1;
    }
    if source.word(at) != "self" {
        return None;
    }
    let ty = match at + 1 {
        behind if behind == toks.end => format!("{prefix}Self"),
        colon if is_colon(source, colon) => join(source, colon + 1..toks.end),
        _ => return None,
    };
    Some(("self".to_owned(), ty))
}

/// What a `use` tree brings in, in the order of the text.
pub(super) fn use_leaves(source: &Source<'_>, toks: Toks) -> Vec<UseLeaf> {
    let mut leaves = Vec::new();
    // Subtrees with the path before them; a stack, since trees nest as deep as the text likes.
    let mut todo = vec![(toks, Vec::<String>::new())];
    while let Some((toks, mut path)) = todo.pop() {
        let mut at = toks.start;
        if source.is_op(at, b"::") {
            if path.is_empty() {
                path.push(String::new());
            }
            at += 2;
        }
        loop {
            if source.is(at, b'{') {
                let group = at + 1..(source.skip(at) - 1).min(toks.end);
                let parts = commas(source, group);
                todo.extend(parts.into_iter().rev().map(|part| (part, path.clone())));
                break;
            }
            if source.is(at, b'*') {
                leaves.push(UseLeaf { path, name: String::new(), glob: true });
                break;
            }
            let segment = source.name(at);
            if segment.is_empty() || at >= toks.end {
                break;
            }
            // `a::{self}` stands for `a`; a `self` that begins a path is a segment.
            if segment != "self" || path.is_empty() {
                path.push(segment.to_owned());
            }
            if source.is_op(at + 1, b"::") && at + 3 <= toks.end {
                at += 3;
                continue;
            }
            let renamed = source.word(at + 1) == "as" && at + 2 < toks.end;
            let name = if renamed {
                source.name(at + 2).to_owned()
            } else {
                path.last().cloned().unwrap_or_default()
            };
            leaves.push(UseLeaf { path, name, glob: false });
            break;
        }
    }
    leaves
}

/// A type or trait.
pub(super) fn path_ref(source: &Source<'_>, toks: Toks) -> PathRef {
    let mut toks = toks;
    while source.is(toks.start, b'(') && source.skip(toks.start) == toks.end && !toks.is_empty() {
        let inner = toks.start + 1..toks.end - 1;
        // A tuple, not parentheses.
        if inner.is_empty() || find(source, inner.clone(), |at| source.is(at, b',')) < inner.end {
            break;
        }
        toks = inner;
    }
    let text = join_bare(source, toks.clone());
    let (path, args) = plain_path(source, toks).unwrap_or_default();
    PathRef { text, path, args }
}

/// Segments of a path and the arguments of its last one; none if it is not a plain path.
fn plain_path(source: &Source<'_>, toks: Toks) -> Option<(Vec<String>, String)> {
    let mut path = Vec::new();
    let mut at = toks.start;
    if source.is_op(at, b"::") {
        path.push(String::new());
        at += 2;
    }
    loop {
        let segment = source.name(at);
        if segment.is_empty() || super::source::is_keyword(source.word(at)) {
            return None;
        }
        path.push(segment.to_owned());
        at += 1;
        let arguments = at;
        if source.is_op(at, b"::") && source.is(at + 2, b'<') {
            at += 2;
        }
        if source.is(at, b'<') {
            at = behind_angles(source, at, toks.end);
        } else if source.is(at, b'(') && at < toks.end {
            at = source.skip(at);
            if source.is_op(at, b"->") {
                at = toks.end;
            }
        }
        if at >= toks.end {
            return Some((path, join(source, arguments.min(toks.end)..toks.end)));
        }
        if !source.is_op(at, b"::") {
            return None;
        }
        at += 2;
    }
}
