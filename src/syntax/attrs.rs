//! Attributes and documentation of an item, read from its tokens.

use super::docs::comment_text;
use super::lexer::Kind;
use super::source::{Source, Toks};
use super::spacing::join;
use super::split::commas;
use asof_model::{Attr, Span};

/// What is before an item, or at the start of its body.
#[derive(Default)]
pub(super) struct Attributes {
    docs: Vec<String>,
    pub cfg: Vec<String>,
    others: Vec<(String, Span)>,
    /// `#[path = "…"]`.
    pub path: Option<String>,
    /// `#[cfg_attr(predicate, path = "…")]`.
    pub cfg_path: Vec<(String, String)>,
    pub macro_use: bool,
    pub macro_export: bool,
}

impl Attributes {
    pub(super) fn docs(&self) -> String {
        self.docs.join("\n")
    }

    /// The attributes, with positions counted from the start of their item.
    pub(super) fn relative(&self, owner: &Span) -> Vec<Attr> {
        self.others
            .iter()
            .map(|(text, span)| Attr { text: text.clone(), span: span.relative_to(owner) })
            .collect()
    }

    /// Reads outer attributes from `at` on; returns the index after them.
    pub(super) fn outer(&mut self, source: &Source<'_>, at: usize, end: usize) -> usize {
        self.read(source, at, end, false)
    }

    /// Reads inner attributes (`#![…]`, `//!`) from `at` on; returns the index after them.
    pub(super) fn inner(&mut self, source: &Source<'_>, at: usize, end: usize) -> usize {
        self.read(source, at, end, true)
    }

    fn read(&mut self, source: &Source<'_>, mut at: usize, end: usize, inner: bool) -> usize {
        while at < end {
            if source.token(at).kind == Kind::Doc {
                let text = source.str(at);
                if (text.starts_with("//!") || text.starts_with("/*!")) != inner {
                    break;
                }
                self.docs.push(comment_text(text));
                at += 1;
                continue;
            }
            let open = at + 1 + usize::from(inner);
            if !source.is(at, b'#')
                || inner && !source.is(at + 1, b'!')
                || !source.is(open, b'[')
                || source.token(open).mate as usize <= open
            {
                break;
            }
            let behind = source.skip(open);
            self.read_attribute(source, at..behind, open + 1);
            at = behind;
        }
        at
    }

    /// One attribute, whose path begins at `path`.
    fn read_attribute(&mut self, source: &Source<'_>, toks: Toks, path: usize) {
        let close = toks.end - 1;
        let value = source.is(path + 1, b'=').then(|| source.str(path + 2));
        let arguments = source.is(path + 1, b'(').then(|| path + 2..source.skip(path + 1) - 1);
        match (source.word(path), value, arguments) {
            ("doc", Some(text), _) if path + 3 == close => {
                if let Some(value) = string_value(text) {
                    let lines = value.lines().map(|l| l.strip_prefix(' ').unwrap_or(l));
                    self.docs.push(lines.collect::<Vec<_>>().join("\n"));
                    return;
                }
            }
            ("cfg", _, Some(predicate)) => {
                self.cfg.push(join(source, predicate));
                return;
            }
            ("path", Some(text), _) => self.path = string_value(text),
            ("cfg_attr", _, Some(arguments)) => self.cfg_attr(source, arguments),
            ("macro_use", ..) => self.macro_use = true,
            ("macro_export", ..) => self.macro_export = true,
            _ => {}
        }
        self.others.push((join(source, toks.clone()), source.span_of(&toks)));
    }

    fn cfg_attr(&mut self, source: &Source<'_>, arguments: Toks) {
        let mut parts = commas(source, arguments).into_iter();
        let Some(predicate) = parts.next() else { return };
        for part in parts {
            if source.word(part.start) == "path"
                && source.is(part.start + 1, b'=')
                && let Some(path) = string_value(source.str(part.start + 2))
            {
                self.cfg_path.push((join(source, predicate.clone()), path));
            }
        }
    }
}

/// Several predicates as one.
pub(super) fn all(mut predicates: Vec<String>) -> String {
    match predicates.len() {
        0 => String::new(),
        1 => predicates.pop().unwrap_or_default(),
        _ => format!("all({})", predicates.join(", ")),
    }
}

/// Value of a string literal.
fn string_value(literal: &str) -> Option<String> {
    syn::parse_str::<syn::LitStr>(literal).ok().map(|literal| literal.value())
}
