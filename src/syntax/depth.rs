//! Estimates how deep a recursive parser would go, before a text is parsed. Checked before a text
//! is parsed.
//!
//! The parser, the visitors and the destructors of its tree recurse on brackets, and also without
//! any: `!!!!x`, `a + b + c`, `x.a.b.c`, `A<A<A<…`, `if … else if …`, `|a, b| |a, b| …`. So the
//! measure counts tokens. A *run* is a stretch of one bracket's content in which recursion could
//! accumulate; it ends at `;`, at `,` outside generic arguments and closure parameters, and at a
//! `}` after which something new begins. Height of a group: the largest number of tokens in one of
//! its runs, plus the height of that run's highest group. Every node of a syntax tree has a token
//! of its own, so no path through the tree is longer than the height.

use super::lexer::{Kind, Token};
use super::source::{Source, Toks};

/// A bracket costs more stack than a token: block, statement and expression are between.
const BRACKET: u32 = 8;

/// Height above which a text is not parsed. The worst texts of this height that the
/// tests know need between a quarter and a half of [`super::STACK_BYTES`] in a debug build.
pub(super) const MAX_HEIGHT: u32 = 40_000;

/// Nesting of brackets above which a text is not parsed.
pub(super) const MAX_BRACKETS: usize = 1_000;

#[derive(Default, Clone, Copy)]
struct Group {
    /// Tokens of the run.
    run: u32,
    /// Height of the run's highest group.
    inner: u32,
    /// Height of the highest run so far.
    best: u32,
    /// Generic arguments open in the run.
    angles: u32,
    /// Whether the run is inside the `|…|` of a closure.
    closure: bool,
}

impl Group {
    fn end_run(&mut self) {
        self.best = self.best.max(self.run.saturating_add(self.inner));
        (self.run, self.inner, self.angles, self.closure) = (0, 0, 0, false);
    }
}

/// The byte where these tokens are too deep to be parsed, if they are.
pub(super) fn too_deep(source: &Source<'_>, toks: Toks) -> Option<u32> {
    let mut stack: Vec<Group> = Vec::new();
    let mut group = Group::default();
    let tokens = source.tokens.iter().enumerate();
    for (i, token) in tokens.take(toks.end).skip(toks.start) {
        group.run += 1;
        match token.kind {
            Kind::Open => {
                stack.push(group);
                if stack.len() > MAX_BRACKETS {
                    return Some(token.start);
                }
                group = Group::default();
            }
            // An unpaired bracket: no parser goes beyond it.
            Kind::Close if token.mate as usize == i => {}
            Kind::Close => {
                group.end_run();
                let height = group.best.saturating_add(BRACKET);
                group = stack.pop().unwrap_or_default();
                group.inner = group.inner.max(height);
                if token.byte == b'}' && begins_anew(source, i + 1) {
                    group.end_run();
                }
            }
            Kind::Punct => punct(source, i, token, &mut group),
            _ => {}
        }
        if group.run.saturating_add(group.inner) > MAX_HEIGHT {
            return Some(token.start);
        }
    }
    None
}

/// Whether what follows a `}` cannot continue the expression or type before it.
pub(super) fn begins_anew(source: &Source<'_>, at: usize) -> bool {
    match source.token(at).kind {
        Kind::Word => !matches!(source.str(at), "else" | "as" | "in" | "where"),
        Kind::Doc | Kind::Lifetime => true,
        Kind::Punct => source.is(at, b'#'),
        _ => false,
    }
}

fn punct(source: &Source<'_>, at: usize, token: &Token, group: &mut Group) {
    match token.byte {
        b';' => group.end_run(),
        b',' if group.angles == 0 && !group.closure => group.end_run(),
        // After a literal or `)` it compares or shifts.
        b'<' => {
            let before = if at > 0 { source.token(at - 1) } else { source.token(usize::MAX) };
            let operand = before.kind == Kind::Literal || before.is(b')');
            let shift = before.glued && before.is(b'<') && at > 1 && {
                let first = source.token(at - 2);
                first.kind == Kind::Literal || first.is(b')')
            };
            if !operand && !shift {
                group.angles += 1;
            }
        }
        b'>' if source.closes_angle(at) => group.angles = group.angles.saturating_sub(1),
        b'|' if group.closure => group.closure = false,
        b'|' if !(token.glued || at > 0 && source.token(at - 1).glued) => {
            group.closure = !ends_operand(source, at);
        }
        _ => {}
    }
}

/// Whether the token before `at` certainly ends an operand, so that `|` is the operator.
fn ends_operand(source: &Source<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let token = source.token(before);
    match token.kind {
        Kind::Literal => true,
        Kind::Close => token.byte == b')',
        Kind::Punct => token.byte == b'?',
        Kind::Word => !super::source::is_keyword(source.str(before)),
        _ => false,
    }
}
