//! Prints tokens in one line, spaced as rustfmt would: the only way in which signatures, types,
//! bounds, attributes and predicates are written, so that they do not depend on layout.

use super::docs::comment_text;
use super::lexer::Kind;
use super::source::{Source, Toks, is_keyword};

/// A type or other piece of code in one line, spaced as signatures and paths are stored.
pub fn in_one_line(text: &str) -> String {
    let source = Source::new(text);
    join(&source, 0..source.tokens.len())
}

/// A name as code writes it: `r#async` for `async`, which is a keyword otherwise.
pub fn as_written(name: &str) -> String {
    match syn::parse_str::<syn::Ident>(name) {
        Err(_) if syn::parse_str::<syn::Ident>(&format!("r#{name}")).is_ok() => {
            format!("r#{name}")
        }
        _ => name.to_owned(),
    }
}

/// Spacing that the last written token requires before the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// A word, literal or closing bracket: the next token decides.
    Operand,
    /// A blank, whatever follows.
    Blank,
    /// No blank, whatever follows.
    Tight,
    /// The `!` of a macro: words and braces are separated by a blank, other brackets are not.
    Bang,
    /// A `>` that closes generic arguments; true if they belong to `impl` or `for`.
    Angle(bool),
}

struct Joiner<'a, 's> {
    source: &'a Source<'s>,
    out: String,
    after: After,
    /// Index of the last written token.
    last: Option<usize>,
    /// For each open `<`: whether it follows `impl` or `for`.
    angles: Vec<bool>,
    /// For each open bracket: commas written, and whether it is a brace written without blanks.
    groups: Vec<(u32, bool)>,
    /// Whether commas that nothing follows are kept: the rules of macros tell them apart.
    exact: bool,
}

/// What of attributes and documentation is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attributes {
    /// All but documentation.
    Kept,
    /// None.
    Dropped,
    /// All; each run of documentation as one attribute without its text.
    Documented,
    /// Documentation with its text.
    WithDocs,
}

/// An attribute in the place of documentation.
const DOC: &str = "#[doc = \"\"] ";

/// Text of these tokens; documentation left out.
pub(super) fn join(source: &Source<'_>, toks: Toks) -> String {
    write(source, toks, Attributes::Kept)
}

/// Text of these tokens; documentation stands as an attribute, as the rules of macros see it.
pub(super) fn join_documented(source: &Source<'_>, toks: Toks) -> String {
    write(source, toks, Attributes::Documented)
}

/// The same with the text of the documentation.
pub(super) fn join_with_docs(source: &Source<'_>, toks: Toks) -> String {
    write(source, toks, Attributes::WithDocs)
}

/// Text of these tokens; documentation and attributes left out.
pub(super) fn join_bare(source: &Source<'_>, toks: Toks) -> String {
    write(source, toks, Attributes::Dropped)
}

fn write(source: &Source<'_>, toks: Toks, attributes: Attributes) -> String {
    let mut joiner = Joiner {
        source,
        out: String::new(),
        after: After::Tight,
        last: None,
        angles: Vec::new(),
        groups: Vec::new(),
        exact: matches!(attributes, Attributes::Documented | Attributes::WithDocs),
    };
    let mut at = toks.start;
    while at < toks.end {
        let token = source.token(at);
        if attributes == Attributes::Dropped && token.is(b'#') && source.is(at + 1, b'[') {
            at = source.skip(at + 1);
            continue;
        }
        if attributes == Attributes::WithDocs && token.kind == Kind::Doc {
            let mut lines = Vec::new();
            while at < toks.end && source.token(at).kind == Kind::Doc {
                lines.push(comment_text(source.str(at)));
                at += 1;
            }
            joiner.attribute(&format!("#[doc = {:?}] ", lines.join("\n")));
            continue;
        }
        if !token.doc || attributes == Attributes::WithDocs {
            joiner.token(at, toks.end);
        } else if attributes == Attributes::Documented && !joiner.out.ends_with(DOC) {
            joiner.attribute(DOC);
        }
        at += 1;
    }
    joiner.out
}

impl Joiner<'_, '_> {
    /// Writes an attribute that ends in a blank.
    fn attribute(&mut self, text: &str) {
        if !self.out.is_empty() && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.out.push_str(text);
        (self.after, self.last) = (After::Tight, None);
    }

    fn token(&mut self, at: usize, end: usize) {
        let token = self.source.token(at);
        if token.is(b',') && !self.exact && self.drops_comma(at, end) {
            return;
        }
        // The rest of an operator.
        if self.last.is_some_and(|last| last + 1 == at && self.source.token(last).glued) {
            self.out.push_str(self.source.str(at));
            self.last = Some(at);
            return;
        }
        let blank = match self.after {
            _ if self.out.is_empty() => false,
            After::Blank => !matches!(token.kind, Kind::Close) || token.byte == b'}',
            After::Tight => token.is(b'}'),
            After::Bang => token.kind == Kind::Word || token.is(b'{'),
            After::Operand | After::Angle(_) => self.blank_before(at),
        };
        let blank = blank && !(token.kind == Kind::Close && self.closes_tight(token.byte));
        let next = self.next_after(at);
        if blank && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.out.push_str(self.source.str(at));
        self.after = next;
        self.last = Some(at);
    }

    /// Whether a bracket closes without a blank before it.
    fn closes_tight(&self, byte: u8) -> bool {
        byte != b'}' || self.groups.last().is_none_or(|group| group.1) || self.out.ends_with('{')
    }

    /// Whether a comma before a closing bracket is only layout. That of `(T,)` is not.
    fn drops_comma(&self, at: usize, end: usize) -> bool {
        let mut next = at + 1;
        while self.source.token(next).doc && next < end {
            next += 1;
        }
        let token = self.source.token(next);
        if next >= end || (!self.angles.is_empty() && self.source.closes_angle(next)) {
            return true;
        }
        if token.kind != Kind::Close {
            return false;
        }
        let open = token.mate as usize;
        let call = open > 0 && {
            let before = self.source.token(open - 1);
            before.kind == Kind::Word && !is_keyword(self.source.str(open - 1))
                || before.is(b'>')
                || before.is(b'!')
        };
        token.byte != b')' || call || self.groups.last().is_none_or(|group| group.0 > 0)
    }

    fn last_word(&self) -> &str {
        self.last.map(|at| self.source.word(at)).unwrap_or_default()
    }

    /// Whether the last token ends an operand, so that an operator here is a binary one.
    fn operand(&self) -> bool {
        matches!(self.after, After::Operand) && !is_keyword(self.last_word())
    }

    /// Blank between an operand (or a keyword) and this token.
    fn blank_before(&self, at: usize) -> bool {
        let token = self.source.token(at);
        let keyword = is_keyword(self.last_word());
        let angle = matches!(self.after, After::Angle(_));
        match (token.kind, token.byte) {
            (Kind::Close, _) => token.byte == b'}',
            (Kind::Open, b'(') => match self.after {
                After::Angle(of_impl) => of_impl,
                _ if matches!(self.last_word(), "pub" | "impl") => {
                    !matches!(self.source.word(at + 1), "crate" | "self" | "super" | "in")
                }
                _ if matches!(self.last_word(), "fn" | "extern") => false,
                _ => keyword || self.after_lifetime() || self.after_restriction(),
            },
            (Kind::Open, b'[') => keyword || angle || self.after_lifetime(),
            (Kind::Punct, b',' | b';' | b'.') => false,
            (Kind::Punct, b':') if token.glued => keyword,
            (Kind::Punct, b':') => false,
            (Kind::Punct, b'?') => keyword,
            (Kind::Punct, b'<') if !token.glued => {
                let before = self.last.map(|at| self.source.token(at));
                angle
                    || self.after_lifetime()
                    || before.is_some_and(|t| t.kind == Kind::Literal || t.is(b')'))
                    || keyword && !matches!(self.last_word(), "impl" | "for" | "fn")
            }
            (Kind::Punct, b'>') => self.angles.is_empty() && !self.beside(at),
            (Kind::Punct, b'=') => !self.beside(at),
            (Kind::Punct, b'!') => keyword || angle || token.glued,
            _ => true,
        }
    }

    /// Whether this token directly follows a `>` in the text: `>=`, `>>`.
    fn beside(&self, at: usize) -> bool {
        self.angles.is_empty()
            && self.last.is_some_and(|last| {
                let last = self.source.token(last);
                last.is(b'>') && last.end == self.source.token(at).start
            })
            && !matches!(self.after, After::Angle(_))
    }

    /// Whether the last token closes `pub(…)`.
    fn after_restriction(&self) -> bool {
        let Some(last) = self.last.map(|at| self.source.token(at)) else { return false };
        let opener = (last.mate as usize).checked_sub(1);
        last.is(b')') && opener.is_some_and(|at| self.source.word(at) == "pub")
    }

    fn after_lifetime(&self) -> bool {
        self.last.is_some_and(|at| self.source.token(at).kind == Kind::Lifetime)
    }

    /// Spacing that this token requires before the next; keeps track of brackets.
    fn next_after(&mut self, at: usize) -> After {
        let token = self.source.token(at);
        match (token.kind, token.byte) {
            (Kind::Open, byte) => {
                // The braces of a `use` tree have no blanks inside.
                let path = self.out.ends_with(':') || self.last_word() == "use";
                let nested = self.groups.last().is_some_and(|group| group.1);
                let hug = byte == b'{' && (path || nested);
                self.groups.push((0, hug));
                if byte == b'{' && !hug { After::Blank } else { After::Tight }
            }
            (Kind::Close, _) => {
                self.groups.pop();
                After::Operand
            }
            (Kind::Punct, b',') => {
                if let Some(group) = self.groups.last_mut() {
                    group.0 += 1;
                }
                After::Blank
            }
            (Kind::Punct, _) => self.after_operator(at),
            _ => After::Operand,
        }
    }

    fn after_operator(&mut self, at: usize) -> After {
        let token = self.source.token(at);
        let operand = self.operand();
        match token.byte {
            b':' if token.glued => After::Tight,
            b'.' | b'#' | b'$' => After::Tight,
            b'?' if operand => After::Operand,
            b'?' => After::Tight,
            b'!' if token.glued => After::Blank,
            b'!' if operand => After::Bang,
            b'!' => After::Tight,
            // `&&T` and `||` are one operator; the tip of an arrow never comes here.
            b'&' | b'*' | b'-' | b'|' if !operand && !self.is_arrow(at) => {
                // `|a| b`: a closing bar is followed by a blank, but only a parser could tell.
                if token.byte == b'|' { After::Operand } else { After::Tight }
            }
            b'<' if token.glued && !self.source.is(at + 1, b'<') => After::Blank,
            b'<' => {
                let before = self.last.map(|at| self.source.token(at));
                if before.is_some_and(|t| t.kind == Kind::Literal || t.is(b')')) {
                    return After::Blank;
                }
                let of_impl = matches!(self.last_word(), "impl" | "for");
                self.angles.push(of_impl);
                if token.glued {
                    self.angles.push(false);
                }
                After::Tight
            }
            b'>' => match self.angles.pop() {
                Some(of_impl) => After::Angle(of_impl),
                None => After::Blank,
            },
            _ => After::Blank,
        }
    }

    fn is_arrow(&self, at: usize) -> bool {
        self.source.is_op(at, b"->")
    }
}
